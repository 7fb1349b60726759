//! Commented specifications to start from, one a topology.

use super::registry::TOPOLOGIES;

/// The topologies that have a starter: all of this version.
pub fn names() -> impl Iterator<Item = &'static str> {
    TOPOLOGIES.iter().map(|topology| topology.name)
}

/// The starter of a topology.
pub fn starter(topology: &str) -> Option<&'static str> {
    TOPOLOGIES.iter().find(|known| known.name == topology).map(|known| known.starter)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::general_collective::BlockSpec;
    use crate::spec::{CollectiveSpec, GeneralCollective, RouterKind, RouterSpec, ScheduleSpec, Spec};

    #[test]
    fn starters_parse_and_show_the_defaults() {
        for name in names() {
            let spec = Spec::parse(name, starter(name).unwrap()).unwrap();
            let topology = TOPOLOGIES.iter().find(|topology| topology.name == name).unwrap();
            let kind = topology.router.unwrap_or(RouterKind::SourceVector);
            assert_eq!(spec.router, RouterSpec { kind, ..RouterSpec::default() });
            let default = match spec.network.options() {
                Some(_) => CollectiveSpec::General(GeneralCollective::AllToAll(BlockSpec::default())),
                None => CollectiveSpec::default(),
            };
            assert!(name == "pops" || spec.collective == default);
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
            let uncommented: Vec<&str> =
                starter(name).unwrap().lines().map(|line| line.strip_prefix("#: ").unwrap_or(line)).collect();
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
