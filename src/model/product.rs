//! Products by the paper's rule: every packet is followed from router to router, header by header, and every router computes what it
//! sends from what has come to it and from its part of the matrix, by where rows and columns lie.

use super::layout::{Layout, Point, PointKind};
use super::{ARRIVAL_CYCLES, ModelError};
use crate::collective::{Operands, Product, ProductKind};
use crate::id::NodeId;
use crate::lower::bits::BitRow;
use crate::lower::flit::{self, From};
use crate::lower::{Frame, ProductLowered};
use crate::schedule::HopLatency;
use crate::schedule::product::{ProductSchedule, Send, Stage, Term};
use crate::topology::headers::{Header, steps};
use crate::topology::swapped_dragonfly::RouterAddress;
use std::collections::HashMap;

/// Cycles from the start of a product at a tile to a word without offset at the crossbar.
const SEND_CYCLES: u32 = 3;

/// What a packet shows at a point in a cycle.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Sight {
    /// Its position among all that is sent.
    send: u32,
    /// The first word of the point in a block.
    place: u32,
    /// Its position among the different heads: what the point shows beside the word.
    head: u32,
}

/// Everything that a product shows.
#[derive(Debug)]
pub(super) struct Works {
    frame: Frame,
    product: Product,
    schedule: ProductSchedule,
    /// Whether a router has K blocks of the matrix, and the number of rows of routers that a column of it meets.
    linear: bool,
    side: u32,
    pass_cycles: u64,
    heads: Vec<Vec<u64>>,
    /// By cycle after the first row's: channels, receive ports.
    channels: Vec<Vec<Sight>>,
    receives: Vec<Vec<Sight>>,
    /// Who gets what is sent, in the order of what is sent.
    arrivals: Vec<(NodeId, u32)>,
}

/// A packet on its way.
struct Packet {
    at: RouterAddress,
    /// When it is at the crossbar there.
    cycle: u32,
    header: Header,
    /// The far end of the channel by which it came: the router, and the port of the router before.
    came: Option<(NodeId, usize)>,
}

impl Works {
    /// Follows all packets.
    pub(super) fn new(lowered: &ProductLowered, layout: &Layout) -> Result<Self, ModelError> {
        let mut works = Self {
            frame: lowered.frame.clone(),
            product: lowered.product,
            schedule: lowered.schedule.clone(),
            linear: lowered.shape.linear,
            side: lowered.shape.side,
            pass_cycles: lowered.pass_cycles.into(),
            heads: Vec::new(),
            channels: Vec::new(),
            receives: Vec::new(),
            arrivals: Vec::new(),
        };
        let mut known = HashMap::new();
        for (number, send) in (0..).zip(&lowered.schedule.sends) {
            works.follow(number, send, layout, &mut known)?;
        }
        Ok(works)
    }

    fn follow(
        &mut self,
        number: u32,
        send: &Send,
        layout: &Layout,
        known: &mut HashMap<Vec<u64>, u32>,
    ) -> Result<(), ModelError> {
        let net = self.frame.network;
        let hop = HopLatency { local: self.frame.local_stages, global: self.frame.global_stages };
        let at = net.address(send.node);
        let mut open = vec![Packet { at, cycle: send.cycle, header: send.header.clone(), came: None }];
        while let Some(packet) = open.pop() {
            for step in steps(&net, packet.at, &packet.header) {
                let Some(port) = step.port else {
                    match (packet.came, step.header.b) {
                        // a last hop that is none: the packet is where it was to go
                        (Some((node, port)), 0) => {
                            self.see_receive(layout, number, node, port, packet.cycle, known);
                        }
                        // what a router keeps for itself is no packet
                        (None, 0) => self.arrivals.push((send.node, number)),
                        (came, _) => {
                            let cycle = packet.cycle + hop.local;
                            open.push(Packet { at: step.to, cycle, header: step.header, came });
                        }
                    }
                    continue;
                };
                let global = port >= net.local_ports();
                let cycle = packet.cycle + if global { hop.global } else { hop.local };
                let from = if packet.came.is_none() { From::Bank } else { From::Router };
                let bits = match global {
                    false => flit::local(&self.frame, step.to, &step.header, from),
                    true => flit::global(&self.frame, &step.header),
                };
                let bits = bits.map_err(|_| ModelError::Header { header: step.header.to_string() })?;
                let point = Point { tile: net.node(packet.at), port, kind: PointKind::Channel };
                let width = self.frame.payload_bits() as usize;
                let mut row = BitRow::zero(width + bits.width());
                (0..bits.width()).for_each(|bit| row.set(width + bit, 1, bits.get(bit, 1)));
                let seen = SEND_CYCLES + packet.cycle + self.frame.xbar_stages;
                let head = self.head(row.pieces(64), known);
                let place = layout.range(point).start as u32;
                see(&mut self.channels, seen, Sight { send: number, place, head });
                let to = net.node(step.to);
                if step.header.b == 0 {
                    self.see_receive(layout, number, to, port, cycle, known);
                }
                open.push(Packet { at: step.to, cycle, header: step.header, came: Some((to, port)) });
            }
        }
        Ok(())
    }

