//! Words of a sum that can come together at a node in some cycles, on any schedule.
//!
//! Let A(v, t) be the most words of one sum that can be at node v by the start of cycle t, and B(v, t) the most of them in one value that
//! can leave v in cycle t. A channel takes one value a cycle, so over each channel from u with latency L the values arrive that left u in the
//! cycles 0 … t - L: A(v, t) ≤ own(v) + Σ over channels Σ over s ≤ t - L of B(u, s). A value that leaves is v's own word, one that came and goes
//! on, or a combination of what was there p cycles before, where p is the least that an operator takes:
//! B(v, t) ≤ max(own(v), max over channels of B(u, t - L), A(v, t - p)). Words of a sum are in it once, so the sum of n nodes' words is at a
//! node no sooner than A(v, t) ≥ n. If a node wants w sums of the same nodes' words, the values that come to it have w · (n - own(v)) words of
//! them together, and each value still has words of one sum: Σ over channels Σ over s ≤ t - L of B(u, s) ≥ w · (n - own(v)). With p = 0 this is the summing of Karp et al. (1993) in as many rounds as messages can be.

use super::subject::Listed;
use crate::collective::demand::Chunk;
use crate::topology::Topology;

/// Cycles times channels that are looked at for one sum.
const EFFORT: u64 = 50_000_000;

/// The longest of the least times in which a sum can come together at a node that wants it, with the reason.
pub(super) fn growth(listed: &Listed<'_>) -> (u64, String) {
    let (mut most, mut worst) = (0, None);
    let mut left = EFFORT;
    let all: Vec<&Chunk> = listed.subject.demand.chunks.iter().filter(|chunk| chunk.from.len() > 1).collect();
    for alike in all.chunk_by(|a, b| a == b) {
        if let Some((cycles, node)) = together(listed, alike[0], alike.len() as u64, &mut left)
            && cycles > most
        {
            (most, worst) = (cycles, Some((node, alike[0].from.len(), alike.len())));
        }
    }
    let reason = worst.map_or_else(String::new, |(node, words, sums)| {
        let operator = listed.subject.operator;
        let name = listed.subject.net.title(node.into());
        let of = if sums > 1 { format!(" in each of {sums} sums") } else { String::new() };
        format!("{words} words come together at {name}{of}, and each sum on the way takes {operator} cycles")
    });
    (most, reason)
}

