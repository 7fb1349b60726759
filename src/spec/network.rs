//! `[network]`: a topology and its sizes.

use super::embed::{Build, EmbedSpec};
use super::general::{
    CompleteSpec, DragonflySpec, FatCubeSpec, GalaxyflySpec, GraphSpec, HypercubeSpec, Links, MeshSpec, NetworkOptions,
    RingSpec, TorusSpec, WordsSpec,
};
use super::hierarchical_dual_net::HierarchicalDualNetSpec;
use super::pops::PopsSpec;
use crate::topology::swapped_dragonfly::Group;
use crate::topology::{Embedding, SwappedDragonfly};
use schemars::JsonSchema;
use serde::Serialize;

/// `[network]`: a topology and its sizes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema, strum::IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
#[serde(tag = "topology", rename_all = "kebab-case")]
pub enum NetworkSpec {
    /// The Swapped Dragonfly D3(K,M).
    SwappedDragonfly(SwappedDragonflySpec),
    /// Partitioned optical passive stars, POPS(d,g).
    Pops(PopsSpec),
    /// A torus.
    Torus(TorusSpec),
    /// A mesh.
    Mesh(MeshSpec),
    /// A ring.
    Ring(RingSpec),
    /// A binary hypercube.
    Hypercube(HypercubeSpec),
    /// A complete network: each node has a channel to each other.
    Complete(CompleteSpec),
    /// A Kautz network.
    Kautz(WordsSpec),
    /// A de Bruijn network.
    DeBruijn(WordsSpec),
    /// A dragonfly in the absolute arrangement.
    Dragonfly(DragonflySpec),
    /// A Galaxyfly.
    Galaxyfly(GalaxyflySpec),
    /// A hierarchical dual-net.
    HierarchicalDualNet(HierarchicalDualNetSpec),
    /// A fat cube.
    FatCube(FatCubeSpec),
    /// A network from a file.
    Graph(GraphSpec),
    /// Nodes and channels as a schedule in full lists them.
    #[schemars(skip)]
    Listed(Listed),
}

/// Contents of a schedule in full, which has no keys of a specification.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Listed {}

impl NetworkSpec {
    /// Name of the topology in a specification.
    pub fn topology(&self) -> &'static str {
        self.into()
    }

    /// The Swapped Dragonfly, if it is one on which its own algorithms run.
    pub const fn swapped_dragonfly(&self) -> Option<&SwappedDragonflySpec> {
        match self {
            NetworkSpec::SwappedDragonfly(network) if network.slots.is_none() => Some(network),
            _ => None,
        }
    }

    /// The partitioned optical passive stars, if it is one.
    pub const fn pops(&self) -> Option<&PopsSpec> {
        match self {
            NetworkSpec::Pops(network) => Some(network),
            _ => None,
        }
    }

    /// The network in a schedule in full: a list of channels where a file says which there are, else as the specification has it.
    pub fn exported(&self) -> Self {
        match self {
            NetworkSpec::Galaxyfly(GalaxyflySpec { links: Links::Listed(links), options, .. }) => {
                NetworkSpec::Graph(GraphSpec { file: links.file.clone(), options: options.clone() })
            }
            other => other.clone(),
        }
    }

    /// Keys that all networks have that run in slot tables, if it is one.
    pub const fn options(&self) -> Option<&NetworkOptions> {
        match self {
            NetworkSpec::Torus(network) => Some(&network.options),
            NetworkSpec::Mesh(network) => Some(&network.options),
            NetworkSpec::Ring(network) => Some(&network.options),
            NetworkSpec::Complete(network) => Some(&network.options),
            NetworkSpec::Hypercube(network) => Some(&network.options),
            NetworkSpec::Kautz(network) | NetworkSpec::DeBruijn(network) => Some(&network.options),
            NetworkSpec::Dragonfly(network) => Some(&network.options),
            NetworkSpec::Galaxyfly(network) => Some(&network.options),
            NetworkSpec::HierarchicalDualNet(network) => Some(&network.options),
            NetworkSpec::FatCube(network) => Some(&network.options),
            NetworkSpec::Graph(network) => Some(&network.options),
            NetworkSpec::SwappedDragonfly(network) => network.slots.as_ref(),
            NetworkSpec::Pops(_) | NetworkSpec::Listed(_) => None,
        }
    }
}

/// A Swapped Dragonfly of K cabinets of M drawers of M routers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct SwappedDragonflySpec {
    /// Number of cabinets, K. K·M² is at most 2^20, and K·M²·(K + M - 1) less than 2^32.
    #[schemars(range(min = 1, max = 4096))]
    pub k: u32,
    /// Number of drawers a cabinet and of routers a drawer, M.
    #[schemars(range(min = 2, max = 1024))]
    pub m: u32,
    /// The arithmetic of coordinates; "xor" needs powers of two.
    #[schemars(default)]
    pub group: Group,
    /// Smaller networks inside this one; the collective runs in each of them at once.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(default, schema_with = "super::embed::one_or_more")]
    pub embed: Vec<EmbedSpec>,
    /// Routers (c,d,p) that are not used. Without `embed`, the largest network that lacks them is embedded.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(default)]
    pub exclude: Vec<[u32; 3]>,
    /// Routers that hardware is built of where a network is embedded.
    #[serde(skip_serializing_if = "Build::is_default")]
    #[schemars(default)]
    pub build: Build,
    /// Keys of all topologies that run in slot tables, if the schedulers of any network are asked for.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub slots: Option<NetworkOptions>,
}

impl SwappedDragonflySpec {
    /// The whole network.
    pub fn host(&self) -> SwappedDragonfly {
        SwappedDragonfly::new(self.k, self.m, self.group)
    }

    /// The embedded networks, all of one size and arithmetic.
    pub fn embeddings(&self) -> Vec<Embedding> {
        self.embed.iter().map(|embed| embed.embedding(self.host())).collect()
    }

    /// The network on which the collective runs: an embedded one, if there is one.
    pub fn guest(&self) -> SwappedDragonfly {
        self.embeddings().first().map_or_else(|| self.host(), Embedding::guest)
    }
}
