//! Circuits as hops: a slot becomes as many cycles as its longest path has channels, and a word crosses one of them in each.

use super::timing::crossings;
use super::{Hop, Move, NodeOp, Program, Switching, Train};
use crate::topology::Topology;

/// The program of hops of a cycle each that does what a program of circuits does, and the cycles of a slot. Media are nodes like
/// others in it, which pass a word on in the cycle in which it has come.
///
/// None if a cycle needs more than 32 bits, or batches leave in bursts.
pub fn unrolled<T: Topology + ?Sized>(net: &T, program: &Program) -> Option<(Program, u32)> {
    // by hop: its slot, and the channels before it on its path in the slot
    let mut slots = vec![(0, 0); program.hops.len()];
    for m in &program.moves {
        let Some(origin) = m.who.nodes(net.nodes()).next() else { continue };
        for crossing in crossings(net, program, m, origin)? {
            let parent = program.hops[crossing.hop as usize].parent.filter(|_| net.is_medium(crossing.from));
            let before = parent.map_or(0, |parent| slots[parent as usize].1 + 1);
            slots[crossing.hop as usize] = (crossing.entry, before);
        }
    }
    let slot = slots.iter().map(|&(_, before)| before + 1).max().unwrap_or(1);
    let scaled = |train: Train| match train.burst {
        1 => Some(Train { period: train.period.checked_mul(slot)?, burst: 1 }),
        _ => None,
    };
    let entry = |hop: u32| {
        let (number, before) = slots[hop as usize];
        slot.checked_mul(number)?.checked_add(before)
    };
    let period = match program.period {
        Some(period) => Some(period.checked_mul(slot)?),
        None => None,
    };
    let mut unrolled = Program {
        period,
        values: program.values.clone(),
        inputs: program.inputs.clone(),
        results: program.results.clone(),
        ..Program::new(Switching::Hop(vec![1; net.ports()]))
    };
    for m in &program.moves {
        let at = m.at.checked_mul(slot)?;
        for index in m.hops.clone() {
            let hop = program.hops[index as usize];
            let ready = match hop.parent {
                None => at,
                Some(parent) => entry(parent)? + 1,
            };
            unrolled.hops.push(Hop { wait: entry(index)? - ready, ..hop });
        }
        unrolled.moves.push(Move { at, train: scaled(m.train)?, ..m.clone() });
    }
    for op in &program.ops {
        let (at, latency) = (op.at.checked_mul(slot)?, op.latency.checked_mul(slot)?);
        unrolled.ops.push(NodeOp { at, latency, train: scaled(op.train)?, ..op.clone() });
    }
    Some((unrolled, slot))
}
