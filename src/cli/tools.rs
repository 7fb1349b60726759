//! `metronoc tools`: what is there, what is missing, and the installation of it.

use std::io::{self, Write};
use std::str::FromStr;

use clap::{Args, Subcommand};
use metronoc::tool::{Group, Policy, Progress, Settings, Tool, ToolError, ToolSet, survey, sweep};

/// Show the external tools, or install them
#[derive(Debug, Args)]
pub struct Tools {
    #[command(subcommand)]
    action: Option<Action>,
    /// Where tools come from (also METRONOC_TOOLS)
    #[arg(long = "tools", value_name = "private|system", global = true)]
    policy: Option<Policy>,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Make tools ready: download, unpack, compile for this machine; at once if they are
    Install {
        /// Groups (simulation, synthesis, proof) or single tools; everything if none is named
        #[arg(value_name = "GROUP|TOOL")]
        what: Vec<Wanted>,
    },
}

/// A group or a single tool, as named on the command line.
#[derive(Debug, Clone)]
struct Wanted(Vec<Tool>);

impl FromStr for Wanted {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if let Some(group) = Group::ALL.into_iter().find(|group| group.name() == text) {
            return Ok(Self(group.tools()));
        }
        if let Some(tool) = Tool::all().find(|tool| tool.name() == text) {
            return Ok(Self(vec![tool]));
        }
        let groups = Group::ALL.iter().map(|group| group.name());
        let known: Vec<&str> = groups.chain(Tool::all().map(Tool::name)).collect();
        Err(format!("expected one of {}", known.join(", ")))
    }
}

/// How the command speaks.
#[derive(Debug, Clone, Copy, Default)]
pub struct Manner {
    /// One JSON object on standard output instead of a table.
    pub json: bool,
    /// No progress on standard error.
    pub quiet: bool,
    /// Paths of programs and of the cache as well.
    pub verbose: bool,
}

/// Failure of `metronoc tools`.
#[derive(Debug, thiserror::Error)]
pub enum ToolsError {
    /// A tool could not be made ready.
    #[error(transparent)]
    Tool(#[from] ToolError),
    /// Standard output could not be written.
    #[error("cannot write the result: {0}")]
    Output(#[from] io::Error),
}

/// Runs the subcommand; the result goes to `out`, progress to standard error.
///
/// # Errors
/// [`ToolsError`] if a tool that is to be installed cannot be made ready, or `out` cannot be written. A missing tool is
/// no error of the overview.
pub fn run(args: &Tools, manner: Manner, out: &mut dyn Write) -> Result<(), ToolsError> {
    let mut settings = Settings::from_env()?;
    if let Some(policy) = args.policy {
        settings = settings.with_policy(policy);
    }
    if let Some(Action::Install { what }) = &args.action {
        let named: Vec<Tool> = what.iter().flat_map(|wanted| wanted.0.iter().copied()).collect();
        let tools = if what.is_empty() { Tool::all().collect() } else { named };
        ToolSet::prepare(&settings, &tools, Progress::auto(manner.quiet))?;
        sweep(&settings)?;
    }
    let survey = survey(&settings)?;
    if manner.json {
        let text = serde_json::to_string_pretty(&survey).map_err(io::Error::from)?;
        writeln!(out, "{text}")?;
        return Ok(());
    }
    write!(out, "{}", survey.table())?;
    if manner.verbose {
        writeln!(out, "\ncache: {}", survey.cache)?;
        for line in &survey.tools {
            if let Some(path) = &line.path {
                writeln!(out, "{}: {path}", line.name)?;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_and_tools_are_named_alike() {
        assert_eq!("simulation".parse::<Wanted>().map(|w| w.0), Ok(vec![Tool::Verilator]));
        assert_eq!("z3".parse::<Wanted>().map(|w| w.0), Ok(vec![Tool::Z3]));
        let error = "vivado".parse::<Wanted>().map(|w| w.0).expect_err("unknown");
        assert!(error.contains("synthesis") && error.contains("nextpnr-ecp5"), "{error}");
    }
}
