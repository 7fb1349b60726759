//! The proof that the emitted top is the network: every bit of every connection, from the elaborated netlist alone.
//!
//! Yosys elaborates `mn_top`, `mn_network` and `mn_node` with everything below as black boxes. What it finds is held
//! against a plan made from the parameters and the [topology](crate::topology::Topology), never from the templates:
//!
//! 1. The instances are exactly the planned ones, of the planned modules with the planned parameters; there is one tile
//!    for each node, and its constants are its number and its coordinates.
//! 2. No net has two drivers.
//! 3. Every bit of every input of every instance, and of every output of a module, has exactly the planned driver: each
//!    input slice of a tile is the output slice of the neighbour whose port leads there, loopbacks included; the ring goes
//!    through the tiles in order; each tile hears the leaf of the start tree with its number; all ends and faults go to
//!    the trees.
//!
//! As all inputs are accounted for, an output drives what is planned and nothing else. So a simulation of single tiles
//! whose registered outputs are carried to their neighbours along the topology shows what the whole top would.

mod error;
mod judge;
mod netlist;
mod plan;

pub use error::{Driven, WiringError};
pub(in crate::cosim) use plan::feeders;

use crate::lower::Parameters;
use crate::spec::Placement;
use crate::tool::{Command, Tool, ToolSet};
use crate::topology::Topology;
use camino::Utf8Path;
use netlist::{Bit, Design, Module, constant};
use serde::Serialize;
use std::fs;

/// Proof that the wiring is that of the topology: numbers of tiles, channels and bits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct WiringProof {
    /// Tiles, each found exactly once.
    pub tiles: u32,
    /// Channels between them, loopbacks included.
    pub channels: u64,
    /// Bits of connections, each with exactly the planned driver.
    pub bits: u64,
}

impl std::fmt::Display for WiringProof {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { tiles, channels, bits } = self;
        write!(f, "{tiles} tiles, {channels} channels and {bits} bits of connections are those of the topology")
    }
}

/// Modules that are elaborated, then those of which only the ports matter.
fn sources(placement: Placement) -> (Vec<&'static str>, Vec<&'static str>) {
    let boxes = vec!["mn_tile", "mn_program", "mn_fanout", "mn_fanin", "mn_host"];
    match placement {
        Placement::Router => (vec!["mn_node", "mn_network", "mn_top"], boxes),
        Placement::Shared => (vec!["mn_network", "mn_top"], boxes),
    }
}

/// Proves the wiring of an emitted folder's files (relative path → content; others than the needed ones are passed over).
///
/// `work` is an existing folder, where the netlist and the log of Yosys stand afterwards if the proof fails.
/// Takes seconds; for 4096 tiles about a minute and 2 GiB.
///
/// # Errors
/// The first connection that is not the topology's, or why the sources could not be elaborated.
pub fn prove<'a>(
    files: impl IntoIterator<Item = (&'a str, &'a str)>,
    p: &Parameters,
    placement: Placement,
    tools: &ToolSet,
    work: &Utf8Path,
) -> Result<WiringProof, WiringError> {
    let (modules, boxes) = sources(placement);
    let file_error = |path: &Utf8Path| {
        let path = path.to_owned();
        move |source| WiringError::File { path, source }
    };
    let mut wanted: Vec<&str> = modules.iter().chain(&boxes).copied().collect();
    for (path, text) in files {
        let name = path.strip_prefix("rtl/").and_then(|file| file.strip_suffix(".v"));
        if let Some(place) = wanted.iter().position(|module| name == Some(*module)) {
            let path = work.join(format!("{}.v", wanted.swap_remove(place)));
            fs::write(&path, text).map_err(file_error(&path))?;
        }
    }
    if let Some(module) = wanted.first() {
        return Err(WiringError::Source(format!("rtl/{module}.v")));
    }
    tools.run(&elaborate(&modules, &boxes), work, &work.join("yosys.log"))?;
    let path = work.join("netlist.json");
    let text = fs::read(&path).map_err(file_error(&path))?;
    let design: Design = serde_json::from_slice(&text)?;
    drop(text);
    let proof = check(&design, p, placement)?;
    fs::remove_file(&path).map_err(file_error(&path))?;
    Ok(proof)
}

fn elaborate(modules: &[&str], boxes: &[&str]) -> Command {
    let list = |modules: &[&str]| modules.iter().map(|m| format!(" {m}.v")).collect::<String>();
    let script = format!(
        "read_verilog -lib{}; read_verilog{}; hierarchy -check -top mn_top; write_json netlist.json",
        list(boxes),
        list(modules)
    );
    Command::new(Tool::Yosys).args(["-q", "-p", script.as_str()])
}

fn check(design: &Design, p: &Parameters, placement: Placement) -> Result<WiringProof, WiringError> {
    let module = |name: &'static str| design.modules.get(name).ok_or(WiringError::Module(name));
    let network = module("mn_network")?;
    let tiles = tiles(network, p, placement)?;
    let mut bits = judge::judge("mn_top", module("mn_top")?, &plan::top(p), p)?;
    bits += judge::judge("mn_network", network, &plan::network(p, placement, &tiles), p)?;
    if placement == Placement::Router {
        bits += judge::judge("mn_node", module("mn_node")?, &plan::node(p), p)?;
    }
    Ok(WiringProof { tiles: p.tiles, channels: p.network.channels() as u64, bits })
}

/// The names of the tiles, in the order of their nodes: the constant at `tile_i` says which node an instance is.
fn tiles<'a>(network: &'a Module, p: &Parameters, placement: Placement) -> Result<Vec<&'a str>, WiringError> {
    let kind = if placement == Placement::Shared { "mn_tile" } else { "mn_node" };
    let mut names = vec![None; p.tiles as usize];
    let label = |index: usize| p.network.title(index.into());
    for (name, cell) in network.cells.iter().filter(|(_, cell)| cell.kind == kind) {
        let bits: &[Bit] = cell.connections.get("tile_i").map_or(&[], Vec::as_slice);
        let place = constant(bits).and_then(|index| usize::try_from(index).ok()).filter(|&index| index < names.len());
        let Some(index) = place else {
            let what = "has a number that is no tile's".into();
            return Err(WiringError::Instance { module: "mn_network".into(), instance: name.clone(), what });
        };
        if let Some(first) = names[index].replace(name.as_str()) {
            let what = format!("two tiles, `{first}` and `{name}`, with number {index}");
            return Err(WiringError::Tile { label: label(index), what });
        }
    }
    let missing = |index| WiringError::Tile { label: label(index), what: format!("no tile with number {index}") };
    names.into_iter().enumerate().map(|(index, name)| name.ok_or_else(|| missing(index))).collect()
}
