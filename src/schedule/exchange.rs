//! All-reduce, prefix scan and bitonic sort on the Boolean hypercube in D3(2^k,2^m): exchanges along one dimension after the other.
//!
//! All-reduce takes the dimensions in any order, a scan from the lowest up, and the bitonic sort in stages s = 1, …, k+2m, each
//! from dimension s-1 down to 0.
//!
//! # Adding an algorithm
//! Write a function from network and [`ExchangeRequest`] to steps without times and list it in [`ALGORITHMS`].

use super::exchange_program::{Action, ExchangeProgram, Operand, Port, Register, Send, Step, Way};
use super::{HopLatency, ScheduleError};
use crate::collective::ExchangeKind;
use crate::id::NodeId;
use crate::program::header::{Holds, tree};
use crate::program::{Hop, Input, Operation, Origin, Program, Train, Who};
use crate::topology::SwappedDragonfly;
use crate::topology::headers::{Header, Ports};

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

/// A program for the whole network, not yet checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExchangeSchedule {
    /// Name of the algorithm that made it, never `best`.
    pub algorithm: &'static str,
    /// Kind of exchange.
    pub kind: ExchangeKind,
    /// Cycles a hop.
    pub hop: HopLatency,
    /// Program of every router.
    pub program: ExchangeProgram,
}

impl ExchangeSchedule {
    /// The program of all routers: the words of a router's registers are values, each step makes new ones.
    pub fn to_program(&self, net: &SwappedDragonfly) -> Program {
        let ExchangeProgram { words, operator, ref steps } = self.program;
        let mut program = Program::new(self.hop.switching(net));
        let cube = Cube::of(net);
        let made = |program: &mut Program| program.value(Who::Every, words, Origin::Made);
        let mut value = program.value(Who::Every, words, Origin::Word { first: 0, stride: 1 });
        let (mut prefix, mut carry) = (value, program.value(Who::Every, words, Origin::Identity));
        let scan = matches!(self.kind, ExchangeKind::PrefixScan(_));
        let mut swapped = false;
        for step in steps {
            let mut arrived = [None; 3];
            for send in &step.sends {
                let register = match send.register {
                    Register::Value => value,
                    Register::Carry => carry,
                };
                let hops = hops(net, &send.way, self.hop);
                let last = hops.iter().position(|hop| hop.keep);
                let first = program.send(register, Who::Every, (step.start, step.train), hops);
                arrived[send.operand as usize] = last.map(|last| Input::Arrived(first + last as u32));
            }
            let [own, other, mut home] = arrived;
            let there = step.sends.iter().map(|send| crossing(&send.way, self.hop)).max().unwrap_or(0);
            let time = (step.start + there, step.train, operator);
            // a word that changes places without a packet is not needed any more
            let own = own.or((swapped == step.swapped).then_some(Input::Own(value)));
            swapped = step.swapped;
            let mask = |dimension| cube.mask(dimension, swapped);
            let next = made(&mut program);
            match (step.action, own, other) {
                (Action::Combine { dimension }, own, Some(other)) => {
                    if let Some(own) = own {
                        program.operate((Who::Every, next), time, Operation::Combine, [own, other]);
                    }
                    if scan {
                        let register = if swapped { &mut carry } else { &mut prefix };
                        let (before, after) = (Input::Own(*register), made(&mut program));
                        let [set, clear] = [true, false].map(|odd| Who::Parity { mask: mask(dimension), odd });
                        // a carry that comes home with it is combined in the same operation
                        let with = if swapped { None } else { home.take() };
                        let inputs = [before, other].into_iter().chain(with);
                        program.operate((set, after), time, Operation::Combine, inputs);
                        let alone = if with.is_some() { Operation::Combine } else { Operation::Copy };
                        program.operate((clear, after), time, alone, [before].into_iter().chain(with));
                        *register = after;
                    }
                }
                (Action::Compare { dimension, stage }, Some(own), Some(other)) => {
                    let mask = mask(dimension) | mask(stage);
                    for (odd, operation) in [(false, Operation::Min), (true, Operation::Max)] {
                        program.operate((Who::Parity { mask, odd }, next), time, operation, [own, other]);
                    }
                }
                (_, Some(own), _) => program.operate((Who::Every, next), time, Operation::Copy, [own]),
                (_, None, _) => {}
            }
            value = next;
            if let Some(home) = home {
                let after = made(&mut program);
                program.operate((Who::Every, after), time, Operation::Combine, [Input::Own(prefix), home]);
                prefix = after;
            }
        }
        program.results = vec![if scan { prefix } else { value }];
        program
    }
}

