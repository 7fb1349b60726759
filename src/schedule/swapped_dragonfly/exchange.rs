//! All-reduce, prefix scan and bitonic sort on the Boolean hypercube in D3(2^k,2^m): exchanges along one dimension after the other.
//!
//! All-reduce takes the dimensions in any order. A scan takes them from the lowest up. The bitonic sort has stages s =
//! 1, …, k+2m, each from dimension s-1 down to 0.
//!
//! # Adding an algorithm
//! Write a function from network and [`ExchangeRequest`] to steps without times and list it in [`ALGORITHMS`].

use crate::collective::ExchangeKind;
use crate::program::Train;
use crate::program::form::swapped_dragonfly::exchange::{
    Action, ExchangeProgram, Operand, Port, Register, Send, Step, Way,
};
use crate::program::form::swapped_dragonfly::exchange_schedule::{Cube, ExchangeSchedule, Field, crossing};
use crate::program::form::swapped_dragonfly::uniform::HopLatency;
use crate::schedule::ScheduleError;
use crate::topology::SwappedDragonfly;
use crate::topology::swapped_dragonfly::headers::{Header, Ports};

/// Request of an exchange.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExchangeRequest<'a> {
    /// Kind of exchange.
    pub kind: ExchangeKind,
    /// `best` or the name of one of [`ALGORITHMS`].
    pub algorithm: &'a str,
    /// Words a node, at least 1.
    pub words: u32,
    /// Cycles from the arrival of a word to its being ready to leave.
    pub operator: u32,
    /// Cycles a hop.
    pub hop: HopLatency,
}

/// An algorithm by name.
pub struct ExchangeEntry {
    /// The name in a specification.
    pub name: &'static str,
    /// One line for people.
    pub about: &'static str,
    /// Makes the steps, all starting in cycle 0.
    pub steps: fn(&Cube, &ExchangeRequest) -> Vec<Step>,
}

/// All algorithms; where cycles are equal, `best` takes the first.
pub const ALGORITHMS: &[ExchangeEntry] = &[
    ExchangeEntry {
        name: "short",
        about: "one hop a dimension, and Z where p and d have to change places: k+2m hops for all-reduce if k > 0",
        steps: short,
    },
    ExchangeEntry { name: "paper", about: "the paper's paths of one, two or three hops: 2(k+2m) hops", steps: paper },
    ExchangeEntry { name: "uniform", about: "headers of four hops for every dimension: 4(k+2m) hops", steps: uniform },
];

/// Schedules an exchange on a network of exclusive-or arithmetic.
///
/// # Errors
/// [`ScheduleError::UnknownAlgorithm`] if no algorithm has the name.
pub fn schedule(net: &SwappedDragonfly, request: &ExchangeRequest) -> Result<ExchangeSchedule, ScheduleError> {
    let ExchangeRequest { kind, hop, words, operator, .. } = *request;
    let made = |entry: &ExchangeEntry| {
        let mut steps = (entry.steps)(&Cube::of(net), request);
        let last = time(&mut steps, request);
        (
            last,
            ExchangeSchedule { algorithm: entry.name, kind, hop, program: ExchangeProgram { words, operator, steps } },
        )
    };
    let wanted = |entry: &&ExchangeEntry| request.algorithm == "best" || request.algorithm == entry.name;
    let best = ALGORITHMS.iter().filter(wanted).map(made).min_by_key(|(last, _)| *last);
    best.map(|(_, schedule)| schedule)
        .ok_or_else(|| ScheduleError::unknown("exchange", request.algorithm, ALGORITHMS.iter().map(|entry| entry.name)))
}

/// Exchanges in the order of the collective's algorithm.
fn exchanges(cube: &Cube, kind: ExchangeKind) -> Vec<Action> {
    let n = cube.dimensions();
    match kind {
        ExchangeKind::AllReduce(_) | ExchangeKind::PrefixScan(_) => {
            (0..n).map(|dimension| Action::Combine { dimension }).collect()
        }
        ExchangeKind::Sort => (1..=n)
            .flat_map(|stage| (0..stage).rev().map(move |dimension| Action::Compare { dimension, stage }))
            .collect(),
    }
}

fn step(sends: Vec<Send>, action: Action, swapped: bool) -> Step {
    Step { start: 0, train: Train::STEADY, sends, action, swapped }
}

fn send(register: Register, ports: Vec<Port>, operand: Operand) -> Send {
    Send { register, way: Way::Ports(ports), operand }
}

const Z: Port = Port::Global(0);

