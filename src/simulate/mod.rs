//! The cycle simulator: a program run on a network cycle by cycle, with words, statistics and faults, without any hardware.
//!
//! It follows the hops of the program and nothing else. A word enters a channel in the cycle that the program names and
//! is at its end a latency later. It is kept or combined where the program says so. A channel that is entered twice in
//! a cycle is an error. Symmetric programs are run for all nodes at once, so the work is one table look-up a hop.

mod data;
mod fault;
mod sent;
mod trace;

pub use data::{Arrays, ByRule, Given};
pub use fault::{Fault, FaultError, Raised};
pub use sent::sent;
pub use trace::{TooLong, Trace};

use crate::id::NodeId;
use crate::program::timing::{Crossing, crossings, ports};
use crate::program::{Input, Operation, Origin, Program, Switching, Who};
use crate::topology::Topology;
use serde::Serialize;
use std::collections::HashMap;
use std::rc::Rc;

/// Source of the words that nodes have, and sink of those that they get.
pub trait Data {
    /// The word that a node has as batch `batch` of a value; of a message, the one for node `to`.
    fn word(&self, value: u32, from: NodeId, to: NodeId, batch: u32) -> u64;

    /// The operator's identity.
    fn identity(&self) -> u64;

    /// An element of the second array.
    fn factor(&self, _index: u32) -> u64 {
        0
    }

    /// The result of an operation.
    fn combine(&self, operation: Operation, inputs: &[u64]) -> u64;

    /// Takes a word that node `at` keeps, from the node that had or made it.
    fn keep(&mut self, _value: u32, _from: NodeId, _at: NodeId, _batch: u32, _word: u64) {}

    /// Takes a word that node `at` has made.
    fn make(&mut self, _value: u32, _at: NodeId, _batch: u32, _word: u64) {}

    /// Observes the words that enter channels by `port` in a cycle: the node that each leaves, the node that sent it, and the word. Words
    /// that a fault has dropped are not among them.
    fn cross(&mut self, _cycle: u32, _port: u32, _words: &mut dyn Iterator<Item = (NodeId, NodeId, u64)>) {}
}

impl<D: Data> Data for &mut D {
    fn word(&self, value: u32, from: NodeId, to: NodeId, batch: u32) -> u64 {
        (**self).word(value, from, to, batch)
    }

    fn identity(&self) -> u64 {
        (**self).identity()
    }

    fn factor(&self, index: u32) -> u64 {
        (**self).factor(index)
    }

    fn combine(&self, operation: Operation, inputs: &[u64]) -> u64 {
        (**self).combine(operation, inputs)
    }

    fn keep(&mut self, value: u32, from: NodeId, at: NodeId, batch: u32, word: u64) {
        (**self).keep(value, from, at, batch, word);
    }

    fn make(&mut self, value: u32, at: NodeId, batch: u32, word: u64) {
        (**self).make(value, at, batch, word);
    }

    fn cross(&mut self, cycle: u32, port: u32, words: &mut dyn Iterator<Item = (NodeId, NodeId, u64)>) {
        (**self).cross(cycle, port, words);
    }
}

/// Error of a simulation.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SimulateError {
    /// Two words enter a channel.
    #[error("two words enter channel {channel} in cycle {cycle}")]
    Conflict {
        /// The channel, in words.
        channel: String,
        /// Cycle in which both words enter.
        cycle: u32,
    },
}

/// Number of packets with the same latency.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Bin {
    /// Cycles from the entry of the packet's first channel to the node that keeps it.
    pub cycles: u32,
    /// Packets.
    pub packets: u64,
}

/// Statistics of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Statistics {
    /// Crossings of channels of the network, loopbacks left out.
    pub crossings: u64,
    /// Words that nodes kept: arrivals.
    pub arrivals: u64,
    /// Results of operations.
    pub operations: u64,
    /// First cycle after the last crossing, arrival or operation.
    pub cycles: u32,
    /// Channels of the network.
    pub channels: u64,
    /// Most crossings of a channel.
    pub busiest: u32,
    /// Channel with most crossings, in words.
    pub busiest_channel: String,
    /// Channels that nothing crosses.
    pub idle_channels: u64,
    /// Arrivals by latency.
    pub latency: Vec<Bin>,
}

