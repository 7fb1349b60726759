//! Registry of the collectives that run on any network, a line each, in the order in which messages list them.

use super::kind::Kind;
use super::{all_gather, all_reduce, all_to_all, broadcast, gather, packets, reduce, reduce_scatter, scatter};

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
