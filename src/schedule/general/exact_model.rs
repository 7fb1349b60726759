//! Schedules of a given number of cycles as a formula: which node has which word from which cycle on, and which word enters which
//! channel when.
//!
//! - a word that enters a channel is at the node before it;
//! - a word that is at a node was there a cycle earlier, or comes over a channel at that cycle;
//! - a channel takes one word a cycle, and so do what a node sends and what it receives, where nodes use one port at a time;
//! - words come to their ends in time.
//!
//! Places that a word cannot be at so early, or from which it can go nowhere in time, have no variable. Words that are alike leave
//! their source in the order of their numbers, which excludes no number of cycles.

use super::channels::{Channels, FAR};
use super::plan::{Plan, Transfer};
use super::spread::Word;
use crate::schedule::search::{self, at_most_one, solver};
use batsat::{Lit, Solver, SolverInterface, lbool};

/// Answer of the solver.
pub(super) enum Answer {
    /// A schedule.
    Found(Plan),
    /// Proof that no schedule of this length exists.
    Refuted,
    /// The effort is used up.
    Unknown,
}

/// Earliest cycles of words at nodes, and cycles from there to the nearest end.
struct Reach {
    /// Cycles from the source to each node, by node.
    since: Vec<u32>,
    /// Cycles from each node to the nearest destination, by node.
    until: Vec<u32>,
}

impl Reach {
    fn new(net: &Channels, turned: &Channels, word: &Word) -> Self {
        let mut until = vec![FAR; net.nodes()];
        for &to in &word.to {
            until.iter_mut().zip(turned.distances(to)).for_each(|(least, far)| *least = (*least).min(far));
        }
        Self { since: net.distances(word.from), until }
    }

    /// Cycles in which the word may enter a channel, in a schedule of `cycles` cycles.
    fn entries(&self, net: &Channels, word: &Word, channel: usize, cycles: u32) -> std::ops::Range<u32> {
        let (src, dst) = (net.src[channel] as usize, net.dst[channel] as usize);
        match (self.since[src], self.until[dst]) {
            (FAR, _) | (_, FAR) => 0..0,
            _ if net.dst[channel] == word.from => 0..0,
            (since, until) => since..(cycles + 1).saturating_sub(net.latency[channel] + until).max(since),
        }
    }
}

/// Variables of one word.
struct Variables {
    reach: Reach,
    /// Literal "the word is at the node", by node and by cycle from `since` on. Empty at the source.
    there: Vec<Vec<Lit>>,
    /// Literals "the word enters the channel" by cycle, with the first such cycle; by channel.
    enters: Vec<(u32, Vec<Lit>)>,
}

/// A formula for a number of cycles.
pub(super) struct Model<'a> {
    net: &'a Channels,
    words: &'a [Word],
    cycles: u32,
    conflicts: u64,
    solver: Solver<search::Effort>,
    of: Vec<Variables>,
}

impl<'a> Model<'a> {
    /// Places in channels and cycles that words may take.
    pub fn crossings(net: &Channels, words: &[Word], cycles: u32) -> usize {
        let turned = net.reversed();
        let mut sum = 0;
        for word in words {
            let reach = Reach::new(net, &turned, word);
            sum += (0..net.count()).map(|channel| reach.entries(net, word, channel, cycles).len()).sum::<usize>();
        }
        sum
    }

    /// Formula for `cycles` cycles, on which the solver may spend `conflicts` conflicts.
    pub fn new(net: &'a Channels, words: &'a [Word], cycles: u32, conflicts: u64, seed: u64) -> Self {
        let solver = solver(conflicts, seed);
        let mut model = Self { net, words, cycles, conflicts, solver, of: Vec::new() };
        let turned = net.reversed();
        for word in words {
            let variables = model.variables(word, Reach::new(net, &turned, word));
            model.travels(word, &variables);
            model.of.push(variables);
        }
        model.shares();
        for pair in 1..words.len() {
            if words[pair - 1].from == words[pair].from && words[pair - 1].to == words[pair].to {
                model.in_order(pair - 1, pair);
            }
        }
        model
    }

    fn literal(&mut self) -> Lit {
        Lit::new(self.solver.new_var_default(), true)
    }

    fn clause(&mut self, mut literals: Vec<Lit>) {
        // a clause that cannot hold is found when the formula is solved
        self.solver.add_clause_reuse(&mut literals);
    }

    fn variables(&mut self, word: &Word, reach: Reach) -> Variables {
        let (net, cycles) = (self.net, self.cycles);
        let mut enters = Vec::with_capacity(net.count());
        for channel in 0..net.count() {
            let range = reach.entries(net, word, channel, cycles);
            enters.push((range.start, range.map(|_| self.literal()).collect()));
        }
        let mut there = Vec::with_capacity(net.nodes());
        for node in 0..net.nodes() as u32 {
            let since = reach.since[node as usize];
            let range = if node == word.from || since == FAR { 0..0 } else { since..(cycles + 1).max(since) };
            there.push(range.map(|_| self.literal()).collect());
        }
        Variables { reach, there, enters }
    }

