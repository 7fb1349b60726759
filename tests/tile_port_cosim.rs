//! Co-simulation of tiles with streams of their own: every channel agrees with the model while cores pause, and wrong streams are told.

use crate::common::case::Case;
use std::fs;

const RING: &str =
    "topology = \"ring\"\nnodes = 4\n[router]\npayload_bits = 16\n[collective]\nkind = \"all-to-all\"\nwords = 2";
const SUM: &str = "topology = \"torus\"\ndims = [2, 3]\n[collective]\nkind = \"all-reduce\"\nop = \"sum\"\nwords = 2";
/// Nodes that only send, and only receive; a parity bit, and words as wide as they can be.
const SCATTER: &str = "topology = \"mesh\"\ndims = [3, 2]\n[router]\nparity = true\npayload_bits = 64\n[collective]\nkind = \"scatter\"\nroot = 1\nwords = 3";

fn case(network: &str, keys: &str) -> Case {
    let endpoint = "[schedule]\ntime_limit_s = 1\n[endpoint]\ninterface = \"axi-stream\"";
    Case::new(&format!("format = 1\n[network]\n{network}\n{endpoint}\n{keys}\n"))
}

#[test]
fn every_channel_agrees_while_cores_pause() {
    let case = case(RING, "clocks = \"own\"");
    let (code, said, err) = case.metronoc(&["cosim", "case.toml", "--random", "--collectives", "20", "--json"]);
    assert_eq!(code, Some(0), "{err}");
    let report: serde_json::Value = serde_json::from_str(&said).expect("JSON");
    assert_eq!((&report["collectives"], &report["received_words"]), (&20.into(), &(20 * 32).into()));
    // 8 channels of a word each, in every cycle
    let cycles = report["cycles"].as_u64().expect("a number");
    assert_eq!(report["compared_words"].as_u64(), Some(8 * cycles));
    // slower cores that pause take longer than the network
    assert!(cycles > 20 * 28 * 3 / 2, "{cycles}");
}

/// Sets of corner values come from the cores; nothing is launched without their words.
#[test]
fn cores_stand_the_stress() {
    let (code, said, err) = case(RING, "").metronoc(&["cosim", "case.toml", "--random", "--form", "top", "--stress"]);
    assert_eq!(code, Some(0), "{err}");
    assert!(said.contains("stress: 16 sets of words") && said.contains("all reported"), "{said}");
}

#[test]
#[ignore = "a simulator for each network; .ci/run includes it"]
fn all_collectives_and_keys_agree() {
    for (network, period) in [(RING, 28), (SUM, 60), (SCATTER, 60)] {
        let every = format!("period = {period}\n");
        for keys in ["double_buffer = true\n", &every, &format!("clocks = \"own\"\ndouble_buffer = true\n{every}")] {
            let case = case(network, keys);
            let (code, said, err) = case.metronoc(&["cosim", "case.toml", "--random", "--collectives", "10"]);
            assert_eq!(code, Some(0), "{network}\n{keys}{err}");
            assert!(said.contains("hardware and model agree: 10 collectives"), "{said}");
        }
    }
    let (code, said, err) = case(RING, "").metronoc(&["cosim", "case.toml", "--random", "--stress"]);
    assert!(code == Some(0) && said.contains("stress: 16 sets of words in"), "{said}{err}");
}

/// Changes of the Verilog of the ring: the file, the text and what stands in its place, and what is said then.
const MUTANTS: &[[&str; 4]] = &[
    ["mn_port_out", "{last_2q, source, word_i}", "{1'b0, source, word_i}", "a result with a wrong TLAST"],
    ["mn_port_out", "assign source = row_2q;", "assign source = row_q;", "a result with another TID"],
    ["mn_port_out", "drain_i && free_q != {AB + 1{1'b0}}", "drain_i", "a result with a wrong TLAST"],
    [
        "mn_port_in",
        "assign room         = word_ready_i;",
        "assign room         = 1'b1;",
        "hardware and model differ at channel",
    ],
    [
        "mn_port_in",
        "assign astray = dest != expected;",
        "assign astray = dest == expected;",
        "a word with another TDEST",
    ],
    ["mn_tile_port", "go_i && state_q != READY", "go_i && state_q == READY", "a start while it was not ready"],
    ["mn_tile_start", "launch ? 1'b0 : armed_q", "launch ? 1'b1 : armed_q", "hardware and model differ at channel"],
];

#[test]
#[ignore = "a simulator for each mutant; .ci/run includes it"]
fn wrong_streams_are_told() {
    let case = case(RING, "");
    let (code, _, err) = case.metronoc(&["generate", "case.toml", "-o", "rtl"]);
    assert_eq!(code, Some(0), "{err}");
    for [file, from, to, says] in MUTANTS {
        let path = case.dir.path().join(format!("rtl/rtl/{file}.v"));
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains(from), "{file} has no `{from}`");
        fs::write(&path, text.replace(from, to)).unwrap();
        let cosim = ["cosim", "case.toml", "--random", "--rtl", "rtl", "--collectives", "100", "--force"];
        let (code, said, err) = case.metronoc(&cosim);
        assert_eq!(code, Some(5), "{file}: {from}: {said}{err}");
        assert!(err.contains(says), "{file}: {from}: {err}");
        fs::write(&path, text).unwrap();
    }
}

#[test]
fn what_needs_the_host_stream_says_so() {
    let case = case(RING, "");
    for (options, code, says) in [
        (&["--upsets", "3"][..], 4, "`metronoc cosim --upsets` moves words over the host stream"),
        (&["--netlist", "ice40"], 4, "`metronoc cosim --netlist` moves words over the host stream"),
        (&["--form", "tile"], 2, "the tile form drives tiles over the host ring"),
    ] {
        let (found, _, err) = case.metronoc(&[&["cosim", "case.toml", "--random"], options].concat());
        assert!(found == Some(code) && err.contains(says), "{err}");
    }
}
