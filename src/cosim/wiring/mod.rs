//! The proof that the emitted top is the network: every bit of every connection, from the elaborated netlist alone.
//!
//! Yosys elaborates `mn_top`, `mn_network` and, where there is one, `mn_node` with everything below as black boxes. What it finds is held
//! against a plan made from the parameters and the [topology](crate::topology::Topology), never from the templates:
//!
//! 1. The instances are exactly the planned ones, of the planned modules with the planned parameters. There is one tile
//!    for each node. Its constants are its number and its coordinates, or the names of its images.
//! 2. No net has two drivers.
//! 3. Every bit of every input of every instance, and of every output of a module, has exactly the planned driver. Each
//!    input slice of a tile is the output slice of the neighbour whose port leads there, loopbacks included. The ring
//!    goes through the tiles in order. Each tile is driven by the leaf of the start tree with its number. All done and
//!    fault signals go to the trees.
//!
//! As all inputs are accounted for, an output drives what is planned and nothing else. So a simulation of single tiles
//! whose registered outputs are carried to their neighbours along the topology shows what the full top would.

mod error;
mod judge;
mod netlist;
mod plan;
mod slot_table;
mod source_vector;

pub use error::{Driven, WiringError};
pub use source_vector::SourceVector;
pub(in crate::cosim) use source_vector::feeders;

use crate::lower::Ring;
use crate::tool::{Command, Tool, ToolSet};
use crate::topology::Topology;
use camino::Utf8Path;
use netlist::{Bit, Design, Module, constant};
use plan::Plan;
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

/// Names of modules that are elaborated; then of modules of which only the ports are read.
#[derive(Debug)]
pub struct Sources {
    modules: Vec<String>,
    boxes: Vec<String>,
}

impl Sources {
    fn new(modules: &[&str], boxes: impl IntoIterator<Item = impl Into<String>>) -> Self {
        let modules = modules.iter().map(|&module| module.to_owned()).collect();
        Self { modules, boxes: boxes.into_iter().map(Into::into).collect() }
    }
}

/// Hardware whose connections are known before it is emitted.
pub trait Planned {
    /// Modules that are read.
    fn sources(&self) -> Sources;

    /// True for the module of a tile.
    fn is_tile(&self, kind: &str) -> bool;

    /// Parameters of the host ring.
    fn ring(&self) -> &Ring;

    /// The network.
    fn network(&self) -> &dyn Topology;

    /// Required content of the elaborated modules; `tiles` are the instances of the tiles, in the order of their nodes.
    fn plans(&self, tiles: &[&str]) -> Vec<(&'static str, Plan)>;
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
    hardware: &dyn Planned,
    tools: &ToolSet,
    work: &Utf8Path,
) -> Result<WiringProof, WiringError> {
    let sources = hardware.sources();
    let file_error = |path: &Utf8Path| {
        let path = path.to_owned();
        move |source| WiringError::File { path, source }
    };
    let mut wanted: Vec<&str> = sources.modules.iter().chain(&sources.boxes).map(String::as_str).collect();
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
    tools.run(&elaborate(&sources), work, &work.join("yosys.log"))?;
    let path = work.join("netlist.json");
    let text = fs::read(&path).map_err(file_error(&path))?;
    let design: Design = serde_json::from_slice(&text)?;
    drop(text);
    let proof = check(&design, hardware)?;
    fs::remove_file(&path).map_err(file_error(&path))?;
    Ok(proof)
}

fn elaborate(sources: &Sources) -> Command {
    let list = |modules: &[String]| modules.iter().map(|m| format!(" {m}.v")).collect::<String>();
    let script = format!(
        "read_verilog -lib{}; read_verilog{}; hierarchy -check -top mn_top; write_json netlist.json",
        list(&sources.boxes),
        list(&sources.modules)
    );
    Command::new(Tool::Yosys).args(["-q", "-p", script.as_str()])
}

fn check(design: &Design, hardware: &dyn Planned) -> Result<WiringProof, WiringError> {
    let module = |name: &'static str| design.modules.get(name).ok_or(WiringError::Module(name));
    let (ring, net) = (hardware.ring(), hardware.network());
    let tiles = tiles(module("mn_network")?, hardware)?;
    let mut bits = 0;
    for (name, plan) in hardware.plans(&tiles) {
        bits += judge::judge(name, module(name)?, &plan, net)?;
    }
    Ok(WiringProof { tiles: ring.tiles, channels: net.channels() as u64, bits })
}

/// Names of the tiles, in the order of their nodes: the constant at `tile_i` is the node of an instance.
fn tiles<'a>(network: &'a Module, hardware: &dyn Planned) -> Result<Vec<&'a str>, WiringError> {
    let mut names = vec![None; hardware.ring().tiles as usize];
    let label = |index: usize| hardware.network().title(index.into());
    for (name, cell) in network.cells.iter().filter(|(_, cell)| hardware.is_tile(&cell.kind)) {
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
