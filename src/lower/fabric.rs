//! The sizes of a network's hardware, of whichever topology.

use super::pops::PopsFrame;
use super::{Frame, Ring};
use std::ops::Deref;

/// A network's hardware in numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fabric {
    /// Of a Swapped Dragonfly.
    SwappedDragonfly(Frame),
    /// Of partitioned optical passive stars.
    Pops(PopsFrame),
}

impl Fabric {
    /// Name of the tiles, in the plural.
    pub fn tiles_name(&self) -> &'static str {
        match self {
            Fabric::SwappedDragonfly(_) => "routers",
            Fabric::Pops(_) => "processors",
        }
    }
}

impl Deref for Fabric {
    type Target = Ring;

    fn deref(&self) -> &Ring {
        match self {
            Fabric::SwappedDragonfly(frame) => &frame.ring,
            Fabric::Pops(frame) => &frame.ring,
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
