//! Programs of circuits: in a step a chunk goes from a processor that has it, over any number of media, to one other.

use super::Made;
use crate::collective::demand::Demand;
use crate::id::NodeId;
use crate::program::{Hop, Origin, Program, Switching, Train, Who};
use crate::topology::{Graph, Topology};
use std::collections::HashMap;

/// Circuit of a chunk in a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Circuit {
    /// Chunk.
    pub chunk: u32,
    /// Step.
    pub step: u32,
    /// Processor that has the chunk.
    pub from: NodeId,
    /// Ports of the processor and of the media, one after the other.
    pub ports: Vec<u32>,
}

/// The program of circuits that bring every chunk to its destinations.
pub(super) fn made(net: &Graph, demand: &Demand, algorithm: &'static str, mut circuits: Vec<Circuit>) -> Made {
    circuits.sort_by_key(|circuit| (circuit.chunk, circuit.step));
    let cycles = circuits.iter().map(|circuit| circuit.step + 1).max().unwrap_or(0);
    let mut program = Program::new(Switching::Circuit);
    let mut chunk = Vec::new();
    for own in circuits.chunk_by(|a, b| a.chunk == b.chunk) {
        let (number, at) = (own[0].chunk, own[0].step);
        let demanded = &demand.chunks[number as usize];
        let source = demanded.from[0];
        // by node: the hop by which the chunk came, and the step from which on it is there
        let mut there: HashMap<NodeId, (Option<u32>, u32)> = HashMap::from([(source, (None, at))]);
        let mut tree: Vec<Hop> = Vec::new();
        for Circuit { step, from, ports, .. } in own {
            let (mut parent, ready) = there.get(from).copied().unwrap_or((None, at));
            let mut node = *from;
            for (index, &port) in ports.iter().enumerate() {
                let wait = if index == 0 { step - ready } else { 0 };
                tree.push(Hop { parent, port, wait, keep: false });
                parent = Some(tree.len() as u32 - 1);
                node = net.neighbour(node, port as usize);
            }
            if let Some(last) = tree.last_mut() {
                last.keep = demanded.to.binary_search(&node).is_ok();
            }
            there.insert(node, (parent, step + 1));
        }
        let who = Who::One(source);
        let value = program.value(who, 1, Origin::Message);
        program.send(value, who, (at, Train::STEADY), tree);
        chunk.push(Some(number));
    }
    Made { algorithm, program, chunk, cycles }
}
