//! `metronoc simulate`: the cycle simulator by itself, without Verilator or a compiler.

use super::exported::Exported;
use super::pipeline::{self, MatrixWork, Work, filling};
use super::{CliError, Context, Exit, pops_dynamic};
use crate::collective::Figures;
use crate::model::pops_traffic;
use crate::output::OutputFile;
use crate::program::{Origin, Program};
use crate::simulate::{Arrays, ByRule, Fault, Multiplied, Raised, Run, SimulateError, Simulation, Statistics};
use crate::topology::{Coordinates, Topology};
use serde::Serialize;
use std::fmt::Write as _;
use std::path::PathBuf;

/// Run a schedule cycle by cycle in software, on data, with statistics and faults
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The specification, a TOML file
    spec: PathBuf,
    /// The data that go in, as .npy; without it, random ones from the seed
    #[arg(long, value_name = "FILE")]
    data: Option<PathBuf>,
    /// The left operand of a product of matrices, or what is transposed, as .npy of integers; without it, random integers
    #[arg(long, value_name = "FILE", conflicts_with = "data")]
    a: Option<PathBuf>,
    /// The right operand of a product of matrices, as .npy of integers; without it, random integers
    #[arg(long, value_name = "FILE", conflicts_with = "data")]
    b: Option<PathBuf>,
    /// Write what comes out, as .npy
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// A fault: channel=0.1.2>0.1.1,cycle=7 loses the word that enters the channel, bit=3 beside it flips a bit, router=0.1.2
    /// silences a router; several are allowed
    #[arg(long, value_name = "FAULT")]
    fault: Vec<Fault>,
    /// Print the latencies of all arrivals and how much the channels are used
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
}

/// The result of traffic without a schedule, for programs.
#[derive(Serialize)]
struct TrafficOutput {
    runs: Vec<Figures>,
}

/// Faults that are listed on standard output.
const LISTED: usize = 20;

pub fn run(args: &Args, context: &Context) -> Result<(), CliError> {
    let spec = pipeline::load(&args.spec, context)?;
    if let Some(work) = pops_dynamic::work(&spec, context) {
        return traffic(&work, context);
    }
    let out = context.output(args.out.as_deref())?;
    let work = pipeline::work_of(spec, &args.spec, context)?;
    let spec = work.spec();
    if let Work::Product(product) = &work {
        return multiply(args, product, context, out);
    }
    let operands = args.a.is_some() || args.b.is_some();
    let exported = Exported::new(&work, None);
    let Some(collective) = work.collective().filter(|_| !operands) else {
        let message = "`--a` and `--b` are for products of matrices";
        return Err(CliError::failed(Exit::Usage, message, "name the array with `--data`"));
    };
    let net = exported.net.as_ref();
    let faults = faults(args, net)?;
    let simulation = Simulation::new(net, &exported.program);
    // words by a rule, where nobody asks for arrays: they take no memory
    let messages = exported.program.values.iter().all(|value| value.origin == Origin::Message);
    if messages && args.data.is_none() && out.is_none() {
        let mut data = ByRule::new(spec.schedule.seed);
        let run = simulation.run(&mut data, &faults).map_err(conflict)?;
        let lost = lost(&exported.program, net.nodes(), &run);
        return finish(args, context, net, (1, data.wrong() + lost), &run);
    }
    let bits = spec.router.payload_bits;
    let words = match &args.data {
        Some(file) => collective.read(file, bits)?,
        None => collective.random(filling(bits)?, spec.schedule.seed)?,
    };
    let mut data = Arrays::new(&exported.program, collective.as_ref(), &words, bits);
    let mut first = None;
    for pass in 0..collective.passes() {
        data.begin(pass);
        first.get_or_insert(simulation.run(&mut data, &faults).map_err(conflict)?);
    }
    let Some(run) = first else { return Err(CliError::Internal("a collective without a pass".into())) };
    let wrong = data.wrong();
    if let Some(file) = out {
        file.write(&collective.to_npy(&data.results(collective.expected(&words).len())))?;
        context.say(format!("wrote {}", file.path().display()));
    }
    finish(args, context, net, (collective.passes(), wrong), &run)
}

