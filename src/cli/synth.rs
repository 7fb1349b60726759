//! `metronoc synth`: a bitstream for a board.

use super::{CliError, Context, Exit, work};
use crate::board::Board;
use crate::emit::RtlBundle;
use crate::family::Hardware;
use crate::interrupt::Temporary;
use crate::output::OutputFolder;
use crate::synth::flow::{self, Options};
use crate::synth::{BoardTop, Design, Outcome, Project, Report, SynthError, Synthesis, tools};
use crate::tool::{Progress, ensure};
use camino::Utf8PathBuf;
use clap::ValueEnum;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Make a bitstream for a board
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    source: work::SourceArgs,
    /// Board: a name of `metronoc boards`, or a folder with a board.toml
    #[arg(long, value_name = "NAME|FOLDER")]
    board: String,
    /// Design beside the network: a self-test, or a bridge to the serial line for `metronoc run`
    #[arg(long, value_enum, default_value = "selftest")]
    top: Top,
    /// Output folder for bitstream, report, logs and sources; a folder that metronoc wrote is replaced
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// File for the report as JSON, as --json prints it, for `metronoc report --synth`
    #[arg(long, value_name = "FILE")]
    result: Option<PathBuf>,
    /// Clock that place and route must reach, MHz, instead of the board's
    #[arg(long, value_name = "MHZ", value_parser = mhz)]
    freq: Option<f64>,
    /// Seed of place and route
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    pnr_seed: u32,
    /// Placer of nextpnr, instead of the board's: `heap` for a high clock, `static` for designs that fill the device
    #[arg(long, value_enum)]
    placer: Option<Placer>,
    /// Reroute connections of paths that are too slow until none is left. Use it for a clock a little above the one
    /// that is reached without it; if the clock is out of reach, nextpnr does not end
    #[arg(long)]
    tmg_ripup: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Top {
    Selftest,
    Host,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Placer {
    Heap,
    Static,
}

fn mhz(text: &str) -> Result<f64, String> {
    let mhz = text.parse().ok().filter(|mhz| (1.0..=1000.0).contains(mhz));
    mhz.ok_or_else(|| "expected a frequency in MHz from 1 to 1000".into())
}

#[derive(Serialize)]
struct Output<'a> {
    folder: String,
    bitstream: String,
    #[serde(flatten)]
    report: &'a Report,
}

impl From<SynthError> for CliError {
    fn from(error: SynthError) -> Self {
        let help = error.help();
        match error {
            SynthError::Tool(error) => error.into(),
            SynthError::Template(error) => CliError::Internal(error.to_string()),
            error => {
                let exit = if matches!(error, SynthError::Io { .. }) { Exit::Io } else { Exit::SynthesisFailed };
                CliError::Failed { exit, message: error.to_string(), help: help.map(str::to_owned) }
            }
        }
    }
}

/// Files of the network, and its data for board tops.
pub(super) fn sources(
    work: &dyn work::Work,
    hardware: &dyn Hardware,
    path: &Path,
) -> Result<(RtlBundle, Design), CliError> {
    let networks = hardware.networks();
    let design = hardware.design(work.collective(networks).as_ref(), work.hops() * networks as u64);
    Ok((work::emitted(hardware, work.spec(), path)?, design))
}

fn hardware(args: &Args, context: &Context) -> Result<(RtlBundle, Design), CliError> {
    let input = work::load_from(&args.source, context)?;
    work::over_host_stream(&input.spec, "the top of a board")?;
    let work = work::work_of(input, &args.source.spec, context)?;
    work::tell_of_part(work.as_ref(), context);
    sources(work.as_ref(), work.hardware(context)?.as_ref(), &args.source.spec)
}

pub fn run(args: &Args, context: &Context) -> Result<(), CliError> {
    let board = Board::find(&args.board)?;
    let stem = args.source.spec.file_stem().unwrap_or_default().to_string_lossy();
    let folder = args.output.clone().unwrap_or_else(|| format!("{stem}-{}", board.name).into());
    let output = OutputFolder::new(&folder, context.force)?;
    let result = context.output(args.result.as_deref())?;
    let (bundle, design) = hardware(args, context)?;
    let top = match args.top {
        Top::Selftest => BoardTop::SelfTest,
        Top::Host => BoardTop::Host,
    };
    let project = Project::new(&bundle, design.clone(), &board, top).map_err(SynthError::from)?;

    let progress = Progress::auto(context.quiet);
    let ready = ensure(&tools(board.family), progress)?;
    let placer = args.placer.map(|placer| match placer {
        Placer::Heap => flow::Placer::Heap,
        Placer::Static => flow::Placer::Static,
    });
    let target_mhz = args.freq.unwrap_or(board.clock.mhz);
    let options = Options { target_mhz, seed: args.pnr_seed.into(), placer, tmg_ripup: args.tmg_ripup };
    let synthesis = Synthesis { design: &design, project: &project, board: &board, options };
    let io = |error: std::io::Error| {
        CliError::failed(
            Exit::Io,
            format!("no temporary folder: {error}"),
            "set TMPDIR to a folder that can be written to",
        )
    };
    let work = Temporary::for_work("synth").map_err(io)?;
    let path = Utf8PathBuf::from_path_buf(work.path().to_owned())
        .map_err(|path| CliError::failed(Exit::Io, format!("`{}` is not UTF-8", path.display()), "set TMPDIR"))?;
    let outcome = synthesis.run(&ready, &path, progress);
    if outcome.is_err() {
        // The error names a log in the folder.
        work.keep();
    }
    let Outcome { report, files } = outcome?;
    output.write(&files)?;

    let data = Output { folder: folder.display().to_string(), bitstream: project.bitstream(), report: &report };
    context.conclude(result, &data, || report.to_string())?;
    context.say(format!("wrote {} files to {}", files.len(), folder.display()));
    if report.timing_met {
        return Ok(());
    }
    Err(CliError::failed(
        Exit::SynthesisFailed,
        format!("the clock reaches {:.1} MHz, and the target is {} MHz", report.fmax_mhz, report.target_mhz),
        "give hops more cycles (local_stages and global_stages in [router], or [network.latency]), try another --pnr-seed, --placer or --tmg-ripup, or lower --freq",
    ))
}
