//! Template data of a counter program.

use super::{Program, View};
use crate::lower::swapped_dragonfly::sequencer::{Accumulator, Sequencer, State, Sum, Way};
use crate::lower::swapped_dragonfly::{Parameters, Table};
use askama::Template;

struct Register {
    name: String,
    meaning: String,
    bits: u32,
    at: u32,
}

struct Start {
    fields: String,
    row: usize,
}

struct WayView {
    guard: String,
    leaf: usize,
    lines: Vec<String>,
}

struct LeafView {
    label: String,
    length: u32,
    numbers: [String; 3],
    ways: Vec<WayView>,
}

struct Tap {
    name: &'static str,
    index: usize,
    is_local: bool,
    key_at: u32,
    other_at: u32,
}

/// The numbers of a sequencer in hardware.
pub(super) struct SequencerView {
    phases: u32,
    state_bits: u32,
    row_bits: u32,
    word_at: u32,
    length_bits: u32,
    leaf_bits: u32,
    leaf_at: u32,
    registers: Vec<Register>,
    next_registers: String,
    starts: Vec<Start>,
    leaves: Vec<LeafView>,
    active: u32,
    pause: u32,
    burst_bits: u32,
    last_slot: u32,
    global_block: u32,
    local_block: u32,
    taps: Vec<Tap>,
}

#[derive(Template)]
#[template(path = "gen/mn_sequencer.v", escape = "none")]
pub(super) struct SequencerFile<'a> {
    pub header: &'a str,
    pub describe: String,
    pub p: View<'a>,
    pub s: &'a SequencerView,
}

#[derive(Template)]
#[template(path = "gen/mn_program_counter.v", escape = "none")]
pub(super) struct ProgramFile<'a> {
    pub header: &'a str,
    pub p: View<'a>,
    pub program: &'a Program,
    pub s: &'a SequencerView,
}

/// Bits that count to n, at least 1.
fn bits(n: u32) -> u32 {
    (u32::BITS - n.leading_zeros()).max(1)
}

/// A Verilog number.
fn literal(width: u32, value: u32) -> String {
    format!("{width}'d{value}")
}

fn counter(depth: usize) -> String {
    format!("count_{depth}")
}

/// The register that holds an accumulator.
fn accumulator(a: &Accumulator, index: usize) -> String {
    if a.is_counter { counter(a.depth) } else { format!("multiple_{index}") }
}

/// Names and widths of one sequencer's registers.
struct Names<'a> {
    p: &'a Parameters,
    s: &'a Sequencer,
    widths: Vec<u32>,
}

impl Names<'_> {
    fn width(&self, modulus_index: usize) -> u32 {
        if modulus_index == 0 { self.p.gamma_bits } else { self.p.pi_bits }
    }

    /// Counters, outermost first, then the accumulators that are not counters: name, meaning, bits.
    fn registers(&self) -> Vec<(String, String, u32)> {
        let counters = (0..self.s.counts.len()).map(|d| {
            (counter(d), format!("0..{} rounds of the loop at depth {d}", self.s.counts[d] - 1), self.widths[d])
        });
        let multiples = self.s.accumulators.iter().enumerate().filter(|(_, a)| !a.is_counter).map(|(i, a)| {
            let meaning = format!("{} * {} modulo {}", a.factor, counter(a.depth), a.modulus);
            (accumulator(a, i), meaning, bits(a.modulus - 1))
        });
        counters.chain(multiples).collect()
    }

    /// The values of the registers in a state, in their order.
    fn values(&self, state: &State) -> Vec<u32> {
        let multiples = self.s.accumulators.iter().zip(&state.accumulators).filter(|(a, _)| !a.is_counter);
        state.counters.iter().copied().chain(multiples.map(|(_, &value)| value)).collect()
    }

    /// A number as an expression of its width.
    fn expression(&self, sum: &Sum, index: usize) -> String {
        let (width, add) = (self.width(index), if index == 0 { "add_k" } else { "add_m" });
        let term = |&t: &usize| {
            let a = &self.s.accumulators[t];
            let (name, has) = (accumulator(a, t), if a.is_counter { self.widths[a.depth] } else { width });
            if has < width { format!("{{{}, {name}}}", literal(width - has, 0)) } else { name }
        };
        let terms = sum.terms.iter().map(term);
        let base = (sum.base != 0 || sum.terms.is_empty()).then(|| literal(width, sum.base));
        let all: Vec<String> = terms.chain(base).collect();
        all[1..].iter().fold(all[0].clone(), |left, right| format!("{add}({left}, {right})"))
    }

    fn way(&self, index: usize, way: &Way) -> WayView {
        let alternative = if index == 0 { "" } else { "else " };
        let guard = way.again.map(|(d, last)| format!("if ({} != {}) ", counter(d), literal(self.widths[d], last)));
        let mut lines = Vec::new();
        for &d in &way.clear {
            lines.push(format!("next_{} = {};", counter(d), literal(self.widths[d], 0)));
        }
        lines.extend(way.again.map(|(d, _)| format!("next_{0} = {0} + 1'b1;", counter(d))));
        for (i, a) in self.s.accumulators.iter().enumerate().filter(|(_, a)| !a.is_counter) {
            let (name, width) = (accumulator(a, i), bits(a.modulus - 1));
            if way.clear.contains(&a.depth) {
                lines.push(format!("next_{name} = {};", literal(width, 0)));
            } else if way.again.is_some_and(|(d, _)| d == a.depth) {
                let add = if a.modulus == self.s.moduli[1] { "add_m" } else { "add_k" };
                lines.push(format!("next_{name} = {add}({name}, {});", literal(width, a.factor)));
            }
        }
        WayView { guard: format!("{alternative}{}", guard.unwrap_or_default()), leaf: way.leaf, lines }
    }
}

