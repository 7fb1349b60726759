//! Request of an all-to-all, the plan that answers it, and the entry of an algorithm that makes one.

use crate::collective::ProductKind;
use crate::program::form::swapped_dragonfly::counter::CounterProgram;
use crate::program::form::swapped_dragonfly::uniform::{HopLatency, UniformProgram};
use crate::schedule::{Pipeline, ScheduleError};
use crate::topology::SwappedDragonfly;

/// Request of an all-to-all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AllToAllRequest<'a> {
    /// `best` or the name of one of [`all_to_all_algorithms`](super::all_to_all_algorithms).
    pub algorithm: &'a str,
    /// Vectors a round of the paper's; `None` is the best choice.
    pub s: Option<u32>,
    /// Pipeline of the paper's rounds; `None` is the best choice.
    pub pipeline: Option<Pipeline>,
    /// Cycles a hop.
    pub hop: HopLatency,
    /// All-to-alls that follow one another without a gap (words of a message times repetitions), at least 1.
    pub passes: u32,
    /// True if `best` takes only programs with a counter form.
    pub counters: bool,
    /// Effort of the searches, in seconds of a typical machine; the result does not depend on the real time.
    pub time_limit_s: u32,
    /// Seed of the searches.
    pub seed: u64,
}

impl<'a> AllToAllRequest<'a> {
    /// One pass by this algorithm, its parameters left to it, with the least effort of a search.
    pub fn new(algorithm: &'a str, hop: HopLatency) -> Self {
        Self { algorithm, s: None, pipeline: None, hop, passes: 1, counters: false, time_limit_s: 1, seed: 0 }
    }
}

/// Result of an algorithm: a table, or counters from which the table follows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Plan {
    /// A table without a known counter form.
    Table(UniformProgram),
    /// Nested counters.
    Counters(CounterProgram),
}

impl Plan {
    /// The table.
    pub fn program(&self) -> UniformProgram {
        match self {
            Plan::Table(program) => program.clone(),
            Plan::Counters(counters) => counters.program(),
        }
    }
}

/// An algorithm by name.
pub struct AlgorithmEntry {
    /// The name in a specification.
    pub name: &'static str,
    /// One line for people.
    pub about: &'static str,
    /// Makes a program.
    pub schedule: fn(&SwappedDragonfly, &AllToAllRequest) -> Result<Plan, ScheduleError>,
    /// Lower bound on the rows of the algorithm's programs.
    pub least_rows: fn(&SwappedDragonfly) -> u64,
    /// True if its programs are tables without a counter form.
    pub tables_only: bool,
}

/// Request of a product.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProductRequest<'a> {
    /// `best` or the name of one of [`ALGORITHMS`](super::product::ALGORITHMS).
    pub algorithm: &'a str,
    /// Kind of product.
    pub kind: ProductKind,
    /// Rows and columns of a block, at least 1.
    pub block: u32,
    /// Cycles from an arrival to its product or sum.
    pub mac_cycles: u32,
    /// Cycles a hop.
    pub hop: HopLatency,
}

/// Error of an algorithm that needs other sizes of the network.
pub(super) fn does_not_apply(algorithm: &'static str, net: &SwappedDragonfly, needs: &'static str) -> ScheduleError {
    ScheduleError::DoesNotApply { algorithm, network: net.to_string(), needs }
}
