//! What the templates see of a product of matrices.

use super::{HostView, Origin, Tile, TopFile, tiles};
use crate::collective::ProductKind;
use crate::lower::bits::BitRow;
use crate::lower::product::{DRAIN_CYCLES, TileProgram};
use crate::lower::{Frame, ProductLowered};
use crate::topology::Topology;
use askama::Template;

/// Collectives of the test bench.
const SETS: u32 = 2;

struct ProductTile {
    tile: Tile,
    file: String,
    operand_on: String,
    operand_bank: String,
    operand_header: String,
    product_port: String,
    result_bank: String,
}

impl std::ops::Deref for ProductTile {
    type Target = Tile;

    fn deref(&self) -> &Tile {
        &self.tile
    }
}

#[derive(Template)]
#[template(path = "gen/mn_product_network.v", escape = "none")]
struct NetworkFile<'a> {
    header: &'a str,
    p: &'a Frame,
    what: &'static str,
    rows: u32,
    width: usize,
    drain: u32,
    parameters: String,
    tiles: Vec<ProductTile>,
}

#[derive(Template)]
#[template(path = "gen/mn_product_tb.v", escape = "none")]
struct BenchFile<'a> {
    header: &'a str,
    p: &'a Frame,
    what: &'static str,
    loads: u32,
    results: u32,
    sets: u32,
    timeout: u64,
}

/// Where the image of a router's slot table stands in a bundle.
pub(in crate::emit) fn image(frame: &Frame, tile: usize) -> String {
    let at = frame.network.address(tile.into());
    format!("rom/router_{}_{}_{}.hex", at.c, at.d, at.p)
}

fn name(kind: ProductKind) -> &'static str {
    match kind {
        ProductKind::VectorMatrix => "a vector times a matrix",
        ProductKind::MatrixVector => "a matrix times a vector",
        ProductKind::MatrixMatrix => "a matrix times a matrix",
        ProductKind::Transpose => "the transpose of a matrix",
    }
}

/// What is computed, for a title.
pub(in crate::emit) fn title(lowered: &ProductLowered) -> String {
    let (p, product) = (&lowered.frame, &lowered.product);
    format!(
        "Product on D3({},{}), {} coordinates: {} of order {}, {}-bit elements, {}-bit words, schedule {}",
        p.k,
        p.m,
        p.group_name(),
        name(product.kind),
        product.order,
        product.element_bits,
        p.data_bits,
        lowered.schedule.algorithm
    )
}

/// Numbers of `width` bits each, the first in the low position, as a sized literal.
fn literal(width: usize, values: impl IntoIterator<Item = u32>) -> String {
    let values: Vec<u32> = values.into_iter().collect();
    let mut row = BitRow::zero(values.len() * width);
    values.iter().enumerate().for_each(|(i, &value)| row.set(i * width, width, value));
    format!("{}'h{}", row.width(), row.to_hex())
}

/// Bits of a number below `count`.
fn bits(count: u32) -> usize {
    (u32::BITS - (count.max(2) - 1).leading_zeros()) as usize
}

impl ProductTile {
    fn new(lowered: &ProductLowered, tile: Tile) -> Self {
        let (p, shape) = (&lowered.frame, &lowered.shape);
        let TileProgram { operands, product_ports, result_banks, .. } = &lowered.tiles[tile.index];
        let local = p.network.local_ports();
        let headers = operands.iter().enumerate().flat_map(|(port, operand)| {
            let width = if port < local { p.local_header_bits } else { p.global_header_bits };
            let bit = move |bit| operand.as_ref().map_or(0, |(header, _)| header.get(bit, 1));
            (0..width as usize).map(bit)
        });
        Self {
            file: image(p, tile.index),
            operand_on: literal(1, operands.iter().map(|operand| operand.is_some().into())),
            operand_bank: literal(
                bits(shape.operand_banks),
                operands.iter().map(|operand| operand.as_ref().map_or(0, |operand| operand.1)),
            ),
            operand_header: literal(1, headers),
            product_port: literal(lowered.fields.port_bits(), product_ports.iter().copied()),
            result_bank: literal(bits(shape.result_banks), result_banks.iter().copied()),
            tile,
        }
    }
}

