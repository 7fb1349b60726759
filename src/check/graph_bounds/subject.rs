//! The subject of the bounds: a network, its timing and a demand, with the channels in one list.

use crate::collective::demand::Demand;
use crate::topology::{Graph, Topology};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A network, its timing, and a demand.
#[derive(Debug, Clone, Copy)]
pub struct Subject<'a> {
    /// Network.
    pub net: &'a Graph,
    /// Cycles of a hop, by channel: `node * net.ports() + port`.
    pub latency: &'a [u32],
    /// True if a node sends and receives one packet a cycle.
    pub one_port: bool,
    /// Words and their destinations.
    pub demand: &'a Demand,
    /// Least cycles from the last operand of a combination to the earliest in which the result can leave.
    pub operator: u32,
}

/// A channel between two nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Channel {
    /// Index in [`Listed::channels`].
    pub number: usize,
    pub src: usize,
    pub dst: usize,
    pub latency: u64,
    pub class: usize,
}

/// Cycles to a node that is out of reach.
pub(super) const FAR: u64 = u64::MAX;

/// A subject whose channels are listed, loopbacks left out.
pub(super) struct Listed<'a> {
    pub subject: Subject<'a>,
    pub channels: Vec<Channel>,
    /// Channels that leave each node, by node.
    pub out: Vec<Vec<u32>>,
    /// Channels that lead to each node, by node.
    into: Vec<Vec<u32>>,
}

impl<'a> Listed<'a> {
    pub fn new(subject: Subject<'a>) -> Self {
        let net = subject.net;
        let (mut channels, nodes) = (Vec::new(), net.nodes());
        let (mut out, mut into) = (vec![Vec::new(); nodes], vec![Vec::new(); nodes]);
        for (src, leaving) in out.iter_mut().enumerate() {
            for port in 0..net.ports_of(src.into()) {
                let dst = net.neighbour(src.into(), port).index();
                if src != dst {
                    leaving.push(channels.len() as u32);
                    into[dst].push(channels.len() as u32);
                    let latency = subject.latency[net.channel_id(src.into(), port).index()].into();
                    let class = net.channel_class(src.into(), port);
                    channels.push(Channel { number: channels.len(), src, dst, latency, class });
                }
            }
        }
        Self { subject, channels, out, into }
    }

    /// Number of nodes.
    pub fn nodes(&self) -> usize {
        self.out.len()
    }

    /// Number of channels that leave a node.
    pub fn leaving(&self, node: usize) -> usize {
        self.out[node].len()
    }

    /// Costs of the cheapest ways from the nearest of some nodes, or to it, by node.
    pub fn ways(&self, ends: impl IntoIterator<Item = usize>, from: bool, cost: impl Fn(Channel) -> u64) -> Vec<u64> {
        let mut best = vec![FAR; self.nodes()];
        let mut open: BinaryHeap<(Reverse<u64>, usize)> = ends.into_iter().map(|node| (Reverse(0), node)).collect();
        open.iter().for_each(|&(_, node)| best[node] = 0);
        while let Some((Reverse(at), node)) = open.pop() {
            if at > best[node] {
                continue;
            }
            for &number in if from { &self.out[node] } else { &self.into[node] } {
                let channel = self.channels[number as usize];
                let (to, there) = (if from { channel.dst } else { channel.src }, at + cost(channel));
                if there < best[to] {
                    best[to] = there;
                    open.push((Reverse(there), to));
                }
            }
        }
        best
    }
}

/// Cycles until a word from one of `from` can be at a node, and cycles from the node to the nearest of `to`; both by
/// node.
pub(super) fn usable(listed: &Listed<'_>, from: &[bool], to: &[bool]) -> (Vec<u64>, Vec<u64>) {
    let nodes = |set: &[bool]| (0..set.len()).filter(|&node| set[node]).collect::<Vec<usize>>();
    let since = listed.ways(nodes(from), true, |channel| channel.latency);
    let until = listed.ways(nodes(to), false, |channel| channel.latency);
    (since, until)
}

/// Cycles of a schedule in which a channel cannot be used: before the first word can reach it, and so late that its
/// word reaches no destination in time. [`FAR`] if it can never be used.
pub(super) fn delay_of(channel: Channel, since: &[u64], until: &[u64]) -> u64 {
    match (since[channel.src], until[channel.dst]) {
        (FAR, _) | (_, FAR) => FAR,
        (since, until) => since + channel.latency + until - 1,
    }
}
