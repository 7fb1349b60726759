//! `metronoc report`: a page of pictures and figures that people look at.

use super::page::{Request, Target, written};
use super::work;
use super::work::pages::side;
use super::{CliError, Context, Exit, unscheduled};
use crate::output::OutputFile;
use crate::report::{Comparison, Side};
use std::path::{Path, PathBuf};

/// File name of the page unless another is given.
const PAGE: &str = "report.html";

/// Write an HTML page of the network, its schedule, and its results
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    source: work::SourceArgs,
    /// Second specification or schedule, shown beside the first on one page
    #[arg(value_name = "SECOND")]
    second: Option<PathBuf>,
    /// File for the page, `-` for standard output [default: report.html, or no page with --json]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Result of `metronoc cosim --json` that the page shows
    #[arg(long, value_name = "FILE")]
    cosim: Option<PathBuf>,
    /// Result of `metronoc synth --json` that the page shows; may be given several times
    #[arg(long, value_name = "FILE")]
    synth: Vec<PathBuf>,
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

pub fn run(args: &Args, context: &Context) -> Result<(), CliError> {
    let target = args.target(context)?;
    if let Some(second) = &args.second {
        return side_by_side(args, second, &target, context);
    }
    let cosim = args.cosim.as_deref().map(read).transpose()?;
    let synth = args.synth.iter().map(|file| read(file)).collect::<Result<Vec<_>, _>>()?;
    let input = work::load_from(&args.source, context)?;
    let request = Request { cosim: cosim.as_deref(), synth: &synth, target: &target };
    match unscheduled::work(&input.spec, context) {
        Some(work) => work.report(&request, context),
        None => work::work_of(input, &args.source.spec, context)?.report(&request, context),
    }
}

/// The page of two schedules.
fn side_by_side(args: &Args, second: &Path, target: &Target, context: &Context) -> Result<(), CliError> {
    if args.cosim.is_some() || !args.synth.is_empty() {
        let message = "a page of two schedules shows no results of other commands";
        return Err(CliError::failed(
            Exit::Usage,
            message,
            "leave `--cosim` and `--synth` out, or name one specification",
        ));
    }
    let first = work::work(&args.source, context)?;
    let second = work::work(&work::SourceArgs { spec: second.to_owned(), network: None }, context)?;
    let [a, b] = [first.as_ref(), second.as_ref()].map(side);
    let b = Side { scene: b.scene.beside(), ..b };
    let report = Comparison::new([a, b]);
    written(target, || report.html(), context)?;
    if context.json { context.print_json(&report) } else { Ok(()) }
}

fn read(file: &Path) -> Result<String, CliError> {
    std::fs::read_to_string(file).map_err(|error| {
        CliError::failed(Exit::Io, format!("cannot read `{}`: {error}", file.display()), "name a file of JSON text")
    })
}
