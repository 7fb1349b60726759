//! The JSON schema of a specification, for editors that complete and check TOML as it is written.

use super::Spec;

/// Schema as JSON text with a newline at its end. It has shapes, ranges and defaults; rules between keys are left to
/// the parser.
pub fn schema() -> String {
    let schema = schemars::schema_for!(Spec);
    let mut text = serde_json::to_string_pretty(&schema).expect("a schema is JSON"); // it is built of JSON values alone
    text.push('\n');
    text
}
