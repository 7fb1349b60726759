//! What all tiles of a network have in common, whatever runs on them.

use super::LowerError;
use super::parameters::{MAX_PORTS, STOP_CYCLES, WIDE_CROSSBAR, field};
use crate::schedule::HopLatency;
use crate::spec::RouterSpec;
use crate::topology::Topology;
use crate::topology::swapped_dragonfly::{Group, SwappedDragonfly};

/// Sizes in numbers, widths in bits, latencies in clock cycles.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs)] // the names are those of the Verilog parameters, explained in mn_tile.v
pub struct Frame {
    pub network: SwappedDragonfly,
    pub k: u32,
    pub m: u32,
    pub tiles: u32,
    pub data_bits: u32,
    pub parity: bool,
    pub error_log: bool,
    pub local_stages: u32,
    pub global_stages: u32,
    pub xbar_stages: u32,
    pub tile_bits: u32,
    /// Header bits of a local and of a global channel.
    pub local_header_bits: u32,
    pub global_header_bits: u32,
    pub local_channel_bits: u32,
    pub global_channel_bits: u32,
    pub flit_bits: u32,
    pub queue_bits: u32,
    pub flush_cycles: u32,
}

impl Frame {
    /// The frame of a network whose channels have headers of these widths.
    ///
    /// # Errors
    /// If a router would have more ports than hardware can name.
    pub fn new(
        network: SwappedDragonfly,
        hop: HopLatency,
        router: &RouterSpec,
        local_header_bits: u32,
        global_header_bits: u32,
    ) -> Result<Self, LowerError> {
        if network.ports() > MAX_PORTS {
            return Err(LowerError::TooManyPorts { ports: network.ports(), limit: MAX_PORTS });
        }
        let (k, m, tiles) = (network.k(), network.m(), network.nodes() as u32);
        let (data_bits, parity) = (router.payload_bits, router.parity);
        let payload = data_bits + u32::from(parity);
        let tile_bits = field(tiles + 1);
        let ring = tiles * STOP_CYCLES;
        Ok(Self {
            network,
            k,
            m,
            tiles,
            data_bits,
            parity,
            error_log: router.error_log,
            local_stages: hop.local,
            global_stages: hop.global,
            xbar_stages: hop.local.min(hop.global).min(if k.max(m - 1) < WIDE_CROSSBAR { 2 } else { 3 }),
            tile_bits,
            local_header_bits,
            global_header_bits,
            local_channel_bits: local_header_bits + payload,
            global_channel_bits: global_header_bits + payload,
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

    /// Cycles that a hop of a start or done tree with a leaf a tile takes.
    pub fn tree_cycles(&self) -> u32 {
        1 + (u32::BITS - (self.tiles - 1).leading_zeros()).div_ceil(2)
    }
}
