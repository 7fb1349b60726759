//! `[collective]` on networks that run in slot tables: a kind of collective, and the keys that all of them have.

use super::Operator;
use super::relation::{DemandKeys, PermutationKeys};
use schemars::JsonSchema;
use serde::Serialize;

/// Most words of a block, and most repetitions.
pub const MAX_WORDS: u32 = 1 << 16;

/// Collective on a network that runs in slot tables. Nodes that are excluded from the network do not take part and are not counted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema, strum::IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[schemars(transform = super::names::kinds)]
pub enum GeneralCollective {
    /// Every node sends a block of its own to every other node.
    AllToAll(BlockSpec),
    /// Every node sends one block to all.
    AllGather(BlockSpec),
    /// One node sends the same words to all.
    Broadcast(CountSpec),
    /// Every node sends a block to one.
    Gather(RootSpec),
    /// One node sends a block of its own to each.
    Scatter(RootSpec),
    /// Reduce: one node receives the combination of all nodes' blocks.
    Reduce(RootSumSpec),
    /// Reduce-scatter: every node receives the combination of all nodes' blocks for it.
    ReduceScatter(SumSpec),
    /// All-reduce: every node receives the combination of all nodes' blocks.
    AllReduce(SumSpec),
    /// Permutation: every node sends one block and receives one.
    Permutation(PermutedSpec),
    /// Any blocks between nodes.
    HRelation(DemandSpec),
}

impl GeneralCollective {
    /// Name of the kind in a specification.
    pub fn kind(&self) -> &'static str {
        self.into()
    }

    /// Keys that all kinds have; the words of a broadcast are its count.
    pub fn blocks(&self) -> BlockSpec {
        match self {
            Self::AllToAll(spec) | Self::AllGather(spec) => spec.clone(),
            Self::Broadcast(CountSpec { algorithm, count, chunks, repeat, .. }) => {
                BlockSpec { algorithm: algorithm.clone(), words: *count, chunks: *chunks, repeat: *repeat }
            }
            Self::Gather(spec) | Self::Scatter(spec) => spec.blocks.clone(),
            Self::Reduce(spec) => spec.sums.blocks.clone(),
            Self::ReduceScatter(spec) | Self::AllReduce(spec) => spec.blocks.clone(),
            Self::Permutation(spec) => spec.blocks.clone(),
            Self::HRelation(spec) => spec.blocks.clone(),
        }
    }
}

/// Most collectives of a sequence.
pub const MAX_SEQUENCE: usize = 16;

/// Collectives one after the other: `[[collective]]` several times.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SequenceSpec {
    /// Collectives in the order in which they run, at least 2.
    pub collectives: Vec<GeneralCollective>,
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
    /// Parts of a block that are scheduled apart, a divisor of `words`; the words of a part travel one after the other. Unset: each word
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

/// Words that one node sends to all.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields, default)]
pub struct CountSpec {
    /// Name of the scheduling algorithm; "best" has the fewest cycles of all that apply.
    pub algorithm: String,
    /// Node that has the words, counted among those that take part.
    #[schemars(range(min = 0, max = 65535))]
    pub root: u32,
    /// Number of words.
    #[schemars(range(min = 1, max = 1_048_576))]
    pub count: u32,
    /// Parts of the words that are scheduled apart, a divisor of `count`; the words of a part travel one after the other. Unset: each
    /// word is a part.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u32", range(min = 1, max = 1_048_576))]
    pub chunks: Option<u32>,
    /// Collectives that follow back to back.
    #[schemars(range(min = 1, max = 65536))]
    pub repeat: u32,
}

impl Default for CountSpec {
    fn default() -> Self {
        let BlockSpec { algorithm, words, chunks, repeat } = BlockSpec::default();
        Self { algorithm, root: 0, count: words, chunks, repeat }
    }
}

/// Blocks that come from one node or go to one.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields, default)]
pub struct RootSpec {
    /// Root node of the collective, counted among the nodes that take part.
    #[schemars(range(min = 0, max = 65535))]
    pub root: u32,
    /// Keys of all kinds.
    #[serde(flatten)]
    pub blocks: BlockSpec,
}

/// Blocks that an operator combines.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields, default)]
pub struct SumSpec {
    /// Operator that combines two words.
    pub op: Operator,
    /// Keys of all kinds.
    #[serde(flatten)]
    pub blocks: BlockSpec,
}

impl Default for SumSpec {
    fn default() -> Self {
        Self { op: Operator::Sum, blocks: BlockSpec::default() }
    }
}

/// Blocks that an operator combines for one node.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields, default)]
pub struct RootSumSpec {
    /// Node that receives the combination, counted among the nodes that take part.
    #[schemars(range(min = 0, max = 65535))]
    pub root: u32,
    /// Operator, and keys of all kinds.
    #[serde(flatten)]
    pub sums: SumSpec,
}

/// Blocks that a permutation sends.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields, default)]
pub struct PermutedSpec {
    /// Permutation.
    #[serde(flatten)]
    pub to: PermutationKeys,
    /// Keys of all kinds.
    #[serde(flatten)]
    pub blocks: BlockSpec,
}

/// Blocks with any sources and destinations.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields, default)]
pub struct DemandSpec {
    /// Sources and destinations.
    #[serde(flatten)]
    pub pairs: DemandKeys,
    /// Keys of all kinds.
    #[serde(flatten)]
    pub blocks: BlockSpec,
}
