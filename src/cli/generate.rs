//! `metronoc generate`: the Verilog of a network, and what tools need to use it.

use super::pipeline::{self, Work};
use super::{CliError, Context, pops_dynamic};
use crate::output::write_folder;
use serde::Serialize;
use std::path::PathBuf;

/// Write the Verilog of a specification into a folder
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The specification
    spec: PathBuf,
    /// The folder; one that metronoc made is replaced
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
}

#[derive(Serialize)]
struct Output<'a> {
    folder: String,
    top: &'static str,
    tiles: u32,
    period: u32,
    algorithm: &'a str,
    files: Vec<&'a str>,
}

pub fn run(args: &Args, context: &Context) -> Result<(), CliError> {
    if let Some(work) = pops_dynamic::work(&args.spec, context)? {
        return pops_dynamic::generate(&work, &args.spec, &args.output, context);
    }
    let work = pipeline::work(&args.spec, context)?;
    super::embedding::host_form(&work)?;
    let (bundle, tiles, period, algorithm) = match work {
        Work::AllToAll(checked) => {
            let lowered = checked.lowered()?;
            let bundle = pipeline::emitted(&checked, &lowered, &args.spec)?;
            (bundle, lowered.parameters.tiles, lowered.parameters.rows, lowered.algorithm)
        }
        Work::Stream(stream) => {
            let lowered = stream.lowered()?;
            let bundle = stream.emitted(&lowered, &args.spec)?;
            (bundle, lowered.frame.tiles, lowered.pass_cycles, lowered.algorithm)
        }
        Work::Exchange(exchange) => {
            let lowered = exchange.lowered()?;
            let bundle = exchange.emitted(&lowered, &args.spec)?;
            (bundle, lowered.frame.tiles, lowered.pass_cycles, lowered.algorithm.to_owned())
        }
        Work::Product(product) => {
            let lowered = product.hardware(context)?.lowered;
            let bundle = product.emitted(&lowered, &args.spec)?;
            (bundle, lowered.frame.tiles, lowered.pass_cycles, lowered.schedule.algorithm.to_owned())
        }
        Work::Pops(pops) => {
            let lowered = pops.lowered()?;
            let bundle = pops.emitted(&lowered, &args.spec)?;
            let algorithm = lowered.schedule.schedule().algorithm.to_owned();
            (bundle, lowered.frame.tiles, lowered.pass_cycles, algorithm)
        }
    };
    let files = bundle.files().map(|(name, text)| (name.to_owned(), text.as_bytes().to_vec())).collect();
    write_folder(&args.output, &files, context.force)?;
    if !context.json {
        context.say(format!("wrote {} files to {}", files.len(), args.output.display()));
        return Ok(());
    }
    context.print_json(&Output {
        folder: args.output.display().to_string(),
        top: "mn_top",
        tiles,
        period,
        algorithm: &algorithm,
        files: files.keys().map(String::as_str).collect(),
    })
}
