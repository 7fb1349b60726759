//! Log of an installation: every command that was run, and its output.

use std::fs::File;
use std::io::Write;
use std::process::Command;

use camino::Utf8PathBuf;

use super::error::{ToolError, tail};
use crate::interrupt;

/// Lines of a command's output that an error repeats.
const TAIL_LINES: usize = 12;

/// Runner of commands that logs their output.
#[derive(Debug)]
pub struct Journal {
    file: File,
    path: Utf8PathBuf,
    tried: Vec<String>,
}

impl Journal {
    /// Begins a new journal at `path`, over an older one.
    ///
    /// # Errors
    /// [`ToolError::Cache`] if the file cannot be made.
    pub fn begin(path: Utf8PathBuf) -> Result<Self, ToolError> {
        match File::create(&path) {
            Ok(file) => Ok(Self { file, path, tried: Vec::new() }),
            Err(source) => Err(ToolError::Cache { path, source }),
        }
    }

    /// The commands so far, for an error message.
    #[must_use]
    pub fn tried(&self) -> Vec<String> {
        self.tried.clone()
    }

    /// Runs `command` to its end; gives its standard output.
    ///
    /// # Errors
    /// The end of its output if it failed, or why it could not be started.
    pub fn run(&mut self, command: &mut Command) -> Result<String, String> {
        let line = line_of(command);
        // The journal serves diagnosis only: an installation need not stop for it.
        let _ = writeln!(self.file, "$ {line}");
        self.tried.push(line);
        let output = interrupt::output(command).map_err(|error| error.to_string())?;
        let _ = self.file.write_all(&output.stdout).and_then(|()| self.file.write_all(&output.stderr));
        let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
        if output.status.success() {
            return Ok(stdout);
        }
        let said = format!("{stdout}{}", String::from_utf8_lossy(&output.stderr));
        Err(format!("{}\n{}\n  log: {}", output.status, tail(&said, TAIL_LINES), self.path))
    }
}

fn line_of(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| super::command::quote(&word.to_string_lossy())).collect::<Vec<_>>().join(" ")
}