/// The paths of the paper's table: γ_i Z for a bit of c, Z π_i Z for one of d, π_i for one of p. Of the words of a path that takes
/// Z twice, D follow each other and then D cycles go by, D being the cycles from one Z to the other.
fn paper(cube: &Cube, request: &ExchangeRequest) -> Vec<Step> {
    let twice = Train { burst: request.hop.clash_distance(), period: 2 * request.hop.clash_distance() };
    let exchange = |action: Action| {
        let (ports, train) = match action.dimension().map(|dimension| cube.field(dimension)) {
            Some(Field::P(bit)) => (vec![Port::Local(bit)], Train::STEADY),
            Some(Field::D(bit)) => (vec![Z, Port::Local(bit), Z], twice),
            Some(Field::C(bit)) => (vec![Port::Global(bit), Z], Train::STEADY),
            None => (Vec::new(), Train::STEADY),
        };
        Step { train, ..step(vec![send(Register::Value, ports, Operand::Other)], action, false) }
    };
    exchanges(cube, request.kind).into_iter().map(exchange).collect()
}

/// Four hops in every dimension: [4;γ,0,0], [4;0,0,δ] and [4;0,π,0]. Two of them are global, D cycles apart, as are two local ones.
fn uniform(cube: &Cube, request: &ExchangeRequest) -> Vec<Step> {
    let train = Train { burst: request.hop.clash_distance(), period: 2 * request.hop.clash_distance() };
    let exchange = |action: Action| {
        let [gamma, pi, delta] = match action.dimension().map(|dimension| cube.field(dimension)) {
            Some(Field::C(bit)) => [bit, 0, 0],
            Some(Field::P(bit)) => [0, bit, 0],
            Some(Field::D(bit)) => [0, 0, bit],
            None => [0, 0, 0],
        }
        .map(Ports::One);
        let way = Way::Header(Header { b: 4, gamma, pi, delta, broadcast: false });
        let sends = vec![Send { register: Register::Value, way, operand: Operand::Other }];
        Step { train, ..step(sends, action, false) }
    };
    exchanges(cube, request.kind).into_iter().map(exchange).collect()
}

/// Steps with one hop a dimension: bits of p at home and bits of d swapped. A bit of c takes nodes from one to the
/// other, the neighbour's value by γ_i and the node's own by Z at once. Where that does not bring nodes to where the
/// next dimension needs them, Z does.
///
/// All-reduce takes a bit of c between those of p and of d, and does not go home, since all values are equal in the end. A
/// scan leaves in each place what the node got there, and brings it home last, in place of the value.
fn short(cube: &Cube, request: &ExchangeRequest) -> Vec<Step> {
    let mut order = exchanges(cube, request.kind);
    if matches!(request.kind, ExchangeKind::AllReduce(_)) && cube.k > 0 {
        let first = order.remove(2 * cube.m as usize);
        order.insert(cube.m as usize, first);
    }
    let mut steps = Vec::new();
    let mut swapped = false;
    for action in order {
        let Some(dimension) = action.dimension() else { continue };
        let own = send(Register::Value, vec![Z], Operand::Own);
        let other = |port| send(Register::Value, vec![port], Operand::Other);
        let mut at = |wanted: bool| {
            if swapped != wanted {
                steps.push(step(vec![own.clone()], Action::Move, wanted));
                swapped = wanted;
            }
        };
        let sends = match cube.field(dimension) {
            Field::P(bit) => {
                at(false);
                vec![other(Port::Local(bit))]
            }
            Field::D(bit) => {
                at(true);
                vec![other(Port::Local(bit))]
            }
            Field::C(bit) => {
                swapped = !swapped;
                vec![own.clone(), other(Port::Global(bit))]
            }
        };
        steps.push(step(sends, action, swapped));
    }
    if matches!(request.kind, ExchangeKind::PrefixScan(_)) {
        let carry = send(Register::Carry, vec![Z], Operand::Carry);
        match steps.last_mut().filter(|_| !swapped) {
            // the value is not used any more
            Some(last) => last.sends[0] = carry,
            None => steps.push(step(vec![carry], Action::Move, false)),
        }
    }
    steps
}

/// Sets the start cycles of steps. A step starts as soon as each of its words is there; no router sends, or receives,
/// words of two steps at once. Gives the cycle of the last arrival.
fn time(steps: &mut [Step], request: &ExchangeRequest) -> u32 {
    let latency = |step: &Step| step.sends.iter().map(|send| crossing(&send.way, request.hop)).max().unwrap_or(0);
    let last_word = request.words - 1;
    for i in 1..steps.len() {
        let [earlier, step] = [&steps[i - 1], &steps[i]];
        let there = |word| earlier.start + earlier.train.start(word) + latency(earlier);
        let needed = |word: u32| (there(word) + request.operator).saturating_sub(step.train.start(word));
        let by_words = (0..request.words).map(needed).max().unwrap_or(0);
        let by_sends = earlier.start + earlier.train.start(last_word) + 1;
        let by_arrivals = (there(last_word) + 1).saturating_sub(latency(step));
        // words that come in bursts use a port twice, so they wait for those that are still under way
        let by_bursts = if step.train == Train::STEADY { 0 } else { there(last_word) };
        steps[i].start = by_words.max(by_sends).max(by_arrivals).max(by_bursts);
    }
    steps.last().map_or(0, |last| last.start + last.train.start(last_word) + latency(last))
}
