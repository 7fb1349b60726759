//! The private environment for real: installed if it is not there yet, and put to work.
//!
//! Without network these tests fail: what they prove cannot be had otherwise.

use std::fs;
use std::time::{Duration, Instant};

use camino::{Utf8Path, Utf8PathBuf};
use metronoc::tool::{self, Command, Group, Origin, Progress, Tool, ToolError};

struct Work {
    _dir: tempfile::TempDir,
    path: Utf8PathBuf,
}

impl Work {
    fn new(files: &[(&str, &str)]) -> Self {
        let dir = tempfile::tempdir().expect("temporary folder");
        let path = Utf8PathBuf::from_path_buf(dir.path().to_path_buf()).expect("UTF-8");
        for (name, text) in files {
            fs::write(path.join(name), text).expect("write");
        }
        Self { _dir: dir, path }
    }

    fn run(&self, tools: &tool::ToolSet, command: &Command) -> Result<tool::Output, ToolError> {
        tools.run(command, &self.path, &self.path.join("run.log"))
    }
}

const AND: &str = "`default_nettype none\nmodule gate (input wire a_i, input wire b_i, output wire y_o);\n  assign y_o = a_i & b_i;\nendmodule\n`default_nettype wire\n";

const COUNTER: &str = "`default_nettype none\nmodule counter (input wire clk_i, input wire rst_i, output reg [7:0] count_o);\n  always @(posedge clk_i) begin\n    if (rst_i) count_o <= 8'd0;\n    else count_o <= count_o + 8'd1;\n  end\nendmodule\n`default_nettype wire\n";

const COUNTER_MAIN: &str = r#"
#include "Vcounter.h"
#include <cstdio>
int main() {
  Vcounter top;
  for (int cycle = 0; cycle < 11; ++cycle) {
    top.rst_i = cycle == 0;
    top.clk_i = 0; top.eval();
    top.clk_i = 1; top.eval();
  }
  std::printf("count %d\n", top.count_o);
}
"#;

fn verilate() -> Command {
    Command::new(Tool::Verilator).args([
        "--cc",
        "--exe",
        "--build",
        "-Wall",
        "-MAKEFLAGS",
        "OPT_FAST=-O1",
        "-Mdir",
        "obj",
        "counter.v",
        "main.cpp",
    ])
}

#[test]
fn simulation_builds_and_runs_a_model() {
    let tools = tool::ensure(&Group::Simulation.tools(), Progress::auto(false)).expect("tools");
    let work = Work::new(&[("counter.v", COUNTER), ("main.cpp", COUNTER_MAIN)]);
    work.run(&tools, &verilate()).expect("builds");
    let said = std::process::Command::new(work.path.join("obj/Vcounter")).output().expect("runs");
    assert_eq!(String::from_utf8_lossy(&said.stdout), "count 10\n");
}

