//! `[network]` of networks that run in slot tables: the sizes of a topology, and the keys that all of them have.

use crate::topology::kind::{Key, Kind, Options, Shape, Sizes};
pub use crate::topology::listing::{MAX_CHANNELS, MAX_NODES};
use crate::topology::{self, Topology};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

/// A network that runs in slot tables.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GeneralNetwork {
    /// Topology.
    pub kind: &'static Kind,
    /// Values of its keys.
    pub sizes: Sizes,
    /// Keys of all topologies that run in slot tables.
    pub options: NetworkOptions,
}

impl GeneralNetwork {
    /// Name of the file beside the specification that lists the network, if one does.
    pub fn file(&self) -> Option<&str> {
        let key = self.kind.file?.key.split('.');
        let mut values = self.sizes.get(key.clone().next()?);
        for key in key.skip(1) {
            values = values?.get(key);
        }
        values?.as_str()
    }

    /// Sizes without those that name a file.
    pub fn numbers(&self) -> Value {
        Value::Object(
            self.sizes.iter().filter(|(_, value)| !value.is_object()).map(|(k, v)| (k.clone(), v.clone())).collect(),
        )
    }

    /// The network in a schedule in full: of the topology of lists, if a file says which channels there are.
    pub(super) fn exported(&self) -> Self {
        let of_lists = topology::KINDS.iter().find(|kind| kind.file.is_some_and(|file| file.alone));
        match (self.file(), of_lists) {
            (Some(file), Some(&kind)) => {
                let sizes = kind.keys.iter().map(|key| (key.name.to_owned(), file.into())).collect();
                Self { kind, sizes, options: self.options.clone() }
            }
            _ => self.clone(),
        }
    }
}

/// Serialises as one table.
impl Serialize for GeneralNetwork {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { kind, sizes, options } = self;
        let mut table = serializer.serialize_map(None)?;
        table.serialize_entry("topology", kind.name)?;
        for key in kind.keys {
            if let Some(value) = sizes.get(key.name) {
                table.serialize_entry(key.name, value)?;
            }
        }
        if kind.options == Options::All {
            table.serialize_entry("ports", &options.ports)?;
            if !options.latency.is_default() {
                table.serialize_entry("latency", &options.latency)?;
            }
        }
        if !options.exclude_nodes.is_empty() {
            table.serialize_entry("exclude_nodes", &options.exclude_nodes)?;
        }
        if !options.exclude_channels.is_empty() {
            table.serialize_entry("exclude_channels", &options.exclude_channels)?;
        }
        table.end()
    }
}

/// Keys that all networks have that run in slot tables; the first two are those of hops.
pub(super) const OPTIONS: [&str; 4] = ["ports", "latency", "exclude_nodes", "exclude_channels"];

/// Names of the keys of a topology, those that all have included.
pub(super) fn keys(kind: &Kind) -> Vec<&'static str> {
    let options = match kind.options {
        Options::All => &OPTIONS[..],
        Options::Exclusions => &OPTIONS[2..],
    };
    kind.keys.iter().map(|key| key.name).chain(options.iter().copied()).collect()
}

/// Schema of a topology; `options` are the properties of [`NetworkOptions`].
pub(super) fn schema(kind: &Kind, options: &Map<String, Value>) -> Value {
    let mut properties = Map::new();
    properties.insert("topology".into(), serde_json::json!({ "type": "string", "const": kind.name }));
    for key in keys(kind) {
        let size = kind.keys.iter().find(|size| size.name == key).map(property);
        properties.insert(key.into(), size.or_else(|| options.get(key).cloned()).unwrap_or_default());
    }
    let needed = kind.keys.iter().filter(|key| !key.missing.is_empty()).map(|key| key.name);
    let required: Vec<&str> = std::iter::once("topology").chain(needed).collect();
    serde_json::json!({
        "description": format!("{}.", kind.about),
        "type": "object",
        "properties": properties,
        "additionalProperties": false,
        "required": required,
    })
}

/// Schema of a size.
fn property(key: &Key) -> Value {
    let mut schema = match key.shape {
        Shape::Number { least, most } => number(least, most),
        Shape::Lengths => {
            serde_json::json!({ "type": "array", "items": number(1, MAX_NODES), "minItems": 1, "maxItems": MAX_LENGTHS })
        }
        Shape::Choice { names, file: "" } => {
            serde_json::json!({ "type": "string", "enum": names, "default": names[0] })
        }
        Shape::Choice { names, .. } => serde_json::json!({
            "anyOf": [{ "type": "string", "enum": names }, {
                "type": "object",
                "properties": { "file": { "type": "string" } },
                "additionalProperties": false,
                "required": ["file"],
            }],
            "default": names[0],
        }),
        Shape::Texts { pattern, most } => {
            let name = serde_json::json!({ "type": "string", "pattern": pattern });
            serde_json::json!({ "type": "array", "items": name, "minItems": 1, "maxItems": most })
        }
        Shape::Lists { most, lists } => {
            let list = serde_json::json!({ "type": "array", "items": number(0, most) });
            serde_json::json!({ "type": "array", "items": list, "maxItems": lists })
        }
        Shape::File => serde_json::json!({ "type": "string" }),
    };
    schema["description"] = format!("{}.", capitalised(key.about)).into();
    schema
}

fn number(least: u32, most: u32) -> Value {
    serde_json::json!({ "type": "integer", "format": "uint32", "minimum": least, "maximum": most })
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Most lengths of dimensions.
pub(super) const MAX_LENGTHS: usize = 16;

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
    /// All channels.
    #[default]
    All,
    /// One channel that sends and one that receives.
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
