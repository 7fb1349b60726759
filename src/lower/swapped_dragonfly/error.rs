//! Errors of the lowering to the routers of a Swapped Dragonfly.

use crate::lower::error::FamilyError;
use thiserror::Error;

/// Reason for which a schedule has no form in the routers of a Swapped Dragonfly.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SwappedDragonflyError {
    /// The specification is of another collective than the schedule.
    #[error("the schedule is not one of {kind}")]
    OtherCollective {
        /// The collective of the specification.
        kind: &'static str,
    },
    /// A port would have to carry too many lanes.
    #[error("port {port} of router {node} would carry too many lanes")]
    PortTaken {
        /// Router of the fault.
        node: u32,
        /// Port of the fault.
        port: usize,
    },
    /// A router cannot treat such a packet.
    #[error("the router has no form of the header {header}")]
    Inexpressible {
        /// Header of the fault.
        header: String,
    },
    /// Words are longer on their way, or of more lanes, than hardware can count.
    #[error(
        "a stream of {lanes} lanes with {taps} cycles from a beat to the last arrival is too large for hardware: at most {limit} of each"
    )]
    StreamTooDeep {
        /// Cycles from a beat to the last arrival.
        taps: u32,
        /// Lanes.
        lanes: u32,
        /// Largest number of each that is supported.
        limit: u32,
        /// The key of the specification that makes it so large.
        field: &'static str,
    },
    /// Packets of an exchange that go another way than its tiles relay.
    #[error("`{algorithm}` sends packets over routes for which the tiles of exchanges have no relays")]
    NoRelays {
        /// Name of the algorithm.
        algorithm: &'static str,
    },
    /// The arithmetic of a product has too little time.
    #[error("a product takes {least} cycles in hardware, not {cycles}")]
    FastArithmetic {
        /// The cycles that the schedule gives it.
        cycles: u32,
        /// The cycles that it needs.
        least: u32,
    },
    /// A schedule of a product that endpoints cannot follow.
    #[error("the endpoints of products have no form of this schedule: {what}")]
    ProductForm {
        /// Part of the schedule that the endpoints cannot follow.
        what: String,
    },
    /// A product whose rows do not come from counters as short as they are to be.
    #[error("counters would be too large for the slot tables of this product")]
    NoProductCounters,
    /// The schedule follows no counter program.
    #[error("the schedule `{algorithm}` has no counter form")]
    NoCounterForm {
        /// Name of the algorithm.
        algorithm: String,
    },
    /// Constants of routers say something else than the schedule.
    #[error("the constants of the routers differ from the schedule: {what}")]
    Constants {
        /// The difference.
        what: String,
    },
}

impl FamilyError for SwappedDragonflyError {
    fn field(&self) -> Option<&'static str> {
        Some(match self {
            Self::StreamTooDeep { field, .. } => field,
            Self::Inexpressible { .. } | Self::PortTaken { .. } | Self::NoRelays { .. } | Self::ProductForm { .. } => {
                "collective.algorithm"
            }
            Self::FastArithmetic { .. } => "collective.mac_cycles",
            Self::NoCounterForm { .. } | Self::NoProductCounters => "schedule.storage",
            Self::OtherCollective { .. } | Self::Constants { .. } => return None,
        })
    }

    fn help(&self) -> &'static str {
        match self {
            Self::StreamTooDeep { .. } => {
                "take a smaller network, fewer stages a hop, or fewer `software_cycles`; `check` and `schedule` know no limit"
            }
            Self::Inexpressible { .. } | Self::PortTaken { .. } => "take another algorithm",
            Self::NoRelays { .. } => "take algorithm = \"best\"; `check` and `schedule` know all of them",
            Self::ProductForm { .. } => "take another algorithm; `check`, `schedule` and `multiply` know all of them",
            Self::FastArithmetic { .. } => "write more `mac_cycles`",
            Self::NoProductCounters => "take storage = \"rom\"",
            Self::NoCounterForm { .. } => "take storage = \"rom\" or \"ram\", or an algorithm with a counter form",
            Self::OtherCollective { .. } | Self::Constants { .. } => "schedule the specification again",
        }
    }
}
