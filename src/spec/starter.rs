//! Commented specifications to start from, one a topology.

use super::kind::SizeKeys;
use super::registry::topologies;
use crate::topology::Topology;
use crate::topology::kind::{Class, Key, Kind, Options, Shape, Sizes};
use std::borrow::Cow;

/// The topologies that have a starter: all of this version.
pub fn names() -> impl Iterator<Item = &'static str> {
    topologies().map(|topology| topology.name)
}

/// The starter of a topology.
pub fn starter(topology: &str) -> Option<Cow<'static, str>> {
    topologies().find(|known| known.name == topology).map(|known| match known.sizes {
        SizeKeys::Own { starter, .. } => starter.into(),
        SizeKeys::General(kind) => general(kind).into(),
    })
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

/// Tables behind `[network]`.
const TAIL: &str = r#"
[router]
payload_bits = 32           # of a word: 8, 16, 32 or 64
parity = false              # true: a parity bit travels with every word and is checked on arrival
error_log = true            # false: sticky error bits alone, without the place of the fault

[collective]
kind = "all-to-all"
algorithm = "best"          # the fewest cycles of all algorithms
words = 1                   # words of payload_bits a message: 1 to 65536

[schedule]
time_limit_s = 2            # effort of searches, in seconds: 1 to 86400
seed = 0                    # seed of every random choice
"#;

/// Starter of a topology that runs in slot tables.
fn general(kind: &Kind) -> String {
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
    format!("# An all-to-all on {}{HEAD}{}\n{TAIL}", kind.who, lines.join("\n"))
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
fn sizes(kind: &Kind) -> Sizes {
    let lines: Vec<String> = kind.keys.iter().map(|key| format!("{} = {}", key.name, example(key))).collect();
    toml::from_str(&lines.join("\n")).unwrap_or_default()
}

/// Latencies by class of channels; none if the topology has no classes.
fn latencies(kind: &Kind, sizes: &Sizes) -> Option<String> {
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
fn channel(kind: &Kind, sizes: Sizes) -> [u32; 2] {
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
            let spec = Spec::parse(name, &starter(name).unwrap()).unwrap();
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

    /// Lines that are commented out are right when they are taken in.
    #[test]
    fn commented_keys_of_starters_parse() {
        for name in names() {
            let text = starter(name).unwrap();
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
