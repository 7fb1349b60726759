//! Mutants of a network in one netlist, and the checks that are run on each.

use crate::common::case::Case;
use assert_cmd::Command as Process;
use camino::Utf8Path;
use metronoc::tool::{self, Command, Progress, Tool};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Number of the selected mutant, in the top, which hands it on: read from a file where the simulation runs.
const SELECTED: &str = "  reg [15:0] mutsel;\n  integer mutfile, mutread;\n  initial begin\n    mutsel = 0;\n    \
     mutfile = $fopen(\"mutant.txt\", \"r\");\n    if (mutfile != 0) mutread = $fscanf(mutfile, \"%d\", mutsel);\n  end";
/// Verilator for netlists: generate blocks are parts of names, and what is observed is named by patterns.
const VERILATOR: &str = "#!/bin/sh\n[ -f shim.cpp ] && [ -f observe.vlt ] && {\n\
    sed -i 's/__BRA__\\([0-9]*\\)__KET____DOT__/__05b\\1__05d__02e/g' shim.cpp\n\
    sed -i 's/\" -var/*\" -var/; s/-var \"/-var \"*/; $a lint_off -file \"rtl/mn_top.v\"' observe.vlt\n\
    [ -f mn_receive_probe.sv ] && : > mn_receive_probe.sv\n}\n";
/// Probe of the receive ports, which Yosys does not bind.
const PROBE: &str = include_str!("../../sim/mn_receive_probe.sv");
const OBSERVE: &str = include_str!("../../sim/observe.vlt");
const PROBE_MODULE: &str = "mn_receive_probe";
/// Passes of Yosys after which nothing is kept to be observed.
const PLAIN: &str = "delete */t:mn_receive_probe*\ndelete mn_receive_probe*\n\
    setattr -unset keep */w:* */c:*\nsetattr -mod -unset keep *\n\
    setattr -unset keep_hierarchy */*\nsetattr -mod -unset keep_hierarchy *\n\
    hierarchy -top TOP\n";
/// Passes of Yosys that make gates and registers.
const GATES: &str = "opt -fast\nmemory_map\nopt -fast\ntechmap\nopt -fast\n\
    async2sync\ndffunmap\nsimplemap\nsetundef -zero\nopt_clean\n";
/// Passes of Yosys that cut what is near a mutant out of the network, as the module `near`: what it reaches, up to ten cells ahead, and what the cell
/// with the mutant is given, from six cells before it on. A step is from a wire to cells or back.
const CUT: &str = "flatten\nsplitnets\nopt_clean\nselect -assert-any w:mutsel\n\
    select -set near w:mutsel %co20 w:mutsel %co4 %ci12 %u\nsubmod -name near @near\n";
/// Program of ABC as Debian names it.
const ABC: &str = "berkeley-abc";
/// First value of a register in BLIF that may have either.
const UNKNOWN: &str = "2";
/// Most time of a check.
const LIMIT: Duration = Duration::from_secs(60);

/// Registers in BLIF: first values by name.
type Registers = BTreeMap<String, String>;

/// Fate of a mutant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fate {
    TestBench,
    Lockstep,
    Stress,
    /// Not noticed, and proved to change nothing.
    Equivalent,
    Survivor,
}

impl Fate {
    pub const ALL: [Self; 5] = [Self::TestBench, Self::Lockstep, Self::Stress, Self::Equivalent, Self::Survivor];
}

/// Mutants of a network.
pub struct Campaign {
    pub name: String,
    case: Case,
    /// Changes, in words of Yosys; the number of the first is 1.
    pub mutants: Vec<String>,
    verilator: PathBuf,
    /// Most time of a proof; one that takes longer proves nothing.
    patience: Duration,
    /// Gates of modules with all their mutants, in BLIF.
    gates: Mutex<BTreeMap<String, Arc<String>>>,
    /// Modules that hold a module, by name.
    holders: BTreeMap<String, Vec<String>>,
}

/// True if the programs of a campaign that metronoc does not install are there; says which are not.
pub fn ready() -> bool {
    let is_there = |program: &&str| std::process::Command::new(program).arg("-V").output().is_ok();
    let missing: Vec<&str> = ["iverilog", ABC].into_iter().filter(|program| !is_there(program)).collect();
    if !missing.is_empty() {
        eprintln!("no mutant is tried without {}", missing.join(" and "));
    }
    missing.is_empty()
}

