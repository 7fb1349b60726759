//! `metronoc cosim`: the Verilog of a specification in lockstep with the software model.

use super::{CliError, Context, Exit, pipeline};
use crate::collective::{Data, Dtype};
use crate::cosim::wave::Format;
use crate::cosim::wiring::{self, WiringError, WiringProof};
use crate::cosim::{
    Build, CosimError, Form, Launched, Mismatch, Optimize, Outcome, Session, Simulator, Sources, TileForm, Top,
    Verdict, tile_form, top_parts,
};
use crate::lower::Lowered;
use crate::model::{Model, Sections, decode};
use crate::output::{Existing, OutputError, write_file, write_file_with};
use crate::spec::Diagnostic;
use crate::tool::{self, Progress, Tool};
use crate::topology::{Coordinates, Topology};
use camino::Utf8PathBuf;
use clap::ValueEnum;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::Instant;

/// Cycles of a waveform before the mismatch, and after it.
const WAVE_CYCLES: (u64, u64) = (1000, 20);
/// Tiles times cycles above which it pays to let the compiler do its best.
const LONG_RUN: u64 = 1_000_000_000;
/// The most faults that a message lists.
const SHOWN_FAULTS: usize = 8;

/// Simulate the Verilog of a specification against the software model
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The specification
    spec: PathBuf,
    /// The array to be sent, as .npy
    #[arg(long, value_name = "FILE", required_unless_present = "random")]
    data: Option<PathBuf>,
    /// Send random words, from the seed
    #[arg(long, conflicts_with = "data")]
    random: bool,
    /// Write the array that was received, as .npy
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// What is compared in every cycle
    #[arg(long, value_name = "WHAT", default_value = "channels")]
    compare: Compare,
    /// Write a waveform even if nothing differs, or in another format than FST
    #[arg(long, value_name = "FORMAT")]
    trace: Option<Format>,
    /// Simulate this generated folder, which may have been changed, instead of fresh Verilog
    #[arg(long, value_name = "DIR")]
    rtl: Option<Utf8PathBuf>,
    /// How the hardware is simulated
    #[arg(long, value_name = "FORM", default_value = "auto")]
    form: FormArg,
    /// Build the simulator in a folder of this one instead of the cache
    #[arg(long, value_name = "DIR")]
    build_dir: Option<Utf8PathBuf>,
    /// Run each collective so many times, back to back
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    collectives: u64,
}

/// What is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Compare {
    /// Every channel and every receive port
    Channels,
    /// Every receive port
    Endpoints,
    /// Nothing but the received array
    None,
}

/// The forms that can be asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FormArg {
    /// The best for the network's size
    Auto,
    /// The whole of mn_top
    Top,
    /// One tile as often as the network has tiles, and a proof that mn_top connects them so
    Tile,
}

/// The most tiles for which "auto" simulates the whole top: the C++ of larger ones takes minutes to compile.
const MOST_TOP_TILES: u32 = 64;

impl FormArg {
    fn choose(self, lowered: &Lowered) -> Form {
        match self {
            FormArg::Top => Form::Top,
            FormArg::Tile => Form::Tile,
            FormArg::Auto if lowered.parameters.tiles <= MOST_TOP_TILES => Form::Top,
            FormArg::Auto => Form::Tile,
        }
    }
}

/// What standard output gets under `--json`.
#[derive(Serialize)]
struct Report {
    form: Form,
    /// What was proved of the top's wiring, if tiles were simulated apart.
    wiring: Option<WiringProof>,
    verilator: String,
    optimize: Optimize,
    routers: u32,
    algorithm: String,
    period: u32,
    /// Cycles of one collective, from its first channel to its last.
    collective_cycles: u32,
    collectives: u64,
    launches: Vec<Launched>,
    /// Cycles that were simulated, loading and reading out included.
    cycles: u64,
    compared_words: u64,
    received_words: usize,
    build_seconds: f64,
    run_seconds: f64,
    cycles_per_second: f64,
    out: Option<String>,
    trace: Option<String>,
}

