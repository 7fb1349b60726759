//! Schedules of all-to-all, and the program that one stands for.

use super::counter::CounterProgram;
use super::uniform::{HopLatency, UniformProgram};
use crate::program::Program;
use crate::topology::SwappedDragonfly;

/// A schedule of all-to-all: the program of every router, not yet checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AllToAllSchedule {
    /// Name of the algorithm that made it, never `best`.
    pub algorithm: &'static str,
    /// Cycles a hop.
    pub hop: HopLatency,
    /// The table.
    pub program: UniformProgram,
    /// Counters that produce the same table, if such a form is known.
    pub counter: Option<CounterProgram>,
}

impl AllToAllSchedule {
    /// The program of all routers: a message for each source vector.
    pub fn to_program(&self, net: &SwappedDragonfly) -> Program {
        self.program.to_program(net, self.hop)
    }
}
