//! `metronoc new`: a specification to start from.

use super::{CliError, Context, OutputArgs};
use crate::spec::{schema, starter};
use clap::builder::PossibleValuesParser;
use serde::Serialize;

/// Write a commented specification to start from
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Name of the topology
    #[arg(required_unless_present = "schema", value_parser = PossibleValuesParser::new(starter::names()))]
    topology: Option<String>,
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
        Some(topology) => starter::starter(topology)
            .ok_or_else(|| CliError::Internal(format!("no starter for `{topology}`")))?
            .into_owned(),
        None => schema::schema(),
    };
    if let Some(file) = context.output(args.output.file())? {
        file.write(text.as_bytes())?;
        context.say(format!("wrote {}", file.path().display()));
    }
    match args.output.file() {
        file if context.json => {
            context.print_json(&Output { file: file.map(|f| f.display().to_string()), text: &text })
        }
        Some(_) => Ok(()),
        None => context.print(text),
    }
}