impl From<CosimError> for CliError {
    fn from(error: CosimError) -> Self {
        let message = error.to_string();
        match error {
            CosimError::Tool(error) => error.into(),
            CosimError::File { .. } => {
                Self::failed(Exit::Io, message, "name another folder with --build-dir, or free some space")
            }
            CosimError::OtherNetwork { .. } => {
                Self::failed(Exit::BadSpec, message, "make the folder with `metronoc generate` from this specification")
            }
            CosimError::Library { .. } => {
                Self::failed(Exit::ToolMissing, message, "remove the build folder, so that it is built again")
            }
            _ => Self::Internal(message),
        }
    }
}

impl From<WiringError> for CliError {
    fn from(error: WiringError) -> Self {
        let message = error.to_string();
        match error {
            WiringError::Tool(error) => error.into(),
            WiringError::File { .. } => Self::failed(Exit::Io, message, "free some space"),
            WiringError::Netlist(_) => Self::Internal(message),
            _ => Self::failed(
                Exit::Mismatch,
                format!("the emitted top does not connect its tiles as the network does: {message}"),
                "make the folder again with `metronoc generate --force`",
            ),
        }
    }
}

/// Proves the wiring of a top.
fn prove(sources: &Sources, lowered: &Lowered, progress: Progress) -> Result<WiringProof, CliError> {
    let tools = tool::ensure(&[Tool::Yosys], progress)?;
    let step = progress.step(&format!("proving the wiring of {} routers", lowered.parameters.tiles));
    let failed = |error: std::io::Error| CliError::failed(Exit::Io, error.to_string(), "set TMPDIR to another folder");
    let folder = tempfile::tempdir().map_err(failed)?;
    let work = Utf8PathBuf::try_from(folder.path().to_owned()).map_err(|error| failed(error.into_io_error()))?;
    let proof = wiring::prove(sources.files(), &lowered.parameters, lowered.placement, &tools, &work)?;
    step.done();
    Ok(proof)
}

pub fn run(args: &Args, context: &Context) -> Result<(), CliError> {
    let (checked, lowered) = pipeline::lowered(&args.spec, context)?;
    let traffic = checked.traffic();
    let bits = checked.spec.router.payload_bits;
    let data = match (&args.data, Dtype::filling(bits)) {
        (Some(path), _) => traffic.read(path, bits)?,
        (None, Some(dtype)) => traffic.random(dtype, checked.spec.schedule.seed)?,
        (None, None) => return Err(CliError::Internal(format!("no type has {bits} bits"))),
    };
    if let Some(out) = args.out.as_deref().filter(|out| out.exists() && !context.force) {
        return Err(OutputError::Exists(out.to_owned()).into());
    }
    let sources = match &args.rtl {
        Some(folder) => Sources::read(folder)?,
        None => Sources::new(pipeline::emitted(&checked, &lowered, &args.spec)?.files()),
    };
    let model = Rc::new(Model::new(&lowered).map_err(|error| CliError::Internal(error.to_string()))?);
    let sections = match args.compare {
        Compare::Channels => Some(Sections::All),
        Compare::Endpoints => Some(Sections::Receives),
        Compare::None => None,
    };
    let session = Session { model, data: &data, sections, collectives: args.collectives };
    let form = args.form.choose(&lowered);
    let parts = match form {
        Form::Top => top_parts(&lowered),
        Form::Tile => tile_form::parts(&lowered),
    }
    .map_err(CosimError::from)?;

    let p = &lowered.parameters;
    let words = 2 * data.words().len() as u64;
    let work = u64::from(p.tiles) * (words + args.collectives * u64::from(traffic.repeat()) * p.pass_cycles());
    let optimize = if work > LONG_RUN { Optimize::Full } else { Optimize::Quick };
    let begin = Instant::now();
    let progress = Progress::auto(context.quiet);
    let tools = tool::ensure(&[Tool::Verilator], progress)?;
    let wiring = match form {
        Form::Top => None,
        Form::Tile => Some(prove(&sources, &lowered, progress)?),
    };
    let step = progress.step(&format!("building the simulator of {} routers", p.tiles));
    let built = Build { sources: &sources, parts: &parts, optimize, root: args.build_dir.as_deref() }.run(&tools)?;
    step.done();
    let build_seconds = begin.elapsed().as_secs_f64();

    let step = progress.step("simulating");
    let begin = Instant::now();
    let simulator = || -> Result<Box<dyn Simulator>, CosimError> {
        Ok(match form {
            Form::Top => Box::new(Top::new(&built, p)?),
            Form::Tile => Box::new(TileForm::new(&built, p)?),
        })
    };
    let outcome = session.run(&mut *simulator()?)?;
    let run_seconds = begin.elapsed().as_secs_f64();
    step.done();

    let record = |from: u64, to: u64| -> Result<String, CliError> {
        let path = wave_path(args);
        let recording = session.record(&mut *simulator()?, from, to)?;
        let format = args.trace.unwrap_or(Format::Fst);
        write_file_with(&path, Existing::Replace, |out| {
            recording.write(out, format, p, session.model.layout()).map_err(|error| OutputError::io(&path, error))
        })?;
        Ok(path.display().to_string())
    };
    if let Some(failure) = Failure::of(&outcome, &data) {
        let (before, after) = WAVE_CYCLES;
        let at = outcome.mismatch().map_or(outcome.cycles, |mismatch| mismatch.cycle);
        let wave = record(at.saturating_sub(before), at + after)?;
        return Err(failure.report(args, context, &lowered, &outcome, &wave));
    }
    let trace = match (args.trace, outcome.launched.first()) {
        (Some(_), Some(first)) => {
            let end = first.first_row + session.model.cycles().min(WAVE_CYCLES.0);
            Some(record(first.first_row.saturating_sub(WAVE_CYCLES.1), end)?)
        }
        _ => None,
    };
    if let Some(out) = &args.out {
        write_file(out, &data.expected().to_npy(), Existing::keep_unless(context.force))?;
    }
    let report = Report {
        form,
        wiring,
        verilator: tools.found(Tool::Verilator)?.version.clone(),
        optimize,
        routers: p.tiles,
        algorithm: lowered.algorithm.clone(),
        period: p.rows,
        collective_cycles: checked.schedule.cycles(),
        collectives: outcome.launched.iter().map(|launched| launched.count).sum(),
        cycles: outcome.cycles,
        compared_words: outcome.compared,
        received_words: data.words().len(),
        build_seconds,
        run_seconds,
        cycles_per_second: outcome.cycles as f64 / run_seconds,
        out: args.out.as_ref().map(|out| out.display().to_string()),
        trace,
        launches: outcome.launched,
    };
    if context.json {
        return context.print_json(&report);
    }
    context.print(report.text())
}

