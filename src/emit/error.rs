//! Errors of emitting Verilog.

use crate::collective::DataError;

/// Error of emitting Verilog.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EmitError {
    /// A template could not be rendered; a defect of metronoc.
    #[error("a template could not be rendered")]
    Template(#[from] askama::Error),
    /// The test bench has no data.
    #[error("the test bench has no data: {0}")]
    Data(#[from] DataError),
    /// The manifest could not be written as JSON; a defect of metronoc.
    #[error("the manifest could not be written")]
    Manifest(#[from] serde_json::Error),
}
