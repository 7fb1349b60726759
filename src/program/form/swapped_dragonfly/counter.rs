//! Schedules without a table: nested counters that produce the rows of a program, one a cycle.
//!
//! # The form
//! A *row* is four numbers, [`CounterRow`]: vector i of the row is (γ = g+i, π = p+i, δ = d+i) for i below the length.
//! Each sum wraps inside the aligned block ([`CounterProgram::global_block`], [`CounterProgram::local_block`]) that its
//! start lies in. For windows the blocks are all of 0..K and 0..M; for the paper's rounds both are 0..s, s..2s, ….
//!
//! A *chain* is a tree of loops around [`RowForm`]s: a loop runs its body `count` times, its counter goes 0, 1, …,
//! count-1, and a row's numbers are affine in the counters of the loops around it (modulo K for γ, modulo M for π and
//! δ). Between two rows of a chain, some inner counters return to 0 and one steps by 1. So each number changes by a
//! constant that depends only on where in the tree the step is taken. Hardware keeps a position, the counters and g, p,
//! d. It adds one of a few constants modulo K or M in a cycle. There is no multiplication and no table.
//!
//! *Phases* place the chain in time. With clash distance D = `starts.len()`, row r belongs to phase r mod D, and is row
//! `starts[r mod D] + r / D` of the chain (which is endless: its end is followed by its start). In hardware that is one
//! next-state function with a ring of D states, loaded with [`CounterProgram::position`] of each start when a pass begins.
//!
//! A *burst* of `active` rows is followed by `pause` idle cycles; a program without pauses has one burst.

use super::uniform::{Launch, UniformProgram};
use crate::topology::swapped_dragonfly::SourceVector;

/// An affine expression in the counters of the loops around a row.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Affine {
    /// The value while all counters are 0.
    pub base: i64,
    /// Addend of one step of the loop at each depth (outermost first); loops beyond the end add nothing.
    pub factors: Vec<i64>,
}

impl Affine {
    /// A constant.
    pub fn constant(base: i64) -> Self {
        Self { base, factors: Vec::new() }
    }

    /// The counter at a depth.
    pub fn counter(depth: usize) -> Self {
        let mut factors = vec![0; depth + 1];
        factors[depth] = 1;
        Self { base: 0, factors }
    }

    /// Product of this expression and the constant `factor`.
    pub fn times(mut self, factor: i64) -> Self {
        self.base *= factor;
        self.factors.iter_mut().for_each(|f| *f *= factor);
        self
    }

    /// Sum of this expression and the constant `by`.
    pub fn offset(mut self, by: i64) -> Self {
        self.base += by;
        self
    }

    /// The sum of two expressions.
    pub fn plus(mut self, other: &Affine) -> Self {
        self.base += other.base;
        self.factors.resize(self.factors.len().max(other.factors.len()), 0);
        self.factors.iter_mut().zip(&other.factors).for_each(|(a, b)| *a += b);
        self
    }

    /// The value, modulo `modulus`, at the given counters.
    pub fn value(&self, counters: &[u32], modulus: u32) -> u32 {
        let sum = self.base + self.factors.iter().zip(counters).map(|(f, &c)| f * i64::from(c)).sum::<i64>();
        sum.rem_euclid(i64::from(modulus)) as u32 // below a u32
    }
}

/// A row with its numbers still open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowForm {
    /// γ of vector 0, modulo K.
    pub gamma: Affine,
    /// π of vector 0, modulo M.
    pub pi: Affine,
    /// δ of vector 0, modulo M.
    pub delta: Affine,
    /// Number of vectors.
    pub length: u32,
}

/// A node of a chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// One row.
    Row(RowForm),
    /// `count` times the body; a count of 0 is allowed and produces nothing.
    Loop {
        /// Number of rounds.
        count: u32,
        /// Steps of each round, in order.
        body: Vec<Step>,
    },
}

impl Step {
    /// Number of rows that the node produces.
    pub fn rows(&self) -> u32 {
        match self {
            Step::Row(_) => 1,
            Step::Loop { count, body } => count * body.iter().map(Step::rows).sum::<u32>(),
        }
    }
}

/// A row of a counter program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CounterRow {
    /// γ of vector 0.
    pub gamma: u32,
    /// π of vector 0.
    pub pi: u32,
    /// δ of vector 0.
    pub delta: u32,
    /// Number of vectors.
    pub length: u32,
}

