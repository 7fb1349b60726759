//! Area by module: each cell of the flattened netlist counts for the module whose source line it is from.
//!
//! Registers and memories remember their line, or the instance that they were in. Look-up tables often do not: one that
//! does not counts for the module whose register it feeds, for that is where the logic was written.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Area of cells: numbers of each resource.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Area {
    /// Look-up tables of four inputs, those of adders included.
    pub luts: u64,
    /// Flip-flops.
    pub registers: u64,
    /// Small memories of 16 × 4 bits made from look-up tables; each takes the place of [`LUTS_A_RAM`].
    pub lut_rams: u64,
    /// Block memories.
    pub block_rams: u64,
}

/// Look-up tables that a memory made from them takes the place of.
pub const LUTS_A_RAM: u64 = 6;

impl Area {
    /// The sum of several.
    pub fn sum(areas: impl IntoIterator<Item = Self>) -> Self {
        areas.into_iter().fold(Self::default(), |a, b| Self {
            luts: a.luts + b.luts,
            registers: a.registers + b.registers,
            lut_rams: a.lut_rams + b.lut_rams,
            block_rams: a.block_rams + b.block_rams,
        })
    }

    /// Look-up tables, those that are memories included.
    pub fn luts_with_rams(&self) -> u64 {
        self.luts + LUTS_A_RAM * self.lut_rams
    }

    /// Area of a cell of this type; wiring and marks take none.
    fn of(cell: &str) -> Self {
        let none = Self::default();
        match cell {
            "SB_LUT4" | "LUT1" | "LUT2" | "LUT3" | "LUT4" | "ALU" => Self { luts: 1, ..none },
            "CCU2C" => Self { luts: 2, ..none },
            "TRELLIS_FF" => Self { registers: 1, ..none },
            "TRELLIS_DPR16X4" | "RAM16SDP4" => Self { lut_rams: 1, ..none },
            "DP16KD" | "PDPW16KD" | "SDPB" | "DPB" | "SPB" | "pROM" => Self { block_rams: 1, ..none },
            _ if cell.starts_with("SB_DFF") || cell.starts_with("DFF") => Self { registers: 1, ..none },
            _ if cell.starts_with("SB_RAM40") => Self { block_rams: 1, ..none },
            _ => none,
        }
    }
}

/// Module of the sources and the cells of all its instances, without the modules inside.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Module {
    /// Name of the module.
    pub module: String,
    /// Area of all its instances.
    #[serde(flatten)]
    pub area: Area,
}

#[derive(Deserialize)]
struct Netlist {
    modules: BTreeMap<String, Top>,
}

#[derive(Deserialize)]
struct Top {
    cells: BTreeMap<String, Cell>,
}

#[derive(Deserialize)]
struct Cell {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    attributes: BTreeMap<String, String>,
    #[serde(default)]
    port_directions: BTreeMap<String, String>,
    #[serde(default)]
    connections: BTreeMap<String, Vec<Bit>>,
}

/// A net by its number, or a constant.
#[derive(Deserialize)]
#[serde(untagged)]
enum Bit {
    Net(u64),
    Constant(serde::de::IgnoredAny),
}

/// The module that a source line names: `rtl/mn_host.v:12.3-14.5|...`.
fn from_source(cell: &Cell) -> Option<&str> {
    let lines = cell.attributes.get("src")?;
    lines.split('|').find_map(|line| line.strip_prefix("rtl/")?.split_once(".v:").map(|(module, _)| module))
}

