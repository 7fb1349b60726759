//! Faults of a schedule on POPS(d,g), with slot, processor and packet.

/// Fault of a schedule on POPS.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PopsFault {
    /// Slots do not ascend.
    #[error("slot {after} follows slot {before}; sort the hops by slots")]
    OutOfOrder {
        /// The slot that came first.
        before: u32,
        /// The earlier one that came after it.
        after: u32,
    },
    /// The number of slots is not that of the hops.
    #[error("the schedule declares {declared} slots, and its last hop ends slot {found}")]
    WrongSlots {
        /// Slots that are declared.
        declared: u32,
        /// Slots up to the last hop.
        found: u32,
    },
    /// Hop with a processor or packet that does not exist.
    #[error("slot {slot}: there is no {what} {number}")]
    Unknown {
        /// Slot of the fault.
        slot: u32,
        /// Kind of object: "processor" or "packet".
        what: &'static str,
        /// Number that does not exist.
        number: u32,
    },
    /// Send of a packet that the processor does not have.
    #[error("slot {slot}: processor {from} sends packet {packet}, which it does not have")]
    NotThere {
        /// Slot of the fault.
        slot: u32,
        /// Packet of the fault.
        packet: u32,
        /// Sending processor.
        from: u32,
    },
    /// A processor sends to itself.
    #[error("slot {slot}: processor {processor} sends packet {packet} to itself")]
    ToItself {
        /// Slot of the fault.
        slot: u32,
        /// Packet of the fault.
        packet: u32,
        /// Processor of the fault.
        processor: u32,
    },
    /// Two packets on a coupler.
    #[error("slot {slot}: coupler c({b},{a}) carries packets {} and {}", packets[0], packets[1])]
    Coupler {
        /// Slot of the fault.
        slot: u32,
        /// Group that receives from the coupler.
        b: u32,
        /// The group that sends on it.
        a: u32,
        /// Numbers of the two packets.
        packets: [u32; 2],
    },
    /// A processor sends two packets.
    #[error("slot {slot}: processor {processor} sends packets {} and {}", packets[0], packets[1])]
    SendsTwo {
        /// Slot of the fault.
        slot: u32,
        /// Processor of the fault.
        processor: u32,
        /// Numbers of the two packets.
        packets: [u32; 2],
    },
    /// A processor reads two couplers, or one of them twice.
    #[error("slot {slot}: processor {processor} reads packets {} and {}", packets[0], packets[1])]
    ReadsTwo {
        /// Slot of the fault.
        slot: u32,
        /// Processor of the fault.
        processor: u32,
        /// Numbers of the two packets.
        packets: [u32; 2],
    },
    /// A packet for one processor goes two ways.
    #[error("slot {slot}: packet {packet} goes to processors {} and {}", to[0], to[1])]
    Doubled {
        /// Slot of the fault.
        slot: u32,
        /// Packet of the fault.
        packet: u32,
        /// Destinations in this slot.
        to: [u32; 2],
    },
    /// A processor holds more than is declared.
    #[error("after slot {slot} processor {processor} holds {held} packets, and {declared} are declared")]
    Buffers {
        /// Slot of the fault.
        slot: u32,
        /// Processor of the fault.
        processor: u32,
        /// Packets that it holds.
        held: u32,
        /// Packets that are declared.
        declared: u32,
    },
    /// A packet does not get where it is to go.
    #[error("packet {packet} of processor {src} does not arrive at processor {to}")]
    NotDelivered {
        /// Packet of the fault.
        packet: u32,
        /// Source processor of the packet.
        src: u32,
        /// Destination.
        to: u32,
    },
    /// The packets are not the collective's.
    #[error("the schedule has {found} packets from {src} to {to}, and the collective has {wanted}")]
    WrongPackets {
        /// Number of the source processor.
        src: u32,
        /// The destination, or "all".
        to: String,
        /// Packets that are listed.
        found: usize,
        /// Packets that the collective has.
        wanted: usize,
    },
    /// A program that does not hold.
    #[error(transparent)]
    Program(#[from] crate::check::program::ProgramFault),
}
