//! `metronoc regress`: a folder of specifications, each co-simulated, in parallel.
//!
//! Every specification runs in a process of its own, so that one that ends badly takes no other with it.

use super::{CliError, Context, Exit, sweep};
use crate::interrupt;
use crate::sweep::{Point, Sweep, points};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use rayon::prelude::*;
use serde::Serialize;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// Co-simulate every specification of a folder
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Folder of specifications: every .toml file in it; an .npy file of the same name has its data
    folder: PathBuf,
    /// File for the results as JUnit XML
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// Number of specifications that run at once; by default the number of processors
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
    /// Profile of Snakemake, a folder with a config.yaml, by which specifications run on other machines, as in `sweep`
    #[arg(long, value_name = "DIR")]
    profile: Option<PathBuf>,
    /// Folder for the workflow of a profile; specifications that have a result in it are not run again
    #[arg(short, long, value_name = "DIR", requires = "profile")]
    output: Option<PathBuf>,
}

/// Result of one specification: exit code and time in seconds.
#[derive(Debug, Serialize)]
struct Case {
    name: String,
    passed: bool,
    /// Exit code of the run. None if a signal ended it, or if it did not begin.
    exit_code: Option<i32>,
    seconds: f64,
    /// Standard error of a failed run; its exit status, if that is no exit code of metronoc.
    message: String,
}

impl Case {
    /// Exit code of metronoc for it: that of a single run, so that a script can tell a mismatch from a missing tool.
    fn exit(&self) -> Exit {
        let known = [
            Exit::Usage,
            Exit::BadSpec,
            Exit::Infeasible,
            Exit::Mismatch,
            Exit::SynthesisFailed,
            Exit::ToolMissing,
            Exit::Io,
        ];
        known.into_iter().find(|exit| self.exit_code == Some(*exit as i32)).unwrap_or(Exit::Internal)
    }

    /// True if it failed without a verdict on the hardware.
    fn is_error(&self) -> bool {
        !self.passed && self.exit() == Exit::Internal
    }
}

#[derive(Serialize)]
struct Output<'a> {
    passed: usize,
    failed: usize,
    cases: &'a [Case],
}

pub fn run(args: &Args, context: &Context) -> Result<(), CliError> {
    let output = context.output(args.junit.as_deref())?;
    let specs = specifications(&args.folder)?;
    let (cases, ran) = match &args.profile {
        Some(profile) => elsewhere(args, profile, &specs, context)?,
        None => (here(args, &specs, context)?, Ok(())),
    };
    if let Some(output) = output {
        output.write(junit(&args.folder, &cases).as_bytes())?;
    }
    report(&cases, context).and(ran)
}

/// Runs specifications on this machine.
fn here(args: &Args, specs: &[PathBuf], context: &Context) -> Result<Vec<Case>, CliError> {
    let program = std::env::current_exe().map_err(|e| {
        CliError::failed(Exit::Io, format!("cannot find this program's file: {e}"), "start it by its path")
    })?;
    let target = if context.quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} {msg} {elapsed}")
        .map_err(|e| CliError::Internal(e.to_string()))?;
    let bar = ProgressBar::with_draw_target(Some(specs.len() as u64), target).with_style(style);
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(args.jobs.map_or(0, usize::from))
        .build()
        .map_err(|e| CliError::Internal(e.to_string()))?;
    let cases: Vec<Case> = pool.install(|| {
        specs
            .par_iter()
            .map(|spec| {
                let case = one(&program, spec, context.seed);
                bar.set_message(case.name.clone());
                bar.inc(1);
                case
            })
            .collect()
    });
    bar.finish_and_clear();
    Ok(cases)
}

