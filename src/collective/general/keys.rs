//! Values of the keys of `[collective]` of collectives that run on any network.

use crate::collective::Operator;
use crate::collective::keys::{DemandKeys, PermutationKeys};
use schemars::JsonSchema;
use serde::Serialize;

/// Most words of a block, and most repetitions.
pub const MAX_WORDS: u32 = 1 << 16;
/// Most words that one node sends to all.
pub const MAX_COUNT: u32 = 1 << 20;

/// Values of the keys of kinds of collectives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Keys {
    /// Root node of the collective, counted among the nodes that take part.
    pub root: u32,
    /// Operator that combines two words.
    pub op: Operator,
    /// Permutation.
    pub permutation: PermutationKeys,
    /// Sources and destinations.
    pub demands: DemandKeys,
}

impl Default for Keys {
    fn default() -> Self {
        let (permutation, demands) = (PermutationKeys::default(), DemandKeys::default());
        Self { root: 0, op: Operator::Sum, permutation, demands }
    }
}

/// Blocks of words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields, default)]
pub struct BlockSpec {
    /// Name of the scheduling algorithm; "best" has the fewest cycles of all that apply.
    pub algorithm: String,
    /// Words a block.
    #[schemars(range(min = 1, max = 65536))]
    pub words: u32,
    /// Parts of a block that are scheduled apart, a divisor of its words; the words of a part travel one after the other. Unset: each word
    /// is a part.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u32", range(min = 1, max = 65536))]
    pub chunks: Option<u32>,
    /// Collectives that follow back to back.
    #[schemars(range(min = 1, max = 65536))]
    pub repeat: u32,
}

impl Default for BlockSpec {
    fn default() -> Self {
        Self { algorithm: "best".to_owned(), words: 1, chunks: None, repeat: 1 }
    }
}
