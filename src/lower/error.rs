//! Errors of lowering.

use crate::spec::{Placement, Spec, Storage};
use std::error::Error;
use thiserror::Error;

/// Help for images that differ from the schedule.
pub(super) const WRITE_AGAIN: &str = "write the images again with `metronoc generate --force`";

/// Error of the lowering of one router family.
pub trait FamilyError: Error + Send + Sync + 'static {
    /// The key of the specification that caused the error, if one did.
    fn field(&self) -> Option<&'static str>;

    /// Help: the user's next step.
    fn help(&self) -> &'static str;
}

/// Reason for which a schedule has no hardware form.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LowerError {
    /// An error of the router family alone.
    #[error("{0}")]
    Family(Box<dyn FamilyError>),
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
        /// Key of the specification that makes them.
        field: &'static str,
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

impl<E: FamilyError> From<E> for LowerError {
    fn from(error: E) -> Self {
        Self::Family(Box::new(error))
    }
}

impl LowerError {
    /// The error of a router family, if it is one of this type.
    pub fn of<E: FamilyError>(&self) -> Option<&E> {
        let LowerError::Family(error) = self else { return None };
        let error: &dyn Error = error.as_ref();
        error.downcast_ref()
    }

    /// The key of the specification that caused the error, if one did.
    pub fn field(&self) -> Option<&'static str> {
        match self {
            LowerError::Family(error) => error.field(),
            LowerError::NoCounterForm { .. } => Some("schedule.storage"),
            LowerError::Rows { .. } => Some("schedule.rows"),
            LowerError::StorageForm { field, .. }
            | LowerError::TooManyPorts { field, .. }
            | LowerError::FastOperator { field, .. } => Some(field),
            LowerError::Period { .. } => Some("endpoint.period"),
            LowerError::NoWords => Some("endpoint.interface"),
            LowerError::Constants { .. } | LowerError::Image { .. } => None,
        }
    }

    /// Help: the user's next step.
    pub fn help(&self) -> &'static str {
        match self {
            LowerError::Family(error) => error.help(),
            LowerError::NoCounterForm { .. } => {
                "take storage = \"rom\" or \"ram\", or an algorithm with a counter form"
            }
            LowerError::TooManyPorts { .. } => {
                "take a smaller network; `metronoc schedule` and `check` work at any size"
            }
            LowerError::StorageForm { help, .. } => help,
            LowerError::Rows { .. } => "write more `rows`, or leave them out for as many as the schedule takes",
            LowerError::FastOperator { field: "collective.operator_stages", .. } => {
                "leave `operator_stages` out, or write more"
            }
            LowerError::FastOperator { .. } => "give operations the operator's cycles, as metronoc's own schedules do",
            LowerError::Period { .. } => {
                "write a longer `period`, or leave it out: a collective then starts when all tiles are ready"
            }
            LowerError::NoWords => "leave `interface` out",
            LowerError::Constants { .. } => "schedule the specification again",
            LowerError::Image { .. } => WRITE_AGAIN,
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
