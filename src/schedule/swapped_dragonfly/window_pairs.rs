//! Window rounds in pairs for K ≥ M: 2KM hop-cycles (+1 if KM is odd), which meets the bound of the uniform programs.
//!
//! Each round uses every local port both first and last, so rounds one clash distance apart always meet. A burst of one
//! clash distance (a pair, where hops take one cycle) is followed by a pause of the same length.

use super::{AllToAllRequest, Plan, window};
use crate::schedule::ScheduleError;
use crate::topology::SwappedDragonfly;

/// Schedules all-to-all by window rounds in pairs.
///
/// # Errors
/// [`ScheduleError::DoesNotApply`] for K < M.
pub fn schedule(net: &SwappedDragonfly, request: &AllToAllRequest) -> Result<Plan, ScheduleError> {
    if net.k() < net.m() {
        return Err(super::request::does_not_apply("window-pairs", net, "K ≥ M"));
    }
    Ok(Plan::Counters(window::bursts(net, request.hop.clash_distance())))
}
