//! Errors of finding, installing and running external tools.

use std::io;

use camino::Utf8PathBuf;

use super::registry::Tool;

/// Failure of the tool stage.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ToolError {
    /// Missing cache folder: none can be derived from the user's environment.
    #[error("no cache folder: {reason}; set METRONOC_CACHE to a folder that you can write to")]
    NoCache {
        /// Reason why none was found.
        reason: String,
    },
    /// The cache folder cannot be read or written.
    #[error("cannot use `{path}` in the tool cache: {source}; set METRONOC_CACHE to a folder that you can write to")]
    Cache {
        /// The file or folder.
        path: Utf8PathBuf,
        /// Error of the operating system.
        source: io::Error,
    },
    /// An environment variable has a value with no meaning.
    #[error("{variable}={value} is invalid: {expected}")]
    Setting {
        /// Name of the variable.
        variable: String,
        /// Value of the variable.
        value: String,
        /// Values that it may have.
        expected: String,
    },
    /// A program of the host is missing.
    #[error("{programs} not found; needed for {purpose}\n{hint}")]
    HostMissing {
        /// The missing programs.
        programs: String,
        /// Purpose of the tools.
        purpose: String,
        /// Command that mends it.
        hint: String,
    },
    /// The committed list of wheels is malformed.
    #[error("line {line} of the pinned requirements: {reason}")]
    Requirements {
        /// Line, counted from 1; 0 for the whole file.
        line: usize,
        /// Fault, in words.
        reason: String,
    },
    /// The private environment could not be made.
    #[error("cannot install {what}: {reason}\n{}{hint}", tried_lines(.tried))]
    Install {
        /// Part of the environment.
        what: String,
        /// Fault, with the end of the installer's output.
        reason: String,
        /// The commands that were tried, in order.
        tried: Vec<String>,
        /// Command that mends it.
        hint: String,
    },
    /// A tool on PATH or named by a variable does not serve.
    #[error("{tool} from {origin} is refused: {reason}\n{hint}")]
    Refused {
        /// The tool.
        tool: Tool,
        /// Source of the program.
        origin: String,
        /// Reason for the refusal.
        reason: String,
        /// Remedy, in a sentence.
        hint: String,
    },
    /// Request for a tool of which a [`super::ToolSet`] was made without.
    #[error("{0} was not requested when the tools were installed")]
    NotReady(Tool),
    /// A tool in a sandbox was given an absolute path.
    #[error("{tool} sees only paths relative to its working folder, but was given `{argument}`")]
    AbsolutePath {
        /// The tool.
        tool: Tool,
        /// The argument.
        argument: String,
    },
    /// The program could not be started.
    #[error("cannot start `{command}`: {source}")]
    Start {
        /// The planned command line.
        command: String,
        /// Error of the operating system.
        source: io::Error,
    },
    /// The log or working folder of a run cannot be used.
    #[error("cannot use `{path}` for the run of {tool}: {source}")]
    Log {
        /// The tool.
        tool: Tool,
        /// The file or folder.
        path: Utf8PathBuf,
        /// Error of the operating system.
        source: io::Error,
    },
    /// The program ended with a failure.
    #[error("{tool} failed ({status})\n  command: {command}\n  log: {log}\n{tail}")]
    Failed {
        /// The tool.
        tool: Tool,
        /// The planned command line.
        command: String,
        /// Exit status in words.
        status: String,
        /// The last 20 lines of the log.
        tail: String,
        /// Path of the complete log.
        log: Utf8PathBuf,
    },
}

impl ToolError {
    /// True for a tool that is missing or unusable (exit code 7), in contrast to one that ran and failed.
    #[must_use]
    pub fn is_missing_tool(&self) -> bool {
        !matches!(self, Self::Failed { .. } | Self::AbsolutePath { .. } | Self::Log { .. } | Self::NotReady(_))
    }
}

fn tried_lines(tried: &[String]) -> String {
    tried.iter().map(|line| format!("  tried: {line}\n")).collect()
}

/// The last `count` lines of `text`, indented.
#[must_use]
pub(super) fn tail(text: &str, count: usize) -> String {
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(count)..]
        .iter()
        .map(|line| format!("  | {line}\n"))
        .collect::<String>()
        .trim_end()
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tail_keeps_the_end() {
        let text = (0..50).map(|n| format!("line {n}\n")).collect::<String>();
        let end = tail(&text, 20);
        assert_eq!(end.lines().count(), 20);
        assert!(end.starts_with("  | line 30") && end.ends_with("line 49"));
        assert_eq!(tail("", 20), "");
    }
}
