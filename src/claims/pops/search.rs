//! Smallest number of slots, by exhaustive search group by group.
//!
//! Of a packet only its group and that of its destination are looked at: what cannot be done in this way cannot be done. What can is
//! then carried out by processors.

use super::nets::Net;
use super::slots::{Hop, State};
use std::collections::HashSet;

/// Packets from group `from` for group `goal` that cross coupler c(to, from) in a slot.
#[derive(Debug, Clone, Copy)]
struct Move {
    from: usize,
    to: usize,
    goal: usize,
}

/// Packets that have not arrived, by the group that they are in, then by that of their destination.
type Waiting = Vec<u8>;

struct Search {
    g: usize,
    failed: HashSet<(Waiting, u32)>,
}

impl Search {
    fn within(&mut self, waiting: &Waiting, slots: u32) -> Option<Vec<Vec<Move>>> {
        let all: u32 = waiting.iter().map(|&count| u32::from(count)).sum();
        if all == 0 {
            return Some(Vec::new());
        }
        if all > slots * (self.g * self.g) as u32 || self.failed.contains(&(waiting.clone(), slots)) {
            return None;
        }
        let mut moves = Vec::new();
        let found = self.couplers(waiting.clone(), waiting.clone(), 0, slots, &mut moves);
        if found.is_none() {
            self.failed.insert((waiting.clone(), slots));
        }
        found
    }

    /// Tries everything on the couplers from `coupler` on; `left` has the packets that can still be sent, `next` the
    /// state after the slot.
    fn couplers(
        &mut self,
        left: Waiting,
        next: Waiting,
        coupler: usize,
        slots: u32,
        moves: &mut Vec<Move>,
    ) -> Option<Vec<Vec<Move>>> {
        let g = self.g;
        if coupler == g * g {
            let mut rest = self.within(&next, slots - 1)?;
            rest.insert(0, moves.clone());
            return Some(rest);
        }
        let (from, to) = (coupler / g, coupler % g);
        // first to where it is to go, then elsewhere, then nothing
        let goals = std::iter::once(to).chain((0..g).filter(|&goal| goal != to && to != from && slots > 1));
        for goal in goals.filter(|&goal| left[from * g + goal] > 0) {
            let (mut left, mut next) = (left.clone(), next.clone());
            left[from * g + goal] -= 1;
            next[from * g + goal] -= 1;
            if goal != to {
                next[to * g + goal] += 1;
            }
            moves.push(Move { from, to, goal });
            let found = self.couplers(left, next, coupler + 1, slots, moves);
            if found.is_some() {
                return found;
            }
            moves.pop();
        }
        self.couplers(left, next, coupler + 1, slots, moves)
    }
}

/// Fewest slots, below `limit`, in which the packets of a permutation could arrive, and a routing in this number of
/// slots, if processors can carry it out.
pub fn fewest(net: Net, permutation: &[u32], limit: u32) -> Option<(u32, Option<Vec<Vec<Hop>>>)> {
    let g = net.g as usize;
    let mut waiting = vec![0; g * g];
    for (packet, &to) in (0..).zip(permutation) {
        if packet != to {
            waiting[net.group(packet) * g + net.group(to)] += 1;
        }
    }
    let mut search = Search { g, failed: HashSet::new() };
    let (slots, moves) = (0..limit).find_map(|slots| search.within(&waiting, slots).map(|moves| (slots, moves)))?;
    let mut hops = Vec::new();
    let start: Vec<u32> = (0..net.processors()).collect();
    let done = carry_out(net, permutation, &moves, (0, 0), &start, &start, &mut hops);
    Some((slots, done.then_some(hops)))
}

/// Chooses packets and readers for all moves from (slot, move) on; `at` is where packets are before the slot, `next` after it.
fn carry_out(
    net: Net,
    permutation: &[u32],
    moves: &[Vec<Move>],
    (slot, number): (usize, usize),
    at: &[u32],
    next: &[u32],
    hops: &mut Vec<Vec<Hop>>,
) -> bool {
    let Some(of_slot) = moves.get(slot) else { return true };
    if hops.len() == slot {
        hops.push(Vec::new());
    }
    let Some(&Move { from, to, goal }) = of_slot.get(number) else {
        if carry_out(net, permutation, moves, (slot + 1, 0), next, next, hops) {
            return true;
        }
        hops.truncate(slot + 1);
        return false;
    };
    let waits = |&packet: &u32| {
        let (sender, end) = (at[packet as usize], permutation[packet as usize]);
        sender != end && net.group(sender) == from && net.group(end) == goal
    };
    for packet in (0..net.processors()).filter(waits) {
        let (sender, end) = (at[packet as usize], permutation[packet as usize]);
        let readers = if goal == to { end..end + 1 } else { to as u32 * net.d..(to as u32 + 1) * net.d };
        for reader in readers {
            let free = hops[slot].iter().all(|hop| hop.packet != packet && hop.from != sender && hop.reader != reader);
            if !free || (goal != to && reader == end) {
                continue;
            }
            let mut after = next.to_vec();
            after[packet as usize] = reader;
            hops[slot].push(Hop { packet, from: sender, to, reader });
            if carry_out(net, permutation, moves, (slot, number + 1), at, &after, hops) {
                return true;
            }
            hops[slot].pop();
        }
    }
    false
}

/// True if a routing keeps all rules and delivers every packet.
pub fn holds(net: Net, permutation: &[u32], routing: &[Vec<Hop>]) -> bool {
    let mut state = State::new(net);
    routing.iter().all(|hops| state.slot(hops).is_ok()) && state.arrived(permutation).is_ok()
}
