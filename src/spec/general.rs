//! `[network]` of networks that run in slot tables: sizes of each topology, and the keys that all of them have.

use crate::topology::Topology;
pub use crate::topology::listing::{MAX_CHANNELS, MAX_NODES};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};

/// A torus: channels between nodes whose coordinates differ by 1 in one dimension, modulo its length.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct TorusSpec {
    /// Lengths of the dimensions. Their product is at most 2^16; a length of 2 has one channel each way, a length of 1 none.
    #[schemars(length(min = 1, max = 16), inner(range(min = 1, max = 65_536)))]
    pub dims: Vec<u32>,
    /// Directions of the channels of a dimension.
    #[schemars(default)]
    pub directions: Directions,
    /// Keys of all topologies that run in slot tables.
    #[serde(flatten)]
    pub options: NetworkOptions,
}

/// Directions of the channels of a torus's dimension.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema, strum::IntoStaticStr, strum::VariantArray,
)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Directions {
    /// Channels to the next node and to the previous one.
    #[default]
    Both,
    /// Channels to the next node.
    One,
}

/// A mesh: channels both ways between nodes whose coordinates differ by 1 in one dimension.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct MeshSpec {
    /// Lengths of the dimensions. Their product is at most 2^16.
    #[schemars(length(min = 1, max = 16), inner(range(min = 1, max = 65_536)))]
    pub dims: Vec<u32>,
    /// Keys of all topologies that run in slot tables.
    #[serde(flatten)]
    pub options: NetworkOptions,
}

/// A ring.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct RingSpec {
    /// Number of nodes.
    #[schemars(range(min = 1, max = 65_536))]
    pub nodes: u32,
    /// Keys of all topologies that run in slot tables.
    #[serde(flatten)]
    pub options: NetworkOptions,
}

/// A network in which each node has a channel to each other.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct CompleteSpec {
    /// Number of nodes.
    #[schemars(range(min = 1, max = 1024))]
    pub nodes: u32,
    /// Keys of all topologies that run in slot tables.
    #[serde(flatten)]
    pub options: NetworkOptions,
}

/// A binary hypercube.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct HypercubeSpec {
    /// Dimensions: there are 2^d nodes.
    #[schemars(range(min = 0, max = 16))]
    pub d: u32,
    /// Keys of all topologies that run in slot tables.
    #[serde(flatten)]
    pub options: NetworkOptions,
}

/// A Kautz or de Bruijn network: from a word, channels lead to those that lack its first letter and have one more at the end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct WordsSpec {
    /// Channels that leave a node. A Kautz network has degree + 1 letters, a de Bruijn network `degree` of them.
    #[schemars(range(min = 1, max = 1023))]
    pub degree: u32,
    /// Letters of a word, the most channels between two nodes.
    #[schemars(range(min = 1, max = 16))]
    pub diameter: u32,
    /// Keys of all topologies that run in slot tables.
    #[serde(flatten)]
    pub options: NetworkOptions,
}

/// A dragonfly of g completely joined groups, one link between any two, in the absolute arrangement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct DragonflySpec {
    /// Routers a group.
    #[schemars(range(min = 1, max = 1024))]
    pub a: u32,
    /// Global ports a router.
    #[schemars(range(min = 0, max = 1024))]
    pub h: u32,
    /// Groups, at most a·h + 1.
    #[schemars(range(min = 1, max = 1024))]
    pub g: u32,
    /// Keys of all topologies that run in slot tables.
    #[serde(flatten)]
    pub options: NetworkOptions,
}

/// A Galaxyfly of n clusters of q supernodes of a routers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct GalaxyflySpec {
    /// Clusters.
    #[schemars(range(min = 1, max = 1024))]
    pub n: u32,
    /// Supernodes a cluster: a power of a prime, not 2.
    #[schemars(range(min = 3, max = 1024))]
    pub q: u32,
    /// Routers a supernode, completely joined.
    #[schemars(range(min = 1, max = 1024))]
    pub a: u32,
    /// Routers of a supernode that have its global links.
    #[schemars(default)]
    pub links: Links,
    /// Keys of all topologies that run in slot tables.
    #[serde(flatten)]
    pub options: NetworkOptions,
}

/// Routers of a supernode that have its global links, of which there are D.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Links {
    /// Links by a rule.
    Spread(Spread),
    /// Links that a file lists.
    Listed(LinksFile),
}

/// File of global links.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct LinksFile {
    /// The file: a link a line, `source,destination`, two routers by number.
    pub file: String,
}

impl Default for Links {
    fn default() -> Self {
        Self::Spread(Spread::default())
    }
}

/// Rule of the routers that have the D global links of a supernode.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema, strum::IntoStaticStr, strum::VariantArray,
)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Spread {
    /// Router r has links r, r + a, r + 2a, …
    #[default]
    Cyclic,
    /// Router r has links r·⌈D/a⌉, r·⌈D/a⌉ + 1, … (r + 1)·⌈D/a⌉ - 1.
    Block,
}

/// A fat cube: a hypercube of routers with several processors each, and several links along each dimension.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields, transform = links_are_optional)]
pub struct FatCubeSpec {
    /// Dimensions: there are 2^d routers.
    #[schemars(range(min = 1, max = 6))]
    pub d: u32,
    /// Processors a router.
    #[schemars(range(min = 1, max = 8))]
    pub m: u32,
    /// Links between two routers, at most m.
    #[schemars(extend("default" = 1), range(min = 1, max = 8))]
    pub f: u32,
    /// Links between a processor and its router, at most d, which is the default.
    #[serde(rename = "ports")]
    #[schemars(range(min = 1, max = 6))]
    pub k: u32,
    /// Nodes and channels that are excluded.
    #[serde(flatten, serialize_with = "left_out")]
    #[schemars(with = "LeftOut")]
    pub options: NetworkOptions,
}

