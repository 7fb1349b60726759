//! Check of an all-to-all: seconds for 10⁵ routers, as one router's program stands for all.

use super::bounds;
use super::symmetric::{self, Proved, SymmetricProof};
use super::symmetry::Shape;
use crate::check::swapped_dragonfly::CheckError;
use crate::check::{Checked, Verdict};
use crate::program::form::swapped_dragonfly::all_to_all::AllToAllSchedule;
use crate::topology::SwappedDragonfly;
use serde::Serialize;

/// Schedule of all-to-all that holds: of every router to every router, itself included, exactly one packet arrives, and none waits.
pub type CheckedAllToAll = Checked<SwappedDragonfly, AllToAllSchedule, SymmetricProof, Period>;

/// Smallest number of cycles, not below the program's rows, after which a program can start again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Period(u32);

impl CheckedAllToAll {
    /// The smallest number of cycles, not below the program's rows, after which the program can start again.
    pub fn period(&self) -> u32 {
        self.found.0
    }

    /// The verdict for programs, with the cycles.
    pub fn summary(&self) -> AllToAllSummary<'_> {
        AllToAllSummary { cycles: self.cycles, period: self.period(), verdict: self.verdict() }
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
pub struct AllToAllSummary<'a> {
    /// Clock cycles from the first claimed one to the last, both included.
    pub cycles: u32,
    /// Cycles after which the program can start again.
    pub period: u32,
    /// Bounds, proof and argument.
    #[serde(flatten)]
    pub verdict: Verdict<'a, SymmetricProof>,
}

/// Checks a schedule for every router of a network.
///
/// # Errors
/// [`CheckError`] of the first violation, with its place and the remedy.
pub fn check_all_to_all(network: &SwappedDragonfly, schedule: AllToAllSchedule) -> Result<CheckedAllToAll, CheckError> {
    let shape = Shape { k: network.k(), m: network.m() };
    let Proved { cycles, period, proof } = symmetric::prove(network, shape, schedule.hop, &schedule.program)?;
    let bounds = bounds::of(shape);
    Ok(Checked { network: *network, schedule, proof, found: Period(period), cycles, bounds })
}
