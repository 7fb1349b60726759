//! The keys of POPS networks and of what runs on them.

use super::diagnostic::Diagnostic;
use super::parse::{HOMES, MAX_ROUTERS};
use super::pops::{
    Direction, PatternName, PermutationSpec, PopsAlgorithm, PopsSpec, RelationAlgorithm, RelationSpec, RootedSpec,
};
use super::table::{Choices, Findings, TableReader};
use super::{Algorithm, AllToAllSpec, CollectiveSpec};

const ALGORITHMS: Choices<'static, PopsAlgorithm> = &[
    (PopsAlgorithm::Best.name(), PopsAlgorithm::Best),
    (PopsAlgorithm::Theorem.name(), PopsAlgorithm::Theorem),
    (PopsAlgorithm::Direct.name(), PopsAlgorithm::Direct),
    (PopsAlgorithm::Mixed.name(), PopsAlgorithm::Mixed),
    (PopsAlgorithm::Exact.name(), PopsAlgorithm::Exact),
];
const RELATION_ALGORITHMS: Choices<'static, RelationAlgorithm> = &[
    (RelationAlgorithm::Best.name(), RelationAlgorithm::Best),
    (RelationAlgorithm::Theorem.name(), RelationAlgorithm::Theorem),
    (RelationAlgorithm::Direct.name(), RelationAlgorithm::Direct),
];
const PATTERNS: Choices<'static, PatternName> = &[
    ("identity", PatternName::Identity),
    ("reversal", PatternName::Reversal),
    ("transpose", PatternName::Transpose),
    ("bpc", PatternName::Bpc),
    ("hypercube", PatternName::Hypercube),
    ("mesh", PatternName::Mesh),
    ("random", PatternName::Random),
];
const DIRECTIONS: Choices<'static, Direction> =
    &[("up", Direction::Up), ("down", Direction::Down), ("left", Direction::Left), ("right", Direction::Right)];
const MAX_SEED: u64 = i64::MAX as u64;

pub(super) fn network(mut table: TableReader<'_, '_>) -> Option<PopsSpec> {
    let d = table.required_u32("d", 1..=MAX_ROUTERS, "say how many processors a group: `d = 16`");
    let g = table.required_u32("g", 1..=MAX_ROUTERS, "say how many groups: `g = 4`");
    let findings = table.finish(HOMES);
    let (d, g) = (d?, g?);
    if u64::from(d) * u64::from(g) > u64::from(MAX_ROUTERS) {
        let message = format!("POPS({d},{g}) would have {} processors", u64::from(d) * u64::from(g));
        let mut diagnostic = Diagnostic::new(&findings.source, message);
        for field in ["network.g", "network.d"] {
            diagnostic = diagnostic.at(findings.place(field).unwrap_or(0..0), "");
        }
        findings.errors.push(diagnostic.help(format!("take sizes with d·g of at most {MAX_ROUTERS}")));
        return None;
    }
    Some(PopsSpec { d, g })
}

pub(super) fn permutation(mut table: TableReader<'_, '_>) -> PermutationSpec {
    let spec = PermutationSpec {
        algorithm: table.choice("algorithm", ALGORITHMS, &[]).unwrap_or_default(),
        pattern: table.choice("pattern", PATTERNS, &[]),
        rows: table.u32("rows", 1..=MAX_ROUTERS),
        columns: table.u32("columns", 1..=MAX_ROUTERS),
        direction: table.choice("direction", DIRECTIONS, &[]),
        dimension: table.u32("dimension", 0..=19),
        bits: table.list("bits", 19),
        complement: table.u32("complement", 0..=MAX_ROUTERS - 1),
        seed: table.integer("seed", 0..=MAX_SEED),
        mapping_seed: table.integer("mapping_seed", 0..=MAX_SEED),
        mapping_file: table.text("mapping_file"),
        permutation: table.list("permutation", MAX_ROUTERS - 1),
        file: table.text("file"),
    };
    let findings = table.finish(HOMES);
    one_of(findings, &["pattern", "permutation", "file"], "a permutation", "pattern = \"reversal\"");
    one_of_at_most(findings, &["mapping_seed", "mapping_file"]);
    let keys: &[(&str, bool)] = &[
        ("rows", matches!(spec.pattern, Some(PatternName::Transpose | PatternName::Mesh))),
        ("columns", matches!(spec.pattern, Some(PatternName::Transpose | PatternName::Mesh))),
        ("direction", spec.pattern == Some(PatternName::Mesh)),
        ("dimension", spec.pattern == Some(PatternName::Hypercube)),
        ("bits", spec.pattern == Some(PatternName::Bpc)),
        ("complement", spec.pattern == Some(PatternName::Bpc)),
        ("seed", spec.pattern == Some(PatternName::Random)),
        ("mapping_seed", spec.pattern.is_some()),
        ("mapping_file", spec.pattern.is_some()),
    ];
    if !findings.is_bad("collective.pattern") {
        for (key, applies) in keys {
            unneeded(findings, key, *applies, "pattern", needs(key));
        }
        let required = keys.iter().filter(|(key, applies)| *applies && !OPTIONAL.contains(key));
        for (key, _) in required
            .filter(|(key, _)| findings.place(&format!("collective.{key}")).is_none())
            .copied()
            .collect::<Vec<_>>()
        {
            let place = findings.place("collective.pattern").unwrap_or(0..0);
            findings.error(place, "", format!("this pattern needs `{key}`"), example(key));
        }
    }
    spec
}

