//! Cycles and nodes of hops: when a word enters each channel of its move's tree, and when it is at the far end.

use super::{Move, Program};
use crate::id::NodeId;
use crate::topology::Topology;

/// Crossing of a channel by batch 0 of a move, on its way from one node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Crossing {
    /// Hop, an index into [`Program::hops`].
    pub hop: u32,
    /// Node before the channel.
    pub from: NodeId,
    /// Node behind it.
    pub to: NodeId,
    /// Cycle in which the word enters the channel.
    pub entry: u32,
    /// Cycle from which on it is at the far end.
    pub end: u32,
}

/// Crossings of a move's batch 0 from a node, in the order of its hops; none if a cycle needs more than 32 bits.
pub fn crossings<T: Topology + ?Sized>(net: &T, program: &Program, m: &Move, origin: NodeId) -> Option<Vec<Crossing>> {
    let mut found: Vec<Crossing> = Vec::with_capacity(m.hops.len());
    for index in m.hops.clone() {
        let hop = &program.hops[index as usize];
        let (from, ready) = match hop.parent {
            None => (origin, m.at),
            Some(parent) => {
                let before = &found[(parent - m.hops.start) as usize];
                (before.to, before.end)
            }
        };
        let entry = ready.checked_add(hop.wait)?;
        let end = entry.checked_add(program.switching.latency(net, from, hop.port))?;
        found.push(Crossing { hop: index, from, to: net.neighbour(from, hop.port as usize), entry, end });
    }
    Some(found)
}

/// Ports of the way to a hop's channel, that of the hop last.
pub fn ports(program: &Program, hop: u32) -> Vec<u32> {
    let mut ports = Vec::new();
    let mut next = Some(hop);
    while let Some(hop) = next.map(|hop| &program.hops[hop as usize]) {
        ports.push(hop.port);
        next = hop.parent;
    }
    ports.reverse();
    ports
}

/// The node to which ports lead from a node, one after the other.
pub fn end<T: Topology + ?Sized>(net: &T, from: NodeId, ports: &[u32]) -> NodeId {
    ports.iter().fold(from, |at, &port| net.neighbour(at, port as usize))
}

/// The node that a hop leaves, of a word that started at `origin`.
pub fn hop_start<T: Topology + ?Sized>(net: &T, program: &Program, hop: u32, origin: NodeId) -> NodeId {
    program.hops[hop as usize].parent.map_or(origin, |parent| hop_end(net, program, parent, origin))
}

/// The node to which a hop leads, of a word that started at `origin`.
pub fn hop_end<T: Topology + ?Sized>(net: &T, program: &Program, hop: u32, origin: NodeId) -> NodeId {
    net.neighbour(hop_start(net, program, hop, origin), program.hops[hop as usize].port as usize)
}

/// Entry and end of every hop of batch 0, in cycles by hop. Words of several nodes take the time of those of the first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Timing {
    /// Cycle in which the word enters the channel.
    pub entry: Vec<u32>,
    /// Cycle from which on it is at the far end.
    pub end: Vec<u32>,
}

impl Timing {
    /// The times of a program's hops; none if a cycle of some batch needs more than 32 bits.
    pub fn new<T: Topology + ?Sized>(net: &T, program: &Program) -> Option<Self> {
        let (mut entry, mut end) = (vec![0; program.hops.len()], vec![0; program.hops.len()]);
        for m in &program.moves {
            let Some(origin) = m.who.nodes(net.nodes()).next() else { continue };
            let last = m.train.start(program.values[m.value as usize].batches.max(1) - 1);
            for crossing in crossings(net, program, m, origin)? {
                crossing.end.checked_add(last)?.checked_add(u32::from(u8::MAX))?;
                entry[crossing.hop as usize] = crossing.entry;
                end[crossing.hop as usize] = crossing.end;
            }
        }
        Some(Self { entry, end })
    }

    /// First cycle in which a channel is entered; 0 without hops.
    pub fn start(&self) -> u32 {
        self.entry.iter().copied().min().unwrap_or(0)
    }
}
