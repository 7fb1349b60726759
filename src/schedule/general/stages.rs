//! Sums for one node, in stages. Nodes send their words to the nearest of a few centres, these send to the nearest of
//! fewer centres, and so on to the node that wants the sum.
//!
//! A tree in which every node combines its inputs pays the operator's cycles at each level. One node that takes all
//! operands pays a cycle for each input. Stages lie between these two. The nodes of a stage are far apart: each is
//! chosen as the farthest from those before (Gonzalez's rule).

use super::Problem;
use super::channels::{Channels, FAR};
use super::local_sums::Phase;
use super::spread::Word;
use crate::collective::demand::Chunk;

/// Most operands of all sums.
const MOST: usize = 1 << 15;

/// Ways in stages: by the phases of each.
pub(super) fn ways(problem: &Problem) -> Vec<Vec<Phase>> {
    let chunks = &problem.demand.chunks;
    let operands: usize = chunks.iter().map(|chunk| chunk.from.len()).sum();
    let root = |chunk: &Chunk| <[_; 1]>::try_from(&chunk.to[..]).ok();
    if operands > MOST || chunks.iter().any(|chunk| root(chunk).is_none() || root(chunk) != root(&chunks[0])) {
        return Vec::new();
    }
    let net = Channels::of(problem);
    let turned = net.reversed();
    let nodes = chunks.iter().map(|chunk| chunk.from.len()).max().unwrap_or(0);
    let cuts = cuts(nodes, net.into.iter().map(Vec::len).max().unwrap_or(1));
    let most = cuts.iter().flatten().copied().max().unwrap_or(0);
    let centres = |chunk: &Chunk| Centres::new(&turned, chunk, most);
    let Some(centres) = chunks.iter().map(centres).collect::<Option<Vec<Centres>>>() else { return Vec::new() };
    let way = |cut: &Vec<usize>| {
        let mut phases = vec![Phase::new(); cut.len() + 1];
        for (number, (chunk, centres)) in (0..).zip(chunks.iter().zip(&centres)) {
            let mut from: Vec<u32> = chunk.from.iter().map(|node| node.get()).collect();
            for (phase, &count) in phases.iter_mut().zip(cut.iter().chain([&1])) {
                let sends = centres.nearest(&net, &from, count);
                phase.extend(sends.into_iter().map(|(from, to)| Word { chunk: number, from, to: vec![to] }));
                from = centres.nodes[..count.min(centres.nodes.len())].to_vec();
            }
        }
        phases
    };
    cuts.iter().map(way).collect()
}

/// Numbers of nodes of each stage but the last, descending, in several ways, for `nodes` nodes of `inputs` inputs.
fn cuts(nodes: usize, inputs: usize) -> Vec<Vec<usize>> {
    let power = |part: f64| (nodes as f64).powf(part).round() as usize;
    let whole = inputs + 1;
    let mut all: Vec<Vec<usize>> = vec![
        vec![power(1.0 / 2.0)],
        vec![power(1.0 / 3.0)],
        vec![power(2.0 / 3.0)],
        vec![nodes / whole],
        vec![nodes.div_ceil(2 * inputs + 1)],
        vec![power(2.0 / 3.0), power(1.0 / 3.0)],
        vec![nodes / whole, nodes / (whole * whole)],
        vec![power(3.0 / 4.0), power(1.0 / 2.0), power(1.0 / 4.0)],
    ];
    let falls = |cut: &Vec<usize>| {
        cut.first().is_some_and(|&first| first < nodes)
            && cut.windows(2).all(|pair| pair[0] > pair[1])
            && cut.last().is_some_and(|&last| last > 1)
    };
    all.retain(falls);
    all.sort();
    all.dedup();
    all
}

/// Nodes that collect the operands of a chunk.
struct Centres {
    /// The node that wants the sum, then the others.
    nodes: Vec<u32>,
    /// Cycles from each node to a centre, by centre, then by node.
    distances: Vec<Vec<u32>>,
}

impl Centres {
    /// Centres for a chunk, `count` of them, on the reversed channels. None if the chunk's destination cannot be
    /// reached from one of its operands.
    fn new(turned: &Channels, chunk: &Chunk, count: usize) -> Option<Self> {
        let mut nodes = vec![chunk.to[0].get()];
        let mut distances = vec![turned.distances(nodes[0])];
        let mut nearest = distances[0].clone();
        let far = |nearest: &[u32]| {
            let others = chunk.from.iter().map(|node| node.get());
            others.max_by_key(|&node| (nearest[node as usize], std::cmp::Reverse(node)))
        };
        let farthest = far(&nearest).map_or(0, |node| nearest[node as usize]);
        if farthest == FAR {
            return None;
        }
        while nodes.len() < count
            && let Some(node) = far(&nearest).filter(|&node| nearest[node as usize] > 0)
        {
            let cycles = turned.distances(node);
            nearest.iter_mut().zip(&cycles).for_each(|(nearest, &cycles)| *nearest = cycles.min(*nearest));
            nodes.push(node);
            distances.push(cycles);
        }
        Some(Self { nodes, distances })
    }

    /// Centre to which each of the nodes `from` sends, one of the first `count`: near, and with inputs to spare. Pairs
    /// (node, centre).
    fn nearest(&self, net: &Channels, from: &[u32], count: usize) -> Vec<(u32, u32)> {
        let count = count.min(self.nodes.len());
        let mut taken = vec![0_u32; count];
        let senders = from.iter().copied().filter(|node| !self.nodes[..count].contains(node));
        let send = |node: u32| {
            let cost = |centre: usize| {
                let inputs = net.into[self.nodes[centre] as usize].len().max(1) as u32;
                let cycles = self.distances[centre][node as usize];
                (cycles.max((taken[centre] + 1).div_ceil(if net.one { 1 } else { inputs })), cycles)
            };
            let centre = (0..count).min_by_key(|&centre| cost(centre)).unwrap_or(0);
            taken[centre] += 1;
            (node, self.nodes[centre])
        };
        senders.map(send).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages_fall_from_all_nodes_to_one() {
        assert_eq!(cuts(2, 1), Vec::<Vec<usize>>::new());
        for (nodes, inputs) in [(4, 2), (30, 1), (128, 6), (1000, 4)] {
            let cuts = cuts(nodes, inputs);
            assert!(!cuts.is_empty());
            for cut in cuts {
                assert!(cut[0] < nodes && cut.is_sorted_by(|a, b| a > b) && cut[cut.len() - 1] > 1, "{cut:?}");
            }
        }
    }
}
