//! Parser of a specification: TOML text becomes a [`Spec`]. It checks the keys of each table, their ranges, and the
//! rules between them.

use super::diagnostic::{Diagnostic, Errors, Source};
use super::kind::{Kind, TopologyKind};
use super::registry::{all_kinds, default_kind, default_topology, kind_of, kinds, topologies};
use super::shared::MAX_ROUTERS;
use super::table::{Findings, TableReader};
use super::{CollectiveSpec, EndpointSpec, NetworkSpec, RouterSpec, ScheduleSpec};
use super::{parse_endpoint, parse_slot_table, sequence};
use std::collections::{BTreeMap, BTreeSet};
use toml::Spanned;
use toml::de::DeTable;

/// Most bytes of a text in which all errors of TOML are looked for.
const MAX_RECOVERED: usize = 1 << 20;

/// Keys of tables that every specification has, with these tables; those of `[network]` and `[collective]` are in the registries.
const HOMES: [(&str, &[&str]); 3] = [
    (
        "router",
        &[
            "payload_bits",
            "parity",
            "error_log",
            "local_stages",
            "global_stages",
            "crossbar_stages",
            "copies",
            "software_cycles",
            "slot_cycles",
            "arbitration",
            "queue_depth",
        ],
    ),
    ("schedule", &["storage", "program", "rows", "buffers", "time_limit_s", "seed"]),
    ("endpoint", parse_endpoint::KEYS),
];

