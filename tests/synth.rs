//! Bitstreams: the plan without tools, the board tops in simulation, and one board's flow for real.

use crate::common::board::{Bench, line_of, simulator};
use crate::common::{empty, write};
use assert_cmd::Command;
use metronoc::board::Board;
use metronoc::board::serial::{Line, Serial};
use metronoc::check::swapped_dragonfly::check_all_to_all;
use metronoc::collective::{AllToAll, Collective, Dtype, Words};
use metronoc::emit::{Origin, RtlBundle};
use metronoc::family::Hardware;
use metronoc::family::source_vector_selftest_cycles as selftest_cycles;
use metronoc::lower::swapped_dragonfly::{AllToAllLowered, lower_all_to_all};
use metronoc::program::form::swapped_dragonfly::uniform::HopLatency;
use metronoc::schedule::swapped_dragonfly::{AllToAllRequest, schedule_all_to_all};
use metronoc::spec::{NetworkSpec, Spec};
use metronoc::synth::flow::{self, Options, Placer};
use metronoc::synth::link::{self, Passes};
use metronoc::synth::{BoardTop, Design, Project, netlist};
use metronoc::tool::{self, Progress, Tool};
use metronoc::topology::SwappedDragonfly;
use predicates::prelude::*;
use predicates::str::contains;
use serialport::{SerialPort, TTYPort};
use snapbox::{assert_data_eq, str};
use std::fs;
use std::io::Write;
use std::path::Path;
use std::time::Duration;

fn spec(k: u32, m: u32, bits: u32, more: &str) -> String {
    format!(
        "format = 1\n[network]\ntopology = \"swapped-dragonfly\"\nk = {k}\nm = {m}\n[router]\npayload_bits = {bits}\n{more}"
    )
}

fn design(lowered: &AllToAllLowered) -> Design {
    lowered.design(&AllToAll::new(lowered.parameters.tiles, lowered.parameters.words, 1), 0)
}

fn passes(lowered: &AllToAllLowered, data: &Words) -> Passes {
    let interface = lowered.interface();
    let (tiles, set) = (lowered.parameters.tiles, interface.words_a_tile() as u64);
    Passes::new(&lowered.loads(data), interface.loads(), tiles, set)
}

fn compile(text: &str) -> (AllToAllLowered, RtlBundle) {
    let spec = Spec::parse("test.toml", text).expect("a specification");
    let NetworkSpec::SwappedDragonfly(sizes) = &spec.network else { panic!("no Swapped Dragonfly") };
    let network = SwappedDragonfly::new(sizes.k, sizes.m, sizes.group);
    let request =
        AllToAllRequest::new("best", HopLatency { local: spec.router.local_stages, global: spec.router.global_stages });
    let checked = check_all_to_all(&network, schedule_all_to_all(&network, &request).expect("a schedule"))
        .expect("without conflict");
    let lowered = lower_all_to_all(&checked, &spec).expect("a hardware form");
    let origin = Origin { name: "test".into(), spec_text: text.into(), command: "metronoc generate test.toml".into() };
    let bundle = RtlBundle::new(&lowered, &origin).expect("Verilog");
    (lowered, bundle)
}

