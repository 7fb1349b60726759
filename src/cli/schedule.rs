//! `metronoc schedule`: the checked schedule, as a table for people or in full for other tools.

use super::work::{self, JudgedDocument, Work};
use super::{CliError, Context, Exit, OutputArgs};
use crate::output::{OutputError, OutputFile};
use crate::program::Document;
use crate::program::foreign::{FORMS, Form, form_named};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use std::fmt;
use std::io::{self, Write};

/// Print the checked schedule
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    source: work::SourceArgs,
    /// Format of the output; --json selects JSON
    #[arg(long, value_name = "FORMAT", default_value = "table", value_parser = formats())]
    format: Format,
    /// Number of the collective whose schedule is printed, from its own cycle 0 on, where several run one after the
    /// other; the first is 1
    #[arg(long, value_name = "NUMBER")]
    part: Option<usize>,
    #[command(flatten)]
    output: OutputArgs,
}

/// Format of a schedule.
#[derive(Clone, Copy)]
enum Format {
    Table,
    Json,
    Form(&'static dyn Form),
}

impl fmt::Debug for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Format::Table => "table",
            Format::Json => "json",
            Format::Form(form) => form.name(),
        })
    }
}

/// Parser of the names of formats.
fn formats() -> impl TypedValueParser<Value = Format> {
    let own = [
        PossibleValue::new("table")
            .help("Program of one router, a row a line, where all have the same; else every transfer, a line each"),
        PossibleValue::new("json").help("Every transfer, as metronoc-schedule/1"),
    ];
    let forms = FORMS.iter().map(|form| PossibleValue::new(form.name()).help(form.about()));
    PossibleValuesParser::new(own.into_iter().chain(forms)).map(|name| match form_named(&name) {
        Some(form) => Format::Form(form),
        None if name == "json" => Format::Json,
        None => Format::Table,
    })
}

pub fn run(args: &Args, context: &Context) -> Result<(), CliError> {
    let file = context.output(args.output.file())?;
    let mut input = work::load_from(&args.source, context)?;
    let in_full = matches!(args.format, Format::Json) || context.json;
    if let Format::Form(form) = args.format {
        let work = work::work_of(input, &args.source.spec, context)?;
        let text = match part(work.as_ref(), args.part)?.map(|part| &part.document).or_else(|| work.document()) {
            Some(document) => said(form, document)?,
            None => said(form, &work.whole().document()?)?,
        };
        return output(file, context, |writer, failed| writer.write_all(text.as_bytes()).map_err(failed));
    }
    if args.part.is_none()
        && let Some(judged) = input.judged()?
    {
        return output(file, context, |writer, failed| match in_full {
            true => judged.document.write(writer).map_err(failed),
            false => judged.write_table(writer).map_err(failed),
        });
    }
    let work = work::work_of(input, &args.source.spec, context)?;
    if let Some(part) = part(work.as_ref(), args.part)? {
        return output(file, context, |writer, failed| match in_full {
            true => part.document.write(writer).map_err(failed),
            false => part.write_table(writer).map_err(failed),
        });
    }
    let write = |writer: &mut dyn Write, failed: &dyn Fn(io::Error) -> CliError| {
        if in_full {
            if let Some(document) = work.document() {
                return document.write(writer).map_err(failed);
            }
            return work.whole().write(context.force, writer, failed);
        }
        if let Some(whole) = work.enclosing() {
            whole.write_ports(writer).map_err(failed)?;
        }
        work.write_table(writer).map_err(failed)
    };
    output(file, context, write)
}

/// Schedule of the requested collective of a sequence; None if none is requested.
fn part(work: &dyn Work, number: Option<usize>) -> Result<Option<&JudgedDocument>, CliError> {
    let Some(number) = number else { return Ok(None) };
    let parts = work.parts();
    let found = number.checked_sub(1).and_then(|index| parts.get(index));
    found.map(Some).ok_or_else(|| {
        let (message, help) = match parts.len() {
            0 => ("`--part` is for collectives one after the other".to_owned(), "leave `--part` out".to_owned()),
            count => (format!("there is no collective {number}"), format!("take `--part` from 1 to {count}")),
        };
        CliError::failed(Exit::Usage, message, help)
    })
}

/// The text of a schedule in another tool's form.
fn said(form: &dyn Form, document: &Document) -> Result<String, CliError> {
    form.write(document).map_err(|refusal| {
        let message = format!("the form `{}` cannot say this schedule: {}", form.name(), refusal.message);
        CliError::failed(Exit::Infeasible, message, refusal.help)
    })
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
