//! The proof for exchanges: one router's claims stand for all, and every word is followed to what the collective demands.
//!
//! Properties that are proved of an [`ExchangeProgram`], in which all routers send the same packets in the same cycles:
//!
//! 1. *No conflict*: every hop takes all routers over the same port, and is a permutation of them, so no channel, loopbacks and the
//!    register in which a packet stays included, is claimed by two packets in the same cycle if no port is, of all words and steps.
//! 2. *Causality*: a word leaves when it is there and the operator is done with it, which keeps it as long where it is only moved.
//! 3. *One operator*: the operands of a word arrive together, and a router combines the operands of one word a cycle.
//! 4. *The result*: see `exchange_outcome.rs`.
//!
//! Causality and conflicts are those of the packets that are sent; neither the order of dimensions nor where nodes are is trusted.

use super::bound_list::BoundList;
use super::error::CheckError;
pub use super::exchange_fault::ExchangeError;
use super::exchange_walk::dimensions;
use super::{exchange_bounds, exchange_outcome, exchange_walk};
use crate::collective::ExchangeKind;
use crate::schedule::HopLatency;
use crate::schedule::exchange::ExchangeSchedule;
use crate::schedule::exchange_program::{Action, ExchangeProgram, Operand, Port, Register, Step, Way};
use crate::topology::headers::Header;
use crate::topology::swapped_dragonfly::Group;
use crate::topology::{SwappedDragonfly, Topology};
use serde::Serialize;
use std::collections::BTreeSet;

/// A program of exchanges of which it is proved that it does what the collective demands. Made by [`check_exchange`] alone.
#[derive(Debug, Clone)]
pub struct CheckedExchange {
    network: SwappedDragonfly,
    schedule: ExchangeSchedule,
    proof: ExchangeProof,
    bounds: BoundList,
}

/// A hop of word 0 of a step, at every router.
struct Hop {
    step: usize,
    /// The number of ports if the packet stays.
    port: usize,
    cycle: u32,
}

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

