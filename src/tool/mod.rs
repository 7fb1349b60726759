//! External tools: found, installed, versioned and run.
//!
//! A stage names the tools it needs and gets them ready, installing what is missing:
//!
//! ```no_run
//! use camino::Utf8Path;
//! use metronoc::tool::{self, Command, Progress, Tool};
//!
//! # fn main() -> Result<(), tool::ToolError> {
//! let tools = tool::ensure(&[Tool::Yosys], Progress::auto(false))?;
//! let synth = Command::new(Tool::Yosys).args(["-p", "read_verilog top.v; synth_ecp5 -json top.json"]);
//! let work = Utf8Path::new("out");
//! let output = tools.run(&synth, work, &work.join("yosys.log"))?;
//! # Ok(()) }
//! ```
//!
//! By default every tool comes from a private environment in the user's cache folder, made from wheels that are pinned
//! by version and hash. A variable a tool (`METRONOC_YOSYS=/path`) or `METRONOC_TOOLS=system` asks for another one,
//! which is refused if it is too old. [`Command`] is pure data: what a flow would run can be tested without any tool.

mod accept;
mod command;
mod error;
mod host;
mod install;
mod journal;
pub(crate) mod lock;
mod pip;
mod progress;
mod registry;
mod requirements;
mod settings;
mod stamp;
mod survey;
mod toolset;
mod verilator;
mod version;

pub use command::{Command, quote};
pub use error::ToolError;
pub use host::icestorm;
pub use install::sweep;
pub use progress::{Progress, Step};
pub use registry::{Group, Tool};
pub use settings::{Policy, Settings};
pub use survey::{SURVEY_FORMAT, Survey, SurveyLine, survey};
pub use toolset::{Found, Origin, Output, ToolSet};

/// Makes `tools` ready to run, under the settings of the process environment.
///
/// Takes milliseconds if they are installed; the first time it downloads, and compiles for up to some minutes.
/// Safe to call from many processes at once.
///
/// # Errors
/// [`ToolError`] of the missing-tool class, saying what was tried and what to type.
pub fn ensure(tools: &[Tool], progress: Progress) -> Result<ToolSet, ToolError> {
    ToolSet::prepare(&Settings::from_env()?, tools, progress)
}

/// Writes a script that can be run at once: another process writes it, since a file that this one has open for writing may be open in what a test
/// beside it has just started, and is then busy.
#[cfg(test)]
pub(crate) fn write_script(path: &std::path::Path, text: &str) {
    let command = "cat > \"$0\" && chmod 755 \"$0\"";
    let mut child = std::process::Command::new("sh")
        .args(["-c", command])
        .arg(path)
        .stdin(std::process::Stdio::piped())
        .spawn()
        .expect("a shell");
    std::io::Write::write_all(&mut child.stdin.take().expect("its input"), text.as_bytes()).expect("written");
    assert!(child.wait().expect("an end").success());
}
