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
    /// Combination of two words of 64 bits by an operator; for narrower words its low bits count.
    pub fn combine(self, a: u64, b: u64) -> u64 {
        match self {
            Operator::Sum => a.wrapping_add(b),
            Operator::Min => a.min(b),
            Operator::Max => a.max(b),
            Operator::Xor => a ^ b,
        }
    }

    /// The word that an operator leaves no trace of.
    pub fn identity(self) -> u64 {
        match self {
            Operator::Min => u64::MAX,
            Operator::Sum | Operator::Max | Operator::Xor => 0,
        }
    }

    /// The name in a specification.
    pub fn name(self) -> &'static str {
        self.into()
    }
}
