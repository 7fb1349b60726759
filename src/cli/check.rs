//! `metronoc check`: schedules a specification, proves the schedule and compares it with the bounds.

use super::exported::Exported;
use super::pipeline::{self, Checked, Exchange, Stream, Work};
use super::verdict::Verdict;
use super::{CliError, Context, document, verdict};
use crate::check::Summary;
use crate::check::exchange::ExchangeProof;
use crate::check::judge::{Account, judge};
use crate::check::stream::StreamProof;
use crate::program::Document;
use crate::spec::NetworkSpec;
use crate::topology::{Coordinates, Topology};
use serde::Serialize;
use std::path::PathBuf;

/// What the table says before the bounds.
const BOUNDS: &str = "No schedule is faster than";

/// Schedule a specification, prove the schedule and compare it with the bounds; or judge a schedule in full
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The specification, a TOML file, or a schedule in full, a .json file
    spec: PathBuf,
}

/// Transfers up to which a schedule is followed one by one, too.
const ONE_BY_ONE: u64 = 1_000_000;

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

/// The verdict on a kind of collective, for programs.
#[derive(Serialize)]
#[serde(untagged)]
enum Said<'a> {
    AllToAll(Output<'a>),
    Stream(StreamOutput<'a>),
    Exchange(ExchangeOutput<'a>),
    Product(super::product::Output<'a>),
    Pops(super::pops::Output<'a>),
}

/// A verdict for programs, with that of the second judge.
#[derive(Serialize)]
struct Judged<'a> {
    #[serde(flatten)]
    verdict: Said<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    one_by_one: Option<Account>,
}

pub fn run(args: &Args, context: &Context) -> Result<(), CliError> {
    if document::is_one(&args.spec) {
        return document::check(&args.spec, context);
    }
    let work = pipeline::work(&args.spec, context)?;
    let embedding = super::embedding::checked(work.spec())?;
    let one_by_one = match work.transfers() <= ONE_BY_ONE {
        true => Some(one_by_one(&Exported::new(&work, embedding.as_ref()))?),
        false => None,
    };
    if context.json {
        return context.print_json(&Judged { verdict: value(&work), one_by_one });
    }
    let heading = embedding.as_ref().map(|embedding| super::embedding::heading(embedding, work.spec()));
    let mut text = heading.unwrap_or_default() + &text(&work);
    let place = embedding.map(|embedding| embedding.proof().line());
    for line in place.into_iter().chain(one_by_one.map(|account| account.line())) {
        text += &format!("- {line}\n");
    }
    context.print(text)
}

/// The verdict of the judge that follows single transfers.
///
/// # Errors
/// [`CliError::Internal`] if it refuses the schedule, which the proof has passed.
fn one_by_one(exported: &Exported) -> Result<Account, CliError> {
    let document = Document::new(&exported.expansion()?, [&exported.network, &exported.collective]);
    judge(&document).map_err(|fault| {
        CliError::Internal(format!(
            "the proof passes the schedule, and following its transfers one by one does not: {fault}"
        ))
    })
}

/// The verdict for programs.
fn value(work: &Work) -> Said<'_> {
    match work {
        Work::AllToAll(checked) => Said::AllToAll(Output {
            network: &checked.spec.network,
            routers: checked.network.nodes(),
            algorithm: checked.schedule.algorithm(),
            summary: checked.schedule.summary(),
            passes: checked.passes(),
            total_cycles: checked.total_cycles(),
        }),
        Work::Stream(Stream { spec, schedule, .. }) => Said::Stream(StreamOutput {
            network: &spec.network,
            routers: schedule.network().nodes(),
            algorithm: schedule.algorithm(),
            cycles: schedule.cycles(),
            verdict: Verdict::new(schedule.cycles(), schedule.bounds(), schedule.proof(), schedule.proof().lines()),
        }),
        Work::Exchange(Exchange { spec, schedule }) => Said::Exchange(ExchangeOutput {
            network: &spec.network,
            routers: schedule.network().nodes(),
            algorithm: schedule.algorithm(),
            cycles: schedule.cycles(),
            hops: schedule.proof().hops,
            verdict: Verdict::new(schedule.cycles(), schedule.bounds(), schedule.proof(), schedule.proof().lines()),
        }),
        Work::Product(product) => Said::Product(super::product::verdict(product)),
        Work::Pops(pops) => Said::Pops(super::pops::verdict(pops)),
    }
}

/// The verdict for people.
fn text(work: &Work) -> String {
    match work {
        Work::AllToAll(checked) => table(checked),
        Work::Stream(stream) => stream_table(stream),
        Work::Exchange(exchange) => exchange_table(exchange),
        Work::Product(product) => super::product::table(&product.schedule),
        Work::Pops(pops) => super::pops::table(pops),
    }
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
