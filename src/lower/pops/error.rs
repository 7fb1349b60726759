//! Errors of the lowering to couplers of POPS.

use crate::lower::error::{FamilyError, SMALLER};
use thiserror::Error;

/// Reason for which a schedule has no form in couplers of POPS.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PopsError {
    /// Schedule on POPS above the limit of the hardware.
    #[error("{found} {what} are too many for hardware: at most {limit} are built")]
    TooLarge {
        /// Plural noun for the quantity that is too large.
        what: &'static str,
        /// Number that the schedule needs.
        found: u32,
        /// Largest number that is built.
        limit: u32,
        /// The key of the specification that makes it so large.
        field: &'static str,
    },
    /// A network of one processor.
    #[error("a network of one processor has no other processor to send to")]
    OneProcessor,
    /// Fewer places than packets.
    #[error("processors with {places} buffers cannot run the schedule, which needs {needed}")]
    Buffers {
        /// Requested places for packets.
        places: u32,
        /// The places that it needs.
        needed: u32,
    },
}

impl FamilyError for PopsError {
    fn field(&self) -> Option<&'static str> {
        Some(match self {
            Self::TooLarge { field, .. } => field,
            Self::OneProcessor => "network.d",
            Self::Buffers { .. } => "schedule.buffers",
        })
    }

    fn help(&self) -> &'static str {
        match self {
            Self::TooLarge { field: "schedule.rows", .. } => {
                "write fewer `rows`, or leave them out; `metronoc schedule` and `check` work with any number"
            }
            Self::TooLarge { .. } => SMALLER,
            Self::OneProcessor => "take two processors or more",
            Self::Buffers { .. } => "write more `buffers`, or leave them out for as many as are needed",
        }
    }
}
