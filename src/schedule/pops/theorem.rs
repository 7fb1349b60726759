//! Any permutation in 2⌈d/g⌉ slots, or 1 for d = 1 (Mei and Rizzi, Theorem 3.4, repaired).
//!
//! The packets, as edges from source group to destination group, are coloured with d colours. Round k of two slots takes the
//! packets of colours kg to kg+g-1: one of colour kg+j goes to a processor of group j, and from there to its destination. No
//! two that meet in a group have the same destination group, and no two from a group go to the same. In a round of r < g
//! colours each group gets r packets: its colours are split anew into g of r packets each. A packet waits in a processor
//! that has just sent one.

use crate::program::form::pops::Hop;
use crate::schedule::edge_colouring::{Cell, colour, resplit};
use crate::topology::Pops;

/// Words in a line of the cache.
const BLOCK: usize = 16;

/// All packets of a permutation by source and destination group.
struct Classes {
    /// Sources, by their group, then by the group of the destination.
    order: Vec<u32>,
    cells: Vec<Cell>,
}

impl Classes {
    fn of(net: Pops, permutation: &[u32]) -> Self {
        let (d, g) = (net.d() as usize, net.g() as usize);
        let mut order = vec![0; permutation.len()];
        let mut cells = Vec::with_capacity(permutation.len().min(g * g));
        let mut firsts = vec![0_u32; g];
        for (left, own) in (0_u32..).zip(order.chunks_mut(d)) {
            let sources = left * net.d()..(left + 1) * net.d();
            let group = |source: u32| net.group(permutation[source as usize]) as usize;
            if g > 8 * d {
                own.iter_mut().zip(sources).for_each(|(place, source)| *place = source);
                own.sort_by_key(|&source| group(source));
                for same in own.chunk_by(|&a, &b| group(a) == group(b)) {
                    cells.push(Cell { left, right: group(same[0]) as u32, count: same.len() as u32 });
                }
                continue;
            }
            firsts.fill(0);
            sources.clone().for_each(|source| firsts[group(source)] += 1);
            let mut sum = 0;
            for (right, first) in (0_u32..).zip(&mut firsts) {
                let count = std::mem::replace(first, sum);
                sum += count;
                if count > 0 {
                    cells.push(Cell { left, right, count });
                }
            }
            for source in sources {
                let place = &mut firsts[group(source)];
                own[*place as usize] = source;
                *place += 1;
            }
        }
        Self { order, cells }
    }
}

/// The source of each packet, by colour and group: `result[colour * g + group]`. With it the destination groups, likewise.
fn colours(net: Pops, permutation: &[u32], seed: u64) -> (Vec<u32>, Vec<u32>) {
    let (d, g) = (net.d() as usize, net.g() as usize);
    let Classes { order, cells } = Classes::of(net, permutation);
    let mut starts = vec![0; g + 1];
    cells.iter().for_each(|cell| starts[cell.left as usize + 1] += 1);
    (0..g).for_each(|left| starts[left + 1] += starts[left]);
    let colouring = colour(g, net.d(), cells.clone(), seed);
    let mut sources = vec![0; d * g];
    // groups side by side, as many as a line of the cache holds
    let mut next = vec![0_u32; BLOCK.min(g) * g];
    for block in (0..g).step_by(BLOCK) {
        let lefts = block..(block + BLOCK).min(g);
        for (left, next) in lefts.clone().zip(next.chunks_mut(g)) {
            let mut first = (left * d) as u32;
            for cell in &cells[starts[left]..starts[left + 1]] {
                next[cell.right as usize] = first;
                first += cell.count;
            }
        }
        for colour in 0..d {
            let rights = &colouring.matching(colour)[lefts.clone()];
            let sources = &mut sources[colour * g + lefts.start..colour * g + lefts.end];
            for ((source, &right), next) in sources.iter_mut().zip(rights).zip(next.chunks_mut(g)) {
                let place = &mut next[right as usize];
                *source = order[*place as usize];
                *place += 1;
            }
        }
    }
    (sources, colouring.into_rights())
}

/// The hops of a permutation, in the order of their slots, and the number of slots. Packets are numbered by their sources; those that
/// are at home do not move.
pub(super) fn schedule(net: Pops, permutation: &[u32], seed: u64) -> (Vec<Hop>, u32) {
    let (d, g) = (net.d() as usize, net.g() as usize);
    let moves = |source: u32| permutation[source as usize] != source;
    if d == 1 {
        let hop = |source: u32| Hop { slot: 0, packet: source, from: source, to: permutation[source as usize] };
        let hops: Vec<Hop> = (0..net.processors()).filter(|&source| moves(source)).map(hop).collect();
        let slots = u32::from(!hops.is_empty());
        return (hops, slots);
    }
    let (sources, rights) = colours(net, permutation, seed);
    let mut hops = Vec::with_capacity(2 * permutation.len());
    let mut relays = vec![0; g.min(d) * g];
    let mut slot = 0;
    for first in (0..d).step_by(g) {
        let colours = g.min(d - first);
        let own = first * g..(first + colours) * g;
        let senders = &sources[own.clone()];
        if colours == g {
            // from group a to group j: in the place of group j's packet of the a-th colour
            for block in (0..g).step_by(BLOCK) {
                for group in 0..g {
                    let sent = &senders[group * g..(group + 1) * g];
                    (block..(block + BLOCK).min(g)).for_each(|colour| relays[colour * g + group] = sent[colour]);
                }
            }
        } else {
            relays_of_few(g, senders, &rights[own], &mut relays);
        }
        let packets = senders.iter().zip(&relays).filter(|&(&source, _)| moves(source));
        let there = |slot| move |(&packet, &to): (&u32, &u32)| Hop { slot, packet, from: packet, to };
        hops.extend(packets.clone().map(there(slot)).filter(|hop| hop.from != hop.to));
        let home =
            |slot| move |(&packet, &from): (&u32, &u32)| Hop { slot, packet, from, to: permutation[packet as usize] };
        hops.extend(packets.map(home(slot + 1)).filter(|hop| hop.from != hop.to));
        slot += 2;
    }
    let slots = hops.last().map_or(0, |hop| hop.slot + 1);
    (hops, slots)
}

/// Relays of the packets of a round of fewer than g colours. `relays[colour * g + group]` is the relay processor of the
/// packet that `senders[colour * g + group]` sends; `rights` has the packets' destination groups in this order.
fn relays_of_few(g: usize, senders: &[u32], rights: &[u32], relays: &mut [u32]) {
    let colours = senders.len() / g;
    let target = resplit(g, rights);
    // processors of each group that have sent a packet and got none
    let mut free: Vec<Vec<u32>> = (0..g).map(|group| (0..colours).map(|c| senders[c * g + group]).collect()).collect();
    for (edge, &source) in senders.iter().enumerate() {
        if target[edge] as usize == edge % g {
            relays[edge] = source;
            free[edge % g].retain(|&processor| processor != source);
        }
    }
    for (edge, relay) in relays.iter_mut().enumerate().take(senders.len()) {
        let group = target[edge] as usize;
        if group != edge % g {
            *relay = free[group].pop().unwrap_or(senders[edge]);
        }
    }
}
