//! `[network]` of a hierarchical dual-net.

use super::general::NetworkOptions;
use crate::topology::hierarchical_dual_net::Factor;
use schemars::JsonSchema;
use serde::Serialize;

/// A hierarchical dual-net HDN(B,k,S): two classes of copies of a network, each node with one link to the other class, level by level.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct HierarchicalDualNetSpec {
    /// Factors of the base network B: "ring:3", "complete:4", "hypercube:2". A ring of two nodes is one link.
    #[schemars(with = "Vec<String>", length(min = 1, max = 16))]
    #[schemars(inner(regex(pattern = "^(ring|complete|hypercube):[0-9]+$")))]
    pub base: Vec<Factor>,
    /// Factors of a super-node, counted from 0 on, by level. The super-node is their product; without factors it is one
    /// node.
    #[schemars(length(max = 8), inner(inner(range(min = 0, max = 15))))]
    pub levels: Vec<Vec<u32>>,
    /// Keys of all topologies that run in slot tables.
    #[serde(flatten)]
    pub options: NetworkOptions,
}
