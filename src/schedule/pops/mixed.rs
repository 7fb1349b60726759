//! Straight packets and two-hop packets together: the fewest slots for which the ways of [`super::detours`] keep every
//! coupler's limit, from a lower bound on.
//!
//! A coupler has its first hops in its first slots, its second hops in its last ones, and straight packets in between.
//! A packet waits in a processor of the group that neither reads in the slot of the first hop nor sends in the slot of
//! the second. With d ≥ 2g-1 there always is one. Of several it is one that holds few packets in between.

use super::detours::{Detour, Search};
use super::{direct, theorem};
use crate::program::form::pops::Hop;
use crate::topology::Pops;

const NONE: u32 = u32::MAX;

/// Moves of the search for detours within a number of slots, beside those that the excess itself needs.
const MOVES: usize = 3_000;

/// Demand of all couplers, `a * g + b`, without packets that are at their destination.
fn demand(net: Pops, permutation: &[u32]) -> Vec<u32> {
    let g = net.g() as usize;
    let mut demand = vec![0; g * g];
    for (source, &to) in (0_u32..).zip(permutation) {
        if source != to {
            demand[net.group(source) as usize * g + net.group(to) as usize] += 1;
        }
    }
    demand
}

/// Lower bound on slots. The packets of a group leave it by g couplers, and come to it by g. Packets in excess of the
/// slots of their own coupler cross two others and a group; its couplers from and to other groups must have room for
/// them.
fn least_slots(g: usize, demand: &[u32]) -> u32 {
    let leaving: Vec<u32> = demand.chunks(g).map(|row| row.iter().sum()).collect();
    let coming: Vec<u32> = (0..g).map(|b| demand.iter().skip(b).step_by(g).sum()).collect();
    let busiest = leaving.iter().zip(&coming).map(|(a, b)| *a.max(b));
    let inside: Vec<u32> = (0..g).map(|a| demand[a * g + a]).collect();
    let largest = demand.iter().copied().max().unwrap_or(0);
    let first = busiest.clone().max().unwrap_or(0).div_ceil(g as u32).max(largest.min(2));
    let fits = |&slots: &u32| {
        let excess: u64 = demand.iter().map(|&packets| u64::from(packets.saturating_sub(slots))).sum();
        let room = busiest.clone().zip(&inside).map(|(packets, inside)| {
            // packets of the group that take a coupler from or to another one
            let own = packets - inside + inside.saturating_sub(slots);
            u64::from((slots * (g as u32 - 1)).saturating_sub(own))
        });
        let room: u64 = room.sum();
        excess <= room
    };
    (first..largest).find(fits).unwrap_or(largest)
}

/// [`least_slots`] of a permutation; 0 if nothing moves.
pub(super) fn least(net: Pops, permutation: &[u32]) -> u32 {
    match net.d() {
        1 => direct::largest(net, permutation),
        // two slots or one
        d if d <= net.g() => direct::largest(net, permutation).min(2),
        _ => least_slots(net.g() as usize, &demand(net, permutation)),
    }
}

/// The hops of a permutation, in the order of their slots, and the number of slots: never more than those of the theorem or of
/// `direct`. Packets are numbered by their sources.
pub(super) fn schedule(net: Pops, permutation: &[u32], seed: u64) -> (Vec<Hop>, u32) {
    let (d, g) = (net.d(), net.g());
    let promised = if d == 1 { 1 } else { 2 * d.div_ceil(g) };
    if d <= g {
        let straight = direct::permutation(net, permutation);
        return if straight.1 <= promised { straight } else { theorem::schedule(net, permutation, seed) };
    }
    let demand = demand(net, permutation);
    let largest = demand.iter().copied().max().unwrap_or(0);
    for slots in least_slots(g as usize, &demand)..promised.min(largest) {
        if let Some(hops) = within(net, permutation, &demand, slots, seed) {
            return (hops, slots);
        }
    }
    if largest <= promised { direct::permutation(net, permutation) } else { theorem::schedule(net, permutation, seed) }
}

/// Hops within `slots` slots, if they are found.
fn within(net: Pops, permutation: &[u32], demand: &[u32], slots: u32, seed: u64) -> Option<Vec<Hop>> {
    let g = net.g() as usize;
    let excess: u32 = demand.iter().map(|packets| packets.saturating_sub(slots)).sum();
    let middle = slots / 2;
    // where few slots leave little choice, every time of the turn
    let turns: Vec<u32> = match slots {
        0..=8 => (0..slots).map(|i| if i % 2 == 0 { middle + i / 2 } else { middle - i.div_ceil(2) }).collect(),
        _ => vec![middle],
    };
    let turns = turns.into_iter().filter(|&turn| turn > 0 && turn < slots);
    turns.enumerate().find_map(|(attempt, turn)| {
        let seed = seed.wrapping_add(attempt as u64);
        let detours = Search::new(g, demand, slots, turn, seed).run(MOVES + 4 * excess as usize)?;
        place(net, permutation, &detours, slots)
    })
}

/// Sender and reader of each coupler in each slot.
struct Table {
    g: usize,
    slots: usize,
    /// Sending processor, by sending group, slot and reading group.
    senders: Vec<u32>,
    /// Reading processor, by reading group, slot and sending group.
    readers: Vec<u32>,
}

