//! Mutation score: changes of the Verilog that a check notices.
//!
//! Yosys makes the mutants of whole networks, by the method of mcy: a constant, an inversion or another bit at one port of one cell. Those of a
//! network are in one netlist, and a number says which is switched on, so that one simulator serves for all. A mutant is tried by the
//! emitted test bench, in lockstep with the model, and under stress. Without Icarus Verilog and ABC nothing is tested.

mod blif;
mod board;
mod campaign;
mod mutants;
mod proved;

use crate::common::case::Case;
use crate::common::{asked, families};
use board::{Boards, Kind};
use campaign::Campaign;
use metronoc::emit::LIBRARY;
use metronoc::prove::{Case as Size, PROOFS, Proof};
use mutants::{Fate, Tried, module};
use proved::Proved;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// Small networks: one of each family, and forms that those have not.
fn networks() -> Vec<(&'static str, String)> {
    let mut all = families::families();
    let mut change = |family: &str, from: &str, to: &str| {
        let (_, spec) = all.iter_mut().find(|(name, _)| *name == family).unwrap();
        *spec = spec.replace(from, to);
    };
    // with words of 8 bits a status and a drain are as many answers as the queue has places, so that each tile has its own
    change("source-vector", "payload_bits = 8", "payload_bits = 16");
    // sums of one operand are not added up
    change("product", "[collective]", "[collective]\nblock = 2");
    let ring = "topology = \"ring\"\nnodes = 4";
    let mesh = "topology = \"mesh\"\ndims = [2, 3]";
    let cube = "topology = \"swapped-dragonfly\"\nk = 2\nm = 2\ngroup = \"xor\"";
    let pops = "topology = \"pops\"\nd = 3\ng = 3";
    let to_all = "kind = \"all-to-all\"";
    let sum = "kind = \"all-reduce\"\nop = \"sum\"\nwords = 2";
    let broadcast = "kind = \"broadcast\"\nroot = 2\ncount = 5";
    let product = "kind = \"vector-matrix\"\nblock = 2";
    let counter = "[schedule]\nstorage = \"counter\"";
    let second = "[schedule]\ntime_limit_s = 1";
    let ports = format!("{second}\n[endpoint]\ninterface = \"axi-stream\"");
    let traffic = "kind = \"traffic\"\nload = [0.2, 1.0]\ncycles = 5000";
    let forms: &[(&str, &str, &str, &str, &str)] = &[
        ("operators", ring, "payload_bits = 8", sum, second),
        ("slot-reload", ring, "payload_bits = 8\nparity = true", to_all, "[schedule]\nstorage = \"ram\"\nrows = 8"),
        ("slot-counter", mesh, "payload_bits = 16", "kind = \"all-to-all\"\nwords = 4\nchunks = 1", counter),
        ("counter", cube, "payload_bits = 8", to_all, counter),
        ("reload", cube, "payload_bits = 8", to_all, "[schedule]\nstorage = \"ram\""),
        ("stream-counter", cube, "payload_bits = 8\nparity = true", broadcast, counter),
        ("stream-relay", cube, "payload_bits = 16\ncopies = false\nsoftware_cycles = 4", broadcast, ""),
        ("exchange-counter", cube, "payload_bits = 8\nparity = true", sum, counter),
        ("product-counter", cube, "payload_bits = 8\nparity = true", product, counter),
        ("signed-product", cube, "payload_bits = 8", "kind = \"vector-matrix\"\nsigned = true", ""),
        ("ports", ring, "payload_bits = 16", "kind = \"all-to-all\"\nwords = 2", &format!("{ports}\nperiod = 40")),
        (
            "port-clocks",
            ring,
            "payload_bits = 16",
            "kind = \"all-to-all\"\nwords = 2",
            &format!("{ports}\nclocks = \"own\""),
        ),
        (
            "round-robin",
            pops,
            "payload_bits = 16\narbitration = \"round-robin\"\nqueue_depth = 2\nslot_cycles = 3",
            traffic,
            "",
        ),
        (
            "fixed-priority",
            pops,
            "payload_bits = 16\narbitration = \"fixed-priority\"\nqueue_depth = 2\nslot_cycles = 3",
            traffic,
            "",
        ),
    ];
    let spec = |network: &str, router: &str, collective: &str, more: &str| {
        format!("format = 1\n[network]\n{network}\n[router]\n{router}\n[collective]\n{collective}\n{more}\n")
    };
    all.extend(
        forms.iter().map(|&(name, network, router, collective, more)| (name, spec(network, router, collective, more))),
    );
    all
}

/// Fates of mutants by module, as a table.
fn table(fates: &BTreeMap<String, Vec<Fate>>) -> String {
    let count = |fates: &[Fate], fate| fates.iter().filter(|&&one| one == fate).count();
    let row = |name: &str, fates: &[Fate]| {
        let counts: String = Fate::ALL.iter().map(|&fate| format!(" {} |", count(fates, fate))).collect();
        format!("| {name} | {} |{counts}\n", fates.len())
    };
    let mut text = "| module | mutants | test bench | lockstep | stress | proof | board | equivalent | survivors |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|\n".to_owned();
    text.extend(fates.iter().map(|(name, fates)| row(&format!("`{name}`"), fates)));
    text + &row("all", &fates.values().flatten().copied().collect::<Vec<_>>())
}

/// What is mutated.
enum Subject {
    /// The Verilog of a specification.
    Network(String),
    /// Modules that are proved, at one size.
    Proof(&'static Proof, &'static Size),
    /// A board's top.
    Board(Kind),
}

