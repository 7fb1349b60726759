//! Packets and operations as the exchange form lists them.

use serde::{Deserialize, Serialize};

/// A packet: a word that crosses channels as one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Packet {
    /// Number, of which there is one.
    pub id: u64,
    /// Node that has it from cycle 0 on, or makes it.
    pub src: u32,
    /// Nodes that are to have it.
    pub dsts: Vec<u32>,
    /// Packets that must have come to `src` before this one leaves.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub after: Vec<u64>,
    /// Node whose contribution it is: `src`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<u32>,
    /// Number of the sum to which it belongs.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub part: u32,
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// An operation: makes a packet from others.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Op {
    /// The packet that is made.
    pub packet: u64,
    /// Node that carries out the operation.
    pub node: u32,
    /// Cycle in which it is made.
    pub cycle: u32,
    /// The packets of which it is made.
    pub inputs: Vec<u64>,
}