/// Modules of a flattened netlist in Yosys' JSON, by name; cells without a known module count for the top.
///
/// # Errors
/// If the text is no such netlist.
pub fn modules(json: &[u8]) -> Result<Vec<Module>, String> {
    let netlist: Netlist = serde_json::from_slice(json).map_err(|error| error.to_string())?;
    let top = netlist.modules.get("mn_board").ok_or("it has no module `mn_board`")?;
    // the instances, for cells that remember theirs in their name
    let instance = |name: &str| {
        let module = |path: &str| {
            let mark = top.cells.get(path).filter(|cell| cell.kind == "$scopeinfo")?;
            mark.attributes.get("module_hdlname").map(String::as_str)
        };
        name.match_indices('.').rev().find_map(|(at, _)| module(&name[..at]))
    };
    let mut owners: BTreeMap<&str, &str> = BTreeMap::new();
    let mut unknown: Vec<(&str, &Cell)> = Vec::new();
    for (name, cell) in &top.cells {
        if Area::of(&cell.kind) == Area::default() && !is_wiring(&cell.kind) {
            continue;
        }
        let is_logic = Area::of(&cell.kind).luts > 0 || is_wiring(&cell.kind);
        match from_source(cell).or_else(|| if is_logic { None } else { instance(name) }) {
            Some(module) => {
                owners.insert(name, module);
            }
            None => unknown.push((name, cell)),
        }
    }
    // towards the inputs, from what is known; ties go to the first cell by name
    let mut reader: BTreeMap<u64, &str> = BTreeMap::new();
    for (name, owner) in &owners {
        nets(&top.cells[*name], "input").for_each(|net| _ = reader.entry(net).or_insert(owner));
    }
    while !unknown.is_empty() {
        let (mut found, mut rest) = (Vec::new(), Vec::new());
        for (name, cell) in unknown {
            match nets(cell, "output").find_map(|net| reader.get(&net)) {
                Some(owner) => found.push((name, cell, *owner)),
                None => rest.push((name, cell)),
            }
        }
        if found.is_empty() {
            // what feeds nothing that is known feeds pins
            found = rest.drain(..).map(|(name, cell)| (name, cell, instance(name).unwrap_or("mn_board"))).collect();
        }
        for (name, cell, owner) in found {
            owners.insert(name, owner);
            nets(cell, "input").for_each(|net| _ = reader.entry(net).or_insert(owner));
        }
        unknown = rest;
    }
    let mut areas: BTreeMap<&str, Area> = BTreeMap::new();
    for (name, owner) in owners {
        let area = areas.entry(owner).or_default();
        *area = Area::sum([*area, Area::of(&top.cells[name].kind)]);
    }
    let named = areas.into_iter().filter(|(_, area)| *area != Area::default());
    Ok(named.map(|(module, area)| Module { module: module.to_owned(), area }).collect())
}

/// Multiplexers that are part of the routing inside a slice: they take no table, and logic passes through them.
fn is_wiring(kind: &str) -> bool {
    matches!(kind, "PFUMX" | "L6MUX21" | "SB_CARRY")
}

fn nets<'a>(cell: &'a Cell, direction: &'a str) -> impl Iterator<Item = u64> + 'a {
    let ports = cell
        .connections
        .iter()
        .filter(move |(port, _)| cell.port_directions.get(*port).is_some_and(|d| d == direction));
    ports.flat_map(|(_, bits)| bits).filter_map(|bit| match bit {
        Bit::Net(net) => Some(*net),
        Bit::Constant(_) => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const NETLIST: &str = r#"{"modules": {"mn_board": {"cells": {
        "u_a": {"type": "$scopeinfo", "attributes": {"module_hdlname": "mn_a"}},
        "u_a.q": {"type": "SB_DFFSR", "attributes": {"src": "/share/map.v:1.1-2.2"},
            "port_directions": {"D": "input", "Q": "output"}, "connections": {"D": [5], "Q": [6]}},
        "r": {"type": "SB_DFF", "attributes": {"src": "rtl/mn_b.v:3.1-4.5|/share/map.v:1.1-2.2"},
            "port_directions": {"D": "input", "Q": "output"}, "connections": {"D": [6], "Q": [7]}},
        "l2": {"type": "SB_LUT4", "port_directions": {"I0": "input", "O": "output"}, "connections": {"I0": [4, "0"], "O": [5]}},
        "l1": {"type": "SB_LUT4", "port_directions": {"I0": "input", "O": "output"}, "connections": {"I0": [7], "O": [4]}},
        "l3": {"type": "SB_LUT4", "port_directions": {"I0": "input", "O": "output"}, "connections": {"I0": [7], "O": [9]}}
    }}}}"#;

    #[test]
    fn cells_count_where_they_were_written() {
        let found = modules(NETLIST.as_bytes()).unwrap();
        let area = |luts, registers| Area { luts, registers, ..Area::default() };
        let want = [("mn_a", area(2, 1)), ("mn_b", area(0, 1)), ("mn_board", area(1, 0))];
        assert_eq!(found, want.map(|(module, area)| Module { module: module.into(), area }));
    }

    #[test]
    fn other_json_is_refused() {
        assert!(modules(b"{}").is_err());
        assert!(modules(br#"{"modules": {"top": {"cells": {}}}}"#).is_err_and(|e| e.contains("mn_board")));
    }
}
