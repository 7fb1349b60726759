//! Mutants of a network, and the checks that are run on each.

use super::mutants::{ABC, Design, Fate, Mutants, State, Tried, UNCHANGED, limit, module, wire};
use crate::common::case::{Case, is_of_stress};
use assert_cmd::Command as Process;
use metronoc::tool::{self, Progress, Tool};
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Number of the selected mutant, in the top, which hands it on: read from a file where the simulation runs.
const SELECTED: &str = "  reg [15:0] mutsel;\n  integer mutfile, mutread;\n  initial begin\n    mutsel = 0;\n    \
     mutfile = $fopen(\"mutant.txt\", \"r\");\n    if (mutfile != 0) mutread = $fscanf(mutfile, \"%d\", mutsel);\n  end\n";
/// Verilator for netlists: generate blocks are parts of names, and what is observed is named by patterns. Routers stay modules: mutants can make
/// loops of their vectors, to which the channels would belong otherwise, so that what the stress has changed there would be taken back.
const VERILATOR: &str = "#!/bin/sh\n[ -f shim.cpp ] && [ -f observe.vlt ] && {\n\
    sed -i 's/__BRA__\\([0-9]*\\)__KET____DOT__/__05b\\1__05d__02e/g' shim.cpp\n\
    sed -i 's/\" -var/*\" -var/; s/-var \"/-var \"*/; $a lint_off -file \"rtl/mn_top.v\"\\nno_inline -module \"mn_*router*\"' observe.vlt\n\
    [ -f mn_receive_probe.sv ] && : > mn_receive_probe.sv\n}\n";
/// Probe of the receive ports, which Yosys does not bind.
const PROBE: &str = include_str!("../../sim/mn_receive_probe.sv");
const OBSERVE: [&str; 2] = [include_str!("../../sim/observe.vlt"), include_str!("../../sim/observe_dynamic.vlt")];
const PROBE_MODULE: &str = "mn_receive_probe";

/// Mutants of a network.
pub struct Campaign {
    name: String,
    case: Case,
    mutants: Mutants,
    verilator: PathBuf,
    /// Packets come by chance, and not from an array.
    is_traffic: bool,
    /// Most time of a check.
    limit: Duration,
}

/// True if the programs of a campaign that metronoc does not install are there; says which are not.
pub fn ready() -> bool {
    let is_there = |program: &str| std::process::Command::new(program).arg("-V").output().is_ok();
    let missing: Vec<&str> = ["iverilog", ABC].into_iter().filter(|program| !is_there(program)).collect();
    if !missing.is_empty() {
        eprintln!("no mutant is tried without {}", missing.join(" and "));
    }
    missing.is_empty()
}

