//! Errors of lowering.

use crate::spec::{Placement, Spec, Storage};
use std::error::Error;
use thiserror::Error;

/// Help for images that differ from the schedule.
pub(super) const WRITE_AGAIN: &str = "write the images again with `metronoc generate --force`";

/// Help for a network that is too large for hardware.
pub(super) const SMALLER: &str = "take a smaller network; `metronoc schedule` and `check` work at any size";

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
    /// Error of one router family; [`LowerError::family`] gives it by its type.
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
    /// Operator with fewer cycles than hardware takes.
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
    /// Error of a router family, if it is one of this type.
    pub fn family<E: FamilyError>(&self) -> Option<&E> {
        let LowerError::Family(error) = self else { return None };
        let error: &dyn Error = error.as_ref();
        error.downcast_ref()
    }

    /// The key of the specification that caused the error, if one did.
    pub fn field(&self) -> Option<&'static str> {
        match self {
            LowerError::Family(error) => error.field(),
            LowerError::Rows { .. } => Some("schedule.rows"),
            LowerError::StorageForm { field, .. }
            | LowerError::TooManyPorts { field, .. }
            | LowerError::FastOperator { field, .. } => Some(field),
            LowerError::Image { .. } => None,
        }
    }

    /// Help: the user's next step.
    pub fn help(&self) -> &'static str {
        match self {
            LowerError::Family(error) => error.help(),
            LowerError::TooManyPorts { .. } => SMALLER,
            LowerError::StorageForm { help, .. } => help,
            LowerError::Rows { .. } => "write more `rows`, or leave them out for as many as the schedule takes",
            LowerError::FastOperator { field: "collective.operator_stages", .. } => {
                "leave `operator_stages` out, or write more"
            }
            LowerError::FastOperator { .. } => "give operations the operator's cycles, as metronoc's own schedules do",
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
