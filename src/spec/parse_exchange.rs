//! Keys of the collectives on the Boolean hypercube in a Swapped Dragonfly.

use super::diagnostic::Diagnostic;
use super::kind::{Check, Kind};
use super::table::{Findings, TableReader};
use super::{CollectiveSpec, MAX_EXCHANGE_WORDS, NetworkSpec, ReduceSpec, RouterSpec, SortSpec};
use crate::topology::swapped_dragonfly::Group;

const HYPERCUBE: &[(&str, Check)] = &[("swapped-dragonfly", check)];

/// Lines of a starter with an operator.
const REDUCE: &str = r#"network.group = "xor"               # arithmetic of coordinates; k and m are powers of two
algorithm = "best"          # or by name: "paper", "short", "uniform"
op = "sum"                  # or "min", "max", "xor"
words = 1                   # words a node: 1 to 4096
operator_stages = 3         # clock cycles of the operator: 0 to 16; hardware needs 3
"#;

/// Lines of a starter without an operator.
const SORT: &str = r#"network.group = "xor"               # arithmetic of coordinates; k and m are powers of two
algorithm = "best"          # or by name: "paper", "short", "uniform"
words = 1                   # words a node: 1 to 4096
operator_stages = 3         # clock cycles of a comparison: 0 to 16; hardware needs 3
"#;

/// All-reduce: every node receives the combination of all nodes' words.
pub(super) const ALL_REDUCE: Kind = Kind {
    keys: &["op", "operator_stages"],
    crossbar: false,
    starter: REDUCE,
    hypercube: true,
    ..Kind::new("all-reduce", |table| CollectiveSpec::AllReduce(reduce(table)), HYPERCUBE)
};

/// Prefix scan: every node receives the combination of the words of the nodes up to itself.
pub(super) const PREFIX_SCAN: Kind = Kind {
    crossbar: false,
    starter: REDUCE,
    hypercube: true,
    ..Kind::new("prefix-scan", |table| CollectiveSpec::PrefixScan(reduce(table)), HYPERCUBE)
};

/// Words are sorted over the nodes.
pub(super) const BITONIC_SORT: Kind = Kind {
    crossbar: false,
    starter: SORT,
    hypercube: true,
    ..Kind::new("bitonic-sort", |table| CollectiveSpec::BitonicSort(sort(table)), HYPERCUBE)
};

fn reduce(mut table: TableReader<'_, '_>) -> ReduceSpec {
    let default = ReduceSpec::default();
    let collective = ReduceSpec {
        algorithm: table.named("algorithm").unwrap_or(default.algorithm),
        op: table.named("op").unwrap_or(default.op),
        words: table.u32("words", 1..=MAX_EXCHANGE_WORDS).unwrap_or(default.words),
        operator_stages: table.u32("operator_stages", 0..=16).unwrap_or(default.operator_stages),
    };
    table.finish();
    collective
}

fn sort(mut table: TableReader<'_, '_>) -> SortSpec {
    let default = SortSpec::default();
    let collective = SortSpec {
        algorithm: table.named("algorithm").unwrap_or(default.algorithm),
        words: table.u32("words", 1..=MAX_EXCHANGE_WORDS).unwrap_or(default.words),
        operator_stages: table.u32("operator_stages", 0..=16).unwrap_or(default.operator_stages),
    };
    table.finish();
    collective
}

/// The network contains a Boolean hypercube.
fn check(findings: &mut Findings, network: &NetworkSpec, _: &RouterSpec, collective: &CollectiveSpec) {
    let cyclic = network.swapped_dragonfly().is_some_and(|sizes| sizes.guest().group() != Group::Xor);
    let Some(place) = findings.place("collective.kind").filter(|_| cyclic) else { return };
    let message =
        format!("{} runs on a hypercube, which networks of cyclic arithmetic do not contain", collective.kind());
    let mut diagnostic = Diagnostic::new(&findings.source, message).at(place, "");
    if let Some(place) = findings.place("network.group") {
        diagnostic = diagnostic.at(place, "");
    }
    let help = "write `group = \"xor\"` in `[network]`, with powers of two as `k` and `m`";
    findings.errors.push(diagnostic.help(help));
}
