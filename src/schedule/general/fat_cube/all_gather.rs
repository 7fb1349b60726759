//! All-gather: every router does the same, and in each step every processor gets k packets that it lacks.
//!
//! With one link a processor the packets go round a ring. Processor i sends to i + 1, and the last one of a router to
//! the first of the next router. The dimension to the next router follows a Gray code and changes every m steps.
//! Otherwise the steps are searched for: first the channels between routers, which take packets that no processor of
//! the next router has. Then the processors of a router send each other the rarest packets there, by maximum flow.

use super::local::distributed;
use super::paths::Path;
use super::search::Search;
use super::shape::Shape;
use crate::schedule::general::random::Random;
use crate::topology::FatCube;

/// Send of the processors of one number: the packet, relative to the router that receives it, and its route.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Send {
    /// Number of the processor that sends.
    from: usize,
    /// Number of the processor that receives.
    to: usize,
    /// Dimension between their routers, if they are not at one.
    dimension: Option<u32>,
    /// Class of the packet: displacement of its source from the receiving router, times m, plus its source's number.
    class: usize,
}

/// Paths of all chunks.
pub(super) fn paths(shape: &Shape, search: &mut Search) -> Option<Vec<Path>> {
    let net = shape.net;
    let steps = match net.k() {
        1 => rounds(net),
        _ => searched(net, search)?,
    };
    let mut paths = Vec::new();
    for (step, send) in (0..).zip(&steps).flat_map(|(step, sends)| sends.iter().map(move |send| (step, send))) {
        let (m, class) = (net.m(), send.class as u32);
        let by = send.dimension.map_or(0, |x| 1 << x);
        for router in 0..net.routers() {
            let source = (router ^ (class / m)) * m + class % m;
            for (word, &chunk) in (0..).zip(shape.chunks(source, None)) {
                paths.push(Path {
                    step: step * shape.words + word,
                    chunk,
                    from: (router ^ by) * m + send.from as u32,
                    dims: send.dimension.into_iter().collect(),
                    to: router * m + send.to as u32,
                });
            }
        }
    }
    Some(paths)
}

/// Packets that go round, with one link a processor.
fn rounds(net: FatCube) -> Vec<Vec<Send>> {
    let m = net.m() as usize;
    // by processor: class of the packet that it got last
    let mut last: Vec<usize> = (0..m).collect();
    let step = |t: u32| {
        // the last dimension closes the cycle
        let gray = (t / net.m() + 1).trailing_zeros().min(net.d().saturating_sub(1));
        let before = last.clone();
        let hand = |to: usize| {
            let from = (to + m - 1) % m;
            let dimension = (to == 0).then_some(gray).filter(|_| net.d() > 0);
            Send { from, to, dimension, class: dimension.map_or(before[from], |x| across(before[from], x, m)) }
        };
        let sends: Vec<Send> = (0..m).map(hand).collect();
        sends.iter().for_each(|send| last[send.to] = send.class);
        sends
    };
    (0..net.processors() - 1).map(step).collect()
}

/// Class of a packet after it has crossed a dimension.
fn across(class: usize, dimension: u32, m: usize) -> usize {
    ((class / m) ^ (1 << dimension)) * m + class % m
}

/// Choices of a step that are compared.
const VARIANTS: usize = 20;
/// Steps beyond the bound that are tried.
const FURTHER: usize = 40;

/// The fewest steps that attempts find.
fn searched(net: FatCube, search: &mut Search) -> Option<Vec<Vec<Send>>> {
    let least = (net.processors() - 1).div_ceil(net.k()) as usize;
    let attempts = search.attempts;
    (least..=least + FURTHER).find_map(|steps| {
        (0..attempts).find_map(|number| State::new(net, number % 2 == 0).attempt(steps, &mut search.random))
    })
}

/// Packets that processors have, by their number: those of all routers have the same classes.
struct State {
    net: FatCube,
    m: usize,
    k: usize,
    /// Presence of each class of packets, by processor, then by class.
    has: Vec<Vec<bool>>,
    /// Number of processors of a router that have a class, by class.
    copies: Vec<u32>,
    /// Copies that are lacking.
    missing: usize,
    /// Copies that come in the step count, too, where packets are chosen by how rare they are.
    counts_coming: bool,
}