impl SequencerView {
    pub(super) fn new(p: &Parameters, s: &Sequencer) -> Self {
        let names = Names { p, s, widths: s.counts.iter().map(|count| bits(count - 1)).collect() };
        let leaf_bits = bits(s.leaves.len() as u32 - 1);
        let mut leaf_at = 0;
        // the last register stands in the low position
        let mut registers: Vec<Register> = Vec::new();
        for (name, meaning, bits) in names.registers().into_iter().rev() {
            registers.push(Register { name, meaning, bits, at: leaf_at });
            leaf_at += bits;
        }
        registers.reverse();
        let fields = |state: &State| {
            let values = registers.iter().zip(names.values(state)).map(|(r, value)| literal(r.bits, value));
            let leaf = literal(leaf_bits, state.leaf as u32);
            [leaf].into_iter().chain(values).collect::<Vec<_>>().join(", ")
        };
        let last_leaf = s.leaves.len() - 1;
        let leaves = s.leaves.iter().enumerate().map(|(index, leaf)| LeafView {
            // the last is also the default, so that no state is without a way
            label: if index == last_leaf { "default".into() } else { literal(leaf_bits, index as u32) },
            length: leaf.length,
            numbers: [0, 1, 2].map(|i| names.expression(&leaf.numbers[i], i)),
            ways: leaf.ways.iter().enumerate().map(|(index, way)| names.way(index, way)).collect(),
        });
        let length_bits = bits(s.leaves.iter().map(|leaf| leaf.length).max().unwrap_or(0));
        let tap = |(index, table): (usize, Table)| {
            let (pi_at, delta_at) = (length_bits + p.pi_bits, length_bits);
            let sends = matches!(table, Table::LocalSend | Table::GlobalSend);
            let (key_at, other_at) = if sends { (delta_at, pi_at) } else { (pi_at, delta_at) };
            Tap { name: table.name(), index, is_local: table.is_local(), key_at, other_at }
        };
        let starts = s.starts.iter().enumerate().rev(); // phase 0 in the low position
        let numbers = p.gamma_bits + 2 * p.pi_bits;
        Self {
            phases: s.starts.len() as u32,
            state_bits: leaf_at + leaf_bits,
            row_bits: 2 + p.word_bits + numbers + length_bits,
            word_at: numbers + length_bits,
            length_bits,
            leaf_bits,
            leaf_at,
            starts: starts.map(|(row, state)| Start { fields: fields(state), row }).collect(),
            leaves: leaves.collect(),
            next_registers: registers.iter().map(|r| format!(", next_{}", r.name)).collect(),
            registers,
            active: s.active,
            pause: s.pause,
            burst_bits: bits(s.active + s.pause),
            last_slot: s.chain_rows - 1 + (s.chain_rows - 1) / s.active * s.pause,
            global_block: s.global_block,
            local_block: s.local_block,
            taps: Table::ALL.into_iter().enumerate().map(tap).collect(),
        }
    }
}
