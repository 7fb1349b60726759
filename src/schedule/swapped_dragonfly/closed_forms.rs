//! Algorithms of the all-to-all in closed form, and the best of them.

use super::request::{AlgorithmEntry, AllToAllRequest, Plan};
use super::uniform::{uniform_bound, uniform_cycles};
use super::{doubly_parallel, half_window, window, window_pairs};
use crate::schedule::ScheduleError;
use crate::topology::SwappedDragonfly;

/// Algorithms in closed form; where cycles are equal, `best` takes the first.
pub(super) const CLOSED_FORMS: &[AlgorithmEntry] = &[
    AlgorithmEntry {
        name: "window-pairs",
        about: "windows of M vectors in pairs, K ≥ M: 2KM cycles",
        schedule: window_pairs::schedule,
        least_rows: uniform_bound,
        tables_only: false,
    },
    AlgorithmEntry {
        name: "window",
        about: "windows of min(K,M) vectors, 2K ≤ M: M² + 2 cycles",
        schedule: window::schedule,
        least_rows: uniform_bound,
        tables_only: false,
    },
    AlgorithmEntry {
        name: "half-window",
        about: "half windows, 2K ≥ M: 2KM + 2 cycles",
        schedule: half_window::schedule,
        least_rows: uniform_bound,
        tables_only: false,
    },
    AlgorithmEntry {
        name: "doubly-parallel",
        about: "the paper's rounds of s vectors, s dividing K and M",
        schedule: doubly_parallel::schedule,
        least_rows: doubly_parallel::least_rows,
        tables_only: false,
    },
];

/// The first of some algorithms with the fewest cycles for all passes together.
pub(super) fn best_of<'a>(
    entries: impl Iterator<Item = &'a AlgorithmEntry>,
    net: &SwappedDragonfly,
    request: &AllToAllRequest,
) -> Result<(&'static str, Plan), ScheduleError> {
    let mut best: Option<(u64, &'static str, Plan)> = None;
    for entry in entries {
        let least = best.as_ref().map_or(u64::MAX, |(cost, ..)| *cost);
        let rows = (entry.least_rows)(net);
        let reachable = u64::from(request.passes.max(1) - 1) * rows + rows.max(uniform_cycles(net, request.hop));
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
    best.map(|(_, name, plan)| (name, plan)).ok_or_else(|| super::request::does_not_apply("best", net, "K ≥ 1, M ≥ 2"))
}
