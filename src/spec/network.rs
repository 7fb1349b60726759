//! `[network]`: a topology and its sizes.

use super::embed::{EmbedSpec, HostBuild};
use super::general::{GeneralNetwork, NetworkOptions};
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
    /// Nodes and channels as a schedule in full lists them.
    #[schemars(skip)]
    Listed(Listed),
    /// A topology that runs in slot tables.
    #[serde(untagged)]
    #[schemars(skip)]
    General(GeneralNetwork),
}

/// Contents of a schedule in full, which has no keys of a specification.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Listed {}

impl NetworkSpec {
    /// Name of the topology in a specification.
    pub fn topology(&self) -> &'static str {
        match self {
            NetworkSpec::General(network) => network.kind.name,
            _ => self.into(),
        }
    }

    /// The Swapped Dragonfly, if it is one on which its own algorithms run.
    pub const fn swapped_dragonfly(&self) -> Option<&SwappedDragonflySpec> {
        match self {
            NetworkSpec::SwappedDragonfly(network) => Some(network),
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

    /// Network of a schedule in full: a list of channels if a file lists them, else the table of the specification.
    pub fn exported(&self) -> Self {
        match self {
            NetworkSpec::General(network) => NetworkSpec::General(network.exported()),
            other => other.clone(),
        }
    }

    /// The network that runs in slot tables, if it is one.
    pub const fn general(&self) -> Option<&GeneralNetwork> {
        match self {
            NetworkSpec::General(network) => Some(network),
            _ => None,
        }
    }

    /// Keys that all networks have that run in slot tables, if it is one.
    pub fn options(&self) -> Option<&NetworkOptions> {
        self.general().map(|network| &network.options)
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
    #[serde(skip_serializing_if = "HostBuild::is_default")]
    #[schemars(default)]
    pub build: HostBuild,
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