/// A run that has ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Run {
    /// Statistics.
    pub statistics: Statistics,
    /// Fault bits that the hardware would raise, by cycle.
    pub raised: Vec<Raised>,
    /// Words that each fault has hit.
    pub hit: Vec<u64>,
}

/// Event of a cycle; operations come before hops.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    Op(u32),
    Hop(u32),
}

/// Words on their way, by the position of the node where they started.
#[derive(Debug, Clone, Default)]
struct Flight {
    at: Vec<u32>,
    words: Rc<Vec<u64>>,
    /// Words that are lost; empty if none is.
    lost: Vec<bool>,
    /// Words whose parity is wrong; empty if none's is.
    flipped: Vec<bool>,
}

impl Flight {
    /// Number of words.
    fn len(&self) -> usize {
        self.at.len()
    }

    fn is_lost(&self, i: usize) -> bool {
        self.lost.get(i).is_some_and(|lost| *lost)
    }

    fn is_flipped(&self, i: usize) -> bool {
        self.flipped.get(i).is_some_and(|flipped| *flipped)
    }
}

/// A program on a network, ready to run.
pub struct Simulation<'a, T: Topology + ?Sized> {
    net: &'a T,
    program: &'a Program,
    /// Node to which a port leads, by port, then by node up to the last that has the port; `NONE` where there is no port.
    next: Vec<Vec<u32>>,
    /// Number of entries of `next` before those of a port, by port; then of all.
    before: Vec<usize>,
    /// Events: cycle, event, batch.
    events: Vec<(u32, Event, u32)>,
    /// Move of each hop, by hop.
    moves: Vec<u32>,
    /// Number of times that its word is needed, by children and operations.
    uses: Vec<u32>,
    /// Cycle of the first hop of the route, by hop.
    started: Vec<u32>,
    /// True if the hardware has a parity bit beside each word.
    parity: bool,
}

const NONE: u32 = u32::MAX;

/// Number of nodes up to the last that has a port, by port.
fn ends<T: Topology + ?Sized>(net: &T) -> Vec<usize> {
    let mut ends = vec![0; net.ports()];
    for node in 0..net.nodes() {
        let ports = net.ports_of(node.into());
        ends[..ports].iter_mut().for_each(|end| *end = node + 1);
    }
    ends
}

/// Entries that a simulation has of each channel, 12 bytes each: one for each port and node, but for the nodes behind the last with the
/// port. None above `most`.
pub fn entries<T: Topology + ?Sized>(net: &T, most: u64) -> Option<u64> {
    let found = (net.nodes() as u64 <= most).then(|| ends(net).iter().map(|&end| end as u64).sum::<u64>());
    found.filter(|&found| found <= most)
}

impl<'a, T: Topology + ?Sized> Simulation<'a, T> {
    /// Prepares the run of a program that holds.
    pub fn new(net: &'a T, program: &'a Program) -> Self {
        let nodes = net.nodes();
        let lead = |(port, &ends): (usize, &usize)| {
            let to = |node: usize| (port < net.ports_of(node.into())).then(|| net.neighbour(node.into(), port).get());
            (0..ends).map(|node| to(node).unwrap_or(NONE)).collect()
        };
        let next: Vec<Vec<u32>> = ends(net).iter().enumerate().map(lead).collect();
        let sum = |sum: &mut usize, row: &[u32]| Some(std::mem::replace(sum, *sum + row.len()));
        let before = next.iter().map(Vec::as_slice).chain([&[][..]]).scan(0, |before, row| sum(before, row)).collect();
        let count = program.hops.len();
        let (mut moves, mut uses, mut started) = (vec![0; count], vec![0; count], vec![0; count]);
        let mut events = Vec::new();
        let mut start = u32::MAX;
        for (number, m) in (0..).zip(&program.moves) {
            let Some(origin) = m.who.nodes(nodes).next() else { continue };
            let batches = program.values[m.value as usize].batches;
            // a program that holds ends in a cycle of 32 bits
            for Crossing { hop, entry, .. } in crossings(net, program, m, origin).unwrap_or_default() {
                let parent = program.hops[hop as usize].parent;
                parent.iter().for_each(|&parent| uses[parent as usize] += 1);
                started[hop as usize] = parent.map_or(entry, |parent| started[parent as usize]);
                moves[hop as usize] = number;
                events.extend((0..batches).map(|b| (entry + m.train.start(b), Event::Hop(hop), b)));
                start = start.min(entry);
            }
        }
        for (number, op) in (0..).zip(&program.ops) {
            let batches = program.values[op.out as usize].batches;
            events.extend((0..batches).map(|b| (op.at + op.train.start(b), Event::Op(number), b)));
        }
        for input in &program.inputs {
            if let Input::Arrived(hop) = input {
                uses[*hop as usize] += 1;
            }
        }
        let start = if start == u32::MAX { 0 } else { start };
        events.iter_mut().for_each(|event| event.0 = event.0.saturating_sub(start));
        started.iter_mut().for_each(|cycle| *cycle -= start.min(*cycle));
        events.sort_unstable();
        Self { net, program, next, before, events, moves, uses, started, parity: false }
    }

