//! Why a co-simulation could not be made or carried on.

use crate::tool::ToolError;
use camino::Utf8PathBuf;
use std::io;

/// Failure of the co-simulation itself; that hardware and model differ is a result, not a failure.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CosimError {
    /// The simulator could not be built.
    #[error(transparent)]
    Tool(#[from] ToolError),
    /// A file of the build, or of the Verilog to be simulated, cannot be read or written.
    #[error("cannot use `{path}`: {source}")]
    File {
        /// The file or folder.
        path: Utf8PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// The built library is not one of this version's.
    #[error("cannot load the simulator `{path}`: {reason}")]
    Library {
        /// The library.
        path: Utf8PathBuf,
        /// What the loader said.
        reason: String,
    },
    /// A folder of Verilog that is no network of this specification.
    #[error("`{folder}` is not the network of this specification: {reason}")]
    OtherNetwork {
        /// The folder.
        folder: Utf8PathBuf,
        /// What is missing or different.
        reason: String,
    },
    /// A template could not be rendered; a defect of metronoc.
    #[error("a template could not be rendered")]
    Template(#[from] askama::Error),
}
