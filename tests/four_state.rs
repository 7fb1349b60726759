//! Four-state simulation: with X in every register at power-on, no X is on a channel or stream that has something after reset.
//!
//! The emitted test bench of each family runs in Icarus Verilog with a monitor at every channel: no bit of a header may be X, and no bit of
//! a word that has a header. Without Icarus Verilog nothing is tested.

use crate::common;
use crate::common::case::Case;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Cycles of reset that the book asks for.
const RESET: u32 = 64;
/// Cycles of reset that the queues of couplers without a schedule ask for at least.
const DYNAMIC: [u32; 4] = [2, 3, 16, 64];

/// Specification of a network by its topology, router and collective.
fn spec(network: &str, more: &str, collective: &str) -> String {
    format!("format = 1\n[network]\n{network}\n[router]\npayload_bits = 8\n{more}\n[collective]\n{collective}\n")
}

fn cube(more: &str, collective: &str) -> String {
    spec("topology = \"swapped-dragonfly\"\nk = 2\nm = 2\ngroup = \"xor\"", more, collective)
}

/// A small case of each family, by name.
fn families() -> Vec<(&'static str, String)> {
    let ring = |collective: &str| spec("topology = \"ring\"\nnodes = 4", "", collective);
    let ram = |text: String| text + "[schedule]\nstorage = \"ram\"\n";
    let pops = "topology = \"pops\"\nd = 2\ng = 2";
    vec![
        ("source-vector", cube("parity = true", "kind = \"all-to-all\"")),
        ("source-vector, stages", cube("local_stages = 16\nglobal_stages = 16", "kind = \"all-to-all\"\nwords = 2")),
        ("source-vector, memories", ram(cube("", "kind = \"all-to-all\""))),
        ("stream", cube("", "kind = \"broadcast\"\nroot = 2\ncount = 5")),
        ("exchange", cube("", "kind = \"all-reduce\"\nop = \"sum\"\nwords = 2")),
        ("exchange, sort", cube("", "kind = \"bitonic-sort\"")),
        ("product", cube("", "kind = \"vector-matrix\"")),
        ("pops-coupler", spec(pops, "parity = true", "kind = \"permutation\"\npattern = \"random\"")),
        ("pops-coupler, memories", ram(spec(pops, "", "kind = \"permutation\"\npattern = \"random\""))),
        (
            "pops-coupler, dynamic",
            spec(
                pops,
                "arbitration = \"round-robin\"",
                "kind = \"traffic\"\npattern = \"uniform\"\nload = 1\ncycles = 1000",
            ),
        ),
        ("slot-table", ring("kind = \"all-to-all\"")),
        (
            "slot-table, long channels",
            ring("kind = \"all-to-all\"").replace("[router]", "[network.latency]\nall = 255\n[router]"),
        ),
        ("slot-table, sums", ring("kind = \"all-reduce\"\nop = \"sum\"\nwords = 2")),
        ("slot-table, memories", ram(ring("kind = \"all-to-all\""))),
    ]
}