/// A step under construction.
struct Step {
    /// Packets that each processor may still send in the step, by processor.
    sends: Vec<usize>,
    /// Packets that it may still receive.
    gets: Vec<usize>,
    /// Processor of the router that sends a class to a processor, or m if it comes from another router; by processor,
    /// then by class.
    coming: Vec<Vec<Option<usize>>>,
    made: Vec<Send>,
}

impl State {
    fn new(net: FatCube, counts_coming: bool) -> Self {
        let (m, k, classes) = (net.m() as usize, net.k() as usize, net.processors() as usize);
        let has = (0..m).map(|i| (0..classes).map(|class| class == i).collect()).collect();
        let copies = (0..classes).map(|class| u32::from(class < m)).collect();
        Self { net, m, k, has, copies, missing: m * (classes - 1), counts_coming }
    }

    /// Sends of `count` steps after which no packet is lacking. None if the attempt fails.
    fn attempt(mut self, count: usize, random: &mut Random) -> Option<Vec<Vec<Send>>> {
        let mut steps = Vec::new();
        // an attempt that has left too many channels of processors idle has failed
        while self.missing > 0 && self.missing <= (count - steps.len()) * self.m * self.k {
            // when all packets have come to every router, the remaining sends follow at once
            if !self.copies.contains(&0) {
                let lacking = |j: usize| (0..self.copies.len()).filter(|&class| !self.has[j][class]).collect();
                let lacking: Vec<Vec<usize>> = (0..self.m).map(lacking).collect();
                let rest = distributed(&self.has, &lacking, self.k, count - steps.len());
                if let Some(rest) = rest {
                    let send = |(from, to, class)| Send { from, to, dimension: None, class };
                    steps.extend(rest.into_iter().map(|sends| sends.into_iter().map(send).collect::<Vec<Send>>()));
                    return Some(steps);
                }
            }
            steps.push(self.step(random));
        }
        (self.missing == 0).then_some(steps)
    }

    /// The fullest of some steps.
    fn step(&mut self, random: &mut Random) -> Vec<Send> {
        let mut best: Vec<Send> = Vec::new();
        for _ in 0..VARIANTS {
            let made = self.planned(random);
            if made.len() > best.len() {
                best = made;
            }
            if best.len() == self.m * self.k {
                break;
            }
        }
        for send in &best {
            self.has[send.to][send.class] = true;
            self.copies[send.class] += 1;
            self.missing -= 1;
        }
        best
    }

    /// A step from here.
    fn planned(&self, random: &mut Random) -> Vec<Send> {
        let m = self.m;
        let mut step = Step {
            sends: vec![self.k; m],
            gets: vec![self.k; m],
            coming: vec![vec![None; self.copies.len()]; m],
            made: Vec::new(),
        };
        self.external(&mut step, random, true);
        self.within(&mut step, random);
        self.external(&mut step, random, false);
        let within =
            step.coming.iter().enumerate().flat_map(|(to, row)| {
                row.iter().enumerate().filter_map(move |(class, &from)| Some((to, class, from?)))
            });
        let within = within.filter(|&(_, _, from)| from < m);
        step.made.extend(within.map(|(to, class, from)| Send { from, to, dimension: None, class }));
        step.made
    }

