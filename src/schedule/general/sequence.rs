//! Schedules one after the other, as one.

use super::problem::Made;
use crate::collective::demand::{Chunk, Demand};
use crate::id::NodeId;
use crate::program::timing::{end, ports};
use crate::program::{Move, Operation, Program, Who, listed};
use crate::spec::Operator;
use crate::topology::Graph;
use std::collections::HashMap;

/// A schedule of the sequence.
#[derive(Debug, Clone)]
pub struct Part {
    /// Words and their destinations.
    pub demand: Demand,
    /// Schedule.
    pub made: Made,
    /// Operator of its combinations.
    pub operator: Option<Operator>,
}

/// Schedules one after the other.
#[derive(Debug, Clone)]
pub struct Joined {
    /// Program.
    pub program: Program,
    /// Chunks of all, in order.
    pub demand: Demand,
    /// Chunk of `demand` of each value of the program, by value: the value is a word of the chunk or a part of its
    /// combination.
    pub chunk: Vec<Option<u32>>,
    /// First cycle of each schedule and index of its first value, by schedule.
    pub starts: Vec<(u32, u32)>,
}

impl Joined {
    /// Chunks of the values of a schedule, counted among its own.
    pub fn chunks_of(&self, index: usize, parts: &[Part]) -> Vec<Option<u32>> {
        let values =
            self.starts[index].1 as usize..self.starts.get(index + 1).map_or(self.chunk.len(), |next| next.1 as usize);
        let first: usize = parts[..index].iter().map(|part| part.demand.chunks.len()).sum();
        self.chunk[values].iter().map(|chunk| chunk.map(|chunk| chunk - first as u32)).collect()
    }
}

/// Joins schedules: each starts in the first cycle in which all of the one before is in place. Every value of the program has a chunk,
/// and operators other than the sum are operations of their own.
pub fn in_sequence(net: &Graph, parts: &[Part]) -> Option<Joined> {
    let first = parts.first()?;
    let mut joined = Joined {
        program: Program::new(first.made.program.switching.clone()),
        demand: Demand::default(),
        chunk: Vec::new(),
        starts: Vec::new(),
    };
    let mut start = 0;
    for part in parts {
        let (program, chunk) = with_chunks(net, part);
        joined.starts.push((start, joined.chunk.len() as u32));
        joined.program.append(&program, start);
        let before = joined.demand.chunks.len() as u32;
        joined.chunk.extend(chunk.into_iter().map(|chunk| chunk.map(|chunk| chunk + before)));
        joined.demand.chunks.extend(part.demand.chunks.iter().cloned());
        start += part.made.cycles;
    }
    Some(joined)
}

/// Pairs of nodes with one chunk from the first to the second alone.
fn ends(demand: &Demand) -> HashMap<(NodeId, NodeId), u32> {
    let one = |chunk: &Chunk| match (&chunk.from[..], &chunk.to[..]) {
        (&[from], &[to]) => Some((from, to)),
        _ => None,
    };
    (0..).zip(&demand.chunks).filter_map(|(index, chunk)| Some((one(chunk)?, index))).collect()
}

/// The program of a schedule, node by node, and the chunk of each of its values.
fn with_chunks(net: &Graph, part: &Part) -> (Program, Vec<Option<u32>>) {
    let Made { program, chunk, .. } = &part.made;
    let (mut all, mut chunks) = match program.moves.iter().all(|m| matches!(m.who, Who::One(_))) {
        true => (program.clone(), chunk.clone()),
        false => {
            let (all, value) = listed(net, program);
            let chunks = value.iter().map(|&value| chunk.get(value as usize).copied().flatten()).collect();
            (all, chunks)
        }
    };
    let ends = ends(&part.demand);
    for m in &all.moves {
        let (Who::One(from), chunk) = (m.who, &mut chunks[m.value as usize]) else { continue };
        if chunk.is_none() {
            *chunk = kept(net, &all, m, from).and_then(|to| ends.get(&(from, to)).copied());
        }
    }
    for op in &mut all.ops {
        if let (Operation::Combine, Some(operator)) = (op.operation, part.operator) {
            op.operation = Operation::by(operator);
        }
    }
    (all, chunks)
}

/// The first node that keeps the word of a move.
fn kept(net: &Graph, program: &Program, m: &Move, from: NodeId) -> Option<NodeId> {
    let hop = m.hops.clone().find(|&hop| program.hops[hop as usize].keep)?;
    Some(end(net, from, &ports(program, hop)))
}