/// Value of an option of a mutant.
fn option<'a>(mutant: &'a str, name: &str) -> &'a str {
    mutant.split(&format!(" {name} ")).nth(1).and_then(|rest| rest.split(' ').next()).unwrap_or("")
}

/// Module of a mutant as the generator names it.
pub fn module(mutant: &str) -> &str {
    option(mutant, "-module").split("_of_").next().unwrap_or("").trim_start_matches('\\')
}

impl Campaign {
    /// Makes `count` mutants of a specification's Verilog, as many in each module as in another, where there are so many; a proof has `patience`.
    pub fn new(name: &str, spec: &str, count: usize, patience: Duration) -> Self {
        let case = Case::new(spec);
        let out = case.dir.path().join("out");
        let (code, _, errors) = case.metronoc(&["generate", "case.toml", "-o", "out"]);
        assert_eq!(code, Some(0), "{errors}");
        let verilator = verilator();
        let (gates, held_by) = Default::default();
        let this =
            Self { name: name.to_owned(), case, mutants: Vec::new(), verilator, patience, gates, holders: held_by };
        if let Ok(port) = fs::read_to_string(out.join("rtl/mn_receive_port.v")) {
            let (probe, bound) = PROBE.split_once("bind mn_receive_port ").unwrap();
            fs::write(out.join("rtl/mn_receive_probe.v"), probe).unwrap();
            fs::write(out.join("rtl/mn_receive_port.v"), port.replace("endmodule", &format!("{bound}endmodule")))
                .unwrap();
        }
        let observed = OBSERVE.lines().filter_map(|line| line.strip_prefix("public_flat_rd -module "));
        let kept: String = observed
            .filter_map(|line| {
                let names: Vec<&str> = line.split('"').collect();
                Some(format!("setattr -set keep 1 *{}*/w:*{}\n", names.get(1)?, names.get(3)?))
            })
            .collect();
        // what the stress flips must stay as it is: opt_mem, which `memory` runs, would narrow tables with their check bytes, and opt would make one
        // register of two equal leaves of the tree of ends, or of two guards
        this.yosys(&format!(
            "read_verilog -defer rtl/mn_*.v\nhierarchy -top mn_top\nsetattr -mod -set keep 1 *{PROBE_MODULE}*\n{kept}\
             proc\nsetattr -set keep 1 *mn_fanin*/t:$dff *mn_guard*/t:$dff\nopt -noff -keepdc\nmemory_dff\nmemory_collect\nopt_clean\ntee -o modules.txt ls\nwrite_rtlil base.il\n"
        ));
        let read = |name: &str| fs::read_to_string(out.join(name)).unwrap();
        let modules = plain(&read("modules.txt"));
        let mut text = read("base.il");
        for (derived, name) in &modules {
            text = text.replace(&format!("{derived} "), &format!("\\{name} "));
            text = text.replace(&format!("{derived}\n"), &format!("\\{name}\n"));
        }
        fs::write(out.join("base.il"), &text).unwrap();
        let this = Self { holders: holders(&text), ..this };
        let lists = modules
            .iter()
            .enumerate()
            .map(|(number, (_, name))| format!("mutate -list {count} -seed 1 -o list_{number}.txt {name}\n"));
        this.yosys(&format!("read_rtlil base.il\n{}", lists.collect::<String>()));
        let mut pools: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (number, (_, name)) in modules.iter().enumerate().filter(|(_, (_, name))| !name.starts_with(PROBE_MODULE)) {
            // another clock is no other logic, and what the stress flips must stay a register
            let clock = |line: &str| ["CLK", "-wire clk_i", "-port clk_i"].iter().any(|clock| line.contains(clock));
            let flipped = |line: &str| {
                ["mn_fanin", "mn_guard"].iter().any(|name| line.contains(&format!("-module {name}")))
                    && line.contains("-port Q ")
            };
            let logic = |line: &&str| !clock(line) && !flipped(line);
            let text = read(&format!("list_{number}.txt"));
            let base = name.split("_of_").next().unwrap().to_owned();
            pools.entry(base).or_default().push(text.lines().filter(logic).collect::<Vec<_>>().join("\n"));
        }
        let mut mutants: Vec<String> = Vec::new();
        let mut seen = BTreeSet::new();
        for place in 0..count {
            for texts in pools.values() {
                let text = &texts[place % texts.len()];
                let line = text.lines().nth(place / texts.len());
                mutants.extend(
                    line.filter(|line| mutants.len() < count && seen.insert((*line).to_owned())).map(str::to_owned),
                );
            }
        }
        let all = mutants.iter().zip(1..).map(|(line, number)| switched(number, line) + "\n");
        fs::write(out.join("mutants.txt"), all.collect::<String>()).unwrap();
        this.yosys("read_rtlil base.il\nscript mutants.txt\nopt_clean\nwrite_verilog -noattr mutants.v\n");
        let netlist = case_folder(&out).join("rtl/mn_top.v");
        fs::create_dir_all(netlist.parent().unwrap()).unwrap();
        fs::write(&netlist, selected(&read("mutants.v"))).unwrap();
        let bench = fs::read_dir(out.join("tb")).unwrap().map(|entry| entry.unwrap().path());
        let bench = bench.filter(|path| path.extension().is_some_and(|end| end == "v")).collect::<Vec<_>>();
        let top = bench[0].file_stem().unwrap().to_str().unwrap().to_owned();
        let mut compile = Process::new("iverilog");
        compile.current_dir(&out).args(["-g2012", "-s", &top, "-o", "mutants.vvp"]).args(&bench).arg(&netlist);
        let output = compile.output().unwrap();
        assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
        let this = Self { mutants, ..this };
        this.unchanged();
        this
    }

