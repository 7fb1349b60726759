//! Template data of programs that differ from router to router.

use super::{Program, Tile};
use crate::emit::image_file;
use crate::lower::swapped_dragonfly::{Guests, Table};

/// The parameters that name the images of a router's own tables.
const FILES: [&str; 4] = ["FILE_LOCAL_SEND", "FILE_GLOBAL_SEND", "FILE_GLOBAL_RECEIVE", "FILE_LOCAL_RECEIVE"];

/// Parameters set to these values, with a space behind.
fn set_files(values: &[String; 4]) -> String {
    let list: Vec<String> = FILES.iter().zip(values).map(|(name, value)| format!(".{name}({value})")).collect();
    format!("#({}) ", list.join(", "))
}

impl Tile {
    /// The parameters of the tile's node: its own images, if it has some.
    pub(super) fn images(&self) -> String {
        self.files
            .as_ref()
            .map_or(String::new(), |files| set_files(&files.each_ref().map(|file| format!("\"{file}\""))))
    }
}

impl Program {
    /// Declaration of the parameters that differ from router to router; the default is a router that does nothing.
    pub(super) fn declared(&self) -> String {
        if !self.is_own {
            return String::new();
        }
        let list = FILES.iter().zip(&self.files).map(|(name, file)| format!("    parameter {name} = \"{file}\""));
        format!("#(\n{}\n) ", list.collect::<Vec<_>>().join(",\n"))
    }

    /// Parameters of the image files, handed down to an instance.
    pub(super) fn passed(&self) -> String {
        if self.is_own { set_files(&FILES.map(str::to_owned)) } else { String::new() }
    }

    /// The image of a table, as Verilog writes it.
    pub(super) fn image(&self, table: usize) -> String {
        if self.is_own { FILES[table].to_owned() } else { format!("\"{}\"", self.files[table]) }
    }
}

/// Test bench data of guests; empty if all tiles are in one network.
#[derive(Default)]
pub(super) struct GuestBench {
    /// The network of each tile.
    pub networks: String,
    /// Verilog condition under which a tile wants the words of another.
    pub wanted: &'static str,
}

/// Gives tiles images of their own.
pub(super) fn place(guests: &Guests, tiles: &mut [Tile]) -> GuestBench {
    for tile in tiles.iter_mut() {
        tile.files = guests.tables(tile.index).map(|_| own_images(&tile.name));
    }
    let number = |tile: &Tile| format!("16'd{}", guests.network(tile.index.into()).map_or(0, |network| network + 1));
    let numbers: Vec<String> = tiles.iter().rev().map(number).collect();
    let networks = format!(
        "    // the network of each tile, highest tile first; 0: none\n    localparam [TILES*16-1:0] NETWORKS = {{{}}};\n",
        numbers.join(", ")
    );
    let wanted = "NETWORKS[ri*16+:16] != 0 && NETWORKS[ri*16+:16] == NETWORKS[rj*16+:16] && ";
    GuestBench { networks, wanted }
}

/// Paths of the images of a tile's own tables.
fn own_images(name: &str) -> [String; 4] {
    Table::ALL.map(|table| image_file(&table.image(name)))
}
