//! Lower bounds for the packets of a schedule in full, on the channels that it lists.
//!
//! | name | because |
//! |---|---|
//! | `distance` | a packet takes at least the shortest way |
//! | `receive` | a node takes at most one packet a cycle over each channel that leads to it |
//! | `capacity` | all packets together cross at least the sum of their distances, and each channel takes one a cycle; of circuits the
//!   channels into media are left out |

use super::subject::Judge;
use crate::check::bound_list::{BoundList, NamedBound, Scope};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

/// Nodes up to which all distances are looked up.
const MOST_NODES: usize = 4096;

/// The bounds that hold for any schedule of the packets.
pub(super) fn of(judge: &Judge<'_>) -> BoundList {
    let document = judge.document;
    let nodes = document.nodes.len();
    if nodes > MOST_NODES {
        return BoundList::new(Vec::new());
    }
    let mut into = vec![0_u64; nodes];
    let mut leave: Vec<Vec<(u32, u64)>> = vec![Vec::new(); nodes];
    for (channel, &(src, dst)) in (0..).zip(&document.channels) {
        into[dst as usize] += 1;
        // a slot of circuits takes a packet across any number of media
        let cost = match judge.circuit {
            true => u64::from(judge.terminal[dst as usize]),
            false => judge.latency(channel).into(),
        };
        leave[src as usize].push((dst, cost));
    }
    let by_source = document.packets.iter().fold(BTreeMap::<u32, Vec<_>>::new(), |mut all, packet| {
        all.entry(packet.src).or_default().push(packet);
        all
    });
    let mut owed = vec![0_u64; nodes];
    let (mut farthest, mut sum, mut ends) = (0, 0, (0, 0));
    for (src, packets) in by_source {
        let (time, hops) = distances(&leave, src);
        for (packet, &dst) in packets.iter().flat_map(|p| p.dsts.iter().map(move |dst| (p, dst))) {
            if dst == packet.src {
                continue;
            }
            owed[dst as usize] += 1;
            if time[dst as usize] > farthest {
                (farthest, ends) = (time[dst as usize], (src, dst));
            }
        }
        for packet in packets {
            // a packet for several nodes crosses a tree, of which only the longest way is known
            let far = packet.dsts.iter().map(|&dst| hops[dst as usize]).filter(|&far| far < u64::MAX).max();
            sum += far.unwrap_or(0);
        }
    }
    let mut bounds = Vec::new();
    let mut add = |name, cycles, reason| {
        bounds.push(NamedBound { name, cycles, holds_for: Some(Scope::ANY_SCHEDULE), reason });
    };
    let [from, to] = [ends.0, ends.1].map(|node| judge.name(node));
    add("distance", farthest, format!("a packet leads from {from} to {to}"));
    let one_port = document.network["ports"] == "one" || judge.sends_one_packet();
    let inputs = |node: usize| if one_port { 1 } else { into[node].max(1) };
    let busiest = (0..nodes).max_by_key(|&node| owed[node].div_ceil(inputs(node)));
    if let Some(node) = busiest.filter(|&node| owed[node] > 0) {
        let text = format!("{} packets come to {} over {} channels", owed[node], judge.name(node as u32), inputs(node));
        add("receive", owed[node].div_ceil(inputs(node)), text);
    }
    let usable = document.channels.iter().filter(|&&(_, dst)| judge.terminal[dst as usize]).count() as u64;
    if usable > 0 {
        add("capacity", sum.div_ceil(usable), format!("packets cross {sum} channels at least, of {usable}"));
    }
    BoundList::new(bounds)
}

/// Cycles, and hops, of the shortest ways from a node; `u64::MAX` where there is none.
fn distances(leave: &[Vec<(u32, u64)>], src: u32) -> (Vec<u64>, Vec<u64>) {
    let search = |cost: fn(u64) -> u64| {
        let mut best = vec![u64::MAX; leave.len()];
        let mut open = BinaryHeap::from([Reverse((0, src))]);
        best[src as usize] = 0;
        while let Some(Reverse((at, node))) = open.pop() {
            if at > best[node as usize] {
                continue;
            }
            for &(to, cycles) in &leave[node as usize] {
                let there = at + cost(cycles);
                if there < best[to as usize] {
                    best[to as usize] = there;
                    open.push(Reverse((there, to)));
                }
            }
        }
        best
    };
    (search(|cycles| cycles), search(|cycles| u64::from(cycles > 0)))
}
