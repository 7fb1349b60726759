//! Keys of the collectives of POPS: permutations, h-relations, and those with a root.

use super::diagnostic::Diagnostic;
use super::kind::{Check, Kind};
use super::pops::{PatternName, PermutationSpec, RelationSpec, RootedSpec};
use super::shared::{MAX_ROUTERS, check_root, unneeded};
use super::table::{Findings, TableReader};
use super::{CollectiveSpec, NetworkSpec, RouterSpec};

/// Every processor sends one packet and gets one.
pub(super) const PERMUTATION: Kind = Kind::new("permutation", permutation, &[("pops", |_, _, _, _| ())]);

/// Any packets between processors.
pub(super) const H_RELATION: Kind = Kind::new("h-relation", relation, &[("pops", |_, _, _, _| ())]);

const ROOTED: &[(&str, Check)] = &[("pops", check)];

/// One processor sends one packet to all.
pub(super) const ONE_TO_ALL: Kind = Kind::new("one-to-all", |table| CollectiveSpec::OneToAll(rooted(table)), ROOTED);

/// Every processor sends a packet to one.
pub(super) const GATHER: Kind = Kind::new("gather", |table| CollectiveSpec::Gather(rooted(table)), ROOTED);

/// One processor sends a packet of its own to each.
pub(super) const SCATTER: Kind = Kind::new("scatter", |table| CollectiveSpec::Scatter(rooted(table)), ROOTED);

const MAX_SEED: u64 = i64::MAX as u64;

fn permutation(mut table: TableReader<'_, '_>) -> CollectiveSpec {
    let spec = PermutationSpec {
        algorithm: table.named("algorithm").unwrap_or_default(),
        pattern: table.named("pattern"),
        rows: table.u32("rows", 1..=MAX_ROUTERS),
        columns: table.u32("columns", 1..=MAX_ROUTERS),
        direction: table.named("direction"),
        dimension: table.u32("dimension", 0..=19),
        bits: table.list("bits", 19),
        complement: table.u32("complement", 0..=MAX_ROUTERS - 1),
        seed: table.integer("seed", 0..=MAX_SEED),
        mapping_seed: table.integer("mapping_seed", 0..=MAX_SEED),
        mapping_file: table.text("mapping_file"),
        permutation: table.list("permutation", MAX_ROUTERS - 1),
        file: table.text("file"),
    };
    let findings = table.finish();
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
    CollectiveSpec::Permutation(spec)
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

fn relation(mut table: TableReader<'_, '_>) -> CollectiveSpec {
    let spec = RelationSpec {
        algorithm: table.named("algorithm").unwrap_or_default(),
        demands: table.pairs("demands", MAX_ROUTERS - 1),
        file: table.text("file"),
        h: table.u32("h", 1..=4096),
        seed: table.integer("seed", 0..=MAX_SEED),
    };
    let findings = table.finish();
    one_of(findings, &["demands", "file", "h"], "an h-relation", "h = 2");
    unneeded(findings, "seed", spec.h.is_some(), "h", "random permutations");
    CollectiveSpec::HRelation(spec)
}

fn rooted(mut table: TableReader<'_, '_>) -> RootedSpec {
    let spec = RootedSpec { root: table.u32("root", 0..=MAX_ROUTERS - 1).unwrap_or_default() };
    table.finish();
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

fn check(findings: &mut Findings, network: &NetworkSpec, _: &RouterSpec, collective: &CollectiveSpec) {
    let (CollectiveSpec::OneToAll(rooted) | CollectiveSpec::Gather(rooted) | CollectiveSpec::Scatter(rooted)) =
        collective
    else {
        return;
    };
    let processors = network.pops().map_or(0, |network| network.d * network.g);
    check_root(findings, processors, rooted.root);
}
