//! Circuits for any demand: in every step each word that is still owed takes a shortest free path, if there is one.
//!
//! The words with the farthest destinations come first, and those of one distance in random order; the shortest of some attempts counts.

use super::circuits::{Circuit, made};
use super::random::Random;
use super::reduce::STEPS_PER_SECOND;
use super::{Effort, Made, Problem, Scheduler};
use crate::id::NodeId;
use crate::topology::{Graph, Topology};
use std::cmp::Reverse;
use std::collections::VecDeque;

/// Most attempts.
const ATTEMPTS: usize = 200;

/// The algorithm.
pub(super) struct AnyCircuits;

impl Scheduler for AnyCircuits {
    fn name(&self) -> &'static str {
        "circuits"
    }

    fn about(&self) -> &'static str {
        "circuits: every word that is owed takes a shortest free path in the first step that has one"
    }

    fn is_circuit(&self) -> bool {
        true
    }

    fn schedule(&self, problem: &Problem, effort: &Effort) -> Option<Made> {
        if !problem.is_circuit() || problem.demand.combines() {
            return None;
        }
        let mut looks = u64::from(effort.time_limit_s) * STEPS_PER_SECOND;
        let mut random = Random::new(effort.seed);
        let mut best: Option<Vec<Circuit>> = None;
        let length = |circuits: &Vec<Circuit>| circuits.iter().map(|circuit| circuit.step).max();
        for _ in 0..ATTEMPTS {
            let mut attempt = Attempt::new(problem, &mut random);
            let found = attempt.circuits(problem)?;
            best = best.into_iter().chain([found]).min_by_key(length);
            looks = looks.saturating_sub(attempt.looks);
            if looks == 0 {
                break;
            }
        }
        Some(made(&problem.net, &problem.demand, self.name(), best?))
    }
}

/// An attempt at a schedule.
struct Attempt<'a> {
    net: &'a Graph,
    /// Chunks and destinations that are owed, in the order in which they are laid.
    owed: Vec<(u32, NodeId)>,
    /// Nodes that have each chunk, by chunk.
    has: Vec<Vec<NodeId>>,
    /// Channels that lead to each node, by node.
    into: Vec<Vec<usize>>,
    /// Occupied flag of each channel in the current step, by channel.
    used: Vec<bool>,
    /// Channels that were looked at.
    looks: u64,
}

impl<'a> Attempt<'a> {
    fn new(problem: &'a Problem, random: &mut Random) -> Self {
        let net = &problem.net;
        let chunks = &problem.demand.chunks;
        let mut into = vec![Vec::new(); net.nodes()];
        for node in (0..net.nodes()).map(NodeId::from) {
            for port in 0..net.ports_of(node) {
                into[net.neighbour(node, port).index()].push(net.channel_id(node, port).index());
            }
        }
        let far: Vec<Vec<u32>> = (0..net.nodes()).map(|node| distances(net, node.into())).collect();
        let owed = (0..).zip(chunks).flat_map(|(i, chunk)| chunk.to.iter().map(move |&to| (i, to)));
        let rank = |(i, to): (u32, NodeId)| {
            let from = chunks[i as usize].from[0];
            (Reverse(far[from.index()][to.index()]), random.next(), (i, to))
        };
        let mut owed: Vec<_> = owed.filter(|&(i, to)| chunks[i as usize].from[0] != to).map(rank).collect();
        owed.sort_unstable();
        let used = vec![false; net.nodes() * net.ports()];
        let has = chunks.iter().map(|chunk| chunk.from.clone()).collect();
        Self { net, owed: owed.into_iter().map(|rank| rank.2).collect(), has, into, used, looks: 0 }
    }

    /// Circuits of all words; none if a destination is out of reach.
    fn circuits(&mut self, problem: &Problem) -> Option<Vec<Circuit>> {
        let mut circuits = Vec::with_capacity(self.owed.len());
        let mut step = 0;
        while !self.owed.is_empty() {
            self.used.fill(false);
            let (before, owed) = (circuits.len(), std::mem::take(&mut self.owed));
            let mut arrived = Vec::new();
            for (chunk, to) in owed {
                match self.path(chunk, to) {
                    Some((from, ports)) => {
                        circuits.push(Circuit { chunk, step, from, ports });
                        arrived.push((chunk, to));
                    }
                    None => self.owed.push((chunk, to)),
                }
            }
            if circuits.len() == before {
                return None;
            }
            let several = |chunk: u32| problem.demand.chunks[chunk as usize].to.len() > 1;
            for (chunk, to) in arrived.into_iter().filter(|&(chunk, _)| several(chunk)) {
                self.has[chunk as usize].push(to);
            }
            step += 1;
        }
        Some(circuits)
    }

    /// The shortest free path to a node from one that has a chunk, over media; its channels are then in use.
    fn path(&mut self, chunk: u32, to: NodeId) -> Option<(NodeId, Vec<u32>)> {
        let (net, ports) = (self.net, self.net.ports());
        let mut after: Vec<Option<usize>> = vec![None; net.nodes()];
        let mut open = VecDeque::from([to]);
        // backwards, so that a busy destination is seen at once
        while let Some(node) = open.pop_front() {
            for &channel in &self.into[node.index()] {
                self.looks += 1;
                let from = NodeId::from(channel / ports);
                if self.used[channel] || from == to || after[from.index()].is_some() {
                    continue;
                }
                after[from.index()] = Some(channel);
                if net.is_medium(from) {
                    open.push_back(from);
                } else if self.has[chunk as usize].contains(&from) {
                    let mut path = Vec::new();
                    let mut at = from;
                    while let Some(channel) = after[at.index()].filter(|_| at != to) {
                        self.used[channel] = true;
                        path.push((channel % ports) as u32);
                        at = net.neighbour(at, channel % ports);
                    }
                    return Some((from, path));
                }
            }
        }
        None
    }
}

/// Channels of the shortest paths from a node, by node.
fn distances(net: &Graph, from: NodeId) -> Vec<u32> {
    let mut far = vec![u32::MAX; net.nodes()];
    far[from.index()] = 0;
    let mut open = VecDeque::from([from]);
    while let Some(node) = open.pop_front() {
        for port in 0..net.ports_of(node) {
            let next = net.neighbour(node, port);
            if far[next.index()] == u32::MAX {
                far[next.index()] = far[node.index()] + 1;
                open.push_back(next);
            }
        }
    }
    far
}