/// Keys that are easily written into the wrong table, with the right one.
fn homes() -> Vec<(&'static str, &'static str)> {
    let of = |table: &'static str, keys: &'static [&'static str]| keys.iter().map(move |key| (*key, table));
    let topologies = topologies().flat_map(|topology| topology.keys()).map(|key| (key, "network"));
    let kinds = all_kinds().flat_map(|kind| of("collective", kind.keys));
    let tables = HOMES.iter().flat_map(|(table, keys)| of(table, keys));
    of("network", &["topology"]).chain(topologies).chain(kinds).chain(tables).collect()
}

/// Parses a whole text; on failure, every error in the order of the text.
pub(super) fn parse(source: Source) -> Result<(Parts, Findings), Vec<Diagnostic>> {
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
    let mut findings = Findings { source, errors: Errors::default(), places: BTreeMap::new(), homes: homes() };
    match read_document(&mut findings, document) {
        Some(parts) if findings.errors.is_empty() => Ok((parts, findings)),
        _ => Err(findings.errors.into_diagnostics()),
    }
}

/// Errors of the TOML syntax, the first of each line.
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

/// Tables of a specification.
pub(super) type Parts = (NetworkSpec, RouterSpec, CollectiveSpec, ScheduleSpec, EndpointSpec);

/// Reads every table, going on after errors; None if the network could not be made out.
fn read_document(findings: &mut Findings, document: Spanned<DeTable<'_>>) -> Option<Parts> {
    let mut top = TableReader::new(findings, "", document);
    top.one_of("format", &[1]);
    let network = top.table("network");
    let name = network.as_ref().and_then(|table| table.get_ref().get("topology")?.get_ref().as_str());
    let topology = name.and_then(|name| topologies().find(|topology| topology.name == name));
    let topology = topology.map(|topology| topology.as_written(&top, network.as_ref(), &kinds()));
    let router = top.table("router");
    let general = topology.is_some_and(|topology| topology.is_general());
    let mut collectives = sequence::tables(&mut top, topology.as_ref().filter(|_| !general));
    let schedule = top.table("schedule");
    let endpoint = top.table("endpoint");
    let findings = top.finish();
    let blank = || Spanned::new(0..0, DeTable::new());

    if findings.place("format").is_none() {
        TableReader::new(findings, "", blank()).missing("format", "begin the file with `format = 1`");
    }
    let mut router = read_router(findings, router.unwrap_or_else(blank));
    if collectives.is_empty() {
        collectives.push(blank());
    }
    let collectives =
        sequence::read(findings, collectives, |findings, table| read_collective(findings, table, general));
    let kind = collectives.first().map_or_else(default_kind, kind_of);
    let kind = &kind;
    check_router(findings, &mut router, kind, topology.as_ref());
    check_copies(findings, &router, kind);
    let schedule = read_schedule(findings, schedule.unwrap_or_else(blank), general);
    let check = topology.unwrap_or_else(default_topology).check;
    check(findings, &router, &schedule, kind);
    let endpoint = parse_endpoint::read(findings, endpoint.unwrap_or_else(blank));
    parse_endpoint::check(findings, &endpoint, &router, &schedule);
    let network = match network {
        Some(table) => read_network(findings, table, topology)?,
        None => {
            if findings.place("network").is_none() {
                let help = "add a table `[network]` with `topology = \"swapped-dragonfly\"`, `k` and `m`";
                TableReader::new(findings, "", blank()).missing("network", help);
            }
            return None;
        }
    };
    sequence::check_each(findings, &network, &router, &collectives);
    parse_slot_table::check_routers(findings, &network, &router, &schedule);
    Some((network, router, sequence::joined(collectives)?, schedule, endpoint))
}

fn read_network(
    findings: &mut Findings,
    table: Spanned<DeTable<'_>>,
    known: Option<TopologyKind>,
) -> Option<NetworkSpec> {
    let written = table.get_ref().contains_key("topology");
    let mut table = TableReader::new(findings, "network", table);
    let topologies: Vec<_> = topologies().map(|topology| (topology.name, topology)).collect();
    match table.choice("topology", &topologies) {
        Some(topology) => known.unwrap_or(topology).read(table),
        None => {
            // Which other keys belong here depends on the topology, so they are not looked at.
            if !written {
                table.missing("topology", "write `topology = \"swapped-dragonfly\"`");
            }
            None
        }
    }
}

/// Reads the table, `general` if the topology runs in slot tables; a bad kind is taken for the first, whose keys are then not looked at.
fn read_collective(findings: &mut Findings, table: Spanned<DeTable<'_>>, general: bool) -> CollectiveSpec {
    let mut table = TableReader::new(findings, "collective", table);
    let kind = table.choice("kind", &kinds()).unwrap_or_else(default_kind);
    kind.read(table, general)
}

fn read_router(findings: &mut Findings, table: Spanned<DeTable<'_>>) -> RouterSpec {
    let mut table = TableReader::new(findings, "router", table);
    let default = RouterSpec::default();
    let router = RouterSpec {
        kind: table.named("kind").unwrap_or(default.kind),
        payload_bits: table.one_of("payload_bits", &[8, 16, 32, 64]).unwrap_or(default.payload_bits),
        parity: table.boolean("parity").unwrap_or(default.parity),
        error_log: table.boolean("error_log").unwrap_or(default.error_log),
        local_stages: table.u32("local_stages", 1..=16).unwrap_or(default.local_stages),
        global_stages: table.u32("global_stages", 1..=16).unwrap_or(default.global_stages),
        crossbar_stages: table.u32("crossbar_stages", 1..=3),
        crosspoints: table.named("crosspoints").unwrap_or(default.crosspoints),
        copies: table.boolean("copies").unwrap_or(default.copies),
        software_cycles: table.u32("software_cycles", 1..=1024),
        slot_cycles: table.u32("slot_cycles", 1..=16).unwrap_or(default.slot_cycles),
        arbitration: table.named("arbitration"),
        queue_depth: table.u32("queue_depth", 1..=64),
    };
    table.finish_if_known("kind");
    router
}

/// Reads the table, `general` if the topology runs in slot tables.
fn read_schedule(findings: &mut Findings, table: Spanned<DeTable<'_>>, general: bool) -> ScheduleSpec {
    let mut table = TableReader::new(findings, "schedule", table);
    let default = if general { ScheduleSpec::of_slot_tables() } else { ScheduleSpec::default() };
    let schedule = ScheduleSpec {
        storage: table.named("storage").unwrap_or(default.storage),
        program: table.named("program").unwrap_or(default.program),
        rows: table.u32("rows", 1..=MAX_ROUTERS),
        buffers: table.u32("buffers", 1..=4096),
        time_limit_s: table.u32("time_limit_s", 1..=86400).unwrap_or(default.time_limit_s),
        seed: table.integer("seed", 0..=i64::MAX as u64).unwrap_or(default.seed),
    };
    table.finish();
    schedule
}

/// The router family is the one that the collective needs; if it is written down, it must be that one.
fn check_router(findings: &mut Findings, router: &mut RouterSpec, kind: &Kind, topology: Option<&TopologyKind>) {
    let family = topology.and_then(|topology| topology.router);
    let needed = family.unwrap_or(kind.router);
    let written = findings.place("router.kind").filter(|_| !findings.is_bad("router.kind"));
    if router.kind.is_slot_table() && kind.scheduled {
        return;
    }
    if let (Some(place), true) = (written, router.kind != needed) {
        let who = topology.filter(|topology| topology.router.is_some()).map_or(kind.name, |topology| topology.who);
        let needed = needed.name();
        let message = format!("{who} does not run on {} routers", router.kind.name());
        let mut diagnostic = Diagnostic::new(&findings.source, message).at(place, "");
        if let Some(place) = findings.place("collective.kind") {
            diagnostic = diagnostic.at(place, "");
        }
        let help = format!("write `kind = \"{needed}\"` in `[router]`, or leave it out");
        findings.errors.push(diagnostic.help(help));
    }
    router.kind = needed;
}

/// Endpoints copy in broadcasts alone, and take time for it only where routers do not.
fn check_copies(findings: &mut Findings, router: &RouterSpec, kind: &Kind) {
    if findings.is_bad("router.copies") || findings.is_bad("collective.kind") {
        return;
    }
    if let (Some(place), false, false) = (findings.place("router.copies"), router.copies, kind.uncopied) {
        let message = format!("{} has no form for routers that do not copy: only a broadcast has", kind.name);
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
        let help = match kind.uncopied {
            true => "write `copies = false` in `[router]`, or leave `software_cycles` out",
            false => "leave `software_cycles` out",
        };
        findings.errors.push(diagnostic.help(help));
    }
}