    /// Simulation with fault bits of hardware that has a parity bit beside each word, or has none.
    pub fn with_parity(self, parity: bool) -> Self {
        Self { parity, ..self }
    }

    /// Runs the program once.
    ///
    /// # Errors
    /// [`SimulateError::Conflict`].
    pub fn run(&self, data: &mut impl Data, faults: &[Fault]) -> Result<Run, SimulateError> {
        let mut state = State {
            stamps: vec![NONE; self.before[self.next.len()]],
            crossed: vec![0; self.before[self.next.len()]],
            flights: HashMap::new(),
            made: HashMap::new(),
            latency: Vec::new(),
            raised: Vec::new(),
            faults,
            hit: vec![0; faults.len()],
            operations: 0,
            cycles: 0,
        };
        for &(cycle, event, batch) in &self.events {
            match event {
                Event::Hop(hop) => self.hop(&mut state, data, cycle, hop, batch)?,
                Event::Op(op) => self.operate(&mut state, data, cycle, op, batch),
            }
        }
        Ok(Run { statistics: self.statistics(&state), raised: state.raised, hit: state.hit })
    }

    /// The words that the nodes of a move have, by position.
    fn launch(&self, state: &State<'_>, data: &impl Data, hop: u32, batch: u32) -> Flight {
        let m = &self.program.moves[self.moves[hop as usize] as usize];
        let value = &self.program.values[m.value as usize];
        let at: Vec<u32> = m.who.nodes(self.net.nodes()).map(NodeId::get).collect();
        let mut lost = Vec::new();
        let words = match value.origin {
            Origin::Made => match state.made.get(&(m.value, batch)) {
                Some(made) => {
                    let place = |node: &u32| if let Who::One(_) = value.who { 0 } else { *node as usize };
                    if !made.1.is_empty() {
                        lost = at.iter().map(|node| made.1[place(node)]).collect();
                    }
                    at.iter().map(|node| made.0[place(node)]).collect()
                }
                None => vec![0; at.len()],
            },
            Origin::Message => {
                // a message is for the node that keeps it first
                let keeps = m.hops.clone().find(|&hop| self.program.hops[hop as usize].keep);
                let ports = keeps.map(|hop| ports(self.program, hop));
                let to = |origin: u32| ports.as_ref().map_or(origin, |ports| self.end(ports, origin));
                at.iter().map(|&n| data.word(m.value, NodeId::new(n), NodeId::new(to(n)), batch)).collect()
            }
            Origin::Identity => vec![data.identity(); at.len()],
            Origin::Word { .. } => {
                at.iter().map(|&n| data.word(m.value, NodeId::new(n), NodeId::new(n), batch)).collect()
            }
        };
        Flight { at, words: Rc::new(words), lost, flipped: Vec::new() }
    }

    /// The node to which ports lead from `origin`.
    fn end(&self, ports: &[u32], origin: u32) -> u32 {
        ports.iter().fold(origin, |at, &port| self.next[port as usize][at as usize])
    }

