//! Hops of packets over couplers.

/// A packet goes over the coupler between two groups. Hops of one packet from one processor in one slot are one sending, which several
/// processors read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Hop {
    /// The slot, from 0.
    pub slot: u32,
    /// The packet, by its number.
    pub packet: u32,
    /// The processor that sends.
    pub from: u32,
    /// The processor that reads.
    pub to: u32,
}

/// Hops of a schedule, and its number of slots.
pub(super) type Found = (Vec<Hop>, u32);
