//! `[network]` and `[collective]` of partitioned optical passive stars.

use super::relation::{DemandKeys, PermutationKeys};
use schemars::JsonSchema;
use serde::Serialize;

/// A network POPS(d,g) of g groups of d processors, with a coupler from every group to every group.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct PopsSpec {
    /// Processors a group. d·g is at most 2^20.
    #[schemars(range(min = 1, max = 1_048_576))]
    pub d: u32,
    /// Groups.
    #[schemars(range(min = 1, max = 1_048_576))]
    pub g: u32,
}

/// A permutation: processor i sends its packet to processor π(i).
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields, default)]
pub struct PermutationSpec {
    /// The scheduling algorithm.
    pub algorithm: PopsAlgorithm,
    /// Permutation.
    #[serde(flatten)]
    pub to: PermutationKeys,
}

/// An h-relation: any packets.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields, default)]
pub struct RelationSpec {
    /// The scheduling algorithm.
    pub algorithm: RelationAlgorithm,
    /// Sources and destinations.
    #[serde(flatten)]
    pub pairs: DemandKeys,
}

/// A collective that one processor is at the root of.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields, default)]
pub struct RootedSpec {
    /// Root processor, 0 to d·g - 1.
    #[schemars(range(min = 0, max = 1_048_575))]
    pub root: u32,
}

/// A scheduling algorithm of permutations on POPS.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, JsonSchema, strum::IntoStaticStr, strum::VariantArray,
)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "kebab-case")]
pub enum PopsAlgorithm {
    /// The fewest slots of all.
    #[default]
    Best,
    /// Mei and Rizzi's two hops: 1 or 2⌈d/g⌉ slots.
    Theorem,
    /// Every packet straight: as many slots as the largest demand of a coupler.
    Direct,
    /// Straight packets and two-hop packets together.
    Mixed,
    /// Search for the optimum, for few processors.
    Exact,
}

impl PopsAlgorithm {
    /// The name in a specification.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// A scheduling algorithm of h-relations on POPS.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, JsonSchema, strum::IntoStaticStr, strum::VariantArray,
)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "kebab-case")]
pub enum RelationAlgorithm {
    /// The fewest slots of all.
    #[default]
    Best,
    /// Two hops: 2·max(h, ⌈hd/g⌉) slots, or h for d = 1.
    Theorem,
    /// Every packet straight.
    Direct,
}

impl RelationAlgorithm {
    /// The name in a specification.
    pub fn name(self) -> &'static str {
        self.into()
    }
}
