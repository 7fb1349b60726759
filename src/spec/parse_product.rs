//! The keys of matrix products and of the transpose.

use super::diagnostic::Diagnostic;
use super::kind::{Check, Kind};
use super::product::{AccumulatorBits, ProductAlgorithm, ProductSpec, TransposeSpec, needed_bits};
use super::table::{Choices, Findings, TableReader};
use super::{CollectiveSpec, NetworkSpec, RouterSpec};

const ON: &[(&str, Check)] = &[("swapped-dragonfly", check)];

/// Lines of a product in a starter.
const PRODUCT: &str = r#"algorithm = "best"          # or by name: "in-place", "out-of-place", "one-round"
block = 1                   # rows and columns of a block: 1 to 64
signed = false              # true: elements are in two's complement
accumulator_bits = "auto"   # bits of a sum: "auto", or 1 to 64
wrap = false                # true: sums that are too wide are kept modulo 2^accumulator_bits
mac_cycles = 0              # clock cycles from the last arrival to a product or sum: 0 to 64
"#;

/// Lines of a transpose in a starter.
const MOVE: &str = r#"algorithm = "best"          # or by name: "in-place", "one-round"
block = 1                   # rows and columns of a block: 1 to 64
"#;

/// Row vector times matrix.
pub(super) const VECTOR_MATRIX: Kind =
    Kind { starter: PRODUCT, ..Kind::new("vector-matrix", |table| CollectiveSpec::VectorMatrix(product(table)), ON) };

/// Matrix times column vector.
pub(super) const MATRIX_VECTOR: Kind =
    Kind { starter: PRODUCT, ..Kind::new("matrix-vector", |table| CollectiveSpec::MatrixVector(product(table)), ON) };

/// Matrix times matrix.
pub(super) const MATRIX_MATRIX: Kind =
    Kind { starter: PRODUCT, ..Kind::new("matrix-matrix", |table| CollectiveSpec::MatrixMatrix(product(table)), ON) };

/// Transpose of a matrix.
pub(super) const TRANSPOSE: Kind =
    Kind { starter: MOVE, ..Kind::new("transpose", |table| CollectiveSpec::Transpose(transpose(table)), ON) };

const TRANSPOSE_ALGORITHMS: Choices<'static, ProductAlgorithm> = &[
    ("best", ProductAlgorithm::Best),
    ("in-place", ProductAlgorithm::InPlace),
    ("one-round", ProductAlgorithm::OneRound),
];
const MAX_BLOCK: u32 = 64;

fn product(mut table: TableReader<'_, '_>) -> ProductSpec {
    let default = ProductSpec::default();
    let widths: Vec<(u32, AccumulatorBits)> = (1..=64).map(|bits| (bits, AccumulatorBits::Bits(bits))).collect();
    let product = ProductSpec {
        algorithm: table.named("algorithm").unwrap_or(default.algorithm),
        block: table.u32("block", 1..=MAX_BLOCK).unwrap_or(default.block),
        signed: table.boolean("signed").unwrap_or(default.signed),
        accumulator_bits: table
            .choice_or_number("accumulator_bits", &[("auto", AccumulatorBits::Auto)], &widths)
            .unwrap_or(default.accumulator_bits),
        wrap: table.boolean("wrap").unwrap_or(default.wrap),
        mac_cycles: table.u32("mac_cycles", 0..=64).unwrap_or(default.mac_cycles),
    };
    table.finish();
    product
}

fn transpose(mut table: TableReader<'_, '_>) -> TransposeSpec {
    let default = TransposeSpec::default();
    let transpose = TransposeSpec {
        algorithm: table.choice("algorithm", TRANSPOSE_ALGORITHMS).unwrap_or(default.algorithm),
        block: table.u32("block", 1..=MAX_BLOCK).unwrap_or(default.block),
    };
    table.finish();
    transpose
}

/// The matrix fits the network, and sums fit their width.
fn check(findings: &mut Findings, network: &NetworkSpec, router: &RouterSpec, collective: &CollectiveSpec) {
    let (Some(sizes), Some((algorithm, block))) = (network.swapped_dragonfly(), collective.matrix()) else { return };
    let (k, m, payload_bits) = (sizes.guest().k(), sizes.guest().m(), router.payload_bits);
    let Some(blocks) = algorithm.blocks(k, m) else {
        let side = k.isqrt();
        let message = format!("\"{}\" needs a square number of cabinets, and k = {k} is none", algorithm.name());
        let mut diagnostic = Diagnostic::new(&findings.source, message);
        for field in ["collective.algorithm", "network.k"] {
            diagnostic = diagnostic.at(findings.place(field).unwrap_or(0..0), "");
        }
        let help = format!("take k = {} or {}, or `algorithm = \"one-round\"`", side * side, (side + 1) * (side + 1));
        findings.errors.push(diagnostic.help(help));
        return;
    };
    let Some(product) = collective.product() else { return };
    let order = blocks * block;
    let (needed, bits) = (needed_bits(order, payload_bits, product.signed), product.accumulator(order, payload_bits));
    // as wide as can be: what does not fit is found in the data
    let widest = product.accumulator_bits == AccumulatorBits::Auto;
    if needed <= bits || widest || product.wrap || findings.is_bad("collective.accumulator_bits") {
        return;
    }
    let message = format!("a sum of {order} products of {payload_bits} bits needs {needed} bits, and there are {bits}");
    let fields = ["collective.accumulator_bits", "router.payload_bits", "collective.block", "collective.kind"];
    let place = fields.iter().find_map(|field| findings.place(field)).unwrap_or(0..0);
    let help = match needed {
        ..=64 => {
            format!("write `accumulator_bits = {needed}` or \"auto\", or `wrap = true` to keep sums modulo 2^{bits}")
        }
        _ => {
            format!("leave it out, so that the data are looked at, or write `wrap = true` to keep sums modulo 2^{bits}")
        }
    };
    findings.error(place, "", message, help);
}