/// Monitors of registers with a header and a word, and of words that are valid or not. The first X ends the simulation.
const MONITORS: &str = "
module mn_x_channel #(parameter N = 1, B = 2, W = 1) (input wire clk, input wire rst, input wire [N*B-1:0] q);
    integer i;
    always @(negedge clk) if (rst === 1'b0) for (i = 0; i < N; i = i + 1)
        if ((^q[i*B+W+:B-W]) === 1'bx || ((|q[i*B+W+:B-W]) && (^q[i*B+:W]) === 1'bx)) begin
            $display(\"X in %m, register %0d: %b\", i, q[i*B+:B]);
            $finish;
        end
endmodule
module mn_x_word #(parameter N = 1, W = 1) (input wire clk, input wire rst, input wire [N-1:0] valid, input wire [N*W-1:0] word);
    integer i;
    always @(negedge clk) if (rst === 1'b0) for (i = 0; i < N; i = i + 1)
        if (valid[i] === 1'bx || (valid[i] && (^word[i*W+:W]) === 1'bx)) begin
            $display(\"X in %m, register %0d: %b %b\", i, valid[i], word[i*W+:W]);
            $finish;
        end
endmodule
";

/// Value of a `localparam` in a text.
fn parameter(text: &str, name: &str) -> usize {
    let start = format!("localparam {name} = ");
    let at = text.find(&start).unwrap_or_else(|| panic!("no {name}")) + start.len();
    text[at..].split(';').next().unwrap().trim().parse().unwrap()
}

/// Bits of each `wire` or `reg` of a text with a plain width whose name `is` accepts.
fn wires(text: &str, is: impl Fn(&str) -> bool) -> Vec<(String, usize)> {
    let line = |line: &str| {
        let (width, name) = line.trim().strip_prefix("wire [")?.split_once(":0] ")?;
        Some((name.trim_end_matches(';').to_owned(), width.parse::<usize>().ok()? + 1))
    };
    text.lines().filter_map(line).filter(|(name, _)| is(name)).collect()
}

/// A family's files with the monitored test bench.
struct Bench {
    case: Case,
}

impl Bench {
    fn new(spec: &str) -> Self {
        let case = Case::new(spec);
        let (code, _, err) = case.metronoc(&["generate", "case.toml", "-o", "out", "-q"]);
        assert_eq!(code, Some(0), "{spec}\n{err}");
        Self { case }
    }

    fn out(&self) -> PathBuf {
        self.case.dir.path().join("out")
    }

    /// The Verilog files, by the list of files.
    fn sources(&self) -> Vec<String> {
        let list = fs::read_to_string(self.out().join("filelist.f")).unwrap();
        list.lines().filter(|line| line.ends_with(".v")).map(str::to_owned).collect()
    }

    /// The test bench with a reset of so many cycles, and monitors; with `used`, a reset that comes while all kinds of beats are being sent.
    fn text(&self, reset: u32, used: bool) -> String {
        let read = |name: &str| fs::read_to_string(self.out().join(name)).unwrap();
        let mut bench = read("tb/mn_tb.v");
        let parity = usize::from(read("../case.toml").contains("parity = true"));
        let streams = "s_tready, m_tvalid, busy, fault";
        let mut monitors = format!("    reg x_armed = 1'b{};\n    wire x_off = rst || !x_armed;\n", u8::from(!used));
        let mut channel = |name: &str, count: usize, bits: usize, word: usize| {
            let label = name.replace('.', "_");
            let _ = writeln!(
                monitors,
                "    mn_x_channel #({count}, {bits}, {word}) x_{label} (clk, x_off, u_top.u_network.{name});"
            );
        };
        let dynamic = bench.contains("m_tvalid, m_tlast;");
        if dynamic {
            for (name, words, width, valid) in [
                ("m_tdata", "N", "W", "m_tvalid"),
                ("m_tid", "N", "PB", "m_tvalid"),
                ("m_tlast", "N", "1", "m_tvalid"),
                ("u_top.u_network.heard_data", "4", "W", "u_top.u_network.heard_valid"),
                ("u_top.u_network.heard_last", "4", "1", "u_top.u_network.heard_valid"),
                ("u_top.u_network.heard_dest", "4", "1", "u_top.u_network.heard_valid"),
                ("u_top.u_network.heard_source", "4", "1", "u_top.u_network.heard_valid"),
            ] {
                let label = name.rsplit('.').next().unwrap();
                monitors += &format!("    mn_x_word #({words}, {width}) x_{label} (clk, rst, {valid}, {name});\n");
            }
            monitors += "    mn_x_word #(1, N + 1) x_ready (clk, rst, 1'b1, {s_tready, fault});\n";
        } else {
            let network = read("rtl/mn_network.v");
            let word = 8 + parity;
            if network.contains("localparam LCW") {
                for (kind, parameter_name) in [("local_", "LCW"), ("global_", "GCW")] {
                    let bits = parameter(&network, parameter_name);
                    let places =
                        |name: &str| name.strip_prefix(kind).is_some_and(|rest| rest.matches('_').count() == 2);
                    let found = wires(&network, places);
                    assert_eq!(found.len(), 8, "a register of channels for each of 8 routers");
                    found.iter().for_each(|(name, width)| channel(name, width / bits, bits, word));
                }
            } else {
                let name = if network.contains("wire [G*G*CW-1:0] coupler;") { "coupler" } else { "channel" };
                let count = if name == "coupler" { 4 } else { parameter_of_channels(&network) };
                channel(name, count, word + 1, word);
            }
            let _ = write!(
                monitors,
                "    mn_x_word #(1, 4) x_streams (clk, x_off, 1'b1, {{{streams}}});
    // the bench itself compares words with !==, those that are results
    mn_x_word #(1, TB + 2) x_out (clk, x_off, m_tvalid, {{m_tid, m_tuser, m_tlast}});
"
            );
        }
        let first = "repeat (64) @(negedge clk);";
        assert_eq!(bench.matches(first).count(), 1);
        let again = "repeat (64) @(negedge clk);
        m_tready = 1'b0;
        rst = 1'b0;
        repeat (500) begin
            s_tvalid = $random;
            s_tdest = $random;
            s_tdata = $random;
            @(negedge clk);
        end
        s_tvalid = 1'b0;
        rst = 1'b1;
        @(negedge clk);
        x_armed = 1'b1;
        ";
        let again = if used { again } else { "" };
        bench = bench.replace(
            first,
            &format!("{again}repeat ({reset}) @(negedge clk);{}", if used { "\n        m_tready = 1'b1;" } else { "" }),
        );
        let end = bench.rfind("endmodule").unwrap();
        bench.insert_str(end, &monitors);
        bench + MONITORS
    }

    /// Makes a simulation of the sources with a test bench.
    fn compile(&self, bench: &str) {
        fs::write(self.out().join("x_tb.v"), bench).unwrap();
        let compile = ["-g2005", "-s", "mn_tb", "-o", "x.vvp", "x_tb.v"].into_iter();
        let sources = self.sources();
        let said = self.tool("iverilog", &compile.chain(sources.iter().map(String::as_str)).collect::<Vec<_>>());
        assert_eq!(said, "", "{bench}");
    }

    /// Lines that the simulation prints.
    fn run(&self, options: &[&str]) -> String {
        self.tool("vvp", &[&["x.vvp"], options].concat())
    }

    /// Lines that a tool prints.
    fn tool(&self, program: &str, args: &[&str]) -> String {
        let output = Command::new(program).current_dir(self.out()).args(args).output().unwrap();
        String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned()
    }

    /// Lines that a simulation of the Verilog prints.
    fn whole(&self, reset: u32, used: bool) -> String {
        self.compile(&self.text(reset, used));
        self.run(&[])
    }
}

/// Channels of a network of slot tables.
fn parameter_of_channels(network: &str) -> usize {
    let line = network.lines().find(|line| line.trim().ends_with("*CW-1:0] channel;")).expect("the channels");
    line.trim().trim_start_matches("wire [").split('*').next().unwrap().parse().unwrap()
}

fn passes(said: &str) -> bool {
    said.contains("PASS: ") && !said.contains("X in ")
}

fn missing() -> bool {
    let missing = !common::has_icarus();
    if missing {
        eprintln!("iverilog is not there: nothing is simulated with X");
    }
    missing
}

/// Simulates a family with resets of all lengths that the book allows, and, with `used`, with one in the middle of work.
fn stands(family: &str, spec: &str, used: bool) {
    let bench = Bench::new(spec);
    let dynamic = family.ends_with("dynamic");
    for &reset in if dynamic { &DYNAMIC[..] } else { &[RESET] } {
        let said = bench.whole(reset, false);
        assert!(passes(&said), "{family}, {reset} cycles of reset: {said}");
    }
    if used && !dynamic {
        let said = bench.whole(RESET, true);
        assert!(passes(&said), "{family}, used before the reset: {said}");
    }
}

#[test]
fn no_x_is_on_a_channel_or_stream_after_reset() {
    if missing() {
        return;
    }
    let some = ["source-vector", "exchange", "pops-coupler", "pops-coupler, dynamic", "slot-table"];
    for (family, spec) in families().iter().filter(|(family, _)| some.contains(family)) {
        stands(family, spec, false);
    }
}

#[test]
#[ignore = "simulations of fourteen networks: a minute; .ci/run includes it"]
fn no_x_is_on_a_channel_or_stream_after_any_reset() {
    if missing() {
        return;
    }
    families().iter().for_each(|(family, spec)| stands(family, spec, true));
}

#[test]
#[ignore = "simulations of thirteen networks: a minute; .ci/run includes it"]
fn four_cycles_of_reset_leave_x() {
    if missing() {
        return;
    }
    let all = families().into_iter().filter(|(family, _)| !family.ends_with("dynamic"));
    let left: Vec<_> =
        all.filter(|(_, spec)| Bench::new(spec).whole(4, false).contains("X in ")).map(|(name, _)| name).collect();
    assert!(left.len() >= 10, "{left:?}");
    println!("an X is left in {} networks: {left:?}", left.len());
}

/// Number of the reset that a simulation leaves out, none with 0.
const WITHOUT: &str = "
    reg [15:0] x_without;
    initial if (!$value$plusargs(\"without=%d\", x_without)) x_without = 0;
";

/// A text each of whose resets can be left out, by numbers from this one on, and how many they are.
fn unreset(text: &str, first: usize) -> (String, usize) {
    const RESET: &str = "rst_i";
    let is_reset = |at: usize| {
        let (before, after) = (&text[..at], &text[at + RESET.len()..]);
        before.ends_with("if (") || before.ends_with("|| !") || before.ends_with('!') && after.starts_with(" &&")
    };
    let places = text.match_indices(RESET).map(|(at, _)| at).filter(|&at| is_reset(at));
    let (mut changed, mut done, mut count) = (String::new(), 0, 0);
    for at in places {
        changed += &format!("{}({RESET} && mn_tb.x_without != 16'd{})", &text[done..at], first + count);
        (done, count) = (at + RESET.len(), count + 1);
    }
    (changed + &text[done..], count)
}

/// Mutants of a family without one reset each, at most so many: by file, and true if the simulation says so.
fn mutants(family: &str, spec: &str, most: usize) -> Vec<(String, bool)> {
    let bench = Bench::new(spec);
    let mut text = bench.text(if family.ends_with("dynamic") { 2 } else { RESET }, false);
    text.insert_str(text.find("endmodule").unwrap(), WITHOUT);
    let mut names = Vec::new();
    for name in bench.sources() {
        let path = bench.out().join(&name);
        let (changed, count) = unreset(&fs::read_to_string(&path).unwrap(), names.len() + 1);
        fs::write(path, changed).unwrap();
        let file = Path::new(&name).file_stem().unwrap().to_string_lossy().into_owned();
        names.extend((0..count).map(|number| format!("{file} {number}")));
    }
    bench.compile(&text);
    let said = bench.run(&[]);
    assert!(passes(&said), "{family}, all resets: {said}");
    let noticed = |number: usize| !passes(&bench.run(&[&format!("+without={number}")]));
    names.into_iter().zip(1..).take(most).map(|(name, number)| (name, noticed(number))).collect()
}

#[test]
#[ignore = "a simulation for each reset of each family: minutes; .ci/run includes it"]
fn resets_that_are_missing_are_noticed() {
    if missing() {
        return;
    }
    for (family, spec) in families() {
        let tried = mutants(family, &spec, usize::MAX);
        let missed: Vec<&str> = tried.iter().filter(|(_, noticed)| !noticed).map(|(name, _)| name.as_str()).collect();
        println!(
            "{family}: {} of {} resets are noticed when they are missing, not {missed:?}",
            tried.len() - missed.len(),
            tried.len()
        );
        assert!(missed.len() + 2 < tried.len(), "{family}: {missed:?}");
    }
}

#[test]
fn a_reset_that_is_missing_is_noticed() {
    if missing() {
        return;
    }
    let all = families();
    let (family, spec) = all.iter().find(|(family, _)| *family == "slot-table").unwrap();
    let tried = mutants(family, spec, 4);
    assert!(tried.iter().any(|(_, noticed)| *noticed), "{tried:?}");
}
