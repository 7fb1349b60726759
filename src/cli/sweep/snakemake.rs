//! Snakemake, running the workflow of a sweep's folder.

use crate::cli::{CliError, Context, Exit};
use crate::interrupt;
use crate::sweep::Folder;
use crate::tool::{self, Progress, Tool};
use camino::{Utf8Path, Utf8PathBuf};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::fs::File;
use std::path::Path;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

/// File of the folder with all that Snakemake prints.
pub const LOG: &str = "snakemake.log";

/// Lines of the log that an error repeats.
const TAIL: usize = 20;

/// Time between two looks at how many results there are.
const LOOK: Duration = Duration::from_millis(500);

/// Absolute path of the folder of a profile.
///
/// # Errors
/// [`Exit::Usage`] if it is none.
pub fn profile(folder: &Path) -> Result<Utf8PathBuf, CliError> {
    let files = ["config.yaml", "config.v8+.yaml", "config.v9+.yaml"];
    if !files.iter().any(|file| folder.join(file).is_file()) {
        let message = format!("`{}` is no profile of Snakemake: it has no config.yaml", folder.display());
        let help = "name a folder with a config.yaml, such as `executor: cluster-generic` and what that needs";
        return Err(CliError::failed(Exit::Usage, message, help));
    }
    let absolute = std::path::absolute(folder).ok().and_then(|path| Utf8PathBuf::from_path_buf(path).ok());
    absolute.ok_or_else(|| CliError::failed(Exit::Usage, "the profile's path is not UTF-8", "name another folder"))
}

/// Runs the workflow, with a bar of `todo` points.
///
/// # Errors
/// [`Exit::SynthesisFailed`] with the end of the log if jobs failed, and as [`tool::ensure`].
pub fn run(
    folder: &Folder,
    todo: usize,
    profile: Option<&Utf8Path>,
    jobs: Option<u16>,
    context: &Context,
) -> Result<(), CliError> {
    let failed = |error: std::io::Error| {
        CliError::failed(
            Exit::Io,
            format!("cannot run Snakemake in `{}`: {error}", folder.path().display()),
            "free some space",
        )
    };
    let program = std::env::current_exe().map_err(failed)?;
    let path = Utf8Path::from_path(folder.path())
        .ok_or_else(|| CliError::failed(Exit::Usage, "the folder's path is not UTF-8", "name another folder"))?;
    let tools = tool::ensure(&[Tool::Snakemake], Progress::auto(context.quiet))?;
    let mut command = tools.command(Tool::Snakemake, path)?;
    command.args(["--snakefile", "Snakefile", "--directory", "."]);
    // the folder has a lock of its own, and a point that has a result is not in the workflow
    command.args(["--nolock", "--rerun-incomplete", "--rerun-triggers", "mtime", "--keep-going", "--nocolor"]);
    command.args(["--scheduler", "greedy"]);
    match (profile, jobs) {
        (None, None) => command.args(["--cores", "all"]),
        (None, Some(jobs)) => command.args(["--cores", &jobs.to_string()]),
        (Some(profile), None) => command.args(["--profile", profile.as_str()]),
        (Some(profile), Some(jobs)) => command.args(["--profile", profile.as_str(), "--jobs", &jobs.to_string()]),
    };
    command.arg("--config").arg(format!("metronoc={}", program.display()));
    command.env_remove("SNAKEMAKE_PROFILE");
    let log = folder.path().join(LOG);
    let out = File::create(&log).map_err(failed)?;
    command.stdout(out.try_clone().map_err(failed)?).stderr(out);

    let target = if context.quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} {elapsed}")
        .map_err(|error| CliError::Internal(error.to_string()))?;
    let bar = ProgressBar::with_draw_target(Some(todo as u64), target).with_style(style);
    let results = folder.path().join("results");
    let count = || std::fs::read_dir(&results).map_or(0, Iterator::count) as u64;
    let before = count();
    let (done, waiting) = mpsc::channel::<()>();
    let status = std::thread::scope(|scope| {
        let (bar, count) = (&bar, &count);
        scope.spawn(move || {
            while let Err(RecvTimeoutError::Timeout) = waiting.recv_timeout(LOOK) {
                bar.set_position(count().saturating_sub(before));
            }
        });
        let status = interrupt::status(&mut command);
        drop(done);
        status
    });
    bar.finish_and_clear();
    if status.map_err(failed)?.success() {
        return Ok(());
    }
    let text = String::from_utf8_lossy(&std::fs::read(&log).map_err(failed)?).into_owned();
    let lines: Vec<&str> = text.lines().collect();
    let tail = lines[lines.len().saturating_sub(TAIL)..].join("\n");
    let message = format!("Snakemake ended with a failure; the end of {}:\n{tail}", log.display());
    Err(CliError::failed(
        Exit::SynthesisFailed,
        message,
        "run the sweep again once that is mended: it runs what is missing alone",
    ))
}
