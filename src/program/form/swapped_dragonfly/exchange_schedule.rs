//! Schedules of exchanges, and the program that one stands for.

use super::exchange::{Action, ExchangeProgram, Port, Register, Way};
use super::uniform::HopLatency;
use crate::collective::ExchangeKind;
use crate::id::NodeId;
use crate::program::form::swapped_dragonfly::synchronizing_header::{Holds, tree};
use crate::program::{Hop, Input, Operation, Origin, Program, Who};
use crate::topology::SwappedDragonfly;

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

/// Cycles of a way.
pub fn crossing(way: &Way, hop: HopLatency) -> u32 {
    match way {
        Way::Ports(ports) => {
            ports.iter().map(|port| if matches!(port, Port::Local(_)) { hop.local } else { hop.global }).sum()
        }
        Way::Header(header) => (header.b / 2) * hop.clash_distance() + header.b % 2 * hop.local,
    }
}

/// The hypercube of dimension k+2m in D3(2^k,2^m).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cube {
    /// Bits of c.
    pub k: u32,
    /// Bits of d and of p.
    pub m: u32,
}

/// The field that a dimension is in, with its bit as a port.
pub enum Field {
    /// Bit of the position p.
    P(u32),
    /// Bit of the drawer d.
    D(u32),
    /// Bit of the cabinet c.
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

    /// The field of a dimension.
    pub fn field(self, dimension: u32) -> Field {
        match dimension.checked_sub(self.m) {
            None => Field::P(1 << dimension),
            Some(bit) if bit < self.m => Field::D(1 << bit),
            Some(bit) => Field::C(1 << (bit - self.m)),
        }
    }
}
