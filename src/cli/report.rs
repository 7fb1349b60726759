//! `metronoc report`: a page of pictures and figures that people look at.

use super::exported::Exported;
use super::pops_dynamic::{self, DynamicWork};
use super::progress::Progress;
use super::work::{self, Work};
use super::{CliError, Context, Exit};
use crate::check::BoundList;
use crate::output::OutputFile;
use crate::program::Document;
use crate::report::{ProgramInputs, ProgramReport, ReportError, TrafficReport, panels};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// File name of the page unless another is given.
const PAGE: &str = "report.html";

/// Write a page that shows the network, its schedule and what is known of it
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The specification, a TOML file
    spec: PathBuf,
    /// Write the page to a file, `-` for standard output [default: report.html, or no page with --json]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Show a result of `metronoc cosim --json`
    #[arg(long, value_name = "FILE")]
    cosim: Option<PathBuf>,
    /// Show a result of `metronoc synth --json`; may be given several times
    #[arg(long, value_name = "FILE")]
    synth: Vec<PathBuf>,
}

/// Destination of the page.
enum Target {
    Nowhere,
    Stdout,
    File(OutputFile),
}

impl Args {
    fn target(&self, context: &Context) -> Result<Target, CliError> {
        let file = |path: &Path| Ok(Target::File(OutputFile::new(path, context.force)?));
        match self.output.as_deref() {
            None if context.json => Ok(Target::Nowhere),
            None => file(Path::new(PAGE)),
            Some(path) if path != Path::new("-") => file(path),
            Some(_) if context.json => {
                let message = "standard output cannot take both the page and the JSON";
                Err(CliError::failed(Exit::Usage, message, "name a file for the page"))
            }
            Some(_) => Ok(Target::Stdout),
        }
    }
}

/// Request of a report: the results of other commands, and the place of the page.
pub struct Request<'a> {
    /// Output of `metronoc cosim --json`, if there is one.
    pub cosim: Option<&'a str>,
    /// Outputs of `metronoc synth --json`.
    pub synth: &'a [String],
    target: &'a Target,
}

pub fn run(args: &Args, context: &Context) -> Result<(), CliError> {
    let target = args.target(context)?;
    let cosim = args.cosim.as_deref().map(read).transpose()?;
    let synth = args.synth.iter().map(|file| read(file)).collect::<Result<Vec<_>, _>>()?;
    let input = work::load(&args.spec, context)?;
    if let Some(work) = pops_dynamic::work(&input.spec, context) {
        return traffic(args, &work, &target, context);
    }
    let work = work::work_of(input, &args.spec, context)?;
    work.report(&Request { cosim: cosim.as_deref(), synth: &synth, target: &target }, context)
}

/// Writes a report as a page and as JSON, where they are asked for.
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

/// Most transfers of a program that is drawn.
const MOST_TRANSFERS: u64 = 1_000_000;

/// The report of a program on a Swapped Dragonfly.
///
/// # Errors
/// If a result of another command cannot be used, or the page cannot be written.
pub fn of_program(
    work: &dyn Work,
    bounds: &BoundList,
    argument: Vec<String>,
    request: &Request<'_>,
    context: &Context,
) -> Result<(), CliError> {
    let exported = Exported::new(work, None);
    let document = match work.transfers() <= MOST_TRANSFERS {
        true => Some(Document::new(&exported.expansion()?, [&exported.network, &exported.collective])),
        false => None,
    };
    let spec = work.spec();
    let drawn = spec.network.swapped_dragonfly().map(|sizes| sizes.guest());
    let report = ProgramReport::new(ProgramInputs {
        spec,
        net: exported.net.as_ref(),
        transfers: document.as_ref(),
        panels: drawn.as_ref().map_or(Vec::new(), panels),
        network: drawn.map_or(exported.net.name().to_owned(), |net| format!("D3({},{})", net.k(), net.m())),
        algorithm: work.algorithm(),
        cycles: work.cycles(),
        hops: work.hops(),
        bounds,
        argument,
        cosim: request.cosim,
        synth: request.synth,
    });
    let report = report.map_err(report_error)?;
    finish(&report, || report.html(), request, context)
}

/// The page of couplers that arbitrate.
fn traffic(args: &Args, work: &DynamicWork, target: &Target, context: &Context) -> Result<(), CliError> {
    if args.cosim.is_some() || !args.synth.is_empty() {
        let message = "a report of traffic shows the model alone";
        return Err(CliError::failed(Exit::Usage, message, "leave `--cosim` and `--synth` out"));
    }
    let progress = Progress::new(context, "simulating");
    let report = TrafficReport::new(&work.spec, &work.collective, &work.hardware, work.traffics());
    let report = report.map_err(report_error)?;
    progress.done();
    written(target, || report.html(), context)?;
    if context.json { context.print_json(&report) } else { Ok(()) }
}

/// Writes a page where it is to go.
fn written(
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

fn read(file: &Path) -> Result<String, CliError> {
    std::fs::read_to_string(file).map_err(|error| {
        CliError::failed(Exit::Io, format!("cannot read `{}`: {error}", file.display()), "name a file of JSON text")
    })
}

/// Error of a report, for people.
pub fn report_error(error: ReportError) -> CliError {
    let ReportError::Result { ref command, .. } = error else { return CliError::Internal(error.to_string()) };
    let help = format!("`metronoc {command} --json` makes such a file");
    CliError::failed(Exit::BadSpec, error.to_string(), help)
}
