//! Steps that no schedule of circuits goes below, so that a search can end.

use super::Problem;
use crate::id::NodeId;
use crate::topology::{Graph, Topology};
use std::collections::{HashMap, HashSet, VecDeque};

/// Lower bound on the steps of circuits: by the channels of processors, by those between media, and by the copies that
/// a step makes. 0 if nothing is to be sent.
pub(super) fn least(problem: &Problem) -> u32 {
    by_processors(problem).max(by_links(problem)).max(by_copies(problem)).max(by_deliveries(problem))
}

fn channels(net: &Graph, node: usize) -> usize {
    net.ports_of(node.into()).max(1)
}

/// Lower bound by the words that a processor sends and receives over its channels.
fn by_processors(problem: &Problem) -> u32 {
    let net = &problem.net;
    let mut words = vec![[0_usize; 2]; net.nodes()];
    for chunk in &problem.demand.chunks {
        words[chunk.from[0].index()][0] += usize::from(!chunk.to.is_empty());
        chunk.to.iter().for_each(|to| words[to.index()][1] += 1);
    }
    let steps = |node: usize| words[node].map(|words| words.div_ceil(channels(net, node)));
    (0..net.nodes()).flat_map(steps).max().unwrap_or(0) as u32
}

/// Channels between media that all chunks cross together: as many as lead to the farthest medium, and one a medium.
fn by_links(problem: &Problem) -> u32 {
    let net = &problem.net;
    let next = |node: usize| (0..net.ports_of(node.into())).map(move |port| net.neighbour(node.into(), port).index());
    let is_medium = |node: usize| net.is_medium(node.into());
    let links: usize = (0..net.nodes())
        .filter(|&node| is_medium(node))
        .map(|node| next(node).filter(|&end| is_medium(end)).count())
        .sum();
    // by processor: media to which it leads, and that lead to it
    let mut beside = vec![HashSet::new(); net.nodes()];
    for (node, end) in (0..net.nodes()).flat_map(|node| next(node).map(move |end| (node, end))) {
        beside[node].insert(end);
        beside[end].insert(node);
    }
    let home = |node: NodeId| beside[node.index()].iter().next().copied().unwrap_or(node.index());
    if links == 0 || (0..net.nodes()).any(|node| !is_medium(node) && beside[node].len() > 1) {
        return 0;
    }
    let distances = |from: usize| {
        let mut far = vec![None; net.nodes()];
        far[from] = Some(0_usize);
        let mut open = VecDeque::from([(from, 0)]);
        while let Some((node, length)) = open.pop_front() {
            for end in next(node).filter(|&end| is_medium(end)) {
                if far[end].is_none() {
                    far[end] = Some(length + 1);
                    open.push_back((end, length + 1));
                }
            }
        }
        far
    };
    let mut known: HashMap<usize, Vec<Option<usize>>> = HashMap::new();
    let mut crossed = 0;
    for chunk in &problem.demand.chunks {
        let from = home(chunk.from[0]);
        let far = known.entry(from).or_insert_with(|| distances(from));
        let mut wanted: Vec<usize> = chunk.to.iter().map(|&to| home(to)).filter(|&medium| medium != from).collect();
        wanted.sort_unstable();
        wanted.dedup();
        crossed += wanted.iter().filter_map(|&medium| far[medium]).max().unwrap_or(0).max(wanted.len());
    }
    crossed.div_ceil(links) as u32
}

/// Copies of a word, of which a step makes k + 1 of one. Of j words of a processor one does not leave it before step ⌈j/k⌉.
fn by_copies(problem: &Problem) -> u32 {
    let net = &problem.net;
    let most = (0..net.nodes()).filter(|&node| !net.is_medium(node.into())).map(|node| channels(net, node)).max();
    let growth = most.unwrap_or(1) + 1;
    // by source: copies of its words
    let mut copies: HashMap<usize, Vec<usize>> = HashMap::new();
    for chunk in problem.demand.chunks.iter().filter(|chunk| chunk.from.len() == 1) {
        copies
            .entry(chunk.from[0].index())
            .or_default()
            .push(1 + chunk.to.iter().filter(|&&to| to != chunk.from[0]).count());
    }
    let mut steps = 0;
    for (source, mut copies) in copies {
        copies.sort_unstable_by(|a, b| b.cmp(a));
        for (before, copies) in copies.into_iter().enumerate().filter(|&(_, copies)| copies > 1) {
            let (mut own, mut reached) = (before / channels(net, source), 1);
            while reached < copies {
                (own, reached) = (own + 1, reached * growth);
            }
            steps = steps.max(own);
        }
    }
    steps as u32
}

/// Deliveries of all words, by processors that have a word: each makes k others have one in a step.
fn by_deliveries(problem: &Problem) -> u32 {
    let net = &problem.net;
    let (mut sources, mut ends): (HashSet<usize>, HashSet<usize>) = Default::default();
    let mut owed = 0;
    for chunk in &problem.demand.chunks {
        sources.extend(chunk.from.iter().map(|from| from.index()));
        ends.extend(chunk.to.iter().filter(|to| !chunk.from.contains(to)).map(|to| to.index()));
        owed += chunk.to.iter().filter(|to| !chunk.from.contains(to)).count();
    }
    let k = sources.iter().chain(&ends).map(|&node| channels(net, node)).max().unwrap_or(1);
    let into: usize = ends.iter().map(|&node| channels(net, node)).sum();
    let (mut steps, mut there) = (0, sources.len());
    while owed > 0 && there > 0 && into > 0 {
        let made = (there * k).min(into);
        owed = owed.saturating_sub(made);
        (steps, there) = (steps + 1, (there + made).min(net.nodes()));
    }
    steps
}
