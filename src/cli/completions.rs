//! `metronoc completions`: the completion script for a shell.

use super::{Cli, CliError, Context};
use clap::CommandFactory;
use clap_complete::Shell;
use serde::Serialize;

/// Print a completion script for a shell
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Name of the shell
    shell: Shell,
}

#[derive(Serialize)]
struct Output {
    shell: String,
    script: String,
}

pub fn run(args: &Args, context: &Context) -> Result<(), CliError> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "metronoc", &mut script);
    if context.json {
        let script = String::from_utf8_lossy(&script).into_owned();
        return context.print_json(&Output { shell: args.shell.to_string(), script });
    }
    context.print(script)
}
