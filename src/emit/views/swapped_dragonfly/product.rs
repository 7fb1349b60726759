//! Template data of a product of matrices.

use super::{Tile, With, product_counter, tiles_with};
use crate::emit::EmitError;
use crate::emit::images::{image_file, images as rom};
use crate::emit::verilog::Verilog;
use crate::emit::views::trial::{self, SETS, TrialBench};
use crate::emit::views::{HostView, Origin, TopFile, literal, passed, rendered, timeout};
use crate::lower::Trial;
use crate::lower::bits::BitRow;
use crate::lower::swapped_dragonfly::product::DRAIN_CYCLES;
use crate::lower::swapped_dragonfly::{Frame, ProductLowered};
use crate::topology::Topology;
use askama::Template;

/// A tile's slot table and constants, as Verilog writes them.
struct ProductTile {
    file: String,
    steps: String,
    diagonal: String,
    operand_on: String,
    operand_bank: String,
    operand_header: String,
    product_port: String,
    back_port: String,
    result_bank: String,
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
    /// True if counters make the rows.
    counter: bool,
    parameters: String,
    tiles: Vec<With<ProductTile>>,
}

#[derive(Template)]
#[template(path = "gen/mn_product_node.v", escape = "none")]
struct NodeFile<'a> {
    p: &'a Frame,
    rows: u32,
    width: usize,
    drain: u32,
    counter: bool,
    parameters: String,
    /// Ports of the tile that are constants of a tile, from the lowest bit of all of them on: name, first bit, bits.
    constants: Vec<(&'static str, usize, usize)>,
    /// The first bit of those of the counters.
    steps_at: usize,
    constant_bits: usize,
}

/// `mn_node`, a program and a tile of a product in one module, whose constants are an input.
///
/// # Errors
/// Only by a defect of metronoc.
pub fn node(lowered: &ProductLowered) -> Result<String, askama::Error> {
    let of = lowered.constants(0);
    let mut at = 0;
    let list = [
        ("diagonal_i", &of.diagonal),
        ("operand_on_i", &of.operand_on),
        ("operand_bank_i", &of.operand_bank),
        ("operand_header_i", &of.operand_header),
        ("product_port_i", &of.product_port),
        ("back_port_i", &of.back_port),
        ("result_bank_i", &of.result_bank),
    ];
    let constants = list.map(|(name, row)| {
        at += row.width();
        (name, at - row.width(), row.width())
    });
    let node = NodeFile {
        p: &lowered.frame,
        rows: lowered.rows(),
        width: lowered.fields.width(),
        drain: DRAIN_CYCLES,
        parameters: parameters(lowered),
        constants: constants.to_vec(),
        counter: lowered.counters.is_some(),
        steps_at: at,
        constant_bits: at + of.steps.width(),
    };
    Ok(node.render()? + "\n")
}

impl Verilog for ProductLowered {
    fn title(&self) -> String {
        title(self)
    }

    fn parity(&self) -> bool {
        self.frame.parity
    }

    fn files(&self, origin: &Origin) -> Result<Vec<(String, String)>, EmitError> {
        Ok(render(self, origin)?)
    }
}

/// Title of a product: sizes, network and schedule.
fn title(lowered: &ProductLowered) -> String {
    let (p, product) = (&lowered.frame, &lowered.product);
    format!(
        "Product on {}: {} of order {}, {}-bit elements, {}-bit words, schedule {}",
        p.name(),
        product.kind.name(),
        product.order,
        product.element_bits,
        p.data_bits,
        lowered.schedule.algorithm
    )
}

