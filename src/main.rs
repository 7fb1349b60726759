//! The metronoc command line.

mod cli;
use clap::Parser;
#[derive(Parser)]
struct Cli {
    #[arg(long, global = true)]
    json: bool,
    #[arg(short, long, global = true)]
    quiet: bool,
    #[arg(short, long, global = true)]
    verbose: bool,
    #[command(subcommand)]
    command: Sub,
}
#[derive(clap::Subcommand)]
enum Sub {
    Tools(cli::tools::Tools),
}
fn main() -> std::process::ExitCode {
    let cli = Cli::parse();
    let Sub::Tools(tools) = &cli.command;
    let manner = cli::tools::Manner { json: cli.json, quiet: cli.quiet, verbose: cli.verbose };
    match cli::tools::run(tools, manner, &mut std::io::stdout().lock()) {
        Ok(()) => 0.into(),
        Err(e) => {
            eprintln!("error: {e}");
            7.into()
        }
    }
}
