//! Words for a simulation: from a user's array, or by a rule.

use super::Data;
use crate::collective::exchange::identity;
use crate::collective::{Collective, Item, Operands, Product, Words};
use crate::hash::scrambled;
use crate::id::NodeId;
use crate::program::{Operation, Origin, Program};
use std::collections::{BTreeMap, BTreeSet};

/// Words that follow from their ends: nothing is stored.
pub struct ByRule {
    seed: u64,
    wrong: u64,
}

impl ByRule {
    /// The words of a seed.
    pub fn new(seed: u64) -> Self {
        Self { seed, wrong: 0 }
    }

    /// Number of words that arrived and are not those of their ends.
    pub fn wrong(&self) -> u64 {
        self.wrong
    }

    /// The word of a message: a hash of its ends.
    fn rule(&self, from: NodeId, to: NodeId) -> u64 {
        scrambled(self.seed ^ (u64::from(from.get()) << 32 | u64::from(to.get())))
    }
}

impl Data for ByRule {
    fn word(&self, _: u32, from: NodeId, to: NodeId, _: u32) -> u64 {
        self.rule(from, to)
    }

    fn identity(&self) -> u64 {
        0
    }

    fn combine(&self, _: Operation, inputs: &[u64]) -> u64 {
        inputs.first().copied().unwrap_or(0)
    }

    fn keep(&mut self, _: u32, from: NodeId, at: NodeId, _: u32, word: u64) {
        self.wrong += u64::from(word != self.rule(from, at));
    }
}

/// Words of a user's array that go in.
#[derive(Clone)]
pub struct Given<'a> {
    program: &'a Program,
    collective: &'a dyn Collective,
    words: &'a Words,
    pass: u32,
    bits: u32,
}

impl<'a> Given<'a> {
    /// Words for pass 0; results of operations have `bits` bits.
    pub fn new(program: &'a Program, collective: &'a dyn Collective, words: &'a Words, bits: u32) -> Self {
        Self { program, collective, words, pass: 0, bits }
    }

    /// The words for another pass of the program.
    #[must_use]
    pub fn in_pass(self, pass: u32) -> Self {
        Self { pass, ..self }
    }

    fn item(&self, value: u32, from: NodeId, to: NodeId, batch: u32) -> Item {
        self.program.item(value, from, to, [batch, self.pass])
    }
}

impl Data for Given<'_> {
    fn word(&self, value: u32, from: NodeId, to: NodeId, batch: u32) -> u64 {
        self.words.get(self.collective.sent(self.item(value, from, to, batch)))
    }

    fn identity(&self) -> u64 {
        self.collective.operator().map_or(0, identity) & (u64::MAX >> (64 - self.bits))
    }

    fn combine(&self, operation: Operation, inputs: &[u64]) -> u64 {
        let operator = self.collective.operator();
        let two = |a: u64, b: &u64| operation.combined(operator, a, *b);
        let all = inputs.split_first().map(|(first, rest)| rest.iter().fold(*first, two));
        all.unwrap_or(0) & (u64::MAX >> (64 - self.bits))
    }
}

/// Input words of a user's array, and output words.
pub struct Arrays<'a> {
    given: Given<'a>,
    /// Result flag, by value: true if the words are results where they are kept.
    on_arrival: Vec<bool>,
    results: Vec<Option<u64>>,
}

impl<'a> Arrays<'a> {
    /// The words that go in; results have `bits` bits.
    pub fn new(program: &'a Program, collective: &'a dyn Collective, words: &'a Words, bits: u32) -> Self {
        let mut results = Vec::new();
        for (sent, received) in collective.at_home() {
            put(&mut results, received, words.get(sent));
        }
        let on_arrival = program.results_on_arrival();
        Self { given: Given::new(program, collective, words, bits), on_arrival, results }
    }

    /// Goes on to a pass of the program.
    pub fn begin(&mut self, pass: u32) {
        self.given.pass = pass;
    }

    /// Output words, `count` of them; 0 for those that have not arrived.
    pub fn results(&self, count: usize) -> Words {
        Words::from_fn(self.given.words.dtype(), count, |i| self.results.get(i).copied().flatten().unwrap_or(0))
    }

    /// Number of output words that differ from the collective's own result, or have not arrived.
    pub fn wrong(&self) -> u64 {
        let expected = self.given.collective.expected(self.given.words);
        (0..expected.len()).filter(|&i| self.results.get(i).copied().flatten() != Some(expected.get(i))).count() as u64
    }
}

fn put(results: &mut Vec<Option<u64>>, place: usize, word: u64) {
    if results.len() <= place {
        results.resize(place + 1, None);
    }
    results[place] = Some(word);
}

