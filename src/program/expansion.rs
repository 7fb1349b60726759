//! Expansion of a program: every packet, transfer and operation that it stands for, as the exchange format lists them.
//!
//! A packet is a word of a value at the node that has it from the beginning or makes it. A copy that a node makes of
//! its own word is not a new packet. The identity of an operator is not a packet, and its channels are left out.

use super::packet::{Op, Packet};
use super::timing::{Timing, end, hop_end, hop_start, ports};
use super::{Input, Operation, Origin, Program, Switching, Value, Who};
use crate::id::NodeId;
use crate::topology::Topology;
use std::collections::BTreeSet;

/// Error of a program that has more packets or cycles than can be numbered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the program has more packets, channels or cycles than 32 bits can number")]
pub struct TooLarge;

/// Waiting of words at nodes of their route.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Waiting {
    /// Every word leaves in the cycle in which it has come.
    Never,
    /// Words wait in some nodes.
    Some,
}

/// The expansion of a program on a network.
pub struct Expansion<'a, T: Topology + ?Sized> {
    net: &'a T,
    program: &'a Program,
    /// Entry cycle of batch 0 into the channel, by hop.
    entry: Vec<u32>,
    /// The first cycle in which a channel is entered: cycle 0 of the expansion.
    start: u32,
    /// Id of the first packet of each value, by value.
    first_packet: Vec<u64>,
    /// Value of which the packet is, by value and node. Empty without operations.
    holder: Vec<Option<u32>>,
    /// Index of the first entry of `holder`, by value.
    first_holder: Vec<usize>,
    /// Node from which a word comes, by node, for each hop that is an input of an operation; by hop.
    senders: Vec<Option<Vec<NodeId>>>,
    /// Index of the move of each hop, by hop.
    move_of: Vec<u32>,
    /// Indices of the moves that send a value, by value.
    moves_of: Vec<Vec<u32>>,
    /// Number of the first channel of each node, and the port of its loopback.
    channels: Vec<(u32, u32)>,
}

const NO_PORT: u32 = u32::MAX;

/// Nodes of a network that is expanded: a list of them is kept.
const MOST_NODES: usize = 1 << 26;

impl<'a, T: Topology + ?Sized> Expansion<'a, T> {
    /// Prepares the expansion; indices of the program must be in range.
    ///
    /// # Errors
    /// [`TooLarge`].
    pub fn new(net: &'a T, program: &'a Program) -> Result<Self, TooLarge> {
        if net.nodes() > MOST_NODES {
            return Err(TooLarge);
        }
        let timing = Timing::new(net, program).ok_or(TooLarge)?;
        let (start, entry) = (timing.start(), timing.entry);
        let nodes = net.nodes();
        let sizes = program.values.iter().map(|value| value.who.places(nodes) as u64);
        let first_packet = sizes
            .zip(&program.values)
            .scan(0, |next, (places, value)| {
                let first = *next;
                *next += places * u64::from(value.batches);
                Some(first)
            })
            .collect();
        let mut move_of = vec![0; program.hops.len()];
        let mut moves_of = vec![Vec::new(); program.values.len()];
        for (index, m) in (0..).zip(&program.moves) {
            move_of[m.hops.start as usize..m.hops.end as usize].fill(index);
            moves_of[m.value as usize].push(index);
        }
        let mut number = 0_u32;
        let mut channels = Vec::with_capacity(nodes);
        for node in (0..nodes).map(NodeId::from) {
            let ports = net.ports_of(node);
            let own = (0..ports).find(|&port| net.neighbour(node, port) == node);
            channels.push((number, own.map_or(NO_PORT, |port| port as u32)));
            number = number.checked_add((ports - usize::from(own.is_some())) as u32).ok_or(TooLarge)?;
        }
        let mut expansion = Self {
            net,
            program,
            entry,
            start,
            first_packet,
            holder: Vec::new(),
            first_holder: Vec::new(),
            senders: Vec::new(),
            move_of,
            moves_of,
            channels,
        };
        if !program.ops.is_empty() {
            expansion.follow_operations();
        }
        Ok(expansion)
    }

