//! Traffic without a schedule, which commands take in place of a scheduled collective.

mod pops_dynamic;
mod traffic;

pub use traffic::{Fields, UnscheduledTraffic, without};

use super::Context;
use crate::spec::Spec;

/// Work of a specification whose hardware follows no schedule; None for any other specification.
pub fn work(spec: &Spec, context: &Context) -> Option<Box<dyn UnscheduledTraffic>> {
    Some(Box::new(pops_dynamic::of(spec, context)?))
}
