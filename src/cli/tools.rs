//! `metronoc tools`: installed tools, missing tools, and installation.

use super::{CliError, Context};
use crate::tool::{Group, Policy, Progress, Settings, Tool, ToolSet, survey, sweep};
use clap::Subcommand;
use std::fmt::Write;
use std::str::FromStr;

/// Show the external tools, or install them
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    action: Option<Action>,
    /// Source of the tools (also METRONOC_TOOLS)
    #[arg(long = "tools", value_name = "private|system", global = true)]
    policy: Option<Policy>,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Install tools: download, unpack, and compile them for this machine; tools that are installed are kept
    Install {
        /// Groups (simulation, synthesis, proof, sweep) or single tools; all if none is named
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

/// Runs the subcommand. A missing tool is no error of the overview.
///
/// # Errors
/// If a tool that is to be installed cannot be made ready.
pub fn run(args: &Args, context: &Context) -> Result<(), CliError> {
    let mut settings = Settings::from_env()?;
    if let Some(policy) = args.policy {
        settings = settings.with_policy(policy);
    }
    if let Some(Action::Install { what }) = &args.action {
        let named: Vec<Tool> = what.iter().flat_map(|wanted| wanted.0.iter().copied()).collect();
        let tools = if what.is_empty() { Tool::all().collect() } else { named };
        ToolSet::prepare(&settings, &tools, Progress::auto(context.quiet))?;
        sweep(&settings)?;
    }
    let survey = survey(&settings)?;
    if context.json {
        return context.print_json(&survey);
    }
    let mut text = survey.table();
    if context.verbose {
        let _ = writeln!(text, "\ncache: {}", survey.cache); // a String takes everything
        for (name, path) in survey.tools.iter().filter_map(|line| Some((line.name, line.path.as_ref()?))) {
            let _ = writeln!(text, "{name}: {path}"); // likewise
        }
    }
    context.print(text)
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
