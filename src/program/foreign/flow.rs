//! Flow: packets with their sends and sums, each after the ones that it needs; with times where the form has them.

use super::wanted::{self, Wanted};
use crate::collective::demand::{Chunk, Demand};
use crate::id::NodeId;
use crate::program::Packet;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Send of a packet from a rank to another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Send {
    /// Packet, by index.
    pub packet: u32,
    /// Rank that has it.
    pub from: u32,
    /// Rank that receives it.
    pub to: u32,
    /// Cycles of which it may take any one; none if the form has no times.
    pub cycles: Option<Range<u32>>,
    /// Bytes of the text.
    pub place: Range<usize>,
}

/// Sum of packets at a rank.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Combine {
    /// Packet that is made, by index.
    pub packet: u32,
    /// Rank.
    pub rank: u32,
    /// Packets that are summed, by index.
    pub inputs: Vec<u32>,
}

/// Step of a flow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// A send.
    Send(Send),
    /// A sum.
    Combine(Combine),
}

/// A schedule as another tool has it, between ranks that are numbered from 0.
#[derive(Debug, Clone)]
pub struct Flow {
    /// Number of ranks.
    pub ranks: u32,
    /// The exchange form's table of the collective.
    pub collective: Value,
    /// Table of the network that the form means, if it has a name.
    pub network: Option<Value>,
    /// Links that the file names, or uses; as often as there are channels.
    pub links: Vec<(u32, u32)>,
    /// Packets, by number; the numbers of nodes are those of ranks.
    pub packets: Vec<Packet>,
    /// Sends and sums. One comes before those that need its result.
    pub events: Vec<Event>,
    /// Period in cycles after which the schedule starts again, if the file has one.
    pub period: Option<u32>,
    /// Words, or sums of words, and the ranks that want them.
    pub wanted: Vec<Wanted>,
}

impl Flow {
    /// True if each send has its cycles.
    pub fn is_timed(&self) -> bool {
        self.sends().all(|send| send.cycles.is_some())
    }

    /// True if packets are summed.
    pub fn combines(&self) -> bool {
        self.events.iter().any(|event| matches!(event, Event::Combine(_)))
    }

    /// Operands of the largest sum.
    pub fn most_operands(&self) -> usize {
        let operands = |event: &Event| if let Event::Combine(combine) = event { combine.inputs.len() } else { 0 };
        self.events.iter().map(operands).max().unwrap_or(0)
    }

    /// All sends.
    pub fn sends(&self) -> impl Iterator<Item = &Send> {
        self.events.iter().filter_map(|event| match event {
            Event::Send(send) => Some(send),
            Event::Combine(_) => None,
        })
    }

    /// Words that are owed, with rank r at node `nodes[r]`.
    pub fn demand(&self, nodes: &[NodeId]) -> Demand {
        let at = |ranks: &[u32]| ranks.iter().map(|&rank| nodes[rank as usize]).collect();
        let travels = |wanted: &&Wanted| wanted.from.len() > 1 || !wanted.to.is_empty();
        let chunk = |wanted: &Wanted| Chunk { from: at(&wanted.from), to: at(&wanted.to) };
        Demand { chunks: self.wanted.iter().filter(travels).map(chunk).collect() }
    }
}

/// A flow that is being read.
#[derive(Debug, Default)]
pub(super) struct Draft {
    packets: Vec<Packet>,
    events: Vec<Event>,
    /// Results: packet and rank.
    results: BTreeSet<(u32, u32)>,
}

impl Draft {
    /// A packet that a rank has from the beginning, or makes; its number. `sum` is that of the sum of which it is a part.
    pub fn packet(&mut self, src: u32, sum: u32) -> u32 {
        let id = self.packets.len() as u64;
        self.packets.push(Packet { id, src, dsts: Vec::new(), after: Vec::new(), owner: None, part: sum });
        id as u32
    }

    /// A send.
    pub fn send(&mut self, send: Send) {
        self.events.push(Event::Send(send));
    }

    /// The sum of packets at a rank; its number.
    pub fn combine(&mut self, rank: u32, inputs: Vec<u32>) -> u32 {
        let packet = self.packet(rank, self.packets[inputs[0] as usize].part);
        self.events.push(Event::Combine(Combine { packet, rank, inputs }));
        packet
    }

