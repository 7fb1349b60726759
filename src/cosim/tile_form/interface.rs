//! Parameters of a network in the tile form.

use super::library::{Feeder, Place};
use crate::lower::{Layout, Ring};

/// Parameters of a network that the host needs.
#[derive(Debug, Clone)]
pub struct TileInterface {
    pub(super) ring: Ring,
    pub(super) layout: Layout,
    /// Register that an input port shows, by tile, then by input port.
    pub(super) feeders: Vec<Feeder>,
    /// Coordinates, by tile, where these are inputs of the simulated tile.
    pub(super) labels: Vec<[u32; 3]>,
    /// Words that are loaded into a tile, and read out of it.
    pub(super) loads: usize,
    pub(super) results: usize,
    /// Number of words that each tile is given, by tile, where tiles take different numbers. Zeros follow, which the
    /// tile does not store.
    pub(super) counts: Option<Vec<usize>>,
    /// True if there are two buffers.
    pub(super) double: bool,
    pub(super) pass_cycles: u64,
    /// Constants and program of each tile, by tile, where these are inputs of the simulated tile.
    pub(super) places: Vec<Place>,
}

impl TileInterface {
    /// Words of a load as all tiles are given them: equally many each.
    pub(super) fn padded(&self, words: Vec<u64>) -> Vec<u64> {
        let Some(counts) = &self.counts else { return words };
        let mut words = words.into_iter();
        let given = |&count: &usize| {
            let mut own: Vec<u64> = words.by_ref().take(count).collect();
            own.resize(self.loads, 0);
            own
        };
        counts.iter().flat_map(given).collect()
    }
}
