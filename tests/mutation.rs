//! Mutation score: changes of the Verilog that its emitted test bench notices.
//!
//! Yosys makes the mutants of a whole network, by the method of mcy: a constant, an inversion or another bit at one port of one cell. All of
//! them are in one netlist, and an argument says which is switched on, so that one simulator serves for all. Without Icarus Verilog nothing
//! is tested.

mod common;

use camino::Utf8Path;
use common::case::Case;
use metronoc::tool::{self, Command, Progress, Tool};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::process::Command as Process;

/// A ring of slot tables in ROM, and an all-reduce, whose nodes add.
const RING: &str = "format = 1\n[network]\ntopology = \"ring\"\nnodes = 4\n[router]\npayload_bits = 8\n[collective]\nkind = \"all-to-all\"\n";
const SUM: &str = "format = 1\n[network]\ntopology = \"ring\"\nnodes = 4\n[router]\npayload_bits = 8\n[collective]\nkind = \"all-reduce\"\nop = \"sum\"\nwords = 2\n[schedule]\ntime_limit_s = 1\n";

/// The number of the mutant that is switched on, in the top, which hands it on.
const SELECTED: &str = "  reg [15:0] mutsel;\n  initial if (!$value$plusargs(\"mutant=%d\", mutsel)) mutsel = 0;";

/// Mutants of a network, and what became of each.
struct Campaign {
    case: Case,
    /// Changes, in words of Yosys.
    mutants: Vec<String>,
}

impl Campaign {
    /// Makes `count` mutants of a specification's Verilog.
    fn new(spec: &str, count: usize, seed: u64) -> Self {
        let case = Case::new(spec);
        let dir = case.dir.path();
        assert_eq!(case.metronoc(&["generate", "case.toml", "-o", "out"]).0, Some(0));
        let out = dir.join("out");
        let tools = tool::ensure(&[Tool::Yosys], Progress::Silent).unwrap();
        let folder = Utf8Path::from_path(&out).unwrap();
        let read = |name: &str| fs::read_to_string(out.join(name)).unwrap();
        let run = |last: &str| {
            let first = "read_verilog -defer rtl/mn_*.v\nhierarchy -top mn_top\nsetattr -set keep 1 mn_network/w:channel mn_top/w:go\nproc\nopt -noff -keepdc\nmemory -nomap\nopt_clean";
            fs::write(out.join("mutants.ys"), format!("{first}\n{last}\n")).unwrap();
            let command = Command::new(Tool::Yosys).args(["-q", "-s", "mutants.ys"]);
            tools.run(&command, folder, &folder.join("mutants.log")).unwrap();
        };
        run(&format!("mutate -list {} -seed {seed} -o all.txt", count * 5 / 4));
        // another clock is no other logic
        let all = read("all.txt");
        let logic = all
            .lines()
            .filter(|line| !line.contains("CLK") && !line.contains("-wire clk_i") && !line.contains("-port clk_i"));
        let mutants: Vec<String> = logic.take(count).map(str::to_owned).collect();
        let switched = |(number, line): (usize, &String)| {
            line.replace("mutate ", &format!("mutate -ctrl mutsel 16 {} ", number + 1)) + "\n"
        };
        fs::write(out.join("mutants.txt"), mutants.iter().enumerate().map(switched).collect::<String>()).unwrap();
        run("script mutants.txt\nwrite_verilog -noattr mutants.v");
        fs::write(out.join("mutants.v"), selected(&read("mutants.v"))).unwrap();
        let compile = ["-g2012", "-s", "mn_tb", "-o", "mutants.vvp", "tb/mn_tb.v", "mutants.v"];
        let output = Process::new("iverilog").current_dir(&out).args(compile).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let campaign = Self { case, mutants };
        assert!(!campaign.notices(0), "the netlist without a mutant fails");
        campaign
    }

    /// True if the test bench notices a mutant; 0 is the Verilog as it is.
    fn notices(&self, mutant: usize) -> bool {
        let run = Process::new("vvp")
            .current_dir(self.case.dir.path().join("out"))
            .args(["mutants.vvp", &format!("+mutant={mutant}")])
            .output();
        !String::from_utf8_lossy(&run.unwrap().stdout).contains("PASS")
    }

    /// Mutants that nothing notices; verdicts are kept in a file, so that a run can be resumed.
    fn survivors(&self, name: &str) -> Vec<&str> {
        let kept = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("mutation-{name}.txt"));
        let mut text = fs::read_to_string(&kept).unwrap_or_default();
        let known: BTreeMap<String, bool> = text
            .lines()
            .filter_map(|line| line.split_once(' '))
            .map(|(v, mutant)| (mutant.to_owned(), v == "killed"))
            .collect();
        let mut alive = Vec::new();
        for (number, mutant) in self.mutants.iter().enumerate() {
            let killed = known.get(mutant).copied().unwrap_or_else(|| {
                let killed = self.notices(number + 1);
                let _ = writeln!(text, "{} {mutant}", if killed { "killed" } else { "alive" });
                fs::write(&kept, &text).unwrap();
                killed
            });
            if !killed {
                alive.push(mutant.as_str());
            }
        }
        alive
    }
}

/// Netlist whose top has the number of the mutant from the image, and not as an input.
fn selected(netlist: &str) -> String {
    let mut text = String::with_capacity(netlist.len());
    let mut top = false;
    for line in netlist.lines() {
        top = if line.starts_with("module ") { line.starts_with("module mn_top(") } else { top };
        text += &match line.trim() {
            head if top && head.starts_with("module ") => head.replace(", mutsel", ""),
            "input [15:0] mutsel;" if top => SELECTED.to_owned(),
            "wire [15:0] mutsel;" if top => String::new(),
            _ => line.to_owned(),
        };
        text.push('\n');
    }
    text
}

#[test]
fn a_sample_of_mutants_is_noticed() {
    if !common::has_icarus() {
        eprintln!("iverilog is not there: no mutant is tried");
        return;
    }
    let campaign = Campaign::new(RING, 24, 1);
    let killed = (1..=campaign.mutants.len()).filter(|&mutant| campaign.notices(mutant)).count();
    assert!(killed >= 8, "{killed} of 24");
}

#[test]
#[ignore = "hundreds of simulations; .ci/run includes it"]
fn most_mutants_are_noticed() {
    if !common::has_icarus() {
        eprintln!("iverilog is not there: no mutant is tried");
        return;
    }
    for (name, spec, count, least) in [("ring", RING, 200, 130), ("sum", SUM, 200, 130)] {
        let campaign = Campaign::new(spec, count, 1);
        let alive = campaign.survivors(name);
        alive.iter().for_each(|mutant| println!("{mutant}"));
        let killed = campaign.mutants.len() - alive.len();
        println!("{name}: {killed} of {} mutants are noticed", campaign.mutants.len());
        assert!(killed >= least, "{name}: {killed} of {count}");
    }
}
