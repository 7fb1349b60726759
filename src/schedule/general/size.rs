//! Sizes of problems, by which the steps of an algorithm are estimated beforehand.

use super::channels::{Channels, FAR};
use super::problem::Problem;
use crate::id::NodeId;
use std::collections::BTreeSet;

/// Most steps of an attempt. Beyond it an algorithm does not begin, before time and memory go.
pub(super) const MOST_WORK: u64 = 10_000_000_000;

/// Most distances between nodes that are held at a time: 512 MiB.
pub(super) const MOST_DISTANCES: u64 = 1 << 27;

/// Most nodes and channels over which distances are found for the size.
const EFFORT: usize = 100_000_000;

/// Size of a problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    /// Number of words.
    pub words: u64,
    /// Crossings of channels, if each word goes the shortest way; in large networks about as many.
    pub crossings: u64,
    /// Operands of all sums at all nodes that want them.
    pub operands: u64,
    /// Distances of all nodes from or to the ends of words that go from one node to one.
    pub distances: u64,
}

impl Size {
    /// The size of a problem.
    pub(super) fn of(problem: &Problem) -> Self {
        let net = Channels::of(problem);
        let longest = u64::from(net.latency.iter().copied().max().unwrap_or(1).max(1));
        let (mut crossings, mut operands, mut pairs) = (0, 0, Vec::new());
        for chunk in &problem.demand.chunks {
            operands += if chunk.from.len() > 1 { chunk.from.len() as u64 * chunk.to.len() as u64 } else { 0 };
            match (&chunk.from[..], &chunk.to[..]) {
                (&[from], &[to]) => pairs.push((from, to)),
                (from, to) => crossings += (from.len().max(1) - 1 + to.len()).max(1) as u64,
            }
        }
        let ends = |end: fn(&(NodeId, NodeId)) -> NodeId| pairs.iter().map(end).collect::<BTreeSet<NodeId>>().len();
        let ends = ends(|pair| pair.0).min(ends(|pair| pair.1));
        pairs.sort_unstable();
        let senders: Vec<&[(NodeId, NodeId)]> = pairs.chunk_by(|a, b| a.0 == b.0).collect();
        // in a large network some senders stand for all
        let looked = (EFFORT / (net.nodes() + net.src.len()).max(1)).max(1);
        let step = senders.len().div_ceil(looked).max(1);
        let hops = |of_one: &&[(NodeId, NodeId)]| {
            let far = net.distances(of_one[0].0.get());
            let hops = |&(_, to): &(NodeId, NodeId)| match far[to.index()] {
                FAR => 1,
                cycles => (u64::from(cycles) / longest).max(1),
            };
            of_one.iter().map(hops).sum::<u64>()
        };
        crossings += senders.iter().step_by(step).map(hops).sum::<u64>() * step as u64;
        let distances = ends as u64 * net.nodes() as u64;
        Self { words: problem.demand.chunks.len() as u64, crossings, operands, distances }
    }
}