    /// The netlist without a mutant passes all checks, and the stress provokes as many faults in it as in the Verilog.
    fn unchanged(&self) {
        assert!(!self.bench_fails(0, 0), "{}: the test bench fails without a mutant", self.name);
        let stressed = |(code, said): (Option<i32>, String)| {
            assert_eq!(code, Some(0), "{}: {said}", self.name);
            said.lines().find(|line| line.starts_with("stress: ")).unwrap().to_owned()
        };
        let verilog = self.case.metronoc(&["cosim", "case.toml", "--random", "--form", "top", "-q", "--stress"]);
        let verilog = stressed((verilog.0, verilog.1 + &verilog.2));
        assert_eq!(stressed(self.cosim(0, 0, &["--stress"])), verilog, "{}", self.name);
    }

    pub fn out(&self) -> PathBuf {
        self.case.dir.path().join("out")
    }

    /// Runs a script of Yosys in the folder of the network.
    pub fn yosys(&self, script: &str) {
        self.yosys_of("mutants", script);
    }

    /// Runs a script of Yosys of this name in the folder of the network.
    fn yosys_of(&self, name: &str, script: &str) {
        let out = self.out();
        let folder = Utf8Path::from_path(&out).unwrap();
        let tools = tool::ensure(&[Tool::Yosys], Progress::Silent).unwrap();
        let [script_file, log] = ["ys", "log"].map(|ending| format!("{name}.{ending}"));
        fs::write(out.join(&script_file), script).unwrap();
        let command = Command::new(Tool::Yosys).args(["-q", "-s", &script_file]);
        tools.run(&command, folder, &folder.join(log)).unwrap();
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
        run.current_dir(self.folder(worker, mutant)).arg(self.out().join("mutants.vvp")).timeout(LIMIT);
        // a run beyond the limit does not pass
        run.output().map_or(true, |output| !String::from_utf8_lossy(&output.stdout).contains("PASS"))
    }

    fn cosim(&self, worker: usize, mutant: usize, more: &[&str]) -> (Option<i32>, String) {
        let mut command = Process::cargo_bin("metronoc").unwrap();
        command.current_dir(self.folder(worker, mutant)).env("METRONOC_VERILATOR", &self.verilator).timeout(LIMIT);
        command.args(["cosim", "../case.toml", "--random", "--form", "top", "-q"]).args(more);
        let output = command.arg("--rtl").arg(case_folder(&self.out())).output();
        output.map_or((None, String::new()), |output| {
            let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
            (output.status.code(), said)
        })
    }

