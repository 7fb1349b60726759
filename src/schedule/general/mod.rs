//! Schedules of any demand on any network. A file per algorithm, all of them behind [`Scheduler`].
//!
//! # Adding an algorithm
//! Write a file with a type that is a [`Scheduler`] and list it in [`SCHEDULERS`].

mod problem;
mod trees;

pub use problem::{Effort, Made, PortModel, Problem};

use super::ScheduleError;

/// An algorithm that schedules any demand it fits.
pub trait Scheduler: Sync {
    /// Name in a specification.
    fn name(&self) -> &'static str;

    /// The algorithm in a sentence.
    fn about(&self) -> &'static str;

    /// Schedules a problem; None if the algorithm does not apply to it.
    fn schedule(&self, problem: &Problem, effort: &Effort) -> Option<Made>;
}

/// All algorithms; where cycles are equal, `best` takes the first.
pub const SCHEDULERS: &[&dyn Scheduler] = &[&trees::Trees];

/// Schedules a problem by the algorithm of this name, or by all that apply if it is `best`.
///
/// # Errors
/// [`ScheduleError`] for a name that is not known, and for an algorithm that does not apply.
pub fn schedule(problem: &Problem, algorithm: &str, effort: &Effort) -> Result<Made, ScheduleError> {
    let known = || SCHEDULERS.iter().map(|scheduler| scheduler.name());
    if algorithm != "best" && !known().any(|name| name == algorithm) {
        return Err(ScheduleError::unknown("general", algorithm, known()));
    }
    let asked = SCHEDULERS.iter().filter(|scheduler| algorithm == "best" || scheduler.name() == algorithm);
    let made = asked.filter_map(|scheduler| scheduler.schedule(problem, effort));
    made.min_by_key(|made| made.cycles).ok_or_else(|| ScheduleError::NoFit { algorithm: algorithm.to_owned() })
}
