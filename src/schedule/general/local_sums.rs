//! Combinations without a root: nodes send each other their words, and each node that wants a sum computes it.
//!
//! A phase is words that go out at the same time, each from its node to some others. What has come to a node is combined with what it
//! has, and in the next phase the sum goes out. One phase in which all operands go to all ends is `gather-and-sum`; phases of pairs, or of
//! a few nodes each, are the [exchange](super::exchange). Sums of more operands than an operator takes are made by several, those that come
//! first first (Golumbic's rule, by which the last is over soonest).

use super::channels::Channels;
use super::plan::{Plan, Transfer};
use super::random::Random;
use super::reduce::STEPS_PER_SECOND;
use super::scheduler::Scheduler;
use super::size::Size;
use super::spread::Word;
use super::{Effort, Made, Problem, balanced, matching, reroute};
use crate::id::NodeId;
use crate::interrupt::search::part;
use crate::program::{Hop, Input, Operation, Origin, Program, Switching, Train, Who};
use std::collections::{BTreeMap, BTreeSet};

/// Words of a phase; several have one chunk.
pub(super) type Phase = Vec<Word>;

/// An algorithm by phases.
pub(super) struct LocalSums {
    /// Name in a specification.
    pub name: &'static str,
    /// The algorithm in a sentence.
    pub about: &'static str,
    /// Problems that it schedules, in words.
    pub needs: &'static str,
    /// Steps of an attempt, about.
    pub work: fn(Size) -> u64,
    /// Ways to do it, each by its phases; none where the algorithm does not apply.
    pub ways: fn(&Problem) -> Vec<Vec<Phase>>,
}

impl Scheduler for LocalSums {
    fn name(&self) -> &'static str {
        self.name
    }

    fn about(&self) -> &'static str {
        self.about
    }

    fn needs(&self) -> Option<&'static str> {
        Some(self.needs)
    }

    fn work(&self, size: Size) -> u64 {
        (self.work)(size)
    }

    fn schedule(&self, problem: &Problem, effort: &Effort) -> Option<Made> {
        if !problem.demand.chunks.iter().all(|chunk| chunk.from.len() > 1) {
            return None;
        }
        let net = Channels::of(problem);
        let mut random = Random::new(effort.seed);
        let ways = (self.ways)(problem);
        let attempts = ways.iter().filter_map(|way| made(problem, &net, self.name, way, 0, &mut random));
        let (best, first) = (0..).zip(attempts).min_by_key(|(_, made)| (made.cycles, made.program.hops.len()))?;
        let steps = u64::from(effort.time_limit_s) * STEPS_PER_SECOND;
        let searched = (steps > 0).then(|| made(problem, &net, self.name, &ways[best], steps, &mut random)).flatten();
        Some(searched.filter(|searched| searched.cycles < first.cycles).unwrap_or(first))
    }
}

/// Steps of an attempt by [`gather`], about.
pub(super) fn gather_work(size: Size) -> u64 {
    balanced::work(Size { crossings: size.operands, ..size })
}

/// One phase in which all operands of a chunk go to all its ends.
pub(super) fn gather(problem: &Problem) -> Vec<Vec<Phase>> {
    let mut phase = Vec::new();
    for (chunk, of) in (0..).zip(&problem.demand.chunks) {
        for &from in &of.from {
            let to = of.to.iter().filter(|&&node| node != from).map(|node| node.get()).collect();
            phase.push(Word { chunk, from: from.get(), to });
        }
    }
    vec![vec![phase]]
}

/// Most operands of an operator of so many cycles: a cycle for a register, and one a level of a tree.
pub(super) fn operands(operator: u32) -> usize {
    match operator {
        0 => usize::MAX,
        cycles => 1 << (cycles - 1).clamp(1, 16),
    }
}

/// Operands of the first operation of a sum of so many, so that those after it are full.
pub(super) fn first_operands(parts: usize, most: usize) -> usize {
    if parts <= most { parts } else { (parts - 2) % (most - 1) + 2 }
}

/// The schedule by some phases, within some steps; none if a node is out of reach.
fn made(
    problem: &Problem,
    net: &Channels,
    algorithm: &'static str,
    phases: &[Phase],
    steps: u64,
    random: &mut Random,
) -> Option<Made> {
    let mut writer = Writer::new(problem, net);
    let mut start = 0;
    for phase in phases {
        let words: Vec<Word> = (0..).zip(phase).map(|(chunk, word)| Word { chunk, ..word.clone() }).collect();
        let share = steps / phases.len() as u64;
        let plan = part(|| match share {
            0 => matching::spread(net, &words, 0, random).or_else(|| balanced::spread(net, &words, 0, random)),
            _ => reroute::spread(net, &words, share, random),
        })?;
        start = writer.phase(phase, &plan, start);
    }
    let cycles = writer.cycles;
    let Writer { mut program, chunk, sums, .. } = writer;
    for (number, of) in (0..).zip(&problem.demand.chunks) {
        program.results.extend(of.to.iter().filter_map(|&node| Some(sums.get(&(number, node.get()))?.0)));
    }
    Some(Made { algorithm, program, chunk, cycles })
}

