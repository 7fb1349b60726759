//! `metronoc simulate`: the cycle simulator by itself, without Verilator or a compiler.

use super::work::DataArgs;
use super::{CliError, Context, Exit, unscheduled, work};
use crate::count::{counted, plural};
use crate::output::waveform::{Format, VIEW};
use crate::output::{OutputError, OutputFile};
use crate::program::{Move, Origin, Program};
use crate::simulate::{
    Arrays, ByRule, Data, Fault, FaultError, Raised, Run, SimulateError, Simulation, Statistics, TooLong, Trace,
    entries,
};
use crate::topology::Topology;
use serde::Serialize;
use std::fmt::Write as _;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Run a schedule cycle by cycle in software, on data, with statistics and faults
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    source: work::SourceArgs,
    #[command(flatten)]
    files: DataArgs,
    /// File for the received array, .npy
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Fault, may be given several times: channel=0.1.2>0.1.1,cycle=7 loses the word that enters the channel; with
    /// bit=3 its bit 3 is flipped; router=0.1.2 sends nothing
    #[arg(long, value_name = "FAULT")]
    fault: Vec<Fault>,
    /// Write the words of all channels in the first pass as a waveform: simulate.fst, or a file beside the one of --out
    #[arg(long, value_name = "FORMAT")]
    trace: Option<Format>,
    /// Print the latencies of all arrivals and the use of the channels
    #[arg(long)]
    stats: bool,
}

/// The result for programs.
#[derive(Serialize)]
struct Output<'a> {
    passes: u32,
    /// Words that differ from the collective's own result.
    wrong: u64,
    statistics: &'a Statistics,
    raised: &'a [Raised],
    /// Words that each fault has hit in the first pass.
    hit: &'a [u64],
}

/// Most entries of a simulation: 12 bytes each.
const MOST_ENTRIES: u64 = 1 << 26;
/// Most words of a result: 16 bytes each.
const MOST_WORDS: usize = 1 << 25;
const SMALLER: &str = "take a smaller network or fewer words; `metronoc check` proves schedules of any size";
/// Faults that are listed on standard output.
const LISTED: usize = 20;

pub fn run(args: &Args, context: &Context) -> Result<(), CliError> {
    let input = work::load_from(&args.source, context)?;
    if let Some(work) = unscheduled::work(&input.spec, context) {
        unscheduled::without(&[
            ("--data", args.files.data.is_some()),
            ("--a", args.files.a.is_some()),
            ("--b", args.files.b.is_some()),
            ("--out", args.out.is_some()),
            ("--trace", args.trace.is_some()),
            ("--fault", !args.fault.is_empty()),
            ("--stats", args.stats),
        ])?;
        return work.simulate(context);
    }
    let out = context.output(args.out.as_deref())?;
    let trace = args.trace.map(|format| waveform(args.out.as_deref(), format, context)).transpose()?;
    let work = work::work_of(input, &args.source.spec, context)?;
    let spec = work.spec();
    let net = work.topology();
    let net = net.as_ref();
    let bits = work.word_bits();
    if entries(net, MOST_ENTRIES).is_none() {
        let message = format!("{} nodes of {} ports are too many for a simulation", net.nodes(), net.ports());
        return Err(CliError::at(Exit::Infeasible, spec, "network.topology", message, SMALLER));
    }
    let faults = faults(args, net, bits)?;
    let (program, collective) = work.simulated();
    let simulation = Simulation::new(net, &program).with_parity(spec.router.parity);
    // words by a rule, if no array is requested: they take no memory, and each has one destination
    let kept = |m: &Move| m.hops.clone().filter(|&hop| program.hops[hop as usize].keep).count();
    let messages = program.values.iter().all(|value| value.origin == Origin::Message);
    if messages
        && program.moves.iter().all(|m| kept(m) <= 1)
        && args.files.is_empty()
        && out.is_none()
        && trace.is_none()
    {
        let mut data = ByRule::new(spec.schedule.seed);
        let run = simulation.run(&mut data, &faults).map_err(conflict)?;
        let lost = lost(&program, net.nodes(), &run);
        return finish(args, context, net, (1, data.wrong() + lost), &run);
    }
    if collective.result_len() > MOST_WORDS {
        let message = format!("the result has {} words, and a simulation holds {MOST_WORDS}", collective.result_len());
        return Err(CliError::at(Exit::Infeasible, spec, "collective.kind", message, SMALLER));
    }
    let words = work.words(1, &args.files)?;
    let mut data = Arrays::new(&program, collective.as_ref(), &words, bits);
    let mut first = None;
    for pass in 0..collective.passes() {
        data.begin(pass);
        let trace = trace.as_ref().filter(|_| pass == 0);
        let run = traced(&simulation, (net, &program), (&mut data, bits), &faults, trace, context)?;
        first.get_or_insert(run);
    }
    let Some(run) = first else { return Err(CliError::Internal("a collective without a pass".into())) };
    let wrong = data.wrong();
    if let Some(file) = out {
        file.write(&collective.to_npy(&data.results(collective.result_len())))?;
        context.say(format!("wrote {}", file.path().display()));
    }
    finish(args, context, net, (collective.passes(), wrong), &run)
}

/// Files of the waveform.
fn waveform(array: Option<&Path>, format: Format, context: &Context) -> Result<Waveform, CliError> {
    let path = context.waveform(array, "simulate", format)?;
    let file = |path: &Path| OutputFile::new(path, context.force);
    Ok(Waveform { format, file: file(&path)?, view: file(&path.with_extension(VIEW))? })
}

