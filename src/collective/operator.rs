//! Operators that combine words.

use schemars::JsonSchema;
use serde::Serialize;

/// Operator on unsigned words, commutative and associative.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema, strum::IntoStaticStr, strum::VariantArray)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "kebab-case")]
pub enum Operator {
    /// The sum, modulo 2 to the width of a word.
    Sum,
    /// The smaller.
    Min,
    /// The larger.
    Max,
    /// Bitwise exclusive or.
    Xor,
}

impl Operator {
    /// The name in a specification.
    pub fn name(self) -> &'static str {
        self.into()
    }
}
