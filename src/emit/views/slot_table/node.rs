//! A node of a network of slot tables, as templates of the network see it.

use crate::lower::slot_table::TilePorts;

/// A tile of the network.
pub(super) struct Tile {
    pub index: usize,
    pub class: usize,
    pub label: String,
    pub ports: u32,
    /// Channels of the vector that the node has not, and the first of them.
    pub idle: u32,
    pub first_idle: u32,
    pub loads: u32,
    /// Words that its core sends and gets in a collective, and images of their destinations and sources, where tiles have streams.
    pub given: u32,
    pub results: u32,
    pub dest: String,
    pub source: String,
    /// Sizes and image of the loops, as parameters before others; empty where tables are in memory.
    pub loops: String,
    pub table: String,
    pub places: String,
    /// Channels that end here, highest first.
    pub inputs: String,
    pub out: String,
}

impl Tile {
    /// Beat of the core's stream, as the tile takes it.
    pub fn sent(&self, port: &TilePorts, tile_bits: &u32) -> String {
        let n = self.index;
        let dest = if port.has_dests() { format!("s_axis_{n}_tdest") } else { format!("{tile_bits}'d0") };
        format!("{{&s_axis_{n}_tkeep, s_axis_{n}_tlast, {dest}, s_axis_{n}_tdata}}")
    }

    /// Signals of the stream to the core, as the tile's beat has them.
    pub fn got(&self, port: &TilePorts) -> String {
        let n = self.index;
        let id = if port.has_sources() { format!("m_axis_{n}_tid") } else { format!("unused_id_{n}") };
        format!("{{m_axis_{n}_tlast, {id}, m_axis_{n}_tdata}}")
    }
}
