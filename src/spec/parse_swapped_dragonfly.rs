//! Keys of the Swapped Dragonfly.

use super::diagnostic::Diagnostic;
use super::kind::{SizeKeys, TopologyKind};
use super::parse_general::{plain_sizes, settled};
use super::shared::MAX_ROUTERS;
use super::table::TableReader;
use super::{NetworkSpec, SwappedDragonflySpec, parse_embed};
use crate::topology::SwappedDragonfly;
use crate::topology::swapped_dragonfly::{Group, IN_SLOT_TABLES};
use serde::Deserialize;

/// The Swapped Dragonfly D3(K,M).
pub(super) const TOPOLOGY: TopologyKind = TopologyKind {
    name: "swapped-dragonfly",
    who: "the Swapped Dragonfly",
    router: None,
    sizes: SizeKeys::Own {
        read: |table| read(table).map(NetworkSpec::SwappedDragonfly),
        keys: &["k", "m", "group", "embed", "exclude", "build"],
        starter: include_str!("starters/swapped-dragonfly.toml"),
    },
};

/// The most channels, of k + m - 1 a router: their numbers have 32 bits.
const MAX_CHANNELS: u32 = u32::MAX;

fn read(mut table: TableReader<'_, '_>) -> Option<SwappedDragonflySpec> {
    let mut sizes = plain_sizes(&mut table, &IN_SLOT_TABLES);
    let [k, m] = ["k", "m"].map(|key| sizes.get(key).and_then(|size| u32::deserialize(size).ok()));
    let part = parse_embed::take(&mut table, k, m);
    let findings = table.finish();
    let [k_place, m_place] = ["k", "m"].map(|key| findings.place(&format!("network.{key}")).unwrap_or(0..0));
    let fits = settled(findings, &IN_SLOT_TABLES, &mut sizes);
    let (k, m) = (k?, m?);
    let group = sizes.get("group").and_then(|group| Group::deserialize(group).ok()).unwrap_or_default();
    let routers = u64::from(k) * u64::from(m) * u64::from(m);
    let channels = routers * u64::from(k + m - 1);
    if routers > u64::from(MAX_ROUTERS) || channels > u64::from(MAX_CHANNELS) {
        let (message, help) = match routers > u64::from(MAX_ROUTERS) {
            true => (format!("{routers} routers"), format!("k·m² of at most {MAX_ROUTERS}")),
            false => (format!("{channels} channels"), format!("k·m²·(k + m - 1) of at most {MAX_CHANNELS}")),
        };
        let diagnostic = Diagnostic::new(&findings.source, format!("D3({k},{m}) would have {message}"))
            .at(m_place, "")
            .at(k_place, "")
            .help(format!("take sizes with {help}"));
        findings.errors.push(diagnostic);
        return None;
    }
    let part =
        if fits { parse_embed::read(findings, SwappedDragonfly::new(k, m, group), part) } else { <_>::default() };
    Some(SwappedDragonflySpec { k, m, group, embed: part.embed, exclude: part.exclude, build: part.build })
}
