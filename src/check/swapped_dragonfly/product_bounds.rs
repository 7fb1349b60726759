//! Lower bounds on the cycles of a product.
//!
//! | name | holds for | because |
//! |---|---|---|
//! | `distance` | any schedule of these layouts | an element of the result depends on all elements of its vector, the farthest of which has a way to go |
//! | `round` | these paths | one round has its hops and its arithmetic |
//! | `channel` | these paths | the busiest channel carries its packets one a cycle, after the hops before it and before those after it |
//! | `rounds` | these paths, matrix times matrix | every spread shares a global channel with every gather, as gathers of rows with equal s do (all gathers, on D3(K,M)), and spreads of rows with equal u share a local one |
//!
//! Cycles are clock cycles from the first claimed one to the last.

use super::distance::claimed_to;
use super::product_claims::{Arrival, Claim};
use crate::check::bound_list::{BoundList, NamedBound};
use crate::collective::ProductKind;
use crate::count::counted;
use crate::id::NodeId;
use crate::program::form::swapped_dragonfly::product::{Layout, ProductSchedule, Stage};
use crate::topology::SwappedDragonfly;

/// Bounds of a schedule whose result at `target` depends on the values at `sources`.
pub(super) fn of(
    net: &SwappedDragonfly,
    schedule: &ProductSchedule,
    claims: &[Claim],
    arrivals: &[Arrival],
    sources: &[NodeId],
    target: NodeId,
) -> BoundList {
    let claimed = claimed_to(net, schedule.hop, target, |_| true);
    let farthest = sources.iter().map(|source| claimed[source.index()]).max().unwrap_or(0);

    // by stage, the first cycle in which anything can be sent if nothing were in the way
    let mut earliest = [0_u32; 5];
    for stage in [Stage::Operand, Stage::Product, Stage::Sum, Stage::Result] {
        let of_stage = |a: &&Arrival| schedule.sends[a.send as usize].term.stage == stage;
        let flight = |a: &Arrival| a.cycle - schedule.sends[a.send as usize].cycle;
        let flight = arrivals.iter().filter(of_stage).map(flight).max();
        let next = flight.map_or(0, |flight| flight + schedule.mac_cycles);
        earliest[stage as usize + 1] = earliest[stage as usize] + next;
    }
    let alone = |claim: &Claim| {
        let send = &schedule.sends[claim.send as usize];
        earliest[send.term.stage as usize] + claim.cycle - send.cycle
    };
    let round = claims.iter().map(|claim| alone(claim) + 1).max().unwrap_or(0);
    let mut channel = (0, 0);
    for claims in claims.chunk_by(|a, b| (a.node, a.port) == (b.node, b.port)) {
        let before = claims.iter().map(alone).min().unwrap_or(0);
        // the last of all: nothing need follow it but the end of its own round
        let after = claims.iter().map(|claim| round - 1 - alone(claim)).min().unwrap_or(0);
        let count = claims.len() as u64;
        channel = channel.max((u64::from(before) + count + u64::from(after), count));
    }
    let mut all = vec![
        NamedBound {
            name: "distance",
            cycles: farthest,
            holds_for: None,
            reason: "a result depends on an element that lies so far away, in any schedule".into(),
        },
        NamedBound {
            name: "round",
            cycles: round.into(),
            holds_for: None,
            reason: "hops of these paths, one after the other, and arithmetic between them".into(),
        },
        NamedBound {
            name: "channel",
            cycles: channel.0,
            holds_for: None,
            reason: format!(
                "by these paths some channel carries {}, with hops before and after",
                counted(channel.1, "packet")
            ),
        },
    ];
    if schedule.kind == ProductKind::MatrixMatrix {
        let squared = u64::from(schedule.block) * u64::from(schedule.block);
        let (m, k) = (u64::from(net.m()), u64::from(net.k()));
        let (spreads, gathers) = match schedule.layout {
            Layout::Square { side } => (u64::from(side) * squared, m * squared),
            Layout::Linear => (k * squared, k * m * squared),
        };
        let after = round.saturating_sub(1 + earliest[Stage::Product as usize]);
        all.push(NamedBound {
                name: "rounds",
                cycles: spreads + gathers + u64::from(after),
                holds_for: None,
 reason: format!(
                    "by these paths {spreads} spreads and {gathers} gathers exclude each other, and {after} cycles follow the last"
                ),
            });
    }
    BoundList::new(all)
}
