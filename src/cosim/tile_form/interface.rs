//! Parameters of a network in the tile form.

use super::library::Place;
use crate::lower::{Frame, Parameters};

/// Parameters of a network that the host needs.
#[derive(Debug, Clone)]
pub struct TileInterface {
    pub(super) frame: Frame,
    /// Words that are loaded into a tile, and read out of it.
    pub(super) loads: usize,
    pub(super) results: usize,
    /// True if there are two buffers.
    pub(super) double: bool,
    pub(super) pass_cycles: u64,
    /// By tile, its constants and its program, where these are inputs of the simulated tile.
    pub(super) places: Vec<Place>,
}

impl From<&Parameters> for TileInterface {
    fn from(p: &Parameters) -> Self {
        let words = p.words_a_tile() as usize;
        let (frame, pass_cycles) = (p.frame.clone(), p.pass_cycles());
        Self { frame, loads: words, results: words, double: p.double, pass_cycles, places: Vec::new() }
    }
}
