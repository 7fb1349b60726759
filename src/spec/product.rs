//! Matrix products and the transpose, as `[collective]` has them.

use schemars::JsonSchema;
use serde::{Serialize, Serializer};

/// A product of a matrix with a vector or a matrix, blocks of it at each router.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields, default)]
pub struct ProductSpec {
    /// Layout of the matrix and of the result.
    pub algorithm: ProductAlgorithm,
    /// Rows and columns of a router's block of the matrix, X; the whole has X·KM of each.
    #[schemars(range(min = 1, max = 64))]
    pub block: u32,
    /// Signed elements, in two's complement.
    pub signed: bool,
    /// Width of sums. "auto": as wide as the largest sum needs, at most 64; data whose sums need more are then refused.
    pub accumulator_bits: AccumulatorBits,
    /// Permission for sums that are too wide; they are kept modulo a power of two.
    pub wrap: bool,
    /// Clock cycles from the last arrival to its product or sum, in each step of arithmetic.
    #[schemars(range(min = 0, max = 64))]
    pub mac_cycles: u32,
}

impl Default for ProductSpec {
    fn default() -> Self {
        Self {
            algorithm: ProductAlgorithm::Best,
            block: 1,
            signed: false,
            accumulator_bits: AccumulatorBits::Auto,
            wrap: false,
            mac_cycles: 0,
        }
    }
}

impl ProductSpec {
    /// Width of sums of `order` products of elements of `payload_bits`, in bits: the specification's, or as many as
    /// they need, up to 64.
    pub fn accumulator(&self, order: u32, payload_bits: u32) -> u32 {
        match self.accumulator_bits {
            AccumulatorBits::Bits(bits) => bits,
            AccumulatorBits::Auto => needed_bits(order, payload_bits, self.signed).min(64),
        }
    }
}

/// The transpose of a matrix, blocks of it at each router.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields, default)]
pub struct TransposeSpec {
    /// Layout of the matrix.
    #[schemars(with = "TransposeAlgorithm")]
    pub algorithm: ProductAlgorithm,
    /// Rows and columns of a router's block of the matrix, X; the whole has X·KM of each.
    #[schemars(range(min = 1, max = 64))]
    pub block: u32,
}

impl Default for TransposeSpec {
    fn default() -> Self {
        Self { algorithm: ProductAlgorithm::Best, block: 1 }
    }
}

/// Layout of a matrix and of the result of a product.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema, strum::IntoStaticStr, strum::VariantArray)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum ProductAlgorithm {
    /// Algorithm of the fewest cycles on D3(K²,M); "one-round" where the number of cabinets is no square.
    Best,
    /// Algorithm on D3(K²,M). The result has the layout of the operand.
    InPlace,
    /// Algorithm on D3(K²,M) with one hop less. The result has the layout of the operand's transpose.
    OutOfPlace,
    /// Algorithm on D3(K,M) for a KM × KM matrix, K elements of each block at a router. The result has the layout of
    /// the operand.
    OneRound,
}

impl ProductAlgorithm {
    /// The name in a specification.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Blocks in a row of the matrix on a network of `k` cabinets; None if there must be a square of them.
    pub fn blocks(self, k: u32, m: u32) -> Option<u32> {
        let side = k.isqrt();
        match (self, side * side == k) {
            (ProductAlgorithm::OneRound, _) | (ProductAlgorithm::Best, false) => Some(k * m),
            (_, true) => Some(side * m),
            (_, false) => None,
        }
    }
}

/// Layout of a matrix that is transposed.
#[derive(JsonSchema)]
#[schemars(rename_all = "kebab-case")]
#[allow(dead_code)] // only its schema is used
enum TransposeAlgorithm {
    /// "in-place" on D3(K²,M), otherwise "one-round".
    Best,
    /// Layout on D3(K²,M).
    InPlace,
    /// Layout on D3(K,M), which holds a KM × KM matrix, K elements of each block at a router.
    OneRound,
}

/// Width of sums.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AccumulatorBits {
    /// Width that the largest sum needs, at most 64 bits.
    Auto,
    /// Number of bits, from 1 to 64.
    Bits(u32),
}

impl Serialize for AccumulatorBits {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            AccumulatorBits::Auto => serializer.serialize_str("auto"),
            AccumulatorBits::Bits(bits) => serializer.serialize_u32(*bits),
        }
    }
}

impl JsonSchema for AccumulatorBits {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "AccumulatorBits".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "description": "Width of sums: bits, or as many as the largest sum needs.",
            "anyOf": [{ "const": "auto" }, { "type": "integer", "minimum": 1, "maximum": 64 }],
        })
    }
}

/// Bits that hold every sum of `order` products of two elements of `payload_bits`.
pub fn needed_bits(order: u32, payload_bits: u32, signed: bool) -> u32 {
    if payload_bits > 32 {
        // a single product of two such elements
        return 2 * payload_bits;
    }
    let (element, sign) = if signed { (1_u128 << (payload_bits - 1), 1) } else { ((1_u128 << payload_bits) - 1, 0) };
    let largest = u128::from(order) * element * element;
    u128::BITS - largest.leading_zeros() + sign
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_need_the_bits_of_the_largest() {
        // 4 · 255² = 260100 < 2^18; 4 · 128² = 65536 = 2^16, and a sign
        assert_eq!(needed_bits(4, 8, false), 18);
        assert_eq!(needed_bits(4, 8, true), 18);
        assert_eq!(needed_bits(3, 8, true), 17);
        assert_eq!(needed_bits(1, 32, false), 64);
        assert_eq!(needed_bits(1, 64, true), 128);
    }
}
