//! JSON schema of `[network]`.

use super::NetworkSpec;
use super::general::{self, NetworkOptions};
use super::registry::topologies;
use crate::topology;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::Value;

/// Schema of the networks of all topologies.
pub(super) fn of_all_topologies(generator: &mut SchemaGenerator) -> Schema {
    let reference = generator.subschema_for::<NetworkSpec>();
    let Value::Object(options) = NetworkOptions::json_schema(generator).to_value()["properties"].take() else {
        return reference;
    };
    let further: Vec<Value> = topology::KINDS.iter().map(|kind| general::schema(kind, &options)).collect();
    // with a variant that has no tag, the list is named `anyOf`
    if let Some(Value::Object(network)) = generator.definitions_mut().get_mut("NetworkSpec")
        && let Some(Value::Array(mut own)) = network.remove("anyOf")
    {
        let own_names =
            topologies().filter(|topology| topology.in_slot_tables().is_some()).map(|topology| topology.name);
        for name in own_names {
            let named = |schema: &&mut Value| schema["properties"]["topology"]["const"] == name;
            if let Some(Value::Object(properties)) =
                own.iter_mut().find(named).and_then(|own| own.get_mut("properties"))
            {
                properties.extend(options.clone());
            }
        }
        network.insert("oneOf".to_owned(), own.into_iter().chain(further).collect());
    }
    reference
}
