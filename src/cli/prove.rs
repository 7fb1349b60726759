//! `metronoc prove`: unbounded proofs of the routers, and of the proofs that they reject defects.

use super::folder::temporary;
use super::{CliError, Context, Exit, waveform};
use crate::count::counted;
use crate::output::OutputFile;
use crate::prove::{
    Case, Counterexample, Hardware, Mutant, PROOFS, Proof, Property, ProveError, Verdict, modules, properties, prove,
    tools,
};
use crate::spec::Diagnostic;
use crate::tool::{self, Progress, ToolSet};
use rayon::prelude::*;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Prove properties of the routers, in every cycle, for any traffic
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Proofs to run: TARGET for all its sizes, or TARGET/SIZE; all if none is named
    #[arg(value_name = "TARGET")]
    targets: Vec<String>,
    /// List targets, sizes, properties and defects, without proofs
    #[arg(long, conflicts_with = "mutants")]
    list: bool,
    /// Insert defects into the hardware; the proofs must reject each of them
    #[arg(long)]
    mutants: bool,
    /// Prove this generated folder instead of the built-in Verilog; its files may have been changed
    #[arg(long, value_name = "DIR", conflicts_with = "mutants")]
    rtl: Option<PathBuf>,
    /// Folder for the waveforms of failed proofs, instead of the current one
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Number of proofs that run at once; by default the number of processors
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
}

/// One run of the solver: a size of a target, maybe with a defect.
struct Job {
    proof: &'static Proof,
    case: &'static Case,
    mutant: Option<&'static Mutant>,
}

impl Job {
    fn name(&self) -> String {
        format!("{}/{}", self.proof.name, self.mutant.map_or(self.case.name, |mutant| mutant.name))
    }
}

/// JSON line of a job: its target, size, verdict and time in seconds.
#[derive(Serialize)]
struct Line {
    target: &'static str,
    size: &'static str,
    parameters: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    mutant: Option<&'static str>,
    /// "proved", "refuted" or "unproved"; "rejected" or "accepted" for a mutant.
    verdict: &'static str,
    /// Cycles that the induction step assumed.
    #[serde(skip_serializing_if = "Option::is_none")]
    k: Option<u32>,
    seconds: f64,
    /// Properties that failed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    failed: Vec<Property>,
}

#[derive(Serialize)]
struct Output<'a> {
    passed: usize,
    failed: usize,
    proofs: &'a [Line],
}

#[derive(Serialize)]
struct ListedMutant {
    name: &'static str,
    about: &'static str,
    breaks: &'static str,
    size: &'static str,
}

