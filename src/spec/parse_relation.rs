//! Keys of the collectives of POPS: permutations, h-relations, and those with a root.

use super::kind::{Check, Kind};
use super::pops::{PermutationSpec, RelationSpec, RootedSpec};
use super::relation_keys::{demand_keys, permutation_keys};
use super::shared::{MAX_ROUTERS, check_root};
use super::table::{Findings, TableReader};
use super::{CollectiveSpec, NetworkSpec, RouterSpec};

/// Permutation: every processor sends one packet and receives one.
pub(super) const PERMUTATION: Kind = Kind::new("permutation", permutation, &[("pops", |_, _, _, _| ())]);

/// Any packets between processors.
pub(super) const H_RELATION: Kind = Kind {
    starter: r#"algorithm = "best"          # or by name: "theorem", "direct"
h = 2                       # random packets, h from and to each processor: 1 to 4096; or `demands`, or `file`
#: seed = 1                 # of the random packets, in place of that of [schedule]
"#,
    ..Kind::new("h-relation", relation, &[("pops", |_, _, _, _| ())])
};

const ROOTED: &[(&str, Check)] = &[("pops", check)];
const ROOT: &str = "root = 0                    # processor, by number\n";

/// One processor sends one packet to all.
pub(super) const ONE_TO_ALL: Kind =
    Kind { starter: ROOT, ..Kind::new("one-to-all", |table| CollectiveSpec::OneToAll(rooted(table)), ROOTED) };

/// Every processor sends a packet to one.
pub(super) const GATHER: Kind =
    Kind { starter: ROOT, ..Kind::new("gather", |table| CollectiveSpec::Gather(rooted(table)), ROOTED) };

/// One processor sends a packet of its own to each.
pub(super) const SCATTER: Kind =
    Kind { starter: ROOT, ..Kind::new("scatter", |table| CollectiveSpec::Scatter(rooted(table)), ROOTED) };

fn permutation(mut table: TableReader<'_, '_>) -> CollectiveSpec {
    let algorithm = table.named("algorithm").unwrap_or_default();
    let to = permutation_keys(table);
    CollectiveSpec::Permutation(PermutationSpec { algorithm, to })
}

fn relation(mut table: TableReader<'_, '_>) -> CollectiveSpec {
    let algorithm = table.named("algorithm").unwrap_or_default();
    let pairs = demand_keys(table);
    CollectiveSpec::HRelation(RelationSpec { algorithm, pairs })
}

fn rooted(mut table: TableReader<'_, '_>) -> RootedSpec {
    let spec = RootedSpec { root: table.u32("root", 0..=MAX_ROUTERS - 1).unwrap_or_default() };
    table.finish();
    spec
}

fn check(findings: &mut Findings, network: &NetworkSpec, _: &RouterSpec, collective: &CollectiveSpec) {
    let (CollectiveSpec::OneToAll(rooted) | CollectiveSpec::Gather(rooted) | CollectiveSpec::Scatter(rooted)) =
        collective
    else {
        return;
    };
    let processors = network.pops().map_or(0, |network| network.d * network.g);
    check_root(findings, processors, rooted.root);
}
