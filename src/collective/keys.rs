//! Keys of `[collective]` that several kinds share: permutations and lists of packets between the endpoints of a network, and roots.

use schemars::JsonSchema;
use serde::Serialize;

/// A permutation π of the endpoints: it is named by `pattern`, listed as `permutation`, or read from `file`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, JsonSchema)]
#[schemars(default)]
pub struct PermutationKeys {
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
    /// Bit permutation of the pattern "bpc": bit j of π(i) is bit `bits[j]` of i.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub bits: Vec<u32>,
    /// Inverted bits of π(i) in the pattern "bpc", as a number.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u32", range(min = 0, max = 1_048_575))]
    pub complement: Option<u32>,
    /// Seed of "random". Unset: that of `[schedule]`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u64", range(min = 0, max = 9_223_372_036_854_775_807_u64))]
    pub seed: Option<u64>,
    /// Node i of the pattern is an endpoint that is chosen at random with this seed. Unset: endpoint i.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u64", range(min = 0, max = 9_223_372_036_854_775_807_u64))]
    pub mapping_seed: Option<u64>,
    /// Node i of the pattern is the endpoint that this file names at place i: .npy, .csv or .json, beside the specification.
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
    /// Step to the previous row.
    Up,
    /// Step to the next row.
    Down,
    /// Step to the previous column.
    Left,
    /// Step to the next column.
    Right,
}

/// Any packets: they are listed as `demands`, read from `file`, or `h` random permutations.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, JsonSchema)]
#[schemars(default)]
pub struct DemandKeys {
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