/// The node that wants so many sums alike and has them last, and the least cycles in which it can; none if that is not found.
fn together(listed: &Listed<'_>, chunk: &Chunk, sums: u64, left: &mut u64) -> Option<(u64, usize)> {
    let nodes = listed.nodes();
    let words = chunk.from.len() as u64;
    let mut own = vec![0_u64; nodes];
    chunk.from.iter().for_each(|node| own[node.index()] = 1);
    let mut wait: Vec<usize> = chunk.to.iter().map(|node| node.index()).collect();
    let operator = listed.subject.operator as usize;
    // by node: words of all sums that have come
    let mut came = vec![0_u64; nodes];
    // by cycle and node
    let (mut there, mut leaves): (Vec<Vec<u64>>, Vec<Vec<u64>>) = (vec![own.clone()], vec![own.clone()]);
    loop {
        let now = there.len();
        *left = left.checked_sub((listed.channels.len() + nodes) as u64)?;
        let before = &there[now - 1];
        let (mut all, mut one) = (before.clone(), leaves[now - 1].clone());
        let mut coming = vec![0_u64; nodes];
        for channel in &listed.channels {
            let Some(since) = usize::try_from(channel.latency).ok().and_then(|latency| now.checked_sub(latency)) else {
                continue;
            };
            let value = leaves[since][channel.src];
            let coming = &mut coming[channel.dst];
            *coming = if listed.subject.one_port { value.max(*coming) } else { value + *coming };
            one[channel.dst] = one[channel.dst].max(value);
        }
        for node in 0..nodes {
            all[node] = words.min(all[node] + coming[node]);
            came[node] += coming[node];
            let combined =
                if operator == 0 { all[node] } else { now.checked_sub(operator).map_or(0, |at| there[at][node]) };
            one[node] = words.min(one[node].max(combined));
        }
        let waits = |node: usize| all[node] < words || came[node] < sums * (words - own[node]);
        let ended = wait.iter().copied().find(|&node| !waits(node));
        wait.retain(|&node| waits(node));
        if let Some(node) = ended.filter(|_| wait.is_empty()) {
            return Some((now as u64, node));
        }
        there.push(all);
        leaves.push(one);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::graph_bounds::Subject;
    use crate::collective::demand::Demand;
    use crate::id::NodeId;
    use crate::topology::Graph;

    /// The bound for a sum of all nodes at node 0, over channels with these ends and this latency.
    fn reduce(nodes: u32, channels: &[(u32, u32)], latency: u32, operator: u32, one_port: bool) -> u64 {
        several((nodes, 1), channels, latency, operator, one_port)
    }

    /// The bound for `sums` sums of all `nodes` nodes at node 0, over channels with these ends and this latency.
    fn several(
        (nodes, sums): (u32, usize),
        channels: &[(u32, u32)],
        latency: u32,
        operator: u32,
        one_port: bool,
    ) -> u64 {
        let net = Graph::new((0..nodes).map(|node| vec![node]).collect(), channels).unwrap();
        let chunk = Chunk { from: (0..nodes).map(NodeId::new).collect(), to: vec![NodeId::new(0)] };
        let demand = Demand { chunks: vec![chunk; sums] };
        let latency = vec![latency; net.nodes() * net.ports()];
        growth(&Listed::new(Subject { net: &net, latency: &latency, one_port, demand: &demand, operator })).0
    }

    /// Channels of a binary tree, towards its root.
    fn tree(nodes: u32) -> Vec<(u32, u32)> {
        (1..nodes).map(|node| (node, (node - 1) / 2)).collect()
    }

    #[test]
    fn a_sum_is_no_sooner_than_its_operators() {
        // without operators each level of a tree takes a cycle
        assert_eq!([3, 7, 15, 31].map(|nodes| reduce(nodes, &tree(nodes), 1, 0, false)), [1, 2, 3, 4]);
        // two leaves of two: by hand, a child sends its own word and those of its leaves one after the other in 3 cycles, and with an
        // operator of 2 its sum leaves in cycle 3 at the earliest
        assert_eq!([1, 2, 9].map(|operator| reduce(7, &tree(7), 1, operator, false)), [3, 3, 3]);
        // 15 nodes, operator 2: 2 channels bring 1 word in each of the cycles 1 to 3, and from then on up to 3
        assert_eq!(reduce(15, &tree(15), 1, 2, false), 5);
        assert_eq!(reduce(15, &tree(15), 1, 9, false), 7);
        // a line, whose length is the bound of distance: 2 words, then 4 without an operator
        let line: Vec<(u32, u32)> = (1..6).map(|node| (node, node - 1)).collect();
        assert_eq!([0, 2].map(|operator| reduce(6, &line, 1, operator, false)), [3, 4]);
        // all channels at once, or one at a time
        let star: Vec<(u32, u32)> = (1..9).map(|node| (node, 0)).collect();
        assert_eq!([false, true].map(|one| reduce(9, &star, 3, 2, one)), [3, 10]);
    }

    #[test]
    fn several_sums_at_a_node_take_its_channels_together() {
        // 7 nodes, operator 2: 2 channels bring a word each in the cycles 0 to 2, and up to 3 in cycle 3; 2 sums have 12 words, 3 have 18
        let sums = |sums: usize| several((7, sums), &tree(7), 1, 2, false);
        assert_eq!([1, 2, 3, 4].map(sums), [3, 4, 5, 6]);
        // a star brings 8 words a cycle whatever the operator
        let star: Vec<(u32, u32)> = (1..9).map(|node| (node, 0)).collect();
        assert_eq!([1, 2, 5].map(|sums| several((9, sums), &star, 1, 2, false)), [1, 2, 5]);
    }

    /// The least cycles of a sum at node 0, by search through all that values can do: by node, the sets of words of its values and since when
    /// each can leave.
    fn search(nodes: usize, channels: &[(usize, usize)], operator: usize) -> usize {
        use std::collections::BTreeSet;
        type State = Vec<BTreeSet<(u32, usize)>>;
        // sums of any values that are there, each of which can leave `operator` cycles later
        let closed = |state: &State, now: usize| -> State {
            let all = |values: &BTreeSet<(u32, usize)>| {
                let sets: Vec<u32> = values.iter().filter(|value| value.1 <= now).map(|value| value.0).collect();
                let sums = (1_u32..1 << sets.len()).filter_map(|chosen| {
                    let mut of = (0..sets.len()).filter(|at| chosen >> at & 1 == 1).map(|at| sets[at]);
                    of.try_fold(0_u32, |sum, set| (sum & set == 0).then_some(sum | set))
                });
                let mut found = values.clone();
                for sum in sums.filter(|sum| !sets.contains(sum)) {
                    found.insert((sum, now + operator));
                }
                found
            };
            state.iter().map(all).collect()
        };
        let whole = (1_u32 << nodes) - 1;
        let mut states: BTreeSet<State> =
            BTreeSet::from([(0..nodes).map(|node| BTreeSet::from([(1 << node, 0)])).collect()]);
        for now in 0.. {
            let mut next: BTreeSet<State> = BTreeSet::new();
            for state in &states {
                let state = closed(state, now);
                if state[0].iter().any(|value| value.0 == whole) {
                    return now;
                }
                let mut open = vec![state.clone()];
                for &(from, to) in channels {
                    let mut wider = Vec::new();
                    for other in &open {
                        for value in state[from].iter().filter(|value| value.1 <= now) {
                            let mut sent = other.clone();
                            sent[to].insert((value.0, now + 1));
                            wider.push(sent);
                        }
                    }
                    // whoever has a value loses nothing by a send
                    open = if wider.is_empty() { open } else { wider };
                }
                next.extend(open);
            }
            states = next;
        }
        0
    }

    #[test]
    fn no_schedule_of_a_small_network_is_faster() {
        let networks: [(u32, &[(u32, u32)]); 4] = [
            (3, &[(1, 0), (2, 1)]),
            (4, &[(1, 0), (2, 1), (3, 1)]),
            (4, &[(1, 0), (2, 0), (3, 2)]),
            (5, &[(1, 0), (2, 0), (3, 1), (4, 2)]),
        ];
        for (nodes, channels) in networks {
            let ends: Vec<(usize, usize)> = channels.iter().map(|&(a, b)| (a as usize, b as usize)).collect();
            for operator in 0..3 {
                let least = search(nodes as usize, &ends, operator);
                let bound = reduce(nodes, channels, 1, operator as u32, false);
                assert_eq!(bound as usize, least, "{channels:?}, operator {operator}");
            }
        }
    }
}
