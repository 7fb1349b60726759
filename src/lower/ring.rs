//! Parameters common to all networks: tiles on the host ring, words of one width, trees that start and end a collective.

use super::bits::field;
use crate::spec::RouterSpec;

/// Cycles a host flit stays in each tile.
pub const STOP_CYCLES: u32 = 4;

/// Bits of a tile's status.
pub const STATUS_BITS: u32 = 64;
/// The most ports that a tile's fault log can name.
pub const MAX_PORTS: usize = 126;

/// Sizes in numbers, widths in bits, latencies in clock cycles.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs)] // the names are those of the Verilog parameters, explained in mn_host.v
pub struct Ring {
    pub tiles: u32,
    pub data_bits: u32,
    pub parity: bool,
    pub error_log: bool,
    pub tile_bits: u32,
    pub flit_bits: u32,
    pub queue_bits: u32,
    pub flush_cycles: u32,
}

impl Ring {
    /// Ring through `tiles` tiles.
    pub fn new(tiles: u32, router: &RouterSpec) -> Self {
        Self::sized(tiles, router.payload_bits, router.parity, router.error_log)
    }

    /// Ring through `tiles` tiles, with the widths and options of this one.
    pub fn through(&self, tiles: u32) -> Self {
        Self::sized(tiles, self.data_bits, self.parity, self.error_log)
    }

    fn sized(tiles: u32, data_bits: u32, parity: bool, error_log: bool) -> Self {
        let tile_bits = field(tiles + 1);
        let ring = tiles * STOP_CYCLES;
        Self {
            tiles,
            data_bits,
            parity,
            error_log,
            tile_bits,
            flit_bits: 4 + tile_bits + data_bits,
            // the queue holds what is on its way round the ring, up to 512 answers
            queue_bits: field(ring + 8).clamp(4, 9),
            flush_cycles: ring + 4,
        }
    }

    /// Bits of a payload on a channel, its parity included.
    pub fn payload_bits(&self) -> u32 {
        self.data_bits + u32::from(self.parity)
    }

    /// Cycles that a hop of a start or done tree with a leaf a tile takes.
    pub fn tree_cycles(&self) -> u32 {
        1 + (u32::BITS - (self.tiles - 1).leading_zeros()).div_ceil(2)
    }
}
