//! The README's figures are what the program says, its specification parses, and every example can be scheduled.

use metronoc::check::swapped_dragonfly::CheckError;
use metronoc::check::swapped_dragonfly::{
    CheckedExchange, check_all_to_all, check_exchange, check_product, check_stream,
};
use metronoc::collective::{ExchangeKind, Product, ProductKind};
use metronoc::id::NodeId;
use metronoc::program::form::swapped_dragonfly::all_to_all::AllToAllSchedule;
use metronoc::program::form::swapped_dragonfly::uniform::HopLatency;
use metronoc::schedule::swapped_dragonfly::broadcast::{self, BroadcastRequest};
use metronoc::schedule::swapped_dragonfly::exchange::{ExchangeRequest, schedule as schedule_exchange};
use metronoc::schedule::swapped_dragonfly::product::{self, ProductRequest};
use metronoc::schedule::swapped_dragonfly::{AllToAllRequest, schedule_all_to_all};
use metronoc::spec::{CollectiveSpec, ExchangeAlgorithm, NetworkSpec, ScheduleSpec, Spec};
use metronoc::topology::swapped_dragonfly::Group;
use metronoc::topology::{Embedding, SwappedDragonfly, Topology};

const README: &str = include_str!("../README.md");
const UNIT: HopLatency = HopLatency { local: 1, global: 1 };

fn best(net: &SwappedDragonfly, request: &AllToAllRequest) -> AllToAllSchedule {
    schedule_all_to_all(net, request).unwrap_or_else(|e| panic!("{net:?}: {e}"))
}

fn exchange(
    net: &SwappedDragonfly,
    kind: ExchangeKind,
    algorithm: ExchangeAlgorithm,
    words: u32,
    hop: HopLatency,
) -> Result<CheckedExchange, CheckError> {
    let request = ExchangeRequest { kind, algorithm: algorithm.name(), words, operator: 3, hop };
    check_exchange(net, schedule_exchange(net, &request).expect("a known algorithm"))
}

#[test]
fn the_table_of_cycles_is_what_check_says() {
    let rows: Vec<Vec<&str>> = README
        .lines()
        .filter(|line| line.starts_with("| D3(") && line.matches('|').count() == 7)
        .map(|line| line.split('|').map(str::trim).collect())
        .collect();
    assert!(rows.len() >= 5, "the table is gone");
    for row in rows {
        let sizes = row[1].trim_start_matches("D3(").trim_end_matches(')');
        let (k, m) = sizes.split_once(',').expect("K and M");
        let net = SwappedDragonfly::new(k.parse().expect("K"), m.parse().expect("M"), Group::Cyclic);
        let request = AllToAllRequest {
            time_limit_s: ScheduleSpec::default().time_limit_s,
            ..AllToAllRequest::new("best", UNIT)
        };
        let checked = check_all_to_all(&net, best(&net, &request)).expect("a schedule that holds");
        let bounds = serde_json::to_value(checked.bounds()).expect("JSON");
        let said = [
            net.nodes().to_string(),
            checked.cycles().to_string(),
            bounds["uniform"].to_string(),
            format!("{:.3}", checked.ratio()),
            bounds["lp"].to_string(),
        ];
        assert_eq!(row[2..7], said.each_ref().map(String::as_str), "{}", row[1]);
    }
}

#[test]
fn the_specification_it_shows_parses() {
    let toml = README.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next()).expect("a specification");
    let spec = Spec::parse("README.toml", toml).expect("it parses");
    assert_eq!(spec.router.payload_bits, 16);
}

#[test]
fn every_example_can_be_scheduled() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/examples");
    let mut seen = 0;
    for entry in std::fs::read_dir(folder).expect("the folder").map(|entry| entry.expect("an entry").path()) {
        if entry.extension().is_none_or(|ending| ending != "toml") {
            continue;
        }
        let spec = Spec::load(&entry).unwrap_or_else(|e| panic!("{}: {e}", entry.display()));
        let NetworkSpec::SwappedDragonfly(n) = &spec.network else {
            seen += 1; // `tests/pops.rs` runs the program on it
            continue;
        };
        let guest = n.embeddings().first().map(Embedding::guest);
        let net = guest.unwrap_or_else(|| SwappedDragonfly::new(n.k, n.m, n.group));
        let hop = HopLatency { local: spec.router.local_stages, global: spec.router.global_stages };
        match &spec.collective {
            CollectiveSpec::AllToAll(collective) => {
                let request = AllToAllRequest::new(collective.algorithm.name(), hop);
                check_all_to_all(&net, best(&net, &request)).unwrap_or_else(|e| panic!("{}: {e}", entry.display()));
            }
            CollectiveSpec::Broadcast(collective) => {
                let (root, count) = (NodeId::new(collective.root), collective.count);
                let request = BroadcastRequest {
                    algorithm: collective.algorithm.name(),
                    root,
                    count,
                    hop,
                    software: spec.router.software(),
                };
                let made = broadcast::schedule(&net, &request).expect("a known algorithm");
                let checked = check_stream(&net, made).unwrap_or_else(|e| panic!("{}: {e}", entry.display()));
                let (page, cycles) = match guest {
                    None => (include_str!("../docs/src/broadcast.md"), format!("cycles     {}, ", checked.cycles())),
                    Some(_) => {
                        (include_str!("../docs/src/embedding.md"), format!(": {} cycles from", checked.cycles()))
                    }
                };
                assert!(page.contains(&cycles), "the manual shows another number");
            }
            CollectiveSpec::AllReduce(collective) => {
                let (kind, words) = (ExchangeKind::AllReduce(collective.op), collective.words);
                exchange(&net, kind, collective.algorithm, words, hop)
                    .unwrap_or_else(|e| panic!("{}: {e}", entry.display()));
            }
            CollectiveSpec::BitonicSort(collective) => {
                exchange(&net, ExchangeKind::Sort, collective.algorithm, collective.words, hop)
                    .unwrap_or_else(|e| panic!("{}: {e}", entry.display()));
            }
            CollectiveSpec::MatrixMatrix(of) => {
                let order = of.algorithm.blocks(n.k, n.m).expect("it fits") * of.block;
                let (kind, element_bits) = (ProductKind::MatrixMatrix, spec.router.payload_bits);
                let accumulator_bits = of.accumulator(order, element_bits);
                let product = Product { kind, order, element_bits, signed: of.signed, accumulator_bits };
                let algorithm = of.algorithm.name();
                let request = ProductRequest { algorithm, kind, block: of.block, mac_cycles: of.mac_cycles, hop };
                let made = product::schedule(&net, &request).expect("a known algorithm");
                let checked =
                    check_product(&net, made, product, 1).unwrap_or_else(|e| panic!("{}: {e}", entry.display()));
                let said = format!("the last, {} of the network", checked.cycles());
                let page = include_str!("../docs/src/products.md");
                assert!(page.contains(&said), "the manual shows another number");
            }
            other => panic!("{}: there is no test of {} here", entry.display(), other.kind()),
        }
        seen += 1;
    }
    assert!(seen >= 3);
}
