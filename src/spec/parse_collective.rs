//! The keys of `[collective]`, kind by kind, and what they must agree on with each other and with the network.

use super::diagnostic::Diagnostic;
use super::parse::HOMES;
use super::table::{Choices, Findings, TableReader};
use super::{
    Algorithm, AllToAllSpec, BroadcastAlgorithm, BroadcastSpec, CollectiveSpec, ExchangeAlgorithm, MAX_COUNT,
    MAX_EXCHANGE_WORDS, NetworkSpec, Operator, Pipeline, ReduceSpec, RouterSpec, SortSpec, parse_pops, parse_product,
    parse_traffic,
};
use crate::topology::swapped_dragonfly::Group;
use toml::Spanned;
use toml::de::DeTable;

#[derive(Clone, Copy)]
enum Kind {
    AllToAll,
    Broadcast,
    AllReduce,
    PrefixScan,
    BitonicSort,
    VectorMatrix,
    MatrixVector,
    MatrixMatrix,
    Transpose,
    Permutation,
    HRelation,
    OneToAll,
    Gather,
    Scatter,
    Traffic,
}

const KINDS: Choices<'static, Kind> = &[
    ("all-to-all", Kind::AllToAll),
    ("broadcast", Kind::Broadcast),
    ("all-reduce", Kind::AllReduce),
    ("prefix-scan", Kind::PrefixScan),
    ("bitonic-sort", Kind::BitonicSort),
    ("vector-matrix", Kind::VectorMatrix),
    ("matrix-vector", Kind::MatrixVector),
    ("matrix-matrix", Kind::MatrixMatrix),
    ("transpose", Kind::Transpose),
    ("permutation", Kind::Permutation),
    ("h-relation", Kind::HRelation),
    ("one-to-all", Kind::OneToAll),
    ("gather", Kind::Gather),
    ("scatter", Kind::Scatter),
    ("traffic", Kind::Traffic),
];
const LATER_KINDS: &[&str] = &["all-to-all-broadcast", "total-exchange"];
const ALGORITHMS: Choices<'static, Algorithm> = &[
    (Algorithm::Best.name(), Algorithm::Best),
    (Algorithm::DoublyParallel.name(), Algorithm::DoublyParallel),
    (Algorithm::Window.name(), Algorithm::Window),
    (Algorithm::HalfWindow.name(), Algorithm::HalfWindow),
    (Algorithm::WindowPairs.name(), Algorithm::WindowPairs),
    (Algorithm::NoWait.name(), Algorithm::NoWait),
];
const PIPELINES: Choices<'static, Pipeline> = &[("reordered", Pipeline::Reordered)];
const NUMBERED_PIPELINES: &[(u32, Pipeline)] =
    &[(1, Pipeline::Schedule1), (2, Pipeline::Schedule2), (3, Pipeline::Schedule3)];
const BROADCAST_ALGORITHMS: Choices<'static, BroadcastAlgorithm> = &[
    (BroadcastAlgorithm::Best.name(), BroadcastAlgorithm::Best),
    (BroadcastAlgorithm::Depth3.name(), BroadcastAlgorithm::Depth3),
    (BroadcastAlgorithm::Trees.name(), BroadcastAlgorithm::Trees),
    (BroadcastAlgorithm::TreePairs.name(), BroadcastAlgorithm::TreePairs),
];
const EXCHANGE_ALGORITHMS: Choices<'static, ExchangeAlgorithm> = &[
    (ExchangeAlgorithm::Best.name(), ExchangeAlgorithm::Best),
    (ExchangeAlgorithm::Paper.name(), ExchangeAlgorithm::Paper),
    (ExchangeAlgorithm::Short.name(), ExchangeAlgorithm::Short),
    (ExchangeAlgorithm::Uniform.name(), ExchangeAlgorithm::Uniform),
];
const OPERATORS: Choices<'static, Operator> = &[
    (Operator::Sum.name(), Operator::Sum),
    (Operator::Min.name(), Operator::Min),
    (Operator::Max.name(), Operator::Max),
    (Operator::Xor.name(), Operator::Xor),
];

