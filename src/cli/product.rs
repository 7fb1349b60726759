//! Products of matrices: the verdict on a schedule, and the schedule.

use super::pipeline::MatrixWork;
use super::verdict::{self, Verdict};
use crate::check::CheckedProduct;
use crate::check::product::ProductProof;
use crate::check::product_fault::Value;
use crate::schedule::product::{Layout, Stage};
use crate::spec::NetworkSpec;
use crate::topology::{Coordinates, Topology};
use serde::Serialize;
use std::io::{self, Write};

/// The verdict for programs.
#[derive(Serialize)]
pub struct Output<'a> {
    network: &'a NetworkSpec,
    routers: usize,
    algorithm: &'a str,
    order: u32,
    accumulator_bits: u32,
    result: &'a str,
    cycles: u32,
    /// `ratio`, `bounds`, `bound_reasons`, `proof`, `argument`.
    #[serde(flatten)]
    verdict: Verdict<'a, ProductProof>,
}

/// The verdict for programs.
pub fn verdict(work: &MatrixWork) -> Output<'_> {
    let checked = &work.schedule;
    Output {
        network: &work.spec.network,
        routers: checked.network().nodes(),
        algorithm: checked.schedule().algorithm,
        order: checked.product().order,
        accumulator_bits: checked.product().accumulator_bits,
        result: result(checked),
        cycles: checked.cycles(),
        verdict: Verdict::new(checked.cycles(), checked.bounds(), checked.proof(), checked.proof().lines()),
    }
}

/// Where the result is.
fn result(checked: &CheckedProduct) -> &'static str {
    match checked.schedule().result {
        Stage::Result => "as the operand's transpose",
        _ => "as the operand",
    }
}

/// The verdict for people.
pub fn table(checked: &CheckedProduct) -> String {
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
    let heading = "Lower bounds, of any schedule or of any with these paths";
    verdict::table(&rows, heading, checked.bounds(), &checked.proof().lines())
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
