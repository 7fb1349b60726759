//! Traffic without a schedule: the works that commands take in place of scheduled ones.

mod pops_dynamic;
mod traffic;

pub use traffic::UnscheduledTraffic;

use super::Context;
use crate::spec::Spec;

/// Work of a specification whose hardware follows no schedule; None for any other specification.
pub fn work(spec: &Spec, context: &Context) -> Option<Box<dyn UnscheduledTraffic>> {
    Some(Box::new(pops_dynamic::work(spec, context)?))
}