    fn head(&mut self, head: Vec<u64>, known: &mut HashMap<Vec<u64>, u32>) -> u32 {
        let next = self.heads.len() as u32;
        *known.entry(head).or_insert_with_key(|head| {
            self.heads.push(head.clone());
            next
        })
    }

    /// A router keeps what is at its crossbar in `cycle`.
    fn see_receive(
        &mut self,
        layout: &Layout,
        send: u32,
        tile: NodeId,
        port: usize,
        cycle: u32,
        known: &mut HashMap<Vec<u64>, u32>,
    ) {
        self.arrivals.push((tile, send));
        let width = self.frame.payload_bits() as usize;
        let mut row = BitRow::zero(width + 1);
        row.set(width, 1, 1);
        let head = self.head(row.pieces(64), known);
        let place = layout.range(Point { tile, port, kind: PointKind::Receive }).start as u32;
        see(&mut self.receives, SEND_CYCLES + cycle + ARRIVAL_CYCLES, Sight { send, place, head });
    }

    /// Cycles from one collective to the earliest next.
    pub(super) fn pass_cycles(&self) -> u64 {
        self.pass_cycles
    }

    /// Cycles to the last arrival.
    pub(super) fn cycles(&self) -> u64 {
        self.channels.len().max(self.receives.len()) as u64
    }

    /// Packets at points in one pass.
    pub(super) fn len(&self) -> usize {
        self.channels.iter().chain(&self.receives).map(Vec::len).sum()
    }

    /// The words of everything that is sent.
    pub(super) fn values(&self, operands: &Operands) -> Vec<u64> {
        let n = self.product.order as usize;
        let sends = &self.schedule.sends;
        let mut values = vec![0; sends.len()];
        let mut sums: HashMap<(NodeId, Term), u64> = HashMap::new();
        for stage in [Stage::Operand, Stage::Product, Stage::Sum, Stage::Result] {
            for (value, send) in values.iter_mut().zip(sends).filter(|(_, send)| send.term.stage == stage) {
                *value = match stage {
                    Stage::Operand => operands.vectors[send.term.vector as usize * n + send.term.element as usize],
                    _ => sums.get(&(send.node, send.term)).copied().unwrap_or(0),
                };
            }
            for &(node, send) in &self.arrivals {
                let (Term { stage: of, vector, element }, value) = (sends[send as usize].term, values[send as usize]);
                if of != stage {
                    continue;
                }
                let mut add = |stage, element, value: u64| {
                    let sum = sums.entry((node, Term { stage, vector, element })).or_default();
                    *sum = sum.wrapping_add(value);
                };
                match stage {
                    Stage::Operand if self.product.kind == ProductKind::Transpose => {}
                    Stage::Operand => {
                        for other in self.others(node) {
                            let (i, j) = match self.product.kind {
                                ProductKind::MatrixVector => (other, element),
                                _ => (element, other),
                            };
                            let factor = operands.matrix[i as usize * n + j as usize];
                            add(Stage::Product, other, value.wrapping_mul(factor));
                        }
                    }
                    Stage::Product => add(Stage::Sum, element, value),
                    _ => add(Stage::Result, element, value),
                }
            }
        }
        values
    }

    /// The elements of the result for which a router has products: its columns of the matrix, for a column vector its rows.
    fn others(&self, node: NodeId) -> impl Iterator<Item = u32> + use<> {
        let at = self.frame.network.address(node);
        let (m, x, side) = (self.frame.m, self.schedule.block, self.side);
        let column = self.product.kind == ProductKind::MatrixVector;
        let (high, low) = match (column, self.linear) {
            (true, true) => (at.c..at.c + 1, at.d),
            (true, false) => (at.c % side..at.c % side + 1, at.d),
            (false, true) => (0..side, at.p),
            (false, false) => (at.c / side..at.c / side + 1, at.p),
        };
        high.flat_map(move |high| (0..x).map(move |i| (high * m + low) * x + i))
    }

    /// Adds what a pass shows in a cycle.
    pub(super) fn add(&self, kind: PointKind, cycle: u64, values: &[u64], block: &mut [u64]) {
        let sights = match kind {
            PointKind::Channel => &self.channels,
            PointKind::Receive => &self.receives,
        };
        let bits = self.frame.data_bits;
        for sight in sights.get(cycle as usize).into_iter().flatten() {
            let head = &self.heads[sight.head as usize];
            let shown = &mut block[sight.place as usize..][..head.len()];
            shown.iter_mut().zip(head).for_each(|(shown, head)| *shown |= head);
            let word = values[sight.send as usize] & (u64::MAX >> (64 - bits));
            shown[0] |= word;
            if self.frame.parity {
                shown[bits as usize / 64] |= u64::from(word.count_ones() & 1) << (bits % 64);
            }
        }
    }
}

fn see(sights: &mut Vec<Vec<Sight>>, cycle: u32, sight: Sight) {
    while sights.len() <= cycle as usize {
        sights.push(Vec::new());
    }
    sights[cycle as usize].push(sight);
}
