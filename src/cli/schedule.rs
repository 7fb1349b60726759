//! `metronoc schedule`: the checked schedule, as a table for people or in full for other tools.

use super::pipeline::{self, Checked};
use super::{CliError, Context, Exit, OutputArgs};
use crate::check::CheckError;
use crate::check::export::export;
use crate::output::{Existing, OutputError, write_file_with};
use clap::ValueEnum;
use serde_json::Value;
use std::io::{self, Write};
use std::path::PathBuf;

/// What the beginning of a schedule in full has.
const MARK: &str = "\"format\":\"metronoc-schedule/1\"";

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
    let checked = pipeline::checked(&args.spec, context)?;
    let write = |writer: &mut dyn Write| match args.format {
        Format::Table if !context.json => table(&checked, writer).map_err(CheckError::from),
        _ => json(&checked, context.force, writer),
    };
    match args.output.file() {
        None => write(&mut io::stdout().lock()).map_err(|error| match error {
            CheckError::Write(source) => CliError::from_stdout(&source),
            other => refused(&other),
        }),
        Some(file) => {
            let existing = Existing::marked_unless(context.force, MARK);
            write_file_with(file, existing, |writer| {
                write(writer).map_err(|error| match error {
                    CheckError::Write(source) => OutputError::io(file, source).into(),
                    other => refused(&other),
                })
            })?;
            context.say(format!("wrote {}", file.display()));
            Ok(())
        }
    }
}

fn json(checked: &Checked, force: bool, writer: &mut dyn Write) -> Result<(), CheckError> {
    let [network, collective] =
        [serde_json::to_value(&checked.spec.network), serde_json::to_value(&checked.spec.collective)]
            .map(|table| table.unwrap_or(Value::Null));
    export(&checked.schedule, &network, &collective, force, writer)
}

fn refused(error: &CheckError) -> CliError {
    CliError::failed(Exit::Infeasible, error.to_string(), "`--format table` prints one router's program")
}

/// One router's program, a row a line.
fn table(checked: &Checked, writer: &mut dyn Write) -> io::Result<()> {
    let (net, program) = (&checked.network, checked.schedule.program());
    let mut writer = io::BufWriter::new(writer);
    writeln!(
        writer,
        "# D3({},{}), {}: {} cycles",
        net.k(),
        net.m(),
        checked.schedule.algorithm(),
        checked.schedule.cycles()
    )?;
    writeln!(writer, "# Row s: every router sends packets (γ,π,δ) whose global hop is in cycle s of the table.")?;
    let width = program.rows().saturating_sub(1).to_string().len();
    for row in 0..program.rows() {
        write!(writer, "{row:>width$}")?;
        for launch in program.row(row) {
            let v = launch.vector;
            write!(writer, "  ({},{},{})", v.gamma, v.pi, v.delta)?;
        }
        writeln!(writer)?;
    }
    writer.flush()
}
