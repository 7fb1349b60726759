//! Keys of a broadcast.

use super::kind::Kind;
use super::shared::{MAX_ROUTERS, check_root};
use super::table::{Findings, TableReader};
use super::{BroadcastSpec, CollectiveSpec, NetworkSpec, RouterSpec};
use crate::collective::general::MAX_COUNT;
use crate::topology::Topology;

/// One node sends the same words to all.
pub(super) const BROADCAST: Kind = Kind {
    keys: &["root", "count"],
    starter: r#"algorithm = "best"          # or by name: "depth-3", "trees", "tree-pairs"
root = 0                    # node that has the words, in the order of (c,d,p)
count = 1                   # words: 1 to 2^20
"#,
    uncopied: true,
    ..Kind::new("broadcast", broadcast, &[("swapped-dragonfly", check)])
};

fn broadcast(mut table: TableReader<'_, '_>) -> CollectiveSpec {
    let default = BroadcastSpec::default();
    let collective = BroadcastSpec {
        algorithm: table.named("algorithm").unwrap_or(default.algorithm),
        root: table.u32("root", 0..=MAX_ROUTERS - 1).unwrap_or(default.root),
        count: table.u32("count", 1..=MAX_COUNT).unwrap_or(default.count),
    };
    table.finish();
    CollectiveSpec::Broadcast(collective)
}

fn check(findings: &mut Findings, network: &NetworkSpec, _: &RouterSpec, collective: &CollectiveSpec) {
    let (Some(sizes), CollectiveSpec::Broadcast(collective)) = (network.swapped_dragonfly(), collective) else {
        return;
    };
    check_root(findings, sizes.guest().nodes() as u32, collective.root);
}
