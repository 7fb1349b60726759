//! Schedules in full in place of specifications, metronoc's own and another tool's, through every command.

use assert_cmd::Command;
use predicates::prelude::*;
use predicates::str::contains;
use std::fs;
use std::path::Path;

/// A ring of four nodes whose words go round it one way, and every node keeps a copy; written by hand.
const RING: &str = include_str!("../examples/ring.json");

fn metronoc(folder: &Path, args: &[&str]) -> assert_cmd::assert::Assert {
    Command::cargo_bin("metronoc").unwrap().current_dir(folder).args(args).assert()
}

#[test]
fn a_schedule_of_another_tool_is_built_and_agrees_with_the_model() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("ring.json"), RING).unwrap();
    let run = |args: &[&str]| metronoc(folder.path(), args);
    run(&["check", "ring.json"]).success().stdout(contains("all-gather").and(contains("cycles     3")));
    run(&["simulate", "ring.json", "--out", "y.npy"]).success().stdout(contains("as the collective is defined"));
    assert!(fs::read(folder.path().join("y.npy")).unwrap().windows(4).any(|bytes| bytes == b"(12,"));
    run(&["schedule", "ring.json"]).success().stdout(contains("0 [0] [1] 0"));
    run(&["report", "ring.json"]).success();
    run(&["generate", "ring.json", "-o", "rtl"]).success();
    let args = ["cosim", "ring.json", "--random", "--rtl", "rtl"];
    run(&args).success().stdout(contains("hardware and model agree: 2 collectives of 4 nodes"));

    // a row that selects nothing: said before the simulation, and found in it
    let image = folder.path().join("rtl/rom/table.hex");
    let rows = fs::read_to_string(&image).unwrap();
    let first = rows.lines().next().unwrap();
    let empty = format!("{}{}", &first[..2], "0".repeat(first.len() - 2));
    fs::write(&image, rows.replacen(first, &empty, 1)).unwrap();
    run(&args).code(5).stderr(contains("warning: ").and(contains("the slot table of node")).and(contains("differ at")));

    // two words on a channel in a cycle
    fs::write(folder.path().join("bad.json"), RING.replacen("[1,1,0]", "[0,0,3]", 1)).unwrap();
    run(&["generate", "bad.json", "-o", "bad"]).code(4).stderr(contains("does not hold"));
    assert!(!folder.path().join("bad").exists());
}

#[test]
fn a_schedule_that_was_exported_comes_back() {
    let folder = tempfile::tempdir().unwrap();
    let run = |args: &[&str]| metronoc(folder.path(), args);
    let spec = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/all-reduce.toml");
    run(&["schedule", spec, "--format", "json", "-o", "a.json"]).success();
    run(&["schedule", "a.json", "--format", "json", "-o", "b.json"]).success();
    assert_eq!(fs::read(folder.path().join("a.json")).unwrap(), fs::read(folder.path().join("b.json")).unwrap());
    run(&["simulate", "a.json"]).success().stdout(contains("as the collective is defined"));
    run(&["generate", "a.json", "-o", "rtl"]).success();
    run(&["multiply", "a.json"]).code(4).stderr(contains("no product of matrices"));
    // circuits, too
    let pops = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/pops.toml");
    run(&["schedule", pops, "--format", "json", "-o", "pops.json"]).success();
    run(&["check", "pops.json"]).success();
    run(&["schedule", "pops.json", "--format", "json", "-o", "again.json"]).success();
    assert_eq!(fs::read(folder.path().join("pops.json")).unwrap(), fs::read(folder.path().join("again.json")).unwrap());
    run(&["simulate", "pops.json"]).success().stdout(contains("as the collective is defined"));
    run(&["generate", "pops.json", "-o", "circuits"]).success();
}
