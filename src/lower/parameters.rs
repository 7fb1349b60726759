//! The sizes and widths of the hardware, computed once.

use super::LowerError;
use crate::schedule::HopLatency;
use crate::spec::Spec;
use crate::topology::Topology;
use crate::topology::swapped_dragonfly::{Group, SwappedDragonfly};

/// The most ports that a router's fault log can name.
pub const MAX_PORTS: usize = 126;
/// Cycles from the address of a send row at the tables to the word at the crossbar.
pub const SEND_CYCLES: u32 = 3;
/// Cycles a host flit stays in each tile.
pub const STOP_CYCLES: u32 = 5;
/// Inputs from which on a crossbar has use for a third register: the second stage is then two look-up tables deep.
pub const WIDE_CROSSBAR: u32 = 8;
/// Bits of a tile's status.
pub const STATUS_BITS: u32 = 64;

/// Sizes in numbers, widths in bits, latencies in clock cycles.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs)] // the names are those of the Verilog parameters, explained in mn_tile.v
pub struct Parameters {
    pub network: SwappedDragonfly,
    pub k: u32,
    pub m: u32,
    pub tiles: u32,
    pub data_bits: u32,
    pub parity: bool,
    pub words: u32,
    pub double: bool,
    pub error_log: bool,
    pub local_stages: u32,
    pub global_stages: u32,
    pub xbar_stages: u32,
    /// Rows of the slot tables: the period.
    pub rows: u32,
    pub tile_bits: u32,
    pub gamma_bits: u32,
    pub pi_bits: u32,
    pub word_bits: u32,
    pub slot_bits: u32,
    pub local_row_bits: u32,
    pub global_row_bits: u32,
    pub local_channel_bits: u32,
    pub global_channel_bits: u32,
    pub flit_bits: u32,
    pub queue_bits: u32,
    pub flush_cycles: u32,
}

/// ⌈log2 n⌉, at least 1: the width of a field that counts to n - 1.
fn field(n: u32) -> u32 {
    (u32::BITS - n.saturating_sub(1).leading_zeros()).max(1)
}

impl Parameters {
    /// The parameters of a network with this period.
    ///
    /// # Errors
    /// If a router would have more ports than hardware can name.
    pub fn new(network: SwappedDragonfly, hop: HopLatency, period: u32, spec: &Spec) -> Result<Self, LowerError> {
        if network.ports() > MAX_PORTS {
            return Err(LowerError::TooManyPorts { ports: network.ports(), limit: MAX_PORTS });
        }
        let (k, m, tiles) = (network.k(), network.m(), network.nodes() as u32);
        let (data_bits, parity) = (spec.router.payload_bits, spec.router.parity);
        let payload = data_bits + u32::from(parity);
        let (gamma_bits, pi_bits, tile_bits) = (field(k), field(m), field(tiles + 1));
        let ring = tiles * STOP_CYCLES;
        Ok(Self {
            network,
            k,
            m,
            tiles,
            data_bits,
            parity,
            words: spec.collective.words,
            double: spec.collective.repeat > 1,
            error_log: spec.router.error_log,
            local_stages: hop.local,
            global_stages: hop.global,
            xbar_stages: hop.local.min(hop.global).min(if k.max(m - 1) < WIDE_CROSSBAR { 2 } else { 3 }),
            rows: period,
            tile_bits,
            gamma_bits,
            pi_bits,
            word_bits: field(spec.collective.words),
            slot_bits: field(period),
            local_row_bits: (m - 1) * (1 + gamma_bits + pi_bits),
            global_row_bits: k * (1 + pi_bits),
            local_channel_bits: 1 + m + k + payload,
            global_channel_bits: m + payload,
            flit_bits: 4 + tile_bits + data_bits,
            // the queue holds what is on its way round the ring, up to 512 answers
            queue_bits: field(ring + 8).clamp(4, 9),
            flush_cycles: ring + 4,
        })
    }

    /// Number of local ports, M - 1.
    pub fn local_ports(&self) -> u32 {
        self.m - 1
    }

    /// Bits of all local channels that leave a tile.
    pub fn local_bits(&self) -> u32 {
        self.local_ports() * self.local_channel_bits
    }

    /// Bits of all global channels that leave a tile.
    pub fn global_bits(&self) -> u32 {
        self.k * self.global_channel_bits
    }

    /// Bits of the wider of the two kinds of table rows.
    pub fn row_bits_max(&self) -> u32 {
        self.local_row_bits.max(self.global_row_bits)
    }

    /// Bits of a payload on a channel, its parity included.
    pub fn payload_bits(&self) -> u32 {
        self.data_bits + u32::from(self.parity)
    }

    /// The name of the coordinates' arithmetic.
    pub fn group_name(&self) -> &'static str {
        match self.network.group() {
            Group::Cyclic => "cyclic",
            Group::Xor => "exclusive-or",
        }
    }

    /// Words of one tile in one collective.
    pub fn words_a_tile(&self) -> u64 {
        u64::from(self.tiles) * u64::from(self.words)
    }

    /// Cycles from the launch of a collective at a program to the end of its last row there.
    pub fn pass_cycles(&self) -> u64 {
        u64::from(self.rows) * u64::from(self.words)
    }

    /// Cycles that a hop of a start or done tree with a leaf a tile takes.
    pub fn tree_cycles(&self) -> u32 {
        1 + (u32::BITS - (self.tiles - 1).leading_zeros()).div_ceil(2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_holds_its_largest_number() {
        let widths: Vec<u32> = [1, 2, 3, 4, 5, 8, 9].map(field).into();
        assert_eq!(widths, [1, 1, 2, 2, 3, 3, 4]);
    }
}
