//! The proof for exchanges, in which all routers send the same packets in the same cycles.
//!
//! 1. *No conflict, causality*: those of the [program](mod@crate::check::program), in which one router stands for all. Besides, no two packets
//!    stay in a router's register in one cycle, and a router combines the operands of one word a cycle, which arrive together.
//! 2. *The result*: see `exchange_outcome.rs`.

pub use super::exchange_fault::ExchangeError;
use super::exchange_outcome::{dimensions, judge};
use super::{exchange_bounds, header};
use crate::check::checked::Checked;
use crate::check::program::{Claim, Claims, Goal, Meeting, ProgramFault, Rules, Table, User, check_table};
use crate::check::swapped_dragonfly::error::CheckError;
use crate::check::verdict::Proof;
use crate::count::counted;
use crate::id::NodeId;
use crate::program::form::swapped_dragonfly::exchange::{Action, ExchangeProgram, Operand, Port, Register, Step, Way};
use crate::program::form::swapped_dragonfly::exchange_schedule::ExchangeSchedule;
use crate::program::form::swapped_dragonfly::uniform::HopLatency;
use crate::program::{Program, Train};
use crate::topology::swapped_dragonfly::Group;
use crate::topology::swapped_dragonfly::headers::Ports;
use crate::topology::{Coordinates, SwappedDragonfly, Topology};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// Program of exchanges with a proved result. Made by [`check_exchange`] alone.
pub type CheckedExchange = Checked<SwappedDragonfly, ExchangeSchedule, ExchangeProof>;

/// Proof of a verdict on a program of exchanges: counts and cycles.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ExchangeProof {
    /// Method of the proof.
    pub method: &'static str,
    /// Routers.
    pub routers: u64,
    /// Words a node.
    pub words: u32,
    /// Dimensions of the hypercube.
    pub dimensions: u32,
    /// Steps, in each of which all routers send.
    pub steps: usize,
    /// Steps that exchange along a dimension.
    pub exchanges: usize,
    /// Hops that a word takes one after the other, those in which it stays included.
    pub hops: u32,
    /// Claims of a router, of all words and steps, no two of which meet.
    pub claims: u64,
    /// Claims of a router in which a packet stays for a hop.
    pub stays: u64,
    /// Argument for the result.
    pub result: String,
    /// Clock cycles of a local and of a global hop, and of the operator.
    pub latency: [u32; 3],
    /// Cycles from the first claimed one to the last, both included.
    pub cycles: u32,
}

impl Proof for ExchangeProof {
    fn lines(&self) -> Vec<String> {
        let Self { routers, words, steps, exchanges, hops, claims, result, cycles, latency, .. } = self;
        vec![
            format!("all {routers} routers send the same in the same cycles, and every hop is a permutation of them"),
            format!(
                "no two of {claims} claims of a router, of {} in {}, meet within {}",
                counted(*words, "word"),
                counted(*steps, "step"),
                counted(*cycles, "cycle")
            ),
            format!(
                "each word takes {} for {}, and leaves {} after it came",
                counted(*hops, "hop"),
                counted(*exchanges, "exchange"),
                counted(latency[2], "cycle")
            ),
            result.clone(),
        ]
    }
}