impl Subject {
    fn all() -> Vec<(String, Self)> {
        let networks = networks().into_iter().map(|(name, spec)| (name.to_owned(), Self::Network(spec)));
        let sizes = PROOFS.iter().flat_map(|proof| proof.cases.iter().map(move |size| (proof, size)));
        let proofs = sizes.map(|(proof, size)| (format!("{}/{}", proof.name, size.name), Self::Proof(proof, size)));
        let boards = Kind::ALL.map(|(name, kind)| (name.to_owned(), Self::Board(kind)));
        networks.chain(proofs).chain(boards).collect()
    }

    /// Makes so many mutants; a proof that one changes nothing has `patience`.
    fn mutated(&self, name: &str, count: usize, patience: Duration) -> Box<dyn Tried> {
        match self {
            Self::Network(spec) => Box::new(Campaign::new(name, spec, count, patience)),
            Self::Board(kind) => Box::new(Boards::new(*kind, count, patience)),
            // the sizes of a proof share its mutants
            Self::Proof(proof, size) => Box::new(Proved::new(proof, size, count.div_ceil(proof.cases.len()), patience)),
        }
    }
}

/// Tries so many mutants of each subject; a proof that one changes nothing has `patience`. The proofs are tried on the first subject.
fn score(subjects: &[(String, Subject)], each: usize, patience: Duration) -> BTreeMap<String, Vec<Fate>> {
    let mut by_module: BTreeMap<String, Vec<Fate>> = BTreeMap::new();
    for (name, subject) in subjects {
        let mut tried = subject.mutated(name, each, patience);
        let fates = tried.fates();
        if by_module.is_empty() {
            refutes(&mut *tried, &fates);
        }
        for (mutant, &fate) in tried.mutants().lines.iter().zip(&fates) {
            by_module.entry(module(mutant).to_owned()).or_default().push(fate);
            if fate == Fate::Survivor {
                println!("{name}: {mutant}");
            }
        }
        let count = |fate| fates.iter().filter(|&&one| one == fate).count();
        println!("{name}: of {} mutants {:?}", fates.len(), Fate::ALL.map(|fate| (fate, count(fate))));
    }
    by_module
}

/// A few mutants that a run without faults notices are not proved to change nothing.
fn refutes(tried: &mut dyn Tried, fates: &[Fate]) {
    tried.mutants_mut().patience = Duration::from_secs(8);
    let noticed: Vec<usize> = (0..fates.len()).filter(|&at| fates[at] < Fate::Stress).collect();
    for &at in noticed.iter().step_by(noticed.len().div_ceil(4).max(1)) {
        assert!(!tried.mutants().equivalent(0, at + 1), "{}", tried.mutants().lines[at]);
    }
}

/// Number of mutants that are not proved to change nothing.
fn relevant(fates: &[Fate]) -> usize {
    fates.iter().filter(|&&fate| fate != Fate::Equivalent).count()
}

#[test]
fn every_module_is_in_a_mutated_network() {
    let mut missing: BTreeSet<&str> = LIBRARY.iter().map(|module| module.file).collect();
    for (name, spec) in networks() {
        let case = Case::new(&spec);
        let (code, _, errors) = case.metronoc(&["generate", "case.toml", "-o", "out", "-q"]);
        assert_eq!(code, Some(0), "{name}: {errors}");
        missing.retain(|file| !case.dir.path().join("out/rtl").join(file).exists());
    }
    assert_eq!(missing, BTreeSet::new());
}

/// The stress provokes faults, of which proofs know nothing: what it alone notices may be equivalent.
#[test]
#[ignore = "proofs of mutants that a check has noticed, many of which end at their limits"]
fn noticed_mutants_are_not_equivalent() {
    if !campaign::ready() {
        return;
    }
    let count = asked::number("METRONOC_MUTANTS").unwrap_or(12);
    for (name, spec) in networks().iter().filter(|(name, _)| asked::names("METRONOC_MUTATED", name)) {
        let campaign = Campaign::new(name, spec, count, Duration::from_secs(60));
        let fates = campaign.fates();
        let noticed: Vec<usize> = (0..fates.len()).filter(|&at| fates[at] < Fate::Stress).collect();
        for &at in &noticed {
            assert!(!campaign.mutants().equivalent(0, at + 1), "{name}: {}", campaign.mutants().lines[at]);
        }
        println!("{name}: none of {} noticed mutants is proved equivalent", noticed.len());
    }
}

#[test]
#[ignore = "hundreds of simulations; .ci/run includes it"]
fn most_mutants_are_noticed() {
    if !campaign::ready() {
        return;
    }
    // all subjects on request alone
    let asked: Option<usize> = asked::number("METRONOC_MUTANTS");
    let is_part = std::env::var_os("METRONOC_MUTATED").is_some();
    let all = Subject::all().into_iter().take(if asked.is_some() { usize::MAX } else { families::families().len() });
    let subjects: Vec<_> = all.filter(|(name, _)| asked::names("METRONOC_MUTATED", name)).collect();
    let count = asked.unwrap_or(120);
    // a proof that has not ended by then rarely does, and a mutant without a proof is a survivor
    let seconds = asked::number("METRONOC_PATIENCE_S").unwrap_or(if asked.is_some() { 600 } else { 200 });
    let patience = Duration::from_secs(seconds);
    let by_module = score(&subjects, count.div_ceil(subjects.len()), patience);
    println!("{}", table(&by_module));
    let fates: Vec<Fate> = by_module.into_values().flatten().collect();
    let killed = fates.iter().filter(|&&fate| fate < Fate::Equivalent).count();
    let relevant = relevant(&fates);
    println!("killed: {killed} of {relevant} that are not equivalent");
    // a few mutants are no measure; in a single network more of them can be equivalent
    let several = fates.len() >= 60;
    assert!(!several || is_part || killed * 100 >= fates.len() * 78, "{killed} of {}", fates.len());
    assert!(!several || killed * 100 >= relevant * 95, "{killed} of {relevant}");
}
