//! Co-simulation of couplers that arbitrate: lockstep at every load, every packet accounted for, and figures for each
//! load.

use super::work::DynamicWork;
use crate::cli::cosim::args::{Args, FormArg};
use crate::cli::unscheduled::{UnscheduledTraffic, without};
use crate::cli::{CliError, Context, Exit};
use crate::collective::pops::{Figures, Traffic};
use crate::cosim::pops_dynamic::{Breach, Broken, DynamicHardware, Trouble, dynamic_parts};
use crate::cosim::{Build, Built, Optimize};
use crate::model::Sections;
use crate::model::pops_dynamic::{Place, describe};
use crate::spec::Diagnostic;
use crate::tool::{self, Progress, Tool};
use serde::Serialize;
use std::fmt::Write;
use std::time::Instant;

/// Most processors whose streams are broken in a stress, spread over the network.
const BROKEN: u32 = 64;
/// Slots of a stress in which packets are made.
const STRESS_SLOTS: u32 = 64;

/// Processors times cycles above which it pays to let the compiler do its best.
const LONG_RUN: u64 = 10_000_000;

#[derive(Serialize)]
struct Report {
    network: String,
    processors: u32,
    couplers: u64,
    arbitration: &'static str,
    pattern: &'static str,
    words_a_packet: u32,
    queue_depth: u32,
    verilator: String,
    optimize: Optimize,
    /// Cycles that were simulated, those in which the network was emptied included.
    cycles: u64,
    compared_words: u64,
    build_seconds: f64,
    run_seconds: f64,
    cycles_per_second: f64,
    /// Figures of each run, by load.
    runs: Vec<Figures>,
    /// Broken streams of the stress, if there was one.
    #[serde(skip_serializing_if = "Option::is_none")]
    broken_streams: Option<u64>,
}

/// Simulates the traffic of a specification.
pub(super) fn run(args: &Args, work: &DynamicWork, context: &Context) -> Result<(), CliError> {
    fits(args)?;
    if args.upsets.is_some() {
        context.say("warning: no upsets: they take a schedule, whose words are known");
    }
    let sections = args.compare.sections();
    let p = &work.hardware;
    let traffics = work.traffics();
    let sources = args.sources_of(&work.emitted(&args.source.spec)?)?;
    let long = u64::from(p.network.processors()) * u64::from(work.collective.cycles) * traffics.len() as u64;
    let optimize = if long > LONG_RUN { Optimize::Full } else { Optimize::Quick };
    let begin = Instant::now();
    let progress = Progress::auto(context.quiet);
    let tools = tool::ensure(&[Tool::Verilator], progress)?;
    let step = progress.step(&format!("building the simulator of {} processors", p.network.processors()));
    let parts = dynamic_parts(p);
    let built = Build { sources: &sources, parts: &parts, optimize, root: args.build_dir.as_deref() }.run(&tools)?;
    step.done();
    let build_seconds = begin.elapsed().as_secs_f64();

    let begin = Instant::now();
    let (mut cycles, mut compared_words, mut runs) = (0, 0, Vec::new());
    for traffic in &traffics {
        let step = progress.step(&format!("simulating load {}", traffic.load.value()));
        let run = DynamicHardware::new(&built, p)?.run(traffic, sections, None);
        step.done();
        cycles += run.cycles;
        compared_words += run.compared;
        runs.push(run.figures.map_err(|trouble| failure(&trouble, traffic, run.packets, None, args, context))?);
    }
    let run_seconds = begin.elapsed().as_secs_f64();
    let stressed = || {
        let step = progress.step("stressing");
        let count = stress(&built, work, sections, args, context)?;
        step.done();
        Ok::<_, CliError>(count)
    };
    let broken_streams = args.stress.then(stressed).transpose()?;
    let report = Report {
        network: p.network.to_string(),
        processors: p.network.processors(),
        couplers: p.network.couplers(),
        arbitration: p.arbitration.name(),
        pattern: work.collective.pattern.name(),
        words_a_packet: p.words,
        queue_depth: p.depth,
        verilator: tools.found(Tool::Verilator)?.version.clone(),
        optimize,
        cycles,
        compared_words,
        build_seconds,
        run_seconds,
        cycles_per_second: cycles as f64 / run_seconds,
        runs,
        broken_streams,
    };
    context.conclude(context.output(args.result.as_deref())?, &report, || report.text(sections))
}

