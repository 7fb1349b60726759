//! Keys of the Swapped Dragonfly.

use super::diagnostic::Diagnostic;
use super::kind::{InSlotTables, Kind, SizeKeys, TopologyKind};
use super::parse_general::{plain_sizes, settled};
use super::shared::MAX_ROUTERS;
use super::table::{Findings, TableReader};
use super::{NetworkSpec, RouterKind, ScheduleSpec, Storage, SwappedDragonflySpec};
use super::{general, parse_crossbar, parse_embed, parse_pops, parse_slot_table};
use crate::topology::SwappedDragonfly;
use crate::topology::swapped_dragonfly::{Group, IN_SLOT_TABLES};
use serde::Deserialize;
use toml::Spanned;
use toml::de::DeTable;

/// The Swapped Dragonfly D3(K,M).
pub(super) const TOPOLOGY: TopologyKind = TopologyKind {
    name: "swapped-dragonfly",
    who: "the Swapped Dragonfly",
    router: None,
    check: |findings, router, schedule, kind| {
        parse_crossbar::check(findings, router, kind);
        if !router.kind.is_slot_table() {
            check_rows(findings, schedule, kind);
        }
        parse_pops::elsewhere(findings, router);
    },
    sizes: SizeKeys::Own {
        read: |table| read(table).map(NetworkSpec::SwappedDragonfly),
        keys: &["k", "m", "group", "embed", "exclude", "build"],
        starter: include_str!("starters/swapped-dragonfly.toml"),
        in_slot_tables: Some(InSlotTables { kind: &IN_SLOT_TABLES, chosen }),
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

/// The Swapped Dragonfly in slot tables, where the schedulers of any network are asked for: by keys of such networks, a collective that its
/// own algorithms do not schedule, or several collectives.
fn chosen(
    top: &TableReader<'_, '_>,
    network: Option<&Spanned<DeTable<'_>>>,
    kinds: &[(&'static str, Kind)],
) -> Option<TopologyKind> {
    if top.texts_in("router", "kind") != [RouterKind::SlotTable.name()] {
        return None;
    }
    let has = |key: &&str| network.is_some_and(|table| table.get_ref().contains_key(*key));
    let names = top.texts_in("collective", "kind");
    // an embedded network has an arithmetic of its own
    let group = network.and_then(|table| table.get_ref().get("group")?.get_ref().as_str());
    let is_bitwise = group == Some("xor") || ["embed", "exclude"].iter().any(has);
    let runs = |kind: &Kind| kind.runs_on.iter().any(|(name, _)| *name == TOPOLOGY.name);
    let own = |kind: &Kind| kind.general.is_none() || (runs(kind) && (is_bitwise || !kind.hypercube));
    let others = |name: &&str| kinds.iter().any(|(known, kind)| known == name && !own(kind));
    let slots = general::OPTIONS.iter().any(has) || names.len() > 1 || names.iter().any(others);
    slots.then(|| parse_slot_table::topology(&IN_SLOT_TABLES))
}

/// Tables have rows only where there are tables of an all-to-all.
fn check_rows(findings: &mut Findings, schedule: &ScheduleSpec, kind: &Kind) {
    let Some(place) = findings.place("schedule.rows") else { return };
    let (bad, other) = match kind.rows {
        true if schedule.storage == Storage::Counter => ("schedule.storage", "counters have no rows"),
        true => return,
        false => ("collective.kind", "only programs of all-to-all have rows"),
    };
    let mut diagnostic = Diagnostic::new(&findings.source, other).at(place, "");
    if let Some(place) = findings.place(bad) {
        diagnostic = diagnostic.at(place, "");
    }
    findings.errors.push(diagnostic.help("leave `rows` out"));
}