impl ExchangeProof {
    /// The argument, a step a line.
    pub fn lines(&self) -> Vec<String> {
        let Self { routers, words, steps, exchanges, hops, claims, result, cycles, latency, .. } = self;
        vec![
            format!("all {routers} routers send the same in the same cycles, and every hop is a permutation of them"),
            format!(
                "no two of {claims} claims of a router, of {words} words in {steps} steps, meet within {cycles} cycles"
            ),
            format!(
                "each word takes {hops} hops for {exchanges} exchanges, and leaves {} cycles after it came",
                latency[2]
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
    let mut hops = Vec::new();
    let mut latencies = Vec::new();
    for (number, step) in program.steps.iter().enumerate() {
        let mut latency = None;
        for send in &step.sends {
            let claim =
                |h: exchange_walk::Hop| hops.push(Hop { step: number, port: h.port, cycle: step.start + h.offset });
            let walk = exchange_walk::walk(network, hop, &send.way, claim);
            let walk = walk.map_err(|hop| ExchangeError::NotAlike { step: number, hop })?;
            if *latency.get_or_insert(walk.latency) != walk.latency {
                return Err(ExchangeError::Apart { step: number }.into());
            }
        }
        latencies.extend(latency);
    }
    let (cycles, stays) = conflicts(network, program, &hops)?;
    causality(program, &latencies)?;
    let result = exchange_outcome::judge(network, hop, schedule.kind, program)?;
    let claims = hops.len() as u64 * u64::from(program.words);
    let longest = |step: &Step| step.sends.iter().map(|send| send.way.hops()).max().unwrap_or(0);
    let proof = ExchangeProof {
        method: "one router for all",
        routers: network.nodes() as u64,
        words: program.words,
        dimensions: dimensions(network),
        steps: program.steps.len(),
        exchanges: program.steps.iter().filter(|step| step.action != Action::Move).count(),
        hops: program.steps.iter().map(longest).sum(),
        claims,
        stays,
        result,
        latency: [hop.local, hop.global, program.operator],
        cycles,
    };
    let bounds = exchange_bounds::of(network, hop, schedule.kind, program.words, program.operator);
    Ok(CheckedExchange { network: *network, schedule, proof, bounds })
}

/// Checks that ports, words and dimensions are in range, and that every operand is there once.
fn well_formed(net: &SwappedDragonfly, program: &ExchangeProgram) -> Result<(), CheckError> {
    let (k, m) = (net.k(), net.m());
    let port = |port: &Port| match port {
        Port::Local(x) => (1..m).contains(x),
        Port::Global(x) => *x < k,
    };
    let header = |h: &Header| {
        let one = |ports: &crate::topology::headers::Ports, n| ports.list(n).len() == 1 && ports.list(n)[0] < n;
        !h.broadcast && (1..=8).contains(&h.b) && one(&h.gamma, k) && one(&h.pi, m) && one(&h.delta, m)
    };
    let way = |way: &Way| match way {
        Way::Ports(ports) => !ports.is_empty() && ports.iter().all(port),
        Way::Header(h) => header(h),
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
    for (number, step) in program.steps.iter().enumerate() {
        let count = |operand| step.sends.iter().filter(|send| send.operand == operand).count();
        let exchange = usize::from(step.action != Action::Move);
        if count(Operand::Other) != exchange || count(Operand::Own) > 1 || count(Operand::Carry) > 1 {
            return Err(ExchangeError::Operands { step: number }.into());
        }
    }
    Ok(())
}

/// Holds all claims of a router against each other; the cycles in all, and the claims of packets that stay.
fn conflicts(net: &SwappedDragonfly, program: &ExchangeProgram, hops: &[Hop]) -> Result<(u32, u64), ExchangeError> {
    let mut claims: Vec<(usize, u32, usize)> = Vec::with_capacity(hops.len() * program.words as usize);
    for hop in hops {
        let train = program.steps[hop.step].train;
        claims.extend((0..program.words).map(|word| (hop.port, hop.cycle + train.start(word), hop.step)));
    }
    claims.sort_unstable();
    if let Some(two) = claims.windows(2).find(|two| (two[0].0, two[0].1) == (two[1].0, two[1].1)) {
        let port = match two[0].0 {
            port if port == net.ports() => "the register in which packets stay".to_owned(),
            port => net.port_name(port),
        };
        return Err(ExchangeError::Conflict { port, cycle: two[0].1, steps: [two[0].2, two[1].2] });
    }
    let cycles = || claims.iter().map(|claim| claim.1);
    let first = cycles().min().unwrap_or(0);
    let stays = claims.iter().filter(|claim| claim.0 == net.ports()).count() as u64;
    Ok((cycles().max().map_or(0, |last| last + 1 - first), stays))
}

/// When each word is in each register, and when the operator is used.
fn causality(program: &ExchangeProgram, latencies: &[u32]) -> Result<(), ExchangeError> {
    let index = |register| match register {
        Register::Value => 0,
        Register::Carry => 1,
    };
    let mut ready = vec![[0_u32; 2]; program.words as usize];
    let mut used = BTreeSet::new();
    for (number, (step, latency)) in program.steps.iter().zip(latencies).enumerate() {
        for word in 0..program.words {
            let leaves = step.start + step.train.start(word);
            let registers = &mut ready[word as usize];
            let from = step.sends.iter().map(|send| registers[index(send.register)]).max().unwrap_or(0);
            if leaves < from {
                return Err(ExchangeError::Early { step: number, word, cycle: leaves, ready: from });
            }
            let there = leaves + latency;
            if !used.insert(there) {
                return Err(ExchangeError::Operator { step: number, cycle: there });
            }
            let done = there + program.operator;
            *registers = registers.map(|earlier| earlier.max(done));
        }
    }
    Ok(())
}

impl CheckedExchange {
    /// The network.
    pub fn network(&self) -> SwappedDragonfly {
        self.network
    }

    /// Kind of exchange.
    pub fn kind(&self) -> ExchangeKind {
        self.schedule.kind
    }

    /// Clock cycles of the hops.
    pub fn hop(&self) -> HopLatency {
        self.schedule.hop
    }

    /// The name of the algorithm that made the schedule.
    pub fn algorithm(&self) -> &'static str {
        self.schedule.algorithm
    }

    /// The schedule that was checked.
    pub fn schedule(&self) -> &ExchangeSchedule {
        &self.schedule
    }

    /// Program of every router.
    pub fn program(&self) -> &ExchangeProgram {
        &self.schedule.program
    }

    /// Clock cycles from the first claimed one to the last, both included.
    pub fn cycles(&self) -> u32 {
        self.proof.cycles
    }

    /// Proof of the verdict.
    pub fn proof(&self) -> &ExchangeProof {
        &self.proof
    }

    /// Lower bounds on the cycles.
    pub fn bounds(&self) -> &BoundList {
        &self.bounds
    }

    /// Cycles over the bound of exchanges along all dimensions.
    pub fn ratio(&self) -> f64 {
        self.bounds.ratio(self.cycles())
    }
}
