//! Streams of every tile: the emitted test bench passes and notices mutants, cores in cocotb agree with NumPy, and what has no such streams
//! says so.

use crate::common;
use crate::common::bench::Bench;
use crate::common::case::Case;
use metronoc::compile;
use metronoc::tool::{self, Progress, Tool};
use std::fs;
use std::path::Path;
use std::process::Command;

const ENDPOINT: &str = "[schedule]\ntime_limit_s = 1\n[endpoint]\ninterface = \"axi-stream\"\n";

/// A specification with streams at every tile, and further keys of `[endpoint]`.
fn spec(network: &str, keys: &str) -> String {
    format!("format = 1\n[network]\n{network}\n{ENDPOINT}{keys}\n")
}

const RING: &str =
    "topology = \"ring\"\nnodes = 4\n[router]\npayload_bits = 16\n[collective]\nkind = \"all-to-all\"\nwords = 2";
const D3: &str = "topology = \"swapped-dragonfly\"\nk = 2\nm = 2\n[router]\nkind = \"slot-table\"\npayload_bits = 8";
const SUM: &str = "topology = \"torus\"\ndims = [2, 3]\n[collective]\nkind = \"all-reduce\"\nop = \"sum\"\nwords = 2";
/// Nodes that only send, and only receive; a parity bit.
const SCATTER: &str = "topology = \"mesh\"\ndims = [3, 2]\n[router]\nparity = true\n[collective]\nkind = \"scatter\"\nroot = 1\nwords = 3";

/// Streams in clocks of the tiles' own.
const OWN: &str = "clocks = \"own\"\n";

/// Cycles from start to start that metronoc prints, if no core pauses.
fn least_period(network: &str) -> u32 {
    let case = Case::new(&spec(network, "period = 1"));
    let (code, _, err) = case.metronoc(&["generate", "case.toml", "-o", "rtl"]);
    assert_eq!(code, Some(4), "{err}");
    assert!(err.contains("the period is 1") && err.contains("write a longer `period`"), "{err}");
    let words = err.split("a collective takes ").nth(1).and_then(|rest| rest.split(' ').next());
    words.and_then(|number| number.parse().ok()).expect("a number")
}

#[test]
#[ignore = "a simulator with time for each network; .ci/run includes it"]
fn cores_at_all_tiles_get_what_the_definition_says() {
    for (network, ahead) in [(RING, ""), (D3, "double_buffer = true"), (SUM, ""), (SCATTER, "double_buffer = true")] {
        let every = format!("period = {}\n{ahead}", least_period(network));
        for keys in [ahead.to_owned(), every.clone(), format!("{OWN}{ahead}"), format!("{OWN}{every}")] {
            let bench = Bench::new(&spec(network, &keys));
            bench.build();
            let said = bench.run();
            assert!(said.starts_with("PASS: ") && said.contains("faults by name"), "{network}\n{keys}\n{said}");
        }
    }
}

/// Changes of the Verilog of the ring: what is wrong then, the file, the text and what stands in its place.
const MUTANTS: &[[&str; 4]] = &[
    ["results are lost when a core pauses", "mn_port_out", "drain_i && free_q != {AB + 1{1'b0}}", "drain_i"],
    [
        "words are lost when the tile is not loaded",
        "mn_port_in",
        "assign room         = word_ready_i;",
        "assign room         = 1'b1;",
    ],
    [
        "a start comes before all are ready",
        "mn_network",
        ".all_o(ready_all_o), .any_o(unused_ready_any)",
        ".any_o(ready_all_o), .all_o(unused_ready_any)",
    ],
    ["a collective is started twice", "mn_tile_start", "launch ? 1'b0 : armed_q", "launch ? 1'b1 : armed_q"],
    ["TLAST is missing", "mn_port_out", "{last_2q, source, word_i}", "{1'b0, source, word_i}"],
    ["TID is that of the next word", "mn_port_out", "assign source = row_2q;", "assign source = row_q;"],
    ["TDEST is not compared", "mn_port_in", "assign astray = dest != expected;", "assign astray = 1'b0;"],
    ["a tile's faults are not connected", "mn_tile_port", "assign fault_o = fault_q;", "assign fault_o = 8'd0;"],
    ["the fault of all is not connected", "mn_top", "fault || fault_order_o", "fault_order_o"],
    ["faults are those of another tile", "mn_top", "tile_fault[0*8+:8]", "tile_fault[1*8+:8]"],
];

