//! Programs of exchanges along the dimensions of the Boolean hypercube in D3(2^k,2^m), the same for every router.
//!
//! The label of a node is its index: the bits of c, d and p, the highest first. Bit i is dimension i: dimensions 0 to
//! m-1 are bits of p, m to 2m-1 bits of d, 2m to 2m+k-1 bits of c. A node's words are at *home* in the router of its
//! label (c,d,p), or *swapped*, in router (c,p,d).

use crate::program::Train;
use crate::topology::swapped_dragonfly::headers::Header;

/// Register of a router for each word, from which it may send. In a scan it also keeps the *prefix*: the sum of its own
/// node so far, at first the node's word. The part that is in the carry of the node's swapped router is not in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Register {
    /// The word of the node that is there now: a combination of all nodes of a subcube, or a word to be sorted.
    Value,
    /// Carry register of a scan: the part of the sum that the swapped node received in this router. At first the
    /// operator's identity.
    Carry,
}

/// Operand for which the receiver takes a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operand {
    /// The value of the same node, which changes places; otherwise the receiver's own value is taken.
    Own,
    /// The value of the neighbour.
    Other,
    /// The carry of the same node, which returns to its own router and is combined with its prefix.
    Carry,
}

/// A port of a router.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Port {
    /// Local port δ, not 0.
    Local(u32),
    /// Global port γ; 0 is the swap, Z.
    Global(u32),
}

/// Routing of a packet: header or ports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Way {
    /// Over these ports.
    Ports(Vec<Port>),
    /// Routed by this synchronizing header.
    Header(Header),
}

impl Way {
    /// Number of hops, those in which the packet stays included.
    pub fn hops(&self) -> u32 {
        match self {
            Way::Ports(ports) => ports.len() as u32,
            Way::Header(header) => header.b,
        }
    }
}

/// A packet that every router sends of every word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Send {
    /// Register that is sent.
    pub register: Register,
    /// The way.
    pub way: Way,
    /// Operand at the receiver.
    pub operand: Operand,
}

/// Action of a router on the words that it received.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// Keeps it.
    Move,
    /// Combines the node's value with the value of its neighbour in a dimension. In a scan, nodes whose bit is set also
    /// combine the neighbour's value with their prefix (at home) or carry (swapped).
    Combine {
        /// Number of the dimension, from 0.
        dimension: u32,
    },
    /// Keeps the smaller of the two values, or the larger: nodes whose bits `dimension` and `stage` are equal keep the smaller.
    Compare {
        /// Number of the dimension, from 0.
        dimension: u32,
        /// The stage of the sort, above `dimension`; no node has a bit as high as that of the last.
        stage: u32,
    },
}

impl Action {
    /// The dimension of an exchange.
    pub fn dimension(self) -> Option<u32> {
        match self {
            Action::Move => None,
            Action::Combine { dimension } | Action::Compare { dimension, .. } => Some(dimension),
        }
    }
}

/// Step: all routers send, and do the same with the words that they receive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// The cycle in which word 0 leaves.
    pub start: u32,
    /// Start cycles of words: word w leaves in the cycle of batch w.
    pub train: Train,
    /// The packets of a word.
    pub sends: Vec<Send>,
    /// Action on the words received.
    pub action: Action,
    /// True if node (c,d,p) is at router (c,p,d) afterwards.
    pub swapped: bool,
}

/// A program of all routers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExchangeProgram {
    /// Words a node, at least 1.
    pub words: u32,
    /// Cycles from the arrival of a word to its being ready to leave.
    pub operator: u32,
    /// Steps of the program, in order.
    pub steps: Vec<Step>,
}