impl Table {
    fn senders(&self, group: u32, slot: u32) -> &[u32] {
        let first = (group as usize * self.slots + slot as usize) * self.g;
        &self.senders[first..first + self.g]
    }

    fn readers(&self, group: u32, slot: u32) -> &[u32] {
        let first = (group as usize * self.slots + slot as usize) * self.g;
        &self.readers[first..first + self.g]
    }

    fn send(&mut self, a: u32, b: u32, slot: u32, from: u32) {
        self.senders[(a as usize * self.slots + slot as usize) * self.g + b as usize] = from;
    }

    fn read(&mut self, a: u32, b: u32, slot: u32, to: u32) {
        self.readers[(b as usize * self.slots + slot as usize) * self.g + a as usize] = to;
    }
}

/// A packet on its way by another group.
struct Passing {
    packet: u32,
    group: u32,
    first: u32,
    second: u32,
}

/// Slots and processors for all packets.
fn place(net: Pops, permutation: &[u32], detours: &[Detour], slots: u32) -> Option<Vec<Hop>> {
    let g = net.g() as usize;
    let coupler = |a: u32, b: u32| a as usize * g + b as usize;
    let mut firsts = vec![0_u32; g * g];
    let mut seconds = vec![0_u32; g * g];
    // detours come by class, so those of a class are a run
    let mut own = vec![0_usize..0; g * g];
    for (i, detour) in detours.iter().enumerate() {
        firsts[coupler(detour.a, detour.by)] += 1;
        seconds[coupler(detour.by, detour.b)] += 1;
        let run = &mut own[coupler(detour.a, detour.b)];
        *run = if run.end == 0 { i..i + 1 } else { run.start..i + 1 };
    }
    let (mut next_first, mut next_straight) = (vec![0_u32; g * g], firsts);
    let mut next_second: Vec<u32> = seconds.iter().map(|count| slots - count).collect();
    let size = g * g * slots as usize;
    let mut table = Table { g, slots: slots as usize, senders: vec![NONE; size], readers: vec![NONE; size] };
    let mut hops = Vec::with_capacity(permutation.len() + detours.len());
    let mut passing = Vec::with_capacity(detours.len());
    // when a processor has sent its own packet, and when it gets the one for itself
    let (mut sent, mut got) = (vec![slots; permutation.len()], vec![0; permutation.len()]);
    let take = |next: &mut [u32], at: usize| {
        next[at] += 1;
        next[at] - 1
    };
    for (packet, &to) in (0_u32..).zip(permutation) {
        if packet == to {
            continue;
        }
        let (a, b) = (net.group(packet), net.group(to));
        let Some(i) = own[coupler(a, b)].next() else {
            let slot = take(&mut next_straight, coupler(a, b));
            hops.push(Hop { slot, packet, from: packet, to });
            table.send(a, b, slot, packet);
            table.read(a, b, slot, to);
            (sent[packet as usize], got[to as usize]) = (slot, slot);
            continue;
        };
        let group = detours[i].by;
        let first = take(&mut next_first, coupler(a, group));
        let second = take(&mut next_second, coupler(group, b));
        table.send(a, group, first, packet);
        table.read(group, b, second, to);
        (sent[packet as usize], got[to as usize]) = (first, second);
        passing.push(Passing { packet, group, first, second });
    }
    let mut held = Held { sent, got, passing: std::collections::BTreeMap::new() };
    let mut start = vec![0; g];
    passing.sort_by_key(|p| (p.first, p.second, p.packet));
    for Passing { packet, group, first, second } in passing {
        let busy = |p: &u32| table.readers(group, first).contains(p) || table.senders(group, second).contains(p);
        let d = net.d();
        let candidates = (0..d).map(|i| group * d + (start[group as usize] + i) % d).filter(|p| !busy(p));
        let by = candidates.take(4 * g + 16).min_by_key(|&p| held.by(p, first, second))?;
        start[group as usize] = (by + 1) % d;
        let (a, b) = (net.group(packet), net.group(permutation[packet as usize]));
        table.read(a, group, first, by);
        table.send(group, b, second, by);
        held.passing.entry(by).or_default().push((first, second));
        hops.push(Hop { slot: first, packet, from: packet, to: by });
        hops.push(Hop { slot: second, packet, from: by, to: permutation[packet as usize] });
    }
    hops.sort_by_key(|hop| hop.slot);
    Some(hops)
}

/// Packets held by processors, slot by slot.
struct Held {
    sent: Vec<u32>,
    got: Vec<u32>,
    passing: std::collections::BTreeMap<u32, Vec<(u32, u32)>>,
}

impl Held {
    /// Packets that a processor holds at the same time between two slots, at least for a while, beside one that passes.
    fn by(&self, processor: u32, first: u32, second: u32) -> u32 {
        let (sent, got) = (self.sent[processor as usize], self.got[processor as usize]);
        let (own, gets) = (sent > first, got < second);
        let both = if got < sent { u32::from(own) + u32::from(gets) } else { u32::from(own || gets) };
        let others = self
            .passing
            .get(&processor)
            .map_or(0, |all| all.iter().filter(|&&(from, to)| from < second && first < to).count() as u32);
        both + others
    }
}