/// Reads the table; a bad kind is taken for an all-to-all, whose keys are then not looked at.
pub(super) fn read(findings: &mut Findings, table: Spanned<DeTable<'_>>) -> CollectiveSpec {
    let mut table = TableReader::new(findings, "collective", table);
    match table.choice("kind", KINDS, LATER_KINDS) {
        None | Some(Kind::AllToAll) => CollectiveSpec::AllToAll(all_to_all(table)),
        Some(Kind::Broadcast) => CollectiveSpec::Broadcast(broadcast(table)),
        Some(Kind::AllReduce) => CollectiveSpec::AllReduce(reduce(table)),
        Some(Kind::PrefixScan) => CollectiveSpec::PrefixScan(reduce(table)),
        Some(Kind::BitonicSort) => CollectiveSpec::BitonicSort(sort(table)),
        Some(Kind::VectorMatrix) => CollectiveSpec::VectorMatrix(parse_product::product(table)),
        Some(Kind::MatrixVector) => CollectiveSpec::MatrixVector(parse_product::product(table)),
        Some(Kind::MatrixMatrix) => CollectiveSpec::MatrixMatrix(parse_product::product(table)),
        Some(Kind::Transpose) => CollectiveSpec::Transpose(parse_product::transpose(table)),
        Some(Kind::Permutation) => CollectiveSpec::Permutation(parse_pops::permutation(table)),
        Some(Kind::HRelation) => CollectiveSpec::HRelation(parse_pops::relation(table)),
        Some(Kind::OneToAll) => CollectiveSpec::OneToAll(parse_pops::rooted(table)),
        Some(Kind::Gather) => CollectiveSpec::Gather(parse_pops::rooted(table)),
        Some(Kind::Scatter) => CollectiveSpec::Scatter(parse_pops::rooted(table)),
        Some(Kind::Traffic) => CollectiveSpec::Traffic(parse_traffic::traffic(table)),
    }
}

fn all_to_all(mut table: TableReader<'_, '_>) -> AllToAllSpec {
    let default = AllToAllSpec::default();
    let collective = AllToAllSpec {
        algorithm: table.choice("algorithm", ALGORITHMS, &[]).unwrap_or(default.algorithm),
        s: table.u32("s", 1..=1024),
        pipeline: table.choice_or_number("pipeline", PIPELINES, NUMBERED_PIPELINES),
        words: table.u32("words", 1..=65536).unwrap_or(default.words),
        repeat: table.u32("repeat", 1..=65536).unwrap_or(default.repeat),
    };
    table.finish_if_known("kind", HOMES);
    collective
}

fn broadcast(mut table: TableReader<'_, '_>) -> BroadcastSpec {
    let default = BroadcastSpec::default();
    let collective = BroadcastSpec {
        algorithm: table.choice("algorithm", BROADCAST_ALGORITHMS, &[]).unwrap_or(default.algorithm),
        root: table.u32("root", 0..=super::MAX_ROUTERS - 1).unwrap_or(default.root),
        count: table.u32("count", 1..=MAX_COUNT).unwrap_or(default.count),
    };
    table.finish(HOMES);
    collective
}

fn reduce(mut table: TableReader<'_, '_>) -> ReduceSpec {
    let default = ReduceSpec::default();
    let collective = ReduceSpec {
        algorithm: table.choice("algorithm", EXCHANGE_ALGORITHMS, &[]).unwrap_or(default.algorithm),
        op: table.choice("op", OPERATORS, &[]).unwrap_or(default.op),
        words: table.u32("words", 1..=MAX_EXCHANGE_WORDS).unwrap_or(default.words),
        operator_stages: table.u32("operator_stages", 0..=16).unwrap_or(default.operator_stages),
    };
    table.finish(HOMES);
    collective
}

fn sort(mut table: TableReader<'_, '_>) -> SortSpec {
    let default = SortSpec::default();
    let collective = SortSpec {
        algorithm: table.choice("algorithm", EXCHANGE_ALGORITHMS, &[]).unwrap_or(default.algorithm),
        words: table.u32("words", 1..=MAX_EXCHANGE_WORDS).unwrap_or(default.words),
        operator_stages: table.u32("operator_stages", 0..=16).unwrap_or(default.operator_stages),
    };
    table.finish(HOMES);
    collective
}

