//! Streams by the paper's rule: every packet of a batch is followed from router to router, header by header, and what it
//! leaves on the way is remembered with its time; other batches do the same at other times.

use super::layout::{Layout, Point, PointKind};
use super::{ARRIVAL_CYCLES, ModelError, put_word};
use crate::id::NodeId;
use crate::lower::bits::BitRow;
use crate::lower::flit::{self, From};
use crate::lower::stream::SEND_CYCLES;
use crate::lower::{Frame, StreamLowered};
use crate::schedule::HopLatency;
use crate::schedule::stream::{Injection, StreamProgram};
use crate::topology::Topology;
use crate::topology::headers::{Header, steps};
use crate::topology::swapped_dragonfly::RouterAddress;
use std::collections::BTreeMap;

/// A word of a lane at a point, in a cycle counted from its batch's.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Sight {
    lane: u32,
    /// The first word of the point in a block.
    place: usize,
    /// What the point shows beside the word.
    head: Vec<u64>,
}

/// Everything that a stream shows.
#[derive(Debug)]
pub(super) struct Flow {
    program: StreamProgram,
    frame: Frame,
    /// Cycles that an endpoint reads a packet after each hop; 0 where routers copy.
    software: u32,
    pass_cycles: u64,
    /// By cycle after the batch's: channels, receive ports.
    channels: BTreeMap<u32, Vec<Sight>>,
    receives: BTreeMap<u32, Vec<Sight>>,
}

/// A packet on its way.
struct Packet {
    at: RouterAddress,
    /// When it is at the crossbar there.
    cycle: u32,
    header: Header,
    /// Where it came in, if it did.
    came: Option<Port>,
}

/// The far end of a channel: the router, and the port of the router before.
#[derive(Clone, Copy)]
struct Port {
    node: NodeId,
    port: usize,
}

impl Flow {
    /// Follows the packets of one batch.
    pub(super) fn new(lowered: &StreamLowered, layout: &Layout) -> Result<Self, ModelError> {
        let mut flow = Self {
            program: lowered.program.clone(),
            frame: lowered.frame.clone(),
            software: lowered.software,
            pass_cycles: lowered.pass_cycles.into(),
            channels: BTreeMap::new(),
            receives: BTreeMap::new(),
        };
        for injection in &lowered.program.injections {
            flow.follow(injection, layout)?;
        }
        Ok(flow)
    }

    fn follow(&mut self, injection: &Injection, layout: &Layout) -> Result<(), ModelError> {
        let net = self.frame.network;
        // from a router, or its endpoint, to the next
        let hop = HopLatency {
            local: self.frame.local_stages + self.software,
            global: self.frame.global_stages + self.software,
        };
        let (root, lane) = (net.address(self.program.root), injection.lane);
        let mut open = Vec::new();
        let start = Packet { at: root, cycle: injection.offset, header: injection.header.clone(), came: None };
        match injection.via {
            None => open.push(start),
            Some(x) => {
                let to = net.local(root, x);
                self.see_channel(layout, lane, root, net.local_port(x), start.cycle, (&start.header, From::Bank))?;
                let came = Port { node: net.node(to), port: net.local_port(x) };
                // the diagonal router has no swap by which the packet would come back to it
                if injection.header.broadcast && to.d == to.p {
                    self.see_receive(layout, lane, came, start.cycle + hop.local);
                }
                open.push(Packet { at: to, cycle: start.cycle + hop.local, came: Some(came), ..start });
            }
        }
        while let Some(packet) = open.pop() {
            for step in steps(&net, packet.at, &packet.header) {
                let global = step.port.is_some_and(|port| port >= net.local_ports());
                let cycle = packet.cycle + if global { hop.global } else { hop.local };
                let Some(port) = step.port else {
                    match packet.came {
                        // a last hop that is none: the packet is where it was to go
                        Some(came) if step.header.b == 0 => {
                            if !step.header.broadcast {
                                self.see_receive(layout, lane, came, packet.cycle);
                            }
                        }
                        came => open.push(Packet { at: step.to, cycle, header: step.header, came }),
                    }
                    continue;
                };
                let from = if packet.came.is_none() { From::Bank } else { From::Router };
                self.see_channel(layout, lane, packet.at, port, packet.cycle, (&step.header, from))?;
                let came = Port { node: net.node(step.to), port };
                if step.header.b == 0 || (step.header.broadcast && step.to != packet.at) {
                    self.see_receive(layout, lane, came, cycle);
                }
                open.push(Packet { at: step.to, cycle, header: step.header, came: Some(came) });
            }
        }
        Ok(())
    }