/// The parameters that all tiles share.
fn parameters(lowered: &ProductLowered) -> String {
    let (p, shape) = (&lowered.frame, &lowered.shape);
    let list = [
        ("K", p.k),
        ("M", p.m),
        ("LOCAL_STAGES", p.local_stages),
        ("GLOBAL_STAGES", p.global_stages),
        ("XBAR_STAGES", p.xbar_stages),
        ("DW", p.data_bits),
        ("EB", shape.element_bits),
        ("SIGNED", shape.signed.into()),
        ("PARITY", p.parity.into()),
        ("LOG", p.error_log.into()),
        ("TB", p.tile_bits),
        ("SUM_CYCLES", shape.sum_cycles),
        ("COLUMN", shape.column.into()),
        ("ARITH", shape.arithmetic.into()),
        ("ONE_SUM", shape.one_sum.into()),
        ("BACK", shape.back.into()),
        ("X", shape.block),
        ("GROUPS", shape.groups),
        ("TERMS", shape.terms),
        ("BANKS", shape.banks),
        ("SPLIT", shape.split.into()),
        ("HELD", shape.held),
        ("ROWS", shape.matrix_rows),
        ("OPERAND_BANKS", shape.operand_banks),
        ("OPERAND_WORDS", shape.operand_words),
        ("RESULT_BANKS", shape.result_banks),
        ("RESULT_WORDS", shape.result_words),
        ("BACK_WORDS", shape.back_words),
        ("WIDTH", lowered.fields.width() as u32),
    ];
    let lanes = shape.lanes.iter().flat_map(|lane| (0..p.network.ports()).map(|port| lane.contains(&port).into()));
    let lanes = literal(1, lanes);
    let list = list.map(|(name, value)| format!(".{name}({value})"));
    // lines of a length that can be read
    let lines: Vec<String> = list.chunks(8).map(|line| line.join(", ")).collect();
    format!("{},\n        .LANE_PORTS({lanes})", lines.join(",\n        "))
}

/// The words that the test bench loads, and those that it wants, from the definition: where no result lies, nothing is compared.
fn images(lowered: &ProductLowered) -> [String; 2] {
    let (product, shape, p) = (&lowered.product, &lowered.shape, &lowered.frame);
    let digits = p.data_bits as usize / 4;
    let [mut loads, mut expects] = [String::new(), String::new()];
    for set in 0..SETS {
        let operands = product.random(set.into());
        loads.extend(lowered.loads(&operands).iter().map(|word| format!("{word:0digits$x}\n")));
        let mut wanted = vec![None; (p.tiles * shape.results()) as usize];
        let places = (0..product.vectors()).flat_map(|vector| (0..product.order).map(move |element| (vector, element)));
        for ((vector, element), value) in places.zip(product.expected(&operands)) {
            let (tile, bank, address) = lowered.result_place(vector, element);
            wanted[(tile * shape.results() + address * shape.result_banks + bank) as usize] = Some(value);
        }
        let mask = match product.kind {
            ProductKind::Transpose => product.element_bits,
            _ => product.accumulator_bits,
        };
        let mask = u64::MAX >> (64 - mask);
        expects.extend(wanted.iter().map(|word| match word {
            Some(word) => format!("{:0digits$x}{:0digits$x}\n", mask, word & mask),
            None => format!("{:0width$x}\n", 0, width = 2 * digits),
        }));
    }
    [loads, expects]
}

/// Renders every file that depends on the network's shape.
pub(in crate::emit) fn render(
    lowered: &ProductLowered,
    origin: &Origin,
) -> Result<Vec<(String, String)>, askama::Error> {
    let header = super::header(origin);
    let (header, p, shape) = (header.as_str(), &lowered.frame, &lowered.shape);
    let what = name(lowered.product.kind);
    let network = NetworkFile {
        header,
        p,
        what,
        rows: lowered.rows(),
        width: lowered.fields.width(),
        drain: DRAIN_CYCLES,
        parameters: parameters(lowered),
        tiles: tiles(p).into_iter().map(|tile| ProductTile::new(lowered, tile)).collect(),
    };
    let all = |words: u32| u64::from(words) * u64::from(p.tiles);
    let host = HostView {
        pass: lowered.pass_cycles.into(),
        loads: all(shape.loads()),
        set: shape.results().into(),
        double: 0,
    };
    let words = 2 * all(shape.loads() + shape.results());
    let timeout = u64::from(SETS) * (words + u64::from(lowered.pass_cycles) + 8 * u64::from(p.flush_cycles) + 1000);
    let bench = BenchFile { header, p, what, loads: shape.loads(), results: shape.results(), sets: SETS, timeout };
    let [loads, expects] = images(lowered);
    let files = vec![
        ("rtl/mn_network.v", network.render()? + "\n"),
        ("rtl/mn_top.v", TopFile { header, title: &title(lowered), p, host }.render()? + "\n"),
        ("tb/mn_tb.v", bench.render()? + "\n"),
        ("tb/loads.hex", loads),
        ("tb/expects.hex", expects),
    ];
    let programs = (0..p.tiles as usize).map(|tile| (image(p, tile), lowered.image(tile)));
    Ok(files.into_iter().map(|(name, text)| (name.to_owned(), text)).chain(programs).collect())
}
