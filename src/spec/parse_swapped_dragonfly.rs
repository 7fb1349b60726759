//! Keys of the Swapped Dragonfly.

use super::diagnostic::Diagnostic;
use super::kind::TopologyKind;
use super::parse_general::{fits, options, take};
use super::shared::MAX_ROUTERS;
use super::table::{Findings, TableReader};
use super::{Build, NetworkSpec, RouterKind, SwappedDragonflySpec, parse_embed};
use crate::topology::SwappedDragonfly;
use crate::topology::swapped_dragonfly::Group;

/// The Swapped Dragonfly D3(K,M).
pub(super) const TOPOLOGY: TopologyKind = TopologyKind {
    name: "swapped-dragonfly",
    who: "the Swapped Dragonfly",
    read: |table| read(table).map(NetworkSpec::SwappedDragonfly),
    keys: &["k", "m", "group", "embed", "exclude", "build"],
    router: None,
    starter: include_str!("starters/swapped-dragonfly.toml"),
};

/// The Swapped Dragonfly with the schedulers of any network, in slot tables.
pub(super) const IN_SLOT_TABLES: TopologyKind =
    TopologyKind { read: in_slot_tables, keys: KEYS_OF_SLOTS, router: Some(RouterKind::SlotTable), ..TOPOLOGY };

/// Keys of `[network]` that all topologies have that run in slot tables.
pub(super) const KEYS_OF_SLOTS: &[&str] = &["ports", "latency", "exclude_nodes", "exclude_channels"];

/// The most channels, of k + m - 1 a router: their numbers have 32 bits.
const MAX_CHANNELS: u32 = u32::MAX;

/// Sizes as they are written.
type Sizes = (Option<u32>, Option<u32>, Group);

fn take_sizes(table: &mut TableReader<'_, '_>) -> Sizes {
    let k = table.required_u32("k", 1..=4096, "say how many cabinets: `k = 4`");
    let m = table.required_u32("m", 2..=1024, "say how many drawers a cabinet and routers a drawer: `m = 4`");
    (k, m, table.named("group").unwrap_or_default())
}

fn read(mut table: TableReader<'_, '_>) -> Option<SwappedDragonflySpec> {
    let sizes = take_sizes(&mut table);
    let part = parse_embed::take(&mut table, sizes.0, sizes.1);
    let findings = table.finish();
    let network = checked(findings, sizes)?;
    let SwappedDragonflySpec { k, m, group, .. } = network;
    let fits = group == Group::Cyclic || (k.is_power_of_two() && m.is_power_of_two());
    let part =
        if fits { parse_embed::read(findings, SwappedDragonfly::new(k, m, group), part) } else { <_>::default() };
    Some(SwappedDragonflySpec { embed: part.embed, exclude: part.exclude, build: part.build, ..network })
}

fn in_slot_tables(mut table: TableReader<'_, '_>) -> Option<NetworkSpec> {
    let sizes = take_sizes(&mut table);
    let taken = take(&mut table);
    let findings = table.finish();
    let slots = Some(options(findings, taken, &["local", "global"]));
    let network = checked(findings, sizes)?;
    fits(findings, NetworkSpec::SwappedDragonfly(SwappedDragonflySpec { slots, ..network }), "m")
}

/// The network of some sizes, if it can be built.
fn checked(findings: &mut Findings, (k, m, group): Sizes) -> Option<SwappedDragonflySpec> {
    let [k_place, m_place, group_place] =
        ["k", "m", "group"].map(|key| findings.place(&format!("network.{key}")).unwrap_or(0..0));

    if group == Group::Xor {
        for (key, value, place) in [("k", k, &k_place), ("m", m, &m_place)] {
            let Some(value) = value.filter(|v| !v.is_power_of_two()) else { continue };
            let near = (1 << value.ilog2(), 2 << value.ilog2());
            let diagnostic = Diagnostic::new(&findings.source, format!("`{key}` = {value} is no power of two"))
                .at(place.clone(), "")
                .at(group_place.clone(), "which exclusive or needs")
                .help(format!("take {key} = {} or {}, or `group = \"cyclic\"`", near.0, near.1));
            findings.errors.push(diagnostic);
        }
    }
    let (k, m) = (k?, m?);
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
    let build = Build::default();
    Some(SwappedDragonflySpec { k, m, group, embed: Vec::new(), exclude: Vec::new(), build, slots: None })
}