/// A program under construction.
pub(super) struct Writer<'a> {
    problem: &'a Problem,
    net: &'a Channels,
    /// Program so far.
    pub program: Program,
    /// By value: its chunk.
    pub chunk: Vec<Option<u32>>,
    /// By chunk and node: the value that the node has of it, and since when.
    pub sums: BTreeMap<(u32, u32), (u32, u32)>,
    /// The first cycle at whose start all is in place.
    pub cycles: u32,
}

impl<'a> Writer<'a> {
    /// A program in which each node has its own words.
    pub fn new(problem: &'a Problem, net: &'a Channels) -> Self {
        let program = Program::new(Switching::HopByChannel(problem.latency.clone()));
        let mut writer = Self { problem, net, program, chunk: Vec::new(), sums: BTreeMap::new(), cycles: 0 };
        for (number, chunk) in (0..).zip(&problem.demand.chunks) {
            for &node in &chunk.from {
                let value = writer.value(number, node.get(), Origin::Word { first: number, stride: 0 });
                writer.sums.insert((number, node.get()), (value, 0));
            }
        }
        writer
    }

    /// A value of a chunk at a node.
    pub fn value(&mut self, chunk: u32, node: u32, origin: Origin) -> u32 {
        self.chunk.push(Some(chunk));
        self.program.value(Who::One(NodeId::new(node)), 1, origin)
    }

    /// Writes a phase that starts in a cycle; the cycle from which on all its sums can leave.
    fn phase(&mut self, words: &[Word], plan: &Plan, start: u32) -> u32 {
        // by chunk and node: what has come, and when
        let mut came: BTreeMap<(u32, u32), Vec<(u32, Input)>> = BTreeMap::new();
        for transfers in plan.transfers.chunk_by(|a, b| a.chunk == b.chunk) {
            let word = &words[transfers[0].chunk as usize];
            let Some(&(value, ready)) = self.sums.get(&(word.chunk, word.from)) else { continue };
            let (tree, arrivals) = self.tree(word, transfers, (start, ready));
            let from = Who::One(NodeId::new(word.from));
            let first = self.program.send(value, from, (ready, Train::STEADY), tree);
            for (hop, node, at) in arrivals {
                came.entry((word.chunk, node)).or_default().push((at, Input::Arrived(first + hop)));
            }
        }
        let mut next = start;
        for ((chunk, node), mut parts) in came {
            parts.extend(self.sums.get(&(chunk, node)).map(|&(value, ready)| (ready, Input::Own(value))));
            let sum = self.sum(chunk, node, parts);
            next = next.max(sum.1);
            self.sums.insert((chunk, node), sum);
        }
        next
    }

    /// The tree of a word that is ready in a cycle, in a phase that starts in another; hop, node and cycle of each arrival where it is
    /// wanted.
    pub fn tree(
        &mut self,
        word: &Word,
        transfers: &[Transfer],
        (start, ready): (u32, u32),
    ) -> (Vec<Hop>, Vec<(u32, u32, u32)>) {
        let wanted: BTreeSet<u32> = word.to.iter().copied().collect();
        let mut transfers = transfers.to_vec();
        transfers.sort_by_key(|transfer| transfer.cycle);
        let mut at = BTreeMap::from([(word.from, (None, ready))]);
        let (mut tree, mut arrivals) = (Vec::with_capacity(transfers.len()), Vec::new());
        for transfer in transfers {
            let channel = transfer.channel as usize;
            let (from, to) = (self.net.src[channel], self.net.dst[channel]);
            let Some(&(parent, since)) = at.get(&from) else { continue };
            let (hop, cycle) = (tree.len() as u32, start + transfer.cycle);
            let keep = wanted.contains(&to);
            tree.push(Hop { parent, port: self.net.port[channel], wait: cycle - since, keep });
            let there = cycle + self.net.latency[channel];
            at.insert(to, (Some(hop), there));
            self.cycles = self.cycles.max(there);
            if keep {
                arrivals.push((hop, to, there));
            }
        }
        (tree, arrivals)
    }

    /// The sum of parts at a node, each with the cycle in which it is there: its value, and the cycle from which on it can leave.
    pub fn sum(&mut self, chunk: u32, node: u32, mut parts: Vec<(u32, Input)>) -> (u32, u32) {
        let most = operands(self.problem.operator);
        loop {
            parts.sort_by_key(|part| part.0); // stable: in one cycle, in the order of words
            let count = first_operands(parts.len(), most);
            let at = parts[count - 1].0;
            let out = self.value(chunk, node, Origin::Made);
            let when = (at, Train::STEADY, self.problem.operator);
            let who = Who::One(NodeId::new(node));
            self.program.operate((who, out), when, Operation::Combine, parts.drain(..count).map(|part| part.1));
            self.cycles = self.cycles.max(at);
            let ready = at + self.problem.operator;
            if parts.is_empty() {
                return (out, ready);
            }
            parts.push((ready, Input::Own(out)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_operator_takes_as_many_operands_as_its_tree() {
        assert_eq!([2, 3, 4].map(operands), [2, 4, 8]);
        assert_eq!(operands(0), usize::MAX);
    }
}
