//! Sizes of POPS.

use crate::lower::Ring;
use crate::topology::Pops;
use std::ops::Deref;

/// Cycles from the beat that sends a word to the first beat that can send it on: memory, transmitter, coupler, receiver.
pub const HOP_CYCLES: u32 = 4;
/// Sizes in numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PopsFrame {
    /// Parameters of the host ring.
    pub ring: Ring,
    /// The network.
    pub network: Pops,
    /// Cycles of a slot: words of a packet.
    pub slot_cycles: u32,
}

impl Deref for PopsFrame {
    type Target = Ring;

    fn deref(&self) -> &Ring {
        &self.ring
    }
}

impl PopsFrame {
    /// Rows from the one that receives a packet to the first that can send it on.
    pub(super) fn gap(&self) -> u32 {
        HOP_CYCLES.div_ceil(self.slot_cycles)
    }
}
