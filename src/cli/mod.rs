//! The command line: one file a subcommand, each with its `Args` and `run(&args, &context)`.
//!
//! Data go to standard output, messages to standard error, and the [`Exit`] code says how it ended. A new subcommand is
//! a file here, a `mod` line and a line in the registry below.

mod boards;
mod check;
mod claims;
mod completions;
mod context;
mod cosim;
mod demo;
mod error;
mod folder;
mod generate;
mod man;
mod multiply;
mod new;
mod page;
mod progress;
mod prove;
mod regress;
mod report;
mod run;
mod schedule;
mod simulate;
mod sweep;
mod sweep_point;
mod synth;
mod tools;
mod unscheduled;
pub mod work;

pub use context::{Context, OutputArgs};
pub use error::{CliError, Exit};

use crate::output::OutputError;
use clap::Parser;
use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

/// Compiles a collective on a topology into conflict-free schedules, Verilog and bitstreams.
#[derive(Debug, Parser)]
#[command(name = "metronoc", version, propagate_version = true, after_help = Exit::HELP)]
pub struct Cli {
    #[command(flatten)]
    global: context::GlobalArgs,
    #[command(subcommand)]
    command: Command,
}

/// Declares the subcommands: each line is a variant and the module that has its `Args` and `run`. The order is that of
/// the help.
macro_rules! subcommands {
    ($($variant:ident => $module:ident,)*) => {
        #[derive(Debug, clap::Subcommand)]
        enum Command {
            $($variant($module::Args),)*
        }

        impl Command {
            /// The name under which JSON output is labelled.
            fn name(&self) -> &'static str {
                match self {
                    $(Self::$variant(_) => stringify!($module),)*
                }
            }

            fn run(&self, context: &Context) -> Result<(), CliError> {
                match self {
                    $(Self::$variant(args) => $module::run(args, context),)*
                }
            }
        }
    };
}

subcommands! {
    Demo => demo,
    New => new,
    Check => check,
    Claims => claims,
    Schedule => schedule,
    Multiply => multiply,
    Generate => generate,
    Simulate => simulate,
    Cosim => cosim,
    Synth => synth,
    Prove => prove,
    Run => run,
    Report => report,
    Regress => regress,
    Sweep => sweep,
    SweepPoint => sweep_point,
    Boards => boards,
    Tools => tools,
    Completions => completions,
    Man => man,
}

/// Runs the program on its own arguments.
pub fn main() -> ExitCode {
    run(std::env::args_os()).into()
}

/// Runs the program on any arguments, the first being its name, and reports errors; this is all of `main`.
fn run(args: impl IntoIterator<Item = OsString>) -> Exit {
    let cli = match Cli::try_parse_from(args) {
        Ok(cli) => cli,
        Err(error) => {
            // A help text whose reader ends early is no failure.
            let _ = error.print();
            return if error.use_stderr() { Exit::Usage } else { Exit::Ok };
        }
    };
    let context = Context::new(&cli.global, cli.command.name());
    crate::interrupt::clean_up_on_signals();
    let result = error::catch_bugs(|| cli.command.run(&context));
    // after an interrupt the process ends with the cleaning, and an error of files that are gone by it is none
    drop(crate::interrupt::postponed());
    context.finish(result)
}

/// Carries out another command line with the options of the running one, for commands that are made of others.
fn follow(args: &[String], context: &Context) -> Result<(), CliError> {
    let cli = Cli::try_parse_from(std::iter::once("metronoc").chain(args.iter().map(String::as_str)))
        .map_err(|error| CliError::Internal(error.to_string()))?;
    cli.command.run(&context.named(cli.command.name()))
}

/// Line with the waveform of a failure, or with the reason why there is none.
fn waveform(path: &Path, written: Result<(), OutputError>) -> String {
    match written {
        Ok(()) => format!("waveform: {}", path.display()),
        Err(error) => format!("no waveform: {error}; {}", error.help()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }
}
