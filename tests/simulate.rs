//! The cycle simulator by itself: results, statistics and faults.

use assert_cmd::cargo::cargo_bin_cmd;
use metronoc::program::{Origin, Program, Switching, Train, Who};
use metronoc::simulate::{Data, SimulateError, Simulation};
use metronoc::topology::SwappedDragonfly;
use metronoc::topology::swapped_dragonfly::Group;
use metronoc::{id::NodeId, program::Operation};
use ndarray::Array2;
use ndarray_npy::ReadNpyExt;
use predicates::str::contains;
use serde_json::Value;
use std::fs::File;

fn simulate(args: &[&str]) -> assert_cmd::assert::Assert {
    cargo_bin_cmd!("metronoc").arg("simulate").args(args).assert()
}

fn json(args: &[&str]) -> Value {
    let output = cargo_bin_cmd!("metronoc").args(["simulate", "--json"]).args(args).output().unwrap();
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn every_collective_ends_with_its_own_result() {
    let specs = [
        "examples/d3-xor.toml",
        "examples/streaming.toml",
        "examples/broadcast.toml",
        "examples/endpoint-copies.toml",
        "examples/all-reduce.toml",
        "examples/bitonic-sort.toml",
        "tests/specs/ok/prefix-scan.toml",
        "examples/pops.toml",
        "tests/specs/ok/pops-all-to-all.toml",
        "tests/specs/ok/pops-relation.toml",
        "examples/matrix-matrix.toml",
        "tests/specs/ok/matrix-vector.toml",
        "tests/specs/ok/vector-matrix.toml",
        "tests/specs/ok/transpose.toml",
    ];
    let folder = tempfile::TempDir::new().unwrap();
    let out = folder.path().join("y.npy");
    for spec in specs {
        // with arrays, and with words by a rule where there are messages
        simulate(&[spec, "--out", out.to_str().unwrap(), "--force"])
            .success()
            .stdout(contains("as the collective is defined"));
        simulate(&[spec]).success().stdout(contains("as the collective is defined"));
    }
    let data = ["examples/matrix-matrix.toml", "--data", "examples/d3-2-3.npy"];
    simulate(&data).code(2).stderr(contains("name them with `--a` and `--b`"));
    simulate(&["examples/pops-dynamic.toml"]).success().stdout(contains("throughput"));
}

#[test]
fn an_all_to_all_transposes_the_array() {
    let folder = tempfile::TempDir::new().unwrap();
    let out = folder.path().join("y.npy");
    simulate(&["examples/d3-2-3.toml", "--data", "examples/d3-2-3.npy", "--out", out.to_str().unwrap()]).success();
    let read = |path: &str| Array2::<u16>::read_npy(File::open(path).unwrap()).unwrap();
    assert_eq!(read(out.to_str().unwrap()), read("examples/d3-2-3.npy").t());
}

#[test]
fn crossings_are_counted_apart_from_arrivals() {
    let run = json(&["examples/d3-2-3.toml"]);
    let of = |key: &str| run["statistics"][key].as_u64().unwrap();
    assert_eq!((of("crossings"), of("arrivals"), of("cycles"), of("channels")), (702, 324, 12, 66));
    let latency = run["statistics"]["latency"].as_array().unwrap();
    let packets: u64 = latency.iter().map(|bin| bin["packets"].as_u64().unwrap()).sum();
    assert_eq!(packets, 324);
}

#[test]
fn faults_raise_the_bits_of_the_hardware() {
    let spec = "examples/d3-2-3.toml";
    // a word is lost: one word is missing, at the end of its way
    let run = json(&[spec, "--fault", "channel=0.0.0>0.0.1,cycle=2"]);
    assert_eq!((&run["wrong"], &run["raised"][0]["bit"]), (&Value::from(1), &Value::from("missing")));
    // the channel is dead in every cycle: as many words as it carries
    let run = json(&[spec, "--fault", "channel=0.0.0>0.0.1"]);
    assert_eq!((run["wrong"].as_u64(), run["raised"].as_array().unwrap().len()), (Some(12), 12));
    // a flipped bit arrives
    let run = json(&[spec, "--fault", "channel=0.0.0>0.0.1,cycle=2,bit=3"]);
    assert_eq!((&run["wrong"], &run["raised"][0]["bit"]), (&Value::from(1), &Value::from("parity")));
    assert_eq!(run["statistics"]["arrivals"], 324);
    // a dead router loses its own words and all that it passes on
    let run = json(&[spec, "--fault", "router=0.1.2"]);
    assert!(run["wrong"].as_u64().unwrap() > 18);
    // a sum without a term is missing everywhere
    let run = json(&["examples/all-reduce.toml", "--fault", "router=0.0.0"]);
    assert!(run["wrong"].as_u64().unwrap() > 0);
    simulate(&[spec, "--fault", "channel=0.0.0>0.0.1,cycle=2"])
        .code(5)
        .stdout(contains("missing at (0,0,1) in cycle 3"));
    simulate(&[spec, "--fault", "channel=0.0.0>1.1.1"]).code(2).stderr(contains("no channel (0,0,0) -> (1,1,1)"));
    simulate(&[spec, "--fault", "router=7.7"]).code(2).stderr(contains("no node (7,7)"));
    simulate(&[spec, "--fault", "wire=3"]).code(2).stderr(contains("is no fault"));
}

/// Data without words.
struct Nothing;

impl Data for Nothing {
    fn word(&self, _: u32, _: NodeId, _: NodeId, _: u32) -> u64 {
        0
    }
    fn identity(&self) -> u64 {
        0
    }
    fn combine(&self, _: Operation, _: &[u64]) -> u64 {
        0
    }
    fn keep(&mut self, _: u32, _: NodeId, _: NodeId, _: u32, _: u64) {}
    fn make(&mut self, _: u32, _: NodeId, _: u32, _: u64) {}
}

#[test]
fn a_channel_that_is_entered_twice_stops_the_run() {
    let net = SwappedDragonfly::new(1, 2, Group::Cyclic);
    let mut program = Program::new(Switching::Hop(vec![1, 1]));
    for _ in 0..2 {
        let value = program.value(Who::Every, 1, Origin::Message);
        program.send(value, Who::Every, (0, Train::STEADY), Program::path([0].into_iter()));
    }
    let error = Simulation::new(&net, &program).run(&mut Nothing, &[]).unwrap_err();
    assert!(matches!(error, SimulateError::Conflict { cycle: 0, .. }), "{error}");
}
