//! Progress of steps, on standard error: a spinner or a bar on a terminal, plain lines elsewhere.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// Level of messages from which on the lines of tools' logs are shown: `-vv`.
pub const LOGS: tracing::Level = tracing::Level::DEBUG;

/// Destination of progress messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// Nowhere.
    Silent,
    /// One line on standard error when a step begins and when it has ended.
    Lines,
    /// A spinner with the elapsed time.
    Spinner,
}

impl Progress {
    /// Silent if `quiet`, a spinner if standard error is a terminal, lines otherwise and where tools' logs are shown.
    #[must_use]
    pub fn auto(quiet: bool) -> Self {
        let spins = std::io::stderr().is_terminal() && !tracing::enabled!(LOGS);
        match (quiet, spins) {
            (true, _) => Self::Silent,
            (false, true) => Self::Spinner,
            (false, false) => Self::Lines,
        }
    }

    /// Begins a step of `total` parts, which [`Step::advance`] counts.
    #[must_use]
    pub fn steps(self, message: &str, total: u64) -> Step {
        let step = self.step(message);
        if let Some(bar) = &step.bar
            && let Ok(style) = ProgressStyle::with_template("{bar:24} {pos}/{len} {msg} ({elapsed})")
        {
            bar.set_length(total);
            bar.set_style(style);
        }
        step
    }

    /// Begins a step; it ends with [`Step::done`], or without a word when dropped.
    #[must_use]
    pub fn step(self, message: &str) -> Step {
        let bar = match self {
            Self::Silent => None,
            Self::Lines => {
                line(&format!("{message} ..."));
                None
            }
            Self::Spinner => {
                let bar = ProgressBar::new_spinner().with_message(message.to_owned());
                if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} ({elapsed})") {
                    bar.set_style(style);
                }
                bar.enable_steady_tick(Duration::from_millis(120));
                Some(bar)
            }
        };
        Step { progress: self, message: message.to_owned(), bar, begin: Instant::now() }
    }
}

/// A step under way.
#[derive(Debug)]
pub struct Step {
    progress: Progress,
    message: String,
    bar: Option<ProgressBar>,
    begin: Instant,
}

impl Step {
    /// One more part of the step has ended.
    pub fn advance(&self) {
        if let Some(bar) = &self.bar {
            bar.inc(1);
        }
    }

    /// Lets `print` write to the terminal, above the bar.
    pub fn above<T>(&self, print: impl FnOnce() -> T) -> T {
        match &self.bar {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }

    /// Ends the step and prints its duration.
    pub fn done(self) {
        if self.progress != Progress::Silent {
            if let Some(bar) = &self.bar {
                bar.finish_and_clear();
            }
            line(&format!("{}: {:.1} s", self.message, self.begin.elapsed().as_secs_f64()));
        }
    }
}

impl Drop for Step {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// A closed standard error is no reason to stop an installation.
fn line(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}