    /// Computes `senders` and `holder`: the packet of which each value is at each node, in the order of operations.
    fn follow_operations(&mut self) {
        let (program, nodes) = (self.program, self.net.nodes());
        self.senders = vec![None; program.hops.len()];
        for input in &program.inputs {
            let Input::Arrived(hop) = *input else { continue };
            let who = program.moves[self.move_of[hop as usize] as usize].who;
            if !matches!(who, Who::One(_)) && self.senders[hop as usize].is_none() {
                let mut from = vec![NodeId::new(0); nodes];
                who.nodes(nodes).for_each(|origin| from[hop_end(self.net, self.program, hop, origin).index()] = origin);
                self.senders[hop as usize] = Some(from);
            }
        }
        self.first_holder = program
            .values
            .iter()
            .scan(0, |next, value| {
                let first = *next;
                *next += value.who.places(nodes);
                Some(first)
            })
            .collect();
        for (index, value) in (0..).zip(&program.values) {
            let own = matches!(value.origin, Origin::Message | Origin::Word { .. }).then_some(index);
            self.holder.extend(std::iter::repeat_n(own, value.who.places(nodes)));
        }
        for op in &program.ops {
            for node in op.who.nodes(nodes) {
                let mut found = self.inputs(op.inputs.clone(), node);
                let made = match (found.next(), found.next()) {
                    (None, _) => None,
                    (Some((value, from)), None) if from == node && op.operation != Operation::MultiplyAdd => {
                        Some(value)
                    }
                    _ => Some(op.out),
                };
                drop(found);
                let place = self.first_holder[op.out as usize] + program.values[op.out as usize].who.place(node);
                self.holder[place] = made;
            }
        }
    }

