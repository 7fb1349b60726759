//! The checker: it never trusts a scheduler, and shares no code with one.
//!
//! # What is proved
//!
//! A network is a set of directed channels. A packet that *enters* a channel of latency H in cycle t can leave the far
//! end from cycle t+H on. A channel takes at most one packet a cycle, whatever its latency. [`program`](mod@program)
//! proves of the program of any schedule, on any network, that
//!
//! 1. *No conflict*: no channel, loopbacks included, is claimed by two packets in the same cycle.
//! 2. *Causality*: every packet is where it leaves from, from the start of that cycle on; so are the inputs of operations.
//! 3. *Waiting*: packets wait nowhere, or no more of them at once than it counts.
//! 4. *Delivery* and *result*: all arrive where the collective says, once, or combined as it says.
//! 5. *Period*: started again every `period` cycles, any number of times, the program still has no conflict.
//!
//! Lowering, simulation and export read this program, so the proof is about this program. The scheduler and
//! `to_program`, which made it, are not trusted. Each family adds what is its own: bounds, sentences, and the hardware
//! that a program does not show.
//!
//! | schedule | file | besides the program |
//! |---|---|---|
//! | all-to-all on D3(K,M) | [`symmetric`] | ports are where the numbering of D3 has them; seconds for 10⁵ routers |
//! | broadcast | [`stream`] | headers say what the program says; registers in which packets stay |
//! | all-reduce, scan, sort | [`exchange`] | registers; one operator a router; Batcher's comparisons |
//! | products | [`product`] | registers; products that a router holds; above a million sends, nothing but what is followed there |
//! | products in trains | [`product_trains`] | followed block by block: see there |
//! | POPS | [`pops`] | buffers; above a million hops, nothing but what is followed there |
//!
//! [`judge`](mod@judge) follows single transfers of any schedule in full on any network; below a million transfers `metronoc check` asks
//! both, and they must agree. [`bounds`] and, for any demand on any network, [`graph_bounds`] say how far from optimal a schedule can be at
//! most.

pub mod bound_list;
pub mod bounds;
mod checked;
pub mod claims;
mod distance;
pub mod embedding;
pub mod error;
pub mod exchange;
mod exchange_bounds;
mod exchange_fault;
mod exchange_outcome;
pub mod flood;
pub mod graph_bounds;
mod header;
pub mod judge;
pub mod pops;
mod pops_bounds;
mod pops_fault;
pub mod product;
mod product_bounds;
mod product_claims;
pub mod product_fault;
mod product_map;
pub mod product_program;
pub mod product_trains;
pub mod program;
mod routing_bound;
pub mod stream;
mod stream_bounds;
pub mod symmetric;
pub mod symmetry;
mod verdict;

pub use bound_list::BoundList;
pub use checked::Checked;
pub use embedding::{CheckedEmbedding, check_embedding};
pub use error::CheckError;
pub use exchange::{CheckedExchange, check_exchange};
pub use pops::{CheckedPops, check_pops};
pub use product::{CheckedProduct, check_product};
pub use product_trains::{CheckedTrains, check_trains};
pub use stream::{CheckedStream, check_stream};
pub use symmetric::Proof;
use symmetric::Proved;
pub use symmetry::Shape;
pub use verdict::Verdict;

use crate::program::form::all_to_all::AllToAllSchedule;
use crate::topology::SwappedDragonfly;
use serde::Serialize;

/// Schedule of all-to-all that holds: of every router to every router, itself included, exactly one packet arrives, and none waits.
pub type CheckedAllToAll = Checked<SwappedDragonfly, AllToAllSchedule, Proof, Period>;

/// Smallest number of cycles, not below the program's rows, after which a program can start again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Period(u32);

impl CheckedAllToAll {
    /// The smallest number of cycles, not below the program's rows, after which the program can start again.
    pub fn period(&self) -> u32 {
        self.found.0
    }

    /// The verdict for programs, with the cycles.
    pub fn summary(&self) -> Summary<'_> {
        Summary { cycles: self.cycles, period: self.period(), verdict: self.verdict(self.proof.lines()) }
    }

    /// Checks that the program can be started again every `period` cycles.
    ///
    /// # Errors
    /// [`CheckError::PeriodConflict`] with two launches that meet.
    pub fn check_period(&self, period: u32) -> Result<(), CheckError> {
        let shape = Shape { k: self.network.k(), m: self.network.m() };
        symmetric::check_period(shape, self.schedule.hop, &self.schedule.program, period)
    }
}

/// Verdict on a schedule of all-to-all, as JSON.
#[derive(Debug, Serialize)]
pub struct Summary<'a> {
    /// Clock cycles from the first claimed one to the last, both included.
    pub cycles: u32,
    /// Cycles after which the program can start again.
    pub period: u32,
    /// Bounds, proof and argument.
    #[serde(flatten)]
    pub verdict: Verdict<'a, Proof>,
}

/// Checks a schedule for every router of a network.
///
/// # Errors
/// [`CheckError`] of the first violation, with its place and the remedy.
pub fn check(network: &SwappedDragonfly, schedule: AllToAllSchedule) -> Result<CheckedAllToAll, CheckError> {
    let shape = Shape { k: network.k(), m: network.m() };
    let Proved { cycles, period, proof } = symmetric::prove(network, shape, schedule.hop, &schedule.program)?;
    let bounds = bounds::of(shape);
    Ok(Checked { network: *network, schedule, proof, found: Period(period), cycles, bounds })
}
