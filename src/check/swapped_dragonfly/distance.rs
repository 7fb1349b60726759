//! Distances between routers, in cycles, for the bounds on the latency of a word. Every channel has one back of the same
//! latency, so a way and the way back take equally long.

use crate::id::NodeId;
use crate::program::form::swapped_dragonfly::uniform::HopLatency;
use crate::topology::{SwappedDragonfly, Topology};
use std::collections::BTreeSet;

/// Earliest arrival cycle by router, over the allowed ports, of a word that is at all of `from` in cycle 0; `u32::MAX`
/// for a router that cannot be reached.
pub(super) fn distances(
    net: &SwappedDragonfly,
    hop: HopLatency,
    from: impl IntoIterator<Item = NodeId>,
    allowed: impl Fn(usize) -> bool,
) -> Vec<u32> {
    let latency = |port: usize| if port < net.local_ports() { hop.local } else { hop.global };
    let mut there = vec![u32::MAX; net.nodes()];
    let mut open: BTreeSet<(u32, NodeId)> = from.into_iter().map(|node| (0, node)).collect();
    open.iter().for_each(|&(at, node)| there[node.index()] = at);
    while let Some((at, node)) = open.pop_first() {
        for port in (0..net.ports()).filter(|&port| allowed(port)) {
            let to = net.neighbour(node, port);
            let arrives = at + latency(port);
            if arrives < there[to.index()] {
                open.remove(&(there[to.index()], to));
                there[to.index()] = arrives;
                open.insert((arrives, to));
            }
        }
    }
    there
}

/// Least number of channel cycles that a word claims on its way to `to`, by router where it starts. The count goes from
/// its first channel, entered in cycle 0, to its last, entered as soon as possible, both included. 0 at `to` itself.
pub(super) fn claimed_to(
    net: &SwappedDragonfly,
    hop: HopLatency,
    to: NodeId,
    allowed: impl Fn(usize) -> bool,
) -> Vec<u64> {
    let before: Vec<NodeId> =
        (0..net.ports()).filter(|&port| allowed(port)).map(|port| net.neighbour(to, port)).collect();
    let before = before.into_iter().filter(|&node| node != to);
    let mut claimed: Vec<u64> =
        distances(net, hop, before, allowed).into_iter().map(|enters| u64::from(enters) + 1).collect();
    claimed[to.index()] = 0;
    claimed
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::swapped_dragonfly::Group;

    /// The cycle in which a word from `from` can enter each channel at best, by looking at all channels until nothing changes.
    fn entries(net: &SwappedDragonfly, hop: HopLatency, from: NodeId) -> Vec<u32> {
        let mut enters = vec![u32::MAX; net.channels()];
        let latency = |port: usize| if port < net.local_ports() { hop.local } else { hop.global };
        for _ in 0..net.nodes() {
            for (node, port) in (0..net.nodes()).flat_map(|node| (0..net.ports()).map(move |port| (node, port))) {
                let node = NodeId::from(node);
                let before = (0..net.nodes()).flat_map(|v| (0..net.ports()).map(move |port| (NodeId::from(v), port)));
                let there = before
                    .filter(|&(v, port)| net.neighbour(v, port) == node)
                    .map(|(v, port)| enters[net.channel_id(v, port).index()].saturating_add(latency(port)));
                let start = if node == from { 0 } else { u32::MAX };
                enters[net.channel_id(node, port).index()] = there.min().unwrap_or(u32::MAX).min(start);
            }
        }
        enters
    }

    #[test]
    fn ways_end_with_the_entry_into_their_last_channel() {
        for (k, m, local, global) in [(2, 3, 1, 1), (2, 3, 1, 5), (3, 2, 4, 1), (1, 2, 1, 3)] {
            let net = SwappedDragonfly::new(k, m, Group::Cyclic);
            let hop = HopLatency { local, global };
            for from in (0..net.nodes()).map(NodeId::from) {
                let enters = entries(&net, hop, from);
                for to in (0..net.nodes()).map(NodeId::from).filter(|&to| to != from) {
                    let all = (0..net.nodes()).flat_map(|v| (0..net.ports()).map(move |port| (NodeId::from(v), port)));
                    let last = all
                        .filter(|&(v, port)| v != to && net.neighbour(v, port) == to)
                        .map(|(v, port)| enters[net.channel_id(v, port).index()]);
                    let claimed = last.min().map(|enters| u64::from(enters) + 1);
                    assert_eq!(
                        Some(claimed_to(&net, hop, to, |_| true)[from.index()]),
                        claimed,
                        "{net:?} {hop:?} {from:?} {to:?}"
                    );
                }
            }
        }
    }
}
