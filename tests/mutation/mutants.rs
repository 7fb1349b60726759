//! Mutants of a design in one netlist, and proofs that one changes nothing.

use super::blif::{Registers, UNKNOWN, compared, never, registers, with_constants, with_registers};
use assert_cmd::Command as Process;
use camino::Utf8Path;
use metronoc::tool::{self, Command, Progress, Tool};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Passes of Yosys after which nothing is kept to be observed.
const PLAIN: &str = "delete */t:mn_receive_probe*\ndelete mn_receive_probe*\n\
    setattr -unset keep */w:* */c:*\nsetattr -mod -unset keep *\n\
    setattr -unset keep_hierarchy */*\nsetattr -mod -unset keep_hierarchy *\n\
    hierarchy -top TOP\n";
/// Module of a port whose core has a clock of its own, without the number of its name.
const CLOCK: &str = "mn_port_clock";
/// Passes of Yosys that make gates and registers. What is left open in one of two cases, as a memory's address without a write, is as in the other.
const GATES: &str = "opt_expr -mux_undef\nopt -fast\nmemory_map\nopt -fast\ntechmap\nopt -fast\n\
    async2sync\ndffunmap\nsimplemap\nsetundef -zero\nopt_clean\n";
/// Passes of Yosys that cut what is near a mutant out of the network, as the module `near`: what it reaches, up to ten cells ahead, and what the cell
/// with the mutant is given, from six cells before it on. A step is from a wire to cells or back.
const CUT: &str = "splitnets\nopt_clean\nselect -assert-any w:mutsel\n\
    select -set near w:mutsel %co20 w:mutsel %co4 %ci12 %u\nsubmod -name near @near\n";
/// Passes of Yosys that cut the loop with a mutant out of gates, as the module `loop`: what it reaches, and by what it is reached.
const LOOP: &str =
    "splitnets\nopt_clean\nselect -set loop w:mutsel %co2 %co* w:mutsel %co2 %ci* %i\nsubmod -name loop @loop\n";
/// Program of ABC as Debian names it.
pub const ABC: &str = "berkeley-abc";

/// State of a design from which on a mutant has to change nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// After 64 cycles with `rst_i`.
    Reset,
    /// As it is switched on; what has no first value is 0.
    PowerOn,
}

/// Fate of a mutant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fate {
    TestBench,
    Lockstep,
    Stress,
    Proof,
    Board,
    /// Not noticed, and proved to change nothing.
    Equivalent,
    Survivor,
}

impl Fate {
    pub const ALL: [Self; 7] =
        [Self::TestBench, Self::Lockstep, Self::Stress, Self::Proof, Self::Board, Self::Equivalent, Self::Survivor];
}

/// Most time of a check without a mutant.
pub const UNCHANGED: Duration = Duration::from_secs(600);

/// Most time of a check with a mutant, of one that takes `unchanged` without: a check that ends later has noticed the mutant, however slow the machine.
pub fn limit(unchanged: Duration) -> Duration {
    Duration::from_secs(60).max(10 * unchanged)
}

/// Mutants with the checks that are run on each.
pub trait Tried: Sync {
    fn mutants(&self) -> &Mutants;

    fn mutants_mut(&mut self) -> &mut Mutants;

    /// Runs the checks on a mutant up to the first that notices it, in a folder of the worker.
    fn fate(&self, worker: usize, mutant: usize) -> Fate;

