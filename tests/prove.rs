//! The hardware has the properties that are proved of it, and the proofs reject hardware that has not.

use assert_cmd::cargo::cargo_bin_cmd;
use metronoc::prove::PROOFS;
use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;
use std::path::Path;
use std::process::Output;

fn metronoc(args: &[&str], folder: &Path) -> Output {
    cargo_bin_cmd!("metronoc").current_dir(folder).arg("--quiet").args(args).output().expect("it runs")
}

fn json(output: &Output) -> serde_json::Value {
    serde_json::from_slice(&output.stdout).expect("JSON")
}

#[test]
#[ignore = "all proofs: minutes; .ci/run includes it"]
fn every_case_is_proved() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let output = metronoc(&["prove", "--json"], folder.path());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let result = json(&output);
    let cases: usize = PROOFS.iter().map(|proof| proof.cases.len()).sum();
    assert_eq!((&result["passed"], &result["failed"]), (&cases.into(), &0.into()));
    for line in result["proofs"].as_array().expect("a list") {
        assert_eq!(line["verdict"], "proved", "{line}");
        // A step that assumes nothing would prove that nothing is remembered.
        assert!(line["k"].as_u64().is_some_and(|k| k >= 1), "{line}");
    }
}

#[test]
#[ignore = "all mutants of all proofs: minutes; .ci/run includes it"]
fn every_mutant_is_rejected() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let output = metronoc(&["prove", "--mutants", "--json"], folder.path());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let result = json(&output);
    let mutants: usize = PROOFS.iter().map(|proof| proof.mutants.len()).sum();
    assert_eq!(result["passed"], mutants);
    for line in result["proofs"].as_array().expect("a list") {
        assert_eq!(line["verdict"], "rejected", "{line}");
        assert!(line["failed"].as_array().is_some_and(|failed| !failed.is_empty()), "{line}");
    }
}

/// A generated folder is proved as it is; with a payload taken away, the report tells the property, what was sent, what
/// came, and where the waveform is.
#[test]
fn an_edited_folder_is_refuted_in_words() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let spec = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/d3-2-3.toml");
    assert!(metronoc(&["generate", spec, "-o", "net"], folder.path()).status.success());
    let prove = ["prove", "sv-router/d3-2-2-x1", "--rtl", "net"];
    assert!(metronoc(&prove, folder.path()).status.success());

    let file = folder.path().join("net/rtl/mn_sv_router.v");
    let text = std::fs::read_to_string(&file).expect("it is there");
    let payload = "local_i[x*LCW+W+GAW+:PIW], local_i[x*LCW+:W]}";
    assert!(text.contains(payload));
    let broken = text.replace(payload, "local_i[x*LCW+W+GAW+:PIW], {W{1'b0}}}");
    std::fs::write(&file, broken).expect("it can be written");
    cargo_bin_cmd!("metronoc")
        .current_dir(folder.path())
        .args(prove)
        .assert()
        .code(4)
        .stdout(contains("refuted").and(contains("sv-router/d3-2-2-x1")))
        .stderr(
            contains("sv-router/d3-2-2-x1 does not hold: an assertion fails in cycle")
                .and(contains("does not hold: A global channel shows exactly the one packet that asked for it"))
                .and(contains("gen_global[").and(contains("found 0x")).and(contains("expected 0x")))
                .and(contains("cycle 0: ").and(contains(" rst_i=1")).and(contains("local_i=0x")))
                .and(contains("waveform: sv-router-d3-2-2-x1.vcd")),
        );
    let trace = std::fs::read_to_string(folder.path().join("sv-router-d3-2-2-x1.vcd")).expect("a waveform");
    assert!(trace.contains("$scope module mn_prove_sv_router $end"));
}

#[test]
fn a_folder_without_the_module_and_unknown_targets_are_refused() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::create_dir(folder.path().join("rtl")).expect("a folder");
    let run = |args: &[&str], code: i32, says: &str| {
        cargo_bin_cmd!("metronoc").current_dir(folder.path()).args(args).assert().code(code).stderr(contains(says));
    };
    run(&["prove", "sv-router/d3-1-2-x1", "--rtl", "."], 3, "the hardware lacks `mn_");
    run(&["prove", "--rtl", "."], 3, "make the folder with `metronoc generate`");
    run(&["prove", "--rtl", "absent"], 8, "cannot read");
    run(&["prove", "router"], 2, "there is no target `router`");
    run(&["prove", "sv-router/d3-9-9"], 2, "take one of d3-1-2-x1");
}

#[test]
fn the_list_has_every_property_with_its_text() {
    let output = metronoc(&["prove", "--list", "--json"], Path::new("."));
    assert!(output.status.success());
    let targets = json(&output)["targets"].clone();
    assert_eq!(targets.as_array().map(Vec::len), Some(PROOFS.len()));
    assert!(targets[0]["properties"].as_array().is_some_and(|all| all.iter().all(|p| p["text"] != "")));
}
