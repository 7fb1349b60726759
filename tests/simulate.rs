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
use std::collections::BTreeMap;
use std::fs::File;
use std::path::Path;

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
    // a flipped bit arrives, and nothing tells it without parity
    let flip = "channel=0.0.0>0.0.1,cycle=2,bit=3";
    let run = json(&[spec, "--fault", flip]);
    assert_eq!((&run["wrong"], &run["raised"]), (&Value::from(1), &Value::Array(Vec::new())));
    assert_eq!(run["statistics"]["arrivals"], 324);
    // with parity the endpoint that keeps the word does, in the cycle in which it comes, but not of two flipped bits
    let folder = tempfile::TempDir::new().unwrap();
    let parity = folder.path().join("parity.toml");
    std::fs::write(&parity, std::fs::read_to_string(spec).unwrap() + "parity = true\n").unwrap(); // in `[router]`
    let parity = parity.to_str().unwrap();
    simulate(&[parity, "--fault", flip])
        .code(5)
        .stdout(contains("parity at (0,0,1) in cycle 3, of a word over local 1"));
    let early = json(&[parity, "--fault", "channel=0.0.0>0.0.1,bit=3"]);
    let raised = early["raised"].as_array().unwrap();
    assert_eq!((raised.len(), early["wrong"].as_u64()), (12, Some(12)));
    assert!(raised.iter().any(|one| one["node"] != raised[0]["node"]), "some are on their way to others");
    let twice = json(&[parity, "--fault", flip, "--fault", "channel=0.0.0>0.0.1,cycle=2,bit=4"]);
    assert_eq!((&twice["wrong"], &twice["raised"]), (&Value::from(1), &Value::Array(Vec::new())));
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
    simulate(&[spec, "--fault", "channel=0.0.0>0.0.1,bit=16"]).code(2).stderr(contains("bits 0 to 15, and not bit 16"));
    simulate(&[spec, "--fault", "wire=3"]).code(2).stderr(contains("is no fault"));
    simulate(&[spec, "--fault", "router=0.0.0,cycle=2,cycle=3"]).code(2).stderr(contains("is no fault"));
    simulate(&[spec, "--fault", "router=alpha"]).code(2).stderr(contains("no node `alpha`"));
    // who hits nothing is told so
    let (early, late) = ("channel=0.0.0>0.0.1,cycle=2", "channel=0.0.0>0.0.1,cycle=200");
    simulate(&[spec, "--fault", early, "--fault", late])
        .code(5)
        .stderr(contains(format!("`--fault {late}` hits no word")));
    assert_eq!(json(&[spec, "--fault", early, "--fault", late])["hit"], serde_json::json!([1, 0]));
    // nodes by the names of a file
    let named = folder.path().join("named.toml");
    let text =
        "format = 1\nnetwork = { topology = \"graph\", file = \"ring.csv\" }\ncollective = { kind = \"all-gather\" }\n";
    std::fs::write(&named, text).unwrap();
    std::fs::write(folder.path().join("ring.csv"), "a,b\nb,c\nc,a\n").unwrap();
    let run = json(&[named.to_str().unwrap(), "--fault", "channel=a>b,cycle=0"]);
    assert_eq!((&run["hit"][0], run["wrong"].as_u64() > Some(0)), (&Value::from(1), true));
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

/// Options of a run of D3(2,3).
const RUN: &[&str] = &["examples/d3-2-3.toml", "--data", "examples/d3-2-3.npy"];

/// Waveform of a run: by channel, the crossings as (cycle, source, word).
fn crossings(folder: &Path, format: &str, run: &[&str]) -> BTreeMap<String, Vec<(u64, u64, u64)>> {
    let array = folder.join("y.npy");
    let files = ["--trace", format, "--out", array.to_str().unwrap(), "--force"];
    let output = simulate(&[run, &files].concat()).get_output().clone();
    assert!(matches!(output.status.code(), Some(0 | 5)), "{output:?}");
    let mut wave = wellen::simple::read(array.with_extension(format)).unwrap();
    let all: Vec<_> = wave.hierarchy().all_vars().collect();
    let refs: Vec<_> = all.iter().map(|&var| wave.hierarchy()[var].signal_ref()).collect();
    wave.load_signals(&refs);
    let value = |signal: wellen::SignalRef, time: u64| {
        let index = wave.time_table().partition_point(|&at| at <= time) as u32 - 1;
        let signal = wave.get_signal(signal).unwrap();
        let bits = signal.get_value_at(&signal.get_offset(index).unwrap(), 0).to_bit_string().unwrap();
        u64::from_str_radix(&bits, 2).ok() // none where a bit is x
    };
    let named = |name: &str| {
        let var = all.iter().position(|&var| wave.hierarchy()[var].full_name(wave.hierarchy()) == name);
        refs[var.unwrap_or_else(|| panic!("no signal {name}"))]
    };
    let (clock, counter) = (named("simulation.clock"), named("simulation.cycle"));
    let end = value(counter, u64::MAX).unwrap();
    let mut found = BTreeMap::new();
    for &var in &all {
        let name = wave.hierarchy()[var].full_name(wave.hierarchy());
        let Some(channel) = name.strip_suffix("_valid") else { continue };
        let [valid, word, source] = ["valid", "word", "source"].map(|what| named(&format!("{channel}_{what}")));
        let mut here = Vec::new();
        for cycle in 0..=end {
            assert_eq!((value(counter, cycle * 10), value(clock, cycle * 10)), (Some(cycle), Some(1)));
            assert_eq!(value(clock, cycle * 10 + 5), Some(0));
            match value(valid, cycle * 10) {
                Some(1) => here.push((cycle, value(source, cycle * 10).unwrap(), value(word, cycle * 10).unwrap())),
                _ => assert_eq!((value(word, cycle * 10), value(source, cycle * 10)), (None, None)),
            }
        }
        found.insert(channel.to_owned(), here);
    }
    found
}

