//! `metronoc sweep`: many specifications made from a few, run by Snakemake, with what was done kept.

mod snakemake;

use super::{CliError, Context, Exit};
use crate::report::SweepReport;
use crate::sweep::{Folder, FolderError, Outcome, Point, Sweep, points, table};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Run many specifications: parameters, boards and seeds in all combinations, here or on a cluster
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The sweep, a TOML file: specifications, parameters and the values that they take
    sweep: PathBuf,
    /// The folder for workflow and results; points that have a result in it are not run again
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Print the points, and which have a result; run nothing
    #[arg(long)]
    dry_run: bool,
    /// A profile of Snakemake, a folder with a config.yaml: where jobs run and what they may take
    #[arg(long, value_name = "DIR")]
    profile: Option<PathBuf>,
    /// Jobs at a time; as many as there are processors, or as the profile says, if not given
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
    /// Points of a job, run one after the other [default: a thousandth of all points, at least 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    batch: Option<u16>,
}

/// Jobs of a sweep at most, unless it says otherwise: Snakemake takes longer for each the more there are.
const MOST_JOBS: usize = 1000;

/// Failed points that are listed on standard output.
const LISTED: usize = 10;

/// The result for programs.
#[derive(Serialize)]
struct Output<'a> {
    points: usize,
    /// Points that had a result before.
    before: usize,
    /// Points with a result.
    done: usize,
    failed: usize,
    folder: String,
    csv: &'a str,
    page: &'a str,
}

/// A point for programs.
#[derive(Serialize)]
struct Listed {
    hash: String,
    title: String,
    done: bool,
}

impl From<FolderError> for CliError {
    fn from(error: FolderError) -> Self {
        let exit = if matches!(error, FolderError::Foreign(_)) { Exit::Usage } else { Exit::Io };
        Self::failed(exit, error.to_string(), error.help())
    }
}

pub fn run(args: &Args, context: &Context) -> Result<(), CliError> {
    let sweep = Sweep::load(&args.sweep)?;
    let points = points(&sweep)?;
    let name = args.sweep.file_stem().unwrap_or_default().to_string_lossy();
    let path = args.output.clone().unwrap_or_else(|| format!("{name}-sweep").into());
    if args.dry_run {
        return list(&points, &path, context);
    }
    let Done { folder, before, outcomes, ran } =
        done(&points, &path, (args.profile.as_deref(), args.jobs, args.batch), context)?;
    let internal = |error: &dyn std::fmt::Display| CliError::Internal(error.to_string());
    folder.write("results.csv", &table::csv(&points, &outcomes).map_err(|error| internal(&error))?)?;
    let report = SweepReport { name: &name, points: &points, outcomes: &outcomes };
    folder.write("report.html", report.html().map_err(|error| internal(&error))?.as_bytes())?;
    tell(&points, before, &outcomes, &path, context)?;
    ran
}

/// Points that were run.
pub(super) struct Done {
    folder: Folder,
    /// Points that had a result before.
    before: usize,
    /// Outcomes by hash; one at least.
    pub outcomes: BTreeMap<String, Outcome>,
    /// Error if a point has no outcome.
    pub ran: Result<(), CliError>,
}

/// Runs the points of a folder that have no result: with a profile, jobs at a time, and points of a job.
///
/// # Errors
/// If the folder or the profile cannot be used, or no point has a result.
pub(super) fn done(
    points: &[Point],
    path: &Path,
    (profile, jobs, batch): (Option<&Path>, Option<u16>, Option<u16>),
    context: &Context,
) -> Result<Done, CliError> {
    let profile = profile.map(snakemake::profile).transpose()?;
    let folder = Folder::open(path, context.force)?;
    let before = outcomes(points, folder.path());
    let todo: Vec<&Point> = points.iter().filter(|point| !before.contains_key(&point.hash)).collect();
    folder.prepare(&todo, batch.map_or(todo.len().div_ceil(MOST_JOBS), usize::from))?;
    let ran = match todo.is_empty() {
        true => Ok(()),
        false => snakemake::run(&folder, todo.len(), profile.as_deref(), jobs, context),
    };
    let outcomes = outcomes(points, folder.path());
    if outcomes.is_empty() {
        ran?;
        return Err(CliError::Internal("a workflow that succeeds and has no result".into()));
    }
    let ran = ran.and_then(|()| match points.len() - outcomes.len() {
        0 => Ok(()),
        missing => {
            let message = format!("{missing} of {} points have no result", points.len());
            let help = format!("see {}, and run it again: it runs these alone", path.join(snakemake::LOG).display());
            Err(CliError::failed(Exit::SynthesisFailed, message, help))
        }
    });
    Ok(Done { folder, before: before.len(), outcomes, ran })
}

/// Outcomes of points that have one in a folder, by hash.
fn outcomes(points: &[Point], folder: &Path) -> BTreeMap<String, Outcome> {
    let outcome = |point: &Point| Some((point.hash.clone(), Folder::outcome(folder, &point.hash)?));
    points.iter().filter_map(outcome).collect()
}

/// Prints the points.
fn list(points: &[Point], folder: &Path, context: &Context) -> Result<(), CliError> {
    let is_done = |point: &Point| Folder::outcome(folder, &point.hash).is_some();
    if context.json {
        let listed = |point: &Point| Listed { hash: point.hash.clone(), title: point.title(), done: is_done(point) };
        let points: Vec<Listed> = points.iter().map(listed).collect();
        return context.print_json(&BTreeMap::from([("points", points)]));
    }
    let mut text = String::new();
    for point in points {
        let state = if is_done(point) { "done" } else { "" };
        let _ = writeln!(text, "{}  {state:<4}  {}", point.hash, point.title()); // a String takes everything
    }
    context.print(text)
}

/// Prints how many points have a result, and which failed.
fn tell(
    points: &[Point],
    before: usize,
    outcomes: &BTreeMap<String, Outcome>,
    folder: &Path,
    context: &Context,
) -> Result<(), CliError> {
    let failed: Vec<(&Point, &Outcome)> = points
        .iter()
        .filter_map(|point| Some((point, outcomes.get(&point.hash)?)))
        .filter(|(_, outcome)| !outcome.passed())
        .collect();
    if context.json {
        return context.print_json(&Output {
            points: points.len(),
            before,
            done: outcomes.len(),
            failed: failed.len(),
            folder: folder.display().to_string(),
            csv: "results.csv",
            page: "report.html",
        });
    }
    let mut text = String::new();
    // a String takes everything
    let _ = writeln!(text, "points     {}: {before} had a result, {} have one now", points.len(), outcomes.len());
    let _ = writeln!(text, "failed     {}", failed.len());
    for (point, outcome) in failed.iter().take(LISTED) {
        let message = outcome.message.lines().next().unwrap_or_default();
        let _ = writeln!(text, "           {}: {message}", point.title());
    }
    if failed.len() > LISTED {
        let _ = writeln!(text, "           and {} more", failed.len() - LISTED);
    }
    for file in ["results.csv", "report.html"] {
        let _ = writeln!(text, "wrote      {}", folder.join(file).display());
    }
    context.print(text)
}
