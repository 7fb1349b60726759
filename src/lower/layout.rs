//! Observation block: the state of one clock cycle, in the same layout from the model and from every form of
//! simulation.
//!
//! A block is an array of 64-bit words in two sections: first the channel registers, tile after tile, then the receive
//! ports in the same order. In a tile the ports of the local class come first, then those of the global one, if there are
//! two. A channel register is its bits as the hardware packs them, the lowest bit in the lowest bit of its first word. A
//! receive port is `{valid, payload}`, all zero if nothing arrived. Each family says what its tiles and classes are, see
//! [`Registers`](super::fabric::Registers).

use crate::id::NodeId;
use std::ops::Range;

/// Bits of a word of a block.
const WORD: usize = 64;

/// Layout of an observation block: numbers of tiles and ports, and bits of each register.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layout {
    /// Tiles that channels are counted by, and tiles with receive ports.
    pub(super) channel_tiles: usize,
    pub(super) tiles: usize,
    pub(super) local_ports: usize,
    pub(super) global_ports: usize,
    pub(super) receive_ports: usize,
    /// Bits of a channel register, by class.
    pub(super) local_bits: usize,
    pub(super) global_bits: usize,
    pub(super) receive_bits: usize,
}

/// Register that a block shows, by the port of a tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Point {
    /// Tile of the register.
    pub tile: NodeId,
    /// The port, counted as [`Topology::neighbour`](crate::topology::Topology::neighbour) does.
    pub port: usize,
    /// Kind: the channel that leaves by the port, or the receive port behind it.
    pub kind: PointKind,
}

/// The two kinds of points.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum PointKind {
    /// The register at the start of a channel.
    Channel,
    /// The register of a receive port.
    Receive,
}

impl Layout {
    /// Layout of hardware whose registers all have `bits` bits: `[tiles, ports]` of the channels, and of the receive ports.
    pub(super) fn alike(
        [channel_tiles, local_ports]: [usize; 2],
        [tiles, receive_ports]: [usize; 2],
        bits: usize,
    ) -> Self {
        Self {
            channel_tiles,
            tiles,
            local_ports,
            global_ports: 0,
            receive_ports,
            local_bits: bits,
            global_bits: bits,
            receive_bits: bits,
        }
    }

    /// Number of tiles.
    pub fn tiles(&self) -> usize {
        self.tiles
    }

    /// Ports of a tile.
    pub fn ports(&self) -> usize {
        self.local_ports + self.global_ports
    }

    /// Bits of a local channel register.
    pub fn local_bits(&self) -> usize {
        self.local_bits
    }

    /// Words of a local channel register.
    pub fn local_words(&self) -> usize {
        self.local_bits.div_ceil(WORD)
    }

    /// Words of a global channel register.
    pub fn global_words(&self) -> usize {
        self.global_bits.div_ceil(WORD)
    }

    /// Words of a receive port.
    pub fn receive_words(&self) -> usize {
        self.receive_bits.div_ceil(WORD)
    }

    /// Words of all channel registers of a tile.
    pub fn tile_channel_words(&self) -> usize {
        self.local_ports * self.local_words() + self.global_ports * self.global_words()
    }

    /// Words of all receive ports of a tile.
    pub fn tile_receive_words(&self) -> usize {
        self.receive_ports * self.receive_words()
    }

    /// Words of the channel section; the receive section begins there.
    pub fn channel_words(&self) -> usize {
        self.channel_tiles * self.tile_channel_words()
    }

    /// Words of a block.
    pub fn words(&self) -> usize {
        self.channel_words() + self.tiles * self.tile_receive_words()
    }

    /// The words of a point.
    pub fn range(&self, point: Point) -> Range<usize> {
        let (tile, port) = (point.tile.index(), point.port);
        let (start, len) = match point.kind {
            PointKind::Receive => {
                let words = self.receive_words();
                (self.channel_words() + tile * self.tile_receive_words() + port * words, words)
            }
            PointKind::Channel => {
                let locals = port.min(self.local_ports);
                let start = tile * self.tile_channel_words()
                    + locals * self.local_words()
                    + (port - locals) * self.global_words();
                (start, if port < self.local_ports { self.local_words() } else { self.global_words() })
            }
        };
        start..start + len
    }

    /// The point that has the word `index` of a block.
    pub fn point(&self, index: usize) -> Point {
        match index.checked_sub(self.channel_words()) {
            Some(at) => {
                let (tile, at) = (at / self.tile_receive_words(), at % self.tile_receive_words());
                Point { tile: tile.into(), port: at / self.receive_words(), kind: PointKind::Receive }
            }
            None => {
                let (tile, at) = (index / self.tile_channel_words(), index % self.tile_channel_words());
                let port = match at.checked_sub(self.local_ports * self.local_words()) {
                    None => at / self.local_words(),
                    Some(at) => self.local_ports + at / self.global_words(),
                };
                Point { tile: tile.into(), port, kind: PointKind::Channel }
            }
        }
    }

    /// Word offset of the section of a network with `before` networks ahead of it, in a block of `networks` networks.
    pub(crate) fn shift(&self, kind: PointKind, before: usize, networks: usize) -> usize {
        let [channels, receives] =
            [self.channel_words(), self.words() - self.channel_words()].map(|all| all / networks);
        match kind {
            PointKind::Channel => before * channels,
            PointKind::Receive => (networks - 1) * channels + before * receives,
        }
    }

    /// Every point of a block, in the order of its words.
    pub fn points(&self) -> impl Iterator<Item = Point> + '_ {
        [PointKind::Channel, PointKind::Receive].into_iter().flat_map(move |kind| {
            let (tiles, ports) = match kind {
                PointKind::Channel => (self.channel_tiles, self.ports()),
                PointKind::Receive => (self.tiles, self.receive_ports),
            };
            (0..tiles).flat_map(move |tile| (0..ports).map(move |port| Point { tile: tile.into(), port, kind }))
        })
    }

    /// Bits of a point.
    pub fn bits(&self, point: Point) -> usize {
        match point.kind {
            PointKind::Receive => self.receive_bits,
            PointKind::Channel if point.port < self.local_ports => self.local_bits,
            PointKind::Channel => self.global_bits,
        }
    }
}
