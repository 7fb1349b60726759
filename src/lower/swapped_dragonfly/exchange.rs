//! Lowering of exchanges: the rows of the program, which all routers share, see `mn_exchange_ports.v`.

use super::error::SwappedDragonflyError;
use super::{Frame, HeaderForm};
use crate::check::swapped_dragonfly::CheckedExchange;
use crate::collective::{Exchange, ExchangeKind};
use crate::id::NodeId;
use crate::lower::LowerError;
use crate::lower::bits::{self, BitRow};
use crate::lower::error::stored;
use crate::lower::read_back::{Delays, Programmed, ReadBack};
use crate::program::form::swapped_dragonfly::exchange::{Action, ExchangeProgram, Operand, Port, Step, Way};
use crate::program::form::swapped_dragonfly::exchange_schedule::ExchangeSchedule;
use crate::program::form::swapped_dragonfly::uniform::HopLatency;
use crate::program::{Program, Train};
use crate::spec::{Spec, Storage};
use crate::topology::swapped_dragonfly::headers::steps;
use crate::topology::{SwappedDragonfly, Topology};
use std::collections::BTreeSet;

/// Cycles from the arrival of a word to where it can be on its way again, in `mn_exchange_endpoint.v`.
pub const OPERATOR_CYCLES: u32 = 3;

/// A row's fields, by their lowest bits; the masks of the hops follow, and then the length.
pub mod field {
    /// Bits of a dimension, and of a stage behind it.
    pub const NUMBER_BITS: usize = 5;
    /// The operator, if there is one.
    pub const COMBINE: usize = 10;
    /// The comparison, if there is one.
    pub const COMPARE: usize = 11;
    /// Nodes are swapped afterwards.
    pub const SWAPPED: usize = 12;
    /// The node's own value changes places.
    pub const OWN: usize = 13;
    /// The node's carry comes home.
    pub const CARRY: usize = 14;
    /// The last step.
    pub const LAST: usize = 15;
    /// Words in bursts.
    pub const BURST: usize = 16;
    /// Cycles on the way.
    pub const WAY: usize = 17;
    /// Bits of these.
    pub const WAY_BITS: usize = 7;
    /// The masks.
    pub const MASK: usize = 24;
}

/// Paths of programs whose steps counters produce.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Paths {
    /// One hop a dimension.
    Short,
    /// The paper's paths.
    Paper,
    /// Headers of four hops.
    Uniform,
}

/// The constants of the counters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExchangeCounters {
    /// Paths of the program.
    pub paths: Paths,
    /// Cycles to the next step: 16 by class of the step and of the next, four of each, and then that of the last step.
    pub lengths: [u32; 17],
}

/// A program of exchanges in the terms of hardware.
#[derive(Debug, Clone)]
pub struct ExchangeLowered {
    /// Sizes and widths.
    pub frame: Frame,
    /// Kind of exchange.
    pub kind: ExchangeKind,
    /// The name of the schedule's algorithm.
    pub algorithm: &'static str,
    /// Program that every router follows.
    pub program: ExchangeProgram,
    /// Hops of the longest way.
    pub hops: u32,
    /// True if words stay in routers on their way.
    pub stay: bool,
    /// Cycles of the longest way.
    pub depth: u32,
    /// Cycles of all ways.
    pub ways: BTreeSet<u32>,
    /// Bits of a row's length: as many as the longest step takes.
    pub length_bits: usize,
    /// The counters that take the place of the table, if they do.
    pub counters: Option<ExchangeCounters>,
    /// Rows of the program, in order.
    pub rows: Vec<BitRow>,
    /// Cycles from the start of a collective to the earliest start of the next.
    pub pass_cycles: u32,
    /// Program that the rows make.
    pub read: ReadBack,
}

/// Name of the image of a program.
pub const IMAGE: &str = "steps";

impl ExchangeLowered {
    /// Exchange of each network: its kind, nodes and words.
    pub fn traffic(&self) -> Exchange {
        let (nodes, words) = (self.frame.network.nodes(), self.program.words as usize);
        Exchange::new(self.kind, nodes, words).in_networks(self.frame.networks())
    }
}

