//! Synthesised netlists and bitstreams in the loop: what the tools make of a network agrees with the model.

use crate::common::board::{line_of, write_program};
use crate::common::case::Case;
use crate::common::{has_icestorm, verilator};
use metronoc::board::Board;
use metronoc::cosim::netlist::{Technology, share};
use metronoc::tool::{self, Progress, Tool};
use std::fs;
use std::path::Path;
use std::process::Command;

const SOURCE_VECTOR: &str = include_str!("../examples/icebreaker.toml");
const POPS: &str = include_str!("../examples/icebreaker-pops.toml");

/// A small network of another family: its lines after `payload_bits`.
fn cube(collective: &str) -> String {
    format!(
        "format = 1\n[network]\ntopology = \"swapped-dragonfly\"\nk = 1\nm = 2\ngroup = \"xor\"\n[router]\npayload_bits = 8\n\
         [collective]\n{collective}\n"
    )
}

fn ring() -> String {
    "format = 1\n[network]\ntopology = \"ring\"\nnodes = 4\n[router]\npayload_bits = 8\n[collective]\nkind = \"all-to-all\"\n".to_owned()
}

fn agrees(spec: &str, technology: &str) {
    let case = Case::new(spec);
    let (code, text, errors) =
        case.metronoc(&["cosim", "case.toml", "--random", "--seed", "5", "--netlist", technology]);
    assert_eq!(code, Some(0), "{spec}\n{errors}");
    assert!(text.starts_with("hardware and model agree") && text.contains("\nnetlist: "), "{text}");
}

#[test]
fn a_netlist_is_compared_in_every_cycle() {
    agrees(SOURCE_VECTOR, "ice40");
}

#[test]
#[ignore = "synthesis and the simulator of a netlist; .ci/run includes it"]
fn a_netlist_of_other_verilog_differs() {
    let case = Case::new(SOURCE_VECTOR);
    assert_eq!(case.metronoc(&["generate", "case.toml", "-o", "rtl"]).0, Some(0));
    let path = case.dir.path().join("rtl/rtl/mn_register.v");
    let text = fs::read_to_string(&path).unwrap();
    let changed = text.replace("<= d_i", "<= ~d_i");
    assert_ne!(changed, text);
    fs::write(&path, changed).unwrap();
    let (code, _, errors) =
        case.metronoc(&["cosim", "case.toml", "--random", "--netlist", "ice40", "--rtl", "rtl", "-q"]);
    assert_eq!(code, Some(5), "{errors}");
}

/// The shorter model of a look-up table is the tools' own for every table and input; one that reads the table from its other end is not.
#[test]
fn the_model_of_a_look_up_table_is_that_of_the_tools() {
    let tools = tool::ensure(&[Tool::Yosys], Progress::Silent).unwrap();
    let dir = tempfile::tempdir().unwrap();
    let folder = camino::Utf8Path::from_path(dir.path()).unwrap();
    let share = share(&tools).unwrap();
    for (technology, table, inputs, output) in
        [(Technology::Ice40, "LUT_INIT", "I0, I1, I2, I3", "O"), (Technology::Ecp5, "INIT", "A, B, C, D", "Z")]
    {
        let [theirs, ours] = technology.look_up();
        let models = technology.models().iter().map(|model| fs::read_to_string(share.join(model)).unwrap());
        assert_eq!(models.map(|model| model.matches(theirs).count()).sum::<usize>(), 1, "{technology}");
        let module = |name: &str, body: &str| {
            format!("module {name}(input [15:0] {table}, input {inputs}, output {output});\n{body}endmodule\n")
        };
        let reversed = ours.replace("[{", "[~{");
        for (body, equal) in [(ours, true), (reversed.as_str(), false)] {
            fs::write(folder.join("models.v"), module("theirs", theirs) + &module("ours", body)).unwrap();
            let script = "read_verilog models.v; proc; miter -equiv -flatten -make_assert theirs ours both; sat -verify -prove-asserts both";
            let command = tool::Command::new(Tool::Yosys).args(["-q", "-p", script]);
            let proved = tools.run(&command, folder, &folder.join("proof.log"));
            assert_eq!(proved.is_ok(), equal, "{technology}: {proved:?}");
        }
    }
}

#[test]
#[ignore = "syntheses and simulators of netlists: minutes; .ci/run includes it"]
fn netlists_of_every_family_agree_with_the_model() {
    for technology in ["ice40", "ecp5"] {
        let of = ["kind = \"broadcast\"\nroot = 2\ncount = 5", "kind = \"all-reduce\"\nop = \"sum\"\nwords = 2"];
        let more = ["kind = \"bitonic-sort\"", "kind = \"vector-matrix\""];
        for spec in of.into_iter().chain(more).map(cube).chain([ring(), POPS.to_owned()]) {
            agrees(&spec, technology);
        }
    }
    agrees(SOURCE_VECTOR, "ecp5");
}

