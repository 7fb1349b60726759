//! Pages of reports: their contents, and their output files.

use super::{CliError, Context, Exit};
use crate::output::OutputFile;
use crate::report::ReportError;
use serde::Serialize;

/// Destination of the page.
pub(super) enum Target {
    Nowhere,
    Stdout,
    File(OutputFile),
}

/// Request of a report: the results of other commands, and the place of the page.
pub struct Request<'a> {
    /// Output of `metronoc cosim --json`, if there is one.
    pub cosim: Option<&'a str>,
    /// Outputs of `metronoc synth --json`.
    pub synth: &'a [String],
    pub(super) target: &'a Target,
}

/// Writes a report as a page and as JSON, as requested.
///
/// # Errors
/// If one of them cannot be written.
pub fn finish(
    report: &impl Serialize,
    page: impl FnOnce() -> Result<String, ReportError>,
    request: &Request<'_>,
    context: &Context,
) -> Result<(), CliError> {
    written(request.target, page, context)?;
    if context.json { context.print_json(report) } else { Ok(()) }
}

/// Writes a page where it is to go.
pub(super) fn written(
    target: &Target,
    page: impl FnOnce() -> Result<String, ReportError>,
    context: &Context,
) -> Result<(), CliError> {
    match target {
        Target::Nowhere => Ok(()),
        Target::Stdout => context.print(page().map_err(report_error)?),
        Target::File(file) => {
            let page = page().map_err(report_error)?;
            file.write(page.as_bytes())?;
            context.say(format!("wrote {}", file.path().display()));
            Ok(())
        }
    }
}

/// Error of a report, for people.
pub fn report_error(error: ReportError) -> CliError {
    let ReportError::Result { ref command, .. } = error else { return CliError::Internal(error.to_string()) };
    let help = format!("`metronoc {command} --json` makes such a file");
    CliError::failed(Exit::BadSpec, error.to_string(), help)
}