#[test]
fn a_broken_model_fails_with_the_message_of_the_tool() {
    let tools = tool::ensure(&[Tool::Verilator], Progress::auto(false)).expect("tools");
    let work = Work::new(&[("counter.v", &COUNTER.replace("8'd1", "undeclared")), ("main.cpp", COUNTER_MAIN)]);
    match work.run(&tools, &verilate()) {
        Err(ToolError::Failed { tool: Tool::Verilator, tail, command, log, .. }) => {
            assert!(tail.contains("undeclared"), "{tail}");
            assert!(command.starts_with("verilator --cc") && log.ends_with("run.log"));
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn synthesis_maps_one_gate_to_one_lookup_table() {
    let tools = tool::ensure(&[Tool::Yosys], Progress::auto(false)).expect("tools");
    let work = Work::new(&[("gate.v", AND)]);
    let synth = |top: &str| {
        let script = format!("read_verilog gate.v; synth_ice40 -top {top} -json gate.json; stat");
        Command::new(Tool::Yosys).args(["-p".to_owned(), script])
    };
    let output = work.run(&tools, &synth("gate")).expect("synthesis");
    assert!(output.text.contains("SB_LUT4"), "{}", output.text);
    let netlist: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(work.path.join("gate.json")).expect("netlist")).expect("JSON");
    let cells = netlist["modules"]["gate"]["cells"].as_object().expect("cells");
    assert_eq!(cells.len(), 1);
    assert!(
        matches!(work.run(&tools, &synth("absent")), Err(ToolError::Failed { tail, .. }) if tail.contains("absent"))
    );
}

#[test]
fn both_device_families_go_down_to_a_bitstream() {
    let tools = tool::ensure(&Group::Synthesis.tools(), Progress::auto(false)).expect("tools");
    let work = Work::new(&[("gate.v", AND), ("gate.pcf", "set_io a_i 2\nset_io b_i 3\nset_io y_o 4\n")]);
    let lpf: String = [("a_i", "P2"), ("b_i", "P3"), ("y_o", "P4")]
        .map(|(port, site)| {
            format!("LOCATE COMP \"{port}\" SITE \"{site}\";\nIOBUF PORT \"{port}\" IO_TYPE=LVCMOS33;\n")
        })
        .concat();
    fs::write(work.path.join("gate.lpf"), lpf).expect("write");
    let flow = [
        Command::new(Tool::Yosys).args(["-q", "-p", "read_verilog gate.v; synth_ice40 -json ice40.json"]),
        Command::new(Tool::NextpnrIce40).args(
            "--up5k --package sg48 --json ice40.json --pcf gate.pcf --asc gate.asc --report ice40.report".split(' '),
        ),
        Command::new(Tool::Icepack).args(["gate.asc", "ice40.bin"]),
        Command::new(Tool::Yosys).args(["-q", "-p", "read_verilog gate.v; synth_ecp5 -json ecp5.json"]),
        Command::new(Tool::NextpnrEcp5).args(
            "--85k --package CABGA381 --json ecp5.json --lpf gate.lpf --textcfg gate.config --report ecp5.report"
                .split(' '),
        ),
        Command::new(Tool::Ecppack).args(["--input", "gate.config", "--bit", "ecp5.bit"]),
    ];
    for command in flow {
        work.run(&tools, &command).unwrap_or_else(|error| panic!("{error}"));
    }
    for file in ["ice40.bin", "ecp5.bit"] {
        let size = fs::metadata(work.path.join(file)).expect(file).len();
        assert!(size > 10_000, "{file} has {size} bytes");
    }
}

#[test]
fn proofs_pass_and_counterexamples_are_found() {
    let tools = tool::ensure(&Group::Proof.tools(), Progress::auto(false)).expect("tools");
    // A register that follows its input stays below 8 only if the input does.
    let module = |bound: u32| {
        format!(
            "module follow (input wire clk, input wire [3:0] d);\n  reg [3:0] q = 0;\n  always @(posedge clk) begin\n    if (d < 8) q <= d;\n    assert (q < {bound});\n  end\nendmodule\n"
        )
    };
    let sby = "[options]\nmode prove\n[engines]\nsmtbmc z3\n[script]\nread_verilog -formal follow.v\nprep -top follow\n[files]\nfollow.v\n";
    let prove = |bound: u32| {
        let work = Work::new(&[("follow.v", &module(bound)), ("follow.sby", sby)]);
        let result = work.run(&tools, &Command::new(Tool::Sby).args(["-f", "follow.sby"]));
        result.map(|output| output.text)
    };
    let text = prove(8).expect("the bound holds");
    assert!(text.contains("PASS"), "{text}");
    match prove(5) {
        Err(ToolError::Failed { tool: Tool::Sby, tail, .. }) => assert!(tail.contains("FAIL"), "{tail}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_is_ready_is_ready_at_once() {
    let all: Vec<Tool> = Tool::all().collect();
    let tools = tool::ensure(&all, Progress::auto(false)).expect("tools");
    for &tool in &all {
        let found = tools.found(tool).expect("in the set");
        assert!(found.program.is_file(), "{tool}: {}", found.program);
        assert!(found.origin != Origin::Private || Utf8Path::is_absolute(&found.program));
    }
    // The best of some tries: other tests keep the machine busy meanwhile.
    let quickest = (0..5)
        .map(|_| {
            let begin = Instant::now();
            tool::ensure(&all, Progress::Silent).expect("tools");
            begin.elapsed()
        })
        .min();
    assert!(quickest < Some(Duration::from_millis(300)), "{quickest:?}");
}