/// Lowers checked exchanges.
///
/// # Errors
/// If the program has no form of the asked-for kind, or packets go ways that tiles have no relays for, or the operator has too little
/// time.
pub fn lower_exchange(schedule: &CheckedExchange, spec: &Spec) -> Result<ExchangeLowered, LowerError> {
    stored(spec, "an exchange", Storage::Ram)?;
    let (program, hop) = (&schedule.schedule().program, schedule.schedule().hop);
    let frame = Frame::new(schedule.network(), hop, &spec.router, HeaderForm::Valid)?;
    let relays = || SwappedDragonflyError::NoRelays { algorithm: schedule.schedule().algorithm };
    let routes: Vec<Route> = program
        .steps
        .iter()
        .map(|step| Route::of(&frame.network, hop, step))
        .collect::<Option<_>>()
        .ok_or_else(relays)?;
    if program.operator < OPERATOR_CYCLES {
        let (stages, least, field) = (program.operator, OPERATOR_CYCLES, "collective.operator_stages");
        return Err(LowerError::FastOperator { stages, least, field });
    }
    // from the last step on as long as its last word is under way
    let end = |(step, route): (&Step, &Route)| {
        step.start + step.train.start(program.words - 1) + 1 + route.cycles + program.operator
    };
    let ends = program.steps.iter().zip(&routes).next_back().map_or(0, end);
    let starts = program.steps.iter().skip(1).map(|step| step.start).chain([ends]);
    let lengths: Vec<u32> = program.steps.iter().zip(starts).map(|(step, end)| end - step.start).collect();
    let mut lowered = ExchangeLowered {
        kind: schedule.schedule().kind,
        algorithm: schedule.schedule().algorithm,
        program: program.clone(),
        hops: routes.iter().map(|route| route.outputs.len() as u32).max().unwrap_or(1).max(1),
        stay: routes.iter().any(|route| route.outputs.contains(&None)),
        depth: routes.iter().map(|route| route.cycles).max().unwrap_or(1),
        ways: routes.iter().map(|route| route.cycles).collect(),
        length_bits: bits::field(lengths.iter().max().map_or(1, |longest| longest + 1)) as usize,
        counters: None,
        rows: Vec::new(),
        pass_cycles: ends + 8,
        read: ReadBack::new(Program::new(hop.switching(&frame.network)), Delays::default(), []),
        frame,
    };
    let rows = program.steps.iter().zip(&routes).zip(lengths);
    lowered.rows = rows.map(|((step, route), length)| lowered.row(step, route, length)).collect();
    if let Some(row) = lowered.rows.last_mut() {
        row.set(field::LAST, 1, 1);
    }
    if spec.schedule.storage == Storage::Counter {
        let none = || SwappedDragonflyError::NoCounterForm { algorithm: schedule.schedule().algorithm.to_owned() };
        lowered.counters = Some(ExchangeCounters::new(&lowered).ok_or_else(none)?);
    }
    lowered.read = lowered.read(&lowered.images())?;
    Ok(lowered)
}

/// The way of a step's packets.
struct Route {
    /// The port of each hop to the neighbour in a dimension, None where words stay.
    outputs: Vec<Option<usize>>,
    /// Cycles of all hops.
    cycles: u32,
}