/// Likewise of the ring with the least period, 28 cycles.
const PERIOD_MUTANTS: &[[&str; 4]] = &[
    ["the state of a tile is compared too early", "mn_slot_tile_0", ".DELAY(5)", ".DELAY(4)"],
    ["the period is another", "mn_top", ".PERIOD(28)", ".PERIOD(29)"],
    ["a late tile is not told", "mn_tile_port", "tick_i && !go_i && was_loading", "1'b0"],
    ["a full tile is not told", "mn_tile_port", "tick_i && !go_i && was_draining", "1'b0"],
    ["times are told without a period", "mn_tile_start", "due_q && (running_q || launch)", "launch"],
];

/// Likewise of the ring with clocks of the tiles' own.
const CLOCK_MUTANTS: &[[&str; 4]] = &[
    [
        "the queue takes words for which it has no room",
        "mn_fifo_async",
        "{2'b11, {AB - 1{1'b0}}}",
        "{2'b10, {AB - 1{1'b0}}}",
    ],
    ["words are read before they are there", "mn_fifo_async", "read_gray_q != written_seen && (", "("],
    ["the clock is another core's", "mn_top", ".core_clk_i(clk_0_i)", ".core_clk_i(clk_1_i)"],
    ["reset does not reach the core", "mn_port_clock", "{fault_o, core_rst_o}", "{core_rst_o, fault_o}"],
    ["faults are those of another tile", "mn_top", ".fault_i(tile_fault[0*8+:8])", ".fault_i(tile_fault[1*8+:8])"],
];

#[test]
#[ignore = "a simulator with time for each mutant; .ci/run includes it"]
fn the_bench_notices_mutants_of_ports_and_start() {
    assert_eq!(least_period(RING), 28);
    for (keys, mutants) in [("", MUTANTS), ("period = 28", PERIOD_MUTANTS), (OWN, CLOCK_MUTANTS)] {
        let bench = Bench::new(&spec(RING, keys));
        for [wrong, file, from, to] in mutants {
            let path = bench.folder.join(format!("rtl/{file}.v"));
            let text = fs::read_to_string(&path).unwrap();
            assert!(text.contains(from), "{wrong}: {file} has no `{from}`");
            fs::write(&path, text.replace(from, to)).unwrap();
            bench.build();
            let said = bench.run();
            assert!(said.contains("FAIL: ") && !said.contains("PASS"), "{wrong}: {said}");
            fs::write(&path, text).unwrap();
        }
    }
}