    /// The packets that an operation at a node takes: their values, and the nodes that have or made them.
    fn inputs(&self, inputs: std::ops::Range<u32>, node: NodeId) -> impl Iterator<Item = (u32, NodeId)> + '_ {
        let inputs = &self.program.inputs[inputs.start as usize..inputs.end as usize];
        inputs.iter().filter_map(move |input| match *input {
            Input::Own(value) => Some((self.held(value, node)?, node)),
            Input::Arrived(hop) => {
                let m = &self.program.moves[self.move_of[hop as usize] as usize];
                let from = match (m.who, &self.senders[hop as usize]) {
                    (Who::One(from), _) => from,
                    (_, Some(senders)) => senders[node.index()],
                    (_, None) => return None,
                };
                Some((self.held(m.value, from)?, from))
            }
            Input::Factor(_) => None,
        })
    }

    /// The value whose packet a node has as this value; none if it is no node's word.
    fn held(&self, value: u32, node: NodeId) -> Option<u32> {
        if self.holder.is_empty() {
            return Some(value);
        }
        self.holder[self.first_holder[value as usize] + self.program.values[value as usize].who.place(node)]
    }

    fn id(&self, value: u32, node: NodeId, batch: u32) -> u64 {
        let of = &self.program.values[value as usize];
        let (places, place) = (of.who.places(self.net.nodes()) as u64, of.who.place(node) as u64);
        self.first_packet[value as usize] + u64::from(batch) * places + place
    }

    /// The number of a channel in the exchange format; none for a loopback.
    fn channel(&self, node: NodeId, port: u32) -> Option<u32> {
        let (first, own) = self.channels[node.index()];
        (port != own).then(|| first + port - u32::from(port > own))
    }

    /// The network and the program.
    pub(super) fn parts(&self) -> (&'a T, &'a Program) {
        (self.net, self.program)
    }

    /// Number of nodes of the network.
    pub fn nodes(&self) -> usize {
        self.net.nodes()
    }

    /// Cycle in which batch 0 of a move enters the channel of a hop.
    pub fn entry(&self, hop: u32) -> u32 {
        self.entry[hop as usize] - self.start
    }

    /// Id of a value's first packet; those of a batch follow each other node by node, batches one after the other.
    pub fn first_packet(&self, value: u32) -> u64 {
        self.first_packet[value as usize]
    }

    /// Number of transfers at most: loopbacks and identities count, too.
    pub fn transfer_count(&self) -> u64 {
        let nodes = self.net.nodes();
        let of = |m: &super::Move| {
            let words = self.program.values[m.value as usize].batches;
            let origins = if let Who::One(_) = m.who { 1 } else { nodes as u64 };
            u64::from(m.hops.end - m.hops.start) * u64::from(words) * origins
        };
        self.program.moves.iter().map(of).sum()
    }

    /// Number of packet ids.
    pub fn packet_count(&self) -> u64 {
        let end = |value: &Value| value.who.places(self.net.nodes()) as u64 * u64::from(value.batches);
        self.program.values.iter().map(end).sum()
    }

    /// Waiting of words at nodes of their route. A loopback of one cycle is no wait.
    pub fn waiting(&self) -> Waiting {
        let hops = &self.program.hops;
        let waits = hops.iter().any(|hop| hop.parent.is_some() && hop.wait > 0);
        let slow = |(node, &(_, port)): (usize, &(u32, u32))| {
            port != NO_PORT && self.program.switching.latency(self.net, node.into(), port) != 1
        };
        let loops = || {
            let slow: BTreeSet<u32> = self.channels.iter().enumerate().filter(|c| slow(*c)).map(|c| c.1.1).collect();
            hops.iter().any(|hop| {
                hop.parent.is_some_and(|p| slow.contains(&hops[p as usize].port) || slow.contains(&hop.port))
            })
        };
        if waits || self.program.switching == Switching::Circuit || loops() { Waiting::Some } else { Waiting::Never }
    }

    /// Cycles of a hop over each channel, in their order; none if all are 1 or switching is by circuits.
    pub fn latencies(&self) -> Option<Vec<u32>> {
        if self.program.switching == Switching::Circuit {
            return None;
        }
        let of = |(node, port)| self.program.switching.latency(self.net, node, port);
        let all: Vec<u32> = self.channel_ends().map(of).collect();
        all.iter().any(|&cycles| cycles != 1).then_some(all)
    }

    /// Node and port of every channel, in their order.
    fn channel_ends(&self) -> impl Iterator<Item = (NodeId, u32)> + '_ {
        (0..self.net.nodes()).map(NodeId::from).flat_map(move |node| {
            let own = self.channels[node.index()].1;
            (0..self.net.ports_of(node) as u32).filter(move |&port| port != own).map(move |port| (node, port))
        })
    }

    /// The two ends of every channel, in their order.
    pub fn channels(&self) -> impl Iterator<Item = (NodeId, NodeId)> + '_ {
        self.channel_ends().map(|(node, port)| (node, self.net.neighbour(node, port as usize)))
    }

    /// All packets, by id.
    pub fn packets(&self) -> impl Iterator<Item = Packet> + '_ {
        let parts =
            !self.program.ops.is_empty() && !self.program.ops.iter().any(|op| op.operation == Operation::MultiplyAdd);
        // values that stand for packets of another value at some node
        let mut carriers: Vec<BTreeSet<u32>> = vec![BTreeSet::new(); self.program.values.len()];
        for (value, &first) in (0..).zip(&self.first_holder) {
            let places = self.program.values[value as usize].who.places(self.net.nodes());
            for held in self.holder[first..first + places].iter().flatten().filter(|&&held| held != value) {
                carriers[*held as usize].insert(value);
            }
        }
        (0..).zip(&self.program.values).zip(carriers).flat_map(move |((index, value), carriers)| {
            (0..value.batches).flat_map(move |batch| {
                let carriers = carriers.clone();
                value.who.nodes(self.net.nodes()).filter(move |&node| self.held(index, node) == Some(index)).map(
                    move |node| {
                        let mut dsts = BTreeSet::new();
                        for carrier in
                            carriers.iter().copied().chain([index]).filter(|&c| self.held(c, node) == Some(index))
                        {
                            for &m in &self.moves_of[carrier as usize] {
                                let m = &self.program.moves[m as usize];
                                let kept = m.hops.clone().filter(|&hop| self.program.hops[hop as usize].keep);
                                if m.who.has(node) {
                                    dsts.extend(kept.map(|hop| hop_end(self.net, self.program, hop, node)));
                                }
                            }
                        }
                        if dsts.len() != 1 {
                            dsts.remove(&node);
                        }
                        if dsts.is_empty() {
                            dsts.insert(node);
                        }
                        let part = match value.origin {
                            Origin::Word { first, stride } if parts => first + batch * stride,
                            _ => 0,
                        };
                        let dsts = dsts.into_iter().map(NodeId::get).collect();
                        Packet {
                            id: self.id(index, node, batch),
                            src: node.get(),
                            dsts,
                            after: Vec::new(),
                            owner: None,
                            part,
                        }
                    },
                )
            })
        })
    }

    /// All transfers, sorted: cycle, number of the channel, packet.
    pub fn transfers(&self) -> impl Iterator<Item = (u32, u32, u64)> + '_ {
        let mut events: Vec<(u32, u32, u32)> = Vec::new();
        for m in &self.program.moves {
            for hop in m.hops.clone() {
                let entry = self.entry[hop as usize] - self.start;
                let batches = 0..self.program.values[m.value as usize].batches;
                events.extend(batches.map(|batch| (entry + m.train.start(batch), hop, batch)));
            }
        }
        events.sort_unstable();
        let mut at = 0;
        std::iter::from_fn(move || {
            let &(cycle, ..) = events.get(at)?;
            let same = events[at..].iter().take_while(|event| event.0 == cycle);
            let mut transfers = Vec::new();
            for &(_, hop, batch) in same {
                at += 1;
                let m = &self.program.moves[self.move_of[hop as usize] as usize];
                let ports = ports(self.program, hop);
                let Some((&port, before)) = ports.split_last() else { continue };
                transfers.extend(m.who.nodes(self.net.nodes()).filter_map(|origin| {
                    let value = self.held(m.value, origin)?;
                    let channel = self.channel(end(self.net, origin, before), port)?;
                    Some((cycle, channel, self.id(value, origin, batch)))
                }));
            }
            transfers.sort_unstable();
            Some(transfers)
        })
        .flatten()
    }

    /// All operations, by cycle.
    pub fn ops(&self) -> Vec<Op> {
        let mut all = Vec::new();
        for op in &self.program.ops {
            for node in op.who.nodes(self.net.nodes()) {
                if self.held(op.out, node) != Some(op.out) {
                    continue;
                }
                let inputs: Vec<(u32, NodeId)> = self.inputs(op.inputs.clone(), node).collect();
                for batch in 0..self.program.values[op.out as usize].batches {
                    let cycle = (op.at + op.train.start(batch)).saturating_sub(self.start);
                    let inputs = inputs.iter().map(|&(value, from)| self.id(value, from, batch)).collect();
                    all.push(Op { packet: self.id(op.out, node, batch), node: node.get(), cycle, inputs });
                }
            }
        }
        all.sort_by_key(|op| op.cycle); // stable: one that another needs stays before it
        all
    }

    /// The first cycle at whose start everything is in place.
    pub fn cycles(&self) -> u32 {
        let program = self.program;
        let mut end = 0;
        for m in &program.moves {
            let batches = program.values[m.value as usize].batches;
            let last = (0..batches).map(|batch| m.train.start(batch)).max().unwrap_or(0);
            for hop in m.hops.clone() {
                let crosses = |origin: NodeId| {
                    let (node, port) =
                        (hop_start(self.net, self.program, hop, origin), program.hops[hop as usize].port);
                    self.held(m.value, origin)?;
                    self.channel(node, port)?;
                    // a slot of circuits ends with its last channel
                    Some(match program.switching {
                        Switching::Circuit => 1,
                        _ => program.switching.latency(self.net, node, port),
                    })
                };
                let there = self.entry[hop as usize] - self.start + last;
                // ends in time are alike where latencies go by ports
                if let Some(latency) = m.who.nodes(self.net.nodes()).find_map(crosses) {
                    end = end.max(there + latency);
                }
            }
        }
        let ops = program
            .ops
            .iter()
            .filter(|op| op.who.nodes(self.net.nodes()).any(|n| self.held(op.out, n) == Some(op.out)));
        let ops = ops.map(|op| {
            let batches = program.values[op.out as usize].batches;
            (op.at + op.train.start(batches.max(1) - 1)).saturating_sub(self.start)
        });
        ops.fold(end, u32::max)
    }
}
