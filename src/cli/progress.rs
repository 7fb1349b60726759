//! Progress display on standard error for work that takes longer than a second.

use super::Context;
use crate::interrupt::search;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::borrow::Cow;
use std::io::IsTerminal;
use std::sync::mpsc::{Sender, channel};
use std::time::Duration;

/// Names the step that runs, with the time it takes; gone from the screen when it is dropped.
pub struct Progress {
    bar: ProgressBar,
    /// Dropped to say that it has ended.
    _running: Sender<()>,
}

impl Progress {
    /// Progress with a first step. Nothing is shown in the first second, with `-q`, or off a terminal.
    pub fn new(context: &Context, step: &'static str) -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden()).with_message(step);
        let (running, ended) = channel();
        if !context.quiet && std::io::stderr().is_terminal() {
            let bar = bar.clone();
            std::thread::spawn(move || {
                // Err(Timeout): it still runs; Err(Disconnected): it has ended.
                let runs = |wait| ended.recv_timeout(wait) == Err(std::sync::mpsc::RecvTimeoutError::Timeout);
                if runs(Duration::from_secs(1)) {
                    if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} {elapsed}{prefix}") {
                        bar.set_style(style);
                    }
                    bar.set_draw_target(ProgressDrawTarget::stderr());
                    bar.enable_steady_tick(Duration::from_millis(100));
                    while runs(Duration::from_millis(200)) {
                        bar.set_prefix(search::fewest().map_or(String::new(), so_far));
                    }
                }
            });
        }
        Self { bar, _running: running }
    }

    /// Goes on to another step.
    pub fn next(&self, step: impl Into<Cow<'static, str>>) {
        self.bar.set_message(step);
    }

    /// Ends the progress, and clears its line on the terminal.
    pub fn done(self) {
        drop(self);
    }
}

/// Words on a search that has found a schedule.
fn so_far(cycles: u32) -> String {
    format!(", {cycles} cycles so far; Ctrl-C takes them")
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