/// Checks a program of exchanges on a network.
///
/// # Errors
/// [`CheckError::Exchange`] with what is wrong first.
pub fn check_exchange(network: &SwappedDragonfly, schedule: ExchangeSchedule) -> Result<CheckedExchange, CheckError> {
    let (program, hop) = (&schedule.program, schedule.hop);
    if hop.local == 0 || hop.global == 0 {
        return Err(CheckError::HopLatency { local: hop.local, global: hop.global });
    }
    well_formed(network, program)?;
    let of_all = schedule.to_program(network);
    let steps = Steps::new(hop, program, &of_all)?;
    let fault = |fault| steps.fault(network, fault);
    let table = Table::new(network, &of_all).map_err(fault)?;
    let channels = check_table(&table, &Rules::default(), &Goal::Open).map_err(fault)?;
    let registers = registers(&table, hop);
    if let Some(Meeting { claims: [a, b], cycle }) = registers.meeting(|_, _| false) {
        let steps = [a, b].map(|claim| steps.of_move[table.move_of[claim.owner as usize] as usize]);
        return Err(ExchangeError::Conflict { port: "the register in which packets stay".into(), cycle, steps }.into());
    }
    steps.operators(program)?;
    let result = judge(network, schedule.kind, program, &table, &steps.of_cycle).map_err(fault)??;
    let (first, last) = registers.extent().unwrap_or((u32::MAX, 0));
    let first = first.min(channels.start);
    let stays = registers.list().len() as u64 * u64::from(program.words);
    let longest = |step: &Step| step.sends.iter().map(|send| send.way.hops()).max().unwrap_or(0);
    let proof = ExchangeProof {
        method: "one router for all",
        routers: network.nodes() as u64,
        words: program.words,
        dimensions: dimensions(network),
        steps: program.steps.len(),
        exchanges: program.steps.iter().filter(|step| step.action != Action::Move).count(),
        hops: program.steps.iter().map(longest).sum(),
        claims: channels.claims * u64::from(program.words) + stays,
        stays,
        result,
        latency: [hop.local, hop.global, program.operator],
        cycles: (channels.start + channels.cycles).max(last + 1) - first,
    };
    let bounds = exchange_bounds::of(network, hop, schedule.kind, program.words, program.operator);
    let cycles = proof.cycles;
    Ok(Checked { network: *network, schedule, proof, found: (), cycles, bounds })
}

/// Checks that ports, words and dimensions are in range, and that every operand is there once.
fn well_formed(net: &SwappedDragonfly, program: &ExchangeProgram) -> Result<(), CheckError> {
    let (k, m) = (net.k(), net.m());
    let port = |port: &Port| match port {
        Port::Local(x) => (1..m).contains(x),
        Port::Global(x) => *x < k,
    };
    let one = |field: &Ports, n| header::members(field, n).is_some_and(|ports| ports.len() == 1);
    let way = |way: &Way| match way {
        Way::Ports(ports) => !ports.is_empty() && ports.iter().all(port),
        Way::Header(h) => {
            !h.broadcast && (1..=8).contains(&h.b) && one(&h.gamma, k) && one(&h.pi, m) && one(&h.delta, m)
        }
    };
    let exists = |action: Action| match action {
        Action::Move => true,
        Action::Combine { dimension } => dimension < dimensions(net),
        Action::Compare { dimension, stage } => dimension < stage && stage <= dimensions(net),
    };
    let starts = |step: &Step| step.train.burst > 0 && step.train.period >= step.train.burst;
    let whole = |step: &Step| {
        !step.sends.is_empty() && step.sends.iter().all(|s| way(&s.way)) && exists(step.action) && starts(step)
    };
    let cube = net.group() == Group::Xor && net.nodes().is_power_of_two();
    if !cube || program.words == 0 || program.steps.is_empty() || !program.steps.iter().all(whole) {
        return Err(ExchangeError::Malformed { k, m }.into());
    }
    let mut swapped = false;
    for (number, step) in program.steps.iter().enumerate() {
        let count = |operand| step.sends.iter().filter(|send| send.operand == operand).count();
        let exchange = usize::from(step.action != Action::Move);
        if count(Operand::Other) != exchange || count(Operand::Own) > 1 || count(Operand::Carry) > 1 {
            return Err(ExchangeError::Operands { step: number }.into());
        }
        let right = |operand, register| (operand == Operand::Carry) == (register == Register::Carry);
        let returns = count(Operand::Carry) == 0 || swapped && !step.swapped;
        let moves = swapped == step.swapped || count(Operand::Own) + count(Operand::Carry) > 0;
        if !returns || !moves || !step.sends.iter().all(|send| right(send.operand, send.register)) {
            let at = Coordinates(&net.label(NodeId::new(0))).to_string();
            return Err(ExchangeError::Misplaced { step: number, at }.into());
        }
        swapped = step.swapped;
    }
    Ok(())
}