/// Nodes and channels that are excluded.
#[derive(Serialize, JsonSchema)]
#[serde(rename = "LeftOutOfFatCube")]
struct LeftOut {
    /// Processors and routers that are excluded, by number; the collective runs among the other processors.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(default)]
    exclude_nodes: Vec<u32>,
    /// Channels that are excluded: source and destination, by number.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(default)]
    exclude_channels: Vec<[u32; 2]>,
}

/// Takes the keys of links, which have defaults, out of those that must be there.
fn links_are_optional(schema: &mut Schema) {
    if let Some(required) = schema.get_mut("required").and_then(serde_json::Value::as_array_mut) {
        required.retain(|key| key != "f" && key != "ports");
    }
}

/// Serde: of the keys that all networks have, those that a fat cube has.
fn left_out<S: Serializer>(options: &NetworkOptions, serializer: S) -> Result<S::Ok, S::Error> {
    let NetworkOptions { exclude_nodes, exclude_channels, .. } = options.clone();
    LeftOut { exclude_nodes, exclude_channels }.serialize(serializer)
}

/// A network from a file beside the specification.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct GraphSpec {
    /// The file: .json with `nodes`, `channels` and `latency` of the exchange format, .graphml, .csv with an edge a line, or .anynet of BookSim.
    pub file: String,
    /// Keys of all topologies that run in slot tables.
    #[serde(flatten)]
    pub options: NetworkOptions,
}

/// Keys of all topologies that run in slot tables.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct NetworkOptions {
    /// Channels of a node that are used in one cycle.
    #[schemars(default)]
    pub ports: Ports,
    /// Clock cycles of a hop: a number for all channels, or by class.
    #[serde(skip_serializing_if = "LatencySpec::is_default")]
    #[schemars(default, schema_with = "number_or_table")]
    pub latency: LatencySpec,
    /// Nodes that are excluded, by number; the collective runs among the others.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(default)]
    pub exclude_nodes: Vec<u32>,
    /// Channels that are excluded: source and destination, by number.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(default)]
    pub exclude_channels: Vec<[u32; 2]>,
}

/// Channels of a node that are used in one cycle.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema, strum::IntoStaticStr, strum::VariantArray,
)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Ports {
    /// All of them.
    #[default]
    All,
    /// One that sends and one that receives.
    One,
}

/// `[network.latency]`: clock cycles of a hop over a channel, 1 by default.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields, default)]
pub struct LatencySpec {
    /// Cycles of every channel that no other key names. A graph's file may have cycles of its own, which go before this.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u32", range(min = 1, max = 255))]
    pub all: Option<u32>,
    /// Cycles of the channels of each dimension of a torus or mesh.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(inner(range(min = 1, max = 255)))]
    pub dims: Vec<u32>,
    /// Cycles of the local channels of a dragonfly or Galaxyfly, or of the base's channels of a hierarchical dual-net.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u32", range(min = 1, max = 255))]
    pub local: Option<u32>,
    /// Cycles of the global channels of a dragonfly or Galaxyfly.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u32", range(min = 1, max = 255))]
    pub global: Option<u32>,
    /// Cycles of the cross channels of each level of a hierarchical dual-net.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(inner(range(min = 1, max = 255)))]
    pub levels: Vec<u32>,
    /// A .csv file beside the specification of channels and their cycles, one a line: `source,destination,cycles`. It goes before all else.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub file: Option<String>,
}

impl LatencySpec {
    /// Cycles of a channel of a class; none if no key names it.
    pub fn of_class(&self, class: usize) -> Option<u32> {
        let classes = [self.local, self.global];
        let level = class.checked_sub(1).and_then(|level| self.levels.get(level));
        self.dims.get(class).or(level).copied().or(classes.get(class).copied().flatten()).or(self.all)
    }

    fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

fn number_or_table(generator: &mut SchemaGenerator) -> Schema {
    let table = generator.subschema_for::<LatencySpec>();
    json_schema!({
        "description": "Clock cycles of a hop: a number for all channels, or by class.",
        "anyOf": [{ "type": "integer", "minimum": 1, "maximum": 255 }, table],
    })
}

/// Error of a key that does not fit the network: its name, a message, and the help.
pub type Misfit = (&'static str, String, String);

impl NetworkOptions {
    /// Errors of nodes and channels that a network does not have.
    pub fn misfits(&self, net: &dyn Topology) -> Vec<Misfit> {
        let (mut misfits, nodes) = (Vec::new(), net.nodes());
        if let Some(node) = self.exclude_nodes.iter().find(|&&node| node as usize >= nodes) {
            let help = format!("the network has {nodes} nodes: take numbers from 0 to {}", nodes - 1);
            misfits.push(("network.exclude_nodes", format!("there is no node {node}"), help));
        }
        let leads = |&[src, dst]: &[u32; 2]| {
            (src as usize) < nodes && {
                let src = (src as usize).into();
                (0..net.ports_of(src)).any(|port| net.neighbour(src, port).get() == dst)
            }
        };
        if let Some([src, dst]) = self.exclude_channels.iter().find(|pair| !leads(pair)) {
            let message = format!("no channel leads from node {src} to node {dst}");
            let help = "write the numbers of a channel's source and destination; a link is two channels";
            misfits.push(("network.exclude_channels", message, help.into()));
        }
        if self.exclude_nodes.len() >= nodes {
            let help = "leave at least one node in".to_owned();
            misfits.push(("network.exclude_nodes", "no node is left".into(), help));
        }
        misfits
    }
}
