//! Registries of collectives and topologies, a line each, in the order in which messages list them.

use super::kind::{Kind, TopologyKind};
use super::table::Findings;
use super::{CollectiveSpec, NetworkSpec, RouterSpec};
use super::{parse_all_to_all, parse_broadcast, parse_exchange, parse_pops, parse_product, parse_swapped_dragonfly};
use super::{parse_relation, parse_slot_table, parse_traffic};
use crate::collective::general;
use crate::collective::general::names::FURTHER_NAMES;
use crate::topology;

/// Kinds of collectives on networks with router families of their own; the first is that of a table without `kind`.
const KINDS: &[Kind] = &[
    parse_all_to_all::ALL_TO_ALL,
    parse_broadcast::BROADCAST,
    parse_exchange::ALL_REDUCE,
    parse_exchange::PREFIX_SCAN,
    parse_exchange::BITONIC_SORT,
    parse_product::VECTOR_MATRIX,
    parse_product::MATRIX_VECTOR,
    parse_product::MATRIX_MATRIX,
    parse_product::TRANSPOSE,
    parse_relation::PERMUTATION,
    parse_relation::H_RELATION,
    parse_relation::ONE_TO_ALL,
    parse_relation::GATHER,
    parse_relation::SCATTER,
    parse_traffic::TRAFFIC,
];

/// Kinds of collectives: those on networks with router families of their own, then those that run in slot tables alone.
pub(super) fn all_kinds() -> impl Iterator<Item = Kind> {
    let general = |name: &str| general::KINDS.iter().copied().find(|kind| kind.name == name);
    let own = KINDS.iter().map(move |kind| Kind { general: general(kind.name), ..*kind });
    let alone = general::KINDS.iter().filter(|kind| KINDS.iter().all(|own| own.name != kind.name));
    own.chain(alone.map(|kind| Kind::general(kind)))
}

/// Kind of a table without `kind`.
pub(super) fn default_kind() -> Kind {
    kind_of(&CollectiveSpec::default())
}

/// Topologies with router families of their own.
const OWN: [TopologyKind; 2] = [parse_swapped_dragonfly::TOPOLOGY, parse_pops::TOPOLOGY];

/// Topology whose checks apply where the name is missing or unknown.
pub(super) fn default_topology() -> TopologyKind {
    parse_swapped_dragonfly::TOPOLOGY
}

/// Topologies: those with router families of their own, then those that run in slot tables.
pub(super) fn topologies() -> impl Iterator<Item = TopologyKind> {
    OWN.into_iter().chain(topology::KINDS.iter().map(|kind| parse_slot_table::topology(kind)))
}

/// Kinds by all their names.
pub(super) fn kinds() -> Vec<(&'static str, Kind)> {
    let own = all_kinds().map(|kind| (kind.name, kind));
    let further = FURTHER_NAMES.iter().flat_map(|&(further, name)| {
        all_kinds().filter(move |kind| kind.name == name).map(move |kind| (further, kind))
    });
    own.chain(further).collect()
}

/// Entry of a collective.
pub(super) fn kind_of(collective: &CollectiveSpec) -> Kind {
    all_kinds().find(|kind| kind.name == collective.kind()).unwrap_or(KINDS[0])
}

/// Checks the keys of a collective against each other and the network, if it runs there.
pub(super) fn check(findings: &mut Findings, network: &NetworkSpec, router: &RouterSpec, collective: &CollectiveSpec) {
    let kind = kind_of(collective);
    if kind.general.is_some() && network.options().is_some() {
        return;
    }
    if let Some((_, check)) = kind.runs_on.iter().find(|(topology, _)| *topology == network.topology()) {
        return check(findings, network, router, collective);
    }
    let topology = topologies().find(|topology| topology.name == network.topology());
    let (Some(topology), Some(place)) = (topology, findings.place("collective.kind")) else { return };
    let runs = |other: &TopologyKind| {
        let general = kind.general.is_some() && other.is_general();
        general || kind.runs_on.iter().any(|(name, _)| *name == other.name)
    };
    let others: Vec<String> = topologies().filter(runs).map(|other| format!("\"{}\"", other.name)).collect();
    let message = format!("{} does not run on {} in this version", kind.name, topology.who);
    let slots = topology.in_slot_tables().is_some() && kind.general.is_some();
    let here = if slots { "; and on this one with `kind = \"slot-table\"` in `[router]`" } else { "" };
    findings.error(place, "", message, format!("it runs on these topologies: {}{here}", others.join(", ")));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::Spec;

    #[test]
    fn names_are_unique_and_those_of_the_types() {
        let kinds: Vec<Kind> = all_kinds().collect();
        for (i, kind) in kinds.iter().enumerate() {
            assert!(kinds[..i].iter().all(|other| other.name != kind.name), "{}", kind.name);
            for (topology, _) in kind.runs_on {
                assert!(topologies().any(|known| known.name == *topology), "{}: {topology}", kind.name);
            }
            let text = format!(
                "format = 1\n[network]\ntopology = \"pops\"\nd = 2\ng = 2\n[collective]\nkind = \"{}\"",
                kind.name
            );
            // each kind is read as itself, even if so short a text has other errors
            match Spec::parse("short", &text) {
                Ok(spec) => assert_eq!(spec.collective.kind(), kind.name),
                Err(error) => assert!(!error.to_string().contains("cannot be"), "{error}"),
            }
        }
    }
}
