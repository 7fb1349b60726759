//! The sizes of a network's hardware and the registers that it shows, of whichever router family.

use super::Ring;
use super::layout::{Layout, Point, PointKind};
use super::reading::Reading;
use crate::id::NodeId;
use crate::topology::Topology;
use std::fmt;
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
