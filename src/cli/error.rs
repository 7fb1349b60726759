//! Exit codes, and errors of commands with their exit codes.

use crate::collective::DataError;
use crate::collective::pattern::Unfit;
use crate::output::OutputError;
use crate::schedule::ScheduleError;
use crate::spec::{Diagnostic, Spec, SpecError};
use crate::tool::ToolError;
use serde::Serialize;
use std::fmt::Display;
use std::io;
use std::panic;
use std::process::ExitCode;

/// The exit codes of every command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Exit {
    /// All is well.
    Ok = 0,
    /// A bug in metronoc.
    Internal = 1,
    /// The command line cannot be obeyed, overwriting without `--force` included.
    Usage = 2,
    /// The specification, or the data to be sent, was read and cannot be used.
    BadSpec = 3,
    /// Exit code if no schedule exists or was found, if the check refuses it, or if a proof fails.
    Infeasible = 4,
    /// Hardware and software model differ.
    Mismatch = 5,
    /// Synthesis failed or missed its timing.
    SynthesisFailed = 6,
    /// An external tool is missing or too old.
    ToolMissing = 7,
    /// A file cannot be read or written, the specification included: permissions, a full disk.
    Io = 8,
}

impl Exit {
    /// The codes as the help lists them.
    pub const HELP: &str = "Exit codes: 0 ok; 1 internal error; 2 usage; 3 bad specification or data; \
        4 infeasible, check or proof failed; 5 co-simulation mismatch; 6 synthesis or timing failed; 7 tool missing; \
        8 cannot read or write a file; 130 interrupted";
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(exit as u8)
    }
}