    fn fate(&self, worker: usize, mutant: usize) -> Fate {
        if self.bench_fails(worker, mutant) {
            Fate::TestBench
        } else if self.cosim(worker, mutant, &[]).0 != Some(0) {
            Fate::Lockstep
        } else if self.cosim(worker, mutant, &["--stress"]).0 != Some(0) {
            Fate::Stress
        } else if self.equivalent(worker, mutant) {
            Fate::Equivalent
        } else {
            Fate::Survivor
        }
    }

    /// True if a mutant is proved to change nothing: at any output of its module or of those that hold it, or, after a reset, of what is near it or
    /// of the network.
    pub fn equivalent(&self, worker: usize, mutant: usize) -> bool {
        self.equivalent_in_module(worker, mutant)
            || self.equivalent_near(worker, mutant)
            || self.equivalent_after_reset(worker, mutant)
    }

    /// True if ABC proves that a mutant changes nothing at any output of its module, when all registers are 0 at first and at any inputs from then
    /// on; or if that is so of each module that holds it, up to the network.
    pub fn equivalent_in_module(&self, worker: usize, mutant: usize) -> bool {
        self.equivalent_within(worker, mutant, option(&self.mutants[mutant - 1], "-module"))
    }

    fn equivalent_within(&self, worker: usize, mutant: usize, module: &str) -> bool {
        let holders = self.holders.get(module).map_or(&[][..], Vec::as_slice);
        let networks = || [0, mutant].map(|mutant| with_constants(&self.gates(module), mutant, |_| None));
        // the network itself is proved after a reset
        !holders.is_empty()
            && (self.proved(worker, networks(), "pdr -T 10")
                || holders.iter().all(|holder| self.equivalent_within(worker, mutant, holder)))
    }

    /// True if ABC proves that a mutant changes nothing at the outputs of the cells near it after a reset of the network, at any inputs of theirs while
    /// reset stays low.
    pub fn equivalent_near(&self, worker: usize, mutant: usize) -> bool {
        let [cut, list] = ["il", "txt"].map(|ending| format!("cut_{worker}.{ending}"));
        let [near, whole] = ["near", "whole"].map(|part| format!("{part}_{worker}.blif"));
        let (script, plain) = (format!("cut_{worker}"), PLAIN.replace("TOP", "mn_top"));
        let switched = switched(mutant, &self.mutants[mutant - 1]);
        self.yosys_of(
            &script,
            &format!("read_rtlil base.il\n{switched}\n{plain}{CUT}write_rtlil {cut}\ntee -o {list} ls\n"),
        );
        if !fs::read_to_string(self.out().join(list)).unwrap().lines().any(|line| line.trim() == "near") {
            // nothing that has an output holds the mutant
            return true;
        }
        self.yosys_of(
            &script,
            &format!(
                "read_rtlil {cut}\n{GATES}design -save both\nhierarchy -top near\nwrite_blif {near}\n\
                 design -load both\nhierarchy -top mn_top\nflatten\nwrite_blif {whole}\n"
            ),
        );
        let [near, whole] = [near, whole].map(|name| fs::read_to_string(self.out().join(name)).unwrap());
        let Some(states) = self.states(worker, &whole, mutant) else { return false };
        // a private name is that of the instance behind the mark of private names
        let within = |state: &Registers, name: &str| {
            let private = || format!("$flatten\\near.{}", name.strip_prefix("$flatten").unwrap_or(name));
            state.get(&format!("near.{name}")).or_else(|| state.get(&private())).cloned()
        };
        let networks = [(0, &states[0]), (mutant, &states[1])].map(|(mutant, state)| {
            with_registers(&with_constants(&near, mutant, low), |name| within(state, name).expect(name))
        });
        self.proved(worker, networks, "pdr -T 20")
    }

    /// True if ABC proves that a mutant changes nothing at the outputs of the network after a reset, at any inputs while reset stays low.
    pub fn equivalent_after_reset(&self, worker: usize, mutant: usize) -> bool {
        let gates = self.gates("mn_top");
        let Some(states) = self.states(worker, &gates, mutant) else { return false };
        let network = |(mutant, state): (usize, &Registers)| {
            with_registers(&with_constants(&gates, mutant, low), |name| state[name].clone())
        };
        self.proved(worker, [(0, &states[0]), (mutant, &states[1])].map(network), "scorr -F 4; pdr -T 20")
    }