/// Files of a waveform.
struct Waveform {
    format: Format,
    file: OutputFile,
    /// View for GTKWave.
    view: OutputFile,
}

/// The faults of the command, on a network whose words have this many bits.
///
/// # Errors
/// [`CliError`] with [`Exit::Usage`] for a node, channel or bit that is not there.
fn faults<T: Topology + ?Sized>(args: &Args, net: &T, word_bits: u32) -> Result<Vec<Fault>, CliError> {
    let on_net = |fault: &Fault| fault.clone().on(net, word_bits);
    args.fault.iter().map(on_net).collect::<Result<_, _>>().map_err(|error| {
        let help = match error {
            FaultError::Bit { .. } => "take one of these, or a larger `payload_bits`",
            _ => "name nodes by their coordinates, with dots between them, or by the names that a file gives them",
        };
        CliError::failed(Exit::Usage, error.to_string(), help)
    })
}

fn conflict(error: SimulateError) -> CliError {
    CliError::failed(Exit::Mismatch, error.to_string(), "report this")
}

/// Runs a pass, which is recorded as a waveform if there is a file for it.
fn traced<T: Topology + ?Sized>(
    simulation: &Simulation<'_, T>,
    (net, program): (&T, &Program),
    (data, bits): (&mut impl Data, u32),
    faults: &[Fault],
    trace: Option<&Waveform>,
    context: &Context,
) -> Result<Run, CliError> {
    let Some(Waveform { format, file, view }) = trace else { return simulation.run(data, faults).map_err(conflict) };
    let long = |long: TooLong| CliError::failed(Exit::Infeasible, long.to_string(), "take a smaller network");
    let mut traced = Trace::new(data, program, net.nodes()).map_err(long)?;
    let run = simulation.run(&mut traced, faults).map_err(conflict)?;
    let write = |out: &mut dyn Write| traced.write(out, *format, net, bits);
    file.write_with(|out| write(out).map_err(|error| OutputError::io(file.path(), error)))?;
    let name = file.path().file_name().unwrap_or_default().to_string_lossy();
    view.write(traced.view(&name, net, bits).as_bytes())?;
    for file in [file, view] {
        context.say(format!("wrote {}", file.path().display()));
    }
    Ok(run)
}

/// Messages of one pass that did not arrive.
fn lost(program: &Program, nodes: usize, run: &Run) -> u64 {
    let sent = |m: &crate::program::Move| {
        let kept = m.hops.clone().filter(|&hop| program.hops[hop as usize].keep).count() as u64;
        m.who.nodes(nodes).count() as u64 * kept
    };
    program.moves.iter().map(sent).sum::<u64>() - run.statistics.arrivals
}

/// Prints the result.
///
/// # Errors
/// [`CliError`] with [`Exit::Mismatch`] if words that came out are wrong.
fn finish<T: Topology + ?Sized>(
    args: &Args,
    context: &Context,
    net: &T,
    (passes, wrong): (u32, u64),
    run: &Run,
) -> Result<(), CliError> {
    let Run { statistics, raised, hit } = run;
    for (fault, _) in args.fault.iter().zip(hit).filter(|(_, hit)| **hit == 0) {
        context.say(format!("`--fault {fault}` hits no word"));
    }
    if context.json {
        context.print_json(&Output { passes, wrong, statistics, raised, hit })?;
    } else {
        let mut text = String::new();
        let mut row = |name: &str, value: String| {
            let _ = writeln!(text, "{name:<10} {value}"); // writing to a string does not fail
        };
        let Statistics { crossings, arrivals, operations, cycles, channels, .. } = statistics;
        row("cycles", format!("{cycles} a pass, {}", counted(passes, "pass")));
        row("crossings", format!("{crossings} of {}, a pass", counted(*channels, "channel")));
        row("arrivals", format!("{} kept by nodes, a pass", counted(*arrivals, "word")));
        if *operations > 0 {
            row("operations", operations.to_string());
        }
        row("result", if wrong == 0 { "as the collective is defined".into() } else { differ(wrong) });
        if args.stats {
            row("busiest", format!("{} of {}", counted(statistics.busiest, "crossing"), statistics.busiest_channel));
            let used = *crossings as f64 / ((*channels).max(1) as f64 * f64::from((*cycles).max(1)));
            row(
                "use",
                format!(
                    "{:.1} % of channels and cycles; {} idle",
                    100.0 * used,
                    counted(statistics.idle_channels, "channel")
                ),
            );
            for bin in &statistics.latency {
                row(
                    "latency",
                    format!(
                        "{:>6} cycle{}: {}",
                        bin.cycles,
                        plural(&bin.cycles, "cycle"),
                        counted(bin.packets, "packet")
                    ),
                );
            }
        }
        for raised in raised.iter().take(LISTED) {
            let node = net.title(raised.node);
            let port = net.port_name(raised.port as usize);
            row("fault bit", format!("{} at {node} in cycle {}, of a word over {port}", raised.bit, raised.cycle));
        }
        if raised.len() > LISTED {
            row("", format!("and {} more", raised.len() - LISTED));
        }
        context.print(text)?;
    }
    match wrong {
        0 => Ok(()),
        _ if context.json => Err(CliError::Shown(Exit::Mismatch)),
        _ => {
            let help = match args.fault[..] {
                [] => "this is a defect of metronoc: please report it",
                _ => "leave --fault out for a run without faults",
            };
            Err(CliError::failed(Exit::Mismatch, differ(wrong), help))
        }
    }
}

fn differ(wrong: u64) -> String {
    let (words, differ) = if wrong == 1 { ("word", "differs") } else { ("words", "differ") };
    format!("{wrong} {words} {differ} from the collective's result")
}
