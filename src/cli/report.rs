//! `metronoc report`: a page of pictures and figures that people look at.

use super::{CliError, Context, Exit, pipeline};
use crate::output::{Existing, write_file};
use crate::report::{Inputs, MARK, Report, ReportError};
use std::path::{Path, PathBuf};

/// Where the page goes unless said otherwise.
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

/// Where the page goes.
enum Target<'a> {
    Nowhere,
    Stdout,
    File(&'a Path),
}

impl Args {
    fn target(&self, json: bool) -> Result<Target<'_>, CliError> {
        match self.output.as_deref() {
            None if json => Ok(Target::Nowhere),
            None => Ok(Target::File(Path::new(PAGE))),
            Some(file) if file != Path::new("-") => Ok(Target::File(file)),
            Some(_) if json => {
                let message = "standard output cannot take both the page and the JSON";
                Err(CliError::failed(Exit::Usage, message, "name a file for the page"))
            }
            Some(_) => Ok(Target::Stdout),
        }
    }
}

pub fn run(args: &Args, context: &Context) -> Result<(), CliError> {
    let target = args.target(context.json)?;
    let cosim = args.cosim.as_deref().map(read).transpose()?;
    let synth = args.synth.iter().map(|file| read(file)).collect::<Result<Vec<_>, _>>()?;
    let checked = pipeline::checked(&args.spec, context)?;
    let inputs = Inputs {
        spec: &checked.spec,
        collective: &checked.collective,
        schedule: &checked.schedule,
        cosim: cosim.as_deref(),
        synth: &synth,
    };
    let report = Report::new(&inputs).map_err(report_error)?;
    match target {
        Target::Nowhere => {}
        Target::Stdout => context.print(report.html().map_err(report_error)?)?,
        Target::File(file) => {
            let page = report.html().map_err(report_error)?;
            write_file(file, page.as_bytes(), Existing::marked_unless(context.force, MARK))?;
            context.say(format!("wrote {}", file.display()));
        }
    }
    if context.json { context.print_json(&report) } else { Ok(()) }
}

fn read(file: &Path) -> Result<String, CliError> {
    std::fs::read_to_string(file).map_err(|error| {
        CliError::failed(Exit::Io, format!("cannot read `{}`: {error}", file.display()), "name a file of JSON text")
    })
}

fn report_error(error: ReportError) -> CliError {
    let ReportError::Result { ref command, .. } = error else { return CliError::Internal(error.to_string()) };
    let help = format!("`metronoc {command} --json` makes such a file");
    CliError::failed(Exit::BadSpec, error.to_string(), help)
}
