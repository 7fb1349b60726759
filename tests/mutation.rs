//! Mutation score: changes of the Verilog that a check notices.
//!
//! Yosys makes the mutants of whole networks, by the method of mcy: a constant, an inversion or another bit at one port of one cell. Those of a
//! network are in one netlist, and a number says which is switched on, so that one simulator serves for all. A mutant is tried by the
//! emitted test bench, in lockstep with the model, and under stress. Without Icarus Verilog nothing is tested.

#[path = "mutation/campaign.rs"]
mod campaign;
mod common;
#[path = "common/families.rs"]
mod families;

use campaign::{Campaign, Fate, module};
use std::collections::BTreeMap;

/// Small networks: one of each family, and forms that those have not.
fn networks() -> Vec<(&'static str, String)> {
    let ring = |more: &str| format!("format = 1\n[network]\ntopology = \"ring\"\nnodes = 4\n{more}\n");
    let mut all = families::families();
    all.push(("operators", ring("[router]\npayload_bits = 8\n[collective]\nkind = \"all-reduce\"\nop = \"sum\"\nwords = 2\n[schedule]\ntime_limit_s = 1")));
    all.push(("slot-reload", ring("[router]\npayload_bits = 8\nparity = true\n[collective]\nkind = \"all-to-all\"\n[schedule]\nstorage = \"ram\"")));
    all.push(("slot-counter", ring("[router]\npayload_bits = 16\n[collective]\nkind = \"all-to-all\"\nwords = 8\nchunks = 1\n[schedule]\nstorage = \"counter\"")));
    all.push(("tile-ports", ring("[router]\npayload_bits = 8\nparity = true\n[collective]\nkind = \"all-to-all\"\n[endpoint]\ninterface = \"axi-stream\"")));
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
        let campaign = Campaign::new(name, spec, each, 1);
        let fates = campaign.fates();
        for (mutant, &fate) in campaign.mutants.iter().zip(&fates) {
            by_module.entry(module(mutant).to_owned()).or_default().push(fate);
            if fate == Fate::Survivor {
                println!("{name}: {mutant}");
            }
        }
        let alive = fates.iter().filter(|&&fate| fate == Fate::Survivor).count();
        println!("{name}: {alive} of {} mutants survive", fates.len());
    }
    by_module
}

#[test]
fn a_sample_of_mutants_is_noticed() {
    if !common::has_icarus() {
        eprintln!("iverilog is not there: no mutant is tried");
        return;
    }
    let fates: Vec<Fate> = score(&networks()[..1], 24).into_values().flatten().collect();
    let killed = fates.iter().filter(|&&fate| fate < Fate::Equivalent).count();
    assert!(killed >= 12, "{killed} of 24");
}

#[test]
#[ignore = "hundreds of simulations; .ci/run includes it"]
fn most_mutants_are_noticed() {
    if !common::has_icarus() {
        eprintln!("iverilog is not there: no mutant is tried");
        return;
    }
    let count = std::env::var("METRONOC_MUTANTS").ok().and_then(|text| text.parse().ok()).unwrap_or(240_usize);
    let only = std::env::var("METRONOC_MUTATED").ok();
    let networks: Vec<_> =
        networks().into_iter().filter(|(name, _)| only.as_deref().is_none_or(|only| only == *name)).collect();
    let by_module = score(&networks, count.div_ceil(networks.len()));
    println!("{}", table(&by_module));
    let fates: Vec<Fate> = by_module.into_values().flatten().collect();
    let killed = fates.iter().filter(|&&fate| fate < Fate::Equivalent).count();
    assert!(killed * 10 >= fates.len() * 6, "{killed} of {}", fates.len());
}
