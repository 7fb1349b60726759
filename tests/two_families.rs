//! One program on two router families: slot tables are a second opinion on the families that are made for their networks. The same words
//! cross the same channels in the same cycles, and the same results come out.

use crate::common;
use crate::common::Emitted;
use crate::common::case::Case;
use crate::common::slots::router;
use metronoc::check::pops::check_pops;
use metronoc::check::swapped_dragonfly::check_exchange;
use metronoc::collective::pops::{Delivery, Relation};
use metronoc::collective::{AllToAll, Collective, Exchange, ExchangeKind, Item};

use metronoc::id::NodeId;
use metronoc::lower::swapped_dragonfly::lower_exchange;
use metronoc::lower::{Programmed, lower_pops, lower_slot_table};
use metronoc::program::form::swapped_dragonfly::uniform::HopLatency;
use metronoc::program::{Origin, Program, unrolled};
use metronoc::schedule::pops::{PopsRequest, schedule as pops_schedule};
use metronoc::schedule::swapped_dragonfly::exchange::{ExchangeRequest, schedule as exchange_schedule};
use metronoc::spec::pops::PopsAlgorithm;
use metronoc::spec::{Operator, Spec};
use metronoc::topology::{Pops, Topology};
use std::collections::BTreeSet;

/// A word that enters a channel: cycle since the first one, node, port, and the word's index in the user's array if no node made it.
type Crossing = (u64, NodeId, u32, Option<usize>);

/// All words that enter channels in a pass of a program.
fn crossings(net: &dyn Topology, program: &Program, collective: &dyn Collective) -> BTreeSet<Crossing> {
    let mut all = BTreeSet::new();
    for m in &program.moves {
        let value = &program.values[m.value as usize];
        for from in m.who.nodes(net.nodes()) {
            for batch in 0..value.batches {
                let mut ends: Vec<(NodeId, u64)> = Vec::new();
                let (mut entered, mut to) = (Vec::new(), from);
                for hop in &program.hops[m.hops.start as usize..m.hops.end as usize] {
                    let start = u64::from(m.at + m.train.start(batch));
                    let (at, ready) = hop.parent.map_or((from, start), |parent| ends[(parent - m.hops.start) as usize]);
                    let enter = ready + u64::from(hop.wait);
                    entered.push((enter, at, hop.port));
                    let end = net.neighbour(at, hop.port as usize);
                    ends.push((end, enter + u64::from(program.switching.latency(net, at, hop.port))));
                    to = if hop.keep { end } else { to };
                }
                let word = match value.origin {
                    Origin::Word { first, stride } => Some(first + batch * stride),
                    Origin::Message => Some(batch),
                    Origin::Identity | Origin::Made => None,
                };
                let word = word.map(|word| collective.sent(Item { value: m.value, from, to, word, pass: 0 }));
                all.extend(entered.into_iter().map(|(enter, at, port)| (enter, at, port, word)));
            }
        }
    }
    let first = all.first().map_or(0, |crossing| crossing.0);
    all.into_iter().map(|(cycle, at, port, word)| (cycle - first, at, port, word)).collect()
}

/// The program that hardware of another family follows, against the one that slot tables with the same program follow.
fn agree(hardware: &dyn Programmed, net: &dyn Topology, program: &Program, collective: &dyn Collective) {
    let tables = lower_slot_table(net, program, collective, &router(16)).expect("slot tables");
    let read = hardware.read_back();
    // circuits are hops of a cycle each
    let hops = unrolled(net, &read.program).map_or_else(|| read.program.clone(), |(hops, _)| hops);
    let wanted = crossings(net, &hops, collective);
    let found = crossings(net, &tables.read_back().program, &tables.arrays(collective));
    assert!(!wanted.is_empty());
    assert_eq!(wanted, found);

    // a hop in another cycle is noticed
    let mut other = hops;
    other.moves[0].at += 1;
    assert_ne!(crossings(net, &other, collective), found);
}

