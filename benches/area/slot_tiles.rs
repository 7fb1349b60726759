//! Tiles of slot tables (`mn_slot_tile_0`: router, banks and program), with a table or counters, as metronoc generates them.

use super::{Area, Failure, generated, synthesise, with_images};
use metronoc::tool::ToolSet;
use serde::{Deserialize, Serialize};
use std::fmt::Write;
use std::fs;

/// Words of a part of an all-to-all on a 3×3 torus.
pub const WORDS: [u32; 2] = [16, 128];
/// Storage of programs.
pub const STORAGES: [&str; 2] = ["rom", "counter"];

/// A tile of an all-to-all.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SlotTile {
    /// Words of a part.
    pub words: u32,
    /// Storage of the program.
    pub storage: String,
    pub area: Area,
}

/// The tile of node 0.
pub fn tile(tools: &ToolSet, words: u32, storage: &str) -> Result<SlotTile, Failure> {
    let text = format!(
        "format = 1\n[network]\ntopology = \"torus\"\ndims = [3, 3]\n[router]\npayload_bits = 16\n[collective]\nkind = \"all-to-all\"\n\
         algorithm = \"uniform\"\nwords = {words}\nchunks = 1\n[schedule]\nstorage = \"{storage}\"\n"
    );
    let (_folder, path) = generated(&text)?;
    let rtl = with_images(&path)?;
    let network = fs::read_to_string(rtl.join("mn_network.v"))?;
    let instance = network.split("mn_slot_tile_0 #(.").nth(1).and_then(|rest| rest.split(")) u_tile_0").next());
    let file = rtl.join("mn_slot_tile_0.v");
    let mut tile = fs::read_to_string(&file)?;
    for (name, value) in instance.ok_or("the network has no tile")?.split("), .").filter_map(|one| one.split_once('('))
    {
        let line = tile.lines().find(|line| line.split_whitespace().take(2).eq(["parameter", name]));
        let line = line.ok_or_else(|| format!("the tile has no {name}"))?.to_owned();
        let (head, rest) = line.split_once("= ").ok_or("a parameter has no value")?;
        let end = rest.trim_start_matches(|c: char| c != ',' && c != ' ');
        tile = tile.replacen(&line, &format!("{head}= {value}{end}"), 1);
    }
    fs::write(&file, tile)?;
    Ok(SlotTile { words, storage: storage.to_owned(), area: synthesise(tools, &rtl, "mn_slot_tile_0", "")? })
}

/// The table in Markdown.
pub fn table(tiles: &[SlotTile]) -> String {
    let mut text =
        "| words | storage | LUT | registers | LUT RAMs | block RAMs |\n|---|---|---|---|---|---|\n".to_owned();
    for SlotTile { words, storage, area } in tiles {
        let Area { luts, registers, lut_rams, block_rams } = area;
        let _ = writeln!(
            text, // a String takes everything
            "| {words} | `\"{storage}\"` | {luts} | {registers} | {lut_rams} | {block_rams} |"
        );
    }
    text
}
