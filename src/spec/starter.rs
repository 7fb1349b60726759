//! Commented specifications to start from, one for a topology and a collective.

use super::kind::{Kind, SizeKeys};
use super::registry::{all_kinds, default_kind, topologies};
use crate::collective::general as collective;
use crate::topology::kind::{Class, Key, Options, Shape, Sizes};
use crate::topology::{self, Topology};

/// Name of the file of the JSON schema, beside a starter.
pub const SCHEMA_FILE: &str = "metronoc-spec.schema.json";

/// The topologies that have a starter: all of this version.
pub fn names() -> impl Iterator<Item = &'static str> {
    topologies().map(|topology| topology.name)
}

/// Names of the collectives that run on a topology.
pub fn collectives(topology: &str) -> Vec<&'static str> {
    all_kinds().map(|kind| kind.name).filter(|name| starter(topology, Some(name)).is_some()).collect()
}

/// The starter of a topology, with its own collective or the one of a name; none if that does not run there.
pub fn starter(topology: &str, collective: Option<&str>) -> Option<String> {
    let topology = topologies().find(|known| known.name == topology)?;
    let kind = match collective {
        Some(name) => Some(all_kinds().find(|kind| kind.name == name)?),
        None => None,
    };
    let text = match (topology.sizes, kind) {
        (SizeKeys::General(network), kind) => {
            let kind = kind.unwrap_or_else(default_kind).general?;
            if !network.combines && kind.parts.contains(&collective::Part::Operator) {
                return None;
            }
            general(network, kind, "")
        }
        (SizeKeys::Own { starter, .. }, None) => starter.to_owned(),
        (SizeKeys::Own { starter, in_slot_tables, .. }, Some(kind)) => {
            match kind.runs_on.iter().any(|(name, _)| *name == topology.name) {
                true if starter.contains(&format!("\nkind = \"{}\"", kind.name)) => starter.to_owned(),
                true => own(starter, &kind),
                false => general(in_slot_tables?.kind, kind.general?, SLOT_TABLES),
            }
        }
    };
    Some(format!("#:schema {SCHEMA_FILE}\n{text}"))
}

/// Starter of a network with a router family of its own, with another collective than the one it is written for.
fn own(starter: &str, kind: &Kind) -> String {
    let (mut keys, mut elsewhere) = (Vec::new(), Vec::new());
    for line in kind.starter.lines() {
        match line.trim_start_matches("- ").split_once('.') {
            Some((table, rest)) if table.bytes().all(|byte| byte.is_ascii_lowercase()) => {
                elsewhere.push((table, rest, !line.starts_with("- ")));
            }
            _ => keys.push(line),
        }
    }
    let key_of = |line: &str| line.split(" =").next().unwrap_or_default().to_owned();
    let network = starter.lines().next().and_then(|line| line.split_once(" on the")).map_or("", |(_, network)| network);
    let (mut out, mut table) = (vec![format!("# {} on the{network}", title(kind.name))], "");
    for line in starter.lines().skip(1) {
        let key = key_of(line);
        let replaced =
            elsewhere.iter().find(|(other, rest, _)| *other == table && !key.is_empty() && key_of(rest) == key);
        if line.starts_with('[') {
            table = line.trim_matches(['[', ']']);
            out.push(line.to_owned());
            if table == "collective" {
                out.push(format!("kind = \"{}\"", kind.name));
                out.extend(keys.iter().map(|&key| key.to_owned()));
            }
            // keys that the starter does not have
            let has = |rest: &str| starter.lines().any(|line| key_of(line) == key_of(rest));
            out.extend(
                elsewhere
                    .iter()
                    .filter(|(other, rest, _)| *other == table && !has(rest))
                    .map(|(_, rest, _)| (*rest).to_owned()),
            );
        } else if let Some((_, rest, stays)) = replaced {
            out.extend(stays.then(|| (*rest).to_owned()));
        } else if table == "router" && key == "kind" {
            out.push(format!("kind = \"{}\"", kind.router.name()));
        } else if table != "collective" || line.is_empty() {
            out.push(line.to_owned());
        }
    }
    out.join("\n") + "\n"
}