/// Breaks the contract of the streams into processors, one in a simulation; how many were broken.
fn stress(
    built: &Built,
    work: &DynamicWork,
    sections: Option<Sections>,
    args: &Args,
    context: &Context,
) -> Result<u64, CliError> {
    let (p, mut count) = (&work.hardware, 0);
    let Some(traffic) = work.traffics().into_iter().next() else { return Ok(count) };
    let traffic = traffic.at_full_load(STRESS_SLOTS);
    let processors = p.network.processors();
    let chosen = processors.min(BROKEN);
    for processor in (0..chosen).map(|at| (u64::from(at) * u64::from(processors) / u64::from(chosen)) as u32) {
        for breach in Breach::all(p) {
            let broken = Broken { processor, breach };
            // the model has no packet that is dropped
            let sections = if matches!(breach, Breach::Nowhere(_)) { None } else { sections };
            let run = DynamicHardware::new(built, p)?.run(&traffic, sections, Some(broken));
            run.figures.map_err(|trouble| failure(&trouble, &traffic, run.packets, Some(broken), args, context))?;
            count += 1;
        }
    }
    Ok(count)
}

/// Traffic makes its own data, and is simulated as a whole.
fn fits(args: &Args) -> Result<(), CliError> {
    without(&[
        ("--data", args.files.data.is_some()),
        ("--a", args.files.a.is_some()),
        ("--b", args.files.b.is_some()),
        ("--out", args.out.is_some()),
        ("--trace", args.trace.is_some()),
        ("--collectives", args.collectives.is_some()),
        ("--form tile", args.form == FormArg::Tile),
        ("--netlist", args.netlist.is_some()),
    ])
}

impl Report {
    fn text(&self, sections: Option<Sections>) -> String {
        let agreed = match sections {
            Some(_) => "hardware and model agree",
            None => "the hardware was compared with nothing",
        };
        let packets: u64 = self.runs.iter().map(|run| run.packets).sum();
        let mut text = format!(
            "{agreed}: {}, {} couplers, {} traffic, {} cycles\nevery packet came out once, whole and in order: {packets}\n",
            self.network, self.arbitration, self.pattern, self.cycles
        );
        if let Some(count) = self.broken_streams {
            // a String takes everything
            let _ = writeln!(text, "stress: {count} broken streams, all reported, and no packet lost");
        }
        text.push_str(
            "    load  throughput  latency    p50    p95    p99      max  network  fairness  min/max    packets    waiting\n",
        );
        for run in &self.runs {
            let (latency, fairness) = (&run.latency, &run.fairness);
            // a String takes everything
            let _ = writeln!(
                text,
                "{:8.4}  {:10.4} {:8.1} {:6} {:6} {:6} {:8} {:8.1}  {:8.4}  {:7.3} {:10} {:10}",
                run.load,
                run.throughput,
                latency.mean,
                latency.p50,
                latency.p95,
                latency.p99,
                latency.max,
                run.network_latency,
                fairness.jain,
                fairness.min_over_max,
                run.packets,
                run.waiting,
            );
        }
        text
    }
}

fn failure(
    trouble: &Trouble,
    traffic: &Traffic,
    packets: [u64; 2],
    broken: Option<Broken>,
    args: &Args,
    context: &Context,
) -> CliError {
    let load = traffic.load.value();
    let diagnostic = match trouble {
        Trouble::Differs { cycle, place, expected, found } => {
            let at = match *place {
                Place::Coupler { to, from } => format!("coupler c({to},{from})"),
                Place::Out(processor) => format!("the stream out of processor {processor}"),
                Place::Ready(first) => format!("the streams in from processor {first} on: which are taken"),
            };
            Diagnostic::bare(format!("hardware and model differ at {at} in cycle {cycle}, load {load}"))
                .note(format!("expected {}", describe(*place, expected)))
                .note(format!("found {}", describe(*place, found)))
        }
        Trouble::Loss(loss) => Diagnostic::bare(format!("a packet is not accounted for, load {load}: {loss}")),
        Trouble::Stopped(reason) => Diagnostic::bare(format!("{reason}, load {load}")),
        Trouble::Fault if broken.is_some() => {
            Diagnostic::bare("`fault_o` does not rise with a stream that breaks its contract, or not when it does")
        }
        Trouble::Fault => {
            Diagnostic::bare(format!("the hardware reports a stream that broke its contract, load {load}"))
        }
    };
    let [entered, left] = packets;
    let breach = broken.map(|Broken { processor, breach }| format!("processor {processor} is stressed: {breach}"));
    let diagnostic = breach
        .into_iter()
        .fold(diagnostic, Diagnostic::note)
        .note(format!("{entered} packets went in until then, and {left} came out"))
        .help(args.repeat_help(context));
    CliError::AtSpec { exit: Exit::Mismatch, diagnostic: Box::new(diagnostic) }
}
