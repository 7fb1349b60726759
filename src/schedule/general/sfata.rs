//! SFATA, the supernode-first all-to-all broadcast of Zhuang et al. (Mathematics 2023, section 4.1): all packets are collected along one
//! tree, and then distributed along it.
//!
//! A message of k packets holds a link for k slots and is forwarded when it is complete. On the way down it has all packets, also those
//! that come from below. The root is router `seed` modulo the number of nodes.

use super::channels::Channels;
use super::collection_tree::Tree;
use super::problem::{Effort, Made, PortModel, Problem};
use super::scheduler::Scheduler;
use crate::collective::demand::Chunk;
use crate::id::NodeId;
use crate::program::{Hop, Origin, Program, Switching, Train, Who};
use crate::topology::Topology;

/// The algorithm.
pub(super) struct Sfata;

impl Scheduler for Sfata {
    fn name(&self) -> &'static str {
        "sfata"
    }

    fn about(&self) -> &'static str {
        "all-gather as published for Galaxyflies: all words go up a tree to one node and down again, message by message"
    }

    fn is_short(&self) -> bool {
        false
    }

    fn schedule(&self, problem: &Problem, effort: &Effort) -> Option<Made> {
        let net = Channels::of(problem);
        let nodes = net.nodes() as u64;
        if nodes == 0 || problem.ports == PortModel::One || !for_all(problem) {
            return None;
        }
        let tree = Tree::new(problem, &net, (effort.seed % nodes) as u32)?;
        Some(Times::new(problem, &net, &tree).made(problem, &net, &tree))
    }
}

/// True if each chunk goes from one node to all.
fn for_all(problem: &Problem) -> bool {
    let nodes = problem.net.nodes();
    let everywhere = |chunk: &Chunk| {
        let [from] = chunk.from[..] else { return false };
        chunk.to.iter().filter(|&&to| to != from).count() + 1 == nodes
    };
    problem.demand.chunks.iter().all(everywhere)
}

/// Cycles of all messages.
struct Times {
    /// By node: chunks that come from it and from below, ascending.
    below: Vec<Vec<u32>>,
    /// By node: cycle in which its message to its parent starts.
    up: Vec<u32>,
    /// By node: cycle in which the message of its parent to it starts.
    down: Vec<u32>,
    cycles: u32,
}

impl Times {
    fn new(problem: &Problem, net: &Channels, tree: &Tree) -> Self {
        let nodes = net.nodes();
        let mut times = Self { below: vec![Vec::new(); nodes], up: vec![0; nodes], down: vec![0; nodes], cycles: 0 };
        for (number, chunk) in (0..).zip(&problem.demand.chunks) {
            times.below[chunk.from[0].index()].push(number);
        }
        // cycle in which a message that starts in a cycle has come
        let end = |channel: u32, start: u32, length: usize| match length as u32 {
            0 => start,
            length => start + length - 1 + net.latency[channel as usize],
        };
        for &node in tree.order.iter().rev() {
            let index = node as usize;
            times.below[index].sort_unstable();
            let (Some([channel, _]), Some(parent)) = (tree.links[index], tree.parent(net, node)) else { continue };
            let parent = parent as usize;
            times.up[parent] = times.up[parent].max(end(channel, times.up[index], times.below[index].len()));
            let below = times.below[index].clone();
            times.below[parent].extend(below);
        }
        let all = problem.demand.chunks.len();
        // by node: cycle in which it has all packets
        let mut whole = vec![0; nodes];
        for &node in &tree.order {
            let index = node as usize;
            whole[index] = match (tree.links[index], tree.parent(net, node)) {
                (Some([_, channel]), Some(parent)) => {
                    times.down[index] = whole[parent as usize];
                    end(channel, times.down[index], all)
                }
                _ => times.up[index],
            };
            times.cycles = times.cycles.max(whole[index]);
        }
        times
    }

    /// The program: each chunk's way up, and from the root to all nodes.
    fn made(&self, problem: &Problem, net: &Channels, tree: &Tree) -> Made {
        let mut program = Program::new(Switching::HopByChannel(problem.latency.clone()));
        let mut hop_to = vec![None; net.nodes()];
        for (number, chunk) in (0..).zip(&problem.demand.chunks) {
            let from = chunk.from[0];
            let value = program.value(Who::One(from), 1, Origin::Message);
            let (mut hops, mut since): (Vec<Hop>, u32) = (Vec::new(), 0);
            let hop = |channel: u32, parent: Option<u32>, wait: u32, keep: bool| Hop {
                parent,
                port: net.port[channel as usize],
                wait,
                keep,
            };
            let mut node = from.get();
            while let (Some([channel, _]), Some(parent)) = (tree.links[node as usize], tree.parent(net, node)) {
                let place = self.below[node as usize].partition_point(|&other| other < number) as u32;
                let cycle = self.up[node as usize] + place;
                hops.push(hop(
                    channel,
                    (hops.len() as u32).checked_sub(1),
                    cycle - since,
                    tree.links[parent as usize].is_none(),
                ));
                since = cycle + net.latency[channel as usize];
                node = parent;
            }
            // by node: the hop by which the chunk comes down to it, and the cycle in which it is there
            hop_to[node as usize] = Some(((hops.len() as u32).checked_sub(1), since));
            for &to in &tree.order {
                let (Some([_, channel]), Some(above)) = (tree.links[to as usize], tree.parent(net, to)) else {
                    continue;
                };
                let Some((parent, since)) = hop_to[above as usize] else { continue };
                let cycle = self.down[to as usize] + number;
                hop_to[to as usize] = Some((Some(hops.len() as u32), cycle + net.latency[channel as usize]));
                hops.push(hop(channel, parent, cycle - since, NodeId::new(to) != from));
            }
            program.send(value, Who::One(from), (0, Train::STEADY), hops);
        }
        let chunk = (0..problem.demand.chunks.len() as u32).map(Some).collect();
        Made { algorithm: "sfata", program, chunk, cycles: self.cycles }
    }
}
