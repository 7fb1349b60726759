//! Parameters of a network that board tops, flow and report need.

use crate::lower::bits::BitRow;
use crate::lower::{Ring, Trial};

/// A network with its program.
#[derive(Debug, Clone)]
pub struct Design {
    /// The network as its paper writes it.
    pub network: String,
    /// The name of the schedule's algorithm.
    pub algorithm: String,
    /// Tiles and widths.
    pub ring: Ring,
    /// The module of which there is one a tile.
    pub repeated: &'static str,
    /// Words that each tile gives after a collective.
    pub set: u64,
    /// Data of the self-test.
    pub selftest: SelfTest,
    /// Hops over channels, of all packets of a pass.
    pub packet_hops: u64,
    /// Cycles from a pass to the next.
    pub period: u32,
    /// Cycles that the self-test reports.
    pub selftest_cycles: u32,
}

/// Data of a self-test.
#[derive(Debug, Clone)]
pub enum SelfTest {
    /// Words that the self-test computes: an all-to-all of all tiles.
    AllToAll {
        /// Words of a message.
        words: u32,
    },
    /// Words in tables.
    Tables {
        /// Words that are loaded: {tile, word}.
        loads: Vec<BitRow>,
        /// Words that are read out: {1 if compared, tile, word}.
        wants: Vec<BitRow>,
    },
}

impl Design {
    /// The network, its words and its schedule.
    pub fn title(&self) -> String {
        format!("{}, {}-bit words, schedule {}", self.network, self.ring.data_bits, self.algorithm)
    }
}

impl SelfTest {
    /// Tables of the words of a trial.
    pub fn tables(ring: &Ring, trial: &Trial) -> Self {
        let Trial { loads, wants, .. } = trial;
        let (bits, tile_bits) = (ring.data_bits as usize, ring.tile_bits as usize);
        let row = |compared: bool, tile: u32, word: u64| {
            let mut row = BitRow::zero(bits + tile_bits + 1);
            row.set_word(0, bits, word);
            row.set(bits, tile_bits, tile);
            row.set(bits + tile_bits, 1, compared.into());
            row
        };
        let set = (wants.len() / ring.tiles as usize).max(1);
        let want = |(i, want): (usize, &Option<u64>)| row(want.is_some(), (i / set) as u32, want.unwrap_or(0));
        Self::Tables {
            loads: loads.iter().map(|&(tile, word)| row(false, tile, word)).collect(),
            wants: wants.iter().enumerate().map(want).collect(),
        }
    }
}
