//! `[collective]`: the traffic, and the algorithm that schedules it; one type for each kind.

use super::exchange::{ReduceSpec, SortSpec};
use super::network::Listed;
use super::pops::{PermutationSpec, RelationSpec, RootedSpec};
use super::product::{ProductAlgorithm, ProductSpec, TransposeSpec};
use crate::collective::general::names;
use crate::collective::general::{GeneralCollective, MAX_SEQUENCE, SequenceSpec};
use crate::collective::pops::traffic_keys::TrafficSpec;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;

/// `[collective]`: the traffic, and the algorithm that schedules it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema, strum::IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[schemars(transform = names::kinds)]
pub enum CollectiveSpec {
    /// Every node sends a message of its own to every node, itself included.
    AllToAll(AllToAllSpec),
    /// One node sends the same words to all.
    Broadcast(BroadcastSpec),
    /// All-reduce: every node receives the combination of all nodes' words.
    AllReduce(ReduceSpec),
    /// Prefix scan: every node receives the combination of the words of the nodes up to itself.
    PrefixScan(ReduceSpec),
    /// The words are sorted over the nodes.
    BitonicSort(SortSpec),
    /// A row vector times a matrix.
    VectorMatrix(ProductSpec),
    /// A matrix times a column vector.
    MatrixVector(ProductSpec),
    /// A matrix times a matrix.
    MatrixMatrix(ProductSpec),
    /// The transpose of a matrix.
    Transpose(TransposeSpec),
    /// Permutation: every processor sends one packet and receives one.
    Permutation(PermutationSpec),
    /// Any packets between processors.
    HRelation(RelationSpec),
    /// One processor sends one packet to all.
    OneToAll(RootedSpec),
    /// Every processor sends a packet to one.
    Gather(RootedSpec),
    /// One processor sends a packet of its own to each.
    Scatter(RootedSpec),
    /// Packets without a schedule, for couplers that arbitrate.
    Traffic(TrafficSpec),
    /// Packets of a schedule in full.
    #[schemars(skip)]
    Listed(Listed),
    /// Collectives on a network that runs in slot tables, one after the other.
    #[schemars(skip)]
    Sequence(SequenceSpec),
    /// Collective on a network that runs in slot tables.
    #[serde(untagged)]
    #[schemars(skip)]
    General(GeneralCollective),
}

/// Schema of the collectives of all networks.
pub(super) fn on_any_network(generator: &mut SchemaGenerator) -> Schema {
    let anywhere = generator.subschema_for::<GeneralCollective>();
    json_schema!({
        "description": "The traffic and the algorithm that schedules it.",
        "anyOf": [
            generator.subschema_for::<CollectiveSpec>(),
            anywhere,
            { "type": "array", "items": anywhere, "minItems": 1, "maxItems": MAX_SEQUENCE },
        ],
    })
}

impl Default for CollectiveSpec {
    fn default() -> Self {
        Self::AllToAll(AllToAllSpec::default())
    }
}

impl CollectiveSpec {
    /// The all-to-all, if it is one.
    pub const fn all_to_all(&self) -> Option<&AllToAllSpec> {
        match self {
            CollectiveSpec::AllToAll(collective) => Some(collective),
            _ => None,
        }
    }

    /// Parameters of the product, if it is one.
    pub const fn product(&self) -> Option<&ProductSpec> {
        match self {
            CollectiveSpec::VectorMatrix(product)
            | CollectiveSpec::MatrixVector(product)
            | CollectiveSpec::MatrixMatrix(product) => Some(product),
            _ => None,
        }
    }

    /// The algorithm and the block of a product or a transpose.
    pub fn matrix(&self) -> Option<(ProductAlgorithm, u32)> {
        match self {
            CollectiveSpec::Transpose(transpose) => Some((transpose.algorithm, transpose.block)),
            other => other.product().map(|product| (product.algorithm, product.block)),
        }
    }

    /// The traffic, if nothing is scheduled.
    pub const fn traffic(&self) -> Option<&TrafficSpec> {
        match self {
            CollectiveSpec::Traffic(traffic) => Some(traffic),
            _ => None,
        }
    }

    /// The collective on a network that runs in slot tables, if it is one.
    pub const fn general(&self) -> Option<&GeneralCollective> {
        match self {
            CollectiveSpec::General(collective) => Some(collective),
            _ => None,
        }
    }

