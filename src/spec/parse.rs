//! From text to [`Spec`]: the keys of each table, their ranges, and what they must agree on.

use super::diagnostic::{Diagnostic, Errors, Source};
use super::parse_collective;
use super::parse_embed;
use super::parse_pops;
use super::parse_traffic;
use super::table::{Choices, Findings, TableReader};
use super::{
    CollectiveSpec, NetworkSpec, Origin, Placement, RouterKind, RouterSpec, ScheduleSpec, Spec, Storage,
    SwappedDragonflySpec,
};
use crate::topology::SwappedDragonfly;
use crate::topology::swapped_dragonfly::Group;
use std::collections::{BTreeMap, BTreeSet};
use toml::Spanned;
use toml::de::DeTable;

/// The most routers that a network may have.
pub const MAX_ROUTERS: u32 = 1 << 20;

/// The most channels, of k + m - 1 a router: their numbers have 32 bits.
const MAX_CHANNELS: u32 = u32::MAX;

/// Most bytes of a text in which all errors of TOML are looked for.
const MAX_RECOVERED: usize = 1 << 20;

#[derive(Clone, Copy)]
enum TopologyName {
    SwappedDragonfly,
    Pops,
}

const TOPOLOGIES: Choices<'static, TopologyName> =
    &[("swapped-dragonfly", TopologyName::SwappedDragonfly), ("pops", TopologyName::Pops)];
const LATER_TOPOLOGIES: &[&str] = &["galaxyfly", "hierarchical-dual-net", "fat-cube", "hypercube", "graph"];
pub(super) const GROUPS: Choices<'static, Group> = &[("cyclic", Group::Cyclic), ("xor", Group::Xor)];
const ROUTERS: Choices<'static, RouterKind> = &[
    (RouterKind::SourceVector.name(), RouterKind::SourceVector),
    (RouterKind::SynchronizingHeader.name(), RouterKind::SynchronizingHeader),
    (RouterKind::PopsCoupler.name(), RouterKind::PopsCoupler),
];
const LATER_ROUTERS: &[&str] = &["slot-table"];
const STORAGES: Choices<'static, Storage> =
    &[("rom", Storage::Rom), ("ram", Storage::Ram), ("counter", Storage::Counter)];
const PLACEMENTS: Choices<'static, Placement> = &[("router", Placement::Router), ("shared", Placement::Shared)];

/// Keys that are easily written into the wrong table, with the right one.
pub(super) const HOMES: &[(&str, &str)] = &[
    ("topology", "network"),
    ("k", "network"),
    ("m", "network"),
    ("group", "network"),
    ("d", "network"),
    ("g", "network"),
    ("embed", "network"),
    ("exclude", "network"),
    ("build", "network"),
    ("payload_bits", "router"),
    ("parity", "router"),
    ("error_log", "router"),
    ("local_stages", "router"),
    ("global_stages", "router"),
    ("crossbar_stages", "router"),
    ("copies", "router"),
    ("software_cycles", "router"),
    ("slot_cycles", "router"),
    ("arbitration", "router"),
    ("queue_depth", "router"),
    ("algorithm", "collective"),
    ("s", "collective"),
    ("pipeline", "collective"),
    ("words", "collective"),
    ("repeat", "collective"),
    ("root", "collective"),
    ("count", "collective"),
    ("op", "collective"),
    ("operator_stages", "collective"),
    ("storage", "schedule"),
    ("program", "schedule"),
    ("rows", "schedule"),
    ("buffers", "schedule"),
    ("time_limit_s", "schedule"),
    ("seed", "schedule"),
];

