//! A node of a network of slot tables, as templates of the network see it.

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
