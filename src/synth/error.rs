//! Errors of a synthesis.

use crate::tool::{Tool, ToolError};
use camino::Utf8PathBuf;
use std::io;

/// Error of a synthesis.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SynthError {
    /// A template could not be rendered; a defect of metronoc.
    #[error("a template could not be rendered")]
    Template(#[from] askama::Error),
    /// A tool is missing, or failed.
    #[error(transparent)]
    Tool(#[from] ToolError),
    /// The network is larger than the device.
    #[error(
        "{network} does not fit the {device} of the {board}: it needs {needed} {resource}, and there are {available}"
    )]
    TooLarge {
        /// Name of the network.
        network: String,
        /// Name of the board.
        board: String,
        /// Device of the board.
        device: String,
        /// Resource of which the device has too little.
        resource: &'static str,
        /// Number that is needed.
        needed: u64,
        /// Number in the device.
        available: u64,
    },
    /// Place and route found no place.
    #[error("place and route found no room for {network} in the {device} of the {board}: {reason}\n  log: {log}")]
    NoRoom {
        /// Name of the network.
        network: String,
        /// Name of the board.
        board: String,
        /// Device of the board.
        device: String,
        /// Message of place and route, with the kind of cell.
        reason: String,
        /// Log file of the tool.
        log: Utf8PathBuf,
    },
    /// JSON of a tool with another form than expected.
    #[error("`{file}` of {tool} cannot be read: {reason}")]
    Answer {
        /// The file.
        file: &'static str,
        /// The tool.
        tool: Tool,
        /// Difference from the expected JSON.
        reason: String,
    },
    /// A file of the working folder cannot be read or written.
    #[error("cannot use `{path}`: {source}")]
    Io {
        /// Path of the file.
        path: Utf8PathBuf,
        /// Error of the operating system.
        source: io::Error,
    },
}

impl SynthError {
    /// Help: the user's next step.
    pub fn help(&self) -> Option<&'static str> {
        match self {
            SynthError::TooLarge { .. } | SynthError::NoRoom { .. } => Some(
                "take a smaller network or fewer payload_bits, set error_log = false, or program = \"shared\" on a Swapped Dragonfly, or take a larger board",
            ),
            SynthError::Io { .. } => Some("check that the temporary folder can be written to and has space"),
            SynthError::Answer { .. } => Some("install the tools anew: metronoc tools install synthesis"),
            _ => None,
        }
    }
}