/// Runs specifications by Snakemake. The second result is an error if one has no case.
fn elsewhere(
    args: &Args,
    profile: &Path,
    specs: &[PathBuf],
    context: &Context,
) -> Result<(Vec<Case>, Result<(), CliError>), CliError> {
    let name = |spec: &PathBuf| spec.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let names: Vec<String> = specs.iter().map(name).collect();
    let mut table = toml::Table::from_iter([
        ("format".to_owned(), 1.into()),
        ("command".to_owned(), "regress".into()),
        ("specs".to_owned(), names.into()),
    ]);
    if let Some(seed) = context.seed.and_then(|seed| i64::try_from(seed).ok()) {
        let seeds = toml::Table::from_iter([("schedule.seed".to_owned(), vec![seed].into())]);
        table.insert("parameters".to_owned(), seeds.into());
    }
    let sweep = Sweep::parse("regress", &table.to_string(), &args.folder)?;
    let points = points(&sweep)?;
    let name = args.folder.file_name().unwrap_or_default().to_string_lossy();
    let path = args.output.clone().unwrap_or_else(|| format!("{name}-regress").into());
    let done = sweep::done(&points, &path, (Some(profile), args.jobs, None), context)?;
    let case = |point: &Point| {
        let outcome = done.outcomes.get(&point.hash)?;
        let (name, passed, exit_code) = (point.spec.clone(), outcome.passed(), Some(outcome.exit_code));
        Some(Case { name, passed, exit_code, seconds: outcome.seconds, message: outcome.message.clone() })
    };
    Ok((points.iter().filter_map(case).collect(), done.ran))
}

/// The specifications of a folder, in order of their names.
fn specifications(folder: &Path) -> Result<Vec<PathBuf>, CliError> {
    let unreadable = |e: std::io::Error| {
        let message = format!("cannot read the folder `{}`: {e}", folder.display());
        CliError::failed(Exit::Io, message, "name a folder of .toml specifications")
    };
    let mut specs = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if path.extension().is_some_and(|ending| ending == "toml") {
            specs.push(path);
        }
    }
    specs.sort();
    if specs.is_empty() {
        let message = format!("there is no specification in `{}`", folder.display());
        return Err(CliError::failed(
            Exit::Usage,
            message,
            "name a folder with .toml files, or make one with `metronoc new`",
        ));
    }
    Ok(specs)
}

fn one(program: &Path, spec: &Path, seed: Option<u64>) -> Case {
    let begin = Instant::now();
    let mut command = Command::new(program);
    command.args(["--quiet", "--color", "never", "cosim", "--stress"]).arg(spec);
    let data = spec.with_extension("npy");
    if data.exists() {
        command.arg("--data").arg(data);
    } else {
        command.arg("--random");
    }
    if let Some(seed) = seed {
        command.args(["--seed", &seed.to_string()]);
    }
    let name = spec.file_stem().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let (passed, exit_code, message) = match interrupt::output(&mut command) {
        Ok(output) => {
            let (status, said) = (output.status, String::from_utf8_lossy(&output.stderr));
            let message = match status.code() {
                None => format!("the run ended without an exit code: {status}\n{said}"),
                Some(_) => said.into_owned(),
            };
            (status.success(), status.code(), message.trim().to_owned())
        }
        Err(error) => (false, None, format!("cannot start: {error}")),
    };
    Case { name, passed, exit_code, seconds: begin.elapsed().as_secs_f64(), message }
}

fn report(cases: &[Case], context: &Context) -> Result<(), CliError> {
    let failed: Vec<&Case> = cases.iter().filter(|case| !case.passed).collect();
    if context.json {
        context.print_json(&Output { passed: cases.len() - failed.len(), failed: failed.len(), cases })?;
    } else {
        let mut text = String::new();
        for case in cases {
            let verdict = if case.passed { "passed" } else { "FAILED" };
            let _ = writeln!(text, "{verdict}  {:6.1} s  {}", case.seconds, case.name); // a String takes everything
        }
        context.print(text)?;
    }
    let Some(first) = failed.first() else { return Ok(()) };
    if context.json {
        return Err(CliError::Shown(first.exit()));
    }
    let message = format!(
        "{} of {} specifications failed; the first is `{}`:\n{}",
        failed.len(),
        cases.len(),
        first.name,
        first.message
    );
    Err(CliError::failed(first.exit(), message, "run `metronoc cosim` on it to see more"))
}

