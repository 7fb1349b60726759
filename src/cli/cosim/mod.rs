//! `metronoc cosim`: the Verilog of a specification in lockstep with the software model.

mod all_data;
pub(super) mod args;
mod bitstream;
mod case;
mod failure;
mod stress;
mod upsets;

pub use args::Args;

use super::folder::temporary;
use super::{CliError, Context, Exit, unscheduled, waveform, work};
use crate::cosim::netlist::{self, Netlist, Technology};
use crate::cosim::stress::disturbed;
use crate::cosim::upset::Upsets;
use crate::cosim::wave::Format;
use crate::cosim::wiring::{WiringError, WiringProof};
use crate::cosim::{Build, CosimError, Form, Launched, Optimize, Parts};
use crate::count::counted;
use crate::output::waveform::VIEW;
use crate::output::{OutputError, OutputFile};
use crate::tool::{self, Progress, Tool, ToolSet};
use case::Case;
use failure::Failure;
use serde::Serialize;
use std::path::Path;
use std::time::Instant;

/// Cycles of a waveform before the mismatch, and after it.
const WAVE_CYCLES: (u64, u64) = (1000, 20);
/// Tiles times cycles up to which a run takes less time than the compiler's optimisation.
const SHORT_RUN: u64 = 1_000_000;
/// Tiles times cycles up to which a run of a netlist does, a tile of which is hundreds of cells.
const SHORT_NETLIST_RUN: u64 = 10_000;
/// Tiles times cycles above which it pays to let the compiler do its best.
const LONG_RUN: u64 = 1_000_000_000;

/// Help for a folder that cannot be simulated.
const GENERATE: &str =
    "name a folder that `metronoc generate` made from this specification, with the same seed, with --rtl";

/// JSON output of `metronoc cosim --json`.
#[derive(Serialize)]
struct Report {
    form: Form,
    /// Proof of the top's wiring, if tiles were simulated apart.
    wiring: Option<WiringProof>,
    verilator: String,
    optimize: Optimize,
    routers: u32,
    /// Plural noun for the nodes in the text output, such as `routers`.
    #[serde(skip)]
    nodes: &'static str,
    algorithm: String,
    period: u32,
    /// Cycles of one collective, from its first channel to its last.
    collective_cycles: u32,
    collectives: u64,
    launches: Vec<Launched>,
    /// Cycles that were simulated, loading and reading out included.
    cycles: u64,
    compared_words: u64,
    /// Sentence on the duration of a collective.
    remark: String,
    received_words: usize,
    build_seconds: f64,
    run_seconds: f64,
    cycles_per_second: f64,
    out: Option<String>,
    trace: Option<String>,
    /// Figures of the stress, if there was one.
    stress: Option<stress::Stress>,
    /// Upsets of registers, if they were asked for.
    upsets: Option<Upsets>,
    /// Technology of the netlist that was simulated in place of the Verilog, and the number of its cells.
    netlist: Option<(Technology, usize)>,
}