/// Cycles that a packet stays at the end of its way.
pub fn late(net: &SwappedDragonfly, way: &Way, hop: HopLatency) -> u32 {
    let latency = |port: u32| if (port as usize) < net.local_ports() { hop.local } else { hop.global };
    let moved: u32 = hops(net, way, hop).iter().map(|at| at.wait + latency(at.port)).sum();
    crossing(way, hop) - moved
}

/// Hops of a way, which are the same for all routers.
fn hops(net: &SwappedDragonfly, way: &Way, hop: HopLatency) -> Vec<Hop> {
    match way {
        Way::Ports(ports) => {
            let port = |port: &Port| match *port {
                Port::Local(x) => net.local_port(x) as u32,
                Port::Global(x) => net.global_port(x) as u32,
            };
            Program::path(ports.iter().map(port)).collect()
        }
        Way::Header(header) => {
            // (0,0,1): none of its ports is a loopback
            tree(net, NodeId::new(1), None, header, Holds { stay: hop.local, endpoint: 0 })
        }
    }
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

/// The hypercube of dimension k+2m in D3(2^k,2^m).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cube {
    /// Bits of c.
    pub k: u32,
    /// Bits of d and of p.
    pub m: u32,
}

/// The field that a dimension is in, with its bit as a port.
enum Field {
    P(u32),
    D(u32),
    C(u32),
}

impl Cube {
    /// The cube in a network of powers of two.
    pub fn of(net: &SwappedDragonfly) -> Self {
        Self { k: net.k().trailing_zeros(), m: net.m().trailing_zeros() }
    }

    /// Number of dimensions.
    pub fn dimensions(self) -> u32 {
        self.k + 2 * self.m
    }

    /// The bit of a router's index that is bit `dimension` of the node there; 0 for a dimension that there is not.
    fn mask(self, dimension: u32, swapped: bool) -> u32 {
        match dimension {
            bit if bit >= self.dimensions() => 0,
            bit if swapped && bit < self.m => 1 << (bit + self.m),
            bit if swapped && bit < 2 * self.m => 1 << (bit - self.m),
            bit => 1 << bit,
        }
    }

    fn field(self, dimension: u32) -> Field {
        match dimension.checked_sub(self.m) {
            None => Field::P(1 << dimension),
            Some(bit) if bit < self.m => Field::D(1 << bit),
            Some(bit) => Field::C(1 << (bit - self.m)),
        }
    }
}

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

/// The exchanges in the order of the algorithm that the kind asks for.
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

/// One hop a dimension: bits of p at home, bits of d swapped, and bits of c from one to the other, the neighbour's value by γ_i
/// and the node's own by Z at once. Where that does not bring nodes to where the next dimension needs them, Z does.
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
            // nobody asks for the value any more
            Some(last) => last.sends[0] = carry,
            None => steps.push(step(vec![carry], Action::Move, false)),
        }
    }
    steps
}

/// Lets every step start as soon as each of its words is there, no router sends words of two steps at once, and none gets them at once.
/// The cycle of the last arrival.
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

/// Cycles of a way.
pub fn crossing(way: &Way, hop: HopLatency) -> u32 {
    match way {
        Way::Ports(ports) => {
            ports.iter().map(|port| if matches!(port, Port::Local(_)) { hop.local } else { hop.global }).sum()
        }
        Way::Header(header) => (header.b / 2) * hop.clash_distance() + header.b % 2 * hop.local,
    }
}
