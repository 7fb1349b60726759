//! Registries of collectives and topologies, a line each, in the order in which messages list them.

use super::kind::{Kind, TopologyKind};
use super::names::FURTHER_NAMES;
use super::table::Findings;
use super::{CollectiveSpec, NetworkSpec, RouterKind, RouterSpec};
use super::{
    parse_all_to_all, parse_broadcast, parse_exchange, parse_fat_cube, parse_pops, parse_product,
    parse_swapped_dragonfly,
};
use super::{parse_general, parse_general_collective, parse_hierarchical_dual_net, parse_relation, parse_traffic};

/// Kinds of collectives; the first is that of a table without `kind`.
pub(super) const KINDS: &[&Kind] = &[
    &parse_all_to_all::ALL_TO_ALL,
    &parse_broadcast::BROADCAST,
    &parse_exchange::ALL_REDUCE,
    &parse_exchange::PREFIX_SCAN,
    &parse_exchange::BITONIC_SORT,
    &parse_product::VECTOR_MATRIX,
    &parse_product::MATRIX_VECTOR,
    &parse_product::MATRIX_MATRIX,
    &parse_product::TRANSPOSE,
    &parse_relation::PERMUTATION,
    &parse_relation::H_RELATION,
    &parse_relation::ONE_TO_ALL,
    &parse_relation::GATHER,
    &parse_relation::SCATTER,
    &parse_general_collective::ALL_GATHER,
    &parse_general_collective::REDUCE,
    &parse_general_collective::REDUCE_SCATTER,
    &parse_traffic::TRAFFIC,
];

/// Topologies.
pub(super) const TOPOLOGIES: &[&TopologyKind] = &[
    &parse_swapped_dragonfly::TOPOLOGY,
    &parse_pops::TOPOLOGY,
    &parse_general::TORUS,
    &parse_general::MESH,
    &parse_general::RING,
    &parse_general::HYPERCUBE,
    &parse_general::COMPLETE,
    &parse_general::KAUTZ,
    &parse_general::DE_BRUIJN,
    &parse_general::DRAGONFLY,
    &parse_general::GALAXYFLY,
    &parse_hierarchical_dual_net::TOPOLOGY,
    &parse_fat_cube::TOPOLOGY,
    &parse_general::GRAPH,
];

/// Kinds by all their names.
pub(super) fn kinds() -> Vec<(&'static str, &'static Kind)> {
    let own = KINDS.iter().map(|kind| (kind.name, *kind));
    let further = FURTHER_NAMES.iter().flat_map(|&(further, name)| {
        KINDS.iter().filter(move |kind| kind.name == name).map(move |kind| (further, *kind))
    });
    own.chain(further).collect()
}

/// Entry of a collective.
pub(super) fn kind_of(collective: &CollectiveSpec) -> &'static Kind {
    KINDS.iter().find(|kind| kind.name == collective.kind()).unwrap_or(&KINDS[0])
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
    let topology = TOPOLOGIES.iter().find(|topology| topology.name == network.topology());
    let (Some(topology), Some(place)) = (topology, findings.place("collective.kind")) else { return };
    let runs = |other: &&&TopologyKind| {
        let general = kind.general.is_some() && other.router == Some(RouterKind::SlotTable);
        general || kind.runs_on.iter().any(|(name, _)| *name == other.name)
    };
    let others: Vec<String> = TOPOLOGIES.iter().filter(runs).map(|other| format!("\"{}\"", other.name)).collect();
    let message = format!("{} does not run on {} in this version", kind.name, topology.who);
    let slots = parse_swapped_dragonfly::IN_SLOT_TABLES.name == topology.name && kind.general.is_some();
    let here = if slots { "; and on this one with `kind = \"slot-table\"` in `[router]`" } else { "" };
    findings.error(place, "", message, format!("it runs on these topologies: {}{here}", others.join(", ")));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::Spec;

    #[test]
    fn names_are_unique_and_those_of_the_types() {
        for (i, kind) in KINDS.iter().enumerate() {
            assert!(KINDS[..i].iter().all(|other| other.name != kind.name), "{}", kind.name);
            for (topology, _) in kind.runs_on {
                assert!(TOPOLOGIES.iter().any(|known| known.name == *topology), "{}: {topology}", kind.name);
            }
            let text = format!(
                "format = 1\n[network]\ntopology = \"pops\"\nd = 2\ng = 2\n[collective]\nkind = \"{}\"",
                kind.name
            );
            // each kind is read as itself, whatever else is wrong with so short a text
            match Spec::parse("short", &text) {
                Ok(spec) => assert_eq!(spec.collective.kind(), kind.name),
                Err(error) => assert!(!error.to_string().contains("cannot be"), "{error}"),
            }
        }
    }
}
