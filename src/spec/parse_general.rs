//! Keys of networks that run in slot tables: the sizes of a topology, and those that all of them have.

use super::NetworkSpec;
use super::diagnostic::Diagnostic;
use super::general::{GeneralNetwork, LatencySpec, MAX_CHANNELS, MAX_LENGTHS, MAX_NODES, NetworkOptions};
use super::table::{Findings, TableReader};
use crate::topology::Topology;
use crate::topology::kind::{Class, Key, Kind, Options, Shape, Sizes};
use serde_json::{Value, json};
use std::ops::RangeInclusive;
use toml::Spanned;
use toml::de::DeTable;

/// Clock cycles of a hop.
const CYCLES: RangeInclusive<u32> = 1..=255;

/// A value as it was read: it is there, or left out, or a table that is still to be read with the table's dotted name.
enum Read<'i> {
    Value(Value),
    LeftOut,
    Table(&'static str, Spanned<DeTable<'i>>),
}

/// Reads the table of a topology; None if it is bad and reported.
pub(super) fn network(kind: &'static Kind, mut table: TableReader<'_, '_>) -> Option<NetworkSpec> {
    let values: Vec<_> = kind.keys.iter().map(|key| size(&mut table, key)).collect();
    let (mut options, latency) = take(&mut table, kind.options);
    let findings = table.finish();
    let mut sizes = Some(Sizes::new());
    for (key, value) in kind.keys.iter().zip(values) {
        let value = match value {
            Some(Read::Value(value)) => Some(value),
            Some(Read::Table(prefix, table)) => file_in(findings, prefix, table),
            Some(Read::LeftOut) => continue,
            None => None,
        };
        match (value, &mut sizes) {
            (Some(value), Some(sizes)) => drop(sizes.insert(key.name.to_owned(), value)),
            _ => sizes = None,
        }
    }
    if let Some(table) = latency {
        options.latency = latencies(findings, table, kind.classes);
    }
    let mut sizes = sizes?;
    count_latencies(findings, &options.latency, &sizes);
    if !settled(findings, kind, &mut sizes) {
        return None;
    }
    fits(findings, GeneralNetwork { kind, sizes, options })
}

/// Reads sizes that are numbers or names; those that are bad are reported and left out.
pub(super) fn plain_sizes(table: &mut TableReader<'_, '_>, kind: &Kind) -> Sizes {
    let read = |key: &Key| match size(table, key) {
        Some(Read::Value(value)) => Some((key.name.to_owned(), value)),
        _ => None,
    };
    kind.keys.iter().filter_map(read).collect()
}

/// True if sizes fit each other; reports those that do not.
pub(super) fn settled(findings: &mut Findings, kind: &Kind, sizes: &mut Sizes) -> bool {
    let unfits = (kind.settle)(sizes);
    let settled = unfits.is_empty();
    for unfit in unfits {
        let mut diagnostic = Diagnostic::new(&findings.source, unfit.message);
        for key in unfit.keys {
            diagnostic = diagnostic.at(findings.place(&format!("network.{key}")).unwrap_or(0..0), "");
        }
        findings.errors.push(diagnostic.help(unfit.help));
    }
    settled
}

/// Reads a size; None if it is bad, or missing, and reported.
fn size<'i>(table: &mut TableReader<'_, 'i>, key: &Key) -> Option<Read<'i>> {
    let name = key.name;
    let there = table.has(name);
    if !there && !key.missing.is_empty() {
        table.missing(name, key.missing);
    }
    let value = match key.shape {
        Shape::Number { least, most } => table.u32(name, least..=most).map(Value::from),
        Shape::Lengths => lengths(table, key),
        Shape::Choice { file, .. } if !file.is_empty() && table.is_table(name) => {
            return table.table(name).map(|inner| Read::Table(file, inner));
        }
        Shape::Choice { names, .. } => {
            let choices: Vec<(&str, &str)> = names.iter().map(|&name| (name, name)).collect();
            let chosen = table.choice(name, &choices);
            Some(chosen.filter(|_| there).unwrap_or(names[0]).into())
        }
        Shape::Texts { most, .. } => texts(table, key, most),
        Shape::Lists { most, lists } => lists_of(table, key, most, lists),
        Shape::File => table.text(name).map(Value::from),
    };
    match value {
        Some(value) => Some(Read::Value(value)),
        None if !there && key.missing.is_empty() => Some(Read::LeftOut),
        None => None,
    }
}

