//! The command line as a user sees it: every line of `cli/*.trycmd` is run and its output compared. `TRYCMD=overwrite
//! cargo test cli::` writes what is expected anew.

use assert_cmd::cargo::cargo_bin_cmd;
use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;
use std::fs;
use std::io::{BufRead, Read};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

#[test]
fn transcripts() {
    trycmd::TestCases::new().case("tests/cli/*.trycmd");
}

/// A reader that stops early ends the program quietly: nothing on standard error, and no failure.
#[test]
fn a_closed_pipe_is_no_error() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_metronoc"))
        .args(["new", "--schema"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut said = String::new();
    child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    assert_eq!((child.wait().unwrap().code(), said.as_str()), (Some(0), ""));
}

#[test]
fn a_full_disk_is_an_error_of_its_own() {
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_metronoc")).args(["new", "--schema"]).stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(8));
    cargo_bin_cmd!("metronoc")
        .args(["new", "swapped-dragonfly", "-o", "/dev/full"])
        .assert()
        .code(8)
        .stderr(contains("cannot write `/dev/full`").and(contains("help: ")));
}

#[test]
fn colours_are_for_those_who_ask() {
    let run = |color| {
        let args = ["new", "swapped-dragonfly", "-o", "no/such/folder/x", "--color", color];
        String::from_utf8(Command::new(env!("CARGO_BIN_EXE_metronoc")).args(args).output().unwrap().stderr).unwrap()
    };
    assert!(run("always").contains("\u{1b}["));
    assert!(!run("never").contains("\u{1b}["));
    assert!(!run("auto").contains("\u{1b}["), "standard error is no terminal here");
}

#[test]
fn a_specification_comes_from_standard_input() {
    let run = |text: &str, args: &[&str]| {
        let mut command = cargo_bin_cmd!("metronoc");
        command.args(args).arg("-").current_dir("examples").write_stdin(text);
        command.assert()
    };
    let network = "format = 1\n[network]\ntopology = \"graph\"\nfile = \"graph.csv\"\n";
    run(network, &["check", "--json"]).success().stdout(contains("\"cycles\""));
    run(&network.replace("graph.csv", "absent.csv"), &["check"]).code(3).stderr(contains("<standard input>:4:"));
    run("format = 2", &["check"]).code(3).stderr(contains("<standard input>:1:"));
}

#[test]
fn a_starter_is_written_once_and_again_only_if_forced() {
    let folder = tempfile::TempDir::new().unwrap();
    let file = folder.path().join("x.toml");
    let run = |more: &[&str]| {
        let mut command = cargo_bin_cmd!("metronoc");
        command.args(["new", "swapped-dragonfly", "-q", "-o"]).arg(&file).args(more);
        command.assert()
    };
    run(&[]).success().stdout("").stderr("");
    std::fs::write(&file, "mine").unwrap();
    run(&[]).code(2).stderr(contains("exists").and(contains("--force")));
    assert_eq!(std::fs::read(&file).unwrap(), b"mine");
    run(&["--force"]).success();
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(metronoc::spec::Spec::parse("x", &text).is_ok());
}

/// Starts the program in a folder, with signals ignored as a background job or nohup does.
fn start(folder: &Path, ignored: &str, args: &[&str], tools: &[&str]) -> Child {
    let mut command = Command::new("sh");
    command.args(["-c", "for signal in $0; do trap '' $signal; done; exec \"$@\"", ignored]);
    command.arg(env!("CARGO_BIN_EXE_metronoc")).args(args).arg("-q").current_dir(folder);
    command.env("TMPDIR", folder.join("tmp")).env("METRONOC_CACHE", folder.join("cache"));
    for tool in tools {
        command.env(format!("METRONOC_{tool}"), folder.join("tool"));
    }
    command.stderr(Stdio::null()).spawn().unwrap()
}

fn signal(name: &str, process: u32) -> bool {
    let killed = Command::new("kill").args([name, &process.to_string()]).stderr(Stdio::null()).status();
    killed.unwrap().success()
}

fn wait_for(condition: impl Fn() -> bool) -> bool {
    let begin = Instant::now();
    while !condition() && begin.elapsed() < Duration::from_secs(20) {
        std::thread::sleep(Duration::from_millis(2));
    }
    condition()
}

/// A folder with a network of `k` and `m`, and a folder `tmp`.
fn folder_with_network(k: u32, m: u32) -> TempDir {
    let folder = TempDir::new().unwrap();
    let text = format!("format = 1\nnetwork = {{ topology = \"swapped-dragonfly\", k = {k}, m = {m} }}\n");
    fs::write(folder.path().join("x.toml"), text).unwrap();
    fs::create_dir(folder.path().join("tmp")).unwrap();
    folder
}

fn names(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.filter(|name| name != "cache").collect();
    names.sort();
    names
}

/// A schedule in full takes seconds to write, and a folder of hundreds of files some time, which is time to interrupt it.
#[test]
fn an_interrupt_leaves_nothing_behind() {
    let folder = folder_with_network(16, 12);
    let small = folder_with_network(4, 4);
    let schedule = ["schedule", "--format", "json", "-o", "x.json", "x.toml"];
    let generate = ["generate", "x.toml", "-o", "rtl"];
    // A script's background job ignores an interrupt, and nohup's a hangup; another signal cleans up all the same.
    let trials = ["", "INT", "HUP"].map(|ignored| (&folder, &schedule[..], ignored)).into_iter();
    for (folder, args, ignored) in trials.chain([(&small, &generate[..], ""); 8]) {
        let path = folder.path();
        let mut child = start(path, ignored, args, &[]);
        assert!(wait_for(|| names(path).len() > 2), "{args:?} writes nothing");
        signal("-TERM", child.id());
        match child.wait().unwrap().code() {
            // it was interrupted after its work: the folder is whole
            Some(130) if path.join("rtl/manifest.json").exists() => {
                cargo_bin_cmd!("metronoc").current_dir(path).args(args).assert().success();
                fs::remove_dir_all(path.join("rtl")).unwrap();
            }
            Some(130) => assert_eq!(names(path), ["tmp", "x.toml"], "{args:?} while ignoring {ignored}"),
            Some(0) => fs::remove_dir_all(path.join("rtl")).unwrap(), // it was too fast
            other => panic!("{args:?}: {other:?}"),
        }
    }
}

/// The first interrupt of a search takes the best schedule so far.
#[test]
fn an_interrupted_search_gives_its_best() {
    let folder = TempDir::new().unwrap();
    let spec =
        "format = 1\n[network]\ntopology = \"kautz\"\ndegree = 2\ndiameter = 4\n[schedule]\ntime_limit_s = 600\n";
    fs::write(folder.path().join("x.toml"), spec).unwrap();
    // tests that run in the background of a shell ignore interrupts, and so would the search
    let mut command = Command::new("env");
    command.args(["--default-signal=INT", env!("CARGO_BIN_EXE_metronoc"), "-v", "schedule", "x.toml"]);
    command.args(["--format", "json", "-o", "x.json"]).current_dir(folder.path());
    let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = std::io::BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
    assert!(lines.any(|line| line.contains("searching")), "no search begins");
    signal("-INT", child.id());
    assert!(lines.any(|line| line.contains("cycles are the best so far")), "the search goes on");
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert!(folder.path().join("x.json").exists());
}

/// The programs of a synthesis and of a co-simulation.
const TOOLS: [&str; 4] = ["VERILATOR", "YOSYS", "NEXTPNR_ECP5", "ECPPACK"];

/// Writes the script `tool`, which tells a version that each of [`TOOLS`] may have and does what `work` says.
///
/// A shell writes it: while a file is open for writing here, what other tests start may have it open, too, and it cannot be run.
fn write_tool(folder: &Path, work: &str) {
    let versions = "case $1 in -V) echo Yosys 0.70; exit;; --version) echo 'Verilator 5.048 Version 1.4 (Version nextpnr-0.11)'; exit;; esac";
    let mut shell = Command::new("sh");
    shell.args(["-c", "printf '#!/bin/sh\\n%s\\n%s\\n' \"$1\" \"$2\" > \"$0\" && chmod 755 \"$0\""]);
    assert!(shell.arg(folder.join("tool")).args([versions, work]).status().unwrap().success());
}

/// True if a process has not ended.
fn runs_on(process: u32) -> bool {
    let state = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    state.rsplit(')').next().is_some_and(|rest| !rest.is_empty() && !rest.trim_start().starts_with('Z'))
}

/// A tool that starts another, as Verilator does, ends with the command, and so does the other; nothing is left of their work, or
/// nothing after the next command if this one was killed.
#[test]
fn tools_end_with_the_command() {
    let folder = folder_with_network(2, 2);
    let path = folder.path();
    write_tool(path, "sleep 1000 &\necho $$ $! > \"$TMPDIR/../started\"\nwait");
    let started = path.join("started");
    let processes = || -> Vec<u32> {
        fs::read_to_string(&started).unwrap().split_whitespace().map(|word| word.parse().unwrap()).collect()
    };
    let synth = ["synth", "x.toml", "--board", "ulx3s"];
    for (args, how) in [
        (&synth[..], "-TERM"),
        (&["cosim", "x.toml", "--random"], "-TERM"),
        (&["regress", "."], "-TERM"),
        (&["regress", "."], "-KILL"),
        (&synth, "-KILL"),
    ] {
        let mut child = start(path, "", args, &TOOLS);
        assert!(wait_for(|| fs::read_to_string(&started).is_ok_and(|text| text.ends_with('\n'))), "{args:?}");
        signal(how, child.id());
        assert_eq!(child.wait().unwrap().code(), (how == "-TERM").then_some(130), "{args:?}");
        let processes = processes();
        assert_eq!(processes.len(), 2);
        assert!(wait_for(|| processes.iter().all(|&process| !runs_on(process))), "{args:?}, {how}: {processes:?}");
        fs::remove_file(&started).unwrap();
        let left = names(&path.join("tmp"));
        assert_eq!(left.len(), usize::from(args == synth && how == "-KILL"), "{args:?}, {how}: {left:?}");
    }
    // the next removes what the killed one left, and leaves its own log to the user
    write_tool(path, "exit 1");
    let stale = names(&path.join("tmp"));
    for kept in [1, 2] {
        assert_eq!(start(path, "", &synth, &TOOLS).wait().unwrap().code(), Some(6));
        let left = names(&path.join("tmp"));
        assert!(left.len() == kept && !left.contains(&stale[0]), "{left:?}");
    }
}

/// A command that is killed by its tool, as the tool's first work, leaves nothing of the tool.
#[test]
fn a_tool_ends_with_a_command_that_is_killed_at_once() {
    let folder = folder_with_network(2, 2);
    let path = folder.path();
    write_tool(path, "echo $$ > \"$TMPDIR/../started\"\nkill -KILL $PPID\nexec sleep 1000");
    for _ in 0..50 {
        let killed = start(path, "", &["synth", "x.toml", "--board", "ulx3s"], &TOOLS).wait().unwrap();
        assert_eq!(killed.signal(), Some(9));
        let process = fs::read_to_string(path.join("started")).unwrap().trim().parse().unwrap();
        assert!(wait_for(|| !runs_on(process)), "{process}");
    }
}
