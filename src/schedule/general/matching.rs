//! All-gather and broadcast, cycle by cycle: each channel takes the rarest word that its far end lacks, after TACOS
//! (Won et al., MICRO 2024).

use super::calendar::Calendar;
use super::channels::Channels;
use super::plan::{Plan, Transfer};
use super::random::Random;
use super::spread::{Word, least};
use crate::interrupt::search::{found, is_over};

/// Set of words, a bit each.
type Set = Vec<u64>;

/// A run of the algorithm.
struct Run<'a> {
    net: &'a Channels,
    words: &'a [Word],
    /// By node: words that are there.
    has: Vec<Set>,
    /// By node: words that are there or on a channel to it.
    gets: Vec<Set>,
    /// By node: number of words that it lacks.
    lacks: Vec<u32>,
    /// By word: nodes that have or get it.
    copies: Vec<u32>,
    /// By cycle: words that arrive, and where.
    arrive: Vec<Vec<(u32, u32)>>,
    calendar: Calendar,
    transfers: Vec<Transfer>,
}

/// The shortest of the schedules that fit the effort; none if some word is not for all nodes, or cannot come to all.
pub(super) fn spread(net: &Channels, words: &[Word], mut steps: u64, random: &mut Random) -> Option<Plan> {
    let all = |word: &Word| word.to.len() + 1 == net.nodes();
    let least = least(net, words).filter(|_| words.iter().all(all))?;
    let mut best: Option<(u32, Plan)> = None;
    loop {
        let run = Run::new(net, words).follow(random)?;
        let cost = (run.len() * (words.len() / 16 + 4)) as u64;
        let plan = Plan::new(run);
        let cycles = plan.cycles(net);
        if best.as_ref().is_none_or(|best| cycles < best.0) {
            found(cycles);
            best = Some((cycles, plan));
        }
        steps = steps.saturating_sub(cost);
        if steps == 0 || is_over() || best.as_ref().is_some_and(|best| best.0 <= least) {
            return best.map(|best| best.1);
        }
    }
}

fn has(set: &[u64], word: usize) -> bool {
    set[word / 64] >> (word % 64) & 1 == 1
}

fn add(set: &mut [u64], word: usize) {
    set[word / 64] |= 1 << (word % 64);
}

impl<'a> Run<'a> {
    fn new(net: &'a Channels, words: &'a [Word]) -> Self {
        let empty = vec![vec![0; words.len().div_ceil(64)]; net.nodes()];
        let mut lacks = vec![words.len() as u32; net.nodes()];
        let mut held = empty;
        for (index, word) in words.iter().enumerate() {
            add(&mut held[word.from as usize], index);
            lacks[word.from as usize] -= 1;
        }
        Self {
            net,
            words,
            gets: held.clone(),
            has: held,
            lacks,
            copies: vec![1; words.len()],
            arrive: Vec::new(),
            calendar: Calendar::new(net),
            transfers: Vec::new(),
        }
    }

    /// All transfers; none if some word cannot come to all nodes.
    fn follow(mut self, random: &mut Random) -> Option<Vec<Transfer>> {
        let mut now = 0;
        let mut nodes: Vec<u32> = (0..self.net.nodes() as u32).collect();
        while self.lacks.iter().any(|&lacks| lacks > 0) {
            for (node, word) in self.arrive.get_mut(now).map(std::mem::take).unwrap_or_default() {
                add(&mut self.has[node as usize], word as usize);
            }
            random.shuffle(&mut nodes);
            // nodes with most to take over a channel choose first
            let behind = |node: u32| {
                let channels = self.net.into[node as usize].len().max(1) as u64;
                std::cmp::Reverse(u64::from(self.lacks[node as usize]) * 64 / channels)
            };
            nodes.sort_by_key(|&node| behind(node));
            let sent = self.transfers.len();
            for &node in &nodes {
                self.take(node, now as u32, random);
            }
            now += 1;
            if self.transfers.len() == sent && now >= self.arrive.len() {
                return None;
            }
        }
        Some(self.transfers)
    }

    /// Chooses what comes to a node over its channels in a cycle.
    fn take(&mut self, node: u32, now: u32, random: &mut Random) {
        if self.lacks[node as usize] == 0 {
            return;
        }
        let mut channels = self.net.into[node as usize].clone();
        random.shuffle(&mut channels);
        let mut taken: Vec<(u32, usize)> = Vec::with_capacity(channels.len());
        for &channel in &channels {
            if self.net.one && self.calendar.free(self.net, channel, now) != now {
                continue;
            }
            match self.rarest(node, channel, random) {
                Some(word) => taken.push((channel, word)),
                None => {
                    // another channel's word may come by this one, if that other channel has one more to bring
                    let from = self.net.src[channel as usize] as usize;
                    for choice in 0..taken.len() {
                        let (other, word) = taken[choice];
                        if !has(&self.has[from], word) {
                            continue;
                        }
                        if let Some(more) = self.rarest(node, other, random) {
                            self.book(node, more);
                            taken[choice] = (other, more);
                            taken.push((channel, word));
                            if self.net.one {
                                self.calendar.take(self.net, channel, now);
                            }
                            break;
                        }
                    }
                    continue;
                }
            }
            if let Some(&(_, word)) = taken.last() {
                self.book(node, word);
            }
            if self.net.one {
                self.calendar.take(self.net, channel, now);
            }
        }
        for (channel, word) in taken {
            let there = (now + self.net.latency[channel as usize]) as usize;
            if self.arrive.len() <= there {
                self.arrive.resize(there + 1, Vec::new());
            }
            self.arrive[there].push((node, word as u32));
            let chunk = self.words[word].chunk;
            self.transfers.push(Transfer { chunk, channel, sum: false, cycle: now });
        }
    }

    /// Notes that a node gets a word.
    fn book(&mut self, node: u32, word: usize) {
        add(&mut self.gets[node as usize], word);
        self.lacks[node as usize] -= 1;
        self.copies[word] += 1;
    }

    /// The rarest word that a channel can bring to a node.
    fn rarest(&self, node: u32, channel: u32, random: &mut Random) -> Option<usize> {
        let from = self.net.src[channel as usize] as usize;
        let (mut best, mut copies, mut ties) = (None, u32::MAX, 0);
        for (block, (&there, &here)) in self.has[from].iter().zip(&self.gets[node as usize]).enumerate() {
            let mut left = there & !here;
            while left != 0 {
                let word = block * 64 + left.trailing_zeros() as usize;
                left &= left - 1;
                if self.copies[word] < copies {
                    (best, copies, ties) = (Some(word), self.copies[word], 1);
                } else if self.copies[word] == copies {
                    ties += 1;
                    if random.below(ties) == 0 {
                        best = Some(word);
                    }
                }
            }
        }
        best
    }
}
