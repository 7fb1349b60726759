//! Result of an algorithm.

use crate::program::form::pops::Hop;

/// Hops of a schedule, and its number of slots.
pub(super) type Found = (Vec<Hop>, u32);