impl Data for Arrays<'_> {
    fn word(&self, value: u32, from: NodeId, to: NodeId, batch: u32) -> u64 {
        self.given.word(value, from, to, batch)
    }

    fn identity(&self) -> u64 {
        self.given.identity()
    }

    fn combine(&self, operation: Operation, inputs: &[u64]) -> u64 {
        self.given.combine(operation, inputs)
    }

    fn keep(&mut self, value: u32, from: NodeId, at: NodeId, batch: u32, word: u64) {
        if self.on_arrival[value as usize] {
            let place = self.given.collective.received(self.given.item(value, from, at, batch));
            put(&mut self.results, place, word);
        }
    }

    fn make(&mut self, value: u32, at: NodeId, batch: u32, word: u64) {
        if self.given.program.results.contains(&value) {
            let place = self.given.collective.received(self.given.item(value, at, at, batch));
            put(&mut self.results, place, word);
        }
    }
}

/// Elements of a product's operands.
pub struct Factors<'a> {
    program: &'a Program,
    operands: &'a Operands,
}

impl<'a> Factors<'a> {
    /// The elements that go in.
    pub fn new(program: &'a Program, operands: &'a Operands) -> Self {
        Self { program, operands }
    }
}

impl Data for Factors<'_> {
    fn word(&self, value: u32, _: NodeId, _: NodeId, batch: u32) -> u64 {
        match self.program.values[value as usize].origin {
            Origin::Word { first, stride } => self.operands.vectors[(first + batch * stride) as usize],
            Origin::Message | Origin::Identity | Origin::Made => 0,
        }
    }

    fn identity(&self) -> u64 {
        0
    }

    fn factor(&self, index: u32) -> u64 {
        self.operands.matrix[index as usize]
    }

    fn combine(&self, operation: Operation, inputs: &[u64]) -> u64 {
        match operation {
            Operation::MultiplyAdd => {
                inputs.chunks_exact(2).fold(0, |sum, pair| sum.wrapping_add(pair[0].wrapping_mul(pair[1])))
            }
            _ => inputs.iter().fold(0, |sum, word| sum.wrapping_add(*word)),
        }
    }
}

/// Elements of a product's operands, and the elements of the result that have arrived.
pub struct Multiplied<'a> {
    factors: Factors<'a>,
    product: Product,
    /// Element of the result, by value that is a result.
    elements: BTreeMap<u32, u32>,
    /// Values that are sent, so that they are results where they arrive.
    moved: BTreeSet<u32>,
    results: Vec<Option<u64>>,
}

impl<'a> Multiplied<'a> {
    /// The operands of a product, by a program whose results are these elements.
    pub fn new(program: &'a Program, elements: BTreeMap<u32, u32>, product: Product, operands: &'a Operands) -> Self {
        let factors = Factors::new(program, operands);
        let moved: BTreeSet<u32> = program.moves.iter().map(|m| m.value).collect();
        let mut results = vec![None; (product.vectors() * product.order) as usize];
        // elements that are where they belong from the beginning
        let own = |value: &u32| matches!(program.values[*value as usize].origin, Origin::Word { .. });
        for (value, &element) in elements.iter().filter(|(value, _)| own(value) && !moved.contains(value)) {
            results[element as usize] = Some(factors.word(*value, NodeId::new(0), NodeId::new(0), 0));
        }
        Self { factors, product, elements, moved, results }
    }

    /// Elements of the result; 0 for those that have not arrived.
    pub fn results(&self) -> Vec<u64> {
        self.results.iter().map(|word| word.unwrap_or(0)).collect()
    }

    /// Number of elements that differ from the definition, or have not arrived.
    pub fn wrong(&self) -> u64 {
        let expected = self.product.expected(self.factors.operands);
        self.results.iter().zip(expected).filter(|&(&word, due)| word != Some(due)).count() as u64
    }

    fn put(&mut self, value: u32, word: u64) {
        if let Some(&element) = self.elements.get(&value) {
            self.results[element as usize] = Some(self.product.kept(word));
        }
    }
}

impl Data for Multiplied<'_> {
    fn word(&self, value: u32, from: NodeId, to: NodeId, batch: u32) -> u64 {
        self.factors.word(value, from, to, batch)
    }

    fn identity(&self) -> u64 {
        self.factors.identity()
    }

    fn factor(&self, index: u32) -> u64 {
        self.factors.factor(index)
    }

    fn combine(&self, operation: Operation, inputs: &[u64]) -> u64 {
        self.factors.combine(operation, inputs)
    }

    fn keep(&mut self, value: u32, _: NodeId, _: NodeId, _: u32, word: u64) {
        self.put(value, word);
    }

    fn make(&mut self, value: u32, _: NodeId, _: u32, word: u64) {
        if !self.moved.contains(&value) {
            self.put(value, word);
        }
    }
}
