//! `metronoc sweep-point`: a job of a sweep's workflow, of one point or several.

use super::{CliError, Context, Exit, folder::temporary};
use crate::interrupt;
use crate::sweep::{Action, Folder, Outcome, Point};
use serde_json::Value;
use std::fs::File;
use std::io::{Seek, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

/// Run points of a sweep, one after the other, and write their results
#[derive(Debug, clap::Args)]
#[command(hide = true)]
pub struct Args {
    /// The sweep's folder
    folder: PathBuf,
    /// The points, by their hashes
    #[arg(required = true, value_name = "HASH")]
    points: Vec<String>,
}

/// Exit codes that say something of the point, not of the machine on which it ran.
const VERDICTS: [Exit; 7] =
    [Exit::Ok, Exit::Internal, Exit::Usage, Exit::BadSpec, Exit::Infeasible, Exit::Mismatch, Exit::SynthesisFailed];

pub fn run(args: &Args, _context: &Context) -> Result<(), CliError> {
    let one = |hash: &String| run_point(&Folder::point(&args.folder, hash), &Folder::result(&args.folder, hash));
    // a point that cannot be run is not in the way of the others
    let all: Vec<Result<(), CliError>> = args.points.iter().map(one).collect();
    all.into_iter().collect()
}

/// Runs the point of a file, unless it has a result.
fn run_point(file: &Path, result: &Path) -> Result<(), CliError> {
    let unreadable = |reason: String| {
        let message = format!("cannot use the point `{}`: {reason}", file.display());
        CliError::failed(Exit::Io, message, "run `metronoc sweep` on the sweep again")
    };
    let text = std::fs::read(file).map_err(|error| unreadable(error.to_string()))?;
    let point: Point = serde_json::from_slice(&text).map_err(|error| unreadable(error.to_string()))?;
    if point.metronoc != env!("CARGO_PKG_VERSION") {
        let reason = format!("it is of metronoc {}, and this is {}", point.metronoc, env!("CARGO_PKG_VERSION"));
        return Err(unreadable(reason));
    }
    // a cluster may run a job again while the first one goes on: the second waits, and finds the result
    let lock = File::options().read(true).append(true).open(file);
    let _lock = lock.and_then(|file| file.lock().map(|()| file)).map_err(|error| unreadable(error.to_string()))?;
    let known = std::fs::read(result).ok();
    if known.is_some_and(|text| Outcome::read(&text, &point.hash).is_some()) {
        return Ok(());
    }
    let (mut outcome, begin) = (Outcome::new(&point), Instant::now());
    let (_kept, work) = temporary("sweep-point")?;
    let bitstream = work.join("bitstream");
    outcome.check = step(&point, &["check"], &mut outcome)?;
    let seed = point.place_seed.map(|seed| seed.to_string());
    if outcome.passed() {
        match point.action {
            Action::Check => {}
            Action::Cosim => outcome.cosim = step(&point, &["cosim", "--random"], &mut outcome)?,
            Action::Regress => {
                let data = point.data().map(|path| path.to_string_lossy().into_owned());
                let words = data.as_deref().map_or(vec!["--random"], |path| vec!["--data", path]);
                outcome.cosim = step(&point, &[&["cosim", "--stress"], words.as_slice()].concat(), &mut outcome)?;
            }
            Action::Synth => {
                let board = point.board.as_deref().ok_or_else(|| unreadable("it names no board".to_owned()))?;
                let mut command = vec!["synth", "--board", board, "--output", bitstream.as_str()];
                command.extend(seed.iter().flat_map(|seed| ["--pnr-seed", seed]));
                outcome.synth = step(&point, &command, &mut outcome)?;
            }
        }
    }
    outcome.seconds = begin.elapsed().as_secs_f64();
    outcome.write(result).map_err(|error| {
        let message = format!("cannot write `{}`: {error}", result.display());
        CliError::failed(Exit::Io, message, "free some space, or choose another folder")
    })
}

/// Runs a command on the specification of a point: its result as JSON. A failure is noted in the outcome.
///
/// # Errors
/// Where the command says nothing of the point: a tool is missing, a file cannot be read, it was killed.
fn step(point: &Point, command: &[&str], outcome: &mut Outcome) -> Result<Option<Value>, CliError> {
    let failed = |error: std::io::Error| {
        let message = format!("cannot run {}: {error}", command[0]);
        CliError::failed(Exit::Io, message, "run the sweep again once that is mended")
    };
    let mut input = tempfile::tempfile().map_err(failed)?;
    input.write_all(point.text.as_bytes()).and_then(|()| input.rewind()).map_err(failed)?;
    let mut process = Command::new(std::env::current_exe().map_err(failed)?);
    process.args(command).args(["-", "--json", "--quiet", "--color", "never"]).current_dir(&point.folder);
    // Snakemake's packages are not for the tools
    process.env_remove("PYTHONPATH");
    let output = interrupt::output_of(&mut process, Stdio::from(input)).map_err(failed)?;
    let mut objects: Vec<Value> = serde_json::Deserializer::from_slice(&output.stdout).into_iter().flatten().collect();
    let code = output.status.code();
    let Some(exit) = VERDICTS.into_iter().find(|exit| code == Some(*exit as i32)) else {
        let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        let message = format!("{} of the point {} ended with {}\n{said}", command[0], point.title(), output.status);
        let exit = [Exit::ToolMissing, Exit::Io].into_iter().find(|exit| code == Some(*exit as i32));
        return Err(CliError::failed(
            exit.unwrap_or(Exit::Internal),
            message,
            "run the sweep again once that is mended",
        ));
    };
    if exit != Exit::Ok {
        let errors = objects.pop_if(|object| object["errors"].is_array());
        let messages = errors.as_ref().and_then(|object| object["errors"].as_array()).into_iter().flatten();
        let messages: Vec<&str> = messages.filter_map(|error| error["message"].as_str()).collect();
        outcome.exit_code = exit as i32;
        outcome.message = match messages.is_empty() {
            true => format!("{} fails", command[0]),
            false => messages.join("; "),
        };
    }
    Ok(objects.pop())
}
