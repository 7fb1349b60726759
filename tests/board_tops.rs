//! Board tops of every collective in simulation: the self-test, and the user's data over the serial line.

use crate::common::board::{line_of, project, simulator};
use metronoc::board::Board;
use metronoc::synth::{BoardTop, Design};
use std::fs;
use std::path::PathBuf;

/// A specification on a simulated board.
struct OnBoard {
    folder: tempfile::TempDir,
    program: PathBuf,
    design: Design,
    board: Board,
}

impl OnBoard {
    fn new(text: &str, top: BoardTop) -> Self {
        let (project, design, board) = project(text, top, "ulx3s");
        let folder = tempfile::tempdir().unwrap();
        let program = simulator(folder.path(), &project);
        Self { folder, program, design, board }
    }

    fn line(&self) -> String {
        line_of(self.folder.path(), &self.program, &self.board)
    }
}

fn d3(k: u32, m: u32, bits: u32, collective: &str) -> String {
    format!(
        "format = 1\n[network]\ntopology = \"swapped-dragonfly\"\ngroup = \"xor\"\nk = {k}\nm = {m}\n[router]\npayload_bits = {bits}\n\
         [collective]\n{collective}\n"
    )
}

/// Passes its self-test in the cycles that the design names, and fails it with a row of a table lost.
fn tests_itself(text: &str) {
    let on = OnBoard::new(text, BoardTop::SelfTest);
    let Design { network, selftest_cycles, .. } = &on.design;
    assert_eq!(on.line(), format!("metronoc {network} PASS cycles={selftest_cycles} faults=00\r\n"), "{text}");
    // another word is loaded, and another result comes out
    let image = on.folder.path().join("rom/selftest_loads.hex");
    let words = fs::read_to_string(&image).unwrap();
    let changed = |line: &str| {
        let last = u8::from_str_radix(&line[line.len() - 1..], 16).unwrap();
        format!("{}{:x}\n", &line[..line.len() - 1], last ^ 5)
    };
    fs::write(&image, words.lines().map(changed).collect::<String>()).unwrap();
    let line = on.line();
    let faults = line.trim_end().rsplit_once("faults=").map(|(_, digits)| u8::from_str_radix(digits, 16).unwrap());
    assert_eq!(faults, Some(0b1000_0000), "wrong word: {line}");
}

#[test]
#[ignore = "a simulator; .ci/run includes it"]
fn a_broadcast_tests_itself() {
    tests_itself(&d3(2, 2, 16, "kind = \"broadcast\"\nroot = 2\ncount = 5"));
}

#[test]
fn an_all_reduce_tests_itself() {
    tests_itself(&d3(2, 2, 16, "kind = \"all-reduce\"\nop = \"sum\"\nwords = 3"));
}

#[test]
#[ignore = "simulators of whole boards; .ci/run includes it"]
fn the_other_collectives_test_themselves() {
    for (k, collective) in [
        (2, "kind = \"prefix-scan\"\nop = \"max\"\nwords = 2"),
        (2, "kind = \"bitonic-sort\"\nwords = 2"),
        (2, "kind = \"vector-matrix\"\nblock = 1"),
        (4, "kind = \"matrix-vector\"\nblock = 2\nsigned = true"),
        (2, "kind = \"matrix-matrix\"\nblock = 1"),
        (4, "kind = \"transpose\"\nblock = 2"),
    ] {
        tests_itself(&d3(k, 2, 8, collective));
    }
    // trees of another depth
    tests_itself(&d3(8, 2, 8, "kind = \"broadcast\"\ncount = 40"));
    tests_itself(&d3(8, 2, 8, "kind = \"all-reduce\"\nop = \"min\""));
    // networks side by side, and all routers of a host
    for collective in ["kind = \"broadcast\"\ncount = 3", "kind = \"all-to-all\""] {
        let inner = "build = \"host\"\nembed = [{ c = [0, 2], dp = [1, 2] }, { c = [1, 3], dp = [0, 1] }]\n[router]";
        tests_itself(&d3(4, 3, 8, collective).replace("group = \"xor\"\n", "").replace("[router]", inner));
    }
}

/// The same specification with routers of slot tables.
fn slot_tables(text: &str) -> String {
    text.replace("[router]", "[router]\nkind = \"slot-table\"")
}

#[test]
fn slot_tables_test_themselves() {
    tests_itself(&slot_tables(&d3(2, 2, 8, "kind = \"all-reduce\"\nop = \"sum\"\nwords = 3")));
}

#[test]
#[ignore = "simulators of whole boards; .ci/run includes it"]
fn slot_tables_of_other_collectives_test_themselves() {
    let cyclic = d3(2, 3, 8, "kind = \"broadcast\"\nroot = 2\ncount = 5").replace("group = \"xor\"\n", "");
    for text in [cyclic, d3(2, 2, 16, "kind = \"prefix-scan\"\nop = \"xor\""), d3(2, 2, 8, "kind = \"all-to-all\"")] {
        tests_itself(&slot_tables(&text));
    }
}

#[test]
#[ignore = "the simulator of a whole board; .ci/run includes it"]
fn a_dual_net_tests_itself() {
    tests_itself(include_str!("../examples/ulx3s-hierarchical-dual-net.toml"));
}

#[test]
#[ignore = "simulators of whole boards; .ci/run includes it"]
fn galaxyflies_test_themselves() {
    let text = fs::read_to_string("examples/galaxyfly.toml").unwrap();
    tests_itself(&text);
    // the one that fits an iCEBreaker
    let small = text.replace("n = 2", "n = 1").replace("payload_bits = 16", "payload_bits = 8\nerror_log = false");
    assert_ne!(small, text);
    tests_itself(&small);
}
