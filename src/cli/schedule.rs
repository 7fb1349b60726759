//! `metronoc schedule`: the checked schedule, as a table for people or in full for other tools.

use super::exported::Exported;
use super::{CliError, Context, OutputArgs, work};
use crate::output::{OutputError, OutputFile};
use clap::ValueEnum;
use std::io::{self, Write};
use std::path::PathBuf;

/// Print the checked schedule
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The specification, a TOML file
    spec: PathBuf,
    /// How to print it; JSON is also what --json asks for
    #[arg(long, value_name = "FORMAT", default_value = "table")]
    format: Format,
    #[command(flatten)]
    output: OutputArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// One router's program, a row a line; every router has the same
    Table,
    /// Every transfer, as metronoc-schedule/1
    Json,
}

pub fn run(args: &Args, context: &Context) -> Result<(), CliError> {
    let file = context.output(args.output.file())?;
    let mut input = work::load(&args.spec, context)?;
    let in_full = args.format == Format::Json || context.json;
    if let Some(judged) = input.judged()? {
        return output(file, context, |writer, failed| match in_full {
            true => judged.document.write(writer).map_err(failed),
            false => judged.write_table(writer).map_err(failed),
        });
    }
    let work = work::work_of(input, &args.spec, context)?;
    let embedding = super::embedding::checked(work.spec())?;
    let write = |writer: &mut dyn Write, failed: &dyn Fn(io::Error) -> CliError| {
        if in_full {
            if let Some(document) = work.document() {
                return document.write(writer).map_err(failed);
            }
            return Exported::new(work.as_ref(), embedding.as_ref()).write(context.force, writer, failed);
        }
        if let Some(embedding) = &embedding {
            super::embedding::write_map(embedding, writer).map_err(failed)?;
        }
        work.write_table(writer).map_err(failed)
    };
    output(file, context, write)
}

/// Writes the schedule where it is to go.
fn output(
    file: Option<OutputFile>,
    context: &Context,
    write: impl Fn(&mut dyn Write, &dyn Fn(io::Error) -> CliError) -> Result<(), CliError>,
) -> Result<(), CliError> {
    match file {
        None => write(&mut io::stdout().lock(), &|error| CliError::from_stdout(&error)),
        Some(file) => {
            file.write_with(|writer| write(writer, &|error| OutputError::io(file.path(), error).into()))?;
            context.say(format!("wrote {}", file.path().display()));
            Ok(())
        }
    }
}