    fn hop(
        &self,
        state: &mut State<'_>,
        data: &mut impl Data,
        cycle: u32,
        number: u32,
        batch: u32,
    ) -> Result<(), SimulateError> {
        let hop = &self.program.hops[number as usize];
        let m = &self.program.moves[self.moves[number as usize] as usize];
        let mut flight = match hop.parent {
            None => self.launch(state, data, number, batch),
            Some(parent) => state.take(parent, batch),
        };
        let (port, next) = (hop.port as usize, &self.next[hop.port as usize]);
        let base = self.before[port];
        for at in &mut flight.at {
            let place = base + *at as usize;
            if std::mem::replace(&mut state.stamps[place], cycle) == cycle {
                let channel = self.net.describe(self.net.channel_id(NodeId::new(*at), port));
                return Err(SimulateError::Conflict { channel, cycle });
            }
            let to = next[*at as usize];
            state.crossed[place] += u32::from(to != *at);
            *at = to;
        }
        let from = |i: usize| self.before(number, m.who, i);
        strike((state.faults, &mut state.hit), &mut flight, cycle, from);
        let sources = m.who.nodes(self.net.nodes()).enumerate();
        let there = sources.filter(|(i, _)| !flight.is_lost(*i));
        let mut words = there.map(|(i, source)| (NodeId::new(from(i)), source, flight.words[i]));
        data.cross(cycle, hop.port, &mut words);
        let latency = match self.program.switching {
            Switching::Circuit => 1,
            _ => self.program.switching.latency(self.net, NodeId::new(from(0)), hop.port),
        };
        let there = cycle + latency;
        state.cycles = state.cycles.max(there);
        if hop.keep {
            let took = there - (self.started[number as usize] + m.train.start(batch)).min(there);
            let mut arrived = 0;
            let origins = m.who.nodes(self.net.nodes());
            for ((i, origin), &at) in origins.enumerate().zip(&flight.at) {
                if flight.is_lost(i) {
                    state.raised.push(Raised::missing(there, NodeId::new(at), hop.port));
                    continue;
                }
                if self.parity && flight.is_flipped(i) {
                    state.raised.push(Raised::flipped(there, NodeId::new(at), hop.port));
                }
                arrived += 1;
                data.keep(m.value, origin, NodeId::new(at), batch, flight.words[i]);
            }
            if state.latency.len() <= took as usize {
                state.latency.resize(took as usize + 1, 0);
            }
            state.latency[took as usize] += arrived;
        }
        if self.uses[number as usize] > 0 {
            state.flights.insert((number, batch), (self.uses[number as usize], flight));
        }
        Ok(())
    }

    /// The node that the word at position `i` has left over a hop.
    fn before(&self, hop: u32, who: Who, i: usize) -> u32 {
        let origin = match who {
            Who::One(node) => node.get(),
            Who::Every => i as u32,
            Who::Parity { .. } => who.nodes(self.net.nodes()).nth(i).map_or(0, NodeId::get),
        };
        let ports = ports(self.program, hop);
        self.end(&ports[..ports.len() - 1], origin)
    }

    fn operate(&self, state: &mut State<'_>, data: &mut impl Data, cycle: u32, number: u32, batch: u32) {
        let op = &self.program.ops[number as usize];
        let nodes = self.net.nodes();
        let inputs = &self.program.inputs[op.inputs.start as usize..op.inputs.end as usize];
        // by input: the word of each node
        let mut columns: Vec<HashMap<u32, Option<u64>>> = Vec::with_capacity(inputs.len());
        for input in inputs {
            columns.push(match *input {
                Input::Arrived(hop) => {
                    let flight = state.take(hop, batch);
                    let word = |i: usize| (!flight.is_lost(i)).then(|| flight.words[i]);
                    flight.at.iter().enumerate().map(|(i, &at)| (at, word(i))).collect()
                }
                Input::Factor(index) => {
                    let word = data.factor(index);
                    op.who.nodes(nodes).map(|node| (node.get(), Some(word))).collect()
                }
                Input::Own(value) => {
                    let of = &self.program.values[value as usize];
                    let word = |node: NodeId| match of.origin {
                        Origin::Made => state.made.get(&(value, batch)).and_then(|(words, lost)| {
                            let place = if let Who::One(_) = of.who { 0 } else { node.index() };
                            (!lost.get(place).is_some_and(|lost| *lost)).then(|| words[place])
                        }),
                        Origin::Identity => Some(data.identity()),
                        Origin::Message | Origin::Word { .. } => Some(data.word(value, node, node, batch)),
                    };
                    op.who.nodes(nodes).map(|node| (node.get(), word(node))).collect()
                }
            });
        }
        let out = &self.program.values[op.out as usize];
        let places = if let Who::One(_) = out.who { 1 } else { nodes };
        for node in op.who.nodes(nodes) {
            let words: Option<Vec<u64>> =
                columns.iter().map(|column| column.get(&node.get()).copied().flatten()).collect();
            let place = if let Who::One(_) = out.who { 0 } else { node.index() };
            let made = state.made.entry((op.out, batch)).or_insert_with(|| (vec![0; places], Vec::new()));
            match words {
                Some(words) => {
                    made.0[place] = data.combine(op.operation, &words);
                    data.make(op.out, node, batch, made.0[place]);
                    state.operations += 1;
                }
                None => {
                    made.1.resize(places, false);
                    made.1[place] = true;
                }
            }
        }
        state.cycles = state.cycles.max(cycle);
    }

