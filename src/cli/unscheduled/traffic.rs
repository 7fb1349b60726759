//! Traffic without a schedule as commands see it.

use crate::cli::cosim::args::Args;
use crate::cli::page::Request;
use crate::cli::{CliError, Context};
use crate::emit::RtlBundle;
use serde_json::Value;
use std::path::Path;

/// A specification whose hardware follows no schedule, with the traffic that it is offered.
pub trait UnscheduledTraffic {
    /// Files of the hardware, for a specification at this path, and an object with its sizes.
    ///
    /// # Errors
    /// Only by a defect of metronoc.
    fn generated(&self, path: &Path) -> Result<(RtlBundle, Value), CliError>;

    /// Runs the traffic through the model. The options are those of `simulate`, each with a flag that is true if it is given.
    ///
    /// # Errors
    /// [`CliError`] with [`Exit::Usage`](crate::cli::Exit::Usage) for an option that means nothing here; or if a packet is lost.
    fn simulate(&self, options: &[(&str, bool)], context: &Context) -> Result<(), CliError>;

    /// Runs the traffic through Verilog and model in lockstep.
    ///
    /// # Errors
    /// As [`UnscheduledTraffic::simulate`], and if the two differ or a tool fails.
    fn cosim(&self, args: &Args, context: &Context) -> Result<(), CliError>;

    /// Makes the requested report.
    ///
    /// # Errors
    /// If results of other commands are requested, or the page cannot be written.
    fn report(&self, request: &Request<'_>, context: &Context) -> Result<(), CliError>;
}
