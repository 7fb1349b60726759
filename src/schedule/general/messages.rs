//! Messages as the Galaxyfly paper counts them (Zhuang et al., Mathematics 2023): a message of k packets holds a channel for k slots and is
//! forwarded when it is complete. A channel carries its messages in the order in which their senders have them complete.

use super::channels::Channels;
use super::collection_tree::Tree;
use super::problem::{Made, PortModel, Problem};
use crate::collective::demand::Chunk;
use crate::program::{Hop, Origin, Program, Switching, Train, Who};
use crate::topology::Topology;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Message from one node to the next.
#[derive(Debug, Clone)]
struct Message {
    /// Channel that it crosses.
    channel: u32,
    /// Chunks, in the order in which they cross it.
    chunks: Vec<u32>,
    /// Messages, by index, that are at the sender before.
    after: Vec<u32>,
}

/// Hop by which a chunk comes to a node first, none at the node that it is from, and the cycle in which it is there.
type Arrival = (Option<u32>, u32);

/// Chunks that a node has, and the messages, by index, that bring them.
#[derive(Debug, Clone, Default)]
pub(super) struct Held {
    /// Chunks, ascending.
    pub chunks: Vec<u32>,
    /// Messages that bring them.
    pub after: Vec<u32>,
}

impl Held {
    /// Adds the contents of another message.
    pub fn add(&mut self, other: &Held) {
        self.chunks.extend(&other.chunks);
        self.chunks.sort_unstable();
        self.chunks.dedup();
        self.after.extend(&other.after);
    }
}

/// All messages of a collective, each after those that it waits for.
pub(super) struct Messages<'a> {
    problem: &'a Problem,
    net: &'a Channels,
    all: Vec<Message>,
}

impl<'a> Messages<'a> {
    /// Empty list of messages. None if nodes use one port at a time, or if a chunk comes from several nodes.
    pub fn of(problem: &'a Problem, net: &'a Channels) -> Option<Self> {
        let single = problem.demand.chunks.iter().all(|chunk| chunk.from.len() == 1);
        (single && problem.ports == PortModel::All && net.nodes() > 0).then(|| Self { problem, net, all: Vec::new() })
    }

    /// Chunks that each node has from the beginning, by node.
    pub fn own(&self) -> Vec<Held> {
        let mut own = vec![Held::default(); self.net.nodes()];
        for (number, chunk) in (0..).zip(&self.problem.demand.chunks) {
            own[chunk.from[0].index()].chunks.push(number);
        }
        own
    }

    /// Adds a message over a channel; the chunks as the receiver has them.
    pub fn send(&mut self, channel: u32, held: &Held) -> Held {
        if held.chunks.is_empty() {
            return held.clone();
        }
        self.all.push(Message { channel, chunks: held.chunks.clone(), after: held.after.clone() });
        Held { chunks: held.chunks.clone(), after: vec![self.all.len() as u32 - 1] }
    }

    /// Adds the messages up a tree: each node sends when it has all from below. Chunks as the root has them.
    pub fn collect(&mut self, tree: &Tree, mut held: Vec<Held>) -> Held {
        let net = self.net;
        for &node in tree.order.iter().rev() {
            if let (Some([up, _]), Some(parent)) = (tree.links[node as usize], tree.parent(net, node)) {
                let sent = self.send(up, &held[node as usize]);
                held[parent as usize].add(&sent);
            }
        }
        tree.order.first().map(|&root| held.swap_remove(root as usize)).unwrap_or_default()
    }

    /// Adds the messages down a tree, from the contents of its root. Gives each node's chunks, in the tree's order.
    pub fn spread(&mut self, tree: &Tree, held: &Held) -> Vec<(u32, Held)> {
        let net = self.net;
        let mut at: Vec<Option<Held>> = vec![None; net.nodes()];
        let mut found = Vec::with_capacity(tree.order.len());
        for &node in &tree.order {
            let own = match (tree.links[node as usize], tree.parent(net, node)) {
                (Some([_, down]), Some(parent)) => {
                    let above = at[parent as usize].clone().unwrap_or_default();
                    self.send(down, &above)
                }
                _ => held.clone(),
            };
            at[node as usize] = Some(own.clone());
            found.push((node, own));
        }
        found
    }

