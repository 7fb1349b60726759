//! The options that every command takes, and the two streams it speaks on.

use super::error::{CliError, ErrorJson, Exit};
use crate::output::waveform::Format;
use crate::output::{OutputError, OutputFile};
use crate::spec::Spec;
use anstream::ColorChoice;
use clap::{ArgAction, ValueEnum};
use serde::Serialize;
use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use tracing::Level;

/// Options of every command.
#[derive(Debug, clap::Args)]
pub struct GlobalArgs {
    /// Print JSON on standard output
    #[arg(long, global = true, help_heading = "Global options")]
    json: bool,
    /// Colours of messages; auto colours on a terminal, unless NO_COLOR is set
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", help_heading = "Global options")]
    color: When,
    /// Print errors only
    #[arg(short, long, global = true, conflicts_with = "verbose", help_heading = "Global options")]
    quiet: bool,
    /// Print more messages; twice for details
    #[arg(short, long, global = true, action = ArgAction::Count, help_heading = "Global options")]
    verbose: u8,
    /// Seed of every random choice, instead of the specification's
    #[arg(long, global = true, value_name = "NUMBER", help_heading = "Global options")]
    #[arg(value_parser = clap::value_parser!(u64).range(..=i64::MAX as u64))]
    seed: Option<u64>,
    /// Overwrite files that metronoc did not write, or that were changed since
    #[arg(long, global = true, help_heading = "Global options")]
    force: bool,
}

/// Destination of a command's result.
#[derive(Debug, clap::Args)]
pub struct OutputArgs {
    /// Output file; `-` is standard output, the default
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl OutputArgs {
    /// The file, if it is to be one.
    pub fn file(&self) -> Option<&Path> {
        self.output.as_deref().filter(|file| *file != Path::new("-"))
    }
}

/// Colours of messages.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum When {
    Auto,
    Always,
    Never,
}

/// Options of the command line that all commands share, and the command's name.
#[derive(Debug)]
pub struct Context {
    command: &'static str,
    /// True if standard output takes JSON.
    pub json: bool,
    /// True if messages other than errors are left out.
    pub quiet: bool,
    /// True if further messages are printed.
    pub verbose: bool,
    /// Seed of the command line; it goes before the specification's.
    pub seed: Option<u64>,
    /// True if files that metronoc did not make, or that were changed since, are overwritten.
    pub force: bool,
    /// SHA-256 of the specification that the command is about, once it is read.
    spec_sha256: OnceLock<String>,
}

/// Head of every JSON output; `version` grows when a field changes its meaning or goes.
#[derive(Serialize)]
struct Versioned<'a, T: Serialize> {
    version: u32,
    command: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    spec_sha256: Option<&'a str>,
    #[serde(flatten)]
    data: &'a T,
}

impl Context {
    /// Takes the options over and sets colours and logging up for the process.
    pub(super) fn new(args: &GlobalArgs, command: &'static str) -> Self {
        match args.color {
            When::Auto => ColorChoice::Auto,
            When::Always => ColorChoice::Always,
            When::Never => ColorChoice::Never,
        }
        .write_global();
        let level = match (args.quiet, args.verbose) {
            (true, _) => Level::ERROR,
            (false, 0) => Level::WARN,
            (false, 1) => Level::INFO,
            (false, 2) => Level::DEBUG,
            (false, _) => Level::TRACE,
        };
        let logging = tracing_subscriber::fmt()
            .with_max_level(level)
            .with_writer(io::stderr)
            .with_ansi(anstream::AutoStream::choice(&io::stderr()) != ColorChoice::Never)
            .without_time()
            .with_target(false);
        // A second call, in a test, keeps the first's logging.
        let _ = logging.try_init();
        Self {
            command,
            json: args.json,
            quiet: args.quiet,
            verbose: args.verbose > 0,
            seed: args.seed,
            force: args.force,
            spec_sha256: OnceLock::new(),
        }
    }

    /// A context without messages and colours, for programs that use the library.
    pub fn silent() -> Self {
        let spec_sha256 = OnceLock::new();
        Self { command: "library", json: false, quiet: true, verbose: false, seed: None, force: false, spec_sha256 }
    }

    /// Context for the subcommand `command`, else equal to this one.
    pub(super) fn named(&self, command: &'static str) -> Self {
        Self { command, spec_sha256: OnceLock::new(), ..*self }
    }

    /// The file that a command writes at its end, if it is to write one.
    ///
    /// # Errors
    /// As [`OutputFile::new`].
    pub fn output(&self, path: Option<&Path>) -> Result<Option<OutputFile>, OutputError> {
        path.map(|path| OutputFile::new(path, self.force)).transpose()
    }

    /// Path of a waveform: beside the array that is written to a file, or else `name` here, with the format's ending.
    ///
    /// # Errors
    /// [`Exit::Usage`] if it is that of the array.
    pub fn waveform(&self, array: Option<&Path>, name: &str, format: Format) -> Result<PathBuf, CliError> {
        let is_file = |path: &&Path| fs::metadata(path).map_or(true, |found| found.is_file());
        let wave = array.filter(is_file).unwrap_or(Path::new(name)).with_extension(format.ending());
        if array == Some(&wave) {
            let message = format!("`{}` would be both the array and the waveform", wave.display());
            return Err(CliError::failed(Exit::Usage, message, "name another file with `--out`"));
        }
        Ok(wave)
    }

