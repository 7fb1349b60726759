//! The sizes of a network's hardware, of whichever topology.

use super::pops::PopsFrame;
use super::slot_table::SlotFrame;
use super::{Frame, Ring};
use crate::topology::Topology;
use std::ops::Deref;

/// A network's hardware in numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fabric {
    /// Fabric of a Swapped Dragonfly.
    SwappedDragonfly(Frame),
    /// Fabric of partitioned optical passive stars.
    Pops(PopsFrame),
    /// Fabric of slot tables.
    SlotTable(SlotFrame),
}

impl Fabric {
    /// Name of the tiles, in the plural.
    pub fn tiles_name(&self) -> &'static str {
        match self {
            Fabric::SwappedDragonfly(_) => "routers",
            Fabric::Pops(_) => "processors",
            Fabric::SlotTable(_) => "nodes",
        }
    }

    /// Name of a tile: `router (0,1,2)`.
    pub fn tile_name(&self, tile: usize) -> String {
        match self {
            Fabric::SwappedDragonfly(frame) => format!("router {}", frame.label(tile)),
            Fabric::Pops(_) => format!("processor {tile}"),
            Fabric::SlotTable(frame) => format!("node {}", frame.label(tile.into())),
        }
    }

    /// The network that runs a program; of several side by side, one.
    pub fn network(&self) -> &dyn Topology {
        match self {
            Fabric::SwappedDragonfly(frame) => &frame.network,
            Fabric::Pops(frame) => &frame.network,
            Fabric::SlotTable(frame) => &frame.network,
        }
    }

    /// Number of networks side by side that run the same program.
    pub fn networks(&self) -> usize {
        match self {
            Fabric::SwappedDragonfly(frame) => frame.networks(),
            Fabric::Pops(_) | Fabric::SlotTable(_) => 1,
        }
    }
}

impl Deref for Fabric {
    type Target = Ring;

    fn deref(&self) -> &Ring {
        match self {
            Fabric::SwappedDragonfly(frame) => &frame.ring,
            Fabric::Pops(frame) => &frame.ring,
            Fabric::SlotTable(frame) => &frame.ring,
        }
    }
}

impl From<Frame> for Fabric {
    fn from(frame: Frame) -> Self {
        Fabric::SwappedDragonfly(frame)
    }
}

impl From<PopsFrame> for Fabric {
    fn from(frame: PopsFrame) -> Self {
        Fabric::Pops(frame)
    }
}

impl From<SlotFrame> for Fabric {
    fn from(frame: SlotFrame) -> Self {
        Fabric::SlotTable(frame)
    }
}