/// Parses a whole text; on failure, every error in the order of the text.
pub(super) fn parse(source: Source) -> Result<Spec, Vec<Diagnostic>> {
    let text = source.text.clone();
    let document = match DeTable::parse(&text) {
        Ok(document) => document,
        // every error takes memory, so all of them are looked for in a text of a usual length alone
        Err(_) if text.len() <= MAX_RECOVERED => {
            return Err(syntax_errors(&source, &DeTable::parse_recoverable(&text).1));
        }
        Err(first) => return Err(syntax_errors(&source, &[first])),
    };
    if document.get_ref().is_empty() {
        let diagnostic = Diagnostic::new(&source, "the specification is empty").at(0..0, "").help(
            "start with `format = 1` and a `[network]`; `metronoc new swapped-dragonfly -o FILE` writes a starter",
        );
        return Err(vec![diagnostic]);
    }
    let mut findings = Findings { source, errors: Errors::default(), places: BTreeMap::new() };
    let parts = read_document(&mut findings, document);
    let Findings { source, errors, places } = findings;
    match parts {
        Some((network, router, collective, schedule)) if errors.is_empty() => {
            Ok(Spec { format: 1, network, router, collective, schedule, origin: Origin { source, places } })
        }
        _ => Err(errors.into_diagnostics()),
    }
}

/// Errors of TOML itself; what follows on a line that is already wrong is left out.
fn syntax_errors(source: &Source, errors: &[toml::de::Error]) -> Vec<Diagnostic> {
    let (mut diagnostics, mut lines) = (Errors::default(), BTreeSet::new());
    let breaks: Vec<usize> = source.text.match_indices('\n').map(|(at, _)| at).collect();
    let end = source.text.trim_end().len();
    for error in errors {
        let place = error.span().unwrap_or(end..end);
        if !lines.insert(breaks.partition_point(|at| *at < place.start)) {
            continue;
        }
        let (message, help) = match error.message() {
            "duplicate key" => ("this name is given twice", "keep one of the two"),
            message if message.starts_with("string values must be quoted") => match source.text.get(place.clone()) {
                None | Some("") => ("a value is missing", "write one after the `=`"),
                Some(_) => ("a name must be quoted", "put it in double quotes"),
            },
            message => {
                (message, "this is not TOML: write `key = value` lines under `[table]` lines, names in double quotes")
            }
        };
        diagnostics.push(Diagnostic::new(source, message).at(place, "").help(help));
    }
    diagnostics.into_diagnostics()
}

type Parts = (NetworkSpec, RouterSpec, CollectiveSpec, ScheduleSpec);

/// Reads every table, going on after errors; None if the network could not be made out.
fn read_document(findings: &mut Findings, document: Spanned<DeTable<'_>>) -> Option<Parts> {
    let mut top = TableReader::new(findings, "", document);
    top.one_of("format", &[1]);
    let network = top.table("network");
    let is_pops = |table: &Spanned<DeTable<'_>>| {
        table.get_ref().get("topology").is_some_and(|name| name.get_ref().as_str() == Some("pops"))
    };
    let pops = network.as_ref().is_some_and(is_pops);
    let [router, collective, schedule] = ["router", "collective", "schedule"].map(|key| top.table(key));
    let findings = top.finish(HOMES);
    let blank = || Spanned::new(0..0, DeTable::new());

    if findings.place("format").is_none() {
        TableReader::new(findings, "", blank()).missing("format", "begin the file with `format = 1`");
    }
    let mut router = read_router(findings, router.unwrap_or_else(blank));
    let collective = parse_collective::read(findings, collective.unwrap_or_else(blank));
    check_router(findings, &mut router, &collective, pops);
    check_copies(findings, &router, &collective);
    check_crossbar(findings, &router, &collective, pops);
    parse_traffic::check_router(findings, &router, &collective, pops);
    let schedule = read_schedule(findings, schedule.unwrap_or_else(blank));
    if !pops {
        check_rows(findings, &schedule, &collective);
        parse_pops::elsewhere(findings);
    }
    let network = match network {
        Some(table) => read_network(findings, table)?,
        None => {
            if findings.place("network").is_none() {
                let help = "add a table `[network]` with `topology = \"swapped-dragonfly\"`, `k` and `m`";
                TableReader::new(findings, "", blank()).missing("network", help);
            }
            return None;
        }
    };
    parse_collective::check(findings, &network, &router, &collective);
    Some((network, router, collective, schedule))
}

