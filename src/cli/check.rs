//! `metronoc check`: schedules a specification, proves the schedule and compares it with the bounds.

use super::pipeline::{self, Checked, Exchange, Stream, Work};
use super::verdict::Verdict;
use super::{CliError, Context, verdict};
use crate::check::Summary;
use crate::check::exchange::ExchangeProof;
use crate::check::stream::StreamProof;
use crate::spec::NetworkSpec;
use crate::topology::{Coordinates, Topology};
use serde::Serialize;
use std::path::PathBuf;

/// What the table says before the bounds.
const BOUNDS: &str = "No schedule is faster than";

/// Schedule a specification, prove the schedule and compare it with the bounds
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The specification, a TOML file
    spec: PathBuf,
}

/// The verdict for programs.
#[derive(Serialize)]
struct Output<'a> {
    network: &'a NetworkSpec,
    routers: usize,
    algorithm: &'a str,
    /// The verdict: `cycles`, `period`, `ratio`, `bounds`, `bound_reasons`, `proof`, `argument`.
    #[serde(flatten)]
    summary: Summary<'a>,
    passes: u64,
    /// Clock cycles of all passes.
    total_cycles: u64,
}

/// The verdict on a stream for programs.
#[derive(Serialize)]
struct StreamOutput<'a> {
    network: &'a NetworkSpec,
    routers: usize,
    algorithm: &'a str,
    cycles: u32,
    /// `ratio`, `bounds`, `bound_reasons`, `proof`, `argument`.
    #[serde(flatten)]
    verdict: Verdict<'a, StreamProof>,
}

/// The verdict on exchanges for programs.
#[derive(Serialize)]
struct ExchangeOutput<'a> {
    network: &'a NetworkSpec,
    routers: usize,
    algorithm: &'a str,
    cycles: u32,
    /// Hops that a word takes one after the other.
    hops: u32,
    /// `ratio`, `bounds`, `bound_reasons`, `proof`, `argument`.
    #[serde(flatten)]
    verdict: Verdict<'a, ExchangeProof>,
}

pub fn run(args: &Args, context: &Context) -> Result<(), CliError> {
    let work = pipeline::work(&args.spec, context)?;
    let embedding = super::embedding::checked(work.spec())?.filter(|_| !context.json);
    let Some(embedding) = embedding else { return verdict(work, context) };
    context.print(super::embedding::heading(&embedding, work.spec()))?;
    verdict(work, context)?;
    context.print(format!("- {}\n", embedding.proof().line()))
}

/// Prints the verdict, for people or for programs.
fn verdict(work: Work, context: &Context) -> Result<(), CliError> {
    let checked = match work {
        Work::AllToAll(checked) => checked,
        Work::Pops(work) => return super::pops::print_verdict(&work, context),
        Work::Stream(stream) if context.json => {
            return context.print_json(&StreamOutput {
                network: &stream.spec.network,
                routers: stream.schedule.network().nodes(),
                algorithm: stream.schedule.algorithm(),
                cycles: stream.schedule.cycles(),
                verdict: Verdict::new(
                    stream.schedule.cycles(),
                    stream.schedule.bounds(),
                    stream.schedule.proof(),
                    stream.schedule.proof().lines(),
                ),
            });
        }
        Work::Stream(stream) => return context.print(stream_table(&stream)),
        Work::Exchange(exchange) if context.json => {
            return context.print_json(&ExchangeOutput {
                network: &exchange.spec.network,
                routers: exchange.schedule.network().nodes(),
                algorithm: exchange.schedule.algorithm(),
                cycles: exchange.schedule.cycles(),
                hops: exchange.schedule.proof().hops,
                verdict: Verdict::new(
                    exchange.schedule.cycles(),
                    exchange.schedule.bounds(),
                    exchange.schedule.proof(),
                    exchange.schedule.proof().lines(),
                ),
            });
        }
        Work::Exchange(exchange) => return context.print(exchange_table(&exchange)),
        Work::Product(product) => return super::product::print_verdict(&product, context),
    };
    if !context.json {
        return context.print(table(&checked));
    }
    context.print_json(&Output {
        network: &checked.spec.network,
        routers: checked.network.nodes(),
        algorithm: checked.schedule.algorithm(),
        summary: checked.schedule.summary(),
        passes: checked.passes(),
        total_cycles: checked.total_cycles(),
    })
}

/// The verdict for people.
fn table(checked: &Checked) -> String {
    let (net, schedule) = (&checked.network, &checked.schedule);
    let mut rows = vec![
        ("network", format!("D3({},{}): {} routers of {} ports", net.k(), net.m(), net.nodes(), net.ports())),
        ("algorithm", checked.schedule.algorithm().to_owned()),
        ("cycles", format!("{}, {:.3} times the largest bound", schedule.cycles(), schedule.ratio())),
        ("period", format!("{}: cycles from the start of one pass to the next's", schedule.period())),
    ];
    if checked.passes() > 1 {
        rows.push(("in all", format!("{} cycles for {} passes", checked.total_cycles(), checked.passes())));
    }
    verdict::table(&rows, BOUNDS, schedule.bounds(), &schedule.proof().lines())
}

/// The verdict on a stream for people.
fn stream_table(stream: &Stream) -> String {
    let schedule = &stream.schedule;
    let (net, program) = (schedule.network(), schedule.program());
    let train = match (program.train.burst, program.train.period) {
        (1, 1) => "one a cycle".to_owned(),
        (burst, period) => format!("{burst} in every {period} cycles"),
    };
    let mut rows = vec![
        ("network", format!("D3({},{}): {} routers of {} ports", net.k(), net.m(), net.nodes(), net.ports())),
        ("source", Coordinates(&net.label(program.root)).to_string()),
        ("words", format!("{}, in {} batches of {}, {train}", program.count, program.batches(), program.lanes)),
        ("algorithm", schedule.algorithm().to_owned()),
        ("cycles", format!("{}, {:.3} times the largest bound", schedule.cycles(), schedule.ratio())),
    ];
    if schedule.software() > 0 {
        let cycles = if schedule.software() == 1 { "cycle" } else { "cycles" };
        let text =
            format!("endpoints, {} {cycles} after a packet has come, over all its ports at once", schedule.software());
        rows.insert(3, ("copied by", text));
    }
    verdict::table(&rows, BOUNDS, schedule.bounds(), &schedule.proof().lines())
}

/// The verdict on exchanges for people.
fn exchange_table(exchange: &Exchange) -> String {
    let schedule = &exchange.schedule;
    let (net, proof) = (schedule.network(), schedule.proof());
    let rows = [
        ("network", format!("D3({},{}): {} routers of {} ports", net.k(), net.m(), net.nodes(), net.ports())),
        ("hypercube", format!("{} dimensions, {} exchanges", proof.dimensions, proof.exchanges)),
        ("words", format!("{} a node", proof.words)),
        ("algorithm", schedule.algorithm().to_owned()),
        ("hops", format!("{} in {} steps", proof.hops, proof.steps)),
        ("cycles", format!("{}, {:.3} times the largest bound", schedule.cycles(), schedule.ratio())),
    ];
    verdict::table(&rows, BOUNDS, schedule.bounds(), &proof.lines())
}
