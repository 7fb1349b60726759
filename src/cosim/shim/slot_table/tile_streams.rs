//! Streams of the tiles' own, as the shim drives them.

use crate::lower::slot_table::{SlotTableLowered, TilePorts};

/// Core at a tile.
pub(in crate::cosim::shim) struct Core {
    pub index: usize,
    /// Words that it sends and gets in a collective.
    pub given: usize,
    pub results: usize,
    /// Place of the destinations and sources of these words in [`TileStreams::tags`]; none where words have no one destination or source.
    pub dests: Option<usize>,
    pub sources: Option<usize>,
}

/// Streams of all tiles.
pub(in crate::cosim::shim) struct TileStreams {
    pub own_clocks: bool,
    /// Cycles from start to start; 0 where a collective starts when all tiles are ready.
    pub period: u32,
    /// Words that are read out of a tile, the most of all.
    pub words_a_tile: u32,
    /// TKEEP of a whole word.
    pub keep: u32,
    pub has_dests: bool,
    pub has_sources: bool,
    /// Numbers of tiles, with commas between.
    pub tags: String,
    pub cores: Vec<Core>,
}

impl TileStreams {
    pub(in crate::cosim::shim) fn new(lowered: &SlotTableLowered, ports: &TilePorts) -> Self {
        // a first number, since an array has one at least
        let mut tags = vec![0];
        let mut placed = |of: &Option<Vec<Vec<u32>>>, node: usize| {
            of.as_ref().map(|all| {
                tags.extend(&all[node]);
                tags.len() - all[node].len()
            })
        };
        let core = |(index, node): (usize, &crate::lower::slot_table::NodeTable)| Core {
            index,
            given: node.loads.len(),
            results: node.results.len(),
            dests: placed(&ports.dests, index),
            sources: placed(&ports.sources, index),
        };
        let cores = lowered.nodes.iter().enumerate().map(core).collect();
        Self {
            own_clocks: ports.own_clocks,
            period: ports.period.unwrap_or(0),
            words_a_tile: lowered.results,
            keep: (1 << (lowered.frame.data_bits / 8)) - 1,
            has_dests: ports.has_dests(),
            has_sources: ports.has_sources(),
            tags: tags.iter().map(u32::to_string).collect::<Vec<_>>().join(", "),
            cores,
        }
    }
}
