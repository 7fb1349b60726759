//! Progress of an installation, on standard error: a spinner on a terminal, plain lines elsewhere.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

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
    /// Silent if `quiet`, a spinner if standard error is a terminal, lines otherwise.
    #[must_use]
    pub fn auto(quiet: bool) -> Self {
        match (quiet, std::io::stderr().is_terminal()) {
            (true, _) => Self::Silent,
            (false, true) => Self::Spinner,
            (false, false) => Self::Lines,
        }
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