fn read_network(findings: &mut Findings, table: Spanned<DeTable<'_>>) -> Option<NetworkSpec> {
    let written = table.get_ref().contains_key("topology");
    let mut table = TableReader::new(findings, "network", table);
    match table.choice("topology", TOPOLOGIES, LATER_TOPOLOGIES) {
        Some(TopologyName::SwappedDragonfly) => read_swapped_dragonfly(table).map(NetworkSpec::SwappedDragonfly),
        Some(TopologyName::Pops) => parse_pops::network(table).map(NetworkSpec::Pops),
        None => {
            // Which other keys belong here depends on the topology, so they are not looked at.
            if !written {
                table.missing("topology", "write `topology = \"swapped-dragonfly\"`");
            }
            None
        }
    }
}

fn read_swapped_dragonfly(mut table: TableReader<'_, '_>) -> Option<SwappedDragonflySpec> {
    let k = table.required_u32("k", 1..=4096, "say how many cabinets: `k = 4`");
    let m = table.required_u32("m", 2..=1024, "say how many drawers a cabinet and routers a drawer: `m = 4`");
    let group = table.choice("group", GROUPS, &[]).unwrap_or_default();
    let part = parse_embed::take(&mut table, k, m);
    let findings = table.finish(HOMES);
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
    let fits = group == Group::Cyclic || (k.is_power_of_two() && m.is_power_of_two());
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

fn read_router(findings: &mut Findings, table: Spanned<DeTable<'_>>) -> RouterSpec {
    let mut table = TableReader::new(findings, "router", table);
    let default = RouterSpec::default();
    let router = RouterSpec {
        kind: table.choice("kind", ROUTERS, LATER_ROUTERS).unwrap_or(default.kind),
        payload_bits: table.one_of("payload_bits", &[8, 16, 32, 64]).unwrap_or(default.payload_bits),
        parity: table.boolean("parity").unwrap_or(default.parity),
        error_log: table.boolean("error_log").unwrap_or(default.error_log),
        local_stages: table.u32("local_stages", 1..=16).unwrap_or(default.local_stages),
        global_stages: table.u32("global_stages", 1..=16).unwrap_or(default.global_stages),
        crossbar_stages: table.u32("crossbar_stages", 1..=3),
        copies: table.boolean("copies").unwrap_or(default.copies),
        software_cycles: table.u32("software_cycles", 1..=1024),
        slot_cycles: table.u32("slot_cycles", 1..=16).unwrap_or(default.slot_cycles),
        arbitration: table.choice("arbitration", parse_traffic::ARBITRATIONS, &[]),
        queue_depth: table.u32("queue_depth", 1..=64),
    };
    table.finish_if_known("kind", HOMES);
    router
}

fn read_schedule(findings: &mut Findings, table: Spanned<DeTable<'_>>) -> ScheduleSpec {
    let mut table = TableReader::new(findings, "schedule", table);
    let default = ScheduleSpec::default();
    let schedule = ScheduleSpec {
        storage: table.choice("storage", STORAGES, &[]).unwrap_or(default.storage),
        program: table.choice("program", PLACEMENTS, &[]).unwrap_or(default.program),
        rows: table.u32("rows", 1..=MAX_ROUTERS),
        buffers: table.u32("buffers", 1..=4096),
        time_limit_s: table.u32("time_limit_s", 1..=86400).unwrap_or(default.time_limit_s),
        seed: table.integer("seed", 0..=i64::MAX as u64).unwrap_or(default.seed),
    };
    table.finish(HOMES);
    schedule
}

/// Tables have rows only where there are tables of an all-to-all.
fn check_rows(findings: &mut Findings, schedule: &ScheduleSpec, collective: &CollectiveSpec) {
    let Some(place) = findings.place("schedule.rows") else { return };
    let (bad, other) = match collective {
        CollectiveSpec::AllToAll(_) if schedule.storage == Storage::Counter => {
            ("schedule.storage", "counters have no rows")
        }
        CollectiveSpec::AllToAll(_) => return,
        _ => ("collective.kind", "only programs of all-to-all have rows"),
    };
    let mut diagnostic = Diagnostic::new(&findings.source, other).at(place, "");
    if let Some(place) = findings.place(bad) {
        diagnostic = diagnostic.at(place, "");
    }
    findings.errors.push(diagnostic.help("leave `rows` out"));
}

/// The router family is the one that the collective needs; if it is written down, it must be that one.
fn check_router(findings: &mut Findings, router: &mut RouterSpec, collective: &CollectiveSpec, pops: bool) {
    let needed = match collective {
        _ if pops => RouterKind::PopsCoupler,
        CollectiveSpec::AllToAll(_) => RouterKind::SourceVector,
        _ => RouterKind::SynchronizingHeader,
    };
    let written = findings.place("router.kind").filter(|_| !findings.is_bad("router.kind"));
    if let (Some(place), true) = (written, router.kind != needed) {
        let (kind, needed) = (if pops { "POPS" } else { collective.kind() }, needed.name());
        let message = format!("{kind} does not run on {} routers", router.kind.name());
        let mut diagnostic = Diagnostic::new(&findings.source, message).at(place, "");
        if let Some(place) = findings.place("collective.kind") {
            diagnostic = diagnostic.at(place, "");
        }
        let help = format!("write `kind = \"{needed}\"` in `[router]`, or leave it out");
        findings.errors.push(diagnostic.help(help));
    }
    router.kind = needed;
}

/// A crossbar is part of a hop, and not everything has one.
fn check_crossbar(findings: &mut Findings, router: &RouterSpec, collective: &CollectiveSpec, pops: bool) {
    let (Some(place), Some(stages)) = (findings.place("router.crossbar_stages"), router.crossbar_stages) else {
        return;
    };
    let exchange = matches!(
        collective,
        CollectiveSpec::AllReduce(_) | CollectiveSpec::PrefixScan(_) | CollectiveSpec::BitonicSort(_)
    );
    if pops || exchange {
        let who = if pops { "POPS" } else { collective.kind() };
        findings.error(place, "", format!("{who} has no crossbar"), "leave `crossbar_stages` out");
        return;
    }
    let hops = [("local_stages", router.local_stages), ("global_stages", router.global_stages)];
    let shortest = router.local_stages.min(router.global_stages);
    if stages <= shortest {
        return;
    }
    let message = format!("a hop of {shortest} cycles has no room for {stages} registers in the crossbar");
    let mut diagnostic = Diagnostic::new(&findings.source, message).at(place, "");
    for (key, _) in hops.iter().filter(|(_, cycles)| *cycles < stages) {
        if let Some(place) = findings.place(&format!("router.{key}")) {
            diagnostic = diagnostic.at(place, "");
        }
    }
    let help = format!(
        "raise `local_stages` and `global_stages` to {stages} or more, or take `crossbar_stages` of at most {shortest}"
    );
    findings.errors.push(diagnostic.help(help));
}

/// Endpoints copy in broadcasts alone, and take time for it only where routers do not.
fn check_copies(findings: &mut Findings, router: &RouterSpec, collective: &CollectiveSpec) {
    if findings.is_bad("router.copies") || findings.is_bad("collective.kind") {
        return;
    }
    let broadcast = matches!(collective, CollectiveSpec::Broadcast(_));
    if let (Some(place), false, false) = (findings.place("router.copies"), router.copies, broadcast) {
        let message = format!("{} has no form for routers that do not copy: only a broadcast has", collective.kind());
        let mut diagnostic = Diagnostic::new(&findings.source, message).at(place, "");
        if let Some(place) = findings.place("collective.kind") {
            diagnostic = diagnostic.at(place, "");
        }
        findings.errors.push(diagnostic.help("leave `copies` out"));
    }
    if let (Some(place), true) = (findings.place("router.software_cycles"), router.copies) {
        let message = "`software_cycles` is the time of endpoints that copy, and here routers do";
        let mut diagnostic = Diagnostic::new(&findings.source, message).at(place, "");
        if let Some(place) = findings.place("router.copies") {
            diagnostic = diagnostic.at(place, "");
        }
        let help = match broadcast {
            true => "write `copies = false` in `[router]`, or leave `software_cycles` out",
            false => "leave `software_cycles` out",
        };
        findings.errors.push(diagnostic.help(help));
    }
}