    /// Takes note of the specification that the command is about.
    pub fn is_about(&self, spec: &Spec) {
        // A command that reads several is about the first.
        let _ = self.spec_sha256.set(spec.sha256());
    }

    /// Prints data on standard output.
    ///
    /// # Errors
    /// [`CliError::ClosedPipe`] if nobody reads on, [`Exit::Io`] if it cannot be written.
    pub fn print(&self, data: impl AsRef<[u8]>) -> Result<(), CliError> {
        let mut out = io::stdout().lock();
        out.write_all(data.as_ref()).and_then(|()| out.flush()).map_err(|error| CliError::from_stdout(&error))
    }

    /// Prints a verdict on standard output. A terminal gets lines of its width.
    ///
    /// # Errors
    /// As [`Self::print`].
    pub fn print_wrapped(&self, text: &str) -> Result<(), CliError> {
        match io::stdout().is_terminal() {
            true => self.print(wrapped(text, textwrap::termwidth())),
            false => self.print(text),
        }
    }

    /// Prints an object as JSON on standard output, after its version and the command's name.
    ///
    /// # Errors
    /// As [`Self::print`].
    pub fn print_json<T: Serialize>(&self, data: &T) -> Result<(), CliError> {
        self.print(self.json_of(data)?)
    }

    /// Writes the result of a command to a file, if there is one, as JSON; and prints it as JSON or as text.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn conclude<T: Serialize>(
        &self,
        file: Option<OutputFile>,
        data: &T,
        text: impl FnOnce() -> String,
    ) -> Result<(), CliError> {
        if let Some(file) = file {
            file.write(self.json_of(data)?.as_bytes())?;
        }
        if self.json { self.print_json(data) } else { self.print(text()) }
    }

    fn json_of<T: Serialize>(&self, data: &T) -> Result<String, CliError> {
        let spec_sha256 = self.spec_sha256.get().map(String::as_str);
        let object = Versioned { version: 1, command: self.command, spec_sha256, data };
        let text = serde_json::to_string_pretty(&object).map_err(|e| CliError::Internal(e.to_string()))?;
        Ok(text + "\n")
    }

    /// Prints a message on standard error, unless `-q` is given.
    pub fn say(&self, message: impl AsRef<str>) {
        if !self.quiet {
            write_stderr(message.as_ref());
        }
    }

    /// Reports how the command ended.
    pub(super) fn finish(&self, result: Result<(), CliError>) -> Exit {
        let Err(error) = result else { return Exit::Ok };
        let exit = error.exit();
        let diagnostics = error.into_diagnostics();
        for (i, diagnostic) in diagnostics.iter().enumerate() {
            let gap = if i == 0 { "" } else { "\n" };
            write_stderr(&format!("{gap}{}", diagnostic.render(true)));
        }
        if self.json && !diagnostics.is_empty() {
            let errors = diagnostics.iter().map(|d| d.to_json()).collect();
            // The error is on standard error, too, so a closed standard output is no failure.
            let _ = self.print_json(&ErrorJson { exit_code: exit as u8, errors });
        }
        exit
    }
}

/// A line on standard error, colours taken out where they do not belong; nothing can be done if it is closed.
fn write_stderr(line: &str) {
    let _ = writeln!(anstream::stderr().lock(), "{line}");
}

/// Text with lines of a width. A line goes on below the beginning of its last column.
fn wrapped(text: &str, width: usize) -> String {
    let line = |line: &str| {
        let indent = " ".repeat(column(line).min(width / 2));
        let options = textwrap::Options::new(width).subsequent_indent(&indent).break_words(false);
        textwrap::fill(line, options)
    };
    text.split('\n').map(line).collect::<Vec<_>>().join("\n")
}

/// Place of the last column of a verdict's line: behind the mark of a list, a bound and its name, or the name of a figure.
fn column(line: &str) -> usize {
    const NAME: usize = "collective ".len();
    const BOUND: usize = "       5 distance   ".len();
    let text = line.trim_start();
    match (line.len() - text.len(), text.chars().next()) {
        (0, Some('-')) => 2,
        (0, _) => NAME,
        (_, Some('0'..='9')) => BOUND,
        (spaces, _) => spaces + 2,
    }
}

#[cfg(test)]
mod tests {
    use super::wrapped;

    #[test]
    fn lines_go_on_below_their_last_column() {
        let text = "network    D3(2,3): 18 routers\n\n       9 global     any schedule: a drawer has 5 channels\n- no conflict: one router stands for all of them\n";
        let lines = [
            "network    D3(2,3): 18 routers",
            "",
            "       9 global     any schedule: a",
            "                    drawer has 5",
            "                    channels",
            "- no conflict: one router stands for all",
            "  of them",
            "",
        ];
        assert_eq!(wrapped(text, 40).split('\n').collect::<Vec<_>>(), lines);
        assert_eq!(wrapped(text, 200), text);
    }
}
