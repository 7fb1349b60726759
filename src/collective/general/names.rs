//! Names of kinds of collectives: the default, and further names that papers use.

use schemars::Schema;
use serde_json::{Value, json};

/// Further names of kinds, each with the name that the kind has here.
pub const FURTHER_NAMES: &[(&str, &str)] = &[("total-exchange", "all-to-all"), ("all-to-all-broadcast", "all-gather")];

/// Schema of a kind of collective: a table without a kind is an all-to-all, and further names are taken.
pub fn kinds(schema: &mut Schema) {
    // with a variant that has no tag, the list has this name
    if let Some(kinds) = schema.remove("anyOf") {
        schema.insert("oneOf".to_owned(), kinds);
    }
    let Some(kinds) = schema.get_mut("oneOf").and_then(Value::as_array_mut) else { return };
    if let Some(required) = kinds.first_mut().and_then(|kind| kind.get_mut("required")?.as_array_mut()) {
        required.retain(|key| key != "kind");
    }
    for kind in kinds.iter_mut().filter_map(|kind| kind.get_mut("properties")?.get_mut("kind")) {
        let further = |(_, name): &&(&str, &str)| kind["const"] == *name;
        if let Some((further, name)) = FURTHER_NAMES.iter().find(further) {
            *kind = json!({ "type": "string", "enum": [name, further] });
        }
    }
}
