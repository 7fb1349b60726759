//! Registry of the collectives that run on any network, a line each, in the order in which messages list them.

use super::kind::{Kind, Part};
use super::{all_gather, all_reduce, all_to_all, broadcast, gather, packets, reduce, reduce_scatter, scatter};
use crate::collective::exchange::COMBINING;

/// Collectives that run on any network.
pub const KINDS: &[&Kind] = &[
    &all_to_all::KIND,
    &all_gather::KIND,
    &broadcast::KIND,
    &gather::KIND,
    &scatter::KIND,
    &reduce::KIND,
    &reduce_scatter::KIND,
    &all_reduce::KIND,
    &packets::PERMUTATION,
    &packets::H_RELATION,
];

/// True if a collective of this name combines words by an operator, on any network or along the dimensions of a hypercube.
pub fn combines(kind: &str) -> bool {
    let known = KINDS.iter().any(|known| known.name == kind && known.parts.contains(&Part::Operator));
    known || COMBINING.contains(&kind)
}
