//! Positions of every packet, each with its first cycle.

use super::fault::Fault;
use super::subject::Judge;
use crate::id::NodeId;
use std::collections::HashMap;

/// First cycles in which packets can leave from nodes.
pub(super) struct Places {
    /// Cycle since which a packet is at a node, by (packet, node).
    since: HashMap<(u32, u32), u32>,
    /// Arrivals at nodes that a packet had reached before.
    pub repeated: u64,
}

impl Places {
    /// The first cycle in which a packet, by its index, can leave from a node.
    pub fn since(&self, packet: u32, node: u32) -> Option<u32> {
        self.since.get(&(packet, node)).copied()
    }

    /// True if a packet is at a node by a cycle.
    pub fn has(&self, packet: u32, node: u32, cycle: u32) -> bool {
        self.since(packet, node).is_some_and(|since| since <= cycle)
    }
}

impl Judge<'_> {
    /// Follows all transfers.
    pub(super) fn places(&self) -> Result<Places, Fault> {
        let made: HashMap<u64, u32> = self.document.ops.iter().flatten().map(|op| (op.packet, op.cycle)).collect();
        let start = |packet: &crate::program::Packet| made.get(&packet.id).copied().unwrap_or(0);
        let since = (0..).zip(&self.document.packets).map(|(index, packet)| ((index, packet.src), start(packet)));
        let mut places = Places { since: since.collect(), repeated: 0 };
        // packets that have come back to where they started
        let mut home = vec![false; self.document.packets.len()];
        if self.circuit {
            self.circuits(&mut places, &mut home)?;
        } else {
            self.hops(&mut places, &mut home)?;
        }
        Ok(places)
    }

    fn hops(&self, places: &mut Places, home: &mut [bool]) -> Result<(), Fault> {
        for &(cycle, channel, packet) in &self.transfers {
            let (src, dst) = self.document.channels[channel as usize];
            let of = &self.document.packets[packet as usize];
            let since = self.here(places, (cycle, channel, packet), src)?;
            if src == of.src {
                self.after(places, cycle, packet)?;
            } else if !self.document.waiting && cycle - since > self.loopback(src) {
                return Err(Fault::Waits { cycle, packet: of.id, node: self.name(src), since });
            }
            self.arrive(places, home, packet, dst, cycle.saturating_add(self.latency(channel)));
        }
        Ok(())
    }

    /// Cycles for which a node can hold a packet without a buffer.
    fn loopback(&self, node: u32) -> u32 {
        let net = self.whole.as_ref().filter(|net| (node as usize) < net.nodes());
        net.map_or(0, |net| net.loopback(NodeId::new(node)))
    }

    /// The cycle since which a packet is at the start of the channel over which it leaves.
    fn here(&self, places: &Places, (cycle, channel, packet): (u32, u32, u32), at: u32) -> Result<u32, Fault> {
        let ready = places.since(packet, at);
        ready.filter(|&ready| ready <= cycle).ok_or_else(|| Fault::NotThere {
            cycle,
            packet: self.document.packets[packet as usize].id,
            channel: self.channel(channel),
            ready,
        })
    }

    /// Checks that all packets have come that this one is to follow.
    fn after(&self, places: &Places, cycle: u32, packet: u32) -> Result<(), Fault> {
        let packet = &self.document.packets[packet as usize];
        let late = |&&id: &&u64| !self.index.get(&id).is_some_and(|&other| places.has(other, packet.src, cycle));
        match packet.after.iter().find(late) {
            Some(&needs) => Err(Fault::Early { cycle, packet: packet.id, node: self.name(packet.src), needs }),
            None => Ok(()),
        }
    }

    fn arrive(&self, places: &mut Places, home: &mut [bool], packet: u32, node: u32, cycle: u32) {
        let back = node == self.document.packets[packet as usize].src;
        let known = places.since.contains_key(&(packet, node));
        places.repeated += u64::from(known && (!back || home[packet as usize]));
        home[packet as usize] |= back;
        let since = places.since.entry((packet, node)).or_insert(cycle);
        *since = cycle.min(*since);
    }

    fn circuits(&self, places: &mut Places, home: &mut [bool]) -> Result<(), Fault> {
        let mut sorted = self.transfers.clone();
        sorted.sort_unstable_by_key(|&(cycle, channel, packet)| (cycle, packet, channel));
        for slot in sorted.chunk_by(|a, b| (a.0, a.2) == (b.0, b.2)) {
            let (cycle, _, packet) = slot[0];
            let mut left: Vec<u32> = slot.iter().map(|transfer| transfer.1).collect();
            let starts = |channel: u32| self.document.channels[channel as usize].0;
            let source = self.document.packets[packet as usize].src;
            if left.iter().any(|&channel| starts(channel) == source) {
                self.after(places, cycle, packet)?;
            }
            let mut open: Vec<u32> =
                left.iter().map(|&c| starts(c)).filter(|&at| places.has(packet, at, cycle)).collect();
            open.dedup();
            while let Some(at) = open.pop() {
                let (leave, rest): (Vec<u32>, Vec<u32>) = left.into_iter().partition(|&channel| starts(channel) == at);
                left = rest;
                for channel in leave {
                    let to = self.document.channels[channel as usize].1;
                    match self.terminal[to as usize] {
                        true => self.arrive(places, home, packet, to, cycle + 1),
                        false => open.push(to),
                    }
                }
            }
            if let Some(&channel) = left.first() {
                self.here(places, (cycle, channel, packet), starts(channel))?;
            }
        }
        Ok(())
    }

    /// Checks that every packet comes to all its destinations.
    pub(super) fn delivered(&self, places: &Places) -> Result<(), Fault> {
        for (index, packet) in (0..).zip(&self.document.packets) {
            if let Some(&node) = packet.dsts.iter().find(|&&node| places.since(index, node).is_none()) {
                return Err(Fault::Undelivered { packet: packet.id, node: self.name(node) });
            }
        }
        Ok(())
    }

    /// Most packets that wait at a node between two cycles and go on later; a node's own are left out, and those on a loopback.
    pub(super) fn most_waiting(&self, places: &Places) -> usize {
        // the last cycle in which a packet leaves from a node where it has waited
        let mut stays: HashMap<(u32, u32), u32> = HashMap::new();
        for &(cycle, channel, packet) in &self.transfers {
            let (at, source) = (self.document.channels[channel as usize].0, self.document.packets[packet as usize].src);
            let waits = |since: u32| since + self.loopback(at) < cycle;
            if at != source && places.since(packet, at).is_some_and(waits) {
                let last = stays.entry((at, packet)).or_insert(cycle);
                *last = cycle.max(*last);
            }
        }
        let mut changes: Vec<(u32, u32, i64)> = Vec::with_capacity(2 * stays.len());
        for (&(node, packet), &last) in &stays {
            let since = places.since(packet, node).unwrap_or(last);
            changes.extend([(node, since, 1), (node, last, -1)]);
        }
        changes.sort_unstable();
        let mut most = 0;
        for node in changes.chunk_by(|a, b| a.0 == b.0) {
            let mut held = 0;
            for change in node {
                held += change.2;
                most = most.max(held);
            }
        }
        most as usize
    }
}