/// Checks the keys against each other and the network.
pub(super) fn check(findings: &mut Findings, network: &NetworkSpec, router: &RouterSpec, collective: &CollectiveSpec) {
    let sizes = match network {
        NetworkSpec::SwappedDragonfly(sizes) => sizes,
        NetworkSpec::Pops(pops) => return parse_pops::check(findings, pops, collective),
    };
    // what the collective runs on
    let network = sizes.guest();
    let (k, m, group) = (&network.k(), &network.m(), &network.group());
    match collective {
        CollectiveSpec::AllToAll(collective) => check_all_to_all(findings, *k, *m, collective),
        CollectiveSpec::Broadcast(collective) => check_root(findings, k * m * m, collective.root),
        CollectiveSpec::AllReduce(_) | CollectiveSpec::PrefixScan(_) | CollectiveSpec::BitonicSort(_) => {
            check_hypercube(findings, *group, collective.kind());
        }
        CollectiveSpec::VectorMatrix(_)
        | CollectiveSpec::MatrixVector(_)
        | CollectiveSpec::MatrixMatrix(_)
        | CollectiveSpec::Transpose(_) => parse_product::check(findings, *k, *m, router.payload_bits, collective),
        CollectiveSpec::Permutation(_)
        | CollectiveSpec::HRelation(_)
        | CollectiveSpec::OneToAll(_)
        | CollectiveSpec::Gather(_)
        | CollectiveSpec::Scatter(_)
        | CollectiveSpec::Traffic(_) => {
            let Some(place) = findings.place("collective.kind") else { return };
            let message = format!("{} runs on POPS alone in this version", collective.kind());
            findings.error(place, "", message, "write `topology = \"pops\"` with `d` and `g` in `[network]`");
        }
    }
}

/// The network contains a Boolean hypercube.
fn check_hypercube(findings: &mut Findings, group: Group, kind: &str) {
    let Some(place) = findings.place("collective.kind").filter(|_| group != Group::Xor) else { return };
    let message = format!("{kind} runs on a hypercube, which networks of cyclic arithmetic do not contain");
    let mut diagnostic = Diagnostic::new(&findings.source, message).at(place, "");
    if let Some(place) = findings.place("network.group") {
        diagnostic = diagnostic.at(place, "");
    }
    let help = "write `group = \"xor\"` in `[network]`, with powers of two as `k` and `m`";
    findings.errors.push(diagnostic.help(help));
}

/// The root is a node of the network.
pub(super) fn check_root(findings: &mut Findings, nodes: u32, root: u32) {
    let Some(place) = findings.place("collective.root").filter(|_| root >= nodes) else { return };
    let message = format!("there is no node {root}");
    let help = format!("the network has {nodes} nodes: take `root` from 0 to {}", nodes - 1);
    findings.error(place, "", message, help);
}

/// Checks the parameters of an all-to-all against each other and the sizes.
fn check_all_to_all(findings: &mut Findings, k: u32, m: u32, collective: &AllToAllSpec) {
    if findings.is_bad("collective.algorithm") {
        return;
    }
    if collective.algorithm != Algorithm::DoublyParallel {
        for key in ["s", "pipeline"] {
            let Some(place) = findings.place(&format!("collective.{key}")) else { continue };
            let mut diagnostic =
                Diagnostic::new(&findings.source, format!("`{key}` is a parameter of \"doubly-parallel\" alone"))
                    .at(place, "");
            if let Some(place) = findings.place("collective.algorithm") {
                diagnostic = diagnostic.at(place, "which this is not");
            }
            let help = format!("leave `{key}` out, or write `algorithm = \"doubly-parallel\"`");
            findings.errors.push(diagnostic.help(help));
        }
        return;
    }
    let (Some(s), Some(place)) = (collective.s, findings.place("collective.s")) else { return };
    let wrong: Vec<(&str, u32)> = [("k", k), ("m", m)].into_iter().filter(|(_, size)| size % s != 0).collect();
    if !wrong.is_empty() {
        let parts: Vec<String> = wrong.iter().map(|(key, size)| format!("{key} = {size}")).collect();
        let message = format!("s = {s} does not divide {}", parts.join(" and "));
        let mut diagnostic = Diagnostic::new(&findings.source, message).at(place, "");
        for (key, _) in &wrong {
            diagnostic = diagnostic.at(findings.place(&format!("network.{key}")).unwrap_or(0..0), "");
        }
        let good: Vec<String> =
            (1..=k.min(m)).filter(|s| k.is_multiple_of(*s) && m.is_multiple_of(*s)).map(|s| s.to_string()).collect();
        let help = match good.as_slice() {
            [one] => format!("only s = {one} divides both; leave `s` out, or choose another algorithm"),
            good => format!("take s from {}", good.join(", ")),
        };
        findings.errors.push(diagnostic.help(help));
    }
}