#[derive(Serialize)]
struct Listed {
    target: &'static str,
    about: &'static str,
    sizes: Vec<(&'static str, String)>,
    properties: Vec<Property>,
    mutants: Vec<ListedMutant>,
}

#[derive(Serialize)]
struct List {
    targets: Vec<Listed>,
}

impl From<ProveError> for CliError {
    fn from(error: ProveError) -> Self {
        let message = error.to_string();
        match error {
            ProveError::Tool(error) => error.into(),
            ProveError::File { .. } => Self::failed(Exit::Io, message, "free some space, or set TMPDIR"),
            ProveError::Unclear { .. } => {
                Self::failed(Exit::ToolMissing, message, "see the log; `metronoc tools` lists versions that serve")
            }
            ProveError::Source(_) => {
                Self::failed(Exit::BadSpec, message, "make the folder with `metronoc generate`, or name other targets")
            }
            ProveError::Stale { .. } | ProveError::Property { .. } => Self::Internal(message),
        }
    }
}

pub fn run(args: &Args, context: &Context) -> Result<(), CliError> {
    let mut chosen = choose(&args.targets)?;
    let files = args.rtl.as_deref().map(read).transpose()?;
    if let (Some(files), true) = (&files, args.targets.is_empty()) {
        // A network has one kind of router.
        chosen.retain(|(proof, _)| modules(proof).all(|file| files.contains_key(file)));
        if chosen.is_empty() {
            return Err(ProveError::Source("the modules of any target".into()).into());
        }
    }
    if args.list {
        return list(&chosen, context);
    }
    let jobs: Vec<Job> = chosen
        .into_iter()
        .flat_map(|(proof, cases)| -> Vec<Job> {
            let mutants = proof.mutants.iter().filter(|m| args.mutants && cases.iter().any(|c| c.name == m.case));
            if args.mutants {
                let case = |mutant: &Mutant| cases.iter().copied().find(|case| case.name == mutant.case);
                mutants.filter_map(|m| Some(Job { proof, case: case(m)?, mutant: Some(m) })).collect()
            } else {
                cases.iter().map(|case| Job { proof, case, mutant: None }).collect()
            }
        })
        .collect();
    let progress = Progress::auto(context.quiet);
    let ready = tool::ensure(&tools(), progress)?;
    let step = progress.steps(&format!("proving {}", counted(jobs.len(), "case")), jobs.len() as u64);
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(args.jobs.map_or(0, usize::from))
        .build()
        .map_err(|e| CliError::Internal(e.to_string()))?;
    let solved = |job: &Job| {
        let (verdict, seconds) = solve(job, files.as_ref(), &ready)?;
        let line = Line::new(job, &verdict, seconds);
        if !context.json {
            step.above(|| context.print(line.text()))?;
        }
        step.advance();
        Ok((verdict, line))
    };
    let results: Vec<Result<(Verdict, Line), CliError>> = pool.install(|| jobs.par_iter().map(solved).collect());
    step.done();

    let mut lines = Vec::new();
    let mut bad: Option<(&Job, Verdict)> = None;
    for (job, result) in jobs.iter().zip(results) {
        let (verdict, line) = result?;
        if !line.passed() {
            bad = bad.or(Some((job, verdict)));
        }
        lines.push(line);
    }
    let failed = lines.iter().filter(|line| !line.passed()).count();
    if context.json {
        context.print_json(&Output { passed: lines.len() - failed, failed, proofs: &lines })?;
    }
    match bad {
        None => Ok(()),
        Some((job, verdict)) => {
            Err(report(job, verdict, failed, args.output.as_deref().unwrap_or(Path::new("")), context.force)?)
        }
    }
}

/// The targets and sizes that are named.
fn choose(names: &[String]) -> Result<Vec<(&'static Proof, Vec<&'static Case>)>, CliError> {
    let mut chosen: Vec<(&Proof, Vec<&Case>)> = Vec::new();
    for name in names {
        let (target, size) = name.split_once('/').map_or((name.as_str(), None), |(t, s)| (t, Some(s)));
        let proof = PROOFS.iter().find(|proof| proof.name == target).ok_or_else(|| {
            let known: Vec<&str> = PROOFS.iter().map(|proof| proof.name).collect();
            let message = format!("there is no target `{target}`");
            CliError::failed(Exit::Usage, message, format!("take one of {}", known.join(", ")))
        })?;
        let cases: Vec<&Case> = match size {
            None => proof.cases.iter().collect(),
            Some(size) => vec![proof.case(size).ok_or_else(|| {
                let known: Vec<&str> = proof.cases.iter().map(|case| case.name).collect();
                let message = format!("`{target}` is not proved at the size `{size}`");
                CliError::failed(Exit::Usage, message, format!("take one of {}", known.join(", ")))
            })?],
        };
        match chosen.iter_mut().find(|(known, _)| known.name == proof.name) {
            Some((_, known)) => {
                for case in cases {
                    if known.iter().all(|k| k.name != case.name) {
                        known.push(case);
                    }
                }
            }
            None => chosen.push((proof, cases)),
        }
    }
    if names.is_empty() {
        chosen = PROOFS.iter().map(|proof| (proof, proof.cases.iter().collect())).collect();
    }
    Ok(chosen)
}

fn list(chosen: &[(&'static Proof, Vec<&'static Case>)], context: &Context) -> Result<(), CliError> {
    let mutant = |m: &Mutant| ListedMutant { name: m.name, about: m.about, breaks: m.breaks, size: m.case };
    let targets: Vec<Listed> = chosen
        .iter()
        .map(|(proof, cases)| Listed {
            target: proof.name,
            about: proof.about,
            sizes: cases.iter().map(|case| (case.name, case.to_string())).collect(),
            properties: properties(proof.wrapper),
            mutants: proof.mutants.iter().map(mutant).collect(),
        })
        .collect();
    if context.json {
        return context.print_json(&List { targets });
    }
    let mut text = String::new();
    for t in &targets {
        // a String takes everything
        let _ = writeln!(text, "{}: {}", t.target, t.about);
        for (name, parameters) in &t.sizes {
            let _ = writeln!(text, "  size    {name:<12} {parameters}");
        }
        for property in &t.properties {
            let kind = format!("{:?}", property.kind).to_lowercase();
            let _ = writeln!(text, "  {kind}  {}", property.text);
        }
        for mutant in &t.mutants {
            let _ = writeln!(text, "  mutant  {} ({}): {}", mutant.name, mutant.size, mutant.about);
        }
    }
    context.print(text)
}

/// The Verilog of a generated folder: file → text.
fn read(folder: &Path) -> Result<BTreeMap<String, String>, CliError> {
    let folder = folder.join("rtl");
    let unreadable = |path: &Path, e: std::io::Error| {
        let message = format!("cannot read `{}`: {e}", path.display());
        CliError::failed(Exit::Io, message, "name a folder that `metronoc generate` made")
    };
    let mut files = BTreeMap::new();
    for entry in std::fs::read_dir(&folder).map_err(|e| unreadable(&folder, e))? {
        let entry = entry.map_err(|e| unreadable(&folder, e))?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.ends_with(".v") {
            let text = std::fs::read_to_string(entry.path()).map_err(|e| unreadable(&entry.path(), e))?;
            files.insert(name, text);
        }
    }
    Ok(files)
}

fn solve(job: &Job, files: Option<&BTreeMap<String, String>>, tools: &ToolSet) -> Result<(Verdict, f64), CliError> {
    let begin = Instant::now();
    let (folder, work) = temporary("prove")?;
    let hardware = match (job.mutant, files) {
        (Some(mutant), _) => Hardware::Defect(mutant),
        (None, Some(files)) => Hardware::Files(files),
        (None, None) => Hardware::BuiltIn,
    };
    let verdict = prove(job.proof, job.case, hardware, tools, &work);
    if verdict.is_err() {
        // The error names a log in the folder.
        folder.keep();
    }
    Ok((verdict?, begin.elapsed().as_secs_f64()))
}

impl Line {
    fn new(job: &Job, verdict: &Verdict, seconds: f64) -> Self {
        let (word, k, found) = match (verdict, job.mutant) {
            (Verdict::Proved { k }, None) => ("proved", Some(*k), None),
            (Verdict::Refuted(found), None) => ("refuted", None, Some(found)),
            (Verdict::Unproved(found), None) => ("unproved", None, Some(found)),
            (Verdict::Refuted(found), Some(_)) => ("rejected", None, Some(found)),
            // A defect that only the induction step notices may be an unreachable state.
            (Verdict::Proved { .. } | Verdict::Unproved(_), Some(_)) => ("accepted", None, None),
        };
        Self {
            target: job.proof.name,
            size: job.case.name,
            parameters: job.case.to_string(),
            mutant: job.mutant.map(|mutant| mutant.name),
            verdict: word,
            k,
            seconds,
            failed: found.map(|found| found.failed.clone()).unwrap_or_default(),
        }
    }

