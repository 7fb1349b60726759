//! Template data of Swapped Dragonflies: tiles by their coordinates, with local and global inputs.

pub(in crate::emit) mod all_to_all;
mod exchange;
mod guests;
pub(in crate::emit) mod product;
mod product_counter;
mod sequencer;
mod stream;

use super::passed;
use crate::emit::image_file;
use crate::lower::swapped_dragonfly::{AllToAllLowered, Frame, Parameters, Table};
use crate::spec::{Placement, Storage};
use crate::topology::Topology;
use crate::topology::swapped_dragonfly::RouterAddress;
use std::ops::Deref;

/// Parameters, and texts derived from them.
#[derive(Clone, Copy)]
struct View<'a>(&'a Parameters);

impl Deref for View<'_> {
    type Target = Parameters;

    fn deref(&self) -> &Parameters {
        self.0
    }
}

impl View<'_> {
    /// The parameter list of every tile.
    fn tile_parameters(&self) -> String {
        let xor = self.network.group() == crate::topology::swapped_dragonfly::Group::Xor;
        let list = [
            ("K", self.k),
            ("M", self.m),
            ("XOR", u32::from(xor)),
            ("DW", self.data_bits),
            ("PARITY", u32::from(self.parity)),
            ("WORDS", self.words),
            ("DOUBLE", u32::from(self.double)),
            ("LOG", u32::from(self.error_log)),
            ("TB", self.tile_bits),
            ("LOCAL_STAGES", self.local_stages),
            ("GLOBAL_STAGES", self.global_stages),
            ("XBAR_STAGES", self.xbar_stages),
            ("BANK_STAGES", self.bank_stages),
        ];
        passed(&list)
    }

    /// Widths, in bits, of the signals that one program sends to all tiles. They are the rows of the four tables, their
    /// valid and buffer bits and word numbers, the end of the collective, the program's status, and the start.
    fn shared_fields(&self) -> [u32; 10] {
        let (local, global) = (self.local_row_bits, self.global_row_bits);
        [local, global, global, local, 4, 4, 4 * self.word_bits, 1, 16, 1]
    }

    fn shared_row_bits(&self) -> u32 {
        self.shared_fields().iter().sum()
    }

    fn shared_offset(&self, field: usize) -> u32 {
        self.shared_fields()[..field].iter().sum()
    }
}

struct Program {
    is_ram: bool,
    /// True if routers have tables of their own.
    is_own: bool,
    is_shared: bool,
    describe: String,
    files: [String; 4],
}

impl Program {
    fn new(lowered: &AllToAllLowered) -> Self {
        Self {
            is_ram: lowered.storage == Storage::Ram,
            is_own: lowered.guests.is_some(),
            is_shared: lowered.placement == Placement::Shared,
            describe: describe(lowered),
            files: Table::ALL.map(|table| image_file(table.name())),
        }
    }
}

struct Input {
    from: String,
    port: usize,
}

struct Tile {
    index: usize,
    /// The node of its network, where there are several alike.
    node: usize,
    name: String,
    c: u32,
    d: u32,
    p: u32,
    local_inputs: Vec<Input>,
    global_inputs: Vec<Input>,
    /// Images of its own tables, if it has some.
    files: Option<[String; 4]>,
}

/// Tile with the data of a collective for it.
struct With<T> {
    tile: Tile,
    own: T,
}

impl<T> Deref for With<T> {
    type Target = Tile;

    fn deref(&self) -> &Tile {
        &self.tile
    }
}

/// All tiles, each with its data.
fn tiles_with<T>(p: &Frame, own: impl Fn(&Tile) -> T) -> Vec<With<T>> {
    tiles(p).into_iter().map(|tile| With { own: own(&tile), tile }).collect()
}

fn tiles(p: &Frame) -> Vec<Tile> {
    let net = &p.network;
    let name = |RouterAddress { c, d, p }| format!("{c}_{d}_{p}");
    let mut tiles: Vec<Tile> = (0..p.tiles as usize)
        .map(|index| {
            let at = p.address(index);
            Tile {
                index,
                node: p.node(index).1,
                name: name(at),
                c: at.c,
                d: at.d,
                p: at.p,
                local_inputs: Vec::new(),
                global_inputs: Vec::new(),
                files: None,
            }
        })
        .collect();
    // highest port first, as a concatenation lists it
    for port in (0..net.ports()).rev() {
        for index in 0..p.tiles as usize {
            let (network, node) = p.node(index);
            let from = name(p.address(index));
            let to = &mut tiles[p.tile(network, net.neighbour(node.into(), port).index())];
            match port.checked_sub(net.local_ports()) {
                None => to.local_inputs.push(Input { from, port }),
                Some(gamma) => to.global_inputs.push(Input { from, port: gamma }),
            }
        }
    }
    tiles
}

/// Sentence on the storage of the program.
fn describe(lowered: &AllToAllLowered) -> String {
    let rows = lowered.parameters.rows;
    let bits = lowered.tables.bits() / rows as usize;
    let place = match lowered.storage {
        Storage::Rom => format!("{bits} bits each in read-only memory"),
        Storage::Ram => format!("{bits} bits each in memory that the host reloads"),
        Storage::Counter => "from counters".into(),
    };
    let own = if lowered.guests.is_some() { ", of its own" } else { "" };
    format!("schedule {}{own}, {rows} rows, {place}.", lowered.algorithm)
}