/// The self-test's line of a bitstream in simulation.
fn line(spec: &str) -> String {
    let case = Case::new(spec);
    let dir = case.dir.path();
    let (code, _, errors) = case.metronoc(&["synth", "case.toml", "--board", "icebreaker", "-o", "out"]);
    assert_eq!(code, Some(0), "{errors}");
    let run = |program: &str, arguments: &[&str]| {
        let output = Command::new(program).current_dir(dir).args(arguments).output().unwrap();
        assert!(output.status.success(), "{program}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    run("iceunpack", &["out/mn_board.bin", "board.asc"]);
    let read = run("icebox_vlog", &["-p", "out/pins.pcf", "-n", "mn_board", "board.asc"]);
    // it declares its ports twice
    let mut verilog = String::new();
    for line in read.lines() {
        match line.strip_prefix("module mn_board (").and_then(|rest| rest.strip_suffix(");")) {
            Some(ports) => {
                let names = ports.replace("input ", "").replace("output ", "");
                verilog += &format!("module mn_board ({names});\n{};\n", ports.replace(", ", "; "));
            }
            None => verilog += &format!("{line}\n"),
        }
    }
    fs::write(dir.join("board.v"), verilog).unwrap();
    write_program(dir);
    let tools = tool::ensure(&[Tool::Verilator, Tool::Yosys], Progress::Silent).unwrap();
    fs::copy(share(&tools).unwrap().join("ice40/cells_sim.v"), dir.join("cells.v")).unwrap();
    let warnings = ["-Wno-fatal", "-Wno-lint", "-Wno-style", "-Wno-UNOPTFLAT", "-DNO_ICE40_DEFAULT_ASSIGNMENTS"];
    let options = ["--cc", "--exe", "--build", "--top-module", "mn_board", "board.v", "cells.v", "main.cpp"];
    let folder = camino::Utf8Path::from_path(dir).unwrap();
    verilator::build(folder, verilator::QUICK, warnings.into_iter().chain(options));
    line_of(dir, Path::new("obj/Vmn_board"), &Board::find("icebreaker").unwrap())
}

#[test]
#[ignore = "place and route, and a simulator of a bitstream: minutes; .ci/run includes it"]
fn bitstreams_pass_their_own_test() {
    if !has_icestorm() {
        return;
    }
    for (spec, network) in [(POPS, "POPS(2,2)"), (SOURCE_VECTOR, "D3(1,2)")] {
        let line = line(spec);
        assert!(line.starts_with(&format!("metronoc {network} PASS cycles=")), "{line}");
        assert!(line.ends_with(" faults=00\r\n"), "{line}");
    }
}

/// Most bits that are flipped, one after the other, until one is found.
const FLIPPED: usize = 12;

/// The host top of the source-vector network for the iCEBreaker.
fn host_bitstream() -> Vec<u8> {
    let case = Case::new(SOURCE_VECTOR);
    let (code, _, errors) =
        case.metronoc(&["synth", "case.toml", "--board", "icebreaker", "--top", "host", "-o", "out"]);
    assert_eq!(code, Some(0), "{errors}");
    fs::read(case.dir.path().join("out/mn_board.bin")).unwrap()
}

/// The source-vector network of the same board is in the manual, and its transcript runs it.
#[test]
#[ignore = "place and route, and a simulator of a bitstream: a minute; .ci/run includes it"]
fn the_bits_that_are_loaded_run_the_collective() {
    if !has_icestorm() {
        return;
    }
    let case = Case::new(POPS);
    let (code, text, errors) =
        case.metronoc(&["cosim", "case.toml", "--random", "--seed", "5", "--bitstream", "--all-data"]);
    assert_eq!(code, Some(0), "{errors}");
    assert!(text.starts_with("bitstream and model agree") && text.contains("\nbitstream: "), "{text}");
    assert!(text.contains("\nproved for all data: ") && text.contains("as scheduled"), "{text}");
}

#[test]
#[ignore = "place and route, and a bitstream run some hundred times: minutes; .ci/run includes it"]
fn every_flipped_bit_of_a_program_breaks_the_proof() {
    if !has_icestorm() {
        return;
    }
    let spec = SOURCE_VECTOR.replace("payload_bits = 8", "payload_bits = 8\nparity = true");
    let case = Case::new(&(spec + "\n[schedule]\nstorage = \"ram\"\n"));
    let (code, text, errors) =
        case.metronoc(&["cosim", "case.toml", "--random", "--bitstream", "--all-data", "--json"]);
    assert_eq!(code, Some(0), "{errors}");
    let result: serde_json::Value = serde_json::from_str(&text).unwrap();
    let (proof, flips) = (&result["proof"], &result["proof"]["flips"]);
    assert_eq!((&proof["data_bits"], &proof["words"]), (&128.into(), &16.into()), "{text}");
    // four routers, four tables of five rows, six bits of which are read: those of the row and two that check it
    assert_eq!(flips["reported"].as_u64().unwrap() + flips["wrong_words"].as_u64().unwrap(), 480, "{text}");
    assert_eq!((&flips["no_answer"], &flips["without_effect"]), (&0.into(), &0.into()), "{text}");
}

#[test]
fn a_proof_for_all_data_is_of_words_that_move() {
    if !has_icestorm() {
        return;
    }
    let case = Case::new(&ring().replace("all-to-all\"", "all-reduce\"\nop = \"sum\"\nwords = 1"));
    fs::write(case.dir.path().join("any.bin"), "no bitstream").unwrap();
    let (code, _, errors) = case.metronoc(&["cosim", "case.toml", "--random", "--bitstream=any.bin", "--all-data"]);
    assert_eq!(code, Some(2), "{errors}");
    assert!(errors.contains("computes"), "{errors}");
}

/// Configurations with the other value of one look-up table for inputs that are all low, for tables spread over those in use. A logic tile
/// has eight tables, each with two rows of bits, of which columns 36 to 45 are its own.
fn with_a_bit_flipped(configuration: &str) -> Vec<String> {
    const OWN: std::ops::Range<usize> = 36..46;
    const NO_INPUT: usize = OWN.start + 4;
    let lines: Vec<String> = configuration.lines().map(str::to_owned).collect();
    let tiles = (0..lines.len()).filter(|&at| lines[at].starts_with(".logic_tile "));
    let tables = tiles.flat_map(|at| (0..8).map(move |table| at + 1 + 2 * table));
    let used: Vec<usize> =
        tables.filter(|&row| lines[row][OWN].contains('1') || lines[row + 1][OWN].contains('1')).collect();
    assert!(used.len() > 1000, "look-up tables");
    let flipped = |row: usize| {
        let mut lines = lines.clone();
        let other = if &lines[row][NO_INPUT..=NO_INPUT] == "1" { "0" } else { "1" };
        lines[row].replace_range(NO_INPUT..=NO_INPUT, other);
        lines.join("\n") + "\n"
    };
    (0..FLIPPED).map(|i| flipped(used[(FLIPPED - i) * used.len() / (FLIPPED + 1)])).collect()
}

#[test]
#[ignore = "place and route, and simulators of bitstreams: minutes; .ci/run includes it"]
fn a_bit_of_the_bitstream_that_is_flipped_is_found() {
    if !has_icestorm() {
        return;
    }
    let case = Case::new(SOURCE_VECTOR);
    let dir = case.dir.path();
    fs::write(dir.join("host.bin"), host_bitstream()).unwrap();
    let run = |program: &str, arguments: &[&str]| {
        let output = Command::new(program).current_dir(dir).args(arguments).output().unwrap();
        assert!(output.status.success(), "{program}: {}", String::from_utf8_lossy(&output.stderr));
    };
    run("iceunpack", &["host.bin", "board.asc"]);
    let cosim = |file: &str| {
        case.metronoc(&["cosim", "case.toml", "--random", "--seed", "5", &format!("--bitstream={file}"), "-q"])
    };
    let configuration = fs::read_to_string(dir.join("board.asc")).unwrap();
    let code_of = |text: &str| {
        fs::write(dir.join("packed.asc"), text).unwrap();
        run("icepack", &["packed.asc", "packed.bin"]);
        let (code, _, errors) = cosim("packed.bin");
        assert!(code == Some(0) || code == Some(5) && errors.starts_with("error: "), "{code:?} {errors}");
        code
    };
    assert_eq!(code_of(&configuration), Some(0));
    // not every table is at work in a collective
    assert!(with_a_bit_flipped(&configuration).iter().any(|text| code_of(text) == Some(5)), "no flipped bit is found");
    fs::write(dir.join("none.bin"), "no bitstream").unwrap();
    let (code, _, errors) = cosim("none.bin");
    assert_eq!(code, Some(3), "{errors}");
}

#[test]
fn a_bitstream_of_another_family_is_refused() {
    let case = Case::new(SOURCE_VECTOR);
    let (code, _, errors) = case.metronoc(&["cosim", "case.toml", "--random", "--bitstream", "--board", "ulx3s"]);
    assert_eq!(code, Some(2), "{errors}");
    assert!(errors.contains("iCE40"), "{errors}");
}
