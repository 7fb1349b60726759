//! All-gather and broadcast, cycle by cycle: the channels into a node share out the words that most of its neighbours lack, after TACOS
//! (Won et al., MICRO 2024).
//!
//! In every cycle each node in turn takes as many new words over its channels as it can. Among all such choices it
//! takes the one of the largest weight. The weight of a word is the number of neighbours of the next node that lack it;
//! of equal weights the rarest word goes first. A channel into a group of nodes thus brings what is new to the whole
//! group. Words have weights and channels none, so taking words in the order of their weights, each by an augmenting
//! path, finds the choice (a transversal matroid).

use super::calendar::Calendar;
use super::channels::Channels;
use super::plan::{Plan, Transfer};
use super::random::Random;
use super::size::Size;
use super::spread::{Word, least};
use crate::interrupt::search::{found, is_over};
use std::collections::BinaryHeap;

/// Set of words, a bit each.
type Set = Vec<u64>;

/// Word that can come to a node: weight and index.
type Candidate = (u64, u32);

/// Channel that takes no word.
const FREE: u32 = u32::MAX;

/// A run of the algorithm.
struct Run<'a> {
    net: &'a Channels,
    words: &'a [Word],
    /// Words that are at each node, by node.
    has: Vec<Set>,
    /// Words at each node or on a channel to it, by node.
    gets: Vec<Set>,
    /// Number of words that each node lacks, by node.
    lacks: Vec<u32>,
    /// Number of a node's channels whose far ends neither have the word nor will get it; by node, then by word.
    needs: Vec<u32>,
    /// Number of nodes that have or will get each word, by word.
    copies: Vec<u32>,
    /// Words that arrive and their nodes, by cycle.
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
        let cost = run.len() as u64 * cost_a_word(words.len() as u64);
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

/// Steps of an attempt, about.
pub(super) fn work(size: Size) -> u64 {
    size.crossings * cost_a_word(size.words)
}

/// Steps that a crossing of a channel takes with `words` words.
fn cost_a_word(words: u64) -> u64 {
    words / 16 + 4
}

fn has(set: &[u64], word: usize) -> bool {
    set[word / 64] >> (word % 64) & 1 == 1
}

fn add(set: &mut [u64], word: usize) {
    set[word / 64] |= 1 << (word % 64);
}

impl<'a> Run<'a> {
    fn new(net: &'a Channels, words: &'a [Word]) -> Self {
        let mut held = vec![vec![0; words.len().div_ceil(64)]; net.nodes()];
        let mut lacks = vec![words.len() as u32; net.nodes()];
        let mut needs: Vec<u32> = net.out.iter().flat_map(|out| vec![out.len() as u32; words.len()]).collect();
        for (index, word) in words.iter().enumerate() {
            add(&mut held[word.from as usize], index);
            lacks[word.from as usize] -= 1;
            for &channel in &net.into[word.from as usize] {
                needs[net.src[channel as usize] as usize * words.len() + index] -= 1;
            }
        }
        Self {
            net,
            words,
            gets: held.clone(),
            has: held,
            lacks,
            needs,
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

    /// Chooses the words that arrive at a node over its channels in a cycle.
    fn take(&mut self, node: u32, now: u32, random: &mut Random) {
        if self.lacks[node as usize] == 0 {
            return;
        }
        let mut channels = self.net.into[node as usize].clone();
        channels.retain(|&channel| self.calendar.free(self.net, channel, now) == now);
        random.shuffle(&mut channels);
        let most = if self.net.one { channels.len().min(1) } else { channels.len() };
        let mut candidates = self.candidates(node, &channels, random);
        let mut taken = vec![FREE; channels.len()];
        let (mut seen, mut count) = (vec![false; channels.len()], 0);
        while count < most
            && let Some((_, word)) = candidates.pop()
        {
            if self.add(word, &channels, &mut taken, &mut seen) {
                count += 1;
                seen.fill(false);
            }
        }
        for (&channel, &word) in channels.iter().zip(&taken).filter(|(_, word)| **word != FREE) {
            self.book(node, word as usize);
            self.calendar.take(self.net, channel, now);
            let there = (now + self.net.latency[channel as usize]) as usize;
            if self.arrive.len() <= there {
                self.arrive.resize(there + 1, Vec::new());
            }
            self.arrive[there].push((node, word));
            let chunk = self.words[word as usize].chunk;
            self.transfers.push(Transfer { chunk, channel, sum: false, cycle: now });
        }
    }

    /// The words that these channels can bring to a node.
    fn candidates(&self, node: u32, channels: &[u32], random: &mut Random) -> BinaryHeap<Candidate> {
        let mut found = Vec::new();
        for (block, &here) in self.gets[node as usize].iter().enumerate() {
            let there = channels.iter().map(|&channel| self.has[self.net.src[channel as usize] as usize][block]);
            let mut left = there.fold(0, |all, set| all | set) & !here;
            while left != 0 {
                let word = block * 64 + left.trailing_zeros() as usize;
                left &= left - 1;
                let needs = u64::from(self.needs[node as usize * self.words.len() + word]);
                let rare = u64::from(u32::MAX - self.copies[word]);
                found.push((needs << 44 | (rare & 0xff_ffff) << 20 | random.next() & 0xf_ffff, word as u32));
            }
        }
        BinaryHeap::from(found)
    }

    /// Adds a word to those that are taken, over a channel that is free or by moving others to other channels.
    fn add(&self, word: u32, channels: &[u32], taken: &mut [u32], seen: &mut [bool]) -> bool {
        let brings = |row: usize| has(&self.has[self.net.src[channels[row] as usize] as usize], word as usize);
        if let Some(row) = (0..channels.len()).find(|&row| taken[row] == FREE && brings(row)) {
            taken[row] = word;
            return true;
        }
        for row in 0..channels.len() {
            if !seen[row] && brings(row) {
                seen[row] = true;
                if self.add(taken[row], channels, taken, seen) {
                    taken[row] = word;
                    return true;
                }
            }
        }
        false
    }

    /// Records that a node will have a word.
    fn book(&mut self, node: u32, word: usize) {
        add(&mut self.gets[node as usize], word);
        self.lacks[node as usize] -= 1;
        self.copies[word] += 1;
        for &channel in &self.net.into[node as usize] {
            self.needs[self.net.src[channel as usize] as usize * self.words.len() + word] -= 1;
        }
    }
}
