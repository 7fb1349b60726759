//! Mutation score: changes of the Verilog that a check notices.
//!
//! Yosys makes the mutants of whole networks, by the method of mcy: a constant, an inversion or another bit at one port of one cell. Those of a
//! network are in one netlist, and a number says which is switched on, so that one simulator serves for all. A mutant is tried by the
//! emitted test bench, in lockstep with the model, and under stress. Without Icarus Verilog and ABC nothing is tested.

mod campaign;

use crate::common::{asked, families};
use campaign::{Campaign, Fate, module};
use std::collections::BTreeMap;
use std::time::Duration;

/// Small networks: one of each family, and forms that those have not.
fn networks() -> Vec<(&'static str, String)> {
    let ring = |more: &str| format!("format = 1\n[network]\ntopology = \"ring\"\nnodes = 4\n{more}\n");
    let mut all = families::families();
    // with words of 8 bits a status and a drain are as many answers as the queue has places, so that each tile has its own
    let source_vector = all.iter_mut().find(|(name, _)| *name == "source-vector").unwrap();
    source_vector.1 = source_vector.1.replace("payload_bits = 8", "payload_bits = 16");
    all.push(("operators", ring("[router]\npayload_bits = 8\n[collective]\nkind = \"all-reduce\"\nop = \"sum\"\nwords = 2\n[schedule]\ntime_limit_s = 1")));
    all.push(("slot-reload", ring("[router]\npayload_bits = 8\nparity = true\n[collective]\nkind = \"all-to-all\"\n[schedule]\nstorage = \"ram\"\nrows = 8")));
    all.push(("slot-counter", ring("[router]\npayload_bits = 16\n[collective]\nkind = \"all-to-all\"\nwords = 8\nchunks = 1\n[schedule]\nstorage = \"counter\"")));
    let cube = |more: &str| {
        format!(
            "format = 1\n[network]\ntopology = \"swapped-dragonfly\"\nk = 2\nm = 2\n[router]\npayload_bits = 8\n{more}\n"
        )
    };
    all.push(("counter", cube("[schedule]\nstorage = \"counter\"")));
    all.push(("reload", cube("[schedule]\nstorage = \"ram\"")));
    all
}

/// Fates of mutants by module, as a table.
fn table(fates: &BTreeMap<String, Vec<Fate>>) -> String {
    let count = |fates: &[Fate], fate| fates.iter().filter(|&&one| one == fate).count();
    let row = |name: &str, fates: &[Fate]| {
        let counts: String = Fate::ALL.iter().map(|&fate| format!(" {} |", count(fates, fate))).collect();
        format!("| {name} | {} |{counts}\n", fates.len())
    };
    let mut text = "| module | mutants | test bench | lockstep | stress | equivalent | survivors |\n|---|--:|--:|--:|--:|--:|--:|\n".to_owned();
    text.extend(fates.iter().map(|(name, fates)| row(&format!("`{name}`"), fates)));
    text + &row("all", &fates.values().flatten().copied().collect::<Vec<_>>())
}

/// Tries so many mutants of each network.
fn score(networks: &[(&str, String)], each: usize) -> BTreeMap<String, Vec<Fate>> {
    let mut by_module: BTreeMap<String, Vec<Fate>> = BTreeMap::new();
    for (name, spec) in networks {
        let campaign = Campaign::new(name, spec, each, Duration::from_secs(600));
        let fates = campaign.fates();
        for (mutant, &fate) in campaign.mutants.iter().zip(&fates) {
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

/// Number of mutants that are not proved to change nothing.
fn relevant(fates: &[Fate]) -> usize {
    fates.iter().filter(|&&fate| fate != Fate::Equivalent).count()
}

#[test]
fn a_sample_of_mutants_is_noticed() {
    if !campaign::ready() {
        return;
    }
    let (name, spec) = &networks()[0];
    let campaign = Campaign::new(name, spec, 12, Duration::from_secs(8));
    let fates = campaign.fates();
    let killed: Vec<usize> = (0..fates.len()).filter(|&at| fates[at] < Fate::Equivalent).collect();
    let relevant = relevant(&fates);
    let survivors = (0..fates.len()).filter(|&at| fates[at] == Fate::Survivor).map(|at| &campaign.mutants[at]);
    assert!(
        killed.len() * 100 >= relevant * 70,
        "{} of {relevant}: {:#?}",
        killed.len(),
        survivors.collect::<Vec<_>>()
    );
    // a mutant that is noticed is not equivalent
    for &at in killed.iter().step_by(killed.len() / 3) {
        assert!(!campaign.equivalent(0, at + 1), "{}", campaign.mutants[at]);
    }
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
            assert!(!campaign.equivalent(0, at + 1), "{name}: {}", campaign.mutants[at]);
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
    // all networks on request alone
    let asked: Option<usize> = asked::number("METRONOC_MUTANTS");
    let is_part = std::env::var_os("METRONOC_MUTATED").is_some();
    let all = networks().into_iter().take(if asked.is_some() { usize::MAX } else { families::families().len() });
    let networks: Vec<_> = all.filter(|(name, _)| asked::names("METRONOC_MUTATED", name)).collect();
    let count = asked.unwrap_or(120);
    let by_module = score(&networks, count.div_ceil(networks.len()));
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
