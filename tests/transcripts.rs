//! Commands of the README and the manual print what is shown below them.

use crate::common;
use rayon::prelude::*;
use std::env;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Commands that take no tools.
const QUICK: [&str; 4] = ["boards", "check", "schedule", "simulate"];
/// Commands that other tests run for longer than this one may take: the whole of the proofs, and of their mutants.
const LONG: [&str; 2] = ["metronoc prove --mutants", "metronoc prove sv-router"];

/// A block of commands.
struct Transcript {
    /// Page and line.
    place: String,
    /// The last specification of the page before it, which its commands call `spec.toml`.
    spec: Option<String>,
    /// Commands, and what is shown below each.
    commands: Vec<(String, String)>,
}

impl Transcript {
    /// True if it shows something, and all its commands are metronoc's or change a file.
    fn is_run(&self) -> bool {
        let is_run = |command: &str| {
            !LONG.contains(&command) && ["metronoc ", "sed "].iter().any(|name| command.starts_with(name))
        };
        self.commands.iter().any(|(_, shown)| !shown.is_empty())
            && self.commands.iter().all(|(command, _)| is_run(command))
    }

    fn is_quick(&self) -> bool {
        self.commands.iter().all(|(command, _)| command.split(' ').nth(1).is_some_and(|name| QUICK.contains(&name)))
    }

    /// Runs it in a folder of its own, beside the examples. A command below which nothing is shown must end well.
    fn run(&self) {
        let folder = tempfile::tempdir().unwrap();
        symlink(Path::new("examples").canonicalize().unwrap(), folder.path().join("examples")).unwrap();
        if let Some(spec) = &self.spec {
            fs::write(folder.path().join("spec.toml"), spec).unwrap();
        }
        let program = Path::new(env!("CARGO_BIN_EXE_metronoc")).parent().unwrap();
        let path: Vec<PathBuf> =
            [program.to_owned()].into_iter().chain(env::split_paths(&env::var_os("PATH").unwrap())).collect();
        for (command, shown) in &self.commands {
            let mut shell = Command::new("sh");
            shell.args(["-c", &format!("exec 2>&1; {command}")]).current_dir(&folder);
            let output = shell.env("NO_COLOR", "1").env("PATH", env::join_paths(&path).unwrap()).output().unwrap();
            let said = String::from_utf8(output.stdout).unwrap();
            let said: String =
                said.lines().filter(|line| !is_progress(line)).map(|line| line.to_owned() + "\n").collect();
            assert!(!shown.is_empty() || output.status.success(), "{}: {command}\n{said}", self.place);
            let missing = missing(shown, &said);
            assert!(missing.is_none(), "{}: {command}\ndoes not say: {}\nbut: {said}", self.place, missing.unwrap());
        }
    }
}

/// True for a line that says which step begins, or how long it has taken.
fn is_progress(line: &str) -> bool {
    let time = line.rsplit_once(": ").and_then(|(_, time)| time.strip_suffix(" s"));
    line.ends_with(" ...") || time.is_some_and(|seconds| seconds.parse::<f64>().is_ok())
}

/// The first part of what is shown, between dots that stand for anything, that is not said behind those before it. White space is left out.
fn missing(shown: &str, said: &str) -> Option<String> {
    let bare = |text: &str| text.split_whitespace().collect::<String>();
    let (shown, said) = (bare(&shown.replace("...", "…")), bare(said));
    let mut rest = said.as_str();
    for part in shown.split('…') {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return Some(part.to_owned()),
        }
    }
    None
}

/// All blocks of commands of a page.
fn transcripts(page: &Path) -> Vec<Transcript> {
    let text = fs::read_to_string(page).unwrap();
    let (mut all, mut spec, mut lines) = (Vec::new(), None, text.lines().enumerate());
    while let Some((at, line)) = lines.next() {
        let Some(language) = line.trim_start().strip_prefix("```") else { continue };
        let indent = line.len() - line.trim_start().len();
        let block = lines
            .by_ref()
            .map(|(_, line)| line.get(indent..).unwrap_or(""))
            .take_while(|line| !line.starts_with("```"));
        let block: Vec<&str> = block.collect();
        match language {
            "toml" => spec = Some(block.join("\n") + "\n"),
            "console" => {
                let mut commands: Vec<(String, String)> = Vec::new();
                for line in block {
                    match (line.strip_prefix("$ "), commands.last_mut()) {
                        (Some(command), _) => commands.push((command.to_owned(), String::new())),
                        (None, Some((_, shown))) => *shown += &format!("{line}\n"),
                        (None, None) => panic!("{}:{}: nothing says {line}", page.display(), at + 1),
                    }
                }
                all.push(Transcript { place: format!("{}:{}", page.display(), at + 1), spec: spec.clone(), commands });
            }
            _ => {}
        }
    }
    all
}

/// All blocks that show what their commands print.
fn shown() -> Vec<Transcript> {
    let chapters = fs::read_dir("docs/src").unwrap().map(|entry| entry.unwrap().path());
    let chapters = chapters.filter(|page| page.extension().is_some_and(|ending| ending == "md"));
    let mut pages: Vec<PathBuf> =
        ["README.md", "examples/README.md"].map(PathBuf::from).into_iter().chain(chapters).collect();
    pages.sort();
    pages.iter().flat_map(|page| transcripts(page)).filter(Transcript::is_run).collect()
}

#[test]
fn a_verdict_or_a_schedule_is_what_the_manual_shows() {
    let quick: Vec<Transcript> = shown().into_iter().filter(Transcript::is_quick).collect();
    assert!(quick.len() >= 8, "the examples are gone");
    quick.iter().for_each(Transcript::run);
}

#[test]
#[ignore = "every co-simulation of the manual: minutes; .ci/run includes it"]
fn co_simulations_and_syntheses_say_what_the_manual_shows() {
    let long: Vec<Transcript> = shown().into_iter().filter(|transcript| !transcript.is_quick()).collect();
    assert!(long.len() >= 12, "the examples are gone");
    let has_icestorm = common::has_icestorm();
    let is_run = |transcript: &&Transcript| {
        has_icestorm || transcript.commands.iter().all(|(command, _)| !command.contains("--bitstream"))
    };
    long.par_iter().filter(is_run).for_each(Transcript::run);
}

#[test]
fn a_difference_is_told() {
    let said = "cycles     12, 1.000\nbound      12\nholds\n";
    assert_eq!(missing("cycles 12, 1.000\nbound 12\n", said), None);
    assert_eq!(missing("cycles 12, …\n...\nholds\n", said), None);
    assert_eq!(missing("cycles 13, …\n", said), Some("cycles13,".to_owned()));
    assert_eq!(missing("holds\n...\ncycles 12\n", said), Some("cycles12".to_owned()));
    assert_eq!(missing("cycles 12, 1.000\nholds\n", said), Some("cycles12,1.000holds".to_owned()));
}