#[test]
fn a_waveform_shows_every_crossing() {
    let folder = tempfile::TempDir::new().unwrap();
    let words = Array2::<u16>::read_npy(File::open("examples/d3-2-3.npy").unwrap()).unwrap();
    let vcd = crossings(folder.path(), "vcd", RUN);
    assert_eq!(crossings(folder.path(), "fst", RUN), vcd);
    // the figures of `crossings_are_counted_apart_from_arrivals`
    assert_eq!((vcd.len(), vcd.values().map(Vec::len).sum::<usize>()), (66, 702));
    for &(cycle, source, word) in vcd.values().flatten() {
        assert!(words.row(source as usize).iter().any(|&own| u64::from(own) == word), "{cycle}: {word} of {source}");
    }
    // what a node sends itself leaves it by no channel, all else does
    let first = |channel: &str, source: u64| vcd[channel].iter().filter(|crossing| crossing.1 == source).count();
    let own = ["local_1", "local_2", "global_1"].map(|port| first(&format!("node_0_0_0.{port}"), 0));
    assert!(own.iter().sum::<usize>() >= 17 - 2, "{own:?}");
}

#[test]
fn a_waveform_of_couplers_shows_both_hops_of_a_slot() {
    let folder = tempfile::TempDir::new().unwrap();
    let run = json(&["examples/pops.toml"]);
    let pops = crossings(folder.path(), "vcd", &["examples/pops.toml"]);
    let all: usize = pops.values().map(Vec::len).sum();
    assert_eq!(run["statistics"]["crossings"].as_u64(), Some(all as u64));
    let into =
        |kind: &str| pops.iter().filter(|(name, _)| name.starts_with(kind)).map(|(_, all)| all.len()).sum::<usize>();
    assert_eq!((into("p_") > 0, into("p_"), all), (true, into("c_"), 2 * into("c_")));
    assert!(pops.contains_key("p_0.port_0") && pops.contains_key("c_0_0.port_0"));
}

#[test]
fn a_waveform_lacks_what_a_fault_drops() {
    let folder = tempfile::TempDir::new().unwrap();
    let (whole, broken) = (
        crossings(folder.path(), "vcd", RUN),
        crossings(folder.path(), "vcd", &[RUN, &["--fault", "channel=0.0.0>0.0.1,cycle=2"]].concat()),
    );
    let channel = "node_0_0_0.local_1";
    let lost = whole[channel].iter().find(|crossing| crossing.0 == 2).expect("the channel is used in cycle 2");
    assert!(!broken[channel].contains(lost));
    let words = |all: &BTreeMap<String, Vec<_>>| all.values().map(Vec::len).sum::<usize>();
    assert!(words(&broken) < words(&whole));
}

#[test]
fn a_waveform_needs_a_place_and_a_schedule() {
    simulate(&["examples/d3-2-3.toml", "--trace", "vcd", "--out", "y.vcd"]).code(2).stderr(contains("both the array"));
    simulate(&["examples/pops-dynamic.toml", "--trace", "fst"]).code(2).stderr(contains("no use for `--trace`"));
}

#[test]
fn a_waveform_is_never_put_beside_a_device() {
    let folder = tempfile::TempDir::new().unwrap();
    let spec = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/d3-2-3.toml");
    let mut command = cargo_bin_cmd!("metronoc");
    command.current_dir(folder.path()).arg("simulate").arg(spec).args(["--trace", "vcd", "--out", "/dev/null"]);
    command.assert().success();
    assert!(folder.path().join("simulate.vcd").is_file());
}

#[test]
fn a_product_keeps_its_result_in_a_waveform() {
    let folder = tempfile::TempDir::new().unwrap();
    let [out, wave] = ["y.npy", "y.vcd"].map(|name| folder.path().join(name));
    simulate(&["examples/matrix-matrix.toml", "--trace", "vcd", "--out", out.to_str().unwrap()])
        .success()
        .stdout(contains("as the collective is defined"));
    assert!(out.is_file() && std::fs::read_to_string(wave).unwrap().contains("$enddefinitions"));
}
