//! `metronoc new`: a specification to start from.

use super::{CliError, Context, Exit, OutputArgs};
use crate::output::OutputFile;
use crate::spec::{schema, starter};
use clap::builder::PossibleValuesParser;
use serde::Serialize;
use std::path::Path;

/// Write a commented specification to start from
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Name of the topology
    #[arg(required_unless_present = "schema", value_parser = PossibleValuesParser::new(starter::names()))]
    topology: Option<String>,
    /// Name of the collective, in place of the one that the topology's starter has
    #[arg(long, value_name = "KIND", conflicts_with = "schema")]
    collective: Option<String>,
    #[command(flatten)]
    output: OutputArgs,
    /// Print the JSON schema of specifications instead
    #[arg(long, conflicts_with = "topology")]
    schema: bool,
}

#[derive(Serialize)]
struct Output<'a> {
    file: Option<String>,
    text: &'a str,
}

pub fn run(args: &Args, context: &Context) -> Result<(), CliError> {
    let text = match &args.topology {
        Some(topology) => starter::starter(topology, args.collective.as_deref()).ok_or_else(|| {
            let name = args.collective.as_deref().unwrap_or_default();
            let message = format!("there is no collective `{name}` on `{topology}`");
            CliError::failed(
                Exit::Usage,
                message,
                format!("write one of {}", starter::collectives(topology).join(", ")),
            )
        })?,
        None => schema::schema(),
    };
    if let Some(file) = context.output(args.output.file())? {
        let beside = if args.topology.is_some() { schema_beside(file.path(), context)? } else { None };
        file.write(text.as_bytes())?;
        context.say(format!("wrote {}", file.path().display()));
        if let Some(schema) = beside {
            schema.write(schema::schema().as_bytes())?;
            context.say(format!("wrote {}", schema.path().display()));
        }
    }
    match args.output.file() {
        file if context.json => {
            context.print_json(&Output { file: file.map(|f| f.display().to_string()), text: &text })
        }
        Some(_) => Ok(()),
        None => context.print(text),
    }
}

/// File of the schema that the first line of a starter names; None if it is there, or if the starter is no file of a folder.
fn schema_beside(starter: &Path, context: &Context) -> Result<Option<OutputFile>, CliError> {
    let path = starter.with_file_name(starter::SCHEMA_FILE);
    let is_there = std::fs::read(&path).is_ok_and(|text| text == schema::schema().as_bytes());
    match starter.metadata().is_ok_and(|found| !found.is_file()) || is_there {
        true => Ok(None),
        false => Ok(context.output(Some(&path))?),
    }
}
