//! Earliest-arrival trees, one chunk after the other: each takes the channels that are still free.

use super::{Effort, Made, PortModel, Problem, Scheduler};
use crate::collective::demand::Chunk;
use crate::id::NodeId;
use crate::program::{Hop, Origin, Program, Switching, Train, Who};
use crate::topology::Topology;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};

/// The algorithm.
pub struct Trees;

/// Cycles in which channels and ports are taken.
#[derive(Default)]
struct Taken {
    channels: HashSet<(usize, u32)>,
    sends: HashSet<(NodeId, u32)>,
    receives: HashSet<(NodeId, u32)>,
}

impl Taken {
    /// The first cycle from `ready` on in which a channel can be entered.
    fn entry(&self, problem: &Problem, (node, port): (NodeId, usize), ready: u32) -> u32 {
        let (to, latency) = (problem.net.neighbour(node, port), problem.latency(node, port));
        let channel = problem.net.channel_id(node, port).index();
        let free = |&cycle: &u32| {
            !self.channels.contains(&(channel, cycle))
                && (problem.ports == PortModel::All
                    || !self.sends.contains(&(node, cycle)) && !self.receives.contains(&(to, cycle + latency - 1)))
        };
        (ready..).find(free).unwrap_or(u32::MAX)
    }
}

impl Scheduler for Trees {
    fn name(&self) -> &'static str {
        "trees"
    }

    fn about(&self) -> &'static str {
        "earliest-arrival trees, one chunk after the other"
    }

    fn schedule(&self, problem: &Problem, _: &Effort) -> Option<Made> {
        if problem.demand.combines() {
            return None;
        }
        let mut program = Program::new(Switching::HopByChannel(problem.latency.clone()));
        let (mut taken, mut cycles) = (Taken::default(), 0);
        for chunk in &problem.demand.chunks {
            let value = program.value(Who::One(chunk.from[0]), 1, Origin::Message);
            let tree = tree(problem, chunk, &mut taken, &mut cycles)?;
            if !tree.is_empty() {
                program.send(value, Who::One(chunk.from[0]), (0, Train::STEADY), tree);
            }
        }
        let chunk = (0..program.values.len() as u32).map(Some).collect();
        Some(Made { algorithm: self.name(), program, chunk, cycles })
    }
}

/// Cycle of an arrival, and the channel and cycle by which the word comes; None at its source.
type Arrival = (u32, Option<(NodeId, usize, u32)>);

/// The tree of a chunk, whose channels are taken; None if a destination is out of reach.
fn tree(problem: &Problem, chunk: &Chunk, taken: &mut Taken, cycles: &mut u32) -> Option<Vec<Hop>> {
    let (net, from) = (&problem.net, chunk.from[0]);
    let mut found: Vec<Option<Arrival>> = vec![None; net.nodes()];
    let mut open = BinaryHeap::from([(Reverse(0), from, None)]);
    while let Some((Reverse(at), node, by)) = open.pop() {
        if found[node.index()].is_some() {
            continue;
        }
        found[node.index()] = Some((at, by));
        for port in 0..net.ports_of(node) {
            let entry = taken.entry(problem, (node, port), at);
            let there = entry + problem.latency(node, port);
            open.push((Reverse(there), net.neighbour(node, port), Some((node, port, entry))));
        }
    }
    let mut needed: Vec<NodeId> = Vec::new();
    for &to in &chunk.to {
        let mut next = to;
        *cycles = (*cycles).max(found[to.index()]?.0);
        while next != from && !needed.contains(&next) {
            needed.push(next);
            next = found[next.index()]?.1?.0;
        }
    }
    needed.sort_by_key(|node| found[node.index()].map(|at| at.0));
    let mut hops = Vec::new();
    for &node in &needed {
        let (there, by) = found[node.index()]?;
        let (before, port, entry) = by?;
        taken.channels.insert((net.channel_id(before, port).index(), entry));
        taken.sends.insert((before, entry));
        taken.receives.insert((node, there - 1));
        let parent = needed.iter().position(|&other| other == before).map(|index| index as u32);
        let wait = entry - found[before.index()]?.0;
        hops.push(Hop { parent, port: port as u32, wait, keep: chunk.to.contains(&node) });
    }
    Some(hops)
}