    /// Cycle in which a message's first packet enters the channel, by message.
    fn starts(&self) -> Vec<u32> {
        let mut waits: Vec<usize> = self.all.iter().map(|message| message.after.len()).collect();
        let mut next = vec![Vec::new(); self.all.len()];
        for (index, message) in (0..).zip(&self.all) {
            message.after.iter().for_each(|&before| next[before as usize].push(index));
        }
        let (mut ready, mut starts) = (vec![0; self.all.len()], vec![0; self.all.len()]);
        let mut free = vec![0; self.net.count()];
        let first = (0..).zip(&waits).filter(|(_, waits)| **waits == 0);
        let mut open: BinaryHeap<Reverse<(u32, u32)>> = first.map(|(index, _)| Reverse((0, index))).collect();
        while let Some(Reverse((since, index))) = open.pop() {
            let message = &self.all[index as usize];
            let (channel, length) = (message.channel as usize, message.chunks.len() as u32);
            let start = since.max(free[channel]);
            (starts[index as usize], free[channel]) = (start, start + length);
            let end = start + length - 1 + self.net.latency[channel];
            for &after in &next[index as usize] {
                let slot = &mut ready[after as usize];
                *slot = end.max(*slot);
                waits[after as usize] -= 1;
                if waits[after as usize] == 0 {
                    open.push(Reverse((*slot, after)));
                }
            }
        }
        starts
    }

    /// The program of all messages: a node keeps a chunk when it comes first, and sends it on from there. None if a message has a chunk that
    /// its sender lacks.
    pub fn made(self, algorithm: &'static str) -> Option<Made> {
        let (net, chunks) = (self.net, &self.problem.demand.chunks);
        let starts = self.starts();
        let mut order: Vec<usize> = (0..self.all.len()).collect();
        order.sort_by_key(|&index| (starts[index], index));
        let mut hops: Vec<Vec<Hop>> = vec![Vec::new(); chunks.len()];
        // by chunk and node
        let mut there: Vec<Vec<Option<Arrival>>> = vec![vec![None; net.nodes()]; chunks.len()];
        for (chunk, there) in chunks.iter().zip(&mut there) {
            there[chunk.from[0].index()] = Some((None, 0));
        }
        let mut cycles = 0;
        for index in order {
            let Message { channel, chunks: carried, .. } = &self.all[index];
            let channel = *channel as usize;
            let [from, to] = [net.src[channel], net.dst[channel]];
            for (place, &number) in (0..).zip(carried) {
                let (there, hops) = (&mut there[number as usize], &mut hops[number as usize]);
                let (parent, since) = there[from as usize]?;
                let cycle = starts[index] + place;
                let is_first = there[to as usize].is_none();
                let keep = is_first && chunks[number as usize].to.iter().any(|node| node.get() == to);
                let end = cycle + net.latency[channel];
                cycles = cycles.max(end);
                if is_first {
                    there[to as usize] = Some((Some(hops.len() as u32), end));
                }
                hops.push(Hop { parent, port: net.port[channel], wait: cycle.checked_sub(since)?, keep });
            }
        }
        let mut program = Program::new(Switching::HopByChannel(self.problem.latency.clone()));
        for (chunk, hops) in chunks.iter().zip(hops) {
            let who = Who::One(chunk.from[0]);
            let value = program.value(who, 1, Origin::Message);
            program.send(value, who, (0, Train::STEADY), hops);
        }
        let chunk = (0..chunks.len() as u32).map(Some).collect();
        Some(Made { algorithm, program, chunk, cycles })
    }
}

/// True if each chunk goes from one node to all.
pub(super) fn is_for_all(problem: &Problem) -> bool {
    let nodes = problem.net.nodes();
    let everywhere = |chunk: &Chunk| {
        let [from] = chunk.from[..] else { return false };
        chunk.to.iter().filter(|&&to| to != from).count() + 1 == nodes
    };
    problem.demand.chunks.iter().all(everywhere)
}
