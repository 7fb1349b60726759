//! Words for a simulation: from a user's array, or by a rule.

use super::Data;
use crate::collective::{Collective, Item, Operator, Words};
use crate::hash::scrambled;
use crate::id::NodeId;
use crate::program::{Operation, Program};

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
        self.collective.operator().map_or(0, Operator::identity) & (u64::MAX >> (64 - self.bits))
    }

    fn factor(&self, index: u32) -> u64 {
        self.collective.factor(self.words, index)
    }

    fn combine(&self, operation: Operation, inputs: &[u64]) -> u64 {
        let operator = self.collective.operator();
        let two = |a: u64, b: u64| operation.combined(operator, a, b);
        let all = match operation {
            Operation::MultiplyAdd => inputs.chunks_exact(2).map(|pair| pair[0].wrapping_mul(pair[1])).reduce(two),
            _ => inputs.iter().copied().reduce(two),
        };
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

    fn put(&mut self, item: Item, word: u64) {
        let collective = self.given.collective;
        if let Some(place) = collective.received(item) {
            put(&mut self.results, place, collective.kept(word));
        }
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

    fn factor(&self, index: u32) -> u64 {
        self.given.factor(index)
    }

    fn combine(&self, operation: Operation, inputs: &[u64]) -> u64 {
        self.given.combine(operation, inputs)
    }

    fn keep(&mut self, value: u32, from: NodeId, at: NodeId, batch: u32, word: u64) {
        if self.on_arrival[value as usize] {
            self.put(self.given.item(value, from, at, batch), word);
        }
    }

    fn make(&mut self, value: u32, at: NodeId, batch: u32, word: u64) {
        if self.given.program.results.contains(&value) {
            self.put(self.given.item(value, at, at, batch), word);
        }
    }
}
