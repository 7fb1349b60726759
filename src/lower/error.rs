//! Errors of lowering.

use crate::spec::{Placement, Spec, Storage};
use thiserror::Error;

/// Reason for which a schedule has no hardware form.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LowerError {
    /// The specification is of another collective than the schedule.
    #[error("the schedule is not one of {kind}")]
    OtherCollective {
        /// The collective of the specification.
        kind: &'static str,
    },
    /// Program that the hardware of a collective or network cannot store so.
    #[error("the program of {of} cannot be stored so")]
    StorageForm {
        /// The collective or network, with an article.
        of: &'static str,
        /// The key of the specification.
        field: &'static str,
        /// Help: the keys that can be.
        help: &'static str,
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
    /// The operator of an exchange has too little time.
    #[error("the operator takes {least} cycles in hardware, not {stages}")]
    FastOperator {
        /// The cycles that the schedule gives it.
        stages: u32,
        /// The cycles that it needs.
        least: u32,
        /// Key of the specification that gives it the cycles.
        field: &'static str,
    },
    /// Tables that are too short for the program, or of a length at which passes meet.
    #[error("the program cannot be started again after {rows} rows: {reason}")]
    Rows {
        /// Requested rows.
        rows: u32,
        /// Condition that the number of rows does not meet.
        reason: String,
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
    /// The schedule follows no counter program.
    #[error("the schedule `{algorithm}` has no counter form")]
    NoCounterForm {
        /// Name of the algorithm.
        algorithm: String,
    },
    /// A product whose rows do not come from counters as short as they are to be.
    #[error("counters would be too large for the slot tables of this product")]
    NoProductCounters,
    /// Slot tables that counters do not make with fewer bits.
    #[error("counters would have {bits} bits, and the slot tables have {table}")]
    NoSlotCounters {
        /// Bits of the stored rows and loops of all programs that differ.
        bits: u64,
        /// Bits of all tables that differ.
        table: u64,
    },
    /// The ports of a router do not fit the fault log.
    #[error("a router with {ports} ports is too large for hardware; at most {limit} are supported")]
    TooManyPorts {
        /// Ports of each router.
        ports: usize,
        /// The most that can be built.
        limit: usize,
        /// Key of the specification that makes them.
        field: &'static str,
    },
    /// Schedule on POPS above the limit of the hardware.
    #[error("{found} {what} are too many for hardware: at most {limit} are built")]
    PopsTooLarge {
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
    SlotTableForm {
        /// Part of the program without a form.
        what: String,
    },
    /// Memory of slot tables that is too small for a program.
    #[error("slot tables with {room} {what} cannot hold the program, which needs {needed}")]
    SlotTableRoom {
        /// Plural noun for the quantity that is too small.
        what: &'static str,
        /// Number that the program needs.
        needed: u32,
        /// Number that there is.
        room: u32,
    },
    /// Table of a node that differs from the program.
    #[error("the slot table of node {node} differs from the program: {what}")]
    SlotTableImage {
        /// Label of the node.
        node: String,
        /// The difference.
        what: String,
    },
    /// Constants of routers say something else than the schedule.
    #[error("the constants of the routers differ from the schedule: {what}")]
    Constants {
        /// The difference.
        what: String,
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
    /// Image that differs from the schedule.
    #[error("row {row} of the image `{image}` differs from the schedule: {what}")]
    Image {
        /// Name of the image.
        image: String,
        /// Row.
        row: usize,
        /// The difference.
        what: String,
    },
}

impl LowerError {
    /// The key of the specification that caused the error, if one did.
    pub fn field(&self) -> Option<&'static str> {
        match self {
            LowerError::NoCounterForm { .. } | LowerError::NoProductCounters | LowerError::NoSlotCounters { .. } => {
                Some("schedule.storage")
            }
            LowerError::Rows { .. } => Some("schedule.rows"),
            LowerError::OneProcessor => Some("network.d"),
            LowerError::Buffers { .. } | LowerError::SlotTableRoom { .. } => Some("schedule.buffers"),
            LowerError::PopsTooLarge { field, .. }
            | LowerError::StorageForm { field, .. }
            | LowerError::TooManyPorts { field, .. }
            | LowerError::FastOperator { field, .. }
            | LowerError::StreamTooDeep { field, .. } => Some(field),
            LowerError::NoRelays { .. } | LowerError::ProductForm { .. } => Some("collective.algorithm"),
            LowerError::FastArithmetic { .. } => Some("collective.mac_cycles"),
            LowerError::SlotTableForm { .. } => Some("router.kind"),
            LowerError::Nodes { .. } => Some("network.topology"),
            LowerError::Period { .. } => Some("endpoint.period"),
            LowerError::NoWords => Some("endpoint.interface"),
            LowerError::Inexpressible { .. } | LowerError::PortTaken { .. } => Some("collective.algorithm"),
            LowerError::OtherCollective { .. }
            | LowerError::SlotTableImage { .. }
            | LowerError::Constants { .. }
            | LowerError::Image { .. } => None,
        }
    }

    /// Help: the user's next step.
    pub fn help(&self) -> &'static str {
        match self {
            LowerError::NoCounterForm { .. } => {
                "take storage = \"rom\" or \"ram\", or an algorithm with a counter form"
            }
            LowerError::PopsTooLarge { field: "schedule.rows", .. } => {
                "write fewer `rows`, or leave them out; `metronoc schedule` and `check` work with any number"
            }
            LowerError::TooManyPorts { .. } | LowerError::PopsTooLarge { .. } => {
                "take a smaller network; `metronoc schedule` and `check` work at any size"
            }
            LowerError::StorageForm { help, .. } => help,
            LowerError::NoProductCounters | LowerError::NoSlotCounters { .. } => "take storage = \"rom\"",
            LowerError::NoRelays { .. } => "take algorithm = \"best\"; `check` and `schedule` know all of them",
            LowerError::Rows { .. } => "write more `rows`, or leave them out for as many as the schedule takes",
            LowerError::FastArithmetic { .. } => "write more `mac_cycles`",
            LowerError::ProductForm { .. } => {
                "take another algorithm; `check`, `schedule` and `multiply` know all of them"
            }
            LowerError::FastOperator { field: "collective.operator_stages", .. } => {
                "leave `operator_stages` out, or write more"
            }
            LowerError::FastOperator { .. } => "give operations the operator's cycles, as metronoc's own schedules do",
            LowerError::Inexpressible { .. } | LowerError::PortTaken { .. } => "take another algorithm",
            LowerError::StreamTooDeep { .. } => {
                "take a smaller network, fewer stages a hop, or fewer `software_cycles`; `check` and `schedule` know no limit"
            }
            LowerError::OneProcessor => "take two processors or more",
            LowerError::Buffers { .. } => "write more `buffers`, or leave them out for as many as are needed",
            LowerError::SlotTableRoom { .. } => "write more `buffers` where the hardware is made, or leave them out",
            LowerError::SlotTableForm { .. } => {
                "leave `kind` out of [router], or change the schedule; `metronoc check` says whether it holds"
            }
            LowerError::Period { .. } => {
                "write a longer `period`, or leave it out: a collective then starts when all tiles are ready"
            }
            LowerError::NoWords => "leave `interface` out",
            LowerError::Nodes { nodes: 0 | 1, .. } => "take a network of two nodes or more",
            LowerError::Nodes { .. } => {
                "take a smaller network; `metronoc check`, `schedule` and `simulate` work with more nodes"
            }
            LowerError::SlotTableImage { .. } => "write the images again with `metronoc generate --force`",
            LowerError::OtherCollective { .. } | LowerError::Constants { .. } => "schedule the specification again",
            LowerError::Image { .. } => "write the images again with `metronoc generate --force`",
        }
    }
}

/// Refuses the storage that hardware of `of` does not have, and one program for all routers.
///
/// # Errors
/// [`LowerError::StorageForm`] if the specification requests either.
pub(super) fn stored(spec: &Spec, of: &'static str, without: Storage) -> Result<(), LowerError> {
    let shared = spec.schedule.program == Placement::Shared;
    let field =
        (spec.schedule.storage == without).then_some("schedule.storage").or(shared.then_some("schedule.program"));
    let help = match without {
        Storage::Ram => "take storage = \"rom\" or \"counter\", and program = \"router\"",
        Storage::Counter | Storage::Rom => "take storage = \"rom\" or \"ram\", and program = \"router\"",
    };
    field.map_or(Ok(()), |field| Err(LowerError::StorageForm { of, field, help }))
}
