//! The library in one call: every kind of work is compiled, simulated and emitted; what cannot be is refused with its reason.

#[path = "../examples/compile.rs"]
mod example;

use assert_cmd::cargo::cargo_bin_cmd;
use metronoc::collective::Words;
use metronoc::{Compiled, compile};
use std::path::Path;

/// One specification of each kind of work, and a schedule in full.
const SPECS: [&str; 8] = [
    "examples/d3-2-3.toml",
    "examples/broadcast.toml",
    "examples/all-reduce.toml",
    "examples/matrix-matrix.toml",
    "examples/pops.toml",
    "examples/torus.toml",
    "examples/sequence.toml",
    "examples/ring.json",
];

fn compiled(spec: &str) -> Compiled {
    compile(Path::new(spec)).unwrap_or_else(|error| panic!("{spec}: {error}"))
}

#[test]
fn every_kind_of_work_is_simulated_and_emitted() {
    for spec in SPECS {
        let compiled = compiled(spec);
        let words = compiled.random_words(3);
        let results = compiled.simulate(&words).unwrap();
        assert_eq!(results.to_vec(), compiled.expected(&words).to_vec(), "{spec}");
        assert!(u64::from(compiled.cycles()) >= compiled.bounds().largest(), "{spec}");
        assert!(compiled.verdict().contains(&compiled.cycles().to_string()), "{spec}");
        assert!(compiled.verilog().unwrap().files().any(|(name, _)| name == "rtl/mn_top.v"), "{spec}");
    }
}

/// The library and the commands are one pipeline: the same bytes come out.
#[test]
fn the_library_gives_what_the_commands_write() {
    let folder = tempfile::tempdir().unwrap();
    for spec in ["examples/d3-2-3.toml", "examples/embedded.toml"] {
        let compiled = compiled(spec);
        let file = folder.path().join("schedule.json");
        let mut schedule = cargo_bin_cmd!("metronoc");
        schedule.args(["schedule", spec, "--format", "json", "--force", "-o"]).arg(&file).assert().success();
        assert!(std::fs::read(&file).unwrap() == compiled.schedule().unwrap(), "{spec}");
        let rtl = folder.path().join("rtl");
        cargo_bin_cmd!("metronoc").args(["generate", spec, "--force", "-o"]).arg(&rtl).assert().success();
        for (name, text) in compiled.verilog().unwrap().files() {
            assert!(std::fs::read_to_string(rtl.join(name)).unwrap() == text, "{spec}: {name}");
        }
    }
}

#[test]
fn other_data_and_other_specifications_are_refused() {
    let d3 = compiled("examples/d3-2-3.toml");
    let error = d3.simulate(&Words::U16(vec![0; 7])).unwrap_err();
    assert!(error.to_string().contains("7 words"), "{error}");
    let error = compile("format = 1\n[network]\ntopology = \"no-such\"").unwrap_err();
    assert!(error.into_diagnostics()[0].render(false).contains("no-such"));
    assert!(compile(Path::new("examples/pops-dynamic.toml")).is_err(), "traffic has no schedule");
}

#[test]
fn the_example_is_short_and_runs() {
    assert!(std::fs::read_to_string("examples/compile.rs").unwrap().lines().count() < 40);
    let _ = example::main;
    example::run(Path::new("examples/d3-2-3.toml")).unwrap();
    let error = example::run(Path::new("examples/no-such.toml")).unwrap_err();
    assert!(error.to_string().contains("no-such"), "{error}");
}

#[test]
fn manual_pages_are_of_every_command_in_the_help() {
    let folder = tempfile::tempdir().unwrap();
    cargo_bin_cmd!("metronoc").arg("man").arg(folder.path()).assert().success();
    for page in ["metronoc", "metronoc-check", "metronoc-cosim", "metronoc-completions"] {
        let text = std::fs::read_to_string(folder.path().join(format!("{page}.1"))).unwrap();
        assert!(text.contains(".SH SYNOPSIS"), "{page}");
    }
    assert!(!folder.path().join("metronoc-man.1").exists(), "a hidden command has no page");
    let folder_again = || cargo_bin_cmd!("metronoc").arg("man").arg(folder.path()).assert();
    folder_again().success();
    let file = folder.path().join("metronoc.1");
    std::fs::write(&file, "notes of a user").unwrap();
    folder_again().failure();
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "notes of a user");
    cargo_bin_cmd!("metronoc").arg("man").arg(file).assert().code(8);
}
