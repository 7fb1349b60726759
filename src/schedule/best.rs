//! The fewest cycles of all algorithms that apply.

use super::{ALGORITHMS, AlgorithmEntry, AllToAllRequest, Plan, ScheduleError, no_wait, uniform_bound};
use crate::topology::SwappedDragonfly;

/// Most seconds that the search of `no-wait` gets here; by its own name it gets the whole time limit.
const SEARCH_S: u32 = 2;

/// Cycles beyond which the one or two that a search can save are not worth its time here.
const SEARCH_CYCLES: u64 = 128;

/// Tries every other algorithm and keeps the first of those with the fewest cycles for all passes together.
///
/// # Errors
/// None in practice: window rounds apply to every network.
pub(super) fn schedule(
    net: &SwappedDragonfly,
    request: &AllToAllRequest,
) -> Result<(&'static str, Plan), ScheduleError> {
    let time_limit_s = request.time_limit_s.min(SEARCH_S);
    let entries = ALGORITHMS.iter().filter(|entry| entry.name != "no-wait" || uniform_bound(net) <= SEARCH_CYCLES);
    of(entries, net, &AllToAllRequest { s: None, pipeline: None, time_limit_s, ..*request })
}

/// The first of some algorithms with the fewest cycles for all passes together.
pub(super) fn of<'a>(
    entries: impl Iterator<Item = &'a AlgorithmEntry>,
    net: &SwappedDragonfly,
    request: &AllToAllRequest,
) -> Result<(&'static str, Plan), ScheduleError> {
    let mut best: Option<(u64, &'static str, Plan)> = None;
    for entry in entries {
        let least = best.as_ref().map_or(u64::MAX, |(cost, ..)| *cost);
        let rows = (entry.least_rows)(net);
        let reachable = u64::from(request.passes.max(1) - 1) * rows + rows.max(no_wait::bound(net, request.hop));
        if reachable >= least || (request.counters && entry.tables_only) {
            continue;
        }
        let Ok(plan) = (entry.schedule)(net, request) else { continue };
        if request.counters && matches!(plan, Plan::Table(_)) {
            continue; // the paper's delays, which no counter form is known for
        }
        let cost = plan.program().cost(request.hop, request.passes);
        if cost < least {
            best = Some((cost, entry.name, plan));
        }
    }
    best.map(|(_, name, plan)| (name, plan)).ok_or_else(|| ScheduleError::does_not_apply("best", net, "K ≥ 1, M ≥ 2"))
}