    /// Registers of a network without and with a mutant after a reset of 64 cycles with an idle stream; none if the reset leaves one unknown that it
    /// leaves known without the mutant, when all are X at first, or if there is no time for it. Those that are unknown without the mutant are as
    /// with it, where registers are 0 before the reset.
    fn states(&self, worker: usize, gates: &str, mutant: usize) -> Option<[Registers; 2]> {
        let states = [(0, UNKNOWN), (mutant, UNKNOWN), (mutant, "0")];
        let [gold, gate, from_zero] = states.map(|(mutant, first)| self.after_reset(worker, gates, mutant, first));
        let is_known = |(name, value): (&String, &String)| {
            value == UNKNOWN || gate.get(name).is_some_and(|value| value != UNKNOWN)
        };
        if gold.is_empty() || from_zero.is_empty() || !gold.iter().all(is_known) {
            return None;
        }
        let chosen = |(name, value): (&String, &String)| {
            (name.clone(), if value == UNKNOWN { &from_zero[name] } else { value }.clone())
        };
        Some([gold.iter().map(chosen).collect(), from_zero])
    }

    /// Registers of a network with a mutant after a reset of 64 cycles with an idle stream, by name, where those without a first value of their own
    /// have this one; none if there is no time for it.
    fn after_reset(&self, worker: usize, gates: &str, mutant: usize, first: &str) -> Registers {
        let gates = with_constants(gates, mutant, |name| Some(name == "rst_i"));
        let own = registers(&gates);
        let value = |name: &str| if own[name] == UNKNOWN { first.to_owned() } else { own[name].clone() };
        let [held, after] = ["held", "after"].map(|name| format!("{name}_{worker}.blif"));
        fs::write(self.out().join(&held), with_registers(&gates, value)).unwrap();
        let _ = fs::remove_file(self.out().join(&after));
        self.abc(&format!("read_blif {held}; strash; cycle -F 64 -x; write_blif {after}"));
        fs::read_to_string(self.out().join(&after)).map_or(Registers::new(), |text| registers(&text))
    }

    /// Gates of a module and all that it holds, with all their mutants, in BLIF.
    fn gates(&self, module: &str) -> Arc<String> {
        let mut known = self.gates.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let make = || {
            let plain = PLAIN.replace("TOP", module);
            self.yosys(&format!(
                "read_rtlil base.il\nscript mutants.txt\n{plain}flatten\n{GATES}write_blif mutants.blif\n"
            ));
            Arc::new(fs::read_to_string(self.out().join("mutants.blif")).unwrap())
        };
        Arc::clone(known.entry(module.to_owned()).or_insert_with(make))
    }

    /// What ABC says to a script, which may take as long as a proof.
    fn abc(&self, script: &str) -> String {
        let mut run = Process::new(ABC);
        run.current_dir(self.out()).timeout(self.patience).arg("-c").arg(script);
        run.output().map_or(String::new(), |output| String::from_utf8_lossy(&output.stdout).into_owned())
    }

    /// True if ABC proves that two networks in BLIF have the same outputs from their states on: by signals that are always equal, then by a script.
    fn proved(&self, worker: usize, networks: [String; 2], script_end: &str) -> bool {
        let [gold, gate] = ["gold", "gate"].map(|name| format!("{name}_{worker}"));
        let mut script = String::new();
        for (name, network) in [&gold, &gate].into_iter().zip(networks) {
            fs::write(self.out().join(format!("{name}.blif")), network).unwrap();
            script += &format!("read_blif {name}.blif; strash; zero; write_aiger {name}.aig; ");
        }
        script += &format!("miter {gold}.aig {gate}.aig; scleanup; lcorr; scorr; {script_end}");
        self.abc(&script).contains("Property proved.")
    }

    /// Runs the checks on every mutant, on two at a time, up to the first check that notices it.
    pub fn fates(&self) -> Vec<Fate> {
        let next = AtomicUsize::new(0);
        let fates = Mutex::new(vec![Fate::Survivor; self.mutants.len()]);
        std::thread::scope(|scope| {
            for worker in 0..2 {
                let (next, fates) = (&next, &fates);
                scope.spawn(move || {
                    loop {
                        let at = next.fetch_add(1, Ordering::Relaxed);
                        if at >= self.mutants.len() {
                            break;
                        }
                        let fate = self.fate(worker, at + 1);
                        fates.lock().unwrap()[at] = fate;
                    }
                });
            }
        });
        fates.into_inner().unwrap()
    }
}