    /// Packets between routers: of those that no processor there has, or of any.
    fn external(&self, step: &mut Step, random: &mut Random, fresh: bool) {
        let mut links: Vec<u32> = (0..self.net.d()).flat_map(|x| vec![x; self.net.f() as usize]).collect();
        let taken = |step: &Step, x: u32| step.made.iter().filter(|send| send.dimension == Some(x)).count();
        links.retain({
            let mut left: Vec<usize> = (0..self.net.d()).map(|x| self.net.f() as usize - taken(step, x)).collect();
            move |&x| {
                let free = left[x as usize] > 0;
                left[x as usize] -= usize::from(free);
                free
            }
        });
        random.shuffle(&mut links);
        for x in links {
            let arrives = |class: usize| step.coming.iter().any(|row| row[class].is_some());
            let mut best: Option<((u32, u64), Send)> = None;
            for class in 0..self.copies.len() {
                let there = across(class, x, self.m);
                if fresh && (self.copies[class] > 0 || arrives(class)) || self.copies[there] == 0 {
                    continue;
                }
                let rank = (self.copies[class], random.next());
                if best.as_ref().is_some_and(|(least, _)| *least <= rank) {
                    continue;
                }
                let from = (0..self.m).filter(|&i| step.sends[i] > 0 && self.has[i][there]);
                let lacks = |&j: &usize| step.gets[j] > 0 && !self.has[j][class] && step.coming[j][class].is_none();
                let to = (0..self.m).filter(lacks);
                let from = from.max_by_key(|&i| (step.sends[i], random.next()));
                let to = to.max_by_key(|&j| (step.gets[j], random.next()));
                if let (Some(from), Some(to)) = (from, to) {
                    best = Some((rank, Send { from, to, dimension: Some(x), class }));
                }
            }
            if let Some((_, send)) = best {
                step.sends[send.from] -= 1;
                step.gets[send.to] -= 1;
                step.coming[send.to][send.class] = Some(self.m);
                step.made.push(send);
            }
        }
    }

    /// Packets within a router, as many as can be, the rarest first.
    fn within(&self, step: &mut Step, random: &mut Random) {
        loop {
            let mut more = false;
            let mut receivers: Vec<usize> = (0..self.m).filter(|&j| step.gets[j] > 0).collect();
            random.shuffle(&mut receivers);
            receivers.sort_by_key(|&j| std::cmp::Reverse(step.gets[j]));
            for j in receivers {
                let order = self.rarest(step, random);
                if self.give(step, j, &order, &mut vec![false; self.m]) {
                    step.gets[j] -= 1;
                    more = true;
                }
            }
            if !more {
                return;
            }
        }
    }

    /// Packets that some processor of a router has and another lacks; first those of which the fewest will be there after the step.
    fn rarest(&self, step: &Step, random: &mut Random) -> Vec<usize> {
        let mut copies = self.copies.clone();
        for row in step.coming.iter().filter(|_| self.counts_coming) {
            copies.iter_mut().zip(row).for_each(|(copies, from)| *copies += u32::from(from.is_some()));
        }
        let some = |class: &usize| self.copies[*class] > 0 && (self.copies[*class] as usize) < self.m;
        let mut order: Vec<(u32, u64, usize)> =
            (0..copies.len()).filter(some).map(|class| (copies[class], random.next(), class)).collect();
        order.sort_unstable();
        order.into_iter().map(|key| key.2).collect()
    }

    /// Gives a processor one packet more, from a sender that is free or made free.
    fn give(&self, step: &mut Step, j: usize, order: &[usize], seen: &mut [bool]) -> bool {
        for &class in order {
            if self.has[j][class] || step.coming[j][class].is_some() {
                continue;
            }
            for i in (0..self.m).filter(|&i| self.has[i][class]).collect::<Vec<_>>() {
                if !seen[i] && self.freed(step, i, order, seen) {
                    step.sends[i] -= 1;
                    step.coming[j][class] = Some(i);
                    return true;
                }
            }
        }
        false
    }

    /// Makes a sender free for a packet, by taking one of its packets over to another sender.
    fn freed(&self, step: &mut Step, i: usize, order: &[usize], seen: &mut [bool]) -> bool {
        if step.sends[i] > 0 {
            return true;
        }
        seen[i] = true;
        for j in 0..self.m {
            let Some(class) = step.coming[j].iter().position(|from| *from == Some(i)) else { continue };
            step.coming[j][class] = None;
            step.sends[i] += 1;
            if self.give(step, j, order, seen) {
                return true;
            }
            step.sends[i] -= 1;
            step.coming[j][class] = Some(i);
        }
        false
    }
}