#[test]
fn all_to_alls_of_source_vectors() {
    for more in ["group = \"xor\"\n", "[router]\nlocal_stages = 2\nglobal_stages = 3\n"] {
        let emitted = Emitted::new(2, 2, more);
        let net = &emitted.lowered.parameters.network;
        let request = metronoc::schedule::swapped_dragonfly::AllToAllRequest::new(
            "best",
            HopLatency {
                local: emitted.lowered.parameters.local_stages,
                global: emitted.lowered.parameters.global_stages,
            },
        );
        let made = metronoc::schedule::swapped_dragonfly::schedule_all_to_all(net, &request).expect("a schedule");
        agree(&emitted.lowered, net, &made.to_program(net), &AllToAll::new(8, 1, 1));
    }
}

#[test]
fn permutations_of_couplers() {
    let relation = Relation::Permutation((0..6).rev().collect());
    let net = Pops::new(3, 2);
    let made = pops_schedule(net, &relation, &PopsRequest::new(PopsAlgorithm::Best)).expect("a schedule");
    let program = made.to_program(net);
    let text = "format = 1\n[network]\ntopology = \"pops\"\nd = 3\ng = 2\n[router]\npayload_bits = 16\n[collective]\n\
                kind = \"permutation\"\npattern = \"identity\"\n";
    let spec = Spec::parse("s.toml", text).expect("a specification");
    let lowered = lower_pops(&check_pops(net, &relation, made).expect("it holds"), &spec).expect("hardware");
    agree(&lowered, &net, &program, &Delivery::new(&relation, 6, 1));
}

#[test]
fn sums_of_synchronizing_headers() {
    let text = "format = 1\n[network]\ntopology = \"swapped-dragonfly\"\nk = 2\nm = 2\ngroup = \"xor\"\n[router]\n\
                payload_bits = 16\n[collective]\nkind = \"all-reduce\"\noperator_stages = 3\nwords = 2\n";
    let (spec, net, hop) = common::parsed(text);
    let kind = ExchangeKind::AllReduce(Operator::Sum);
    let request = ExchangeRequest { kind, algorithm: "best", words: 2, operator: 3, hop };
    let made = exchange_schedule(&net, &request).expect("a schedule");
    let program = made.to_program(&net);
    let checked = check_exchange(&net, made).expect("it holds");
    let emitted = Emitted::of(lower_exchange(&checked, &spec).expect("hardware"), text.into());
    agree(&emitted.lowered, &net, &program, &Exchange::new(kind, 8, 2));
}

/// Hardware of both families on the same words: the arrays that come out, and the cycles from the first channel to the last.
#[test]
#[ignore = "six simulators; .ci/run includes it"]
fn hardware_of_both_gives_the_same_results() {
    let dragonfly = "topology = \"swapped-dragonfly\"\nk = 2\nm = 2\ngroup = \"xor\"";
    for (network, collective) in [
        (dragonfly, "kind = \"all-to-all\""),
        (dragonfly, "kind = \"all-reduce\"\noperator_stages = 3"),
        ("topology = \"pops\"\nd = 3\ng = 2", "kind = \"permutation\"\npattern = \"reversal\""),
    ] {
        let run = |router: &str| {
            let case = Case::new(&format!(
                "format = 1\n[network]\n{network}\n[router]\npayload_bits = 16\n{router}\n[collective]\n{collective}\n"
            ));
            let (code, said, told) =
                case.metronoc(&["cosim", "case.toml", "--random", "--seed", "7", "--out", "result.npy", "--json"]);
            assert_eq!(code, Some(0), "{told}");
            let report: serde_json::Value = serde_json::from_str(&said).expect("JSON");
            let schedule = case.metronoc(&["schedule", "case.toml", "--format", "json"]).1;
            let schedule: serde_json::Value = serde_json::from_str(&schedule).expect("JSON");
            let array = std::fs::read(case.dir.path().join("result.npy")).expect("an array");
            (schedule["transfers"].clone(), report["collective_cycles"].as_u64().expect("a number"), array)
        };
        let (own, tables) = (run(""), run("kind = \"slot-table\""));
        assert_eq!(own.0, tables.0, "{collective}: one schedule");
        assert_eq!(own.2, tables.2, "{collective}: results");
        // processors of couplers keep their results afterwards, and slot tables take two cycles a slot
        if network == dragonfly {
            assert_eq!(own.1, tables.1, "{collective}: cycles");
        }
    }
}
