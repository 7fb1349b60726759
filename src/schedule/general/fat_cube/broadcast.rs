//! Broadcast: in a step every processor that has the packet sends it along k paths.
//!
//! The processors that are next are at the routers that have it least often; those that no more disjoint paths reach wait for a later step.
//! Several words follow one another, or overlap as [`several`](super::several) lets them, whichever takes fewer steps.

use super::disjoint::Disjoint;
use super::paths::Path;
use super::search::Search;
use super::several;
use super::shape::Shape;
use crate::schedule::general::random::Random;
use crate::topology::FatCube;

/// A send in a step: source, dimensions, destination.
type Send = (u32, Vec<u32>, u32);

/// Paths of all chunks.
pub(super) fn paths(shape: &Shape, root: u32, search: &mut Search) -> Option<Vec<Path>> {
    let net = shape.net;
    let mut least = 0;
    let mut reached = 1;
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
    let best = best?;
    let chunks = shape.chunks(root, None);
    let mut steps = best.len() as u32 * shape.words;
    let mut paths = Vec::new();
    for (step, (from, dims, to)) in (0..).zip(best).flat_map(|(step, sends)| sends.into_iter().map(move |s| (step, s)))
    {
        for (word, &chunk) in (0..).zip(chunks) {
            paths.push(Path { step: step * shape.words + word, chunk, from, dims: dims.clone(), to });
        }
    }
    // the last word leaves the root in step ⌈words/k⌉ at the earliest
    let least = (shape.words - 1) / net.k() + least as u32;
    for _ in 0..if shape.words > 1 { search.attempts } else { 0 } {
        if steps <= least {
            break;
        }
        if let Some(found) = several::attempt(net, root, chunks, steps, &mut search.random) {
            steps = found.iter().map(|path| path.step + 1).max().unwrap_or(0);
            paths = found;
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
