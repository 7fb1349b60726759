//! Broadcast: in a step every processor that has the packet sends it along k paths.
//!
//! The processors that are next are at the routers that have it least often; those that no more disjoint paths reach wait for a later step.

use super::disjoint::Disjoint;
use super::paths::Path;
use super::search::Search;
use super::shape::Shape;
use crate::schedule::general::random::Random;
use crate::topology::FatCube;

/// A send in a step: source, dimensions, destination.
type Send = (u32, Vec<u32>, u32);

/// Paths of all chunks: each step once for each word.
pub(super) fn paths(shape: &Shape, root: u32, search: &mut Search) -> Option<Vec<Path>> {
    let net = shape.net;
    let (mut least, mut reached) = (0, 1);
    while reached < net.processors() {
        (least, reached) = (least + 1, reached * (net.k() + 1));
    }
    let attempts = (0..search.attempts.saturating_mul(10)).map(|_| attempt(net, root, &mut search.random));
    let mut best: Option<Vec<Vec<Send>>> = None;
    for steps in attempts {
        if best.as_ref().is_none_or(|best| steps.len() < best.len()) {
            best = Some(steps);
        }
        if best.as_ref().is_some_and(|best| best.len() <= least) {
            break;
        }
    }
    let mut paths = Vec::new();
    for (step, (from, dims, to)) in (0..).zip(best?).flat_map(|(step, sends)| sends.into_iter().map(move |s| (step, s)))
    {
        for (word, &chunk) in (0..).zip(shape.chunks(root, None)) {
            paths.push(Path { step: step * shape.words + word, chunk, from, dims: dims.clone(), to });
        }
    }
    Some(paths)
}

fn attempt(net: FatCube, root: u32, random: &mut Random) -> Vec<Vec<Send>> {
    let (m, routers) = (net.m(), net.routers() as usize);
    let mut has: Vec<bool> = (0..net.processors()).map(|processor| processor == root).collect();
    let mut steps = Vec::new();
    while has.contains(&false) {
        let mut copies = vec![0; routers];
        (0..)
            .zip(&has)
            .filter(|(_, has)| **has)
            .for_each(|(processor, _): (u32, _)| copies[(processor / m) as usize] += 1);
        let mut disjoint = Disjoint::new(net, copies.iter().map(|copies| copies * net.k()).collect());
        let mut open: Vec<(u32, u64, u32)> = (0..)
            .zip(&copies)
            .filter(|(_, copies)| **copies < m)
            .map(|(r, &copies)| (copies, random.next(), r))
            .collect();
        while let Some(&least) = open.iter().min() {
            open.retain(|&other| other != least);
            let (copies, _, router) = least;
            if disjoint.add(router, usize::MAX) && copies + 1 < m {
                open.push((copies + 1, random.next(), router));
            }
        }
        let (mut sends, mut next) = (Vec::new(), has.clone());
        let mut left: Vec<u32> = has.iter().map(|&has| if has { net.k() } else { 0 }).collect();
        for (start, dims, end) in disjoint.paths() {
            let from = (start * m..(start + 1) * m).find(|&from| left[from as usize] > 0);
            let to = (end * m..(end + 1) * m).find(|&to| !next[to as usize]);
            let (Some(from), Some(to)) = (from, to) else { continue };
            left[from as usize] -= 1;
            next[to as usize] = true;
            sends.push((from, dims, to));
        }
        has = next;
        steps.push(sends);
    }
    steps
}
