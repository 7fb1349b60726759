//! `metronoc multiply`: a product of matrices, computed by the schedule; every router uses only the values that it is
//! sent.

use super::work::{self, operands};
use super::{CliError, Context, Exit};
use crate::collective::Product;
use crate::output::OutputFile;
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
    let one = |spec: &Spec, product: &Product| {
        let files = [args.operand.as_deref(), args.matrix.as_deref()];
        operands::operands(spec, product, 1, files).map(|mut operands| operands.swap_remove(0))
    };
    let input = work::load(&args.spec, context)?;
    let spec = &input.spec;
    if let Some((product, checked)) = work::trains(spec, context)? {
        let operands = one(spec, &product)?;
        let result = checked.compute(&operands).map_err(|error| CliError::Internal(error.to_string()))?;
        context.say(format!("too large to be listed: scheduled in trains of {} packets", checked.schedule().train));
        let made = (checked.schedule().blocks.algorithm, checked.cycles());
        return finish(file, context, spec, &product, made, &result);
    }
    let work = work::work_of(input, &args.spec, context)?;
    let Some(checked) = work.product() else { return Err(no_product(work.spec())) };
    let product = checked.product();
    let operands = one(work.spec(), product)?;
    let result = checked.compute(&operands).map_err(|error| CliError::Internal(error.to_string()))?;
    finish(file, context, work.spec(), product, (checked.schedule().algorithm, checked.cycles()), &result)
}

/// Writes the result, and prints the duration.
fn finish(
    file: Option<OutputFile>,
    context: &Context,
    spec: &Spec,
    product: &Product,
    (algorithm, cycles): (&str, u32),
    result: &[u64],
) -> Result<(), CliError> {
    if let Some(file) = file {
        file.write(&product.to_npy(result))?;
        context.say(format!("wrote {}", file.path().display()));
    }
    let output = Output {
        algorithm,
        order: product.order,
        accumulator_bits: product.accumulator_bits,
        cycles,
        elements: result.len(),
    };
    if context.json {
        return context.print_json(&output);
    }
    let Output { order, accumulator_bits, cycles, elements, .. } = output;
    context.print(format!(
        "{} of order {order} in {cycles} cycles: {elements} elements, each the definition's modulo 2^{accumulator_bits}\n",
        spec.collective.kind()
    ))
}

fn no_product(spec: &crate::spec::Spec) -> CliError {
    let message = format!("{} is no product of matrices", spec.collective.kind());
    let help = "take `kind = \"matrix-matrix\"`, \"vector-matrix\", \"matrix-vector\" or \"transpose\"";
    CliError::at(Exit::Infeasible, spec, "collective.kind", message, help)
}
