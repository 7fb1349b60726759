//! Errors of the proof of the wiring: the first connection that is not the topology's, or an elaboration that failed.

use crate::tool::ToolError;
use camino::Utf8PathBuf;
use std::io;
use thiserror::Error;

/// Error of the proof of the wiring.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum WiringError {
    /// Yosys is missing, or did not elaborate the sources.
    #[error(transparent)]
    Tool(#[from] ToolError),
    /// A file of the run cannot be read or written.
    #[error("cannot use `{path}`: {source}")]
    File {
        /// Path of the file.
        path: Utf8PathBuf,
        /// Error of the operating system.
        source: io::Error,
    },
    /// Netlist of Yosys that cannot be read.
    #[error("the netlist of Yosys cannot be read: {0}")]
    Netlist(#[from] serde_json::Error),
    /// A source file of the network is missing.
    #[error("the emitted files lack `{0}`")]
    Source(String),
    /// A module is missing from the netlist.
    #[error("the netlist has no module `{0}`")]
    Module(&'static str),
    /// Wrong set of instances.
    #[error("{module}: `{instance}`, {what}")]
    Instance {
        /// Name of the module.
        module: String,
        /// Name of the instance.
        instance: String,
        /// Difference from the planned instance.
        what: String,
    },
    /// A node has no tile, or more than one.
    #[error("mn_network: router {label} has {what}")]
    Tile {
        /// The node's coordinates.
        label: String,
        /// Tiles found for the router, as text.
        what: String,
    },
    /// A port is missing, has another width, or should not be there.
    #[error("{module}: {} {what}", place(.instance, .port))]
    Port {
        /// Name of the module.
        module: String,
        /// The instance; empty for the module itself.
        instance: String,
        /// Name of the port.
        port: String,
        /// Difference from the planned port.
        what: String,
    },
    /// Two outputs drive the same net.
    #[error("{module}: {first} and {second} drive the same net")]
    TwoDrivers {
        /// Name of the module.
        module: String,
        /// An output bit.
        first: String,
        /// Second driver of the net: another output bit, or a constant.
        second: String,
    },
    /// A bit is driven by something else than planned.
    #[error("{0}")]
    Driver(Box<Driven>),
}

/// A bit with the wrong driver.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(
    "{module}: {}[{bit}] is driven by {found} instead of {expected}{}",
    place(.instance, .port),
    .channel.as_ref().map(|channel| format!(" (channel {channel})")).unwrap_or_default()
)]
pub struct Driven {
    /// Name of the module.
    pub module: String,
    /// The instance; empty for an output of the module itself.
    pub instance: String,
    /// Name of the port.
    pub port: String,
    /// The bit of the port.
    pub bit: u32,
    /// Driver that the topology requires.
    pub expected: String,
    /// Driver in the netlist.
    pub found: String,
    /// The channel that the bit belongs to, if it is of one.
    pub channel: Option<String>,
}

fn place(instance: &str, port: &str) -> String {
    if instance.is_empty() { port.to_owned() } else { format!("{instance}.{port}") }
}