#[test]
#[ignore = "a virtual environment with cocotb, and a simulator; .ci/run includes it"]
fn cores_in_cocotb_agree_with_numpy() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/tile-ports");
    let case = Case::new(&fs::read_to_string(folder.join("tile-ports.toml")).unwrap());
    let (code, _, err) = case.metronoc(&["generate", "case.toml", "-o", "rtl"]);
    assert_eq!(code, Some(0), "{err}");
    let packages = ["cocotb==2.1.0", "cocotbext-axi==0.1.28", "numpy"];
    let python = common::venv::python("cocotb-2.1.0", &packages).expect("cocotb can be installed");
    let tools = tool::ensure(&[Tool::Verilator], Progress::Silent).expect("Verilator can be made ready");
    let verilator = tools.found(Tool::Verilator).expect("it is ready").program.clone();
    let bench = |change: &dyn Fn()| {
        change();
        let mut command = Command::new(&python);
        command.env("OBJCACHE", common::verilator::kept_objects());
        command.arg(folder.join("bench.py")).args(["rtl", verilator.as_str(), "20"]).current_dir(case.dir.path());
        let output = command.output().expect("it starts");
        (output.status.success(), String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let (passed, said) = bench(&|| ());
    assert!(passed && said.contains("20 collectives of 9 cores agree with NumPy"), "{said}");
    // one bit of one word
    let broken = case.dir.path().join("rtl/rtl/mn_top.v");
    let (passed, said) = bench(&|| {
        let text = fs::read_to_string(&broken).unwrap();
        let (from, to) =
            ("m_axis_4_tdata} = m_beat[4*MW+:MW];", "m_axis_4_tdata} = m_beat[4*MW+:MW] ^ m_beat[5*MW-1];");
        assert!(text.contains(from));
        fs::write(&broken, text.replace(from, to)).unwrap();
    });
    assert!(!passed && said.contains("collective 0, tile 4"), "{said}");
}

#[test]
fn the_top_has_streams_of_every_tile() {
    let bench = Bench::new(&spec(RING, ""));
    let top = fs::read_to_string(bench.folder.join("rtl/mn_top.v")).unwrap();
    let component = fs::read_to_string(bench.folder.join("component.xml")).unwrap();
    for tile in 0..4 {
        for port in ["s_axis_N_tvalid", "s_axis_N_tdest", "m_axis_N_tlast", "m_axis_N_tid", "fault_N_o"] {
            let port = port.replace('N', &tile.to_string());
            assert!(top.lines().any(|line| line.ends_with(&format!(" {port},"))), "{port}\n{top}");
        }
        for bus in ["s_axis", "m_axis"] {
            assert!(component.contains(&format!("<ipxact:name>{bus}_{tile}</ipxact:name>")), "{component}");
        }
    }
    assert!(!bench.folder.join("rtl/mn_ring_stop.v").exists() && !bench.folder.join("rtl/mn_host.v").exists());
    let own = Bench::new(&spec(RING, OWN));
    let top = fs::read_to_string(own.folder.join("rtl/mn_top.v")).unwrap();
    let component = fs::read_to_string(own.folder.join("component.xml")).unwrap();
    for (port, mode) in [("clk_3_i", "slave"), ("rst_3_o", "master")] {
        assert!(top.lines().any(|line| line.ends_with(&format!(" {port},"))), "{port}\n{top}");
        let bus = format!("<ipxact:name>{}</ipxact:name>\n      <ipxact:busType", &port[..5]);
        let bus = component
            .split(&bus)
            .nth(1)
            .and_then(|rest| rest.split("</ipxact:busInterface>").next())
            .expect("an interface");
        assert!(bus.contains(port) && bus.contains(&format!("<ipxact:{mode}/>")), "{bus}");
    }
    let sum = Bench::new(&spec(SUM, ""));
    let top = fs::read_to_string(sum.folder.join("rtl/mn_top.v")).unwrap();
    assert!(!top.contains("_tdest,") && !top.contains("_tid,"), "words that are combined have no one source");
}

#[test]
fn destinations_and_sources_are_read_back() {
    let compiled = compile(spec(RING, "").as_str()).unwrap();
    let hardware = compiled.hardware().unwrap();
    let images = hardware.images();
    assert!(hardware.read(&images).is_ok());
    // tile 0 sends two words to each other tile and gets two from each
    for name in ["dests_0", "sources_0"] {
        let (_, text) = images.iter().find(|(image, _)| *image == name).expect("an image");
        assert_eq!(text, "1\n1\n2\n2\n3\n3\n", "{name}");
        let other = |(image, text): (&str, &str)| {
            (image.to_owned(), if image == name { text.replacen('2', "3", 1) } else { text.to_owned() })
        };
        let error = hardware.read(&images.iter().map(other).collect()).unwrap_err().to_string();
        assert!(error.contains(name) && error.contains("row 2"), "{error}");
    }
}

#[test]
fn commands_that_need_the_host_stream_say_so() {
    let case = Case::new(&spec(RING, ""));
    for command in [["synth", "case.toml", "--board", "ulx3s"], ["run", "case.toml", "--port", "none"]] {
        let (code, _, err) = case.metronoc(&command);
        assert_eq!(code, Some(4), "{err}");
        assert!(err.contains("interface = \"axi-stream\"") && err.contains("tb/mn_tb.v"), "{err}");
    }
    for command in [["check", "case.toml"], ["schedule", "case.toml"], ["simulate", "case.toml"]] {
        assert_eq!(case.metronoc(&command).0, Some(0), "{command:?}");
    }
}