fn lengths(table: &mut TableReader<'_, '_>, key: &Key) -> Option<Value> {
    let lengths = table.list(key.name, MAX_NODES);
    let error = match lengths.as_slice() {
        [] => return None,
        _ if lengths.contains(&0) => ("a dimension has no length".to_owned(), key.missing),
        _ if lengths.len() > MAX_LENGTHS => (format!("there are more than {MAX_LENGTHS} dimensions"), "take fewer"),
        _ => return Some(lengths.into()),
    };
    let place = table.findings.place(&table.field(key.name)).unwrap_or(0..0);
    table.findings.error(place, "", error.0, error.1);
    None
}

fn texts(table: &mut TableReader<'_, '_>, key: &Key, most: usize) -> Option<Value> {
    let example = key.example.split('"').nth(1).unwrap_or_default();
    let texts = table.texts(key.name, example)?;
    let field = table.field(key.name);
    if texts.is_empty() || texts.len() > most {
        let place = table.findings.place(&field).unwrap_or(0..0);
        let message = format!("`{field}` has {} names", texts.len());
        table.findings.error(place, "", message, format!("write 1 to {most}: `{} = {}`", key.name, key.example));
        return None;
    }
    let places = texts.iter().enumerate().map(|(i, (_, place))| (format!("{field}.{i}"), place.clone()));
    table.findings.places.extend(places);
    Some(texts.into_iter().map(|(text, _)| text).collect::<Vec<_>>().into())
}

fn lists_of(table: &mut TableReader<'_, '_>, key: &Key, most: u32, count: usize) -> Option<Value> {
    let lists = table.lists(key.name, most)?;
    let field = table.field(key.name);
    if lists.len() > count {
        let place = table.findings.place(&field).unwrap_or(0..0);
        table.findings.error(place, "", format!("there are more than {count} {}", key.name), "take fewer");
        return None;
    }
    let places = lists.iter().enumerate().map(|(i, (_, place))| (format!("{field}.{i}"), place.clone()));
    table.findings.places.extend(places);
    Some(lists.into_iter().map(|(list, _)| Value::from(list)).collect::<Vec<_>>().into())
}

/// Reads a table that names a file in place of a name.
fn file_in(findings: &mut Findings, prefix: &'static str, table: Spanned<DeTable<'_>>) -> Option<Value> {
    let mut table = TableReader::new(findings, prefix, table);
    if !table.has("file") {
        let key = prefix.rsplit('.').next().unwrap_or(prefix);
        table.missing("file", &format!("name a file beside the specification: `{key} = {{ file = \"{key}.csv\" }}`"));
    }
    let file = table.text("file");
    table.finish();
    Some(json!({ "file": file? }))
}

/// Takes the keys that all topologies have, and the table of latencies, which is still to be read.
fn take<'i>(table: &mut TableReader<'_, 'i>, keys: Options) -> (NetworkOptions, Option<Spanned<DeTable<'i>>>) {
    let (mut options, mut by_class) = (NetworkOptions::default(), None);
    if keys == Options::All {
        options.ports = table.named("ports").unwrap_or_default();
        match table.is_number("latency") {
            true => options.latency.all = table.u32("latency", CYCLES),
            false => by_class = table.table("latency"),
        }
    }
    let nodes = table.numbers("exclude_nodes", 0..=MAX_NODES - 1, 0, "nodes").unwrap_or_default();
    options.exclude_nodes = nodes.into_iter().map(|(node, _)| node).collect();
    options.exclude_channels = table.pairs("exclude_channels", MAX_NODES - 1);
    (options, by_class)
}