impl From<CosimError> for CliError {
    fn from(error: CosimError) -> Self {
        let message = error.to_string();
        match error {
            CosimError::Tool(error) => error.into(),
            CosimError::File { .. } => {
                Self::failed(Exit::Io, message, "name another folder with --build-dir, or free some space")
            }
            CosimError::Folder { .. } => Self::failed(Exit::Io, message, GENERATE),
            CosimError::OtherNetwork { .. } | CosimError::Image { .. } => {
                Self::failed(Exit::BadSpec, message, GENERATE)
            }
            CosimError::Unobserved { .. } => Self::failed(
                Exit::BadSpec,
                message,
                "keep the names of instances and ports; a folder of another version has others: generate it anew",
            ),
            CosimError::Stopped { .. } => {
                let help = "mend what it reports, or take `$stop`, `$fatal` and `$finish` out of the Verilog";
                Self::failed(Exit::Mismatch, message, help)
            }
            CosimError::Answer { .. } => Self::failed(
                Exit::Mismatch,
                message,
                "each answer has its tile in TID, TUSER is 1 for a status alone, and TLAST marks the last of a request",
            ),
            CosimError::Bitstream { .. } => Self::failed(
                Exit::BadSpec,
                message,
                "name a .bin file that `metronoc synth --top host` made for this board",
            ),
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

pub fn run(args: &Args, context: &Context) -> Result<(), CliError> {
    let input = work::load_from(&args.source, context)?;
    if let Some(work) = unscheduled::work(&input.spec, context) {
        return work.cosim(args, context);
    }
    if args.files.is_empty() && !args.random {
        let help = "name an array with `--data`, or take `--random`";
        return Err(CliError::failed(Exit::Usage, "there is nothing to send", help));
    }
    if let Some(file) = &args.bitstream {
        return bitstream::run(args, file.as_deref(), input, context);
    }
    let out = context.output(args.out.as_deref())?;
    let result = context.output(args.result.as_deref())?;
    let format = args.trace.unwrap_or(Format::Fst);
    let wave = context.waveform(args.out.as_deref(), "cosim", format)?;
    if args.trace.is_some() {
        OutputFile::new(&wave, context.force)?;
    }
    let case = Case::new(input, args, context)?;
    let session = case.session();
    // a netlist has no tiles
    let form = if args.netlist.is_some() { Form::Top } else { args.form.choose(&case)? };
    let stressed = args.stress && form == Form::Top;
    let parts = case.parts(form)?;
    let parts = if stressed { disturbed(parts) } else { parts };
    let p = case.fabric();
    let short = if args.netlist.is_some() { SHORT_NETLIST_RUN } else { SHORT_RUN };
    let optimize = match case.tile_cycles() {
        cycles if cycles <= short && !stressed => Optimize::Least,
        ..=LONG_RUN => Optimize::Quick,
        _ => Optimize::Full,
    };
    let begin = Instant::now();
    let progress = Progress::auto(context.quiet);
    let wanted = if args.netlist.is_some() { &[Tool::Verilator, Tool::Yosys][..] } else { &[Tool::Verilator] };
    let tools = tool::ensure(wanted, progress)?;
    let netlist = args.netlist.map(|technology| synthesized(technology.into(), &case, parts.clone(), &tools, progress));
    let netlist = netlist.transpose()?;
    let wiring = match form {
        Form::Top => None,
        Form::Tile => case.prove(progress)?,
    };
    let step = progress.step(&format!("building the simulator of {} {}", p.tiles, case.nodes()));
    let (sources, parts) = netlist.as_ref().map_or((case.sources(), &parts), |made| (&made.sources, &made.parts));
    let built = Build { sources, parts, optimize, root: args.build_dir.as_deref() }.run(&tools)?;
    step.done();
    let build_seconds = begin.elapsed().as_secs_f64();

    let step = progress.step("simulating");
    let begin = Instant::now();
    let mut outcome = session.run(&mut *case.simulator(&built, form)?)?;
    outcome.received = case.received(outcome.received);
    let run_seconds = begin.elapsed().as_secs_f64();
    step.done();

    let record = |from: u64, to: u64| -> Result<Result<(), OutputError>, CliError> {
        let recording = session.record(&mut *case.simulator(&built, form)?, from, to)?;
        let layout = session.model().layout();
        let name = wave.file_name().unwrap_or_default().to_string_lossy();
        let write = || -> Result<(), OutputError> {
            let new = |path: &Path| OutputFile::new(path, context.force);
            let (file, view) = (new(&wave)?, new(&wave.with_extension(VIEW))?);
            file.write_with(|out| {
                recording.write(out, format, p, layout).map_err(|error| OutputError::io(&wave, error))
            })?;
            view.write(recording.view(&name, p, layout).as_bytes())
        };
        Ok(write())
    };
    if let Some(failure) = Failure::of(&outcome, &case) {
        let (before, after) = WAVE_CYCLES;
        let at = outcome.mismatch().map_or(outcome.cycles, |mismatch| mismatch.cycle);
        let written = record(at.saturating_sub(before), at + after)?;
        return Err(failure.report(args, context, &case, &outcome, waveform(&wave, written)));
    }
    let stress = match (form, args.stress) {
        (Form::Top, true) => {
            let step = progress.step("stressing");
            let stress = stress::run(args, &case, &built, context)?;
            step.done();
            Some(stress)
        }
        (Form::Tile, true) => {
            context.say("warning: no stress: it needs `--form top`, all of mn_top");
            None
        }
        (_, false) => None,
    };
    let upsets = match (form, args.upsets) {
        (Form::Top, Some(count)) => {
            let step = progress.steps("upsetting registers", count);
            let upsets = upsets::run(args, count, &case, &tools, (context, &step))?;
            step.done();
            Some(upsets)
        }
        (Form::Tile, Some(_)) => {
            context.say("warning: no upsets: they take the whole of mn_top, `--form top`");
            None
        }
        (_, None) => None,
    };
    let trace = match (args.trace, outcome.launched.first()) {
        (Some(_), Some(first)) => {
            let end = first.first_row + session.model().cycles().min(WAVE_CYCLES.0);
            record(first.first_row.saturating_sub(WAVE_CYCLES.1), end)??;
            Some(wave.display().to_string())
        }
        _ => None,
    };
    if let Some(out) = out {
        out.write(&case.expected_npy())?;
    }
    let report = Report {
        form,
        wiring,
        verilator: tools.found(Tool::Verilator)?.version.clone(),
        optimize,
        routers: p.tiles,
        nodes: case.nodes(),
        algorithm: case.algorithm().to_owned(),
        period: case.period(),
        collective_cycles: case.collective_cycles(),
        collectives: outcome.launched.iter().map(|launched| launched.count).sum(),
        cycles: outcome.cycles,
        compared_words: outcome.compared,
        remark: case.remark(),
        received_words: case.expected().len(),
        build_seconds,
        run_seconds,
        cycles_per_second: outcome.cycles as f64 / run_seconds,
        out: args.out.as_ref().map(|out| out.display().to_string()),
        trace,
        stress,
        upsets,
        netlist: args.netlist.map(Technology::from).zip(netlist.as_ref().map(|made| made.cells)),
        launches: outcome.launched,
    };
    context.conclude(result, &report, || report.text())
}

impl Report {
    fn text(&self) -> String {
        let mut text = format!(
            "hardware and model agree: {} of {} {}, {}, {} received\n{}\n",
            counted(self.collectives, "collective"),
            self.routers,
            self.nodes,
            counted(self.cycles, "cycle"),
            counted(self.received_words, "word"),
            self.remark
        );
        if let Some(wiring) = &self.wiring {
            text.push_str(&format!("wiring: {wiring}\n"));
        }
        if let Some(stress::Stress { sets, cycles, programs, faults }) = &self.stress {
            let others =
                if *programs > 0 { format!(", {} loaded", counted(*programs, "other program")) } else { String::new() };
            text.push_str(&format!(
                "stress: {sets} sets of words in {cycles} cycles with pauses{others}, {faults} provoked faults, all reported\n"
            ));
        }
        if let Some(upsets) = &self.upsets {
            text.push_str(&upsets::text(upsets));
        }
        if let Some((technology, cells)) = &self.netlist {
            text.push_str(&format!("netlist: {cells} cells of {technology}\n"));
        }
        for (what, file) in [("received", &self.out), ("waveform", &self.trace)] {
            if let Some(file) = file {
                text.push_str(&format!("{what}: {file}\n"));
            }
        }
        text
    }
}

/// Netlist of a case, synthesised in a temporary folder.
fn synthesized(
    technology: Technology,
    case: &Case,
    parts: Parts,
    tools: &ToolSet,
    progress: Progress,
) -> Result<Netlist, CliError> {
    let step = progress.step(&format!("synthesising for {technology}"));
    let (_folder, path) = temporary("netlist")?;
    let made = netlist::synthesize(technology, case.sources(), parts, tools, &path)?;
    step.done();
    Ok(made)
}
