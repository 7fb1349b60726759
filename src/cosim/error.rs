//! Errors of building and running a co-simulation.

use crate::tool::ToolError;
use camino::{Utf8Path, Utf8PathBuf};
use std::io;

/// Failure of the co-simulation itself; that hardware and model differ is a result, not a failure.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CosimError {
    /// The simulator could not be built.
    #[error(transparent)]
    Tool(#[from] ToolError),
    /// A file of the build cannot be read or written.
    #[error("cannot use `{path}`: {source}")]
    File {
        /// The file or folder.
        path: Utf8PathBuf,
        /// Error of the operating system.
        source: io::Error,
    },
    /// The built library is not one of this version's.
    #[error("cannot load the simulator `{path}`: {reason}")]
    Library {
        /// The library.
        path: Utf8PathBuf,
        /// Message of the loader.
        reason: String,
    },
    /// The Verilog to be simulated cannot be read.
    #[error("cannot read `{path}`: {source}")]
    Folder {
        /// The file or folder.
        path: Utf8PathBuf,
        /// Error of the operating system.
        source: io::Error,
    },
    /// A memory image that is not one of the network.
    #[error("`{path}` is no memory image of this network: {reason}")]
    Image {
        /// The image.
        path: Utf8PathBuf,
        /// Difference from an image of the network.
        reason: String,
    },
    /// The Verilog ended the simulation: `$stop`, `$fatal`, `$finish`, or an error of Verilator's runtime.
    #[error("the Verilog ended the simulation in cycle {cycle}: {reason}")]
    Stopped {
        /// The cycle since the end of reset.
        cycle: u64,
        /// Place and message.
        reason: String,
    },
    /// An answer of the host stream that is none of what was asked for, in its TID, TUSER or TLAST, or one too many.
    #[error("an answer on the host stream before cycle {cycle} is {what}")]
    Answer {
        /// The cycle since the end of reset.
        cycle: u64,
        /// Difference from the answer that was due.
        what: &'static str,
    },
    /// A folder of Verilog that is no network of this specification.
    #[error("`{folder}` is not the network of this specification: {reason}")]
    OtherNetwork {
        /// Path of the folder.
        folder: Utf8PathBuf,
        /// File or parameter that is missing or different.
        reason: String,
    },
    /// Verilog without a signal that is compared.
    #[error("the Verilog has no `{signal}`, which co-simulation reads")]
    Unobserved {
        /// The signal, with the instances that lead to it.
        signal: String,
    },
    /// A bitstream cannot be read back.
    #[error("{program} cannot read the bitstream: {reason}")]
    Bitstream {
        /// Program that refuses it.
        program: String,
        /// Last line that the program printed.
        reason: String,
    },
    /// A template could not be rendered; a defect of metronoc.
    #[error("a template could not be rendered")]
    Template(#[from] askama::Error),
}

/// Error of a file or folder of the build, from the system's.
pub(super) fn file_error(path: &Utf8Path) -> impl FnOnce(std::io::Error) -> CosimError + use<> {
    let path = path.to_path_buf();
    |source| CosimError::File { path, source }
}
