//! Random walks: programs that use channels and crosspoints as no schedule does, for hardware that any program may use.

use super::random::Random;
use crate::id::NodeId;
use crate::program::{Hop, Origin, Program, Switching, Train, Who};
use crate::topology::Topology;
use std::collections::BTreeSet;

/// Most hops of a walk.
const MAX_HOPS: usize = 4;
/// Walks that are tried for each node, of up to so many nodes.
const TRIES: usize = 12;
const TRIED_NODES: usize = 16;

/// Words on random walks, back and forth and with rests, each from a node to another one, in cycles in which channels are free. Walks begin
/// before cycle `rows`. One is left out if the program, with the ends of all its walks, does not `fit` with it.
pub fn random_walks(
    net: &dyn Topology,
    switching: &Switching,
    (seed, rows): (u64, u32),
    mut fits: impl FnMut(&Program, &[(u32, u32)]) -> bool,
) -> Program {
    let mut random = Random::new(seed);
    let mut program = Program::new(switching.clone());
    let (mut ends, mut taken) = (Vec::new(), BTreeSet::new());
    for _ in 0..TRIES * net.nodes().min(TRIED_NODES) {
        let from = NodeId::from(random.below(net.nodes()));
        let start = random.below(rows as usize) as u32;
        let (mut at, mut ready) = (from, start);
        let (mut hops, mut entries) = (Vec::new(), Vec::new());
        let count = 1 + random.below(MAX_HOPS) as u32;
        for hop in 0..count {
            let port = random.below(net.ports_of(at)) as u32;
            let rest = if hop == 0 { 0 } else { random.below(1 + rows as usize / 2) as u32 };
            let entry = |cycle: u32| (cycle, at, port);
            let is_free = |cycle: &u32| !taken.contains(&entry(*cycle)) && !entries.contains(&entry(*cycle));
            // the first hop is at the start, or the walk is left out
            let Some(enter) = (ready + rest..).take(if hop == 0 { 1 } else { usize::MAX }).find(is_free) else { break };
            entries.push(entry(enter));
            hops.push(Hop { parent: hop.checked_sub(1), port, wait: enter - ready, keep: hop + 1 == count });
            ready = enter + switching.latency(net, at, port);
            at = net.neighbour(at, port as usize);
        }
        let pair = (from.get(), at.get());
        if hops.is_empty() || at == from {
            continue;
        }
        let mut longer = program.clone();
        let value = longer.value(Who::One(from), 1, Origin::Message);
        longer.send(value, Who::One(from), (start, Train::STEADY), hops);
        ends.push(pair);
        if fits(&longer, &ends) {
            program = longer;
            taken.extend(entries);
        } else {
            ends.pop();
        }
    }
    program
}
