//! Flow of a synthesis, planned as data: a synthesis script and three commands, with paths relative to one folder.
//!
//! The tile is synthesised once and repeated: the hierarchy is kept at its border, where all outputs are registers, and
//! taken apart before place and route.

use super::{Design, Project};
use crate::board::{Board, Family};
use crate::tool::{Command, Tool};
use std::fmt::Write;

/// The synthesis script.
pub const SCRIPT: &str = "synth.ys";
/// The synthesised netlist; not kept, since it is large and quickly made again.
pub const NETLIST: &str = "mn_board.json";
/// The report of place and route.
pub const PLACED: &str = "place.json";

/// Fewest registers that are worth a reset or an enable signal of their own. All registers of a logic block share one
/// reset, those of a slice one enable. So registers of many small groups cannot be placed together. For D3(2,3) on an
/// ECP5 with groups of 16, the placer takes ten times as long to find legal places, and wires are 1.5 times as long.
const LEAST_RESET: u32 = 40;
const LEAST_ENABLE: u32 = 8;

/// A synthesis: all that decides its outcome.
pub struct Synthesis<'a> {
    /// The network.
    pub design: &'a Design,
    /// The sources with the board's top.
    pub project: &'a Project,
    /// The board.
    pub board: &'a Board,
    /// Options of place and route.
    pub options: Options,
}

/// The tools that a family needs.
pub fn tools(family: Family) -> [Tool; 3] {
    match family {
        Family::Ice40 => [Tool::Yosys, Tool::NextpnrIce40, Tool::Icepack],
        Family::Ecp5 => [Tool::Yosys, Tool::NextpnrEcp5, Tool::Ecppack],
        Family::Gowin => [Tool::Yosys, Tool::NextpnrGowin, Tool::GowinPack],
    }
}

/// Options of place and route.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Options {
    /// The clock that place and route aims at.
    pub target_mhz: f64,
    /// Seed of place and route.
    pub seed: u64,
    /// Placer of nextpnr; None is nextpnr's default.
    pub placer: Option<Placer>,
    /// True if the router removes connections that make a path too slow, and repeats this until no path is too slow.
    /// Use it only for a clock that can be reached, since otherwise the router does not end.
    pub tmg_ripup: bool,
}

/// Placers of nextpnr, by its names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Placer {
    /// Solves for wire length, spreads and legalises in turn, driven by the clock.
    Heap,
    /// Spreads all cells at once as charges repel: shorter wires where the device is nearly full, but not driven by the clock.
    Static,
}

impl Placer {
    fn name(self) -> &'static str {
        match self {
            Placer::Heap => "heap",
            Placer::Static => "static",
        }
    }
}

/// A step of the flow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Verilog to a netlist.
    Synthesize,
    /// Netlist to a placed and routed design.
    Place,
    /// Design to a bitstream.
    Pack,
}

impl Step {
    /// Description of the step, such as "place and route".
    pub fn describe(self) -> &'static str {
        match self {
            Step::Synthesize => "synthesise",
            Step::Place => "place and route",
            Step::Pack => "pack the bitstream",
        }
    }

    /// Name of the step's log file.
    pub fn log(self) -> &'static str {
        match self {
            Step::Synthesize => "synth.log",
            Step::Place => "place.log",
            Step::Pack => "pack.log",
        }
    }
}

/// Plan of a synthesis: script and commands.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// The synthesis script, in [`SCRIPT`].
    pub script: String,
    /// Commands of the flow, in order.
    pub steps: Vec<(Step, Command)>,
}

impl Plan {
    /// The commands as a shell script, to run the flow by hand.
    pub fn shell(&self) -> String {
        self.steps.iter().fold("#!/bin/sh -e\n".to_owned(), |mut text, (step, command)| {
            let _ = writeln!(text, "{command} > {} 2>&1", step.log()); // a String takes everything
            text
        })
    }
}

