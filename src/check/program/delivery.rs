//! Delivery: each word comes to each node that is owed it, once, and the results are those of the collective.

use super::fault::ProgramFault;
use super::law::RouteLaw;
use super::run::{Operand, Tokens};
use super::table::Table;
use crate::collective::Operator;
use crate::collective::demand::Demand;
use crate::collective::{Collective, Dtype, Item, Words};
use crate::hash::scrambled;
use crate::id::NodeId;
use crate::program::timing::{end, ports};
use crate::program::{Operation, Origin, Program};
use crate::topology::Topology;
use std::collections::{BTreeMap, HashMap};

/// Nodes to which the words of a value are owed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum To {
    /// All nodes except the source.
    All,
    /// One node.
    One(NodeId),
    /// Empty set of nodes.
    Nobody,
}

/// Goal of a program: the words that nodes are to have in the end.
pub enum Goal<'a> {
    /// Nodes that must receive copies of a value's words, each once; by value and node that has it from the beginning.
    Copies(&'a (dyn Fn(u32, NodeId) -> To + 'a)),
    /// A message from every node to every node, itself included, by the same paths from all of them.
    Everyone(&'a RouteLaw),
    /// The chunks of a demand, by value of the program; of a value without one, the chunk of the two ends.
    Demand(&'a Demand, &'a [Option<u32>]),
    /// The result of a collective for random words of a seed.
    Arrays(&'a dyn Collective, u64),
    /// Open goal: the caller checks the words itself.
    Open,
}

/// Copies of one batch that nodes keep.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Kept {
    /// Copies at nodes other than the one that sent them.
    pub arrivals: u64,
    /// Copies at the node that sent them.
    pub returns: u64,
}

