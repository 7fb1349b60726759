//! Errors of the lowering to slot tables.

use crate::lower::error::{FamilyError, WRITE_AGAIN};
use thiserror::Error;

/// Reason for which a schedule has no form in slot tables.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SlotTableError {
    /// Nodes that are too few or too many for slot tables.
    #[error("the network has {nodes} nodes, and slot tables are built for 2 to {most}")]
    Nodes {
        /// Nodes of the network.
        nodes: usize,
        /// The most nodes.
        most: u32,
    },
    /// A program that slot tables cannot hold, or that does not hold itself.
    #[error("slot tables have no form of {what}")]
    Form {
        /// Part of the program without a form.
        what: String,
    },
    /// Memory of slot tables that is too small for a program.
    #[error("slot tables with {room} {what} cannot hold the program, which needs {needed}")]
    Room {
        /// Plural noun for the quantity that is too small.
        what: &'static str,
        /// Number that the program needs.
        needed: u32,
        /// Number that there is.
        room: u32,
    },
    /// Table of a node that differs from the program.
    #[error("the slot table of node {node} differs from the program: {what}")]
    Image {
        /// Label of the node.
        node: String,
        /// The difference.
        what: String,
    },
    /// Slot tables that counters do not make with fewer bits.
    #[error("counters would have {bits} bits, and the slot tables have {table}")]
    NoCounters {
        /// Bits of the stored rows and loops of all programs that differ.
        bits: u64,
        /// Bits of all tables that differ.
        table: u64,
    },
    /// Starts follow one another faster than collectives end.
    #[error("a collective takes {least} cycles from start to start if no core pauses, and the period is {period}")]
    Period {
        /// The period asked for.
        period: u32,
        /// The least period.
        least: u32,
    },
    /// No tile has a word to send.
    #[error("no word crosses a channel, so no tile has a stream")]
    NoWords,
}

impl FamilyError for SlotTableError {
    fn field(&self) -> Option<&'static str> {
        Some(match self {
            Self::Nodes { .. } => "network.topology",
            Self::Form { .. } => "router.kind",
            Self::Room { .. } => "schedule.buffers",
            Self::NoCounters { .. } => "schedule.storage",
            Self::Period { .. } => "endpoint.period",
            Self::NoWords => "endpoint.interface",
            Self::Image { .. } => return None,
        })
    }

    fn help(&self) -> &'static str {
        match self {
            Self::Nodes { nodes: 0 | 1, .. } => "take a network of two nodes or more",
            Self::Nodes { .. } => {
                "take a smaller network; `metronoc check`, `schedule` and `simulate` work with more nodes"
            }
            Self::Form { .. } => {
                "leave `kind` out of [router], or change the schedule; `metronoc check` says whether it holds"
            }
            Self::Room { .. } => "write more `buffers` where the hardware is made, or leave them out",
            Self::NoCounters { .. } => "take storage = \"rom\"",
            Self::Period { .. } => {
                "write a longer `period`, or leave it out: a collective then starts when all tiles are ready"
            }
            Self::NoWords => "leave `interface` out",
            Self::Image { .. } => WRITE_AGAIN,
        }
    }
}