/// Position of a row in a chain: the hardware's state register.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Position {
    /// Index of the child taken at each level of the tree, outermost first; the last one is a row.
    pub path: Vec<usize>,
    /// Counter of the loop at each depth; one fewer than `path`.
    pub counters: Vec<u32>,
}

/// Rows and idle cycles that alternate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Burst {
    /// Rows of a burst.
    pub active: u32,
    /// Idle cycles after it.
    pub pause: u32,
}

/// A program as nested counters; the module's documentation defines it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CounterProgram {
    /// K, the modulus of γ.
    pub k: u32,
    /// M, the modulus of π and δ.
    pub m: u32,
    /// γ wraps inside aligned blocks of this size.
    pub global_block: u32,
    /// π and δ wrap inside aligned blocks of this size.
    pub local_block: u32,
    /// The chain, as the body of an endless loop that is not counted.
    pub chain: Vec<Step>,
    /// Row of the chain with which each phase begins.
    pub starts: Vec<u32>,
    /// Rows and pauses; `None` is a row in every cycle.
    pub burst: Option<Burst>,
}

impl CounterProgram {
    /// Number of rows of the chain, which is the number of rows of a pass that are not pauses.
    pub fn chain_rows(&self) -> u32 {
        self.chain.iter().map(Step::rows).sum()
    }

    /// The rows of the chain in chain order, as though there was one phase.
    pub fn chain_order(&self) -> Vec<CounterRow> {
        let mut rows = Vec::with_capacity(self.chain_rows() as usize);
        self.walk(&self.chain, &mut Vec::new(), &mut rows);
        rows
    }

    fn walk(&self, steps: &[Step], counters: &mut Vec<u32>, rows: &mut Vec<CounterRow>) {
        for step in steps {
            match step {
                Step::Row(form) => rows.push(CounterRow {
                    gamma: form.gamma.value(counters, self.k),
                    pi: form.pi.value(counters, self.m),
                    delta: form.delta.value(counters, self.m),
                    length: form.length,
                }),
                Step::Loop { count, body } => {
                    for counter in 0..*count {
                        counters.push(counter);
                        self.walk(body, counters, rows);
                        counters.pop();
                    }
                }
            }
        }
    }

    /// Position of a row of the chain, counted from 0; rows beyond the end wrap around.
    pub fn position(&self, row: u32) -> Position {
        let mut position = Position { path: Vec::new(), counters: Vec::new() };
        let (mut steps, mut left) = (&self.chain, row % self.chain_rows().max(1));
        loop {
            let mut child = 0;
            while child < steps.len() && left >= steps[child].rows() {
                left -= steps[child].rows();
                child += 1;
            }
            position.path.push(child);
            match steps.get(child) {
                Some(Step::Loop { count, body }) => {
                    let round = steps[child].rows() / count;
                    position.counters.push(left / round);
                    left %= round;
                    steps = body;
                }
                _ => return position,
            }
        }
    }

    /// All slots of a pass, from the first row to the last; `None` is a pause.
    pub fn rows(&self) -> Vec<Option<CounterRow>> {
        let chain = self.chain_order();
        let phases = self.starts.len().max(1);
        let mut slots = Vec::with_capacity(chain.len());
        for row in 0..chain.len() {
            if let Some(Burst { active, pause }) = self.burst
                && row > 0
                && row % active as usize == 0
            {
                slots.extend((0..pause).map(|_| None));
            }
            let start = self.starts.get(row % phases).copied().unwrap_or(0) as usize;
            slots.push(Some(chain[(start + row / phases) % chain.len()]));
        }
        slots
    }

    /// The vectors of a row.
    pub fn vectors(&self, row: CounterRow) -> impl Iterator<Item = SourceVector> {
        let wrap = |start: u32, i: u32, block: u32| start / block * block + (start % block + i) % block;
        let (global, local) = (self.global_block, self.local_block);
        (0..row.length).map(move |i| SourceVector {
            gamma: wrap(row.gamma, i, global),
            pi: wrap(row.pi, i, local),
            delta: wrap(row.delta, i, local),
        })
    }

    /// Table of the program.
    pub fn program(&self) -> UniformProgram {
        let mut launches = Vec::new();
        for (slot, row) in self.rows().into_iter().enumerate() {
            let Some(row) = row else { continue };
            launches.extend(self.vectors(row).map(|vector| Launch { row: slot as u32, vector }));
        }
        UniformProgram::new(launches)
    }
}
