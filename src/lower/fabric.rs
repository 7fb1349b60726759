//! The sizes of a network's hardware and the registers that it shows, of whichever router family.

use super::Ring;
use super::layout::{Layout, Point, PointKind};
use super::reading::{Field, Reading};
use crate::id::NodeId;
use crate::topology::Topology;
use std::fmt::{self, Write as _};
use std::ops::Deref;
use std::sync::Arc;

/// A network's hardware in numbers, and the registers of an observation block in words.
pub trait Registers: fmt::Debug + Send + Sync {
    /// Sizes of the host ring and of its words.
    fn ring(&self) -> &Ring;

    /// The network that runs a program; of several side by side, one.
    fn network(&self) -> &dyn Topology;

    /// Number of networks side by side that run the same program.
    fn networks(&self) -> usize {
        1
    }

    /// Name of the tiles, in the plural.
    fn tiles_name(&self) -> &'static str;

    /// Name of a tile: `router (0,1,2)`.
    fn tile_name(&self, tile: usize) -> String;

    /// Layout of an observation block of all networks.
    fn layout(&self) -> Layout;

    /// Layout of a block of one network of several, as if it were the only one.
    fn layout_of_one(&self) -> Layout {
        self.layout()
    }

    /// Point that shows a word in front of (channel) or behind (receive) the channel of a port, at a node; none without a register.
    fn shown(&self, kind: PointKind, node: NodeId, port: usize) -> Option<Point> {
        Some(Point { tile: node, port, kind })
    }

    /// Name of a point: `channel local 2 of router (0,1,2)`.
    fn place(&self, point: Point) -> String;

    /// Scope and name of a point's signal in a waveform.
    fn signal(&self, point: Point) -> (String, String);

    /// Names and bits of the fields above the payload and its parity, from the lowest bit on.
    fn header(&self, _point: Point) -> Vec<(&'static str, u32)> {
        vec![("valid", 1)]
    }

    /// Fields above the payload of a value that is not all zero, in words: `first hop, γ=1, π=2`.
    fn told(&self, _point: Point, reading: &Reading<'_>) -> String {
        if reading.is_set("valid") { "word".to_owned() } else { "a word that is not valid".to_owned() }
    }

    /// Name of the port of a tile that a fault log names.
    fn fault_port(&self, tile: usize, port: usize) -> String;
}

impl dyn Registers + '_ {
    /// Fields of a point's value, from the lowest bit on.
    pub fn fields(&self, point: Point) -> Vec<Field> {
        let parity = self.parity.then_some(("parity", 1));
        let mut at = 0;
        let place = |(name, bits)| {
            at += bits;
            (name, at - bits..at)
        };
        [("payload", self.data_bits)].into_iter().chain(parity).chain(self.header(point)).map(place).collect()
    }

    /// Fields of a point's value in words: `first hop, γ=1, π=2, payload 0x1f`.
    pub fn describe(&self, point: Point, value: &[u64]) -> String {
        if value.iter().all(|word| *word == 0) {
            return "idle".to_owned();
        }
        let reading = Reading { fields: self.fields(point), value };
        let mut text = self.told(point, &reading);
        let bits = self.data_bits;
        let data = value[0] & (u64::MAX >> (64 - bits));
        // writing to a String does not fail
        let _ = write!(text, ", payload 0x{data:0width$x}", width = bits as usize / 4);
        if reading.has("parity") {
            let even = u32::from(reading.is_set("parity")) == data.count_ones() & 1;
            text.push_str(if even { ", parity right" } else { ", parity wrong" });
        }
        text
    }
}

impl<'a> Deref for dyn Registers + 'a {
    type Target = Ring;

    fn deref(&self) -> &Ring {
        self.ring()
    }
}

/// Hardware of some router family.
#[derive(Debug, Clone)]
pub struct Fabric(Arc<dyn Registers>);

impl Deref for Fabric {
    type Target = dyn Registers;

    fn deref(&self) -> &Self::Target {
        &*self.0
    }
}

impl<F: Registers + 'static> From<F> for Fabric {
    fn from(frame: F) -> Self {
        Self(Arc::new(frame))
    }
}