    /// A word is where it came to, and comes to its ends.
    fn travels(&mut self, word: &Word, of: &Variables) {
        let net = self.net;
        for (channel, (first, enters)) in of.enters.iter().enumerate() {
            let node = net.src[channel] as usize;
            for (cycle, &enter) in (*first..).zip(enters).filter(|_| net.src[channel] != word.from) {
                self.clause(vec![!enter, of.there[node][(cycle - of.reach.since[node]) as usize]]);
            }
        }
        for (node, there) in of.there.iter().enumerate() {
            // words first: a node that is never reached has none, and there is no cycle after its FAR
            for (place, (&at, cycle)) in there.iter().zip(of.reach.since[node]..).enumerate() {
                let mut ways = vec![!at];
                ways.extend(place.checked_sub(1).map(|before| there[before]));
                for &channel in &net.into[node] {
                    let (first, enters) = &of.enters[channel as usize];
                    let entry = cycle.checked_sub(net.latency[channel as usize] + first);
                    ways.extend(entry.and_then(|entry| enters.get(entry as usize)));
                }
                self.clause(ways);
            }
        }
        for &to in &word.to {
            self.clause(of.there[to as usize].last().copied().into_iter().collect());
        }
    }

    /// A channel, or a node's port, is used once a cycle.
    fn shares(&mut self) {
        let (net, cycles) = (self.net, self.cycles as usize);
        let places = if net.one { 2 * net.nodes() } else { net.count() };
        let mut used: Vec<Vec<Lit>> = vec![Vec::new(); places * cycles];
        for of in &self.of {
            for (channel, (first, enters)) in of.enters.iter().enumerate() {
                for (cycle, &enter) in (*first as usize..).zip(enters) {
                    if net.one {
                        let (src, dst) = (net.src[channel] as usize, net.nodes() + net.dst[channel] as usize);
                        used[src * cycles + cycle].push(enter);
                        used[dst * cycles + cycle + net.latency[channel] as usize - 1].push(enter);
                    } else {
                        used[channel * cycles + cycle].push(enter);
                    }
                }
            }
        }
        used.iter().for_each(|choices| at_most_one(&mut self.solver, choices));
    }

    /// Adds clauses for two equal words: the second leaves the source no earlier than the first.
    fn in_order(&mut self, first: usize, second: usize) {
        let cycles = self.cycles;
        let mut before: [Option<Lit>; 2] = [None; 2];
        for cycle in 0..cycles {
            let mut left = [None; 2];
            for (side, word) in [first, second].into_iter().enumerate() {
                let out = &self.net.out[self.words[word].from as usize];
                let entered = |&channel: &u32| {
                    let (first, enters) = &self.of[word].enters[channel as usize];
                    enters.get(cycle.checked_sub(*first)? as usize).copied()
                };
                let now: Vec<Lit> = out.iter().filter_map(entered).collect();
                let has_left = self.literal();
                let earlier: Vec<Lit> = now.into_iter().chain(before[side]).collect();
                earlier.iter().for_each(|&entered| self.clause(vec![!entered, has_left]));
                self.clause(earlier.into_iter().chain([!has_left]).collect());
                left[side] = Some(has_left);
            }
            if let [Some(first), Some(second)] = left {
                self.clause(vec![!second, first]);
            }
            before = left;
        }
    }

    /// The answer, and the conflicts that it took.
    pub fn solve(mut self) -> (Answer, u64) {
        let verdict = self.solver.solve_limited(&[]);
        let used = self.solver.num_conflicts().max(1);
        if verdict == lbool::TRUE {
            (Answer::Found(self.plan()), used)
        } else if verdict == lbool::FALSE {
            (Answer::Refuted, used)
        } else {
            (Answer::Unknown, self.conflicts)
        }
    }

    /// The transfers by which words come to their ends, each to a node once.
    fn plan(&self) -> Plan {
        let mut transfers = Vec::new();
        for (word, of) in self.words.iter().zip(&self.of) {
            // by node: the earliest arrival
            let mut came: Vec<Option<(u32, u32, u32)>> = vec![None; self.net.nodes()];
            for (channel, (first, enters)) in (0..).zip(&of.enters) {
                for (cycle, &enter) in (*first..).zip(enters) {
                    if self.solver.value_lit(enter) == lbool::TRUE {
                        let end = cycle + self.net.latency[channel as usize];
                        let to = &mut came[self.net.dst[channel as usize] as usize];
                        *to = Some(to.unwrap_or((u32::MAX, 0, 0)).min((end, channel, cycle)));
                    }
                }
            }
            for &to in &word.to {
                let mut node = to;
                // what is taken leads to the source or to what was taken before
                while let Some((_, channel, cycle)) = came[node as usize].take() {
                    transfers.push(Transfer { chunk: word.chunk, channel, sum: false, cycle });
                    node = self.net.src[channel as usize];
                }
            }
        }
        Plan::new(transfers)
    }
}