    /// Marks a packet as a result at a rank.
    pub fn result(&mut self, packet: u32, rank: u32) {
        self.results.insert((packet, rank));
    }

    /// Makes one sum of several that follow each other at a rank, of as many operands as links lead to a rank, and its own.
    fn merge(&mut self, links: &[(u32, u32)]) {
        let mut into: BTreeMap<u32, usize> = BTreeMap::new();
        links.iter().for_each(|link| *into.entry(link.1).or_default() += 1);
        let most = into.into_values().max().unwrap_or(0) + 1;
        let mut uses = vec![0_u32; self.packets.len()];
        self.results.iter().for_each(|result| uses[result.0 as usize] += 1);
        for event in &self.events {
            match event {
                Event::Send(send) => uses[send.packet as usize] += 1,
                Event::Combine(combine) => combine.inputs.iter().for_each(|&input| uses[input as usize] += 1),
            }
        }
        let mut made: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for event in &mut self.events {
            let Event::Combine(combine) = event else { continue };
            let mut size = combine.inputs.len();
            let mut inputs = Vec::with_capacity(size);
            for &input in &combine.inputs {
                match made.get(&input).filter(|of| uses[input as usize] == 1 && size + of.len() - 1 <= most) {
                    Some(of) => {
                        size += of.len() - 1;
                        inputs.extend(of);
                    }
                    None => inputs.push(input),
                }
            }
            combine.inputs.clone_from(&inputs);
            made.insert(combine.packet, inputs);
        }
    }

    /// Flow of the draft, on channels between ranks. `sums` are the wanted combinations, by number; sums that no rank
    /// needs are left out. None for sums that are of no collective.
    pub fn finish(mut self, ranks: u32, links: Vec<(u32, u32)>, sums: Vec<Wanted>) -> Option<Flow> {
        let combines = !sums.is_empty();
        self.merge(&links);
        let mut takers: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
        for &(packet, rank) in &self.results {
            takers.entry(packet).or_default().insert(rank);
        }
        let mut dead = BTreeSet::new();
        for event in self.events.iter().rev() {
            match event {
                Event::Combine(combine) if takers.contains_key(&combine.packet) => {
                    for &input in &combine.inputs {
                        takers.entry(input).or_default().insert(combine.rank);
                    }
                }
                Event::Combine(combine) => {
                    dead.insert(combine.packet);
                }
                Event::Send(_) => {}
            }
        }
        self.events.retain(|event| match event {
            Event::Send(send) => !dead.contains(&send.packet),
            Event::Combine(combine) => !dead.contains(&combine.packet),
        });
        let mut number = vec![0; self.packets.len()];
        let mut packets = Vec::with_capacity(self.packets.len() - dead.len());
        for (old, mut packet) in (0..).zip(self.packets).filter(|(old, _)| !dead.contains(old)) {
            number[old as usize] = packets.len() as u32;
            packet.id = packets.len() as u64;
            packet.dsts = takers.remove(&old).map_or_else(|| vec![packet.src], |ranks| ranks.into_iter().collect());
            packets.push(packet);
        }
        for event in &mut self.events {
            match event {
                Event::Send(send) => send.packet = number[send.packet as usize],
                Event::Combine(combine) => {
                    combine.packet = number[combine.packet as usize];
                    combine.inputs.iter_mut().for_each(|input| *input = number[*input as usize]);
                }
            }
        }
        let (collective, wanted) = match combines {
            true => {
                let (table, parts) = wanted::sums(ranks, &sums)?;
                packets.iter_mut().for_each(|packet| packet.part = parts[packet.part as usize]);
                (table, sums)
            }
            false => {
                packets.iter_mut().for_each(|packet| packet.part = 0);
                let others = |packet: &Packet| packet.dsts.iter().copied().filter(|&dst| dst != packet.src).collect();
                let wanted: Vec<Wanted> =
                    packets.iter().map(|packet| Wanted { from: vec![packet.src], to: others(packet) }).collect();
                (wanted::words(ranks, &wanted), wanted)
            }
        };
        Some(Flow { ranks, collective, network: None, links, packets, events: self.events, period: None, wanted })
    }
}