impl<T: Topology + ?Sized> Table<'_, T> {
    /// Hops whose words are kept at their ends.
    fn kept(&self) -> impl Iterator<Item = u32> {
        (0..self.program.hops.len() as u32).filter(|&hop| self.program.hops[hop as usize].keep)
    }

    /// Copies that are kept of one batch: value, node that sends it, node that keeps it; sorted.
    fn copies(&self) -> Vec<(u32, NodeId, NodeId)> {
        let mut all: Vec<(u32, NodeId, NodeId)> = Vec::new();
        for hop in self.kept() {
            let value = self.of(hop).value;
            if self.alike {
                let path = ports(self.program, hop);
                all.extend(
                    (0..self.net.nodes()).map(NodeId::from).map(|from| (value, from, end(self.net, from, &path))),
                );
            } else {
                all.push((value, self.origin(hop), self.to[hop as usize]));
            }
        }
        all.sort_unstable();
        all
    }

    /// Checks that every copy that is owed comes once, and no other.
    pub(super) fn owed(&self, to: &dyn Fn(u32, NodeId) -> To) -> Result<Kept, ProgramFault> {
        let copies = self.copies();
        let mut all = &copies[..];
        let mut kept = Kept::default();
        let ends: Vec<NodeId> =
            (0..self.net.nodes()).map(NodeId::from).filter(|&node| !self.net.is_medium(node)).collect();
        for (index, value) in (0..).zip(&self.program.values) {
            for from in value.who.nodes(self.net.nodes()) {
                let count = all.partition_point(|copy| (copy.0, copy.1) <= (index, from));
                let (own, rest) = all.split_at(count);
                all = rest;
                let own: Vec<NodeId> = own.iter().map(|copy| copy.2).filter(|&node| node != from).collect();
                kept.returns += (count - own.len()) as u64;
                kept.arrivals += own.len() as u64;
                let wanted: Vec<NodeId> = match to(index, from) {
                    To::All if own.len() + 1 == ends.len() && own.windows(2).all(|two| two[0] < two[1]) => continue,
                    To::All => ends.iter().copied().filter(|&node| node != from).collect(),
                    To::One(node) => [node].into_iter().filter(|&node| node != from).collect(),
                    To::Nobody => Vec::new(),
                };
                if own == wanted {
                    continue;
                }
                let times =
                    |nodes: &[NodeId], node: NodeId| nodes.iter().filter(|&&other| other == node).count() as u32;
                let wrong = |&&node: &&NodeId| times(&own, node) != times(&wanted, node);
                let Some(&node) = wanted.iter().chain(&own).find(wrong) else { continue };
                let (at, from) = (self.label(node), self.label(from));
                let (copies, wanted) = (times(&own, node), times(&wanted, node));
                return Err(ProgramFault::Copies { at, value: index, from, copies, wanted });
            }
        }
        Ok(kept)
    }

    /// Checks that the kept ends of all paths are each node once, for every node that sends.
    pub(super) fn everyone(&self, law: &RouteLaw) -> Result<Kept, ProgramFault> {
        let mut came: Vec<Option<u32>> = vec![None; self.net.nodes()];
        let mut turn = None;
        for hop in self.kept() {
            let step = law.path(&ports(self.program, hop));
            if turn.get_or_insert_with(|| step.turn.clone()) != &step.turn || !self.alike {
                let what = format!("the way of hop {hop} exchanges other coordinates than those before it");
                return Err(ProgramFault::Malformed { what });
            }
            if let Some(first) = came[self.to[hop as usize].index()].replace(hop) {
                return Err(ProgramFault::Twice { hops: [first, hop] });
            }
        }
        if turn.is_none_or(|turn: Vec<usize>| turn.is_sorted()) && came[0].is_none() {
            // without an exchange of coordinates, the way back to node 0 is none at all
            came[0] = Some(u32::MAX);
        }
        let missing = came.iter().filter(|hop| hop.is_none()).count() as u64;
        let expected = self.net.nodes() as u64;
        match came.iter().position(Option::is_none).map(NodeId::from) {
            None => Ok(Kept { arrivals: expected * expected, returns: 0 }),
            Some(node) => {
                let (at, from) = (self.label(node), self.label(NodeId::new(0)));
                Err(ProgramFault::Missing { node, at, from, missing, expected })
            }
        }
    }

    /// Checks that every chunk, whole, is at every node that is owed it.
    pub(super) fn demanded(&self, demand: &Demand, chunks: &[Option<u32>]) -> Result<Kept, ProgramFault> {
        let one = |chunk: &crate::collective::demand::Chunk| match (&chunk.from[..], &chunk.to[..]) {
            (&[from], &[to]) => Some((from, to)),
            _ => None,
        };
        let ends: HashMap<(NodeId, NodeId), u32> =
            (0..).zip(&demand.chunks).filter_map(|(index, chunk)| Some((one(chunk)?, index))).collect();
        let held = self.run(&mut Sums { chunks })?;
        let mut found: BTreeMap<(u32, NodeId), (u32, bool)> = BTreeMap::new();
        let mut kept = Kept::default();
        let total = |chunk: u32| {
            demand.chunks[chunk as usize].from.iter().fold(0, |sum: u128, &from| sum.wrapping_add(word(chunk, from)))
        };
        let mut add = |value: u32, from: NodeId, to: NodeId, moved: bool| {
            let token = held.get(&self.program.values, value, from);
            let chunk = chunks.get(value as usize).copied().flatten().or_else(|| ends.get(&(from, to)).copied());
            let (Some(token), Some(chunk)) = (token, chunk) else { return };
            let whole = token.0.is_none_or(|_| token.1 == total(chunk));
            let entry = found.entry((chunk, to)).or_default();
            entry.0 += u32::from(moved && whole);
            entry.1 |= whole;
        };
        for (value, from, to) in self.copies() {
            kept.arrivals += u64::from(from != to);
            add(value, from, to, true);
        }
        for (index, value) in (0..).zip(&self.program.values).filter(|(_, value)| value.origin == Origin::Made) {
            value.who.nodes(self.net.nodes()).for_each(|node| add(index, node, node, false));
        }
        for (index, chunk) in (0..).zip(&demand.chunks) {
            for &node in &chunk.to {
                let (copies, whole) = found.get(&(index, node)).copied().unwrap_or_default();
                let own = chunk.from == [node];
                // a word that is no combination may be copied once more by the node itself
                if own || whole && (copies <= 1 || chunk.from.len() > 1) {
                    continue;
                }
                let what = match copies {
                    0 => format!("chunk {index}, or a contribution to it is missing or in it twice"),
                    copies => format!("chunk {index} once: {copies} copies come there"),
                };
                return Err(ProgramFault::Result { at: self.label(node), what });
            }
        }
        Ok(kept)
    }

    /// Runs all batches and passes on random words of 64 bits, and compares the outcome with the collective's own
    /// result.
    pub(super) fn arrays(&self, collective: &dyn Collective, seed: u64) -> Result<Kept, ProgramFault> {
        let refused = |what: String| ProgramFault::Malformed { what };
        let words = collective.random(Dtype::Uint64, seed).map_err(|error| refused(error.to_string()))?;
        let mut out: Vec<Option<u64>> = vec![None; collective.result_len()];
        let put = |out: &mut Vec<Option<u64>>, place: usize, word: u64, node: NodeId| {
            let twice = out.get_mut(place).is_none_or(|place| place.replace(word).is_some());
            let what = || format!("word {place} of the result once");
            if twice { Err(ProgramFault::Result { at: self.label(node), what: what() }) } else { Ok(()) }
        };
        for (sent, received) in collective.at_home() {
            put(&mut out, received, words.get(sent), NodeId::new(0))?;
        }
        let (copies, on_arrival) = (self.copies(), self.program.results_on_arrival());
        let batches = self.program.values.iter().map(|value| value.batches).max().unwrap_or(0);
        for (pass, batch) in (0..collective.passes()).flat_map(|pass| (0..batches).map(move |batch| (pass, batch))) {
            let mut given = Given { program: self.program, collective, words: &words, pass, batch };
            let held = if self.program.ops.is_empty() { None } else { Some(self.run(&mut given)?) };
            let within = |value: u32| batch < self.program.values[value as usize].batches;
            let of = |value: u32, from: NodeId, to: NodeId| match &held {
                Some(held) => held.get(&self.program.values, value, from).copied(),
                None => Some(given.word(value, from, to)),
            };
            let placed = |value: u32, from: NodeId, to: NodeId| {
                let what = || "a word of the result, and not another".to_owned();
                let place = collective.received(given.item(value, from, to));
                place.ok_or_else(|| ProgramFault::Result { at: self.label(to), what: what() })
            };
            for &(value, from, to) in copies.iter().filter(|copy| within(copy.0) && on_arrival[copy.0 as usize]) {
                if let Some(word) = of(value, from, to) {
                    put(&mut out, placed(value, from, to)?, word, to)?;
                }
            }
            for &value in self.program.results.iter().filter(|&&value| within(value)) {
                for node in self.program.values[value as usize].who.nodes(self.net.nodes()) {
                    if let Some(word) = of(value, node, node) {
                        put(&mut out, placed(value, node, node)?, word, node)?;
                    }
                }
            }
        }
        let expected = collective.expected(&words);
        let name = |_: usize, node: usize| self.label(NodeId::from(node));
        match (0..expected.len()).find(|&place| out.get(place).copied().flatten() != Some(expected.get(place))) {
            None => Ok(Kept { arrivals: copies.len() as u64, returns: 0 }),
            Some(place) => {
                let (at, what) = collective.describe(place, &name);
                Err(ProgramFault::Result { at, what: format!("the right {what}") })
            }
        }
    }
}

