//! Faults of programs, with place, cycle and words.

use super::law::LawFault;
use crate::count::counted;
use crate::id::NodeId;
use std::fmt;

/// User of a word: a move or an operation, by index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum User {
    /// A move, which sends it.
    Move(u32),
    /// An operation, of which it is an input.
    Operation(u32),
}

impl fmt::Display for User {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Move(index) => write!(f, "move {index}"),
            Self::Operation(index) => write!(f, "operation {index}"),
        }
    }
}

/// Kind of place that two words want.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A channel.
    Channel,
    /// Send port of a node that sends over one port at a time.
    Send,
    /// Receive port of a node that receives over one port at a time.
    Receive,
    /// A medium that carries one word at a time.
    Medium,
}

/// Two words that want one place in one cycle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clash {
    /// Kind of the place.
    pub kind: Kind,
    /// The place, in words: `channel (0,0,1) -local 2-> (0,0,0)`.
    pub place: String,
    /// Node that sends or receives.
    pub node: NodeId,
    /// Output port of a channel.
    pub port: u32,
    /// Cycle.
    pub cycle: u32,
    /// Cycles from the start of the one train to that of the other.
    pub distance: u32,
    /// Hops.
    pub hops: [u32; 2],
    /// Moves of the hops.
    pub moves: [u32; 2],
    /// Values of the words, and nodes that send them.
    pub words: [(u32, String); 2],
    /// The program's period, where the words meet only when it starts again.
    pub period: Option<u32>,
    /// True if all nodes do the same, and the clash is at every node.
    pub everywhere: bool,
}

impl fmt::Display for Clash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [(a, from), (b, other)] = &self.words;
        let cycle = self.cycle;
        write!(
            f,
            "{} is wanted twice in cycle {cycle}: by value {a} of {from} and by value {b} of {other}; ",
            self.place
        )?;
        match (self.period, self.everywhere) {
            (Some(period), _) => {
                write!(f, "the program starts again every {}; choose a longer period", counted(period, "cycle"))
            }
            (None, true) => f.write_str("the same happens at every node; send one of the two in another cycle"),
            (None, false) => f.write_str("send one of the two in another cycle"),
        }
    }
}

/// Fault of a program.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ProgramFault {
    /// A part that is not there, or that no node can carry out.
    #[error("{what}; the program does not fit this network")]
    Malformed {
        /// The first such part.
        what: String,
    },
    /// Cycles beyond 32 bits.
    #[error("a cycle of the program needs more than 32 bits; send fewer words")]
    TooLarge,
    /// Nodes that are not alike where the proof needs it.
    #[error(transparent)]
    Law(#[from] LawFault),
    /// A medium that copies a word.
    #[error("value {value} leaves {at} over two channels, and its media do not copy; send it twice")]
    Copied {
        /// The medium.
        at: String,
        /// Value of the fault.
        value: u32,
    },
    /// Two words want one place in one cycle.
    #[error("{0}")]
    Clash(Box<Clash>),
    /// A node uses a value that it does not have.
    #[error("cycle {cycle}: {at} uses value {value} and never has it; send it there first")]
    NotThere {
        /// Value of the fault.
        value: u32,
        /// Node of the fault.
        at: String,
        /// Cycle of batch 0.
        cycle: u32,
    },
    /// A word is used before it is there.
    #[error(
        "{user} uses word {batch} of value {value} at {at} in cycle {cycle}, but it is there from cycle {ready} on; start it later"
    )]
    Early {
        /// User of the word.
        user: User,
        /// Value of the fault.
        value: u32,
        /// Number of the batch, from 0.
        batch: u32,
        /// Node of the fault.
        at: String,
        /// The cycle in which it is used.
        cycle: u32,
        /// The first cycle in which it can be.
        ready: u32,
    },
    /// An operation that cannot be carried out.
    #[error("operation {operation} at {at} {what}")]
    Unmade {
        /// Index of the operation in the program.
        operation: u32,
        /// Node of the fault.
        at: String,
        /// Reason.
        what: String,
    },
    /// A node does not get a word once.
    #[error("{at} gets {copies} copies of value {value} of {from} instead of {wanted}")]
    Copies {
        /// Node of the fault.
        at: String,
        /// Value of the fault.
        value: u32,
        /// Node that has the value.
        from: String,
        /// Number of copies that the node receives.
        copies: u32,
        /// Copies that it should get.
        wanted: u32,
    },
    /// Two paths lead every node's words to the same node.
    #[error("the words of hops {} and {} of every node arrive at the same node; remove one of the two", hops[0], hops[1])]
    Twice {
        /// The hops at whose ends the words are kept.
        hops: [u32; 2],
    },
    /// Missing word at a node.
    #[error("{missing} of the {expected} nodes get no word of node {from}, for example {at}; add a move for each")]
    Missing {
        /// The first node, of those that get none.
        node: NodeId,
        /// The node in words.
        at: String,
        /// Node that sends.
        from: String,
        /// Number of nodes that get none.
        missing: u64,
        /// Number of nodes.
        expected: u64,
    },
    /// A result that is wrong or missing.
    #[error("{at} does not have {what}")]
    Result {
        /// Node of the fault.
        at: String,
        /// The result, in words.
        what: String,
    },
}
