//! The keys of `[network]` that take a part of it: `embed`, `exclude` and `build`.

use super::diagnostic::Diagnostic;
use super::embed::{EmbedSpec, HostBuild};
use super::table::{Findings, TableReader};
use crate::topology::swapped_dragonfly::survivor;
use crate::topology::swapped_dragonfly::{Group, RouterAddress};
use crate::topology::{Coordinates, SwappedDragonfly};
use std::ops::Range;
use toml::Spanned;
use toml::de::DeTable;

/// Part of a network, not yet checked.
pub(super) struct Part<'i> {
    embed: Vec<Spanned<DeTable<'i>>>,
    exclude: Vec<([u32; 3], Range<usize>)>,
    build: Option<HostBuild>,
}

/// Part of a network.
#[derive(Default)]
pub(super) struct PartSpec {
    pub embed: Vec<EmbedSpec>,
    pub exclude: Vec<[u32; 3]>,
    pub build: HostBuild,
}

/// Takes the keys out of the table of a network of these sizes.
pub(super) fn take<'i>(table: &mut TableReader<'_, 'i>, k: Option<u32>, m: Option<u32>) -> Part<'i> {
    // with a bad size, coordinates are held against the largest there can be
    let exclude = table.routers("exclude", k.unwrap_or(4096), m.unwrap_or(1024));
    Part { embed: table.tables("embed"), exclude, build: table.named("build") }
}

/// Reads and checks a part of the network, and chooses it where the specification leaves the choice.
pub(super) fn read(findings: &mut Findings, host: SwappedDragonfly, part: Part<'_>) -> PartSpec {
    let Part { embed, exclude, build } = part;
    let mut networks: Vec<(EmbedSpec, Range<usize>)> = Vec::new();
    let written = embed.len();
    for table in embed {
        let place = table.span();
        networks.extend(read_network(findings, host, table).map(|network| (network, place)));
    }
    if networks.len() == written {
        agree(findings, &networks);
    }
    for (router, place) in &exclude {
        if networks.iter().any(|(network, _)| network.has(*router)) {
            let message = format!("router {} is excluded, and an embedded network has it", Coordinates(router));
            let help = "leave its cabinet out of `c`, or its drawer or position out of `dp`, or leave `embed` out for \
                        the largest network without it";
            findings.error(place.clone(), "", message, help);
        }
    }
    let mut embed: Vec<EmbedSpec> = networks.into_iter().map(|(network, _)| network).collect();
    let exclude: Vec<[u32; 3]> = exclude.into_iter().map(|(router, _)| router).collect();
    if written == 0 && !exclude.is_empty() {
        embed.extend(choose(findings, host, &exclude));
    }
    let nothing = ["network.embed", "network.exclude"].iter().all(|key| findings.place(key).is_none());
    if let (Some(place), true) = (findings.place("network.build"), nothing) {
        let help = "leave it out, or add `[network.embed]` with `c` and `dp`";
        findings.error(place, "", "`build` says what becomes of an embedded network, and there is none", help);
    }
    PartSpec { embed, exclude, build: build.unwrap_or_default() }
}

fn read_network(findings: &mut Findings, host: SwappedDragonfly, table: Spanned<DeTable<'_>>) -> Option<EmbedSpec> {
    let whole = table.span();
    let mut table = TableReader::new(findings, "network.embed", table);
    let has = |table: &TableReader<'_, '_>, key| table.has(key);
    let missing = ["c", "dp"].into_iter().filter(|key| !has(&table, key)).collect::<Vec<_>>();
    let c = table.numbers("c", 0..=host.k() - 1, 1, "cabinets");
    let dp = table.numbers("dp", 0..=host.m() - 1, 2, "drawers and positions");
    let group = table.named("group");
    for key in missing {
        table.missing(key, &format!("list numbers of the host: `{key} = [0, 1]`"));
    }
    let group_place = table.finish().place("network.embed.group").filter(|_| group.is_some()).unwrap_or(whole);
    let (c, dp, group) = (c?, dp?, group.unwrap_or(host.group()));
    for (key, list) in [("c", &c), ("dp", &dp)] {
        if group == Group::Xor && !list.len().is_power_of_two() {
            let place = findings.place(&format!("network.embed.{key}")).unwrap_or(0..0);
            let diagnostic =
                Diagnostic::new(&findings.source, format!("`{key}` names {}, no power of two", list.len()))
                    .at(place, "")
                    .at(group_place.clone(), "exclusive or needs one")
                    .help("name more or fewer, or write `group = \"cyclic\"` in `[network.embed]`");
            findings.errors.push(diagnostic);
        }
    }
    let [c, dp] = [c, dp].map(|list| list.into_iter().map(|(number, _)| number).collect());
    Some(EmbedSpec { c, dp, group })
}

/// Several networks have one size and arithmetic, since they run the same program, and no router in common.
fn agree(findings: &mut Findings, networks: &[(EmbedSpec, Range<usize>)]) {
    for (i, (network, place)) in networks.iter().enumerate() {
        for (other, other_place) in &networks[..i] {
            let sizes = |n: &EmbedSpec| (n.c.len(), n.dp.len(), n.group);
            let (message, help) = if let Some(RouterAddress { c, d, p }) = network.shared_with(other) {
                let router = Coordinates(&[c, d, p]).to_string();
                let help = "networks that run at once must differ in all cabinets or in all of `dp`";
                (format!("two embedded networks have router {router}"), help)
            } else if sizes(network) != sizes(other) {
                let message = format!(
                    "embedded networks differ: D3({},{}) and D3({},{})",
                    other.c.len(),
                    other.dp.len(),
                    network.c.len(),
                    network.dp.len()
                );
                (message, "all run the same program: give them the same numbers of `c` and of `dp`, and one `group`")
            } else {
                continue;
            };
            let diagnostic = Diagnostic::new(&findings.source, message).at(place.clone(), "");
            findings.errors.push(diagnostic.at(other_place.clone(), "").help(help));
            return;
        }
    }
}

/// The largest network without the excluded routers.
fn choose(findings: &mut Findings, host: SwappedDragonfly, exclude: &[[u32; 3]]) -> Option<EmbedSpec> {
    let routers: Vec<RouterAddress> = exclude.iter().map(|&[c, d, p]| RouterAddress { c, d, p }).collect();
    match survivor::survivor(&host, &routers) {
        Some(found) => Some(EmbedSpec { c: found.cabinets, dp: found.places, group: host.group() }),
        None => {
            let place = findings.place("network.exclude").unwrap_or(0..0);
            let help = "a network needs a cabinet and two drawers none of whose routers is excluded";
            findings.error(place, "", "no network is left without these routers", help);
            None
        }
    }
}
