//! Blocks of words in parts: a part is scheduled as one word, and its words then travel one after the other.
//!
//! With parts of s words, slot t of the schedule of parts becomes cycles s·t to s·t + s - 1. Word b of a part enters a
//! channel in cycle s·t + b. A channel of latency H delays a part by ⌈H / s⌉ slots, so that each word of a part is
//! there when it is to go on.

use super::symmetric::pairs;
use super::{Made, PortModel, Problem};
use crate::collective::demand::Demand;
use crate::id::NodeId;
use crate::program::timing::{Crossing, crossings};
use crate::program::{Hop, Input, Move, Operation, Origin, Program, Switching, Train, Who};
use crate::topology::Topology;
use serde_json::Value;

/// Problem whose chunks are parts of `size` words. None over media, and where nodes use one port at a time and channels
/// have different latencies, since there the words of a part cannot follow one another.
pub(super) fn of_words(words: &Problem, size: u32) -> Option<Problem> {
    let mut latencies = words.latency.iter().copied().filter(|&latency| latency > 0);
    let first = latencies.next();
    if words.is_circuit() || words.ports == PortModel::One && latencies.any(|latency| Some(latency) != first) {
        return None;
    }
    let chunks = words.demand.chunks.iter().step_by(size as usize).cloned().collect();
    let slots = |latency: &u32| latency.div_ceil(size);
    Some(Problem {
        latency: words.latency.iter().map(slots).collect(),
        operator: slots(&words.operator),
        is_operator_free: false,
        demand: Demand { chunks },
        // algorithms of one topology know its words, not parts of them
        table: Value::Null,
        ..words.clone()
    })
}

/// Schedule of words from the schedule of parts of `size` words.
pub(super) fn to_words(words: &Problem, parts: &Problem, size: u32, made: Made) -> Made {
    Words { problem: words, parts, size }.made(made)
}

/// Schedule of words from one of parts.
struct Words<'a> {
    problem: &'a Problem,
    parts: &'a Problem,
    size: u32,
}

impl Words<'_> {
    /// Value, hop or chunk of word `index` of a part, from those of parts.
    fn word(&self, part: u32, index: u32) -> u32 {
        part * self.size + index
    }

    /// The schedule of words.
    fn made(&self, made: Made) -> Made {
        let Made { algorithm, program, chunk, .. } = self.by_node(made);
        let mut words = Program::new(Switching::HopByChannel(self.problem.latency.clone()));
        words.period = program.period.map(|period| period * self.size);
        let mut chunks = Vec::new();
        for (value, part) in program.values.iter().zip(&chunk) {
            for index in 0..self.size {
                let chunk = part.map(|part| self.word(part, index));
                let origin = match (value.origin, chunk) {
                    (Origin::Word { stride, .. }, Some(first)) => Origin::Word { first, stride },
                    (origin, _) => origin,
                };
                words.value(value.who, 1, origin);
                chunks.push(chunk);
            }
        }
        // by hop of a part and word: the hop of the word, and the cycle in which it ends
        let mut hops = vec![(0, 0); program.hops.len() * self.size as usize];
        for m in &program.moves {
            let crossings = self.crossings(&program, m);
            for index in 0..self.size {
                let at = self.word(m.at, index);
                let end = |(slot, channel): (u32, usize)| self.word(slot, index) + self.problem.latency[channel];
                let tree = m.hops.clone().zip(&crossings).map(|(hop, crossing)| {
                    let hop = program.hops[hop as usize];
                    let parent = hop.parent.map(|parent| parent - m.hops.start);
                    let since = parent.map_or(at, |parent| end(crossings[parent as usize]));
                    Hop { parent, wait: self.word(crossing.0, index) - since, ..hop }
                });
                let value = self.word(m.value, index);
                let first = words.send(value, m.who, (at, Train::STEADY), tree);
                for (place, (hop, &crossing)) in (0..).zip(m.hops.clone().zip(&crossings)) {
                    hops[self.word(hop, index) as usize] = (first + place, end(crossing));
                }
            }
        }
        let mut ready = vec![0; words.values.len()];
        for op in &program.ops {
            let inputs = &program.inputs[op.inputs.start as usize..op.inputs.end as usize];
            for index in 0..self.size {
                let input = |input: &Input| match *input {
                    Input::Own(value) => {
                        let value = self.word(value, index);
                        (Input::Own(value), ready[value as usize])
                    }
                    Input::Arrived(hop) => {
                        let (hop, end) = hops[self.word(hop, index) as usize];
                        (Input::Arrived(hop), end)
                    }
                    Input::Factor(factor) => (Input::Factor(factor), 0),
                };
                let inputs: Vec<(Input, u32)> = inputs.iter().map(input).collect();
                let at = inputs.iter().map(|input| input.1).max().unwrap_or(0);
                let latency = if op.operation == Operation::Combine { self.problem.operator } else { op.latency };
                let out = self.word(op.out, index);
                ready[out as usize] = at + latency;
                let when = (at, Train::STEADY, latency);
                words.operate((op.who, out), when, op.operation, inputs.into_iter().map(|input| input.0));
            }
        }
        let of_part = |&value: &u32| (0..self.size).map(move |index| self.word(value, index));
        words.results = program.results.iter().flat_map(of_part).collect();
        let cycles = hops.iter().map(|hop| hop.1).max().unwrap_or(0);
        Made { algorithm, program: words, chunk: chunks, cycles }
    }

    /// The crossings of a move of one node, by hop: slot, and channel.
    fn crossings(&self, program: &Program, m: &Move) -> Vec<(u32, usize)> {
        let net = &self.parts.net;
        let root = m.who.nodes(net.nodes()).next().unwrap_or(NodeId::new(0));
        let found = crossings(net, program, m, root).unwrap_or_default(); // a schedule's cycles fit into 32 bits
        let of = |one: &Crossing| {
            let port = program.hops[one.hop as usize].port as usize;
            (one.entry, net.channel_id(one.from, port).index())
        };
        found.iter().map(of).collect()
    }

    /// The schedule with a move for each node, where one stands for all.
    fn by_node(&self, made: Made) -> Made {
        let is_of_one = |m: &Move| matches!(m.who, Who::One(_));
        let Some(chunks) = pairs(self.parts).filter(|_| !made.program.moves.iter().all(is_of_one)) else { return made };
        let (nodes, old) = (self.parts.net.nodes(), &made.program);
        let mut program = Program::new(old.switching.clone());
        program.period = old.period;
        let mut chunk = Vec::new();
        for m in &old.moves {
            for node in m.who.nodes(nodes) {
                let hops = &old.hops[m.hops.start as usize..m.hops.end as usize];
                let end = hops.iter().fold(node, |at, hop| self.parts.net.neighbour(at, hop.port as usize));
                let value = program.value(Who::One(node), 1, old.values[m.value as usize].origin);
                let rooted = |hop: &Hop| Hop { parent: hop.parent.map(|parent| parent - m.hops.start), ..*hop };
                program.send(value, Who::One(node), (m.at, m.train), hops.iter().map(rooted));
                chunk.push(chunks.get(&(node.get(), end.get())).copied());
            }
        }
        Made { program, chunk, ..made }
    }
}
