//! Schedules in full: written, read and judged, and broken in every way that the judge names.

use assert_cmd::cargo::cargo_bin_cmd;
use metronoc::check::judge::{Fault, judge};
use metronoc::program::Document;
use predicates::prelude::PredicateBooleanExt as _;
use predicates::str::contains;
use serde_json::{Value, json};
use std::path::Path;

/// One specification of each family, and of each form that the exchange format has.
const SPECS: [&str; 16] = [
    "examples/d3-2-3.toml",
    "examples/d3-xor.toml",
    "examples/pipelined.toml",
    "examples/embedded.toml",
    "examples/broken-router.toml",
    "examples/broadcast.toml",
    "examples/embedded-broadcast.toml",
    "examples/endpoint-copies.toml",
    "examples/all-reduce.toml",
    "tests/specs/ok/prefix-scan.toml",
    "tests/specs/ok/embed-table.toml",
    "examples/bitonic-sort.toml",
    "examples/matrix-matrix.toml",
    "tests/specs/ok/transpose.toml",
    "examples/pops.toml",
    "tests/specs/ok/pops-all-to-all.toml",
];

fn exported(spec: &str) -> Vec<u8> {
    let mut command = cargo_bin_cmd!("metronoc");
    let output = command.args(["schedule", spec, "--format", "json"]).output().unwrap();
    assert!(output.status.success(), "{spec}: {}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

fn document(spec: &str) -> Document {
    Document::read(&exported(spec)).unwrap()
}

#[test]
fn every_export_holds_and_is_written_again_byte_by_byte() {
    for spec in SPECS {
        let text = exported(spec);
        let document = Document::read(&text).unwrap();
        let account = judge(&document).unwrap_or_else(|fault| panic!("{spec}: {fault}"));
        assert!(account.known_topology && account.transfers > 0, "{spec}");
        let mut again = Vec::new();
        document.write(&mut again).unwrap();
        assert!(text == again, "{spec}: export, import and export differ");
    }
}

/// The fault of an export of `spec` that `change` has broken.
fn broken(spec: &str, change: impl FnOnce(&mut Document)) -> Fault {
    let mut document = document(spec);
    change(&mut document);
    judge(&document).expect_err(spec)
}

macro_rules! fails {
    ($spec:expr, $fault:pat, $change:expr) => {
        let fault = broken($spec, $change);
        assert!(matches!(fault, $fault), "{}: {fault}", $spec);
    };
}

#[test]
fn whatever_is_broken_is_named() {
    let d3 = "examples/d3-2-3.toml";
    fails!(d3, Fault::Malformed { .. }, |d| d.switching = "wormhole".into());
    fails!(d3, Fault::Malformed { .. }, |d| d.transfers[0].1 = 9999);
    fails!(d3, Fault::Malformed { .. }, |d| d.packets[1].id = d.packets[0].id);
    fails!(d3, Fault::Malformed { .. }, |d| d.network["k"] = json!(0));
    fails!(d3, Fault::Network { .. }, |d| d.channels.push((0, 17)));
    fails!(d3, Fault::Network { .. }, |d| d.nodes.swap(0, 1));
    // no sizes for exclusive or
    fails!(d3, Fault::Malformed { .. }, |d| d.network["group"] = json!("xor"));
    fails!(d3, Fault::Conflict { period: None, .. }, |d| d.transfers[1].1 = d.transfers[0].1);
    fails!(d3, Fault::Conflict { period: Some(11), .. }, |d| d.repeat_every = Some(11));
    fails!(d3, Fault::Cycles { declared: 13, found: 12 }, |d| d.cycles = 13);
    fails!(d3, Fault::Traffic { found: 0, wanted: 1, .. }, |d| {
        let gone = d.packets.pop().unwrap().id;
        d.transfers.retain(|transfer| transfer.2 != gone);
    });
    fails!(d3, Fault::Traffic { .. }, |d| d.collective = json!({"kind": "gather", "root": 2}));
    // the wait of a packet that pauses nowhere near a loopback, as the only change
    fails!(d3, Fault::Waits { .. } | Fault::Conflict { .. }, |d| d.transfers.last_mut().unwrap().0 += 1);
    fails!("examples/broadcast.toml", Fault::Waits { .. }, |d| d.waiting = false);
    fails!("examples/pops.toml", Fault::Traffic { .. }, |d| d.collective["permutation"] = json!(vec![0; 64]));
    fails!("examples/pops.toml", Fault::Conflict { .. }, |d| d.repeat_every = Some(1));
    let sums = "examples/all-reduce.toml";
    fails!(sums, Fault::Operation { .. }, |d| d.ops.as_mut().unwrap()[0].cycle = 0);
    fails!(sums, Fault::Operation { .. }, |d| d.ops.as_mut().unwrap()[0].node += 1);
    fails!(sums, Fault::Result { .. }, |d| d.ops.as_mut().unwrap()[40].inputs.truncate(1));
    fails!(sums, Fault::Result { .. }, |d| {
        let op = &mut d.ops.as_mut().unwrap()[40];
        op.inputs.push(op.inputs[0]);
    });
    fails!(sums, Fault::Malformed { .. }, |d| d.ops.as_mut().unwrap()[1].packet = d.ops.as_mut().unwrap()[0].packet);
    fails!(sums, Fault::Result { .. }, |d| d.collective["kind"] = json!("prefix-scan"));
    fails!(sums, Fault::Malformed { .. }, |d| d.network["embed"] = json!(vec![json!({"c": [0], "dp": [0, 1]}); 2]));
}

#[test]
fn no_transfer_can_be_left_out_or_come_a_cycle_early() {
    for spec in SPECS {
        let good = document(spec);
        let step = (good.transfers.len() / 7).max(1);
        for at in (0..good.transfers.len()).step_by(step) {
            let mut less = good.clone();
            less.transfers.remove(at);
            // a copy that the network makes twice is not missed where only one of the two is gone
            if let Ok(account) = judge(&less) {
                let whole = judge(&good).unwrap();
                assert!(account.repeated_arrivals < whole.repeated_arrivals, "{spec}: without transfer {at}");
            }
            let mut early = good.clone();
            early.transfers[at].0 = early.transfers[at].0.wrapping_sub(1);
            let moved = good.packets.iter().find(|packet| packet.id == good.transfers[at].2).unwrap();
            let from = good.channels[good.transfers[at].1 as usize].0;
            // a packet may leave its source, or a place where it waits, earlier if its channel is free
            if !good.waiting && from != moved.src || good.transfers[at].0 == 0 {
                assert!(judge(&early).is_err(), "{spec}: transfer {at} a cycle early");
            }
        }
    }
}

fn check(file: &Path) -> assert_cmd::assert::Assert {
    cargo_bin_cmd!("metronoc").arg("check").arg(file).assert()
}

#[test]
fn files_of_others_are_judged_by_the_command() {
    let folder = tempfile::TempDir::new().unwrap();
    let file = folder.path().join("schedule.json");
    let write = |value: &Value| std::fs::write(&file, value.to_string()).unwrap();
    // a gather to the middle of a line of three, of latencies 1 and 2, on a topology that is not known by name
    let mut value = json!({
        "format": "metronoc-schedule/1",
        "network": {"topology": "graph", "ports": "one"},
        "collective": {"kind": "gather", "root": 1},
        "switching": "hop",
        "nodes": [["a"], ["b"], ["c"]],
        "channels": [[0, 1], [2, 1]],
        "latency": [1, 2],
        "packets": [{"id": 7, "src": 0, "dsts": [1]}, {"id": 9, "src": 2, "dsts": [1]}],
        "transfers": [[0, 0, 7], [0, 1, 9]],
        "cycles": 2
    });
    write(&value);
    check(&file).success().stdout(contains("as the file lists them").and(contains("2, 1.000 times")));
    let collective = value["collective"].take();
    value["collective"] = json!({"kind": "broadcast", "count": 1_u64 << 63});
    write(&value);
    check(&file).failure().stderr(contains("the broadcast is of 9223372036854775808 words"));
    value["collective"] = collective;
    value["transfers"] = json!([[0, 1, 9], [1, 0, 7]]);
    write(&value);
    check(&file).code(4).stderr(contains("packets 9 and 7 both want the input of b in cycle 1"));
    value["format"] = json!("metronoc-schedule/2");
    write(&value);
    check(&file).code(3).stderr(contains("the format is `metronoc-schedule/2`"));
    std::fs::write(&file, "{\"format\": 3").unwrap();
    check(&file).code(3).stderr(contains("line 1 column 12"));
    check(&folder.path().join("none.json")).code(8).stderr(contains("cannot read"));
    let ours = folder.path().join("ours.json");
    std::fs::write(&ours, exported("examples/all-reduce.toml")).unwrap();
    check(&ours).success().stdout(contains("swapped-dragonfly: 32 nodes").and(contains("1280 operations")));
}

#[test]
fn both_judges_speak_in_one_command() {
    let mut command = cargo_bin_cmd!("metronoc");
    command
        .args(["check", "examples/matrix-matrix.toml"])
        .assert()
        .success()
        .stdout(contains("followed one by one, too"));
    let mut command = cargo_bin_cmd!("metronoc");
    let output = command.args(["check", "examples/pops.toml", "--json"]).output().unwrap();
    let verdict: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(verdict["one_by_one"]["packets"], 63);
    assert_eq!(verdict["one_by_one"]["cycles"], verdict["cycles"]);
}
