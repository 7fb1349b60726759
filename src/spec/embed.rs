//! Networks inside a Swapped Dragonfly, as a specification has them.

use crate::topology::swapped_dragonfly::{Group, RouterAddress};
use crate::topology::{Embedding, SwappedDragonfly};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;

/// `[network.embed]`: the routers (c,d,p) with c in `c` and both d and p in `dp`, as a network D3(|c|,|dp|) of its own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct EmbedSpec {
    /// Cabinets of the host, by cabinet of the embedded network.
    #[schemars(length(min = 1), inner(range(min = 0, max = 4095)))]
    pub c: Vec<u32>,
    /// Drawers of a cabinet and positions in a drawer, in the order in which they are those of the embedded network.
    #[schemars(length(min = 2), inner(range(min = 0, max = 1023)))]
    pub dp: Vec<u32>,
    /// The arithmetic of the embedded network's own coordinates. Unset: that of the host.
    #[schemars(default)]
    pub group: Group,
}

/// Routers that hardware is built of where a network is embedded.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, JsonSchema, strum::IntoStaticStr, strum::VariantArray,
)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum HostBuild {
    /// The routers of one embedded network, of its size.
    #[default]
    Embedded,
    /// The routers of all embedded networks at once. For an all-to-all: all routers of the host, each with its own
    /// program in terms of its ports. For other collectives: the routers of the embedded networks side by side.
    Host,
}

impl HostBuild {
    /// Serde: omit the default.
    pub(super) fn is_default(&self) -> bool {
        *self == HostBuild::default()
    }
}

impl EmbedSpec {
    /// The embedded network.
    pub fn embedding(&self, host: SwappedDragonfly) -> Embedding {
        Embedding::new(host, self.c.clone(), self.dp.clone(), self.group)
    }

    /// True if a router of the host is in the embedded one.
    pub(super) fn has(&self, [c, d, p]: [u32; 3]) -> bool {
        self.c.contains(&c) && self.dp.contains(&d) && self.dp.contains(&p)
    }

    /// A router that both have.
    pub(super) fn shared_with(&self, other: &Self) -> Option<RouterAddress> {
        let both = |mine: &[u32], theirs: &[u32]| mine.iter().copied().find(|x| theirs.contains(x));
        let (c, d) = (both(&self.c, &other.c)?, both(&self.dp, &other.dp)?);
        Some(RouterAddress { c, d, p: d })
    }
}

/// One network, or a list of them.
pub(super) fn one_or_more(generator: &mut SchemaGenerator) -> Schema {
    let one = generator.subschema_for::<EmbedSpec>();
    json_schema!({ "anyOf": [one, { "type": "array", "minItems": 1, "items": one }] })
}