impl Campaign {
    /// Makes `count` mutants of a specification's Verilog, as many in each module as in another, where there are so many; a proof has `patience`.
    pub fn new(name: &str, spec: &str, count: usize, patience: Duration) -> Self {
        let case = Case::new(spec);
        let out = case.dir.path().join("out");
        let (code, _, errors) = case.metronoc(&["generate", "case.toml", "-o", "out"]);
        assert_eq!(code, Some(0), "{errors}");
        if let Ok(port) = fs::read_to_string(out.join("rtl/mn_receive_port.v")) {
            let (probe, bound) = PROBE.split_once("bind mn_receive_port ").unwrap();
            fs::write(out.join("rtl/mn_receive_probe.v"), probe).unwrap();
            fs::write(out.join("rtl/mn_receive_port.v"), port.replace("endmodule", &format!("{bound}endmodule")))
                .unwrap();
        }
        let observed =
            OBSERVE.into_iter().flat_map(str::lines).filter_map(|line| line.strip_prefix("public_flat_rd -module "));
        let kept: String = observed
            .filter_map(|line| {
                let names: Vec<&str> = line.split('"').collect();
                Some(format!("setattr -set keep 1 *{}*/w:*{}\n", names.get(1)?, names.get(3)?))
            })
            .collect();
        // what the stress flips must stay as it is: opt_mem, which `memory` runs, would narrow tables with their check bytes, and opt would make one
        // register of two equal leaves of the tree of ends, or of two guards
        let script = format!(
            "read_verilog -defer rtl/mn_*.v\nhierarchy -top mn_top\nsetattr -mod -set keep 1 *{PROBE_MODULE}*\n{kept}\
             proc\nsetattr -set keep 1 *mn_fanin*/t:$dff *mn_guard*/t:$dff\nopt -noff -keepdc\nmemory_dff\nmemory_collect\nopt_clean\n"
        );
        let has = |module: &str| out.join(format!("rtl/{module}.v")).exists();
        let design = Design {
            folder: out.clone(),
            top: "mn_top",
            script: &script,
            start: Some(State::Reset),
            several_clocks: false,
            patience,
        };
        // what the stress flips must stay a register, and be what others see; exchanges have no module that is the router
        let left = |line: &str| {
            let is_channel = match module(line) {
                "mn_exchange_tile" | "mn_exchange_endpoint" | "mn_exchange_ports" => {
                    ["local_o", "global_o", "tx", "tx_o"].contains(&wire(line))
                }
                "mn_network" => wire(line) == "channel",
                other => {
                    ["_router", "mn_slot_output", "mn_slot_tile_"].iter().any(|part| other.contains(part))
                        && ["local_o", "global_o", "out_o"].contains(&wire(line))
                }
            };
            let is_kept = ["mn_fanin", "mn_guard"].contains(&module(line)) && line.contains("-port Q ");
            // the lockstep alone looks at this
            let is_observed = module(line) == "mn_exchange_ports" && wire(line).ends_with(".taken");
            is_channel || is_kept || is_observed
        };
        let mutants = Mutants::new(design, count, |module| module != PROBE_MODULE, left);
        let text = fs::read_to_string(out.join("mutants.v")).unwrap();
        let netlist = case_folder(&out).join("rtl/mn_top.v");
        fs::create_dir_all(netlist.parent().unwrap()).unwrap();
        fs::write(&netlist, selected(&text, "mn_top")).unwrap();
        let bench = fs::read_dir(out.join("tb")).unwrap().map(|entry| entry.unwrap().path());
        let bench = bench.filter(|path| path.extension().is_some_and(|end| end == "v")).collect::<Vec<_>>();
        let top = bench[0].file_stem().unwrap().to_str().unwrap().to_owned();
        let mut compile = Process::new("iverilog");
        compile.current_dir(&out).args(["-g2012", "-s", &top, "-o", "mutants.vvp"]).args(&bench).arg(&netlist);
        let output = compile.output().unwrap();
        assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
        let is_traffic = has("mn_pops_dynamic");
        let mut this =
            Self { name: name.to_owned(), case, mutants, verilator: verilator(), is_traffic, limit: UNCHANGED };
        this.limit = limit(this.unchanged());
        this
    }

    /// The netlist without a mutant passes all checks, and the stress provokes as many faults in it as in the Verilog. Time of the slowest check.
    fn unchanged(&self) -> Duration {
        let begin = Instant::now();
        assert!(!self.bench_fails(0, 0), "{}: the test bench fails without a mutant", self.name);
        let bench = begin.elapsed();
        let stressed = |(code, said): (Option<i32>, String)| {
            assert_eq!(code, Some(0), "{}: {said}", self.name);
            said.lines().find(|line| line.starts_with("stress: ")).unwrap().to_owned()
        };
        let verilog = self.case.metronoc(&[&["cosim", "case.toml", "-q", "--stress"], self.words()].concat());
        let verilog = stressed((verilog.0, verilog.1 + &verilog.2));
        let begin = Instant::now();
        assert_eq!(stressed(self.cosim(0, 0)), verilog, "{}", self.name);
        bench.max(begin.elapsed())
    }

    pub fn out(&self) -> PathBuf {
        self.case.dir.path().join("out")
    }

