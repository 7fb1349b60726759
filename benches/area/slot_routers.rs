//! Routers of slot tables (`mn_slot_router`), with the crosspoints of an all-to-all or all of them, as metronoc generates them.

use super::{Area, Failure, WIDTH, Wrapped, generated, median, wrapped};
use metronoc::tool::ToolSet;
use serde::{Deserialize, Serialize};
use std::fmt::Write;
use std::fs;

/// Networks, by their lines of specification, with their names.
pub const NETWORKS: [(&str, &str); 2] = [
    ("one-way 4×4 torus", "topology = \"torus\"\ndims = [4, 4]\ndirections = \"one\""),
    ("8×8 torus", "topology = \"torus\"\ndims = [8, 8]"),
];
/// Crosspoints.
pub const CROSSPOINTS: [&str; 2] = ["used", "all"];

/// A router of an all-to-all.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SlotRouter {
    /// Name of the network.
    pub network: String,
    /// Crosspoints that are built: those that the program uses, or all.
    pub crosspoints: String,
    /// Inputs, banks and outputs.
    pub ports: [u32; 3],
    /// One binary digit a crosspoint, as the Verilog has them.
    pub built: String,
    pub area: Area,
    /// Clock between registers, by seed of place and route.
    pub mhz: Vec<f64>,
}

impl SlotRouter {
    /// The module with these ports.
    pub fn module(&self) -> Wrapped {
        Wrapped::slot_router(self.ports, &self.built)
    }

    /// Crosspoints that are built.
    pub fn count(&self) -> usize {
        self.built.matches('1').count()
    }
}

/// The router of a network, without its clock.
pub fn router(tools: &ToolSet, (network, lines): (&str, &str), crosspoints: &str) -> Result<SlotRouter, Failure> {
    let text = format!(
        "format = 1\n[network]\n{lines}\n[router]\npayload_bits = {WIDTH}\ncrosspoints = \"{crosspoints}\"\n[collective]\n\
         kind = \"all-to-all\"\nalgorithm = \"uniform\"\n"
    );
    let (_folder, path) = generated(&text)?;
    let tile = fs::read_to_string(path.join("out/rtl/mn_slot_tile_0.v"))?;
    let after = |mark: &str, end: char| tile.split(mark).nth(1).and_then(|rest| rest.split(end).next());
    let number = |mark: &str| after(mark, ',').or(after(mark, ';')).and_then(|text| text.trim().parse().ok());
    let banks = after("BANKS = ", ';').and_then(|text| text.parse().ok());
    let ports = [number("INPUTS = "), banks, number("OUTPUTS = ")].map(|found: Option<u32>| found.unwrap_or_default());
    let built = after(".USED(", ')').and_then(|text| text.split_once("'b")).ok_or("the tile has no crosspoints")?.1;
    let (network, crosspoints, mhz) = (network.to_owned(), crosspoints.to_owned(), Vec::new());
    let found = SlotRouter { network, crosspoints, ports, built: built.to_owned(), area: Area::default(), mhz };
    Ok(SlotRouter { area: wrapped(tools, &found.module())?, ..found })
}

/// The table in Markdown.
pub fn table(routers: &[SlotRouter]) -> String {
    let mut text =
        "| network | inputs, banks, outputs | crosspoints | LUT | registers | MHz |\n|---|---|---|---|---|---|\n"
            .to_owned();
    for one in routers {
        let clock = median(&one.mhz).map_or("-".into(), |clock| format!("{clock:.0}"));
        let [inputs, banks, outputs] = one.ports;
        let _ = writeln!(
            text, // a String takes everything
            "| {} | {inputs}, {banks}, {outputs} | {} of {} | {} | {} | {clock} |",
            one.network,
            one.count(),
            one.built.len(),
            one.area.luts,
            one.area.registers
        );
    }
    text
}