/// Token of a contribution: 127 bits of two steps of SplitMix64.
pub fn word(chunk: u32, node: NodeId) -> u128 {
    let half = |low: u64| {
        let index = u64::from(chunk) << 33 | u64::from(node.get()) << 1 | low;
        u128::from(scrambled(index.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(0x1234_5678_9abc_def1)))
    };
    (half(0) << 63) ^ half(1)
}

/// Sums of contributions to chunks, for any operator: the chunk of the value, if there is one, and the sum modulo 2¹²⁸.
struct Sums<'a> {
    chunks: &'a [Option<u32>],
}

impl Tokens for Sums<'_> {
    type Word = (Option<u32>, u128);

    fn given(&mut self, value: u32, node: NodeId) -> Self::Word {
        let chunk = self.chunks.get(value as usize).copied().flatten();
        (chunk, chunk.map_or(0, |chunk| word(chunk, node)))
    }

    fn made(&mut self, _: u32, _: NodeId, inputs: &[Operand<Self::Word>]) -> Result<Self::Word, String> {
        let mut sum: Option<Self::Word> = None;
        for input in inputs {
            let Operand::Word((chunk, word)) = *input else { return Err("multiplies chunks".into()) };
            sum = match sum {
                None => Some((chunk, word)),
                Some((of, sum)) if of == chunk && of.is_some() => Some((of, sum.wrapping_add(word))),
                Some(_) => return Err("combines words of different chunks".into()),
            };
        }
        sum.ok_or_else(|| "has no inputs".into())
    }
}

/// Words of a collective's array in one batch of one pass.
struct Given<'a> {
    program: &'a Program,
    collective: &'a dyn Collective,
    words: &'a Words,
    pass: u32,
    batch: u32,
}

impl Given<'_> {
    fn item(&self, value: u32, from: NodeId, to: NodeId) -> Item {
        self.program.item(value, from, to, [self.batch, self.pass])
    }

    fn word(&self, value: u32, from: NodeId, to: NodeId) -> u64 {
        match self.program.values[value as usize].origin {
            Origin::Identity => self.collective.operator().map_or(0, Operator::identity),
            _ => self.words.get(self.collective.sent(self.item(value, from, to))),
        }
    }
}

impl Tokens for Given<'_> {
    type Word = u64;

    fn given(&mut self, value: u32, node: NodeId) -> u64 {
        match self.batch < self.program.values[value as usize].batches {
            true => self.word(value, node, node),
            false => 0,
        }
    }

    fn made(&mut self, index: u32, _: NodeId, inputs: &[Operand<u64>]) -> Result<u64, String> {
        let operation = self.program.ops[index as usize].operation;
        let words: Option<Vec<u64>> =
            inputs.iter().map(|input| if let Operand::Word(word) = *input { Some(word) } else { None }).collect();
        let words = words.ok_or("multiplies, and the collective has no factors")?;
        if operation == Operation::Copy && words.len() != 1 {
            return Err("copies several words".into());
        }
        let operator = self.collective.operator();
        let two = |a: u64, b: u64| operation.combined(operator, a, b);
        words.into_iter().reduce(two).ok_or_else(|| "has no inputs".into())
    }
}
