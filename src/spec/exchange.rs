//! `[collective]` of the kinds that run on the Boolean hypercube in a Swapped Dragonfly.

use schemars::JsonSchema;
use serde::Serialize;

/// The most words a node of an exchange.
pub const MAX_EXCHANGE_WORDS: u32 = 4096;

/// All-reduce or prefix scan: every node has `words` words, combined node by node, each for itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields, default)]
pub struct ReduceSpec {
    /// The scheduling algorithm.
    pub algorithm: ExchangeAlgorithm,
    /// Operator that combines two words.
    pub op: Operator,
    /// Words a node.
    #[schemars(range(min = 1, max = 4096))]
    pub words: u32,
    /// Clock cycles from the arrival of a word to its being ready to leave, combined with another. Hardware needs 3.
    #[schemars(range(min = 0, max = 16))]
    pub operator_stages: u32,
}

impl Default for ReduceSpec {
    fn default() -> Self {
        Self { algorithm: ExchangeAlgorithm::Best, op: Operator::Sum, words: 1, operator_stages: 3 }
    }
}

/// Bitonic sort: word w of all nodes is sorted over the nodes, for each w.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields, default)]
pub struct SortSpec {
    /// The scheduling algorithm.
    pub algorithm: ExchangeAlgorithm,
    /// Words a node.
    #[schemars(range(min = 1, max = 4096))]
    pub words: u32,
    /// Clock cycles from the arrival of a word to its being ready to leave, compared with another. Hardware needs 3.
    #[schemars(range(min = 0, max = 16))]
    pub operator_stages: u32,
}

impl Default for SortSpec {
    fn default() -> Self {
        Self { algorithm: ExchangeAlgorithm::Best, words: 1, operator_stages: 3 }
    }
}

/// A scheduling algorithm of exchanges along the dimensions of the hypercube.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema, strum::IntoStaticStr, strum::VariantArray)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "kebab-case")]
pub enum ExchangeAlgorithm {
    /// The fewest cycles of all.
    Best,
    /// The paper's paths, after which every word is at home: one, two or three hops a dimension.
    Paper,
    /// One hop a dimension, and a swap where words have to change drawers.
    Short,
    /// Synchronizing headers of four hops for every dimension.
    Uniform,
}

impl ExchangeAlgorithm {
    /// The name in a specification.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// Operator on unsigned words, commutative and associative.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema, strum::IntoStaticStr, strum::VariantArray)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "kebab-case")]
pub enum Operator {
    /// The sum, modulo 2 to the width of a word.
    Sum,
    /// The smaller.
    Min,
    /// The larger.
    Max,
    /// Bitwise exclusive or.
    Xor,
}

impl Operator {
    /// The name in a specification.
    pub fn name(self) -> &'static str {
        self.into()
    }
}
