//! Keys of permutations and of lists of packets, and the rules between them.

use super::diagnostic::Diagnostic;
use super::shared::{MAX_ROUTERS, unneeded};
use super::table::{Findings, TableReader};
use crate::collective::keys::{DemandKeys, PatternName, PermutationKeys};

const MAX_SEED: u64 = i64::MAX as u64;

/// Reads the keys of a permutation, the last of its table.
pub(super) fn permutation_keys(mut table: TableReader<'_, '_>) -> PermutationKeys {
    let keys = PermutationKeys {
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
    let uses: &[(&str, bool)] = &[
        ("rows", matches!(keys.pattern, Some(PatternName::Transpose | PatternName::Mesh))),
        ("columns", matches!(keys.pattern, Some(PatternName::Transpose | PatternName::Mesh))),
        ("direction", keys.pattern == Some(PatternName::Mesh)),
        ("dimension", keys.pattern == Some(PatternName::Hypercube)),
        ("bits", keys.pattern == Some(PatternName::Bpc)),
        ("complement", keys.pattern == Some(PatternName::Bpc)),
        ("seed", keys.pattern == Some(PatternName::Random)),
        ("mapping_seed", keys.pattern.is_some()),
        ("mapping_file", keys.pattern.is_some()),
    ];
    if !findings.is_bad("collective.pattern") {
        for (key, applies) in uses {
            unneeded(findings, key, *applies, "pattern", needs(key));
        }
        let required = uses.iter().filter(|(key, applies)| *applies && !OPTIONAL.contains(key));
        for (key, _) in required
            .filter(|(key, _)| findings.place(&format!("collective.{key}")).is_none())
            .copied()
            .collect::<Vec<_>>()
        {
            let place = findings.place("collective.pattern").unwrap_or(0..0);
            findings.error(place, "", format!("this pattern needs `{key}`"), example(key));
        }
    }
    keys
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
        "rows" | "columns" => "write `rows` and `columns`, whose product is the number of endpoints",
        "direction" => "write `direction = \"right\"`, or \"left\", \"up\" or \"down\"",
        "dimension" => "write the bit that changes: `dimension = 0`",
        _ => "write where each bit comes from: `bits = [1, 0, 2]`",
    }
}

/// Reads the keys of a list of packets, the last of their table.
pub(super) fn demand_keys(mut table: TableReader<'_, '_>) -> DemandKeys {
    let keys = DemandKeys {
        demands: table.pairs("demands", MAX_ROUTERS - 1),
        file: table.text("file"),
        h: table.u32("h", 1..=4096),
        seed: table.integer("seed", 0..=MAX_SEED),
    };
    let findings = table.finish();
    one_of(findings, &["demands", "file", "h"], "an h-relation", "h = 2");
    unneeded(findings, "seed", keys.h.is_some(), "h", "random permutations");
    keys
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
