//! `metronoc multiply`: a product of matrices, computed by the schedule; every router uses only the values that it is
//! sent.

use super::work::{self, operands};
use super::{CliError, Context, Exit};
use crate::spec::Spec;
use serde::Serialize;
use std::path::PathBuf;

/// Compute a product of matrices as the routers do, from the proved schedule
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Specification of a product or a transpose
    spec: PathBuf,
    /// Vector or matrix that is sent, .npy of integers; random, from the seed, if left out
    #[arg(long, value_name = "FILE")]
    operand: Option<PathBuf>,
    /// Matrix that the routers have, .npy of integers; random, from the seed, if left out
    #[arg(long, value_name = "FILE")]
    matrix: Option<PathBuf>,
    /// File for the result, .npy
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Serialize)]
struct Output<'a> {
    algorithm: &'a str,
    order: u32,
    accumulator_bits: u32,
    cycles: u32,
    elements: usize,
}

pub fn run(args: &Args, context: &Context) -> Result<(), CliError> {
    let file = context.output(args.output.as_deref())?;
    let input = work::load(&args.spec, context)?;
    let spec = input.spec.clone();
    let Some(made) = work::product_of(input, &args.spec, context)? else { return Err(no_product(&spec)) };
    let (product, cycles) = (made.product(), made.cycles());
    let files = [args.operand.as_deref(), args.matrix.as_deref()];
    let operands = operands::operands(&spec, product, 1, files)?.swap_remove(0);
    let result = made.compute(&operands)?;
    if let Some(remark) = made.remark() {
        context.say(remark);
    }
    if let Some(file) = file {
        file.write(&product.to_npy(&result))?;
        context.say(format!("wrote {}", file.path().display()));
    }
    let (order, accumulator_bits, elements) = (product.order, product.accumulator_bits, result.len());
    if context.json {
        let algorithm = made.algorithm();
        return context.print_json(&Output { algorithm, order, accumulator_bits, cycles, elements });
    }
    context.print(format!(
        "{} of order {order} in {cycles} cycles: {elements} elements, each the definition's modulo 2^{accumulator_bits}\n",
        spec.collective.kind()
    ))
}

fn no_product(spec: &Spec) -> CliError {
    let message = format!("{} is no product of matrices", spec.collective.kind());
    let help = "take `kind = \"matrix-matrix\"`, \"vector-matrix\", \"matrix-vector\" or \"transpose\"";
    CliError::at(Exit::Infeasible, spec, "collective.kind", message, help)
}
