//! Exchanges by the paper's rule: every packet goes from router to router, port by port or as its header says, and every node
//! does with the words that come what the collective says of it. All of it is computed once for the words of a collective, and
//! shown at its time.

use super::layout::{Layout, Point, PointKind};
use super::{ARRIVAL_CYCLES, put_word};
use crate::collective::ExchangeKind;
use crate::collective::exchange::{combine, identity};
use crate::id::NodeId;
use crate::lower::{ExchangeLowered, Frame};
use crate::schedule::HopLatency;
use crate::schedule::exchange_program::{Action, ExchangeProgram, Operand, Port, Register, Step, Way};
use crate::spec::Operator;
use crate::topology::headers::steps;
use crate::topology::swapped_dragonfly::RouterAddress;
use crate::topology::{SwappedDragonfly, Topology};

/// Cycles from a step's beat to its first word in the register of a channel.
const SEND_CYCLES: u32 = 3;

/// What a collective of exchanges shows and leaves.
#[derive(Debug, Clone)]
pub struct Exchanged {
    /// What packets carry: by step, packet of a word, word and sender.
    sent: Vec<Vec<u64>>,
    /// What every node has in the end: by node and word.
    pub results: Vec<u64>,
}

/// Something that a packet passes: after so many cycles, at these places of a block, by sender.
#[derive(Debug)]
struct Sight {
    kind: PointKind,
    after: u32,
    places: Vec<u32>,
}

/// The packets that all routers send of a word.
#[derive(Debug)]
struct Journey {
    step: usize,
    operand: Operand,
    register: Register,
    sights: Vec<Sight>,
    /// Where the packet of each router ends.
    ends: Vec<NodeId>,
}

/// Everything that a program of exchanges shows.
#[derive(Debug)]
pub(super) struct Exchanges {
    program: ExchangeProgram,
    kind: ExchangeKind,
    frame: Frame,
    pass_cycles: u64,
    journeys: Vec<Journey>,
}

impl Exchanges {
    /// Follows a packet of every router in every step.
    pub(super) fn new(lowered: &ExchangeLowered, layout: &Layout) -> Self {
        let (frame, program) = (&lowered.frame, &lowered.program);
        let mut journeys = Vec::new();
        for (number, step) in program.steps.iter().enumerate() {
            for send in &step.sends {
                let (sights, ends) = follow(frame, layout, &send.way);
                let (operand, register) = (send.operand, send.register);
                journeys.push(Journey { step: number, operand, register, sights, ends });
            }
        }
        let (program, frame) = (program.clone(), frame.clone());
        Self { program, kind: lowered.kind, frame, pass_cycles: lowered.pass_cycles.into(), journeys }
    }

    /// Cycles from one collective to the earliest next.
    pub(super) fn pass_cycles(&self) -> u64 {
        self.pass_cycles
    }

    fn sights(&self) -> impl Iterator<Item = (&Step, &Sight)> {
        let step = |journey: &Journey| &self.program.steps[journey.step];
        self.journeys.iter().flat_map(move |journey| journey.sights.iter().map(move |sight| (step(journey), sight)))
    }

    /// Cycles to the last arrival.
    pub(super) fn cycles(&self) -> u64 {
        let last_word = self.program.words - 1;
        let end = |(step, sight): (&Step, &Sight)| step.start + step.train.start(last_word) + sight.after + 1;
        self.sights().map(end).max().unwrap_or(0).into()
    }

    /// Packets at points in one collective.
    pub(super) fn len(&self) -> usize {
        self.sights().map(|(_, sight)| sight.places.len()).sum::<usize>() * self.program.words as usize
    }

    /// Runs a collective on these words, by node and then word.
    pub(super) fn run(&self, words: &[u64]) -> Exchanged {
        let (nodes, count) = (self.frame.network.nodes(), self.program.words as usize);
        let mask = u64::MAX >> (64 - self.frame.data_bits);
        let op = match self.kind {
            ExchangeKind::AllReduce(op) | ExchangeKind::PrefixScan(op) => Some(op),
            ExchangeKind::Sort => None,
        };
        let nothing = op.map_or(0, identity) & mask;
        let mut all: Vec<Node> =
            words.iter().map(|&word| Node { value: word, prefix: word, carry: nothing, mask, op }).collect();
        let mut sent = Vec::new();
        for (number, step) in self.program.steps.iter().enumerate() {
            let mut got = vec![[None; 3]; all.len()];
            for journey in self.journeys.iter().filter(|journey| journey.step == number) {
                let mut packets = Vec::with_capacity(all.len());
                for word in 0..count {
                    for (from, to) in journey.ends.iter().enumerate() {
                        let node = &all[from * count + word];
                        let packet = if journey.register == Register::Value { node.value } else { node.carry };
                        packets.push(packet);
                        got[to.index() * count + word][operand(journey.operand)] = Some(packet);
                    }
                }
                sent.push(packets);
            }
            for router in 0..nodes {
                let label = label(&self.frame.network, router, step.swapped);
                for word in 0..count {
                    all[router * count + word].act(step, label, got[router * count + word]);
                }
            }
        }
        let result =
            |node: &Node| if matches!(self.kind, ExchangeKind::PrefixScan(_)) { node.prefix } else { node.value };
        Exchanged { sent, results: all.iter().map(result).collect() }
    }

