//! Registry of the algorithms for all-to-all.

use super::closed_forms::CLOSED_FORMS;
use super::{AlgorithmEntry, AllToAllRequest, Plan, best, no_wait};
use crate::program::form::swapped_dragonfly::all_to_all::AllToAllSchedule;
use crate::schedule::ScheduleError;
use crate::topology::SwappedDragonfly;

/// All algorithms; where cycles are equal, `best` takes the first.
pub fn all_to_all_algorithms() -> impl Iterator<Item = &'static AlgorithmEntry> {
    CLOSED_FORMS.iter().chain([&no_wait::ENTRY])
}

/// Schedules all-to-all.
///
/// # Errors
/// [`ScheduleError`] if the request names an unknown algorithm, or one that does not apply to the network or its parameters.
pub fn schedule_all_to_all(
    net: &SwappedDragonfly,
    request: &AllToAllRequest,
) -> Result<AllToAllSchedule, ScheduleError> {
    let (algorithm, plan) = if request.algorithm == "best" {
        best::schedule(net, request)?
    } else {
        let known = || all_to_all_algorithms().map(|entry| entry.name);
        let unknown = || ScheduleError::unknown("all-to-all", request.algorithm, known());
        let entry = all_to_all_algorithms().find(|entry| entry.name == request.algorithm).ok_or_else(unknown)?;
        (entry.name, (entry.schedule)(net, request)?)
    };
    let program = plan.program();
    let counter = match plan {
        Plan::Table(_) => None,
        Plan::Counters(counters) => Some(counters),
    };
    Ok(AllToAllSchedule { algorithm, hop: request.hop, program, counter })
}