impl Route {
    /// Tile route of a step. None for a route that tiles cannot take: see `mn_exchange_ports.v`.
    fn of(net: &SwappedDragonfly, hop: HopLatency, step: &Step) -> Option<Self> {
        let bursts = Train { burst: hop.clash_distance(), period: 2 * hop.clash_distance() };
        if step.train != Train::STEADY && step.train != bursts {
            return None;
        }
        let mut route = Self { outputs: Vec::new(), cycles: hop.global };
        for send in &step.sends {
            match send.operand {
                Operand::Other => {
                    route.outputs = outputs(net, &send.way);
                    route.cycles = route.outputs.iter().map(|&output| latency(net, hop, output)).sum();
                }
                Operand::Own | Operand::Carry if send.way == Way::Ports(vec![Port::Global(0)]) => {}
                Operand::Own | Operand::Carry => return None,
            }
        }
        let single = route.outputs.len() <= 1;
        let relayed: Vec<u32> = route.outputs.iter().map(|&output| latency(net, hop, output)).collect();
        let known = [hop.global, hop.local, hop.global];
        // the hops before each relay have the latencies that it knows
        let fits = relayed.len() <= 4 && relayed.iter().skip(1).zip(0..).all(|(_, i)| relayed[i] == known[i]);
        (single || (fits && step.sends.len() == 1)).then_some(route)
    }
}

/// The ports of the hops, None where a packet stays; those of the first router, as all do the same.
fn outputs(net: &SwappedDragonfly, way: &Way) -> Vec<Option<usize>> {
    match way {
        Way::Ports(ports) => ports
            .iter()
            .map(|port| match *port {
                Port::Local(x) => Some(net.local_port(x)),
                Port::Global(x) => Some(net.global_port(x)),
            })
            .collect(),
        Way::Header(header) => {
            let (mut at, mut header) = (net.address(NodeId::new(0)), header.clone());
            let mut outputs = Vec::new();
            while let [step] = steps(net, at, &header).as_slice() {
                outputs.push(step.port);
                (at, header) = (step.to, step.header.clone());
            }
            outputs
        }
    }
}

fn latency(net: &SwappedDragonfly, hop: HopLatency, output: Option<usize>) -> u32 {
    if output.is_some_and(|port| port >= net.local_ports()) { hop.global } else { hop.local }
}

impl ExchangeLowered {
    /// The schedule of the rows.
    pub(super) fn schedule(&self) -> ExchangeSchedule {
        let hop = HopLatency { local: self.frame.local_stages, global: self.frame.global_stages };
        ExchangeSchedule { algorithm: self.algorithm, kind: self.kind, hop, program: self.program.clone() }
    }

    /// Bits of a mask: the ports, and the bit to stay if words do.
    pub fn mask_bits(&self) -> usize {
        self.frame.network.ports() + usize::from(self.stay)
    }

    /// The lowest bit of a row's length.
    pub fn length_at(&self) -> usize {
        field::MASK + self.hops as usize * self.mask_bits()
    }

    /// Bits of a row.
    pub fn row_bits(&self) -> usize {
        self.length_at() + self.length_bits
    }

    /// Length of a row's step, in cycles.
    pub fn length_of(&self, row: &BitRow) -> u32 {
        row.get(self.length_at(), self.length_bits)
    }

    fn row(&self, step: &Step, route: &Route, length: u32) -> BitRow {
        let mut row = BitRow::zero(self.row_bits());
        match step.action {
            Action::Move => {}
            Action::Combine { dimension } => {
                row.set(0, field::NUMBER_BITS, dimension);
                row.set(field::COMBINE, 1, 1);
            }
            Action::Compare { dimension, stage } => {
                row.set(0, field::NUMBER_BITS, dimension);
                row.set(field::NUMBER_BITS, field::NUMBER_BITS, stage);
                row.set(field::COMPARE, 1, 1);
            }
        }
        let has = |operand| u32::from(step.sends.iter().any(|send| send.operand == operand));
        row.set(field::SWAPPED, 1, step.swapped.into());
        row.set(field::OWN, 1, has(Operand::Own));
        row.set(field::CARRY, 1, has(Operand::Carry));
        row.set(field::BURST, 1, u32::from(step.train != Train::STEADY));
        row.set(field::WAY, field::WAY_BITS, route.cycles);
        for (hop, output) in route.outputs.iter().enumerate() {
            let bit = output.unwrap_or(self.frame.network.ports());
            row.set(field::MASK + hop * self.mask_bits() + bit, 1, 1);
        }
        row.set(self.length_at(), self.length_bits, length);
        row
    }
}
