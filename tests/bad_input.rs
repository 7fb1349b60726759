//! Inputs that nobody means: each is refused at its place, none is taken for another, and none takes memory before it is refused.

use assert_cmd::assert::Assert;
use assert_cmd::cargo::cargo_bin_cmd;
use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

fn metronoc(folder: &Path, args: &[&str]) -> Assert {
    cargo_bin_cmd!("metronoc").current_dir(folder).args(args).assert()
}

/// Folder with the specification `x.toml` of a network and a collective.
fn folder(network: &str, collective: &str) -> TempDir {
    let folder = TempDir::new().unwrap();
    let text = format!("format = 1\n[network]\n{network}\n[collective]\n{collective}\n");
    fs::write(folder.path().join("x.toml"), text).unwrap();
    folder
}

/// The schedule in full of a collective on a ring of four nodes, changed.
fn changed(collective: &str, change: impl Fn(&mut Value)) -> TempDir {
    let folder = folder("topology = \"ring\"\nnodes = 4", collective);
    let text =
        metronoc(folder.path(), &["schedule", "x.toml", "--format", "json"]).success().get_output().stdout.clone();
    let mut document: Value = serde_json::from_slice(&text).unwrap();
    change(&mut document);
    fs::write(folder.path().join("x.json"), document.to_string()).unwrap();
    folder
}

#[test]
fn names_that_break_a_line_never_reach_the_verilog() {
    let graph = folder("topology = \"graph\"\nfile = \"net.json\"", "kind = \"broadcast\"");
    let network = json!({ "nodes": ["a\nmodule evil;", "b"], "channels": [[0, 1], [1, 0]] });
    fs::write(graph.path().join("net.json"), network.to_string()).unwrap();
    for command in [&["check"][..], &["generate", "-o", "rtl"]] {
        metronoc(graph.path(), &[command, &["x.toml"]].concat())
            .code(3)
            .stderr(contains("net.json:1").and(contains("line end")));
    }
    fs::write(graph.path().join("net.csv"), "a\u{1b}[31m,b\nb,a\u{1b}[31m\n").unwrap();
    fs::write(
        graph.path().join("x.toml"),
        "format = 1\n[network]\ntopology = \"graph\"\nfile = \"net.csv\"\n[collective]\nkind = \"broadcast\"\n",
    )
    .unwrap();
    metronoc(graph.path(), &["check", "x.toml"]).code(3).stderr(contains("net.csv:1").and(contains("\u{1b}").not()));
    let document = changed("kind = \"broadcast\"", |document| document["nodes"][0] = "a\nmodule evil;".into());
    metronoc(document.path(), &["generate", "-o", "rtl", "x.json"]).code(3).stderr(contains("control character"));
}

#[test]
fn standard_input_is_no_file_of_this_name() {
    let folder = folder("topology = \"ring\"\nnodes = 4", "kind = \"broadcast\"");
    fs::write(folder.path().join("-"), "").unwrap();
    let spec = fs::read(folder.path().join("x.toml")).unwrap();
    let mut check = cargo_bin_cmd!("metronoc");
    check.current_dir(folder.path()).args(["check", "-"]).write_stdin(spec).assert().success();
    metronoc(folder.path(), &["simulate", "x.toml", "--out", "-"]).code(2).stderr(contains("name a file"));
}

#[test]
fn schedules_in_full_mean_what_they_say() {
    let sums = changed("kind = \"all-reduce\"", |document| document["collective"]["op"] = "product".into());
    for command in [&["simulate"][..], &["generate", "-o", "rtl"]] {
        metronoc(sums.path(), &[command, &["x.json"]].concat())
            .failure()
            .stderr(contains("\"product\"").and(contains("\"xor\"")));
    }
    let pairs = changed("kind = \"h-relation\"\ndemands = [[0, 1], [2, 3]]", |document| {
        document["collective"]["demands"][0] = json!([0, 1, 7]);
    });
    metronoc(pairs.path(), &["check", "x.json"]).failure().stderr(contains("lists no numbers of terminals"));
}

#[test]
fn sizes_that_take_gigabytes_are_refused_at_once() {
    let pops = |d: u32, g: u32| {
        folder(&format!("topology = \"pops\"\nd = {d}\ng = {g}"), "kind = \"permutation\"\npattern = \"reversal\"")
    };
    for (d, g) in [(1, 1 << 20), (1 << 15, 1)] {
        metronoc(pops(d, g).path(), &["simulate", "x.toml"])
            .code(4)
            .stderr(contains("x.toml:3").and(contains("help: ")));
    }
    // all couplers are simulated, and none has more ports than its processors
    metronoc(pops(1, 1 << 10).path(), &["simulate", "x.toml"]).success();
    let ring = folder("topology = \"ring\"\nnodes = 65536", "kind = \"permutation\"\npattern = \"reversal\"");
    metronoc(ring.path(), &["check", "x.toml"]).code(4).stderr(contains("4294967296 distances"));
    let nodes = |nodes: u32| folder(&format!("topology = \"ring\"\nnodes = {nodes}"), "kind = \"broadcast\"");
    for (count, help) in [(1, "two nodes or more"), (1025, "take a smaller network")] {
        metronoc(nodes(count).path(), &["generate", "-o", "rtl", "x.toml"])
            .code(4)
            .stderr(contains("x.toml:3").and(contains(help)));
    }
}

#[test]
fn what_an_option_does_not_mean_is_refused() {
    let traffic = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/examples"));
    let given: [&[&str]; 4] = [&["--fault", "router=0"], &["--data", "x.npy"], &["--out", "never.npy"], &["--stats"]];
    for option in given {
        let args = [&["simulate", "pops-dynamic.toml"], option].concat();
        metronoc(traffic, &args).code(2).stderr(contains(format!("traffic has no use for `{}`", option[0])));
    }
    let here = TempDir::new().unwrap();
    metronoc(here.path(), &["new", "torus", "--seed", "9223372036854775808"]).code(2);
    metronoc(here.path(), &["new", "fat-cube", "--collective", "reduce"]).code(2).stderr(contains("write one of"));
    metronoc(here.path(), &["new", "torus", "--collective", "reduce"]).success();
}

#[test]
fn a_failed_regression_is_one_object() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("x.toml"), "garbage").unwrap();
    let output = metronoc(folder.path(), &["regress", ".", "--json"]).code(3).get_output().stdout.clone();
    let result: Value = serde_json::from_slice(&output).unwrap();
    assert_eq!((&result["passed"], &result["failed"]), (&json!(0), &json!(1)));
}