    /// Collectives that run one after the other; empty if it is one collective.
    pub fn sequence(&self) -> &[GeneralCollective] {
        match self {
            CollectiveSpec::Sequence(sequence) => &sequence.collectives,
            _ => &[],
        }
    }

    /// The name of the kind in a specification.
    pub fn kind(&self) -> &'static str {
        self.general().map_or_else(|| self.into(), |collective| collective.kind.name)
    }
}

/// All-to-all: every node sends a message of its own to every node, itself included.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields, default)]
pub struct AllToAllSpec {
    /// The scheduling algorithm.
    pub algorithm: AllToAllAlgorithm,
    /// Vectors a round of "doubly-parallel"; divides K and M. Unset: the best choice.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u32", range(min = 1, max = 1024))]
    pub s: Option<u32>,
    /// Order of the rounds of "doubly-parallel". Unset: the best choice.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Pipeline")]
    pub pipeline: Option<Pipeline>,
    /// Words a message.
    #[schemars(range(min = 1, max = 65536))]
    pub words: u32,
    /// Collectives that follow back to back.
    #[schemars(range(min = 1, max = 65536))]
    pub repeat: u32,
}

impl Default for AllToAllSpec {
    fn default() -> Self {
        Self { algorithm: AllToAllAlgorithm::Best, s: None, pipeline: None, words: 1, repeat: 1 }
    }
}

/// A scheduling algorithm of all-to-all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema, strum::IntoStaticStr, strum::VariantArray)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum AllToAllAlgorithm {
    /// The fewest cycles of all that apply.
    Best,
    /// The paper's rounds of s vectors.
    DoublyParallel,
    /// Windows of min(K,M) vectors; M² + 2 cycles where 2K ≤ M.
    Window,
    /// Half windows of about M/2 vectors; 2KM + 2 cycles where 2K ≥ M.
    HalfWindow,
    /// Windows in pairs; 2KM cycles where K ≥ M.
    WindowPairs,
    /// Search for a schedule without any waiting.
    NoWait,
}

impl AllToAllAlgorithm {
    /// The name in a specification.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// Order of the paper's rounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pipeline {
    /// One round a cycle, with delays where rounds would clash.
    Schedule1,
    /// Rounds in pairs.
    Schedule2,
    /// One round after the other.
    Schedule3,
    /// One round a cycle in an order that needs no delay.
    Reordered,
}

impl Serialize for Pipeline {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Pipeline::Schedule1 => serializer.serialize_u32(1),
            Pipeline::Schedule2 => serializer.serialize_u32(2),
            Pipeline::Schedule3 => serializer.serialize_u32(3),
            Pipeline::Reordered => serializer.serialize_str("reordered"),
        }
    }
}

impl JsonSchema for Pipeline {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Pipeline".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "description": "Order of the paper's rounds: its Schedule 1, 2 or 3, or an order without delays.",
            "enum": [1, 2, 3, "reordered"],
        })
    }
}

/// Broadcast: one node sends the same words to all.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields, default)]
pub struct BroadcastSpec {
    /// The scheduling algorithm.
    pub algorithm: BroadcastAlgorithm,
    /// The node that has the words, counted in the order of coordinates (c,d,p).
    #[schemars(range(min = 0, max = 1_048_575))]
    pub root: u32,
    /// Number of words.
    #[schemars(range(min = 1, max = 1_048_576))]
    pub count: u32,
}

impl Default for BroadcastSpec {
    fn default() -> Self {
        Self { algorithm: BroadcastAlgorithm::Best, root: 0, count: 1 }
    }
}

/// A scheduling algorithm of broadcast.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema, strum::IntoStaticStr, strum::VariantArray)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum BroadcastAlgorithm {
    /// The fewest cycles of all.
    Best,
    /// The tree of depth 3, a word a cycle.
    #[serde(rename = "depth-3")]
    #[strum(serialize = "depth-3")]
    Depth3,
    /// M - 1 trees of depth 4 that share no channel, M - 1 words a cycle.
    Trees,
    /// The paper's M trees of depth 4, chained in pairs.
    TreePairs,
}

impl BroadcastAlgorithm {
    /// The name in a specification.
    pub fn name(self) -> &'static str {
        self.into()
    }
}
