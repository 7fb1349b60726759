//! Errors of the checker, with place and remedy.

use super::exchange_fault::ExchangeError;
use crate::topology::swapped_dragonfly::{RouterAddress, SourceVector};
use std::fmt;

/// Error of a schedule that has a conflict, lacks packets, or cannot be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CheckError {
    /// A hop that takes no time.
    #[error(
        "a hop takes at least one cycle, but local hops take {local} and global hops {global}; set local_stages and global_stages to 1 or more"
    )]
    HopLatency {
        /// Clock cycles of a local hop.
        local: u32,
        /// Clock cycles of a global hop.
        global: u32,
    },
    /// A source vector that names a port which no router has.
    #[error(
        "row {row} launches {vector}, but D3({k},{m}) has γ below {k} and π, δ below {m}; the algorithm does not fit this network"
    )]
    VectorOutOfRange {
        /// Vector of the fault.
        vector: SourceVector,
        /// The slot-table row that launches it.
        row: u32,
        /// K of the network.
        k: u32,
        /// M of the network.
        m: u32,
    },
    /// One packet is sent twice.
    #[error(
        "{vector} is launched in row {first} and again in row {second}, so every destination receives it twice; remove one of the two launches"
    )]
    DuplicateVector {
        /// Vector of the fault.
        vector: SourceVector,
        /// Row of the first launch.
        first: u32,
        /// The later row; equal to `first` if the same row has it twice.
        second: u32,
    },
    /// Packets are never sent.
    #[error(
        "{missing} of the {expected} source vectors are never launched, for example {vector}, so router (0,0,0) never reaches {destination}; add a launch for each"
    )]
    MissingVector {
        /// The first missing vector, by γ, then π, then δ.
        vector: SourceVector,
        /// Destination of this vector from router (0,0,0).
        destination: Node,
        /// Number of vectors that are missing.
        missing: u64,
        /// Number of vectors of a complete program, K·M².
        expected: u64,
    },
    /// Two packets want one channel in one cycle.
    #[error(transparent)]
    Conflict(Box<Conflict>),
    /// A synchronizing header that names a port which no router has.
    #[error("the header {header} names a port that D3({k},{m}) does not have; the algorithm does not fit this network")]
    HeaderOutOfRange {
        /// Header of the fault.
        header: String,
        /// K of the network.
        k: u32,
        /// M of the network.
        m: u32,
    },
    /// A stream without words, lanes or batches, or from a router that is not there.
    #[error(
        "the stream has no words, no lanes, or a source or lane out of range; the algorithm does not fit this network"
    )]
    MalformedStream,
    /// Two words of a stream want one channel in one cycle.
    #[error(transparent)]
    StreamConflict(Box<StreamClash>),
    /// A router does not get each word once.
    #[error(
        "router {at} gets {copies} copies of the words of lane {lane} instead of one; the trees do not span the network"
    )]
    StreamDelivery {
        /// Router of the fault.
        at: String,
        /// Lane of the fault.
        lane: u32,
        /// Copies it keeps.
        copies: u32,
    },
    /// A program of exchanges does not hold.
    #[error(transparent)]
    Exchange(Box<ExchangeError>),
    /// A product that is not computed.
    #[error(transparent)]
    Product(#[from] super::product_fault::ProductFault),
    /// Network without the symmetry that the proof needs.
    #[error(
        "the routers of this network are not alike: port {port} of router {at} {reason}; a program of one router cannot stand for all, so the schedule has to be judged transfer by transfer"
    )]
    SymmetryBroken {
        /// Router of the fault.
        at: Node,
        /// The port, by its name in the field.
        port: String,
        /// Difference: found and expected.
        reason: String,
    },
    /// A program cannot be repeated this fast.
    #[error(
        "repeated every {period} cycles, the program sends {first} (row {first_row}) and {second} (row {second_row}) of a neighbouring pass over {port} in the same cycle; add pause rows: a period of {possible} cycles works"
    )]
    PeriodConflict {
        /// Requested period, in cycles.
        period: u32,
        /// The port that both claim.
        port: String,
        /// One vector.
        first: SourceVector,
        /// Row of the first vector.
        first_row: u32,
        /// Source vector of the second packet.
        second: SourceVector,
        /// Row of the second vector.
        second_row: u32,
        /// The smallest period, not below the program's rows, that has no conflict.
        possible: u32,
    },
    /// Network or program with more indices than 32 bits hold.
    #[error("{what} is {value}, above {limit}; choose a smaller network")]
    TooLarge {
        /// Counted quantity.
        what: &'static str,
        /// Count.
        value: u64,
        /// Largest count.
        limit: u64,
    },
    /// A program that does not hold.
    #[error(transparent)]
    Program(#[from] crate::check::program::ProgramFault),
}

/// A node's coordinates, displayed as `(c,d,p)`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node(pub Vec<u32>);

impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        crate::topology::Coordinates(&self.0).fmt(f)
    }
}

impl From<RouterAddress> for Node {
    fn from(at: RouterAddress) -> Self {
        Self(vec![at.c, at.d, at.p])
    }
}

/// A packet's ends, displayed as `(0,0,1) → (1,2,0)`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Path {
    /// Source.
    pub src: Node,
    /// Destination.
    pub dst: Node,
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} → {}", self.src, self.dst)
    }
}

/// Two packets on one channel in one cycle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conflict {
    /// The channel, in words: `(0,0,1) -local 2-> (0,0,0)`.
    pub channel: String,
    /// The cycle, counted from the first claimed one.
    pub cycle: u32,
    /// One packet.
    pub first: Claimant,
    /// Second packet of the conflict.
    pub second: Claimant,
    /// Conflict at every router of the network in this cycle.
    pub everywhere: bool,
}

/// Packet of a conflict.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claimant {
    /// Source and destination of the packet.
    pub path: Path,
    /// Origin of the packet: vector, row and hop of a uniform program.
    pub origin: Origin,
}

/// Origin of a packet on a channel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// A launch of a uniform program.
    Launch {
        /// The source vector.
        vector: SourceVector,
        /// Row of the slot table, from 0.
        row: u32,
        /// Hop of the three: `first local`, `global` or `last local`.
        hop: &'static str,
    },
}

impl fmt::Display for Claimant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.origin {
            Origin::Launch { vector, row, hop } => write!(f, "{} with {vector} of row {row} ({hop} hop)", self.path),
        }
    }
}

impl fmt::Display for Conflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { channel, cycle, first, second, everywhere } = self;
        write!(f, "channel {channel} is wanted twice in cycle {cycle}: by {first} and by {second}; ")?;
        match everywhere {
            true => f.write_str("the same happens at every router; move one of the two launches to another row"),
            false => f.write_str("move one of the two packets to another cycle"),
        }
    }
}

impl std::error::Error for Conflict {}

impl From<Conflict> for CheckError {
    fn from(conflict: Conflict) -> Self {
        Self::Conflict(Box::new(conflict))
    }
}

impl From<ExchangeError> for CheckError {
    fn from(error: ExchangeError) -> Self {
        Self::Exchange(Box::new(error))
    }
}

/// Two words of a stream that want one way out of a router in the same cycle.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "words of lane {} and of lane {} both want {port} of router {at}, those of a batch and of one that starts {distance} cycles later; \
     start the batches at other distances",
    lanes[0], lanes[1]
)]
pub struct StreamClash {
    /// Router of the fault.
    pub at: String,
    /// The way out.
    pub port: String,
    /// Lanes of the two words.
    pub lanes: [u32; 2],
    /// Cycles from the one batch to the other.
    pub distance: u32,
}