    /// A packet takes a channel out of a router, at whose crossbar it is in `cycle`.
    fn see_channel(
        &mut self,
        layout: &Layout,
        lane: u32,
        at: RouterAddress,
        port: usize,
        cycle: u32,
        (header, from): (&Header, From),
    ) -> Result<(), ModelError> {
        let net = &self.frame.network;
        let point = Point { tile: net.node(at), port, kind: PointKind::Channel };
        let is_local = port < net.local_ports();
        let bits = match is_local {
            true => flit::local(&self.frame, net.address(net.neighbour(point.tile, port)), header, from),
            false => flit::global(&self.frame, header),
        };
        let mut bits = bits.map_err(|_| ModelError::Header { header: header.to_string() })?;
        // where endpoints copy, the header is carried, and a register lies between the copies and the router
        let register = u32::from(self.software > 0);
        if self.software > 0 {
            bits = flit::carried(&self.frame, is_local, &bits);
        }
        let width = self.frame.payload_bits() as usize;
        let mut row = BitRow::zero(width + bits.width());
        (0..bits.width()).for_each(|bit| row.set(width + bit, 1, bits.get(bit, 1)));
        let sight = Sight { lane, place: layout.range(point).start, head: row.pieces(64) };
        self.channels.entry(1 + SEND_CYCLES + cycle + register + self.frame.xbar_stages).or_default().push(sight);
        Ok(())
    }

    /// A router keeps what is at its crossbar in `cycle`.
    fn see_receive(&mut self, layout: &Layout, lane: u32, came: Port, cycle: u32) {
        let point = Point { tile: came.node, port: came.port, kind: PointKind::Receive };
        let width = self.frame.payload_bits() as usize;
        let mut row = BitRow::zero(width + 1);
        row.set(width, 1, 1);
        let sight = Sight { lane, place: layout.range(point).start, head: row.pieces(64) };
        self.receives.entry(1 + SEND_CYCLES + cycle + ARRIVAL_CYCLES).or_default().push(sight);
    }

    /// Cycles from one collective to the earliest next.
    pub(super) fn pass_cycles(&self) -> u64 {
        self.pass_cycles
    }

    /// Cycles to the last arrival.
    pub(super) fn cycles(&self) -> u64 {
        let last = [&self.channels, &self.receives].into_iter().filter_map(|sights| sights.keys().next_back()).max();
        let start = self.program.train.start(self.program.batches() - 1);
        last.map_or(0, |last| u64::from(start) + u64::from(*last) + 1)
    }

    /// Packets at points in one pass.
    pub(super) fn len(&self) -> usize {
        let all = self.channels.values().chain(self.receives.values()).flatten();
        all.map(|sight| self.program.batches_of(sight.lane) as usize).sum()
    }

    /// Adds what a pass shows in a cycle.
    pub(super) fn add(&self, kind: PointKind, cycle: u64, words: &[u64], block: &mut [u64]) {
        let sights = match kind {
            PointKind::Channel => &self.channels,
            PointKind::Receive => &self.receives,
        };
        for (&after, sights) in sights {
            let batch = cycle.checked_sub(after.into()).and_then(|start| self.program.train.batch(start));
            let Some(batch) = batch else { continue };
            for sight in sights.iter().filter(|sight| batch < self.program.batches_of(sight.lane)) {
                let word = words[(batch * self.program.lanes + sight.lane) as usize];
                let shown = &mut block[sight.place..][..sight.head.len()];
                shown.iter_mut().zip(&sight.head).for_each(|(shown, head)| *shown |= head);
                put_word(&self.frame, shown, word);
            }
        }
    }
}