/// Name of a collective at the beginning of a sentence.
fn title(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

/// Lines of `[collective]` of a collective in slot tables.
fn collective(kind: &collective::Kind) -> String {
    let words = match kind.words {
        "words" => "words = 1                   # words of payload_bits a block: 1 to 65536",
        _ => "count = 1                   # words: 1 to 2^20",
    };
    let kind_line = format!("kind = \"{}\"", kind.name);
    let algorithm = "algorithm = \"best\"          # the fewest cycles of all algorithms";
    let parts = kind.parts.iter().map(|part| part.starter());
    [kind_line.as_str(), algorithm].into_iter().chain(parts).chain([words]).collect::<Vec<_>>().join("\n")
}

/// Lines before `[network]` of a topology that runs in slot tables, behind its name.
const HEAD: &str = ", in slot tables.
#
#   metronoc check FILE       schedules it, checks the schedule and compares it with the bounds
#   metronoc schedule FILE    prints the schedule
#   metronoc cosim FILE --random    runs it in hardware, beside a model
#
# Lines that begin with `#:` are keys without a default.

format = 1

[network]
";

/// Line of `[router]` where the topology has another router family, too.
const SLOT_TABLES: &str = "kind = \"slot-table\"         # for a collective without an algorithm of its own\n";

/// Lines of `[router]`.
const ROUTER: &str = r#"payload_bits = 32           # of a word: 8, 16, 32 or 64
parity = false              # true: a parity bit travels with every word and is checked on arrival
error_log = true            # false: sticky error bits alone, without the place of the fault
"#;

/// Table behind `[collective]`.
const TAIL: &str = r#"
[schedule]
time_limit_s = 2            # effort of searches, in seconds: 1 to 86400
seed = 0                    # seed of every random choice
"#;

/// Starter of a topology that runs in slot tables, with a collective; `router` are more lines of `[router]`.
fn general(kind: &topology::Kind, with: &collective::Kind, router: &str) -> String {
    let sizes = sizes(kind);
    let mut lines = vec![format!("topology = \"{}\"", kind.name)];
    let mut line = |key: String, comment: &str| lines.push(format!("{key:<27} # {comment}"));
    for key in kind.keys {
        line(format!("{} = {}", key.name, example(key)), &comment(key));
    }
    if kind.options == Options::All {
        let ports = "channels of a node in one cycle: \"all\", or \"one\" that sends and one that receives";
        line("ports = \"all\"".to_owned(), ports);
        match latencies(kind, &sizes) {
            None => line(
                "#: latency = 2".to_owned(),
                "clock cycles of a hop: 1 to 255; or a file, `latency = { file = \"cycles.csv\" }`",
            ),
            Some(latencies) => line(
                format!("#: latency = {{ {latencies} }}"),
                "clock cycles of a hop: 1 to 255, or `latency = 2` for all, or a `file`",
            ),
        }
    }
    line(
        "#: exclude_nodes = [1]".to_owned(),
        "nodes that are excluded, by number; the collective runs among the others",
    );
    let [src, dst] = channel(kind, sizes);
    line(format!("#: exclude_channels = [[{src}, {dst}]]"), "channels that are excluded: [source, destination]");
    let head = format!("# {} on {}{HEAD}{}\n", title(with.name), kind.who, lines.join("\n"));
    format!("{head}\n[router]\n{router}{ROUTER}\n[collective]\n{}\n{TAIL}", collective(with))
}

/// Value of a size in the starter.
fn example(key: &Key) -> String {
    match key.shape {
        Shape::Choice { names, .. } => format!("\"{}\"", names[0]),
        _ => key.example.to_owned(),
    }
}

/// Description of a size, with the values that it may have.
fn comment(key: &Key) -> String {
    match key.shape {
        Shape::Number { least, most } => format!("{}: {least} to {most}", key.about),
        Shape::Choice { names, file } => {
            let names: Vec<String> = names.iter().map(|name| format!("\"{name}\"")).collect();
            let file = if file.is_empty() { "" } else { ", or a `file`" };
            format!("{}: {}{file}", key.about, names.join(", "))
        }
        _ => key.about.to_owned(),
    }
}

/// Sizes of the starter.
fn sizes(kind: &topology::Kind) -> Sizes {
    let lines: Vec<String> = kind.keys.iter().map(|key| format!("{} = {}", key.name, example(key))).collect();
    toml::from_str(&lines.join("\n")).unwrap_or_default()
}

/// Latencies by class of channels; none if the topology has no classes.
fn latencies(kind: &topology::Kind, sizes: &Sizes) -> Option<String> {
    let each = |key: &str, cycles: fn(usize) -> usize| {
        let count = sizes.get(key).and_then(|list| list.as_array()).map_or(0, Vec::len);
        let cycles: Vec<String> = (0..count).map(|index| cycles(index).to_string()).collect();
        format!("{key} = [{}]", cycles.join(", "))
    };
    let of = |class: &Class| match class {
        Class::Local => "local = 1".to_owned(),
        Class::Global => "global = 4".to_owned(),
        Class::Dims => each("dims", |index| index + 1),
        Class::Levels => each("levels", |_| 4),
    };
    (!kind.classes.is_empty()).then(|| kind.classes.iter().map(of).collect::<Vec<_>>().join(", "))
}

/// Channel between two nodes other than node 1, by their numbers.
fn channel(kind: &topology::Kind, sizes: Sizes) -> [u32; 2] {
    let net = (kind.build)(&sizes.into());
    let of = |net: Box<dyn Topology + Sync>| {
        let ports = |node: usize| (0..net.ports_of(node.into())).map(move |port| (node, port));
        let channels = (0..net.nodes()).flat_map(ports);
        let mut ends = channels.map(|(node, port)| [node as u32, net.neighbour(node.into(), port).get()]);
        ends.find(|ends| !ends.contains(&1) && ends[0] != ends[1])
    };
    net.and_then(of).unwrap_or([0, 2])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::{CollectiveSpec, RouterKind, RouterSpec, ScheduleSpec, Spec};

    #[test]
    fn starters_parse_and_show_the_defaults() {
        for name in names() {
            let spec = Spec::parse(name, &starter(name, None).unwrap()).unwrap();
            let topology = topologies().find(|topology| topology.name == name).unwrap();
            let kind = topology.router.unwrap_or(RouterKind::SourceVector);
            assert_eq!(spec.router, RouterSpec { kind, ..RouterSpec::default() });
            let written = serde_json::to_value(&spec.collective).unwrap();
            let default = serde_json::json!({ "kind": "all-to-all", "algorithm": "best", "words": 1, "repeat": 1 });
            assert!(name == "pops" || written == default, "{name}: {written}");
            let schedule = match spec.network.options() {
                Some(_) => ScheduleSpec::of_slot_tables(),
                None => ScheduleSpec::default(),
            };
            assert_eq!(spec.schedule, schedule);
        }
    }

    /// Each collective of each topology, and every collective somewhere.
    #[test]
    fn starters_of_collectives_parse() {
        let mut found = std::collections::BTreeSet::new();
        for name in names() {
            for collective in collectives(name) {
                let text = starter(name, Some(collective)).unwrap();
                let spec =
                    Spec::parse(name, &text).unwrap_or_else(|error| panic!("{name}, {collective}: {error}\n{text}"));
                assert_eq!((spec.network.topology(), spec.collective.kind()), (name, collective));
                assert!(text.lines().nth(1).unwrap().starts_with(&format!("# {} on ", title(collective))), "{text}");
                found.insert(collective);
            }
            assert!(starter(name, Some("nothing")).is_none());
        }
        assert!(all_kinds().all(|kind| found.contains(kind.name)), "{found:?}");
        assert!(starter("pops", Some("transpose")).is_none());
    }

    /// Lines that are commented out are right when they are taken in.
    #[test]
    fn commented_keys_of_starters_parse() {
        for name in names() {
            let text = starter(name, None).unwrap();
            let uncommented: Vec<&str> = text.lines().map(|line| line.strip_prefix("#: ").unwrap_or(line)).collect();
            let text = uncommented.join("\n");
            let text = match name {
                "swapped-dragonfly" => text.replace("algorithm = \"best\"", "algorithm = \"doubly-parallel\""),
                _ => text,
            };
            let spec = Spec::parse(name, &text).unwrap_or_else(|e| panic!("{e}"));
            match (&spec.collective, spec.network.options()) {
                (_, Some(options)) => assert_eq!(options.exclude_nodes, [1], "{name}"),
                (CollectiveSpec::Permutation(collective), _) => assert_eq!(collective.to.mapping_seed, Some(1)),
                (collective, _) => assert_eq!(collective.all_to_all().and_then(|collective| collective.s), Some(2)),
            }
        }
    }
}