    /// Folder where the simulations of a worker run, with the number of the mutant.
    fn folder(&self, worker: usize, mutant: usize) -> PathBuf {
        let folder = self.case.dir.path().join(format!("worker_{worker}"));
        if !folder.exists() {
            fs::create_dir_all(&folder).unwrap();
            for part in ["tb", "rom"] {
                std::os::unix::fs::symlink(self.out().join(part), folder.join(part)).unwrap();
            }
        }
        fs::write(folder.join("mutant.txt"), format!("{mutant}\n")).unwrap();
        folder
    }

    fn bench_fails(&self, worker: usize, mutant: usize) -> bool {
        let mut run = Process::new("vvp");
        run.current_dir(self.folder(worker, mutant)).arg(self.out().join("mutants.vvp")).timeout(self.limit);
        // a run beyond the limit does not pass
        run.output().map_or(true, |output| !String::from_utf8_lossy(&output.stdout).contains("PASS"))
    }

    /// Options of a co-simulation that say which words move.
    fn words(&self) -> &[&str] {
        if self.is_traffic { &[] } else { &["--random", "--form", "top"] }
    }

    /// Exit code and messages of the lockstep and the stress.
    fn cosim(&self, worker: usize, mutant: usize) -> (Option<i32>, String) {
        let mut command = Process::cargo_bin("metronoc").unwrap();
        command.current_dir(self.folder(worker, mutant)).env("METRONOC_VERILATOR", &self.verilator).timeout(self.limit);
        command.args(["cosim", "../case.toml", "-q", "--stress"]).args(self.words());
        let output = command.arg("--rtl").arg(case_folder(&self.out())).output();
        output.map_or((None, String::new()), |output| {
            let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
            (output.status.code(), said)
        })
    }
}

impl Tried for Campaign {
    fn mutants(&self) -> &Mutants {
        &self.mutants
    }

    fn mutants_mut(&mut self) -> &mut Mutants {
        &mut self.mutants
    }

    fn fate(&self, worker: usize, mutant: usize) -> Fate {
        if self.bench_fails(worker, mutant) {
            return Fate::TestBench;
        }
        match self.cosim(worker, mutant) {
            (Some(0), _) if self.mutants.equivalent(worker, mutant) => Fate::Equivalent,
            (Some(0), _) => Fate::Survivor,
            (_, said) if is_of_stress(&said) => Fate::Stress,
            _ => Fate::Lockstep,
        }
    }
}

/// Folder of the netlist with all mutants, as `--rtl` takes it.
fn case_folder(out: &Path) -> PathBuf {
    out.join("mutated")
}

/// Number that tells programs apart whose simulators are not the same.
fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

/// A program that is Verilator with names for netlists; its place is the same in every run, so that simulators are found again.
fn verilator() -> PathBuf {
    use std::os::unix::fs::PermissionsExt;
    static ONE: Mutex<()> = Mutex::new(());
    let _one = ONE.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let tools = tool::ensure(&[Tool::Verilator], Progress::Silent).unwrap();
    let found = tools.found(Tool::Verilator).unwrap();
    let root = tools
        .verilator_include()
        .map_or(String::new(), |include| format!("export VERILATOR_ROOT='{}'\n", include.parent().unwrap()));
    // that of the wheel does not print its version
    let version = format!("[ \"$1\" = --version ] && echo 'Verilator {} for netlists' && exit\n", found.version);
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("verilator-of-netlists-{:x}", hash(VERILATOR)));
    let text = format!("{VERILATOR}{version}{root}exec '{}' -Wno-fatal \"$@\"\n", found.program);
    if fs::read_to_string(&path).ok().as_ref() != Some(&text) {
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }
    path
}

/// Netlist whose top has the number of the mutant from outside the design, and not as an input.
pub fn selected(netlist: &str, name: &str) -> String {
    let (before, top) = netlist.split_at(netlist.find(&format!("module {name}(")).unwrap());
    let (head, rest) = top.split_at(top.find(");").unwrap());
    let (body, after) = rest.split_at(rest.find("endmodule").unwrap());
    let body = body.replacen("  input [15:0] mutsel;\n", SELECTED, 1).replacen("  wire [15:0] mutsel;\n", "", 1);
    [before, &head.replace(", mutsel", ""), &body, after].concat()
}