/// Gates in BLIF with constants in place of the inputs that select a mutant, none of them with 0, and in place of those that have a value.
fn with_constants(gates: &str, mutant: usize, value: impl Fn(&str) -> Option<bool>) -> String {
    let selected = |name: &str| {
        let bit: usize = name.strip_prefix("mutsel[")?.strip_suffix(']')?.parse().unwrap();
        Some(mutant >> bit & 1 == 1)
    };
    let mut constants = String::new();
    let mut text = String::with_capacity(gates.len());
    for line in gates.lines() {
        if let Some(inputs) = line.strip_prefix(".inputs ") {
            text += ".inputs";
            for name in inputs.split(' ') {
                match selected(name).or_else(|| value(name)) {
                    Some(value) => constants += &format!(".names {name}\n{}", if value { "1\n" } else { "" }),
                    None => text.extend([" ", name]),
                }
            }
        } else {
            if line == ".end" {
                text += &constants;
            }
            text += line;
        }
        text.push('\n');
    }
    text
}

/// Name and first value of a register in a line of BLIF: .latch INPUT OUTPUT [TYPE CLOCK] VALUE.
fn register(line: &str) -> Option<(&str, &str)> {
    let mut words = line.strip_prefix(".latch ")?.split_whitespace();
    Some((words.nth(1)?, words.next_back()?))
}

/// First values of the registers of gates in BLIF, by name.
fn registers(gates: &str) -> Registers {
    let whole = gates.replace("\\\n", "");
    whole.lines().filter_map(register).map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}

/// Gates in BLIF whose registers have these first values.
fn with_registers(gates: &str, value: impl Fn(&str) -> String) -> String {
    let line = |line: &str| match register(line) {
        Some((name, old)) => line.strip_suffix(old).unwrap().to_owned() + &value(name) + "\n",
        None => line.to_owned() + "\n",
    };
    gates.lines().map(line).collect()
}

/// Value of the network's inputs that have one after a reset.
fn low(input: &str) -> Option<bool> {
    (input == "rst_i").then_some(false)
}

/// Command of Yosys that makes a mutant, switched on by its number.
fn switched(number: usize, mutant: &str) -> String {
    mutant.replace("mutate ", &format!("mutate -ctrl mutsel 16 {number} "))
}

/// Modules that hold an instance of each module of a design in RTLIL.
fn holders(design: &str) -> BTreeMap<String, Vec<String>> {
    let mut all: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut module = "";
    for line in design.lines() {
        match line.split_whitespace().collect::<Vec<_>>()[..] {
            ["module", name] => module = name.trim_start_matches('\\'),
            ["cell", kind, _] if kind.starts_with("\\mn_") => {
                let holders = all.entry(kind.trim_start_matches('\\').to_owned()).or_default();
                if !holders.iter().any(|holder| holder == module) {
                    holders.push(module.to_owned());
                }
            }
            _ => {}
        }
    }
    all
}

/// Folder of the netlist with all mutants, as `--rtl` takes it.
fn case_folder(out: &Path) -> PathBuf {
    out.join("mutated")
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
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("verilator-of-netlists");
    let text = format!("{VERILATOR}{version}{root}exec '{}' -Wno-fatal \"$@\"\n", found.program);
    if fs::read_to_string(&path).ok().as_ref() != Some(&text) {
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }
    path
}

/// Modules that Yosys lists, and a plain name of each: that of the generator, with a number where there are several.
fn plain(list: &str) -> Vec<(String, String)> {
    let names = list.lines().filter_map(|line| line.strip_prefix("  ")).map(str::trim);
    let mut count: BTreeMap<String, usize> = BTreeMap::new();
    let named = names.map(|name| {
        let base = name.split('\\').find(|word| word.starts_with("mn_")).unwrap().to_owned();
        let number = count.entry(base.clone()).or_default();
        *number += 1;
        let full = if name.starts_with('$') { name.to_owned() } else { format!("\\{name}") };
        // a network and a top have one derivation
        let plain = if matches!(base.as_str(), "mn_top" | "mn_network") { base } else { format!("{base}_of_{number}") };
        (full, plain)
    });
    named.collect()
}

/// Netlist whose top has the number of the mutant from outside the design, and not as an input.
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
