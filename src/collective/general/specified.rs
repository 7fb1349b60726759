//! Collectives of specifications that run on any network: a kind, and the values of its keys.

use super::keys::{BlockSpec, Keys, MAX_COUNT};
use super::kind::{Among, Kind, Part};
use super::registry::KINDS;
use super::{Definition, DefinitionError, names};
use crate::collective::Operator;
use crate::collective::keys::{DemandKeys, PermutationKeys};
use crate::collective::pattern::Unfit;
use crate::id::NodeId;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::ser::{Error, SerializeMap};
use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};
use std::borrow::Cow;
use std::path::Path;

/// Most collectives of a sequence.
pub const MAX_SEQUENCE: usize = 16;

/// Collective on a network that runs in slot tables. Nodes that are excluded from the network do not take part and are not counted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GeneralCollective {
    /// Kind.
    pub kind: &'static Kind,
    /// Values of the keys of its parts; the others are at their defaults.
    pub keys: Keys,
    /// Keys that all kinds have.
    pub blocks: BlockSpec,
}

/// Collectives one after the other: `[[collective]]` several times.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SequenceSpec {
    /// Collectives in the order in which they run, at least 2.
    pub collectives: Vec<GeneralCollective>,
}

/// Collective of a specification among `endpoints`. Its files are in `folder`, and `seed` is that of random choices without a seed of
/// their own.
///
/// # Errors
/// [`Unfit`] at a key of `[collective]` that does not fit the endpoints.
pub fn of(collective: &GeneralCollective, endpoints: &[NodeId], folder: &Path, seed: u64) -> Result<Definition, Unfit> {
    let GeneralCollective { kind, keys, blocks } = collective;
    let rule = (kind.rule)(keys, &Among { endpoints: endpoints.len() as u32, folder, seed })?;
    Definition::new(rule, endpoints, blocks.words, blocks.repeat).map_err(|error| unfit(&error))
}

fn unfit(error: &DefinitionError) -> Unfit {
    let (key, help) = match error {
        DefinitionError::Root { endpoints, .. } => ("root", format!("take `root` from 0 to {}", endpoints - 1)),
        DefinitionError::TooMany { .. } => ("kind", "take fewer words, or a smaller network".to_owned()),
        _ => ("kind", "take another collective, or another network".to_owned()),
    };
    Unfit { key, message: error.to_string(), help }
}

/// Values of the keys of a part, as a table.
fn table(part: Part, keys: &Keys) -> Result<Map<String, Value>, serde_json::Error> {
    let value = match part {
        Part::Root => json!({ "root": keys.root }),
        Part::Operator => json!({ "op": keys.op }),
        Part::Permutation => serde_json::to_value(&keys.permutation)?,
        Part::Demands => serde_json::to_value(&keys.demands)?,
    };
    Ok(value.as_object().cloned().unwrap_or_default())
}

/// Serialises as one table.
impl Serialize for GeneralCollective {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { kind, keys, blocks } = self;
        let mut all = serializer.serialize_map(None)?;
        all.serialize_entry("kind", kind.name)?;
        for &part in kind.parts {
            for (key, value) in table(part, keys).map_err(S::Error::custom)? {
                all.serialize_entry(&key, &value)?;
            }
        }
        all.serialize_entry("algorithm", &blocks.algorithm)?;
        all.serialize_entry(kind.words, &blocks.words)?;
        if let Some(chunks) = blocks.chunks {
            all.serialize_entry("chunks", &chunks)?;
        }
        all.serialize_entry("repeat", &blocks.repeat)?;
        all.end()
    }
}

impl JsonSchema for GeneralCollective {
    fn schema_name() -> Cow<'static, str> {
        "GeneralCollective".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let kinds: Vec<Value> = KINDS.iter().map(|kind| schema(kind, generator)).collect();
        let about = "Collective on a network that runs in slot tables. Nodes that are excluded from the network do not take part and are \
                     not counted.";
        let mut schema = Schema::default();
        schema.insert("description".to_owned(), about.into());
        schema.insert("oneOf".to_owned(), kinds.into());
        names::kinds(&mut schema);
        schema
    }
}

/// Schema of a kind.
fn schema(kind: &Kind, generator: &mut SchemaGenerator) -> Value {
    let mut properties = Map::from_iter([("kind".to_owned(), json!({ "type": "string", "const": kind.name }))]);
    let of = |schema: Schema| schema.to_value()["properties"].as_object().cloned().unwrap_or_default();
    for part in kind.parts {
        properties.extend(match part {
            Part::Root => Map::from_iter([(
                "root".to_owned(),
                json!({
                    "description": "Root node of the collective, counted among the nodes that take part.",
                    "type": "integer", "format": "uint32", "minimum": 0, "maximum": 65535, "default": 0,
                }),
            )]),
            Part::Operator => {
                let mut op = json!({ "description": "Operator that combines two words.", "default": Operator::Sum });
                let reference = generator.subschema_for::<Operator>().to_value();
                op.as_object_mut()
                    .into_iter()
                    .for_each(|op| op.extend(reference.as_object().cloned().unwrap_or_default()));
                Map::from_iter([("op".to_owned(), op)])
            }
            Part::Permutation => of(PermutationKeys::json_schema(generator)),
            Part::Demands => of(DemandKeys::json_schema(generator)),
        });
    }
    let mut blocks = of(BlockSpec::json_schema(generator));
    if kind.words != "words" {
        for key in ["words", "chunks"] {
            blocks[key]["maximum"] = MAX_COUNT.into();
        }
        let words = blocks.remove("words").unwrap_or_default();
        blocks.insert(kind.words.to_owned(), words);
    }
    properties.extend(blocks);
    json!({
        "description": format!("{}.", kind.about),
        "type": "object",
        "properties": properties,
        "additionalProperties": false,
        "required": ["kind"],
    })
}