    /// Runs the checks on every mutant, on two at a time, up to the first check that notices it.
    fn fates(&self) -> Vec<Fate> {
        let next = AtomicUsize::new(0);
        let fates = Mutex::new(vec![Fate::Survivor; self.mutants().lines.len()]);
        std::thread::scope(|scope| {
            for worker in 0..2 {
                let (next, fates) = (&next, &fates);
                scope.spawn(move || {
                    loop {
                        let at = next.fetch_add(1, Ordering::Relaxed);
                        if at >= self.mutants().lines.len() {
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

/// A design that is mutated.
pub struct Design<'a> {
    /// Folder where Yosys runs.
    pub folder: PathBuf,
    pub top: &'a str,
    /// Passes of Yosys that read it, and make processes cells.
    pub script: &'a str,
    /// Where it starts, if that is known; a mutant may change what never comes after it.
    pub start: Option<State>,
    /// Its registers have several clocks.
    pub several_clocks: bool,
    /// Most time of a proof; one that takes longer proves nothing.
    pub patience: Duration,
}

/// Mutants of a design.
pub struct Mutants {
    folder: PathBuf,
    top: String,
    start: Option<State>,
    several_clocks: bool,
    /// Most time of a proof; one that takes longer proves nothing.
    pub patience: Duration,
    /// Changes, in words of Yosys; the number of the first is 1.
    pub lines: Vec<String>,
    /// Gates of modules with all their mutants, in BLIF.
    gates: Mutex<BTreeMap<String, Arc<String>>>,
    /// Modules that hold a module, by name.
    holders: BTreeMap<String, Vec<String>>,
}

/// Value of an option of a mutant.
fn option<'a>(mutant: &'a str, name: &str) -> &'a str {
    mutant.split(&format!(" {name} ")).nth(1).and_then(|rest| rest.split(' ').next()).unwrap_or("")
}

/// Module of a mutant as the generator names it.
pub fn module(mutant: &str) -> &str {
    base(option(mutant, "-module")).trim_start_matches('\\')
}

/// Wire at the port of a mutant.
pub fn wire(mutant: &str) -> &str {
    option(mutant, "-wire")
}

/// Name of a module without its number.
fn base(name: &str) -> &str {
    name.split("_of_").next().unwrap_or("")
}

impl Mutants {
    /// Makes `count` mutants of the modules of a design that are taken, as many in each module as in another, where there are so many, but for those
    /// that are left out. The netlist with all of them is `mutants.v` in its folder.
    pub fn new(design: Design<'_>, count: usize, takes: impl Fn(&str) -> bool, leaves: impl Fn(&str) -> bool) -> Self {
        let Design { folder, top, script, start, several_clocks, patience } = design;
        let (lines, gates, holders_of) = Default::default();
        let top = top.to_owned();
        let this = Self { folder, top, start, several_clocks, patience, lines, gates, holders: holders_of };
        this.yosys(&format!("{script}tee -o modules.txt ls\nwrite_rtlil base.il\n"));
        let read = |name: &str| fs::read_to_string(this.folder.join(name)).unwrap();
        let modules = plain(&read("modules.txt"), &this.top);
        let mut text = read("base.il");
        for (derived, name) in &modules {
            text = text.replace(&format!("{derived} "), &format!("\\{name} "));
            text = text.replace(&format!("{derived}\n"), &format!("\\{name}\n"));
        }
        fs::write(this.folder.join("base.il"), &text).unwrap();
        let taken: Vec<&String> = modules.iter().map(|(_, name)| name).filter(|name| takes(base(name))).collect();
        let lists = taken
            .iter()
            .enumerate()
            .map(|(number, name)| format!("mutate -list {count} -seed 1 -o list_{number}.txt {name}\n"));
        this.yosys(&format!("read_rtlil base.il\n{}", lists.collect::<String>()));
        let mut pools: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (number, name) in taken.iter().enumerate() {
            // another clock is no other logic
            let clock =
                |line: &str| ["-wire", "-port"].iter().any(|at| option(line, at).to_lowercase().contains("clk"));
            let logic = |line: &&str| !clock(line) && !leaves(line);
            let text = read(&format!("list_{number}.txt"));
            pools
                .entry(base(name).to_owned())
                .or_default()
                .push(text.lines().filter(logic).collect::<Vec<_>>().join("\n"));
        }
        let mut lines: Vec<String> = Vec::new();
        let mut seen = BTreeSet::new();
        for place in 0..count {
            for texts in pools.values() {
                let text = &texts[place % texts.len()];
                let line = text.lines().nth(place / texts.len());
                lines.extend(
                    line.filter(|line| lines.len() < count && seen.insert((*line).to_owned())).map(str::to_owned),
                );
            }
        }
        let all = lines.iter().zip(1..).map(|(line, number)| switched(number, line) + "\n");
        fs::write(this.folder.join("mutants.txt"), all.collect::<String>()).unwrap();
        this.yosys("read_rtlil base.il\nscript mutants.txt\nopt_clean\nwrite_verilog -noattr mutants.v\n");
        Self { lines, holders: holders(&text), ..this }
    }

    /// Runs a script of Yosys in the folder of the design.
    pub fn yosys(&self, script: &str) {
        self.yosys_of("mutants", script);
    }

    /// Runs a script of Yosys of this name in the folder of the design.
    pub fn yosys_of(&self, name: &str, script: &str) {
        let folder = Utf8Path::from_path(&self.folder).unwrap();
        let tools = tool::ensure(&[Tool::Yosys], Progress::Silent).unwrap();
        let [script_file, log] = ["ys", "log"].map(|ending| format!("{name}.{ending}"));
        fs::write(folder.join(&script_file), script).unwrap();
        let command = Command::new(Tool::Yosys).args(["-q", "-s", &script_file]);
        tools.run(&command, folder, &folder.join(log)).unwrap();
    }

    /// True if a mutant is proved to change nothing: at any output of its module or of those that hold it, or, from the start of the design on, of
    /// what is near it, of the whole or of the loop of gates and registers that it is in.
    pub fn equivalent(&self, worker: usize, mutant: usize) -> bool {
        let from = |state: State| match state {
            State::Reset => self.equivalent_near(worker, mutant) || self.equivalent_after_reset(worker, mutant),
            State::PowerOn => {
                self.proved(worker, self.networks(mutant, &self.top), 20) || self.equivalent_in_loop(worker, mutant)
            }
        };
        let module = option(&self.lines[mutant - 1], "-module");
        let has_holders = self.holders.get(module).is_some_and(|holders| !holders.is_empty());
        self.equivalent_in_module(worker, mutant)
            // from the start on, ports with other clocks have no contents
            || !self.is_in(module, CLOCK) && self.start.is_some_and(from)
            // with all the time that there is
            || has_holders && self.proved(worker, self.networks(mutant, module), self.patience.as_secs() as u32)
    }

    /// True if a module, or one that holds it, is one of this name, without its number.
    fn is_in(&self, module: &str, name: &str) -> bool {
        base(module) == name
            || self.holders.get(module).is_some_and(|holders| holders.iter().any(|holder| self.is_in(holder, name)))
    }

    /// True if ABC proves that a mutant changes nothing at any output of its module, when all registers are 0 at first and at any inputs from then
    /// on; or if that is so of each module that holds it, up to the network.
    pub fn equivalent_in_module(&self, worker: usize, mutant: usize) -> bool {
        self.equivalent_within(worker, mutant, option(&self.lines[mutant - 1], "-module"))
    }

    fn equivalent_within(&self, worker: usize, mutant: usize, module: &str) -> bool {
        let holders = self.holders.get(module).map_or(&[][..], Vec::as_slice);
        // the design itself is proved from its start on
        !holders.is_empty()
            && (self.proved(worker, self.networks(mutant, module), 30)
                || holders.iter().all(|holder| self.equivalent_within(worker, mutant, holder)))
    }

    /// Gates of a module without and with a mutant.
    fn networks(&self, mutant: usize, module: &str) -> [String; 2] {
        [0, mutant].map(|mutant| with_constants(&self.gates(module), mutant, |_| None))
    }

    /// True if ABC proves that a mutant changes nothing at the outputs of the cells near it after a reset, at any inputs of theirs while reset
    /// stays low.
    fn equivalent_near(&self, worker: usize, mutant: usize) -> bool {
        let [near, whole] = ["near", "whole"].map(|part| format!("{part}_{worker}.blif"));
        let (script, top) = (format!("near_{worker}"), &self.top);
        let Some(cut) = self.cut(&script, &switched(mutant, &self.lines[mutant - 1]), CUT, "near") else {
            // nothing that has an output holds the mutant
            return true;
        };
        self.yosys_of(
            &script,
            &format!(
                "read_rtlil {cut}\n{GATES}design -save both\nhierarchy -top near\nwrite_blif {near}\n\
                 design -load both\nhierarchy -top {top}\nflatten\nwrite_blif {whole}\n"
            ),
        );
        let [near, whole] = [near, whole].map(|name| fs::read_to_string(self.folder.join(name)).unwrap());
        let Some(states) = self.states(worker, &whole, mutant) else { return false };
        // a private name is that of the instance behind the mark of private names
        let within = |state: &Registers, name: &str| {
            let private = || format!("$flatten\\near.{}", name.strip_prefix("$flatten").unwrap_or(name));
            state.get(&format!("near.{name}")).or_else(|| state.get(&private())).cloned()
        };
        let networks = [(0, &states[0]), (mutant, &states[1])].map(|(mutant, state)| {
            with_registers(&with_constants(&near, mutant, low), |name| within(state, name).expect(name))
        });
        self.proved(worker, networks, 20)
    }

    /// True if ABC proves that a mutant changes nothing at the outputs of the design after a reset, at any inputs while reset stays low.
    fn equivalent_after_reset(&self, worker: usize, mutant: usize) -> bool {
        let gates = self.gates(&self.top);
        let Some(states) = self.states(worker, &gates, mutant) else { return false };
        let network = |(mutant, state): (usize, &Registers)| {
            with_registers(&with_constants(&gates, mutant, low), |name| state[name].clone())
        };
        self.proved(worker, [(0, &states[0]), (mutant, &states[1])].map(network), 100)
    }

    /// True if a mutant changes nothing at the outputs of the loop of gates and registers that it is in, as it is switched on, as all states of the two
    /// loops show, at any inputs of theirs.
    fn equivalent_in_loop(&self, worker: usize, mutant: usize) -> bool {
        let (script, gates) = (format!("loop_{worker}"), format!("loop_{worker}.blif"));
        let change = self.lines[mutant - 1].replace("mutate ", "mutate -ctrl mutsel 1 1 ");
        let Some(cut) = self.cut(&script, &change, &format!("{GATES}{LOOP}"), "loop") else { return false };
        self.yosys_of(&script, &format!("read_rtlil {cut}\nhierarchy -top loop\nwrite_blif {gates}\n"));
        let gates = fs::read_to_string(self.folder.join(gates)).unwrap();
        let [gold, gate] = [0, 1].map(|mutant| with_constants(&gates, mutant, |_| None));
        never(&compared(&gold, &gate))
    }

    /// File with the design in which a change is switched on and passes of Yosys have cut out a part as the module of this name; none if there is
    /// nothing to cut out.
    fn cut(&self, script: &str, change: &str, passes: &str, part: &str) -> Option<String> {
        let [cut, list] = ["il", "txt"].map(|ending| format!("{script}.{ending}"));
        let flat = self.flat(&self.top);
        self.yosys_of(
            script,
            &format!("read_rtlil base.il\n{change}\n{flat}{passes}write_rtlil {cut}\ntee -o {list} ls\n"),
        );
        let modules = fs::read_to_string(self.folder.join(list)).unwrap();
        modules.lines().any(|line| line.trim() == part).then_some(cut)
    }

    /// Registers of the design without and with a mutant after a reset of 64 cycles with an idle stream; none if the reset leaves one unknown that it
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

    /// Registers of the design with a mutant after a reset of 64 cycles with an idle stream, by name, where those without a first value of their own
    /// have this one; none if there is no time for it.
    fn after_reset(&self, worker: usize, gates: &str, mutant: usize, first: &str) -> Registers {
        let gates = with_constants(gates, mutant, |name| Some(name == "rst_i"));
        let own = registers(&gates);
        let value = |name: &str| if own[name] == UNKNOWN { first.to_owned() } else { own[name].clone() };
        let [held, after] = ["held", "after"].map(|name| format!("{name}_{worker}.blif"));
        fs::write(self.folder.join(&held), with_registers(&gates, value)).unwrap();
        let _ = fs::remove_file(self.folder.join(&after));
        self.abc(&format!("read_blif {held}; strash; cycle -F 64 -x; write_blif {after}"));
        fs::read_to_string(self.folder.join(&after)).map_or(Registers::new(), |text| registers(&text))
    }

    /// Passes of Yosys that make a module and all that it holds one, of which nothing is observed. What has no contents is inputs and outputs: the
    /// network of a board, which is played, and ports that have other clocks.
    fn flat(&self, module: &str) -> String {
        let empty = if self.is_in(module, CLOCK) { String::new() } else { format!("blackbox {CLOCK}*\n") };
        format!("{empty}{}flatten\nexpose -evert t:mn_top t:{CLOCK}*\n", PLAIN.replace("TOP", module))
    }

    /// Gates of a module and all that it holds, with all their mutants, in BLIF.
    fn gates(&self, module: &str) -> Arc<String> {
        let mut known = self.gates.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let make = || {
            let flat = self.flat(module);
            // a clock is an input whose edges registers see
            let gates = if self.several_clocks || self.is_in(module, CLOCK) {
                GATES.replace("async2sync", "clk2fflogic")
            } else {
                GATES.to_owned()
            };
            self.yosys(&format!("read_rtlil base.il\nscript mutants.txt\n{flat}{gates}write_blif mutants.blif\n"));
            Arc::new(fs::read_to_string(self.folder.join("mutants.blif")).unwrap())
        };
        Arc::clone(known.entry(module.to_owned()).or_insert_with(make))
    }

    /// What ABC says to a script, which may take as long as a proof.
    fn abc(&self, script: &str) -> String {
        let mut run = Process::new(ABC);
        run.current_dir(&self.folder).timeout(self.patience).arg("-c").arg(script);
        run.output().map_or(String::new(), |output| String::from_utf8_lossy(&output.stdout).into_owned())
    }

    /// True if ABC proves that two networks in BLIF have the same outputs from their states on: by signals that are always equal, also as seen over
    /// four cycles, without which the next step often does not end; then, for so many seconds, by clauses that always hold.
    fn proved(&self, worker: usize, [gold, gate]: [String; 2], seconds: u32) -> bool {
        let both = format!("both_{worker}.blif");
        fs::write(self.folder.join(&both), compared(&gold, &gate)).unwrap();
        let script = format!("read_blif {both}; strash; zero; scleanup; lcorr; scorr; scorr -F 4; pdr -T {seconds}");
        self.abc(&script).contains("Property proved.")
    }
}

/// Value of the network's inputs that have one after a reset.
fn low(input: &str) -> Option<bool> {
    (input == "rst_i").then_some(false)
}

/// Command of Yosys that makes a mutant, switched on by its number.
pub fn switched(number: usize, mutant: &str) -> String {
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

/// Modules that Yosys lists, and a plain name of each: that of the generator, with a number where there are several.
fn plain(list: &str, top: &str) -> Vec<(String, String)> {
    let names = list.lines().filter_map(|line| line.strip_prefix("  ")).map(str::trim);
    let mut count: BTreeMap<String, usize> = BTreeMap::new();
    let named = names.map(|name| {
        let base = name.split('\\').find(|word| word.starts_with("mn_")).unwrap().to_owned();
        let number = count.entry(base.clone()).or_default();
        *number += 1;
        let full = if name.starts_with('$') { name.to_owned() } else { format!("\\{name}") };
        // a network and a top have one derivation
        let plain = if base == top || matches!(base.as_str(), "mn_top" | "mn_network") {
            base
        } else {
            format!("{base}_of_{number}")
        };
        (full, plain)
    });
    named.collect()
}
