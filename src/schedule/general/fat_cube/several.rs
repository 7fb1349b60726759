//! Broadcast of several words: their trees overlap, so that processors send in all steps as soon as they have a word.
//!
//! In every step words go first to routers where no processor has them, then to any processor that lacks them. Each
//! word in turn gets one path; the word of the fewest copies is first. Paths are the shortest free ones, from and to
//! the processors that have the fewest words.

use super::paths::Path;
use crate::schedule::general::random::Random;
use crate::topology::FatCube;
use std::cmp::Reverse;

/// A step's send: word, source, dimensions, destination.
type Send = (usize, u32, Vec<u32>, u32);

/// Paths of one attempt, which takes fewer than `most` steps; none otherwise. `chunks` are the words of the root.
pub(super) fn attempt(net: FatCube, root: u32, chunks: &[u32], most: u32, random: &mut Random) -> Option<Vec<Path>> {
    let mut state = State::new(net, root, chunks.len());
    let mut paths = Vec::new();
    let mut step = 0;
    while state.owed > 0 {
        if step + 1 >= most {
            return None;
        }
        for (word, from, dims, to) in state.step(random) {
            paths.push(Path { step, chunk: chunks[word], from, dims, to });
        }
        step += 1;
    }
    Some(paths)
}

/// Words that processors have.
struct State {
    net: FatCube,
    /// Presence of each word, by word, then by processor.
    has: Vec<Vec<bool>>,
    /// Number of processors that have each word, by word.
    copies: Vec<u32>,
    /// Copies that are lacking.
    owed: u32,
}

/// Channels that are free in a step.
struct Free {
    net: FatCube,
    /// Number of words that each processor can still send in the step, by processor.
    sends: Vec<u32>,
    /// Number of words that each processor can still receive in the step, by processor.
    gets: Vec<u32>,
    /// Number of uses of each channel in the step, by router, then by dimension.
    along: Vec<u32>,
    /// Number of words that each processor has, by processor.
    own: Vec<u32>,
}

impl State {
    fn new(net: FatCube, root: u32, words: usize) -> Self {
        let own: Vec<bool> = (0..net.processors()).map(|processor| processor == root).collect();
        let owed = words as u32 * (net.processors() - 1);
        Self { net, has: vec![own; words], copies: vec![1; words], owed }
    }

    /// Sends of a step.
    fn step(&mut self, random: &mut Random) -> Vec<Send> {
        let processors = self.net.processors();
        let mut free = Free::new(self.net, &self.has);
        let (mut coming, mut copies, mut sends) = (self.has.clone(), self.copies.clone(), Vec::new());
        for fresh in [true, false] {
            let lacked = (0..).zip(&copies).filter(|(_, copies)| **copies < processors);
            let mut open: Vec<(u32, u64, usize)> =
                lacked.map(|(word, &copies)| (copies, random.next(), word)).collect();
            while let Some(first) = (0..open.len()).min_by_key(|&at| open[at]) {
                let (_, _, word) = open.swap_remove(first);
                let Some((from, dims, to)) = free.path(&self.has[word], &coming[word], fresh, random) else { continue };
                free.take(from, &dims, to);
                coming[word][to as usize] = true;
                copies[word] += 1;
                sends.push((word, from, dims, to));
                if copies[word] < processors {
                    open.push((copies[word], random.next(), word));
                }
            }
        }
        self.owed -= sends.len() as u32;
        (self.has, self.copies) = (coming, copies);
        sends
    }
}

impl Free {
    fn new(net: FatCube, has: &[Vec<bool>]) -> Self {
        let own = |processor: usize| has.iter().filter(|has| has[processor]).count() as u32;
        let (processors, routers) = (net.processors() as usize, net.routers() as usize);
        let (sends, gets) = (vec![net.k(); processors], vec![net.k(); processors]);
        Self {
            net,
            sends,
            gets,
            along: vec![net.f(); routers * net.d() as usize],
            own: (0..processors).map(own).collect(),
        }
    }

    /// Shortest path from a processor that has a word to one that lacks it; with `fresh`, to a router where no
    /// processor has it.
    fn path(&self, has: &[bool], coming: &[bool], fresh: bool, random: &mut Random) -> Option<(u32, Vec<u32>, u32)> {
        let (m, d, routers) = (self.net.m(), self.net.d(), self.net.routers());
        let at = |router: u32| (router * m..(router + 1) * m).map(|i| (i, i as usize));
        let source = |router: u32| {
            let able = at(router).filter(|&(_, i)| has[i] && self.sends[i] > 0);
            able.max_by_key(|&(_, i)| (self.sends[i], Reverse(self.own[i]))).map(|(source, _)| source)
        };
        let end = |router: u32| {
            if fresh && at(router).any(|(_, i)| coming[i]) {
                return None;
            }
            let able = at(router).filter(|&(_, i)| !coming[i] && self.gets[i] > 0);
            able.max_by_key(|&(_, i)| (self.gets[i], Reverse(self.own[i]))).map(|(end, _)| end)
        };
        let mut order: Vec<u32> = (0..routers).collect();
        random.shuffle(&mut order);
        let mut dims: Vec<u32> = (0..d).collect();
        random.shuffle(&mut dims);
        // by router: the dimension by which it is reached, d at a source
        let mut by: Vec<Option<u32>> = vec![None; routers as usize];
        let mut open: Vec<u32> = order.into_iter().filter(|&router| source(router).is_some()).collect();
        open.iter().for_each(|&router| by[router as usize] = Some(d));
        while !open.is_empty() {
            if let Some((at, to)) = open.iter().find_map(|&router| Some((router, end(router)?))) {
                let (mut router, mut way) = (at, Vec::new());
                while let Some(x) = by[router as usize].filter(|&x| x < d) {
                    way.push(x);
                    router ^= 1 << x;
                }
                way.reverse();
                return Some((source(router)?, way, to));
            }
            let mut next = Vec::new();
            for (router, &x) in open.iter().flat_map(|&router| dims.iter().map(move |x| (router, x))) {
                let far = router ^ 1 << x;
                if by[far as usize].is_none() && self.along[(router * d + x) as usize] > 0 {
                    by[far as usize] = Some(x);
                    next.push(far);
                }
            }
            open = next;
        }
        None
    }

    /// Takes the channels of a path.
    fn take(&mut self, from: u32, dims: &[u32], to: u32) {
        self.sends[from as usize] -= 1;
        self.gets[to as usize] -= 1;
        let mut router = from / self.net.m();
        for &x in dims {
            self.along[(router * self.net.d() + x) as usize] -= 1;
            router ^= 1 << x;
        }
    }
}
