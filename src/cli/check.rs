//! `metronoc check`: schedules a specification, proves the schedule and compares it with the bounds.

use super::pipeline::{self, Checked, Exchange, Stream, Work};
use super::{CliError, Context};
use crate::check::Summary;
use crate::check::exchange::ExchangeProof;
use crate::check::exchange_bounds::{ExchangeBound, ExchangeBounds};
use crate::check::stream::StreamProof;
use crate::check::stream_bounds::{StreamBound, StreamBounds};
use crate::spec::NetworkSpec;
use crate::topology::{Coordinates, Topology};
use serde::Serialize;
use std::fmt::Write as _;
use std::path::PathBuf;

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
    /// Cycles over the largest bound.
    ratio: f64,
    bounds: &'a StreamBounds,
    bound_reasons: &'a [StreamBound],
    proof: &'a StreamProof,
    argument: Vec<String>,
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
    /// Cycles over the largest bound.
    ratio: f64,
    bounds: &'a ExchangeBounds,
    bound_reasons: &'a [ExchangeBound],
    proof: &'a ExchangeProof,
    argument: Vec<String>,
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
        Work::Stream(stream) if context.json => {
            return context.print_json(&StreamOutput {
                network: &stream.spec.network,
                routers: stream.schedule.network().nodes(),
                algorithm: stream.schedule.algorithm(),
                cycles: stream.schedule.cycles(),
                ratio: stream.schedule.ratio(),
                bounds: stream.schedule.bounds(),
                bound_reasons: stream.schedule.bounds().all(),
                proof: stream.schedule.proof(),
                argument: stream.schedule.proof().lines(),
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
                ratio: exchange.schedule.ratio(),
                bounds: exchange.schedule.bounds(),
                bound_reasons: exchange.schedule.bounds().all(),
                proof: exchange.schedule.proof(),
                argument: exchange.schedule.proof().lines(),
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
    let bounds = schedule.bounds();
    let mut rows = vec![
        ("network", format!("D3({},{}): {} routers of {} ports", net.k(), net.m(), net.nodes(), net.ports())),
        ("algorithm", checked.schedule.algorithm().to_owned()),
        ("cycles", format!("{}, {:.3} times the largest bound", schedule.cycles(), schedule.ratio())),
        ("period", format!("{}: cycles from the start of one pass to the next's", schedule.period())),
    ];
    if checked.passes() > 1 {
        rows.push(("in all", format!("{} cycles for {} passes", checked.total_cycles(), checked.passes())));
    }
    let mut text = String::new();
    for (name, value) in rows {
        // Writing to a string does not fail.
        let _ = writeln!(text, "{name:<10} {value}");
    }
    text.push_str("\nNo schedule is faster than\n");
    for bound in bounds.all() {
        let scope = match serde_json::to_value(bound.holds_for) {
            Ok(serde_json::Value::String(scope)) => scope.replace('-', " "),
            _ => String::new(),
        };
        let _ = writeln!(text, "{:>8} {:<10} {scope}: {}", bound.cycles, bound.name, bound.reason);
    }
    text.push_str("\nThe schedule is proved for every router:\n");
    for line in schedule.proof().lines() {
        let _ = writeln!(text, "- {line}");
    }
    text
}

/// The verdict on a stream for people.
fn stream_table(stream: &Stream) -> String {
    let schedule = &stream.schedule;
    let (net, program) = (schedule.network(), schedule.program());
    let train = match (program.train.burst, program.train.period) {
        (1, 1) => "one a cycle".to_owned(),
        (burst, period) => format!("{burst} in every {period} cycles"),
    };
    let rows = [
        ("network", format!("D3({},{}): {} routers of {} ports", net.k(), net.m(), net.nodes(), net.ports())),
        ("source", Coordinates(&net.label(program.root)).to_string()),
        ("words", format!("{}, in {} batches of {}, {train}", program.count, program.batches(), program.lanes)),
        ("algorithm", schedule.algorithm().to_owned()),
        ("cycles", format!("{}, {:.3} times the largest bound", schedule.cycles(), schedule.ratio())),
    ];
    let mut text = String::new();
    for (name, value) in rows {
        // Writing to a string does not fail.
        let _ = writeln!(text, "{name:<10} {value}");
    }
    text.push_str("\nNo schedule is faster than\n");
    for bound in schedule.bounds().all() {
        let _ = writeln!(text, "{:>8} {:<10} {}", bound.cycles, bound.name, bound.reason);
    }
    text.push_str("\nThe schedule is proved for every router:\n");
    for line in schedule.proof().lines() {
        let _ = writeln!(text, "- {line}");
    }
    text
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
    let mut text = String::new();
    for (name, value) in rows {
        // Writing to a string does not fail.
        let _ = writeln!(text, "{name:<10} {value}");
    }
    text.push_str("\nNo schedule is faster than\n");
    for bound in schedule.bounds().all() {
        let scope = bound.holds_for.replace('-', " ");
        let _ = writeln!(text, "{:>8} {:<10} {scope}: {}", bound.cycles, bound.name, bound.reason);
    }
    text.push_str("\nThe schedule is proved for every router:\n");
    for line in proof.lines() {
        let _ = writeln!(text, "- {line}");
    }
    text
}
