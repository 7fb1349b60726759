//! Sizes of problems, by which the steps of an algorithm are estimated beforehand.

use super::channels::{Channels, FAR};
use super::problem::Problem;

/// Most steps of an attempt. Beyond it an algorithm does not begin, before time and memory go.
pub(super) const MOST_WORK: u64 = 10_000_000_000;

/// Size of a problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    /// Number of words.
    pub words: u64,
    /// Crossings of channels, if each word goes the shortest way.
    pub crossings: u64,
    /// Operands of all sums at all nodes that want them.
    pub operands: u64,
}

impl Size {
    /// The size of a problem.
    pub(super) fn of(problem: &Problem) -> Self {
        let net = Channels::of(problem);
        let longest = u64::from(net.latency.iter().copied().max().unwrap_or(1).max(1));
        let mut far: Vec<Option<Vec<u32>>> = vec![None; net.nodes()];
        let (mut crossings, mut operands) = (0, 0);
        for chunk in &problem.demand.chunks {
            let ends = (chunk.from.len().max(1) - 1 + chunk.to.len()) as u64;
            let pairs = chunk.from.len() as u64 * chunk.to.len() as u64;
            operands += if chunk.from.len() > 1 { pairs } else { 0 };
            let hops = match (&chunk.from[..], &chunk.to[..]) {
                (&[from], &[to]) => {
                    let far = far[from.index()].get_or_insert_with(|| net.distances(from.get()));
                    let cycles = far[to.index()];
                    if cycles == FAR { 1 } else { u64::from(cycles) / longest }
                }
                _ => 1,
            };
            crossings += ends.max(hops);
        }
        Self { words: problem.demand.chunks.len() as u64, crossings, operands }
    }
}