/// Reads `[network.latency]` of a topology with these classes of channels.
fn latencies(findings: &mut Findings, table: Spanned<DeTable<'_>>, classes: &[Class]) -> LatencySpec {
    let mut table = TableReader::new(findings, "network.latency", table);
    let has = |class| classes.contains(&class);
    let latency = LatencySpec {
        all: table.u32("all", CYCLES),
        dims: if has(Class::Dims) { table.list("dims", *CYCLES.end()) } else { Vec::new() },
        local: has(Class::Local).then(|| table.u32("local", CYCLES)).flatten(),
        global: has(Class::Global).then(|| table.u32("global", CYCLES)).flatten(),
        levels: if has(Class::Levels) { table.list("levels", *CYCLES.end()) } else { Vec::new() },
        file: table.text("file"),
    };
    table.finish();
    latency
}

/// Checks latencies by dimension and by level.
fn count_latencies(findings: &mut Findings, latency: &LatencySpec, sizes: &Sizes) {
    for (key, cycles, what, one) in
        [("dims", &latency.dims, "dimensions", "dimension"), ("levels", &latency.levels, "levels", "level")]
    {
        let field = format!("network.latency.{key}");
        let Some(place) = findings.place(&field).filter(|_| !findings.is_bad(&field)) else { continue };
        let count = sizes.get(key).and_then(Value::as_array).map_or(0, Vec::len);
        if cycles.len() != count || cycles.contains(&0) {
            let message = format!("latencies of {} {what}, and there are {count}", cycles.len());
            let message = if cycles.contains(&0) { "a hop takes at least one cycle".to_owned() } else { message };
            let help = format!("write 1 to 255 cycles for each {one}, in the order of `network.{key}`");
            findings.error(place, "", message, help);
        }
    }
}

/// Network, if it can be built and the nodes and channels that it excludes exist. Channels that a file lists are checked when it is read.
fn fits(findings: &mut Findings, network: GeneralNetwork) -> Option<NetworkSpec> {
    let kind = network.kind;
    if kind.file.is_some_and(|file| file.alone) {
        return Some(NetworkSpec::General(network));
    }
    let place = |findings: &Findings, field: &str| findings.place(field).unwrap_or(0..0);
    let channels = |net: &dyn Topology| (0..net.nodes()).map(|node| net.ports_of(node.into())).sum::<usize>();
    let too_large = |net: &dyn Topology| net.nodes() > MAX_NODES as usize || channels(net) > MAX_CHANNELS as usize;
    let Some(net) = (kind.build)(&network.numbers()).filter(|net| !too_large(net.as_ref())) else {
        let at = place(findings, &format!("network.{}", kind.size));
        let help = format!("take sizes with at most {MAX_NODES} nodes and {MAX_CHANNELS} channels");
        findings.error(at, "", "the network is too large", help);
        return None;
    };
    let mut options = network.options.clone();
    if network.file().is_some() {
        options.exclude_channels.clear();
    }
    for (field, message, help) in options.misfits(net.as_ref()) {
        let place = place(findings, field);
        findings.error(place, "", message, help);
    }
    Some(NetworkSpec::General(network))
}

/// Keys of routers that slot tables of these networks have no use for.
pub(super) fn elsewhere(findings: &mut Findings) {
    let hops = ("a hop takes the cycles that `network.latency` says", "leave it out, and write `[network.latency]`");
    let keys = [
        ("router.local_stages", hops),
        ("router.global_stages", hops),
        ("router.copies", ("slot tables copy where the schedule does", "leave it out")),
        ("router.software_cycles", ("slot tables copy where the schedule does", "leave it out")),
    ];
    for (key, (message, help)) in keys {
        let Some(place) = findings.place(key).filter(|_| !findings.is_bad(key)) else { continue };
        findings.error(place, "", message, help);
    }
}
