//! Keys of an all-to-all.

use super::diagnostic::Diagnostic;
use super::kind::Kind;
use super::table::{Choices, Findings, TableReader};
use super::{AllToAllAlgorithm, AllToAllSpec, CollectiveSpec, NetworkSpec, Pipeline, RouterKind, RouterSpec};

/// Every node sends a message of its own to every node.
pub(super) const ALL_TO_ALL: Kind = Kind {
    keys: &["algorithm", "s", "pipeline", "words", "repeat"],
    router: RouterKind::SourceVector,
    rows: true,
    ..Kind::new("all-to-all", all_to_all, &[("swapped-dragonfly", on_swapped_dragonfly), ("pops", on_pops)])
};

const PIPELINES: Choices<'static, Pipeline> = &[("reordered", Pipeline::Reordered)];
const NUMBERED_PIPELINES: &[(u32, Pipeline)] =
    &[(1, Pipeline::Schedule1), (2, Pipeline::Schedule2), (3, Pipeline::Schedule3)];

fn all_to_all(mut table: TableReader<'_, '_>) -> CollectiveSpec {
    let default = AllToAllSpec::default();
    let collective = AllToAllSpec {
        algorithm: table.named("algorithm").unwrap_or(default.algorithm),
        s: table.u32("s", 1..=1024),
        pipeline: table.choice_or_number("pipeline", PIPELINES, NUMBERED_PIPELINES),
        words: table.u32("words", 1..=65536).unwrap_or(default.words),
        repeat: table.u32("repeat", 1..=65536).unwrap_or(default.repeat),
    };
    table.finish_if_known("kind");
    CollectiveSpec::AllToAll(collective)
}

/// Checks the parameters of an all-to-all against each other and the sizes.
fn on_swapped_dragonfly(findings: &mut Findings, network: &NetworkSpec, _: &RouterSpec, collective: &CollectiveSpec) {
    let (Some(sizes), Some(collective)) = (network.swapped_dragonfly(), collective.all_to_all()) else { return };
    let (k, m) = (sizes.guest().k(), sizes.guest().m());
    if findings.is_bad("collective.algorithm") {
        return;
    }
    if collective.algorithm != AllToAllAlgorithm::DoublyParallel {
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

/// Refuses parameters of an all-to-all: on POPS it has one algorithm, one word and one pass.
fn on_pops(findings: &mut Findings, _: &NetworkSpec, _: &RouterSpec, collective: &CollectiveSpec) {
    let Some(collective) = collective.all_to_all() else { return };
    let default = AllToAllSpec::default();
    let differs = [
        ("algorithm", collective.algorithm != AllToAllAlgorithm::Best),
        ("s", collective.s.is_some()),
        ("pipeline", collective.pipeline.is_some()),
        ("words", collective.words != default.words),
        ("repeat", collective.repeat != default.repeat),
    ];
    for (key, _) in differs.into_iter().filter(|(_, differs)| *differs) {
        let Some(place) = findings.place(&format!("collective.{key}")) else { continue };
        findings.error(place, "", format!("all-to-all on POPS has no `{key}`"), format!("leave `{key}` out"));
    }
}
