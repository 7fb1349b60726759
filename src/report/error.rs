//! Errors of reports.

use crate::check::swapped_dragonfly::CheckError;

/// Error of a report.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReportError {
    /// The result of another command cannot be read.
    #[error("this is no result of `metronoc {command}` on this specification: {reason}")]
    Result {
        /// Name of the command.
        command: String,
        /// Reason, as text.
        reason: String,
    },
    /// The claims could not be listed; a defect of metronoc.
    #[error("the claims of a checked schedule could not be listed")]
    Claims(#[from] CheckError),
    /// The model lost a packet; a defect of metronoc.
    #[error("the model lost a packet: {0}")]
    Model(#[from] crate::collective::pops::Loss),
    /// The page could not be filled; a defect of metronoc.
    #[error("the page could not be filled")]
    Template(#[from] askama::Error),
}
