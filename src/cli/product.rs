//! Products of matrices: the verdict on a schedule, and the schedule.

use super::pipeline::MatrixWork;
use super::{CliError, Context};
use crate::check::CheckedProduct;
use crate::check::product::ProductProof;
use crate::check::product_bounds::ProductBounds;
use crate::check::product_fault::Value;
use crate::check::stream_bounds::StreamBound;
use crate::schedule::product::{Layout, Stage};
use crate::spec::NetworkSpec;
use crate::topology::{Coordinates, Topology};
use serde::Serialize;
use std::fmt::Write as _;
use std::io::{self, Write};

/// The verdict for programs.
#[derive(Serialize)]
struct Output<'a> {
    network: &'a NetworkSpec,
    routers: usize,
    algorithm: &'a str,
    order: u32,
    accumulator_bits: u32,
    result: &'a str,
    cycles: u32,
    /// Cycles over the largest bound.
    ratio: f64,
    bounds: &'a ProductBounds,
    bound_reasons: &'a [StreamBound],
    proof: &'a ProductProof,
    argument: Vec<String>,
}

/// Prints the verdict, for people or for programs.
///
/// # Errors
/// If it cannot be written.
pub fn print_verdict(work: &MatrixWork, context: &Context) -> Result<(), CliError> {
    let checked = &work.schedule;
    if !context.json {
        return context.print(verdict(checked));
    }
    context.print_json(&Output {
        network: &work.spec.network,
        routers: checked.network().nodes(),
        algorithm: checked.schedule().algorithm,
        order: checked.product().order,
        accumulator_bits: checked.product().accumulator_bits,
        result: result(checked),
        cycles: checked.cycles(),
        ratio: checked.ratio(),
        bounds: checked.bounds(),
        bound_reasons: checked.bounds().all(),
        proof: checked.proof(),
        argument: checked.proof().lines(),
    })
}

/// Where the result is.
fn result(checked: &CheckedProduct) -> &'static str {
    match checked.schedule().result {
        Stage::Result => "as the operand's transpose",
        _ => "as the operand",
    }
}

fn verdict(checked: &CheckedProduct) -> String {
    let (net, product, schedule) = (checked.network(), checked.product(), checked.schedule());
    let layout = match schedule.layout {
        Layout::Square { .. } => "one block a router",
        Layout::Linear => "K blocks a router",
    };
    let n = product.order;
    let rows = [
        ("network", format!("D3({},{}): {} routers of {} ports", net.k(), net.m(), net.nodes(), net.ports())),
        ("matrix", format!("{n} × {n}, in blocks of {x} × {x}, {layout}", x = schedule.block)),
        ("operand", format!("vectors of {n}: {}", product.vectors())),
        ("sums", format!("{} bits, {} cycles after their last term", product.accumulator_bits, schedule.mac_cycles)),
        ("result", format!("lies {}", result(checked))),
        ("algorithm", schedule.algorithm.to_owned()),
        ("cycles", format!("{}, {:.3} times the largest bound", checked.cycles(), checked.ratio())),
    ];
    let mut text = String::new();
    for (name, value) in rows {
        // Writing to a string does not fail.
        let _ = writeln!(text, "{name:<10} {value}");
    }
    text.push_str("\nLower bounds, of any schedule or of any with these paths\n");
    for bound in checked.bounds().all() {
        let _ = writeln!(text, "{:>8} {:<10} {}", bound.cycles, bound.name, bound.reason);
    }
    text.push_str("\nThe schedule is proved for every router:\n");
    for line in checked.proof().lines() {
        let _ = writeln!(text, "- {line}");
    }
    text
}

/// Everything that is sent, a packet a line.
///
/// # Errors
/// If the writer fails.
pub fn write_table(checked: &CheckedProduct, writer: &mut dyn Write) -> io::Result<()> {
    let (net, schedule) = (checked.network(), checked.schedule());
    let mut writer = io::BufWriter::new(writer);
    writeln!(writer, "# D3({},{}), {}: {} cycles", net.k(), net.m(), schedule.algorithm, checked.cycles())?;
    writeln!(writer, "# cycle, router, header, what it carries")?;
    for send in &schedule.sends {
        let at = Coordinates(&net.label(send.node)).to_string();
        writeln!(writer, "{} {at} {} {}", send.cycle, send.header, Value(send.term))?;
    }
    writer.flush()
}
