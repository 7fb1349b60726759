//! Shape of a problem: the fat cube that a network is, and the collective that a demand is.

use crate::schedule::general::Problem;
use crate::topology::{FatCube, Graph, Topology};
use std::collections::BTreeMap;

/// Collective.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    AllToAll,
    AllGather,
    /// Broadcast, with the source processor.
    Broadcast(u32),
    /// Scatter, with the source processor.
    Scatter(u32),
    /// Gather, with the destination processor.
    Gather(u32),
}

/// A collective on a whole fat cube.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Shape {
    pub net: FatCube,
    pub kind: Kind,
    /// Words a block.
    pub words: u32,
    /// Numbers of the chunks by (source, destination); no destination where a chunk is for all.
    chunks: BTreeMap<(u32, Option<u32>), Vec<u32>>,
}

impl Shape {
    /// The shape of a problem, if it has one.
    pub fn of(problem: &Problem) -> Option<Self> {
        let net = whole(&problem.net)?;
        let processors = net.processors();
        let mut chunks: BTreeMap<(u32, Option<u32>), Vec<u32>> = BTreeMap::new();
        for (number, chunk) in (0..).zip(&problem.demand.chunks) {
            let ([from], to) = (&chunk.from[..], &chunk.to[..]) else { return None };
            let key = match to {
                [to] if to != from => Some(to.get()),
                _ if to.len() as u32 + 1 == processors && !to.contains(from) => None,
                _ => return None,
            };
            chunks.entry((from.get(), key)).or_default().push(number);
        }
        let words = chunks.values().next()?.len();
        let alike = chunks.values().all(|own| own.len() == words);
        let (first, last) = (*chunks.keys().next()?, *chunks.keys().next_back()?);
        let to_one = |to: Option<u32>| chunks.keys().all(|key| key.1 == to);
        let count = chunks.len() as u32;
        let kind = match first.1 {
            _ if !alike => return None,
            None if count == 1 => Kind::Broadcast(first.0),
            None if count == processors && to_one(None) => Kind::AllGather,
            _ if count == processors * (processors - 1) => Kind::AllToAll,
            Some(_) if count == processors - 1 && first.0 == last.0 => Kind::Scatter(first.0),
            Some(root) if count == processors - 1 && to_one(first.1) => Kind::Gather(root),
            _ => return None,
        };
        Some(Self { net, kind, words: words as u32, chunks })
    }

    /// Chunks of a source for a destination, or for all.
    pub fn chunks(&self, from: u32, to: Option<u32>) -> &[u32] {
        self.chunks.get(&(from, to)).map_or(&[], Vec::as_slice)
    }
}

/// The fat cube that a graph is, if nothing is left out of it.
fn whole(graph: &Graph) -> Option<FatCube> {
    let processors = (0..graph.nodes()).filter(|&node| !graph.is_medium(node.into())).count();
    let routers = graph.nodes() - processors;
    if graph.name() != "fat-cube" || !routers.is_power_of_two() || processors % routers != 0 {
        return None;
    }
    let (d, m) = (routers.ilog2(), (processors / routers) as u32);
    let k = graph.ports_of(0.into()) as u32;
    let f = (graph.ports() as u32).checked_sub(m * k)? / d.max(1);
    let net = FatCube::new(d, m, f, k);
    (Graph::of(&net) == *graph).then_some(net)
}
