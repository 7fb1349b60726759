//! Lower bounds on the cycles of a broadcast of X words, for any scheduler.
//!
//! | name | because |
//! |---|---|
//! | `receive` | a router hears at most one word a cycle over each channel that leads to it, and the first not before it can be there |
//! | `send` | the source sends at most one word a cycle over each of its channels, and the last still has to reach the farthest router |
//!
//! Cycles are clock cycles from the first claimed one to the last. A channel of latency H brings a word that enters in cycle t to its
//! end in cycle t + H; it takes one a cycle all the same. Where routers do not copy, a word spends `software` cycles more in the endpoint of
//! every router on its way.

use super::distance::distances;
use crate::check::bound_list::{BoundList, NamedBound};
use crate::count::counted;
use crate::id::NodeId;
use crate::program::form::swapped_dragonfly::uniform::HopLatency;
use crate::topology::{SwappedDragonfly, Topology};

/// The bounds of a broadcast of `count` words from `root`.
pub fn of(net: &SwappedDragonfly, hop: HopLatency, software: u32, root: NodeId, count: u32) -> BoundList {
    let count = u64::from(count);
    let pace = HopLatency { local: hop.local + software, global: hop.global + software };
    let there = distances(net, pace, [root], |_| true);
    // By router: the channels that lead to it, as many as lead from it, and the cycle in which the first word can enter one of them.
    let before = |r: usize| {
        (0..net.ports()).map(move |port| net.neighbour(NodeId::from(r), port)).filter(move |v| v.index() != r)
    };
    let heard = |r: usize| before(r).count() as u64;
    let enters = |r: usize| before(r).map(|v| u64::from(there[v.index()])).min().unwrap_or(0);
    let others = || (0..net.nodes()).filter(|&node| node != root.index());
    let receive = others().map(|r| (enters(r) + count.div_ceil(heard(r)), heard(r))).max();
    let (receive, channels) = receive.unwrap_or((0, 1));
    let out = heard(root.index());
    let farthest = others().map(|r| enters(r) + 1).max().unwrap_or(0);
    let send = count.div_ceil(out) - 1 + farthest;
    BoundList::new(vec![
        NamedBound {
            name: "receive",
            cycles: receive,
            holds_for: None,
            reason: format!(
                "a router has {} that lead to it, for {}, the first of which is still on its way",
                counted(channels, "channel"),
                counted(count, "word")
            ),
        },
        NamedBound {
            name: "send",
            cycles: send,
            holds_for: None,
            reason: format!(
                "the source has {} that leave it, and the last word travels for {}",
                counted(out, "channel"),
                counted(farthest, "cycle")
            ),
        },
    ])
}
