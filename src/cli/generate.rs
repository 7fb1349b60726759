//! `metronoc generate`: the Verilog of a network, and file lists for tools.

use super::{CliError, Context, unscheduled, work};
use crate::emit::{EmitError, RtlBundle, check_name};
use crate::lower::slot_table::ProgramMemory;
use crate::output::OutputFolder;
use serde::Serialize;
use std::path::PathBuf;

/// Write the Verilog of a specification into a folder
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    source: work::SourceArgs,
    /// Output folder; a folder that metronoc wrote is replaced
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
    /// Path of the generated folder for tools that run elsewhere: memory images are read from DIR/rom
    #[arg(long, value_name = "DIR", value_parser = path_in_verilog)]
    rom_dir: Option<String>,
    /// Prefix of all modules of this network (`NAME_top`), so that one design can have several networks
    #[arg(long, value_name = "NAME", value_parser = network_name)]
    name: Option<String>,
}

fn network_name(text: &str) -> Result<String, String> {
    check_name(text).map(|()| text.to_owned())
}

/// A path that can stand in a Verilog string, without a slash at its end.
fn path_in_verilog(text: &str) -> Result<String, String> {
    match text.chars().find(|c| matches!(c, '"' | '\\' | '%') || c.is_control()) {
        Some(c) => Err(format!("a path with {c:?} cannot stand in Verilog; name the folder without it")),
        None => Ok(text.trim_end_matches('/').to_owned()),
    }
}

#[derive(Serialize)]
struct Output<'a, T> {
    folder: String,
    top: String,
    #[serde(flatten)]
    of: &'a T,
    files: Vec<&'a str>,
}

/// JSON fields of hardware that follows a schedule.
#[derive(Serialize)]
struct Scheduled {
    tiles: u32,
    period: u32,
    algorithm: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    program_memory: Option<ProgramMemory>,
}

pub fn run(args: &Args, context: &Context) -> Result<(), CliError> {
    let output = OutputFolder::new(&args.output, context.force)?;
    let input = work::load_from(&args.source, context)?;
    if let Some(work) = unscheduled::work(&input.spec, context) {
        return write(work.emitted(&args.source.spec)?, &work.sizes(), args, &output, context);
    }
    let work = work::work_of(input, &args.source.spec, context)?;
    work::tell_of_part(work.as_ref(), context);
    let hardware = work.hardware(context)?;
    let bundle = work::emitted(hardware.as_ref(), work.spec(), &args.source.spec)?;
    let algorithm = hardware.algorithm().to_owned();
    let program_memory = hardware.program_memory();
    let sentences = program_memory.as_ref().map(ToString::to_string);
    let of = Scheduled { tiles: hardware.fabric().tiles, period: hardware.period(), algorithm, program_memory };
    write(bundle, &of, args, &output, context)?;
    sentences.filter(|_| !context.json).into_iter().for_each(|sentences| context.say(sentences));
    Ok(())
}

/// Writes the files into the folder, and prints a message.
fn write(
    bundle: RtlBundle,
    of: &impl Serialize,
    args: &Args,
    output: &OutputFolder,
    context: &Context,
) -> Result<(), CliError> {
    let internal = |error: EmitError| CliError::Internal(error.to_string());
    let bundle = match &args.rom_dir {
        Some(dir) => bundle.with_rom_dir(dir).map_err(internal)?,
        None => bundle,
    };
    let bundle = match &args.name {
        Some(name) => bundle.named(name).map_err(internal)?,
        None => bundle,
    };
    let files = bundle.into_files();
    output.write(&files)?;
    if !context.json {
        context.say(format!("wrote {} files to {}", files.len(), output.path().display()));
        return Ok(());
    }
    context.print_json(&Output {
        folder: output.path().display().to_string(),
        top: format!("{}_top", args.name.as_deref().unwrap_or("mn")),
        of,
        files: files.keys().map(String::as_str).collect(),
    })
}