    /// Adds what a collective shows in a cycle.
    pub(super) fn add(&self, kind: PointKind, cycle: u64, exchanged: &Exchanged, block: &mut [u64]) {
        let nodes = self.frame.network.nodes();
        for (journey, sent) in self.journeys.iter().zip(&exchanged.sent) {
            let step = &self.program.steps[journey.step];
            for sight in journey.sights.iter().filter(|sight| sight.kind == kind) {
                let after = cycle.checked_sub(u64::from(step.start) + u64::from(sight.after));
                let word = after.and_then(|after| step.train.batch(after)).filter(|&word| word < self.program.words);
                let Some(word) = word else { continue };
                let packets = &sent[word as usize * nodes..][..nodes];
                for (&place, &packet) in sight.places.iter().zip(packets) {
                    let shown = &mut block[place as usize..];
                    put_word(&self.frame, shown, packet);
                    // {valid, payload}, on a channel and in a receive port
                    let valid = self.frame.payload_bits();
                    shown[valid as usize / 64] |= 1 << (valid % 64);
                }
            }
        }
    }
}

/// The place of an operand among those that a router gets of a word.
fn operand(operand: Operand) -> usize {
    match operand {
        Operand::Own => 0,
        Operand::Other => 1,
        Operand::Carry => 2,
    }
}

/// The label of the node whose words are in a router.
fn label(net: &SwappedDragonfly, router: usize, swapped: bool) -> usize {
    let at = net.address(router.into());
    let home = if swapped { RouterAddress { d: at.p, p: at.d, ..at } } else { at };
    net.node(home).index()
}

/// What the packet of every router passes on a way, and where it ends.
fn follow(frame: &Frame, layout: &Layout, way: &Way) -> (Vec<Sight>, Vec<NodeId>) {
    let net = &frame.network;
    let hop = HopLatency { local: frame.local_stages, global: frame.global_stages };
    let mut sights: Vec<Sight> = Vec::new();
    let mut see = |kind, after, point: Point| {
        let place = layout.range(point).start as u32;
        match sights.iter_mut().find(|sight| (sight.kind, sight.after) == (kind, after)) {
            Some(sight) => sight.places.push(place),
            None => sights.push(Sight { kind, after, places: vec![place] }),
        }
    };
    let mut ends = Vec::new();
    for router in 0..net.nodes() {
        let mut cycle = SEND_CYCLES;
        let mut came = 0;
        let mut at = net.address(router.into());
        for (port, to) in hops(net, at, way) {
            if let Some(port) = port {
                see(PointKind::Channel, cycle, Point { tile: net.node(at), port, kind: PointKind::Channel });
                came = port;
            }
            let global = port.is_some_and(|port| port >= net.local_ports());
            cycle += if global { hop.global } else { hop.local };
            at = to;
        }
        // the port that leads back: what leaves by a port comes in by the same, as all sums are exclusive or
        let point = Point { tile: net.node(at), port: came, kind: PointKind::Receive };
        see(PointKind::Receive, cycle - ARRIVAL_CYCLES, point);
        ends.push(net.node(at));
    }
    (sights, ends)
}

/// The hops of a packet: the port, if it does not stay, and the router at the end.
fn hops(net: &SwappedDragonfly, from: RouterAddress, way: &Way) -> Vec<(Option<usize>, RouterAddress)> {
    let mut at = from;
    match way {
        Way::Ports(ports) => ports
            .iter()
            .map(|port| {
                let index;
                (index, at) = match *port {
                    Port::Local(x) => (net.local_port(x), net.local(at, x)),
                    Port::Global(x) => (net.global_port(x), net.global(at, x)),
                };
                (Some(index), at)
            })
            .collect(),
        Way::Header(header) => {
            let mut header = header.clone();
            let mut all = Vec::new();
            while let [step] = steps(net, at, &header).as_slice() {
                all.push((step.port, step.to));
                (at, header) = (step.to, step.header.clone());
            }
            all
        }
    }
}

/// What a router has of a word.
struct Node {
    value: u64,
    prefix: u64,
    carry: u64,
    mask: u64,
    /// None sorts.
    op: Option<Operator>,
}

impl Node {
    fn join(&self, a: u64, b: u64) -> u64 {
        self.op.map_or(0, |op| combine(op, a, b) & self.mask)
    }

    /// What a step does with the operands that came for the node `label`.
    fn act(&mut self, step: &Step, label: usize, [own, other, carry]: [Option<u64>; 3]) {
        let own = own.unwrap_or(self.value);
        let bit = |i: u32| label >> i & 1 == 1;
        match (step.action, other) {
            (Action::Combine { dimension }, Some(other)) => {
                self.value = self.join(own, other);
                match (bit(dimension), step.swapped) {
                    (true, false) => self.prefix = self.join(self.prefix, other),
                    (true, true) => self.carry = self.join(self.carry, other),
                    (false, _) => {}
                }
            }
            (Action::Compare { dimension, stage }, Some(other)) => {
                let smaller = bit(dimension) == bit(stage);
                self.value = if smaller { own.min(other) } else { own.max(other) };
            }
            _ => self.value = own,
        }
        if let Some(carry) = carry {
            self.prefix = self.join(self.prefix, carry);
        }
    }
}
