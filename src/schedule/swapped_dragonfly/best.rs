//! The fewest cycles of all algorithms that apply.

use super::closed_forms::{CLOSED_FORMS, best_of};
use super::{AllToAllRequest, Plan, no_wait};
use crate::schedule::ScheduleError;
use crate::topology::SwappedDragonfly;

/// Tries every other algorithm with the same time limit and keeps the first of those with the fewest cycles for all passes together. The
/// search comes last, and only where the others are above the bound.
///
/// # Errors
/// None in practice: window rounds apply to every network.
pub(super) fn schedule(
    net: &SwappedDragonfly,
    request: &AllToAllRequest,
) -> Result<(&'static str, Plan), ScheduleError> {
    let request = AllToAllRequest { s: None, pipeline: None, ..*request };
    best_of(CLOSED_FORMS.iter().chain([&no_wait::ENTRY]), net, &request)
}