impl Report {
    fn text(&self) -> String {
        let mut text = format!(
            "hardware and model agree: {} collectives of {} routers, {} cycles, {} words received\n",
            self.collectives, self.routers, self.cycles, self.received_words
        );
        if let Some(wiring) = &self.wiring {
            text.push_str(&format!("wiring: {wiring}\n"));
        }
        for (what, file) in [("received", &self.out), ("waveform", &self.trace)] {
            if let Some(file) = file {
                text.push_str(&format!("{what}: {file}\n"));
            }
        }
        text
    }
}

/// Where a waveform goes: beside the array that is written, or else here.
fn wave_path(args: &Args) -> PathBuf {
    let name = args.out.as_deref().unwrap_or(Path::new("cosim"));
    name.with_extension(args.trace.unwrap_or(Format::Fst).ending())
}

/// In which way hardware and model do not agree.
enum Failure<'a> {
    Mismatch(&'a Mismatch),
    Hung(u64),
    /// Everything that was compared agreed, and the received array is wrong: at this index.
    Received(&'a Data, usize, u64, u64),
    /// The array is incomplete.
    NotReceived,
    /// Everything agrees, and the hardware reports faults.
    Faults,
}

impl<'a> Failure<'a> {
    fn of(outcome: &'a Outcome, data: &'a Data) -> Option<Self> {
        match &outcome.verdict {
            Verdict::Differed(mismatch) => return Some(Self::Mismatch(mismatch)),
            Verdict::Hung(cycles) => return Some(Self::Hung(*cycles)),
            Verdict::Agreed => {}
        }
        let Some(received) = &outcome.received else { return Some(Self::NotReceived) };
        let expected = data.expected();
        let (expected, found) = (expected.words(), received.words());
        if let Some(i) = (0..expected.len()).find(|&i| expected.get(i) != found.get(i)) {
            return Some(Self::Received(data, i, expected.get(i), found.get(i)));
        }
        outcome.faults.as_ref().is_none_or(|faults| !faults.is_empty()).then_some(Self::Faults)
    }

    fn message(&self, lowered: &Lowered) -> String {
        let p = &lowered.parameters;
        match self {
            Self::Mismatch(m) => {
                let place = decode::place(p, m.point);
                let when = match m.collective {
                    Some((number, cycle)) => {
                        format!("cycle {cycle} of collective {number} (cycle {} overall)", m.cycle)
                    }
                    None => format!("cycle {} overall, before the first collective", m.cycle),
                };
                format!("hardware and model differ at {place} in {when}")
            }
            Self::Hung(cycles) => format!("the hardware stood still for {cycles} cycles with work to be done"),
            Self::Received(data, index, expected, found) => {
                let [words, nodes] = [data.traffic().words() as usize, data.traffic().nodes() as usize];
                let node = |i: usize| Coordinates(&p.network.label((i % nodes).into())).to_string();
                let (sender, receiver) = (node(index / words), node(index / words / nodes));
                let (word, repetition) = (index % words, index / words / nodes / nodes);
                format!(
                    "router {receiver} received {found:#x} from router {sender}, not {expected:#x}: word {word} of repetition {repetition}"
                )
            }
            Self::NotReceived => "the hardware did not answer with a whole array".to_owned(),
            Self::Faults => "the hardware reports faults, though all that was compared agrees".to_owned(),
        }
    }

    fn report(&self, args: &Args, context: &Context, lowered: &Lowered, outcome: &Outcome, wave: &str) -> CliError {
        let p = &lowered.parameters;
        let mut diagnostic = Diagnostic::bare(self.message(lowered));
        if let Self::Mismatch(m) = self {
            let bits = crate::model::Layout::new(p).bits(m.point);
            for (what, value) in [("expected", &m.expected), ("found", &m.found)] {
                let fields = decode::fields(p, m.point, value);
                diagnostic = diagnostic.note(format!("{what} {} ({fields})", decode::hex(value, bits)));
            }
        }
        diagnostic = match &outcome.faults {
            None => diagnostic.note("the hardware could not be asked for its status"),
            Some(faults) if faults.is_empty() => diagnostic.note("the hardware itself reports no fault"),
            Some(faults) => {
                let more = faults.len().saturating_sub(SHOWN_FAULTS);
                let shown = faults.iter().take(SHOWN_FAULTS).fold(diagnostic, |d, fault| d.note(fault.to_string()));
                if more > 0 { shown.note(format!("and {more} faults more")) } else { shown }
            }
        };
        let again = again(args, context);
        let diagnostic = diagnostic.note(format!("waveform: {wave}")).help(format!("see it again with `{again}`"));
        CliError::AtSpec { exit: Exit::Mismatch, diagnostic: Box::new(diagnostic) }
    }
}

/// The command line that leads here again.
fn again(args: &Args, context: &Context) -> String {
    let mut line = vec!["metronoc".to_owned(), "cosim".to_owned(), args.spec.display().to_string()];
    line.extend(args.random.then(|| "--random".to_owned()));
    let mut option = |name: &str, value: Option<String>| {
        line.extend(value.map(|value| [format!("--{name}"), value]).into_iter().flatten());
    };
    let path = |path: &Option<PathBuf>| path.as_ref().map(|path| path.display().to_string());
    option("data", path(&args.data));
    option("seed", context.seed.map(|seed| seed.to_string()));
    option("rtl", args.rtl.as_ref().map(ToString::to_string));
    option("out", path(&args.out));
    option("compare", named(args.compare, Compare::Channels));
    option("trace", args.trace.and_then(|format| named(format, Format::Fst)));
    option("form", named(args.form, FormArg::Auto));
    option("build-dir", args.build_dir.as_ref().map(ToString::to_string));
    option("collectives", (args.collectives != 1).then(|| args.collectives.to_string()));
    line.extend(context.force.then(|| "--force".to_owned()));
    line.iter().map(|word| tool::quote(word)).collect::<Vec<_>>().join(" ")
}

/// The name of a choice that is not the default.
fn named<T: ValueEnum + PartialEq>(choice: T, default: T) -> Option<String> {
    let value = choice.to_possible_value().filter(|_| choice != default)?;
    Some(value.get_name().to_owned())
}
