//! Schedules of POPS(d,g): which processor sends which packet to whom, slot by slot. A file an algorithm.
//!
//! | algorithm | slots | file |
//! |---|---|---|
//! | `theorem` | 1 for d = 1, else 2⌈d/g⌉; of an h-relation 2·max(h, ⌈hd/g⌉), or h for d = 1 | `theorem.rs`, `rounds.rs` |
//! | `direct` | the largest demand of a coupler | `direct.rs` |
//! | `mixed` | near the fewest that counting leaves, never above the other two | `mixed.rs`, `detours.rs` |
//! | `exact` | the optimum, for few processors | `exact.rs` |
//!
//! The other collectives have a schedule each, in `collectives.rs`. Everything is deterministic for a seed.

mod collectives;
mod detours;
mod direct;
mod exact;
mod flow;
mod found;
mod mixed;
mod rounds;
mod theorem;

use super::ScheduleError;
use crate::collective::pops::{Goal, Packet, Relation};
use crate::program::form::pops::{Hop, PopsSchedule};
use crate::spec::pops::{PopsAlgorithm, RelationAlgorithm};
use crate::topology::Pops;
use found::Found;

/// Packets up to which `best` tries to send an h-relation straight.
const STRAIGHT: usize = 1 << 16;

/// Request of a schedule on POPS.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PopsRequest {
    /// Algorithm for permutations.
    pub permutation: PopsAlgorithm,
    /// Algorithm for h-relations.
    pub relation: RelationAlgorithm,
    /// Effort of searches, in seconds of a typical machine; the result does not depend on the real time.
    pub time_limit_s: u32,
    /// Seed of every random choice.
    pub seed: u64,
}

impl PopsRequest {
    /// A permutation by this algorithm, with the effort of a second and seed 0.
    pub const fn new(algorithm: PopsAlgorithm) -> Self {
        Self { permutation: algorithm, relation: RelationAlgorithm::Best, time_limit_s: 1, seed: 0 }
    }
}

/// Schedules packets.
///
/// # Errors
/// [`ScheduleError::Value`] for `exact` on a network too large for it.
pub fn schedule(net: Pops, relation: &Relation, request: &PopsRequest) -> Result<PopsSchedule, ScheduleError> {
    let packets = relation.packets(net.processors());
    let mut searched = false;
    let (algorithm, (hops, slots)) = match relation {
        Relation::Permutation(permutation) => {
            let (name, found, optimal) = self::permutation(net, permutation, request)?;
            searched = optimal;
            (name, numbered(found, permutation))
        }
        Relation::Demands(_) => demands(net, &ends(&packets), request),
        Relation::OneToAll(_) => ("one-slot", collectives::one_to_all(net, &packets)),
        Relation::AllToAll => ("all-to-all", collectives::all_to_all(net)),
        Relation::Gather(_) | Relation::Scatter(_) => ("one-by-one", collectives::one_by_one(&packets)),
    };
    let buffers = buffers(net, relation, &packets, &hops);
    Ok(PopsSchedule { algorithm, packets, hops, slots, buffers, searched })
}

fn permutation(
    net: Pops,
    permutation: &[u32],
    request: &PopsRequest,
) -> Result<(&'static str, Found, bool), ScheduleError> {
    let PopsRequest { seed, time_limit_s, .. } = *request;
    let found = match request.permutation {
        PopsAlgorithm::Theorem => ("theorem", theorem::schedule(net, permutation, seed)),
        PopsAlgorithm::Direct => ("direct", direct::permutation(net, permutation)),
        PopsAlgorithm::Mixed => ("mixed", mixed::schedule(net, permutation, seed)),
        PopsAlgorithm::Exact => {
            let known = mixed::schedule(net, permutation, seed);
            let (found, optimal) = exact::schedule(net, permutation, known, time_limit_s, seed)?;
            return Ok(("exact", found, optimal));
        }
        PopsAlgorithm::Best => {
            let demand = direct::largest(net, permutation);
            let promised = if net.d() == 1 { demand } else { 2 * net.d().div_ceil(net.g()) };
            let mixed = mixed::schedule(net, permutation, seed);
            let best = match mixed.1 {
                slots if slots == demand => ("direct", direct::permutation(net, permutation)),
                slots if slots == promised => ("theorem", theorem::schedule(net, permutation, seed)),
                _ => ("mixed", mixed),
            };
            let slots = best.1.1;
            if slots <= mixed::least(net, permutation) || !exact::fits(net, slots) {
                return Ok((best.0, best.1, false));
            }
            let (found, optimal) = exact::schedule(net, permutation, best.1, time_limit_s, seed)?;
            return Ok((if found.1 < slots { "exact" } else { best.0 }, found, optimal));
        }
    };
    Ok((found.0, found.1, false))
}

fn demands(net: Pops, packets: &[(u32, u32)], request: &PopsRequest) -> (&'static str, Found) {
    let theorem = || ("theorem", rounds::schedule(net, packets, request.seed));
    let direct = || ("direct", direct::relation(net, packets, request.seed));
    match request.relation {
        RelationAlgorithm::Theorem => theorem(),
        RelationAlgorithm::Direct => direct(),
        RelationAlgorithm::Best if packets.len() > STRAIGHT => theorem(),
        RelationAlgorithm::Best => {
            let (straight, theorem) = (direct(), theorem());
            if straight.1.1 <= theorem.1.1 { straight } else { theorem }
        }
    }
}

/// The ends of packets that go to one processor each.
fn ends(packets: &[Packet]) -> Vec<(u32, u32)> {
    let end = |packet: &Packet| match packet.goal {
        Goal::One(to) => Some((packet.src, to)),
        Goal::All => None,
    };
    packets.iter().filter_map(end).collect()
}

/// Numbers packets as they are listed, where they are numbered by their sources.
fn numbered((mut hops, slots): Found, permutation: &[u32]) -> Found {
    let mut next = 0;
    let number = |(source, &to): (u32, &u32)| {
        next += u32::from(source != to);
        next.wrapping_sub(1)
    };
    let numbers: Vec<u32> = (0..).zip(permutation).map(number).collect();
    if next as usize != permutation.len() {
        hops.iter_mut().for_each(|hop| hop.packet = numbers[hop.packet as usize]);
    }
    (hops, slots)
}

/// Most packets that a processor holds before the first slot or after any.
fn buffers(net: Pops, relation: &Relation, packets: &[Packet], hops: &[Hop]) -> u32 {
    let mut held = vec![0_u32; net.processors() as usize];
    for packet in packets {
        held[packet.src as usize] += 1;
        if packet.goal == Goal::All {
            return 1; // one packet in all, which every processor keeps
        }
    }
    if relation.holds_each_element() {
        // a processor whose packet is at home keeps it
        held.iter_mut().for_each(|held| *held = (*held).max(1));
    }
    let mut most = held.iter().copied().max().unwrap_or(0);
    for same in hops.chunk_by(|a, b| a.slot == b.slot) {
        same.iter().for_each(|hop| held[hop.from as usize] -= 1);
        for hop in same {
            held[hop.to as usize] += 1;
            most = most.max(held[hop.to as usize]);
        }
    }
    most
}