/// Error of a command, with its exit code.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CliError {
    /// Closed standard output; no error for the user.
    #[error("standard output is closed")]
    ClosedPipe,
    /// The result that was printed as JSON is the failure itself.
    #[error("the result is a failure")]
    Shown(Exit),
    /// Specification that cannot be used.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// A stage refused a specification, for a reason that a line of it shows.
    #[error("{}", diagnostic.message())]
    AtSpec {
        /// Exit code.
        exit: Exit,
        /// The error on its line.
        diagnostic: Box<Diagnostic>,
    },
    /// The data to be sent cannot be used.
    #[error(transparent)]
    Data(#[from] DataError),
    /// An output could not be written.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// An external tool is missing, or failed.
    #[error(transparent)]
    Tool(#[from] ToolError),
    /// Any other failure that is to be expected.
    #[error("{message}")]
    Failed {
        /// Exit code.
        exit: Exit,
        /// Message: the cause of the failure.
        message: String,
        /// Help: the user's next step.
        help: Option<String>,
    },
    /// Bug in metronoc, with the message of the violated invariant.
    #[error("internal error: {0}")]
    Internal(String),
}

impl CliError {
    /// Failure with its exit code, message and help.
    pub fn failed(exit: Exit, message: impl Into<String>, help: impl Into<String>) -> Self {
        Self::Failed { exit, message: message.into(), help: Some(help.into()) }
    }

    /// Error at a key of a specification, such as `network.k`.
    pub fn at(exit: Exit, spec: &Spec, key: &str, message: impl Into<String>, help: impl Into<String>) -> Self {
        Self::AtSpec { exit, diagnostic: Box::new(spec.diagnostic(key, message, help)) }
    }

    /// Error of a collective that does not fit the network's endpoints, at its key.
    pub fn unfit(spec: &Spec, Unfit { key, message, help }: Unfit) -> Self {
        Self::at(Exit::BadSpec, spec, &format!("collective.{key}"), message, help)
    }

    /// Error of a schedule that cannot be made.
    pub fn infeasible(spec: &Spec, error: &ScheduleError) -> Self {
        let exit = if error.is_unknown() { Exit::BadSpec } else { Exit::Infeasible };
        Self::at(exit, spec, error.field(), error.to_string(), error.help())
    }

    /// Error of a schedule that was made and fails the check.
    pub fn refused(spec: &Spec, fault: &impl Display) -> Self {
        let help = "no schedule that fails the check is used; choose another algorithm, and please report this one";
        Self::at(Exit::Infeasible, spec, "collective.algorithm", fault.to_string(), help)
    }

    /// Error of a failed write to standard output; a closed pipe is [`CliError::ClosedPipe`].
    pub fn from_stdout(error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::ClosedPipe,
            _ => Self::failed(Exit::Io, format!("cannot write to standard output: {error}"), "free some space"),
        }
    }

    /// Exit code of the command.
    pub fn exit(&self) -> Exit {
        match self {
            CliError::ClosedPipe => Exit::Ok,
            CliError::Shown(exit) => *exit,
            CliError::Spec(SpecError::Missing { .. } | SpecError::Read { .. } | SpecError::Directory { .. }) => {
                Exit::Io
            }
            CliError::Data(DataError::Read { .. }) => Exit::Io,
            CliError::Spec(_) | CliError::Data(_) => Exit::BadSpec,
            CliError::AtSpec { exit, .. } | CliError::Failed { exit, .. } => *exit,
            CliError::Output(error) if error.is_refusal() => Exit::Usage,
            CliError::Output(_) => Exit::Io,
            CliError::Tool(error) if error.is_missing_tool() => Exit::ToolMissing,
            CliError::Tool(_) => Exit::SynthesisFailed,
            CliError::Internal(_) => Exit::Internal,
        }
    }

    /// The error as diagnostics, each ready to be shown.
    pub fn into_diagnostics(self) -> Vec<Diagnostic> {
        let message = self.to_string();
        match self {
            CliError::ClosedPipe | CliError::Shown(_) => Vec::new(),
            CliError::Spec(error) => error.diagnostics(),
            CliError::AtSpec { diagnostic, .. } => vec![*diagnostic],
            CliError::Data(error) => vec![Diagnostic::bare(message).help(error.help())],
            CliError::Output(error) => vec![Diagnostic::bare(message).help(error.help())],
            CliError::Tool(_) => vec![Diagnostic::bare(message)],
            CliError::Failed { help, .. } => {
                let bare = Diagnostic::bare(message);
                vec![match help {
                    Some(help) => bare.help(help),
                    None => bare,
                }]
            }
            CliError::Internal(_) => {
                let help = format!("this is a bug in metronoc {}; please report it", env!("CARGO_PKG_VERSION"));
                vec![Diagnostic::bare(message).help(help)]
            }
        }
    }
}

/// An error for programs, on standard output under `--json`.
#[derive(Debug, Serialize)]
pub struct ErrorJson {
    /// Exit code of the command, 0 to 255.
    pub exit_code: u8,
    /// Errors, in the order of the specification.
    pub errors: Vec<crate::spec::DiagnosticJson>,
}

/// Runs a command; a panic becomes [`CliError::Internal`], so that a bug exits as one and reads as one.
pub fn catch_bugs(command: impl FnOnce() -> Result<(), CliError>) -> Result<(), CliError> {
    let default = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        if std::env::var_os("RUST_BACKTRACE").is_some_and(|v| v != "0") {
            default(info);
        }
    }));
    // State after a panic is only read to report the panic.
    panic::catch_unwind(panic::AssertUnwindSafe(command)).unwrap_or_else(|payload| {
        let text = payload.downcast_ref::<String>().map(String::as_str).or(payload.downcast_ref::<&str>().copied());
        Err(CliError::Internal(text.unwrap_or("panic without a message").to_owned()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_an_internal_error() {
        let error = catch_bugs(|| panic!("slot {}", 3)).unwrap_err();
        assert_eq!(error.exit(), Exit::Internal);
        let shown = error.into_diagnostics()[0].render(false);
        assert!(shown.contains("internal error: slot 3") && shown.contains("bug in metronoc"), "{shown}");
    }
}