/// Claims of the register of a router in which packets stay, each for the time of a local hop.
fn registers(table: &Table<'_, SwappedDragonfly>, hop: HopLatency) -> Claims<impl Fn(u32) -> (Train, u32)> {
    let first = |hop: u32| {
        (table.program.hops[hop as usize].parent.is_none()).then(|| (hop, table.of(hop).at, table.entry[hop as usize]))
    };
    let first = (0..table.program.hops.len() as u32).filter_map(first);
    let waits = table.waits().into_iter().map(|wait| (wait.hop, wait.since, wait.until)).chain(first);
    let claim = |(owner, since, until): (u32, u32, u32)| {
        let cycles = (since..until).step_by(hop.local as usize);
        cycles.map(move |cycle| Claim { place: 0, cycle, owner, origin: NodeId::new(0) })
    };
    Claims::new(waits.flat_map(claim).collect(), |hop| table.train(hop))
}

/// Steps of the moves and operations of a program.
struct Steps {
    /// Step of each move, by move.
    of_move: Vec<usize>,
    /// Step by the cycle in which the operands of its word 0 are there.
    of_cycle: BTreeMap<u32, usize>,
    /// Cycle in which the operands of word 0 are there, by step.
    there: Vec<u32>,
    /// Cycle in which the inputs are there, by operation.
    ops: Vec<u32>,
}

impl Steps {
    fn new(hop: HopLatency, program: &ExchangeProgram, of_all: &Program) -> Result<Self, ExchangeError> {
        let of = |(step, of): (usize, &Step)| of.sends.iter().map(move |_| step).collect::<Vec<_>>();
        let of_move = program.steps.iter().enumerate().flat_map(of).collect();
        let mut there = Vec::with_capacity(program.steps.len());
        for (number, step) in program.steps.iter().enumerate() {
            let cycles: BTreeSet<u32> = step.sends.iter().map(|send| cycles(&send.way, hop)).collect();
            if cycles.len() > 1 {
                return Err(ExchangeError::Apart { step: number });
            }
            there.push(step.start + cycles.first().copied().unwrap_or(0));
        }
        let of_cycle = there.iter().copied().zip(0..).collect();
        Ok(Self { of_move, of_cycle, there, ops: of_all.ops.iter().map(|op| op.at).collect() })
    }

    /// Checks that a router receives the operands of at most one word a cycle.
    fn operators(&self, program: &ExchangeProgram) -> Result<(), ExchangeError> {
        let claim = |(owner, &cycle): (u32, &u32)| Claim { place: 0, cycle, owner, origin: NodeId::new(0) };
        let train = |step: u32| (program.steps[step as usize].train, program.words);
        match Claims::new((0..).zip(&self.there).map(claim).collect(), train).meeting(|_, _| false) {
            None => Ok(()),
            Some(Meeting { claims: [a, b], cycle }) => {
                Err(ExchangeError::Operator { step: a.owner.max(b.owner) as usize, cycle })
            }
        }
    }

    /// The fault of the program in terms of steps.
    fn fault(&self, net: &SwappedDragonfly, fault: ProgramFault) -> CheckError {
        let of_operation = |index: u32| self.of_cycle[&self.ops[index as usize]];
        match fault {
            ProgramFault::Clash(clash) => {
                let port = net.port_name(clash.port as usize);
                ExchangeError::Conflict {
                    port,
                    cycle: clash.cycle,
                    steps: clash.moves.map(|index| self.of_move[index as usize]),
                }
                .into()
            }
            ProgramFault::Early { user, batch: word, cycle, ready, .. } => {
                let step = match user {
                    User::Move(index) => self.of_move[index as usize],
                    User::Operation(index) => of_operation(index),
                };
                ExchangeError::Early { step, word, cycle, ready }.into()
            }
            ProgramFault::Unmade { operation, at, .. } => {
                ExchangeError::Misplaced { step: of_operation(operation), at }.into()
            }
            other => CheckError::Program(other),
        }
    }
}

/// Cycles of a way, those at the end of which the packet stays included: local hops are those at odd b.
fn cycles(way: &Way, hop: HopLatency) -> u32 {
    let of = |local: bool| if local { hop.local } else { hop.global };
    match way {
        Way::Ports(ports) => ports.iter().map(|port| of(matches!(port, Port::Local(_)))).sum(),
        Way::Header(header) => (1..=header.b).map(|b| of(b % 2 == 1)).sum(),
    }
}