/// The faults of the command, on a network.
///
/// # Errors
/// [`CliError`] with [`Exit::Usage`] for a node that is not there.
fn faults<T: Topology + ?Sized>(args: &Args, net: &T) -> Result<Vec<Fault>, CliError> {
    let on_net = |fault: &Fault| fault.clone().on(net);
    args.fault.iter().map(on_net).collect::<Result<_, _>>().map_err(|error| {
        CliError::failed(Exit::Usage, error.to_string(), "name nodes by their coordinates, with dots between them")
    })
}

fn conflict(error: SimulateError) -> CliError {
    CliError::failed(Exit::Mismatch, error.to_string(), "report this")
}

/// Runs a product on its operands.
fn multiply(args: &Args, work: &MatrixWork, context: &Context, out: Option<OutputFile>) -> Result<(), CliError> {
    if args.data.is_some() {
        let message = "a product of matrices has two operands";
        return Err(CliError::failed(Exit::Usage, message, "name them with `--a` and `--b`"));
    }
    let (net, product) = (work.schedule.network(), *work.schedule.product());
    let operands = &work.factors(1, args.a.as_deref(), args.b.as_deref())?[0];
    let (program, elements) = work.schedule.schedule().with_results(&net);
    let mut data = Multiplied::new(&program, elements, product, operands);
    let run = Simulation::new(&net, &program).run(&mut data, &faults(args, &net)?).map_err(conflict)?;
    if let Some(file) = out {
        file.write(&product.to_npy(&data.results()))?;
        context.say(format!("wrote {}", file.path().display()));
    }
    finish(args, context, &net, (1, data.wrong()), &run)
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
    let Run { statistics, raised } = run;
    if context.json {
        context.print_json(&Output { passes, wrong, statistics, raised })?;
    } else {
        let mut text = String::new();
        let mut row = |name: &str, value: String| {
            let _ = writeln!(text, "{name:<10} {value}"); // writing to a string does not fail
        };
        let Statistics { crossings, arrivals, operations, cycles, channels, .. } = statistics;
        row("cycles", format!("{cycles} a pass, {passes} pass{}", if passes == 1 { "" } else { "es" }));
        row("crossings", format!("{crossings} of {channels} channels, a pass"));
        row("arrivals", format!("{arrivals} words that nodes keep, a pass"));
        if *operations > 0 {
            row("operations", operations.to_string());
        }
        row("result", if wrong == 0 { "as the collective is defined".into() } else { differ(wrong) });
        if args.stats {
            row("busiest", format!("{} crossings of {}", statistics.busiest, statistics.busiest_channel));
            let used = *crossings as f64 / (*channels as f64 * f64::from((*cycles).max(1)));
            row(
                "use",
                format!("{:.1} % of channels and cycles; {} channels idle", 100.0 * used, statistics.idle_channels),
            );
            for bin in &statistics.latency {
                row("latency", format!("{:>6} cycles: {} packets", bin.cycles, bin.packets));
            }
        }
        for raised in raised.iter().take(LISTED) {
            let node = Coordinates(&net.label(raised.node)).to_string();
            row("fault bit", format!("{} at {node} in cycle {}, port {}", raised.bit, raised.cycle, raised.port));
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

/// Runs traffic without a schedule through the model of couplers that arbitrate, load by load.
fn traffic(work: &pops_dynamic::DynamicWork, context: &Context) -> Result<(), CliError> {
    let loads = work.traffics();
    let runs = loads.iter().map(|traffic| pops_traffic::simulate(&work.hardware, traffic));
    let runs: Vec<Figures> = runs
        .collect::<Result<_, _>>()
        .map_err(|loss| CliError::failed(Exit::Mismatch, loss.to_string(), "report this"))?;
    if context.json {
        return context.print_json(&TrafficOutput { runs });
    }
    let mut text =
        format!("{:>6} {:>10} {:>8} {:>6} {:>6} {:>8}\n", "load", "throughput", "latency", "p50", "p99", "packets");
    for run in &runs {
        let Figures { load, throughput, latency, packets, .. } = run;
        let (mean, p50, p99) = (latency.mean, latency.p50, latency.p99);
        let _ = writeln!(text, "{load:>6.3} {throughput:>10.3} {mean:>8.1} {p50:>6} {p99:>6} {packets:>8}");
    }
    context.print(text)
}
