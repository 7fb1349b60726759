//! The command line as a user sees it: every line of `cli/*.trycmd` is run and its output compared. `TRYCMD=overwrite
//! cargo test --test cli` writes what is expected anew.

use assert_cmd::cargo::cargo_bin_cmd;
use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;
use std::io::Read;
use std::process::{Command, Stdio};

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

/// A schedule in full takes seconds to write, which is time to interrupt it.
#[test]
fn an_interrupt_leaves_nothing_behind() {
    let folder = tempfile::TempDir::new().unwrap();
    let spec = folder.path().join("x.toml");
    std::fs::write(&spec, "format = 1\nnetwork = { topology = \"swapped-dragonfly\", k = 16, m = 12 }\n").unwrap();
    let files = || std::fs::read_dir(folder.path()).unwrap().count();
    // A script's background job ignores an interrupt, and nohup's a hangup; another signal cleans up all the same.
    for ignored in ["", "INT", "HUP"] {
        let mut child = Command::new("sh")
            .args(["-c", "for signal in $0; do trap '' $signal; done; exec \"$@\"", ignored])
            .args([env!("CARGO_BIN_EXE_metronoc"), "schedule", "--format", "json", "-o"])
            .args([folder.path().join("x.json"), spec.clone()])
            .spawn()
            .unwrap();
        while files() == 1 && child.try_wait().unwrap().is_none() {
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        assert!(Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap().success());
        assert_eq!(child.wait().unwrap().code(), Some(130), "while ignoring {ignored}");
        assert_eq!(files(), 1);
    }
}
