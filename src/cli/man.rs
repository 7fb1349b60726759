//! `metronoc man`: manual pages, one of metronoc and one of each command.

use super::{Cli, CliError, Context, Exit};
use clap::CommandFactory;
use serde::Serialize;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// Write manual pages, one for every command, into a folder
#[derive(Debug, clap::Args)]
#[command(hide = true)]
pub struct Args {
    /// The folder, which is made if it is not there
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

#[derive(Serialize)]
struct Output {
    folder: String,
}

/// Whether a folder has files of the names that would be written.
fn pages(folder: &Path) -> bool {
    let ours = |name: &OsStr| name.to_str().is_some_and(|name| name.starts_with("metronoc") && name.ends_with(".1"));
    std::fs::read_dir(folder).is_ok_and(|mut files| files.any(|file| file.is_ok_and(|file| ours(&file.file_name()))))
}

pub fn run(args: &Args, context: &Context) -> Result<(), CliError> {
    let failed = |error: std::io::Error| {
        let message = format!("cannot write manual pages to `{}`: {error}", args.folder.display());
        CliError::failed(Exit::Io, message, "name another folder")
    };
    if !context.force && pages(&args.folder) {
        let message = format!("`{}` has manual pages of metronoc", args.folder.display());
        return Err(CliError::failed(Exit::Io, message, "name another folder, or write over them with --force"));
    }
    std::fs::create_dir_all(&args.folder).map_err(failed)?;
    clap_mangen::generate_to(Cli::command(), &args.folder).map_err(failed)?;
    if context.json {
        return context.print_json(&Output { folder: args.folder.display().to_string() });
    }
    context.say(format!("wrote manual pages to {}", args.folder.display()));
    Ok(())
}
