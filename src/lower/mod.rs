//! Lowering: from a checked schedule to what hardware holds – parameters, slot tables, and their images in memory.
//!
//! Every number in the emitted Verilog is computed here; the templates only substitute. What is written can be read back:
//! [`decode`] turns images into the program that a router would follow, to be checked again.

pub mod bits;
pub mod decode;
pub mod parameters;
pub mod sequencer;
pub mod tables;

pub use parameters::Parameters;
pub use tables::{SlotTables, Table};

use crate::check::CheckedSchedule;
use crate::schedule::UniformProgram;
use crate::spec::{Placement, Spec, Storage};
use sequencer::Sequencer;
use thiserror::Error;

/// Why a schedule has no hardware form.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LowerError {
    /// The schedule follows no counter program.
    #[error("the schedule `{algorithm}` has no counter form")]
    NoCounterForm {
        /// Name of the algorithm.
        algorithm: String,
    },
    /// The ports of a router do not fit the fault log.
    #[error("a router with {ports} ports is too large for hardware; at most {limit} are supported")]
    TooManyPorts {
        /// Ports of each router.
        ports: usize,
        /// The most that can be built.
        limit: usize,
    },
    /// Images say something else than the schedule.
    #[error("the image of the {table} table does not say what the schedule says: {what}")]
    Image {
        /// The table.
        table: Table,
        /// The difference.
        what: String,
    },
}

impl LowerError {
    /// The key of the specification that caused the error, if one did.
    pub fn field(&self) -> Option<&'static str> {
        match self {
            LowerError::NoCounterForm { .. } => Some("schedule.storage"),
            LowerError::TooManyPorts { .. } => Some("network.m"),
            LowerError::Image { .. } => None,
        }
    }

    /// What to do about it.
    pub fn help(&self) -> &'static str {
        match self {
            LowerError::NoCounterForm { .. } => {
                "take storage = \"rom\" or \"ram\", or an algorithm with a counter form"
            }
            LowerError::TooManyPorts { .. } => {
                "take a smaller network; `metronoc schedule` and `check` work at any size"
            }
            LowerError::Image { .. } => "write the images again with `metronoc generate --force`",
        }
    }
}

/// A schedule in the terms of hardware.
#[derive(Debug, Clone)]
pub struct Lowered {
    /// Sizes and widths.
    pub parameters: Parameters,
    /// The slot tables of every router.
    pub tables: SlotTables,
    /// What holds the slot tables.
    pub storage: Storage,
    /// Who holds them.
    pub placement: Placement,
    /// The name of the schedule's algorithm.
    pub algorithm: String,
    /// The counters that take the place of the tables, if they do.
    pub counters: Option<Sequencer>,
    program: UniformProgram,
}

impl Lowered {
    /// The program that was lowered; the model follows it.
    pub fn program(&self) -> &UniformProgram {
        &self.program
    }
}

/// Lowers a checked schedule, decodes the images of its tables again, and compares.
///
/// # Errors
/// If the schedule has no form of the asked-for kind.
pub fn lower(schedule: &CheckedSchedule, spec: &Spec) -> Result<Lowered, LowerError> {
    let parameters = Parameters::new(schedule.network(), schedule.hop(), schedule.period(), spec)?;
    let tables = SlotTables::new(&parameters, schedule.program());
    let program = decode::program(&parameters, &tables.images())?;
    decode::same(schedule.program(), &program)?;
    let counters = match spec.schedule.storage {
        Storage::Counter => Some(counters(schedule)?),
        Storage::Rom | Storage::Ram => None,
    };
    Ok(Lowered {
        parameters,
        tables,
        storage: spec.schedule.storage,
        placement: spec.schedule.program,
        algorithm: schedule.algorithm().to_owned(),
        counters,
        program,
    })
}

/// The counters of a schedule, if they say what its table says.
fn counters(schedule: &CheckedSchedule) -> Result<Sequencer, LowerError> {
    let none = || LowerError::NoCounterForm { algorithm: schedule.algorithm().to_owned() };
    let sequencer = schedule.counter().and_then(Sequencer::new).ok_or_else(none)?;
    decode::same(schedule.program(), &sequencer.decode())?;
    Ok(sequencer)
}