    fn statistics(&self, state: &State<'_>) -> Statistics {
        let (mut channels, mut idle, mut busiest) = (0, 0, (0, 0));
        for (port, leads) in self.next.iter().enumerate() {
            for (node, &to) in leads.iter().enumerate() {
                if to == NONE || to as usize == node {
                    continue;
                }
                let crossings = state.crossed[self.before[port] + node];
                channels += 1;
                idle += u64::from(crossings == 0);
                if crossings > busiest.0 {
                    busiest = (crossings, self.net.channel_id(node.into(), port).index());
                }
            }
        }
        let bins = state.latency.iter().enumerate().filter(|bin| *bin.1 > 0);
        let busiest_channel = match busiest.0 {
            0 => "no channel".to_owned(),
            _ => self.net.describe(busiest.1.into()),
        };
        Statistics {
            crossings: state.crossed.iter().map(|&crossings| u64::from(crossings)).sum(),
            arrivals: state.latency.iter().sum(),
            operations: state.operations,
            cycles: state.cycles,
            channels,
            busiest: busiest.0,
            busiest_channel,
            idle_channels: idle,
            latency: bins.map(|(cycles, &packets)| Bin { cycles: cycles as u32, packets }).collect(),
        }
    }
}

/// State of a run.
struct State<'a> {
    /// Last cycle in which each channel was entered, by port and node.
    stamps: Vec<u32>,
    /// Number of entries.
    crossed: Vec<u32>,
    /// Remaining uses of the words in flight, and the words; by (hop, batch).
    flights: HashMap<(u32, u32), (u32, Flight)>,
    /// Words that nodes have made, and their flags "lost"; by (value, batch).
    made: HashMap<(u32, u32), (Vec<u64>, Vec<bool>)>,
    /// Arrivals by latency.
    latency: Vec<u64>,
    raised: Vec<Raised>,
    faults: &'a [Fault],
    /// Words that each of them has hit.
    hit: Vec<u64>,
    operations: u64,
    cycles: u32,
}

impl State<'_> {
    /// The words at the end of a hop; dropped from the state with the last use.
    fn take(&mut self, hop: u32, batch: u32) -> Flight {
        let Some((uses, flight)) = self.flights.get_mut(&(hop, batch)) else { return Flight::default() };
        *uses -= 1;
        if *uses > 0 {
            return flight.clone();
        }
        self.flights.remove(&(hop, batch)).map(|(_, flight)| flight).unwrap_or_default()
    }
}

/// Applies the faults of a cycle to the words that enter channels from these nodes in it, and counts them.
fn strike((faults, hit): (&[Fault], &mut [u64]), flight: &mut Flight, cycle: u32, from: impl Fn(usize) -> u32) {
    for (fault, hit) in faults.iter().zip(hit) {
        for i in 0..flight.len() {
            if !fault.hits(cycle, NodeId::new(from(i)), NodeId::new(flight.at[i])) {
                continue;
            }
            *hit += 1;
            let count = flight.len();
            match fault.bit() {
                Some(bit) => {
                    Rc::make_mut(&mut flight.words)[i] ^= 1 << bit;
                    flight.flipped.resize(count, false);
                    flight.flipped[i] ^= true;
                }
                None => {
                    flight.lost.resize(count, false);
                    flight.lost[i] = true;
                }
            }
        }
    }
}