/// The results as JUnit XML, as test dashboards read it.
fn junit(folder: &Path, cases: &[Case]) -> String {
    let errors = cases.iter().filter(|case| case.is_error()).count();
    let failures = cases.iter().filter(|case| !case.passed).count() - errors;
    let seconds: f64 = cases.iter().map(|case| case.seconds).sum();
    let suite = escaped(&folder.file_name().map_or_else(|| ".".into(), |name| name.to_string_lossy()));
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  \
         <testsuite name=\"{suite}\" tests=\"{}\" failures=\"{failures}\" errors=\"{errors}\" time=\"{seconds:.3}\">\n",
        cases.len()
    );
    for case in cases {
        let name = escaped(&case.name);
        let _ = write!(text, "    <testcase classname=\"{suite}\" name=\"{name}\" time=\"{:.3}\"", case.seconds); // likewise
        let end = if case.passed {
            "/>\n".to_owned()
        } else {
            let kind = if case.is_error() { "error" } else { "failure" };
            let first = escaped(case.message.lines().next().unwrap_or("failed"));
            format!(">\n      <{kind} message=\"{first}\">{}</{kind}>\n    </testcase>\n", escaped(&case.message))
        };
        text.push_str(&end);
    }
    text + "  </testsuite>\n</testsuites>\n"
}

/// Text for XML: markup escaped, and characters that XML cannot hold left out.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c if c < ' ' && !matches!(c, '\n' | '\t') => {}
            '\u{fffe}' | '\u{ffff}' => {}
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn junit_holds_every_case_and_escapes_what_it_says() {
        let case = |name: &str, passed, message: &str| Case {
            name: name.into(),
            passed,
            exit_code: Some(if passed { 0 } else { 5 }),
            seconds: 1.5,
            message: message.into(),
        };
        let mut crashed =
            case("c\u{ffff}\u{fffe}\u{0}", false, "the run ended without an exit code: signal: 7 (SIGBUS)");
        crashed.exit_code = None;
        let cases = [case("a", true, ""), case("b", false, "a < b & \"c\"\nmore\u{1b}[0m\u{ffff}\u{10ffff}"), crashed];
        let text = junit(Path::new("specs"), &cases);
        // the parser lets pass what XML 1.0 does not
        let is_char =
            |c: char| matches!(c, '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..);
        assert!(text.chars().all(is_char), "{text}");
        let parsed = roxmltree::Document::parse(&text).unwrap();
        let suite = parsed.descendants().find(|n| n.has_tag_name("testsuite")).unwrap();
        let counts = ["tests", "failures", "errors"].map(|name| suite.attribute(name));
        assert_eq!(counts, [Some("3"), Some("1"), Some("1")]);
        let failure = parsed.descendants().find(|n| n.has_tag_name("failure")).unwrap();
        assert_eq!(failure.attribute("message"), Some("a < b & \"c\""));
        assert_eq!(failure.text(), Some("a < b & \"c\"\nmore[0m\u{10ffff}"));
        let error = parsed.descendants().find(|n| n.has_tag_name("error")).unwrap();
        assert_eq!(error.parent_element().and_then(|case| case.attribute("name")), Some("c"));
    }

    #[test]
    #[cfg(unix)]
    fn a_run_that_is_killed_is_no_mismatch() {
        let dir = tempfile::tempdir().unwrap();
        let program = dir.path().join("program");
        let run = |script: &str| {
            crate::tool::write_script(&program, &format!("#!/bin/sh\n{script}\n"));
            one(&program, Path::new("a.toml"), None)
        };
        let killed = run("kill -BUS $$");
        assert!(!killed.passed && killed.message.contains("SIGBUS"), "{killed:?}");
        assert_eq!((killed.exit_code, killed.exit()), (None, Exit::Internal));
        let differs = run("echo differs >&2; exit 5");
        assert_eq!((differs.exit_code, differs.exit(), differs.message.as_str()), (Some(5), Exit::Mismatch, "differs"));
        // a panic, and a process that was killed inside of a shell
        assert_eq!([run("exit 101").exit(), run("exit 135").exit()], [Exit::Internal; 2]);
    }
}