/// Keys that a pattern may do without.
const OPTIONAL: &[&str] = &["complement", "seed", "mapping_seed", "mapping_file"];

fn needs(key: &str) -> &'static str {
    match key {
        "rows" | "columns" => "\"transpose\" and \"mesh\"",
        "direction" => "\"mesh\"",
        "dimension" => "\"hypercube\"",
        "bits" | "complement" => "\"bpc\"",
        "seed" => "\"random\"",
        _ => "patterns",
    }
}

fn example(key: &str) -> &'static str {
    match key {
        "rows" | "columns" => "write `rows` and `columns`, whose product is the number of processors",
        "direction" => "write `direction = \"right\"`, or \"left\", \"up\" or \"down\"",
        "dimension" => "write the bit that changes: `dimension = 0`",
        _ => "write where each bit comes from: `bits = [1, 0, 2]`",
    }
}

pub(super) fn relation(mut table: TableReader<'_, '_>) -> RelationSpec {
    let spec = RelationSpec {
        algorithm: table.choice("algorithm", RELATION_ALGORITHMS, &[]).unwrap_or_default(),
        demands: table.pairs("demands", MAX_ROUTERS - 1),
        file: table.text("file"),
        h: table.u32("h", 1..=4096),
        seed: table.integer("seed", 0..=MAX_SEED),
    };
    let findings = table.finish(HOMES);
    one_of(findings, &["demands", "file", "h"], "an h-relation", "h = 2");
    unneeded(findings, "seed", spec.h.is_some(), "h", "random permutations");
    spec
}

pub(super) fn rooted(mut table: TableReader<'_, '_>) -> RootedSpec {
    let spec = RootedSpec { root: table.u32("root", 0..=MAX_ROUTERS - 1).unwrap_or_default() };
    table.finish(HOMES);
    spec
}

/// Exactly one of some keys is there.
fn one_of(findings: &mut Findings, keys: &[&str], what: &str, example: &str) {
    one_of_at_most(findings, keys);
    if keys.iter().any(|key| findings.place(&format!("collective.{key}")).is_some()) {
        return;
    }
    let place = findings.place("collective.kind").unwrap_or(0..0);
    let list: Vec<String> = keys.iter().map(|key| format!("`{key}`")).collect();
    let message = format!("{what} needs one of {}", list.join(", "));
    findings.error(place, "", message, format!("write for example `{example}`"));
}

fn one_of_at_most(findings: &mut Findings, keys: &[&str]) {
    let there: Vec<_> =
        keys.iter().filter_map(|key| Some((*key, findings.place(&format!("collective.{key}"))?))).collect();
    if let [(first, first_place), (second, second_place), ..] = there.as_slice() {
        let diagnostic = Diagnostic::new(&findings.source, format!("`{first}` and `{second}` exclude each other"))
            .at(second_place.clone(), "")
            .at(first_place.clone(), "")
            .help("keep one of the two");
        findings.errors.push(diagnostic);
    }
}

pub(super) fn unneeded(findings: &mut Findings, key: &str, applies: bool, beside: &str, of: &str) {
    let Some(place) = findings.place(&format!("collective.{key}")).filter(|_| !applies) else { return };
    let mut diagnostic =
        Diagnostic::new(&findings.source, format!("`{key}` is a parameter of {of} alone")).at(place, "");
    if let Some(place) = findings.place(&format!("collective.{beside}")) {
        diagnostic = diagnostic.at(place, "");
    }
    findings.errors.push(diagnostic.help(format!("leave `{key}` out")));
}

/// Keys of POPS in a specification of another network.
pub(super) fn elsewhere(findings: &mut Findings) {
    for (key, what) in [("router.slot_cycles", "slots are"), ("schedule.buffers", "places for packets are")] {
        let Some(place) = findings.place(key) else { continue };
        let name = key.rsplit('.').next().unwrap_or(key);
        findings.error(place, "", format!("{what} those of POPS alone"), format!("leave `{name}` out"));
    }
}

/// The collective runs on POPS, and its root is there.
pub(super) fn check(findings: &mut Findings, network: &PopsSpec, collective: &CollectiveSpec) {
    match collective {
        CollectiveSpec::AllToAll(collective) => check_all_to_all(findings, collective),
        CollectiveSpec::Permutation(_) | CollectiveSpec::HRelation(_) => {}
        CollectiveSpec::Traffic(traffic) => super::parse_traffic::check_network(findings, network, traffic),
        CollectiveSpec::OneToAll(rooted) | CollectiveSpec::Gather(rooted) | CollectiveSpec::Scatter(rooted) => {
            super::parse_collective::check_root(findings, network.d * network.g, rooted.root);
        }
        other => {
            let Some(place) = findings.place("collective.kind") else { return };
            let message = format!("{} does not run on POPS in this version", other.kind());
            let help =
                "write one of \"permutation\", \"h-relation\", \"one-to-all\", \"all-to-all\", \"gather\", \"scatter\"";
            findings.error(place, "", message, help);
        }
    }
}

/// Refuses parameters of an all-to-all: on POPS it has one algorithm, one word and one pass.
fn check_all_to_all(findings: &mut Findings, collective: &AllToAllSpec) {
    let default = AllToAllSpec::default();
    let differs = [
        ("algorithm", collective.algorithm != Algorithm::Best),
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