    fn passed(&self) -> bool {
        ["proved", "rejected"].contains(&self.verdict)
    }

    fn text(&self) -> String {
        let name = format!("{}/{}", self.target, self.size);
        let mut text = format!("{:<8} {:6.1} s  {name:<24}", self.verdict, self.seconds);
        match (self.k, self.mutant) {
            (Some(k), _) => {
                let _ = write!(text, " k = {k}  {}", self.parameters); // a String takes everything
            }
            (None, Some(mutant)) => text.push_str(&format!(" {mutant}")),
            (None, None) => {}
        }
        text.truncate(text.trim_end().len());
        text + "\n"
    }
}

/// Prints a failed proof, and writes its waveform.
fn report(job: &Job, verdict: Verdict, failed: usize, folder: &Path, force: bool) -> Result<CliError, CliError> {
    let name = job.name();
    let fail = |message: String, help: &str| CliError::failed(Exit::Infeasible, message, help);
    if job.mutant.is_some() {
        let message = format!("the defect `{name}` is not noticed at size `{}`", job.case.name);
        return Ok(fail(message, "state what it breaks in the wrapper, or take a size that has what it breaks"));
    }
    let (example, mut diagnostic, help) = match verdict {
        Verdict::Proved { .. } => return Err(CliError::Internal(format!("{name} is proved"))),
        Verdict::Refuted(example) => {
            let message = format!("{name} does not hold: an assertion fails in cycle {}", example.cycle);
            (example, Diagnostic::bare(message), "mend the module, or the rule that the wrapper holds it to")
        }
        Verdict::Unproved(example) => {
            let message = format!("{name} is not proved: no cycle after the start fails, but the induction step does");
            let diagnostic = Diagnostic::bare(message).note("it begins in a state that may be unreachable");
            (example, diagnostic, "assert what rules the state out, or raise the depth")
        }
    };
    for note in notes(&example) {
        diagnostic = diagnostic.note(note);
    }
    if failed > 1 {
        diagnostic = diagnostic.note(format!("of all that was to be proved, {failed} do not hold"));
    }
    let path = folder.join(format!("{}-{}.vcd", job.proof.name, job.case.name));
    let written = OutputFile::new(&path, force).and_then(|file| file.write(example.trace.as_bytes()));
    let diagnostic = diagnostic.note(waveform(&path, written)).help(help);
    Ok(CliError::AtSpec { exit: Exit::Infeasible, diagnostic: Box::new(diagnostic) })
}

fn notes(example: &Counterexample) -> Vec<String> {
    let failed = example.failed.iter().map(|property| format!("does not hold: {}", property.text));
    failed.chain(example.differences.iter().cloned()).chain(example.inputs.iter().cloned()).collect()
}
