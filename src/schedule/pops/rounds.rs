//! Any packets in rounds of two slots: 2R slots, R = max(h, ⌈H/g⌉). Here no processor sends or receives more than h
//! packets, and no group more than H. With H ≤ hd that is at most 2·max(h, ⌈hd/g⌉). For d = 1 a round is one slot.
//!
//! A round takes at most one packet from and to each processor, and at most min(d,g) from and to each group. Such
//! rounds exist. Euler walks that pair packets first at processors, then at groups, halve the packets of both. Of an
//! odd number of rounds one is taken out first, as a flow. In a round for d ≥ g the packets, as edges from group to
//! group, have g colours. Packets of colour j go by group j, each to a processor of its own in this round. For d < g a
//! round is filled up to a permutation.

use super::flow::Flow;
use super::theorem;
use crate::program::form::pops::Hop;
use crate::schedule::edge_colouring::colour_edges;
use crate::topology::Pops;

/// The hops of packets from source to destination, in the order of slots, and the number of slots.
pub(super) fn schedule(net: Pops, packets: &[(u32, u32)], seed: u64) -> (Vec<Hop>, u32) {
    if packets.is_empty() {
        return (Vec::new(), 0);
    }
    let rounds = Rounds::of(net, packets);
    let mut hops = Vec::with_capacity(2 * packets.len());
    let mut slot = 0;
    for round in rounds {
        let round: Vec<u32> = round.into_iter().filter(|&edge| (edge as usize) < packets.len()).collect();
        let before = hops.len();
        match (net.d(), net.g()) {
            (1, _) => hops.extend(round.iter().map(|&packet| {
                let (from, to) = packets[packet as usize];
                Hop { slot, packet, from, to }
            })),
            (d, g) if d < g => by_permutation(net, packets, &round, slot, seed, &mut hops),
            _ => by_colours(net, packets, &round, slot, seed, &mut hops),
        }
        hops[before..].sort_by_key(|hop| hop.slot);
        slot += if net.d() == 1 { 1 } else { 2 };
    }
    let slots = hops.last().map_or(0, |hop| hop.slot + 1);
    (hops, slots)
}

/// A round as part of a permutation; packets that this adds do not move.
fn by_permutation(net: Pops, packets: &[(u32, u32)], round: &[u32], slot: u32, seed: u64, hops: &mut Vec<Hop>) {
    let n = net.processors() as usize;
    let (mut to, mut of) = (vec![u32::MAX; n], vec![u32::MAX; n]);
    let mut gets = vec![false; n];
    for &packet in round {
        let (from, goal) = packets[packet as usize];
        (to[from as usize], of[from as usize]) = (goal, packet);
        gets[goal as usize] = true;
    }
    let mut free = (0..n as u32).filter(|&goal| !gets[goal as usize]);
    for goal in to.iter_mut().filter(|goal| **goal == u32::MAX) {
        *goal = free.next().unwrap_or(0); // there are as many as processors that send nothing
    }
    let (found, _) = theorem::schedule(net, &to, seed);
    let real = found.into_iter().filter(|hop| of[hop.packet as usize] != u32::MAX);
    hops.extend(real.map(|hop| Hop { slot: slot + hop.slot, packet: of[hop.packet as usize], ..hop }));
}

/// A round of at most g packets a group.
fn by_colours(net: Pops, packets: &[(u32, u32)], round: &[u32], slot: u32, seed: u64, hops: &mut Vec<Hop>) {
    let g = net.g() as usize;
    let group = |(from, to): (u32, u32)| (net.group(from), net.group(to));
    let edges: Vec<(u32, u32)> = round.iter().map(|&packet| group(packets[packet as usize])).collect();
    let colours = colour_edges(g, g, &edges, seed);
    // processors of each group in which packets may wait: those that send in this round first
    let mut waiting: Vec<Vec<u32>> = vec![Vec::new(); g];
    let mut sends = vec![false; net.processors() as usize];
    for &packet in round {
        sends[packets[packet as usize].0 as usize] = true;
    }
    for processor in 0..net.processors() {
        waiting[net.group(processor) as usize].push(processor);
    }
    waiting.iter_mut().for_each(|own| own.sort_by_key(|&p| sends[p as usize]));
    let mut relays = vec![u32::MAX; round.len()];
    for (i, &packet) in round.iter().enumerate() {
        let (from, _) = packets[packet as usize];
        if net.group(from) == colours[i] {
            relays[i] = from;
            waiting[colours[i] as usize].retain(|&processor| processor != from);
        }
    }
    for (i, &packet) in round.iter().enumerate() {
        let (from, to) = packets[packet as usize];
        if relays[i] == u32::MAX {
            relays[i] = waiting[colours[i] as usize].pop().unwrap_or(from); // a group has d ≥ g of them
        }
        let by = relays[i];
        hops.extend((from != by).then_some(Hop { slot, packet, from, to: by }));
        hops.extend((by != to).then_some(Hop { slot: slot + 1, packet, from: by, to }));
    }
}

/// Packets, and additional ones that fill up every group, to be distributed to rounds.
struct Rounds {
    net: Pops,
    edges: Vec<(u32, u32)>,
    rounds: Vec<Vec<u32>>,
}

