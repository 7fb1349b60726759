//! The fewest cycles of all algorithms that apply.

use super::closed_forms::{CLOSED_FORMS, best_of};
use super::{AllToAllRequest, Plan, ScheduleError, no_wait, uniform_bound};
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
    let search = (uniform_bound(net) <= SEARCH_CYCLES).then_some(&no_wait::ENTRY);
    best_of(
        CLOSED_FORMS.iter().chain(search),
        net,
        &AllToAllRequest { s: None, pipeline: None, time_limit_s, ..*request },
    )
}
