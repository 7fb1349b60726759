//! The fewest cycles of all algorithms that apply.

use super::{ALGORITHMS, AllToAllRequest, Plan, ScheduleError};
use crate::topology::SwappedDragonfly;

/// Tries every closed form and keeps the first of those with the fewest cycles for all passes together.
///
/// # Errors
/// None in practice: window rounds apply to every network.
pub(super) fn closed_form(
    net: &SwappedDragonfly,
    request: &AllToAllRequest,
) -> Result<(&'static str, Plan), ScheduleError> {
    let request = &AllToAllRequest { s: None, pipeline: None, ..*request };
    let mut best: Option<(u64, &'static str, Plan)> = None;
    for entry in ALGORITHMS.iter().filter(|entry| !entry.is_search) {
        let least = best.as_ref().map_or(u64::MAX, |(cost, ..)| *cost);
        if u64::from(request.passes) * (entry.least_rows)(net) >= least {
            continue;
        }
        let Ok(plan) = (entry.schedule)(net, request) else { continue };
        let cost = plan.program().cost(request.hop, request.passes);
        if cost < least {
            best = Some((cost, entry.name, plan));
        }
    }
    best.map(|(_, name, plan)| (name, plan)).ok_or_else(|| ScheduleError::does_not_apply("best", net, "K ≥ 1, M ≥ 2"))
}