impl Rounds {
    /// The packets of each round, by number.
    fn of(net: Pops, packets: &[(u32, u32)]) -> Vec<Vec<u32>> {
        let (n, groups, width) = (net.processors() as usize, net.g() as usize, net.g().min(net.d()));
        let mut degrees = [vec![0_u32; n], vec![0_u32; n]];
        let mut totals = [vec![0_u32; groups], vec![0_u32; groups]];
        for &(from, to) in packets {
            for (side, processor) in [from, to].into_iter().enumerate() {
                degrees[side][processor as usize] += 1;
                totals[side][net.group(processor) as usize] += 1;
            }
        }
        let h = degrees.iter().flatten().copied().max().unwrap_or(0);
        let of_groups = totals.iter().flatten().map(|total| total.div_ceil(width)).max().unwrap_or(0);
        let rounds = h.max(of_groups);
        let mut edges = packets.to_vec();
        // every group gets width packets a round, no processor more than one
        let fill = |side: usize| {
            let mut ends = Vec::new();
            for group in 0..net.g() {
                let mut missing = rounds * width - totals[side][group as usize];
                for processor in group * net.d()..(group + 1) * net.d() {
                    let more = missing.min(rounds - degrees[side][processor as usize]);
                    ends.extend(std::iter::repeat_n(processor, more as usize));
                    missing -= more;
                }
            }
            ends
        };
        edges.extend(fill(0).into_iter().zip(fill(1)));
        let mut work = Self { net, edges, rounds: Vec::with_capacity(rounds as usize) };
        let all = (0..work.edges.len() as u32).collect();
        work.deal(all, rounds);
        work.rounds
    }

    fn deal(&mut self, edges: Vec<u32>, rounds: u32) {
        match rounds {
            0 => {}
            1 => self.rounds.push(edges),
            _ if rounds % 2 == 1 => {
                let (one, rest) = self.one(&edges, rounds);
                self.rounds.push(one);
                self.deal(rest, rounds - 1);
            }
            _ => {
                let [one, other] = self.halves(&edges);
                drop(edges);
                self.deal(one, rounds / 2);
                self.deal(other, rounds / 2);
            }
        }
    }

    /// Two halves along Euler walks. On each side packets are paired at processors first; the others within groups, of
    /// which each has an even number.
    fn halves(&self, edges: &[u32]) -> [Vec<u32>; 2] {
        let none = usize::MAX;
        let partners = [0, 1].map(|side: usize| {
            let mut partner = vec![none; edges.len()];
            let end = |i: usize| {
                let (from, to) = self.edges[edges[i] as usize];
                if side == 0 { from } else { to }
            };
            let mut open = vec![none; self.net.processors() as usize];
            for i in 0..edges.len() {
                let other = std::mem::replace(&mut open[end(i) as usize], none);
                if other == none {
                    open[end(i) as usize] = i;
                } else {
                    (partner[i], partner[other]) = (other, i);
                }
            }
            for own in open.chunks(self.net.d() as usize) {
                let left: Vec<usize> = own.iter().copied().filter(|&i| i != none).collect();
                for pair in left.chunks_exact(2) {
                    (partner[pair[0]], partner[pair[1]]) = (pair[1], pair[0]);
                }
            }
            partner
        });
        let mut side = vec![2_u8; edges.len()];
        for start in 0..edges.len() {
            let mut at = start;
            while side[at] == 2 {
                let next = partners[0][at];
                (side[at], side[next]) = (0, 1);
                at = partners[1][next];
            }
        }
        [0, 1].map(|half| edges.iter().zip(&side).filter(|(_, side)| **side == half).map(|(&edge, _)| edge).collect())
    }

    /// Splits an odd number of rounds into one round and the rest. The round is a flow in which every group has its
    /// packets, and every processor that has a packet for every round sends one.
    fn one(&self, edges: &[u32], rounds: u32) -> (Vec<u32>, Vec<u32>) {
        let (n, g, width) = (self.net.processors() as usize, self.net.g() as usize, self.net.g().min(self.net.d()));
        let mut degrees = [vec![0_u32; n], vec![0_u32; n]];
        for &edge in edges {
            let (from, to) = self.edges[edge as usize];
            degrees[0][from as usize] += 1;
            degrees[1][to as usize] += 1;
        }
        let (from_groups, senders, readers, to_groups) = (0, g, g + n, g + 2 * n);
        let (source, sink) = (2 * g + 2 * n, 2 * g + 2 * n + 1);
        let mut flow = Flow::new(2 * g + 2 * n + 2);
        for group in 0..g {
            flow.arc(source, from_groups + group, width, width);
            flow.arc(to_groups + group, sink, width, width);
        }
        (0..n).for_each(|processor| {
            let group = self.net.group(processor as u32) as usize;
            let least = |side: usize| u32::from(degrees[side][processor] == rounds);
            flow.arc(from_groups + group, senders + processor, least(0), 1);
            flow.arc(readers + processor, to_groups + group, least(1), 1);
        });
        let arcs: Vec<usize> = edges
            .iter()
            .map(|&edge| {
                let (from, to) = self.edges[edge as usize];
                flow.arc(senders + from as usize, readers + to as usize, 0, 1)
            })
            .collect();
        flow.circulate(sink, source);
        let used = |(_, arc): &(&u32, &usize)| flow.flow(**arc) > 0;
        let (one, rest): (Vec<_>, Vec<_>) = edges.iter().zip(&arcs).partition(used);
        (one.into_iter().map(|(&edge, _)| edge).collect(), rest.into_iter().map(|(&edge, _)| edge).collect())
    }
}
