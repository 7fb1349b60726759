//! Parameters of a network in the tile form.

use super::library::{Feeder, Place};
use crate::cosim::wiring::feeders;
use crate::id::NodeId;
use crate::lower::Registers as _;
use crate::lower::Ring;
use crate::lower::swapped_dragonfly::{Frame, Parameters};
use crate::lower::{Layout, Point, PointKind};
use crate::topology::Topology;

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
    /// Tiles of a Swapped Dragonfly, with one buffer, that take `loads` words and give `results`.
    pub(super) fn of_frame(frame: &Frame, (loads, results): (usize, usize), pass_cycles: u64) -> Self {
        let (net, layout) = (&frame.network, frame.layout());
        let feeder = |(index, node): (usize, NodeId)| {
            let point = Point { tile: node, port: index % net.ports(), kind: PointKind::Channel };
            Feeder::new(layout.range(point).start, 1)
        };
        let label = |node: usize| {
            let at = net.address(node.into());
            [at.c, at.d, at.p]
        };
        Self {
            ring: frame.ring.clone(),
            layout,
            feeders: feeders(net).into_iter().enumerate().map(feeder).collect(),
            labels: (0..net.nodes()).map(label).collect(),
            loads,
            results,
            counts: None,
            double: false,
            pass_cycles,
            places: Vec::new(),
        }
    }

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

impl From<&Parameters> for TileInterface {
    fn from(p: &Parameters) -> Self {
        let words = p.words_a_tile() as usize;
        Self { double: p.double, ..Self::of_frame(&p.frame, (words, words), p.pass_cycles()) }
    }
}
