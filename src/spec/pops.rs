//! `[network]` and `[collective]` of partitioned optical passive stars.

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

/// A permutation: processor i sends its packet to processor π(i). It is named by `pattern`, listed as `permutation`, or read from
/// `file`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields, default)]
pub struct PermutationSpec {
    /// The scheduling algorithm.
    pub algorithm: PopsAlgorithm,
    /// A permutation by name.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "PatternName")]
    pub pattern: Option<PatternName>,
    /// Rows of "transpose" and "mesh".
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u32", range(min = 1, max = 1_048_576))]
    pub rows: Option<u32>,
    /// Columns of "transpose" and "mesh".
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u32", range(min = 1, max = 1_048_576))]
    pub columns: Option<u32>,
    /// Direction of the packets of a "mesh".
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Direction")]
    pub direction: Option<Direction>,
    /// The bit that "hypercube" inverts.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u32", range(min = 0, max = 19))]
    pub dimension: Option<u32>,
    /// For "bpc": bit j of π(i) is bit `bits[j]` of i.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub bits: Vec<u32>,
    /// For "bpc": the bits of π(i) that are inverted, as a number.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u32", range(min = 0, max = 1_048_575))]
    pub complement: Option<u32>,
    /// Seed of "random". Unset: that of `[schedule]`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u64", range(min = 0, max = 9_223_372_036_854_775_807_u64))]
    pub seed: Option<u64>,
    /// Node i of the pattern is a processor that is chosen at random with this seed. Unset: processor i.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u64", range(min = 0, max = 9_223_372_036_854_775_807_u64))]
    pub mapping_seed: Option<u64>,
    /// Node i of the pattern is the processor that this file names at place i: .npy, .csv or .json, beside the specification.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub mapping_file: Option<String>,
    /// π(0), π(1), …
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub permutation: Vec<u32>,
    /// A file of π(0), π(1), …: .npy, .csv or .json, beside the specification.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub file: Option<String>,
}

/// A permutation by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema, strum::IntoStaticStr, strum::VariantArray)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum PatternName {
    /// π(i) = i.
    Identity,
    /// π(i) = n-1-i.
    Reversal,
    /// The transpose of a matrix of `rows` × `columns`, by rows.
    Transpose,
    /// Bits of i in another order, some of them inverted.
    Bpc,
    /// One bit of i inverted.
    Hypercube,
    /// One step in a mesh of `rows` × `columns` with wraparound, by rows.
    Mesh,
    /// Any permutation.
    Random,
}

/// A direction in a mesh.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema, strum::IntoStaticStr, strum::VariantArray)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "kebab-case")]
pub enum Direction {
    /// To the row before.
    Up,
    /// To the next row.
    Down,
    /// To the column before.
    Left,
    /// To the next column.
    Right,
}

/// An h-relation: any packets. They are listed as `demands`, read from `file`, or `h` random permutations.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields, default)]
pub struct RelationSpec {
    /// The scheduling algorithm.
    pub algorithm: RelationAlgorithm,
    /// Packets as source and destination.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub demands: Vec<[u32; 2]>,
    /// A file of pairs: .npy of shape (packets, 2), .csv or .json, beside the specification.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub file: Option<String>,
    /// Number of random permutations that the packets are made of.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u32", range(min = 1, max = 4096))]
    pub h: Option<u32>,
    /// Seed of random permutations. Unset: that of `[schedule]`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u64", range(min = 0, max = 9_223_372_036_854_775_807_u64))]
    pub seed: Option<u64>,
}

/// A collective that one processor is at the root of.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields, default)]
pub struct RootedSpec {
    /// The processor.
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