impl ProductTile {
    fn new(lowered: &ProductLowered, tile: &Tile) -> Self {
        let constants = lowered.constants(tile.node);
        Self {
            file: image_file(&lowered.image(tile.node)),
            steps: literal(&constants.steps),
            diagonal: literal(&constants.diagonal),
            operand_on: literal(&constants.operand_on),
            operand_bank: literal(&constants.operand_bank),
            operand_header: literal(&constants.operand_header),
            product_port: literal(&constants.product_port),
            back_port: literal(&constants.back_port),
            result_bank: literal(&constants.result_bank),
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
        ("BACK_BANKS", shape.back_banks),
        ("BACK_WORDS", shape.back_words),
        ("WIDTH", lowered.fields.width() as u32),
    ];
    let mut lanes = BitRow::zero(shape.lanes.len() * p.network.ports());
    for (lane, port) in shape.lanes.iter().enumerate().flat_map(|(i, ports)| ports.iter().map(move |port| (i, port))) {
        lanes.set(lane * p.network.ports() + port, 1, 1);
    }
    let lanes = literal(&lanes);
    // lines of a length that can be read
    let lines: Vec<String> = list.chunks(8).map(passed).collect();
    format!("{},\n        .LANE_PORTS({lanes})", lines.join(",\n        "))
}

/// A trial on random operands, other ones in each network.
fn trial(lowered: &ProductLowered, set: u32) -> Trial {
    let (product, shape, p) = (&lowered.product, &lowered.shape, &lowered.frame);
    let (mut loads, mut results) = (Vec::new(), Vec::new());
    let read = |tile: u32| (tile * shape.results()) as usize;
    for network in 0..p.networks() as u32 {
        let operands = product.random((set * p.networks() as u32 + network).into());
        let nodes = p.network.nodes() as u32;
        let words = lowered.loads(&operands);
        let of_tiles = words.chunks(shape.loads() as usize).map(<[u64]>::to_vec);
        loads.extend((network * nodes..).zip(of_tiles));
        let places = (0..product.vectors()).flat_map(|vector| (0..product.order).map(move |element| (vector, element)));
        for ((vector, element), value) in places.zip(product.expected(&operands)) {
            let (tile, bank, address) = lowered.result_place(vector, element);
            let place = read(network * nodes + tile) + (address * shape.result_banks + bank) as usize;
            results.push((place, value));
        }
    }
    Trial { mask: u64::MAX >> (64 - product.accumulator_bits), ..Trial::new(loads, read(p.tiles), results) }
}

/// Renders every file that depends on the network's shape.
fn render(lowered: &ProductLowered, origin: &Origin) -> Result<Vec<(String, String)>, askama::Error> {
    let header = crate::emit::views::header(origin);
    let (header, p, shape) = (header.as_str(), &lowered.frame, &lowered.shape);
    let what = lowered.product.kind.name();
    let network = NetworkFile {
        header,
        p,
        what,
        rows: lowered.rows(),
        width: lowered.fields.width(),
        drain: DRAIN_CYCLES,
        counter: lowered.counters.is_some(),
        parameters: parameters(lowered),
        tiles: tiles_with(p, |tile| ProductTile::new(lowered, tile)),
    };
    let all = |words: u32| u64::from(words) * u64::from(p.tiles);
    let host = HostView {
        pass: lowered.pass_cycles.into(),
        loads: all(shape.loads()),
        set: shape.results().into(),
        double: 0,
        loadable: false,
        live: false,
    };
    let words = 2 * all(shape.loads() + shape.results());
    let timeout = timeout(p, SETS, words, lowered.pass_cycles.into());
    let (title, loads) = (title(lowered), all(shape.loads()) as u32);
    let bench = TrialBench { header, what: &title, p, loads, results: shape.results(), sets: SETS, timeout };
    let top = TopFile { header, title: &title, p, host };
    let mut files = rendered(&network, &top, &bench)?;
    files.extend(trial::files(p.data_bits, (0..SETS).map(|set| trial(lowered, set))));
    match &lowered.counters {
        Some(counters) => files.push(product_counter::render(lowered, counters, origin, what)?),
        None => files.extend(rom(lowered)),
    }
    Ok(files)
}
