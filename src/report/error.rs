//! Errors of reports.

use std::error::Error;

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
    /// A figure could not be computed; a defect of metronoc.
    #[error("a figure of the page could not be computed: {0}")]
    Figure(Box<dyn Error + Send + Sync>),
    /// The page could not be filled; a defect of metronoc.
    #[error("the page could not be filled")]
    Template(#[from] askama::Error),
}

impl ReportError {
    /// Error of a figure.
    pub(super) fn figure(error: impl Error + Send + Sync + 'static) -> Self {
        Self::Figure(Box::new(error))
    }
}