#[test]
fn plans_are_data() {
    let (lowered, bundle) = compile(&spec(1, 2, 8, ""));
    let plan = |board: &str| {
        let board = Board::find(board).unwrap();
        let project = Project::new(&bundle, design(&lowered), &board, BoardTop::SelfTest).unwrap();
        let plan = flow::plan(
            &project,
            &board,
            &Options { target_mhz: board.clock.mhz, seed: 7, placer: None, tmg_ripup: false },
        );
        let script: Vec<&str> =
            plan.script.lines().filter(|line| !line.starts_with("read_verilog -defer rtl/")).collect();
        assert!(plan.steps.iter().all(|(_, command)| command.absolute_path().is_none()));
        format!("{}{}", plan.shell(), script.join("\n"))
    };
    assert_data_eq!(
        plan("icebreaker"),
        str![[r#"
#!/bin/sh -e
yosys -q -s synth.ys > synth.log 2>&1
nextpnr-ice40 --up5k --package sg48 --json mn_board.json --report place.json --pcf pins.pcf --asc mn_board.asc --freq 12 --seed 7 --timing-allow-fail --quiet > place.log 2>&1
icepack mn_board.asc mn_board.bin > pack.log 2>&1
hierarchy -top mn_board
setattr -mod -set keep_hierarchy 1 *mn_node
synth_ice40 -abc9 -device u -top mn_board
setattr -mod -unset keep_hierarchy *
flatten
opt_clean
write_json mn_board.json
"#]]
    );
    assert_data_eq!(
        plan("ulx3s"),
        str![[r##"
#!/bin/sh -e
yosys -q -s synth.ys > synth.log 2>&1
nextpnr-ecp5 --85k --package CABGA381 --json mn_board.json --report place.json --lpf pins.lpf --textcfg mn_board.config --router router2 --freq 25 --seed 7 --timing-allow-fail --quiet --speed 6 --placer-heap-timingweight 20 > place.log 2>&1
ecppack --compress mn_board.config mn_board.bit > pack.log 2>&1
hierarchy -top mn_board
setattr -mod -set keep_hierarchy 1 *mn_node
setattr -set ram_style "distributed" *mn_fifo/m:*mem
synth_ecp5 -abc9 -nowidelut -top mn_board -run begin:map_ffs
dfflegalize -cell $_DFF_P_ 01 -cell $_DFFE_PP_ 01 -cell $_SDFF_PP?_ 01 -cell $_SDFFCE_PP?P_ 01 -minsrst 40 -mince 8
opt_clean
synth_ecp5 -abc9 -nowidelut -top mn_board -run map_ffs:
setattr -mod -unset keep_hierarchy *
flatten
opt_clean
write_json mn_board.json
"##]]
    );
    assert_data_eq!(
        plan("tang-nano-9k"),
        str![[r#"
#!/bin/sh -e
yosys -q -s synth.ys > synth.log 2>&1
nextpnr-himbaechel-gowin --device GW1NR-LV9QN88PC6/I5 --vopt family=GW1N-9C --json mn_board.json --report place.json --vopt cst=pins.cst --write mn_placed.json --freq 27 --seed 7 --timing-allow-fail --quiet > place.log 2>&1
gowin_pack -d GW1N-9C -o mn_board.fs mn_placed.json > pack.log 2>&1
hierarchy -top mn_board
setattr -mod -unset keep_hierarchy *
synth_gowin -top mn_board
setattr -mod -unset keep_hierarchy *
flatten
opt_clean
write_json mn_board.json
"#]]
    );
}

#[test]
fn the_self_test_tells_a_good_network_from_a_bad_one() {
    let board = Board::find("icebreaker").unwrap();
    let (lowered, bundle) = compile(&spec(2, 2, 16, "local_stages = 2\nglobal_stages = 3\n"));
    let project = Project::new(&bundle, design(&lowered), &board, BoardTop::SelfTest).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let program = simulator(folder.path(), &project);
    let cycles = selftest_cycles(&lowered.parameters);
    let line = line_of(folder.path(), &program, &board);
    assert_eq!(line, format!("metronoc D3(2,2) PASS cycles={cycles} faults=00\r\n"));
    // one row of one table lost: words that should come do not
    let image = folder.path().join("rom/local_send.hex");
    let text = fs::read_to_string(&image).unwrap();
    let used = text.lines().find(|row| **row != empty(row)).unwrap();
    fs::write(&image, text.replacen(used, &empty(used), 1)).unwrap();
    let line = line_of(folder.path(), &program, &board);
    let faults = line.strip_prefix("metronoc D3(2,2) FAIL ").and_then(|rest| rest.trim_end().split_once("faults="));
    let faults = u8::from_str_radix(faults.unwrap_or_else(|| panic!("{line}")).1, 16).unwrap();
    assert_eq!(faults & 0b1001_0100, 0b1001_0100, "missing arrival, fault signal, wrong word: {line}");
}

#[test]
fn the_host_top_moves_the_users_array() {
    let text = spec(1, 2, 16, "[collective]\nwords = 2\nrepeat = 2\n");
    let board = Board::find("icebreaker").unwrap();
    let (lowered, bundle) = compile(&text);
    let project = Project::new(&bundle, design(&lowered), &board, BoardTop::Host).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let program = simulator(folder.path(), &project);
    let bench = Bench::new(folder.path(), &program, board.uart_divide());

    let traffic = AllToAll::new(4, 2, 2);
    let data = traffic.random(Dtype::Uint16, 5).unwrap();
    {
        let mut line = Line::open(&bench.port, board.uart.baud, Duration::from_secs(20)).unwrap();
        // what an earlier user left unfinished does no harm
        line.send(&[0, 1, 0, 9, 0, 77]).unwrap();
        // the silence that ends it is one of the simulated clock, which is slower than a board's
        std::thread::sleep(Duration::from_secs(3));
        let passes = passes(&lowered, &data);
        let answer = link::exchange(&mut line, &lowered.parameters.ring, &passes).unwrap();
        assert_eq!(answer.words, traffic.expected(&data).to_vec());
        assert!(!answer.fault);
        assert_eq!(answer.status.len(), 4);
    }

    fs::write(folder.path().join("test.toml"), &text).unwrap();
    fs::write(folder.path().join("x.npy"), traffic.to_npy(&data)).unwrap();
    let metronoc = || {
        let mut command = Command::cargo_bin("metronoc").unwrap();
        command.current_dir(folder.path()).args([
            "run",
            "test.toml",
            "--data",
            "x.npy",
            "--out",
            "y.npy",
            "--timeout",
            "20",
        ]);
        command
    };
    metronoc().args(["--port", &bench.port]).assert().success().stderr(contains("64 words"));
    assert_eq!(fs::read(folder.path().join("y.npy")).unwrap(), traffic.to_npy(&traffic.expected(&data)));
    metronoc().args(["--port", "/dev/no-such-port"]).assert().code(8).stderr(contains("/dev/ttyUSB0"));
}

#[test]
fn a_silent_board_is_told_from_a_wrong_one() {
    let (lowered, _) = compile(&spec(1, 2, 8, ""));
    let data = AllToAll::new(4, 1, 1).random(Dtype::Uint8, 1).unwrap();
    let passes = passes(&lowered, &data);
    let (mut master, slave) = TTYPort::pair().unwrap();
    let exchange = || {
        let mut line = Line::open(&slave.name().unwrap(), 115_200, Duration::from_millis(300)).unwrap();
        link::exchange(&mut line, &lowered.parameters.ring, &passes).unwrap_err()
    };
    let error = exchange();
    assert!(error.to_string().contains("0 of 5 bytes") && error.help().contains("baud"), "{error}");
    // an answer for another network
    let answer = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(200));
        master.write_all(&[3, 0, 0, 18, 0]).unwrap();
        std::thread::sleep(Duration::from_millis(500));
    });
    let error = exchange();
    assert!(error.to_string().contains("18 words"), "{error}");
    answer.join().unwrap();
}

fn synth(folder: &Path, text: &str, args: &[&str]) -> assert_cmd::assert::Assert {
    fs::write(folder.join("test.toml"), text).unwrap();
    Command::cargo_bin("metronoc").unwrap().current_dir(folder).args(["synth", "test.toml"]).args(args).assert()
}

#[test]
#[ignore = "synthesis, place and route; .ci/run includes it"]
fn a_small_network_becomes_a_bitstream_for_the_icebreaker() {
    let folder = tempfile::tempdir().unwrap();
    let args = ["--board", "icebreaker", "-o", "out", "--json"];
    let assert = synth(folder.path(), &spec(1, 2, 8, ""), &args).success();
    let report: serde_json::Value = serde_json::from_slice(&assert.get_output().stdout).unwrap();
    assert_eq!(report["timing_met"], true);
    assert!(report["fmax_mhz"].as_f64().unwrap() > 12.0);
    let modules = report["modules"].as_array().unwrap();
    for kind in ["luts", "registers", "block_rams"] {
        let sum: u64 = modules.iter().map(|module| module[kind].as_u64().unwrap()).sum();
        assert_eq!(sum, report["total"][kind].as_u64().unwrap(), "{kind}");
    }
    assert!(modules.iter().any(|module| module["module"] == "mn_crossbar" && module["luts"].as_u64() > Some(0)));
    for file in ["mn_board.bin", "report.json", "synth.ys", "commands.sh", "synth.log", "place.log", "rtl/mn_board.v"] {
        assert!(folder.path().join("out").join(file).is_file(), "{file}");
    }
    // iCE40 bitstreams have this word before the first command
    assert!(
        fs::read(folder.path().join("out/mn_board.bin")).unwrap().windows(4).any(|w| w == [0x7e, 0xaa, 0x99, 0x7e])
    );
    // the same sources cannot run at 400 MHz; what was made is there to look at
    synth(folder.path(), &spec(1, 2, 8, ""), &["--board", "icebreaker", "-o", "fast", "--freq", "400"])
        .code(6)
        .stderr(contains("the target is 400 MHz").and(contains("local_stages")));
    assert!(folder.path().join("fast/report.txt").is_file());
}

/// Every built-in board, its clock met with room to spare.
#[test]
#[ignore = "synthesis, place and route for every board; .ci/run includes it"]
fn every_board_has_a_bitstream() {
    for board in Board::built_in().unwrap() {
        let folder = tempfile::tempdir().unwrap();
        let args = ["--board", &board.name, "-o", "out", "--json"];
        let assert = synth(folder.path(), &spec(1, 2, 8, ""), &args).success();
        let report: serde_json::Value = serde_json::from_slice(&assert.get_output().stdout).unwrap();
        assert_eq!((&report["timing_met"], &report["board"]), (&true.into(), &board.name.as_str().into()));
        assert!(report["total"]["registers"].as_u64() > Some(500), "{report}");
        let mut made = fs::read_dir(folder.path().join("out")).unwrap().map(|entry| entry.unwrap().path());
        let bitstream = made.find(|path| path.file_stem().is_some_and(|stem| stem == "mn_board")).unwrap();
        assert!(fs::metadata(&bitstream).unwrap().len() > 10_000, "{}", bitstream.display());
    }
}

#[test]
#[ignore = "synthesis, place and route; .ci/run includes it"]
fn a_network_that_is_too_large_is_told_by_what_it_lacks() {
    let folder = tempfile::tempdir().unwrap();
    synth(folder.path(), &spec(1, 3, 32, ""), &["--board", "icebreaker", "-o", "out"])
        .code(6)
        .stderr(contains("D3(1,3) does not fit the iCE40-up5k").and(contains("and there are 5280")));
    assert!(!folder.path().join("out").exists());
    synth(folder.path(), &spec(1, 3, 32, ""), &["--board", "ulx3"]).code(2).stderr(contains("did you mean `ulx3s`?"));
}

#[test]
#[ignore = "synthesis; .ci/run includes it"]
fn banks_become_small_memories_and_the_start_tree_keeps_its_copies() {
    let (lowered, bundle) = compile(&spec(2, 3, 16, "local_stages = 2\nglobal_stages = 3\n"));
    let board = Board::find("ulx3s").unwrap();
    let project = Project::new(&bundle, design(&lowered), &board, BoardTop::SelfTest).unwrap();
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), project.files());
    let plan = flow::plan(
        &project,
        &board,
        &Options { target_mhz: 25.0, seed: 1, placer: Some(Placer::Static), tmg_ripup: true },
    );
    assert!(plan.shell().contains(" --placer static --tmg-ripup "), "{}", plan.shell());
    write(folder.path(), [(flow::SCRIPT, &plan.script)].into_iter());
    let tools = tool::ensure(&[Tool::Yosys], Progress::Silent).expect("Yosys");
    let path = camino::Utf8Path::from_path(folder.path()).unwrap();
    tools.run(&plan.steps[0].1, path, &path.join("synth.log")).expect("synthesises");
    let modules = netlist::modules(&fs::read(path.join(flow::NETLIST)).unwrap()).unwrap();
    let area = |name: &str| modules.iter().find(|module| module.module == name).map(|module| module.area).unwrap();
    // 18 tiles of (2 local + 2 global) × (send + receive) banks, 16 bits wide and up to 16 words deep
    assert_eq!(area("mn_gated_bank").lut_rams, 18 * 8 * 4);
    // 1 + 2 + 5 + 18 nodes of the start tree, each at least with its start bit
    assert!(area("mn_register").registers >= 26, "{:?}", area("mn_register"));
}
