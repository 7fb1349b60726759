//! Keys of a hierarchical dual-net.

use super::NetworkSpec;
use super::hierarchical_dual_net::HierarchicalDualNetSpec;
use super::kind::TopologyKind;
use super::parse_general::{fits, keys, kind, options, take};
use super::table::{Findings, TableReader};
use crate::topology::HierarchicalDualNet;
use crate::topology::hierarchical_dual_net::{Factor, Unfit};
use std::ops::Range;

/// A hierarchical dual-net.
pub(super) const TOPOLOGY: TopologyKind = kind(
    ["hierarchical-dual-net", "a hierarchical dual-net"],
    keys!["base", "levels"],
    read,
    include_str!("starters/hierarchical-dual-net.toml"),
);

/// Most factors of a base, and most levels.
const MOST: [usize; 2] = [16, 8];

fn read(mut table: TableReader<'_, '_>) -> Option<NetworkSpec> {
    let base = base(&mut table);
    let help = "name the factors of a super-node of each level: `levels = [[0], [0, 1]]`, `[[]]` for one level of single nodes";
    if !table.has("levels") {
        table.missing("levels", help);
    }
    let levels = table.lists("levels", MOST[0] as u32 - 1);
    let taken = take(&mut table);
    let findings = table.finish();
    let options = options(findings, taken, &["local", "levels"]);
    let (base, levels) = (base?, levels?);
    if levels.len() > MOST[1] {
        let place = findings.place("network.levels").unwrap_or(0..0);
        findings.error(place, "", format!("there are more than {} levels", MOST[1]), "take fewer");
        return None;
    }
    latencies(findings, &options.latency.levels, levels.len());
    let factors = levels.iter().map(|(factors, _)| factors.iter().map(|&factor| factor as usize).collect()).collect();
    if let Err(error) = HierarchicalDualNet::new(base.clone(), factors) {
        let (place, help) = unfit(findings, error, base.len(), &levels);
        findings.error(place, "", error.to_string(), help);
        return None;
    }
    let levels = levels.into_iter().map(|(factors, _)| factors).collect();
    fits(findings, NetworkSpec::HierarchicalDualNet(HierarchicalDualNetSpec { base, levels, options }), "levels")
}

fn base(table: &mut TableReader<'_, '_>) -> Option<Vec<Factor>> {
    if !table.has("base") {
        table.missing("base", "name the factors of the base network: `base = [\"ring:3\", \"hypercube:2\"]`");
    }
    let texts = table.texts("base", "ring:3")?;
    if texts.is_empty() || texts.len() > MOST[0] {
        let place = table.findings.place("network.base").unwrap_or(0..0);
        let message = format!("the base has {} factors", texts.len());
        table.findings.error(place, "", message, format!("name 1 to {} factors: `base = [\"ring:3\"]`", MOST[0]));
        return None;
    }
    let mut base = Vec::new();
    for (text, place) in texts {
        match text.parse::<Factor>() {
            Ok(factor) => base.push(factor),
            Err(error) => {
                let (nodes, dimensions) = (Factor::MOST_NODES, Factor::MOST_DIMENSIONS);
                let help = format!(
                    "write \"ring:N\" or \"complete:N\" of 1 to {nodes} nodes, or \"hypercube:D\" of 0 to {dimensions} dimensions"
                );
                table.findings.error(place, "", error.to_string(), help);
                return None;
            }
        }
    }
    Some(base)
}

/// Checks latencies by level.
fn latencies(findings: &mut Findings, cycles: &[u32], count: usize) {
    let field = "network.latency.levels";
    let Some(place) = findings.place(field).filter(|_| !findings.is_bad(field)) else { return };
    if cycles.len() != count || cycles.contains(&0) {
        let message = format!("latencies of {} levels, and there are {count}", cycles.len());
        let message = if cycles.contains(&0) { "a hop takes at least one cycle".to_owned() } else { message };
        findings.error(place, "", message, "write 1 to 255 cycles for each level, in the order of `network.levels`");
    }
}

/// Place of an error of base and levels, and help.
fn unfit(
    findings: &Findings,
    error: Unfit,
    count: usize,
    levels: &[(Vec<u32>, Range<usize>)],
) -> (Range<usize>, String) {
    let of = |level: usize| levels.get(level - 1).map_or(0..0, |(_, place)| place.clone());
    match error {
        Unfit::NoSuchFactor { level, .. } => (of(level), format!("take numbers from 0 to {}", count.saturating_sub(1))),
        Unfit::Twice { level, .. } => (of(level), "name each factor once".to_owned()),
        _ => {
            let help = "take a smaller base, fewer levels, or larger super-nodes".to_owned();
            (findings.place("network.levels").unwrap_or(0..0), help)
        }
    }
}
