//! Traffic without a schedule as commands see it.

use crate::cli::cosim::args::Args;
use crate::cli::page::Request;
use crate::cli::{CliError, Context, Exit};
use crate::emit::RtlBundle;
use serde::{Serialize, Serializer};
use serde_json::Value;
use std::path::Path;

/// Fields of a JSON object, in this order.
pub struct Fields(pub Vec<(&'static str, Value)>);

impl Serialize for Fields {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

/// A specification whose hardware follows no schedule, with the traffic that it is offered.
pub trait UnscheduledTraffic {
    /// Files of the hardware, for a specification at this path.
    ///
    /// # Errors
    /// Only by a defect of metronoc.
    fn emitted(&self, path: &Path) -> Result<RtlBundle, CliError>;

    /// Sizes of the hardware, as fields of a JSON object.
    fn sizes(&self) -> Fields;

    /// Runs the traffic through the model.
    ///
    /// # Errors
    /// If a packet is lost.
    fn simulate(&self, context: &Context) -> Result<(), CliError>;

    /// Runs the traffic through Verilog and model in lockstep.
    ///
    /// # Errors
    /// For an option that means nothing here, and if the two differ, a packet is lost or a tool fails.
    fn cosim(&self, args: &Args, context: &Context) -> Result<(), CliError>;

    /// Makes the requested report.
    ///
    /// # Errors
    /// If results of other commands are requested, or the page cannot be written.
    fn report(&self, request: &Request<'_>, context: &Context) -> Result<(), CliError>;
}

/// Refuses options that mean nothing for traffic, each with a flag that is true if it is given.
///
/// # Errors
/// [`CliError`] with [`Exit::Usage`] for the first that is given.
pub fn without(options: &[(&str, bool)]) -> Result<(), CliError> {
    let Some((option, _)) = options.iter().find(|(_, is_given)| *is_given) else { return Ok(()) };
    let help = "leave it out; traffic is made from the specification and its seed";
    Err(CliError::failed(Exit::Usage, format!("traffic has no use for `{option}`"), help))
}