/// Plans the flow of a project.
pub fn plan(project: &Project, board: &Board, options: &Options) -> Plan {
    let bitstream = project.bitstream();
    let [synthesis_tool, place_tool, pack_tool] = tools(board.family);
    let design = match board.family {
        Family::Ice40 => "mn_board.asc",
        Family::Ecp5 => "mn_board.config",
        Family::Gowin => "mn_placed.json",
    };
    let (place, both) = (Command::new(place_tool), ["--json", NETLIST, "--report", PLACED]);
    let lattice =
        |place: Command| place.arg(format!("--{}", board.device)).args(["--package", &board.package]).args(both);
    let place = match board.family {
        Family::Ice40 => lattice(place).args(["--pcf", project.pins(), "--asc", design]),
        Family::Ecp5 => lattice(place).args(["--lpf", project.pins(), "--textcfg", design, "--router", "router2"]),
        Family::Gowin => {
            let [series, pins] = [format!("family={}", board.package), format!("cst={}", project.pins())];
            place
                .args(["--device", &board.device, "--vopt", &series])
                .args(both)
                .args(["--vopt", &pins, "--write", design])
        }
    };
    let place = place.args(["--freq", &format!("{}", options.target_mhz), "--seed", &options.seed.to_string()]);
    // A clock that is too slow is reported, with all that was made.
    let place = place.args(["--timing-allow-fail", "--quiet"]).args(board.flow.place.iter().map(String::as_str));
    let place = place.args(options.placer.iter().flat_map(|placer| ["--placer", placer.name()]));
    let place = place.args(options.tmg_ripup.then_some("--tmg-ripup"));
    let pack = Command::new(pack_tool);
    let pack = match board.family {
        Family::Ice40 => pack.args([design, &bitstream]),
        Family::Ecp5 => pack.args(["--compress", design, &bitstream]),
        Family::Gowin => pack.args(["-d", &board.package, "-o", &bitstream, design]),
    };
    Plan {
        script: script(project, board),
        steps: vec![
            (Step::Synthesize, Command::new(synthesis_tool).args(["-q", "-s", SCRIPT])),
            (Step::Place, place),
            (Step::Pack, pack),
        ],
    }
}

fn script(project: &Project, board: &Board) -> String {
    let synth = match board.family {
        Family::Ice40 => "synth_ice40",
        Family::Ecp5 => "synth_ecp5",
        Family::Gowin => "synth_gowin",
    };
    let options: String = board.flow.synthesis.iter().map(|option| format!(" {option}")).collect();
    let mut lines: Vec<String> = project.sources().map(|file| format!("read_verilog -defer {file}")).collect();
    lines.push("hierarchy -top mn_board".into());
    lines.push(match board.family {
        // ports of what is kept would become pins
        Family::Gowin => "setattr -mod -unset keep_hierarchy *".into(),
        // one with parameters has its name in that of the derived module
        Family::Ice40 | Family::Ecp5 => format!("setattr -mod -set keep_hierarchy 1 *{0}", project.repeated()),
    });
    match board.family {
        Family::Ice40 | Family::Gowin => lines.push(format!("{synth}{options} -top mn_board")),
        Family::Ecp5 => {
            // A block RAM answers in 5.8 ns and would limit the clock of a queue that is not deep.
            lines.push("setattr -set ram_style \"distributed\" *mn_fifo/m:*mem".into());
            lines.push(format!("{synth}{options} -top mn_board -run begin:map_ffs"));
            let cells = ["$_DFF_P_", "$_DFFE_PP_", "$_SDFF_PP?_", "$_SDFFCE_PP?P_"];
            let cells: String = cells.iter().map(|cell| format!(" -cell {cell} 01")).collect();
            lines.push(format!("dfflegalize{cells} -minsrst {LEAST_RESET} -mince {LEAST_ENABLE}"));
            lines.push("opt_clean".into());
            lines.push(format!("{synth}{options} -top mn_board -run map_ffs:"));
        }
    }
    lines.extend(["setattr -mod -unset keep_hierarchy *", "flatten", "opt_clean"].map(str::to_owned));
    lines.push(format!("write_json {NETLIST}"));
    lines.join("\n") + "\n"
}
