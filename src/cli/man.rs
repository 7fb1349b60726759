//! `metronoc man`: manual pages, one of metronoc and one of each command.

use super::{Cli, CliError, Context, Exit};
use crate::output::OutputFile;
use clap::{Command, CommandFactory};
use clap_mangen::Man;
use serde::Serialize;
use std::io;
use std::path::PathBuf;

/// Write manual pages, one for every command, into a folder
#[derive(Debug, clap::Args)]
#[command(hide = true)]
pub struct Args {
    /// Output folder, which is created if necessary
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

#[derive(Serialize)]
struct Output {
    folder: String,
}

/// Adds the page of a command and those of its subcommands that the help names: file's name, text.
fn add_pages(command: &Command, pages: &mut Vec<(String, Vec<u8>)>) -> io::Result<()> {
    for part in command.get_subcommands().filter(|part| !part.is_hide_set()) {
        add_pages(part, pages)?;
    }
    let page = Man::new(command.clone());
    let mut text = Vec::new();
    page.render(&mut text)?;
    pages.push((page.get_filename(), text));
    Ok(())
}

pub fn run(args: &Args, context: &Context) -> Result<(), CliError> {
    let failed = |error: io::Error| {
        let message = format!("cannot write manual pages to `{}`: {error}", args.folder.display());
        CliError::failed(Exit::Io, message, "name another folder")
    };
    let mut command = Cli::command().disable_help_subcommand(true);
    command.build();
    let mut pages = Vec::new();
    add_pages(&command, &mut pages).map_err(failed)?;
    std::fs::create_dir_all(&args.folder).map_err(failed)?;
    let place = |(name, text): (String, Vec<u8>)| Ok((OutputFile::new(&args.folder.join(name), context.force)?, text));
    let files = pages.into_iter().map(place).collect::<Result<Vec<_>, CliError>>()?;
    for (file, text) in files {
        file.write(&text)?;
    }
    if context.json {
        return context.print_json(&Output { folder: args.folder.display().to_string() });
    }
    context.say(format!("wrote manual pages to {}", args.folder.display()));
    Ok(())
}
