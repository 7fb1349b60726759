//! Parameters common to all tiles of a Swapped Dragonfly, for every collective.

use super::header_form::HeaderForm;
use crate::check::swapped_dragonfly::CheckedEmbedding;
use crate::lower::LowerError;
use crate::lower::ring::{MAX_PORTS, Ring};
use crate::program::form::swapped_dragonfly::uniform::HopLatency;
use crate::spec::RouterSpec;
use crate::topology::swapped_dragonfly::{Group, RouterAddress, SwappedDragonfly};
use crate::topology::{Coordinates, Embedding, Topology};
use std::ops::Deref;

/// Inputs from which on a crossbar has use for a third register: the second stage is then two look-up tables deep.
pub const WIDE_CROSSBAR: u32 = 8;

/// Sizes in numbers, widths in bits, latencies in clock cycles.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs)] // the names are those of the Verilog parameters, explained in mn_sv_tile.v
pub struct Frame {
    pub ring: Ring,
    pub network: SwappedDragonfly,
    /// Embeddings of the network in a host network, one for each copy; empty if the network stands alone. Tiles follow each other
    /// on the ring, network after network.
    pub guests: Vec<Embedding>,
    pub k: u32,
    pub m: u32,
    pub local_stages: u32,
    pub global_stages: u32,
    pub xbar_stages: u32,
    /// Form of the headers on channels.
    pub header: HeaderForm,
    pub local_channel_bits: u32,
    pub global_channel_bits: u32,
}

impl Deref for Frame {
    type Target = Ring;

    fn deref(&self) -> &Ring {
        &self.ring
    }
}

impl Frame {
    /// The frame of a network whose channels have headers of this form.
    ///
    /// # Errors
    /// If a router would have more ports than hardware can name.
    pub fn new(
        network: SwappedDragonfly,
        hop: HopLatency,
        router: &RouterSpec,
        header: HeaderForm,
    ) -> Result<Self, LowerError> {
        if network.ports() > MAX_PORTS {
            return Err(LowerError::TooManyPorts { ports: network.ports(), limit: MAX_PORTS, field: "network.m" });
        }
        let (k, m) = (network.k(), network.m());
        let ring = Ring::new(network.nodes() as u32, router);
        let payload = ring.payload_bits();
        Ok(Self {
            ring,
            network,
            guests: Vec::new(),
            k,
            m,
            local_stages: hop.local,
            global_stages: hop.global,
            xbar_stages: router
                .crossbar_stages
                .unwrap_or_else(|| hop.local.min(hop.global).min(if k.max(m - 1) < WIDE_CROSSBAR { 2 } else { 3 })),
            header,
            local_channel_bits: header.bits(k, m, true) + payload,
            global_channel_bits: header.bits(k, m, false) + payload,
        })
    }

    /// Frame of as many copies of the network as there are embeddings, on one ring.
    pub fn in_host(self, embedding: &CheckedEmbedding) -> Self {
        let guests = embedding.embeddings().to_vec();
        Self { ring: self.ring.through(self.ring.tiles * guests.len() as u32), guests, ..self }
    }

    /// Number of networks, at least 1.
    pub fn networks(&self) -> usize {
        self.guests.len().max(1)
    }

    /// The tile's network, and its node there.
    pub fn node(&self, tile: usize) -> (usize, usize) {
        (tile / self.network.nodes(), tile % self.network.nodes())
    }

    /// The tile of a network's node.
    pub fn tile(&self, network: usize, node: usize) -> usize {
        network * self.network.nodes() + node
    }

    /// The coordinates of a tile: in the larger network, if there is one.
    pub fn address(&self, tile: usize) -> RouterAddress {
        let (network, node) = self.node(tile);
        let at = self.network.address(node.into());
        self.guests.get(network).map_or(at, |guest| guest.address(at))
    }

    /// Coordinates of a tile as text, such as `(0,1,2)`.
    pub fn label(&self, tile: usize) -> String {
        let RouterAddress { c, d, p } = self.address(tile);
        Coordinates(&[c, d, p]).to_string()
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

    /// Network in the field's notation: `D3(2,3)`, `2 x D3(2,3)`.
    pub fn notation(&self) -> String {
        match self.networks() {
            1 => self.network.to_string(),
            networks => format!("{networks} x {}", self.network),
        }
    }

    /// Name of the network and its host, for a title.
    pub fn name(&self) -> String {
        let all = match self.guests.as_slice() {
            [] => self.network.to_string(),
            [guest, ..] => format!("{} x {} inside {}", self.networks(), self.network, guest.host()),
        };
        format!("{all}, {} coordinates", self.group_name())
    }

    /// The name of the coordinates' arithmetic.
    pub fn group_name(&self) -> &'static str {
        match self.network.group() {
            Group::Cyclic => "cyclic",
            Group::Xor => "exclusive-or",
        }
    }
}
