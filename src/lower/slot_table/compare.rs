//! Comparison of two programs by the words that cross each channel in each cycle, by the words that nodes make, and by
//! the results.
//!
//! Words are told apart by numbers: a hash of the index in the user's array, or of the operation and what it takes.

use super::arrays::IndexArrays;
use super::error::SlotTableError;
use super::frame::SlotFrame;
use super::kind::Kind;
use super::read_back::ReadTables;
use super::traffic::period;
use crate::collective::Collective;
use crate::hash::scrambled;
use crate::id::NodeId;
use crate::lower::LowerError;
use crate::program::timing::{hop_end, hop_start};
use crate::program::{Input, NodeOp, Origin, Program};
use crate::topology::Topology;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// A word that enters a channel, or is made (without a port).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Event {
    cycle: u64,
    node: NodeId,
    port: Option<u32>,
    word: u64,
}

/// A mixture of two numbers.
fn mix(a: u64, b: u64) -> u64 {
    scrambled(a.rotate_left(23) ^ b.wrapping_add(0x9e37_79b9_7f4a_7c15))
}

/// Account of a program: words made, senders, events and results.
struct Account<'a> {
    net: &'a dyn Topology,
    program: &'a Program,
    collective: &'a dyn Collective,
    /// Word that an operation makes, by (value, node, batch, pass). None for the identity of an operator.
    made: HashMap<(u32, NodeId, u32, u32), Option<u64>>,
    /// Index of the move, and the node from which the word comes; by hop and node at the hop's end.
    senders: HashMap<(u32, NodeId), (usize, NodeId)>,
    /// Result flag, by value: true if the words are results where they are kept.
    on_arrival: Vec<bool>,
    events: BTreeSet<Event>,
    results: BTreeMap<u32, (NodeId, u64)>,
}

impl<'a> Account<'a> {
    fn new(net: &'a dyn Topology, program: &'a Program, collective: &'a dyn Collective) -> Self {
        let (made, senders, events, results) = Default::default();
        let on_arrival = program.results_on_arrival();
        let mut account = Self { net, program, collective, made, senders, on_arrival, events, results };
        for (index, m) in program.moves.iter().enumerate() {
            for origin in m.who.nodes(net.nodes()) {
                for number in m.hops.clone() {
                    account
                        .senders
                        .insert((number, hop_end(account.net, account.program, number, origin)), (index, origin));
                }
            }
        }
        let period = period(program);
        for pass in 0..collective.passes().max(1) {
            program.ops.iter().for_each(|op| account.operate(op, pass, u64::from(pass) * period));
            (0..program.moves.len()).for_each(|index| account.send(index, pass, u64::from(pass) * period));
        }
        account
    }

    fn word(&self, value: u32, node: NodeId, to: NodeId, batch: u32, pass: u32) -> Option<u64> {
        match self.program.values[value as usize].origin {
            Origin::Identity => None,
            Origin::Made => self.made.get(&(value, node, batch, pass)).copied().flatten(),
            Origin::Message | Origin::Word { .. } => {
                Some(mix(1, self.collective.sent(self.program.item(value, node, to, [batch, pass])) as u64))
            }
        }
    }

    /// The word of a move from one of its nodes.
    fn sent(&self, index: usize, origin: NodeId, batch: u32, pass: u32) -> Option<u64> {
        let m = &self.program.moves[index];
        let kept = m.hops.clone().find(|&hop| self.program.hops[hop as usize].keep);
        let to = kept.map_or(origin, |hop| hop_end(self.net, self.program, hop, origin));
        self.word(m.value, origin, to, batch, pass)
    }

    fn operate(&mut self, op: &NodeOp, pass: u32, shift: u64) {
        let inputs = &self.program.inputs[op.inputs.start as usize..op.inputs.end as usize];
        for node in op.who.nodes(self.net.nodes()) {
            for batch in 0..self.program.values[op.out as usize].batches {
                let mut words: Vec<u64> = inputs
                    .iter()
                    .filter_map(|input| match *input {
                        Input::Factor(_) => None,
                        Input::Own(value) => self.word(value, node, node, batch, pass),
                        Input::Arrived(hop) => {
                            let &(index, origin) = self.senders.get(&(hop, node))?;
                            self.sent(index, origin, batch, pass)
                        }
                    })
                    .collect();
                words.sort_unstable();
                // the collective says that a combination of a program is a sum; in one that was read back no other is called that
                let kind = match Kind::of(op.operation, self.collective.operator()) {
                    Some(Kind::Min) => 2,
                    Some(Kind::Max) => 3,
                    Some(Kind::Xor) => 5,
                    Some(Kind::Sum) | None => 4,
                };
                let made = match words[..] {
                    [] => None,
                    [one] => Some(one),
                    _ => Some(words.iter().fold(kind, |all, &word| mix(all, word))),
                };
                self.made.insert((op.out, node, batch, pass), made);
                let cycle = u64::from(op.at) + u64::from(op.train.start(batch)) + shift;
                self.events.extend(made.map(|word| Event { cycle, node, port: None, word }));
                let is_result = self.program.results.contains(&op.out);
                if let Some(word) = made.filter(|_| is_result)
                    && let Some(place) = self.collective.received(self.program.item(op.out, node, node, [batch, pass]))
                {
                    self.results.insert(place as u32, (node, word));
                }
            }
        }
    }

    fn send(&mut self, index: usize, pass: u32, shift: u64) {
        let m = &self.program.moves[index];
        for origin in m.who.nodes(self.net.nodes()) {
            for batch in 0..self.program.values[m.value as usize].batches {
                let Some(word) = self.sent(index, origin, batch, pass) else { continue };
                let start = u64::from(m.at) + u64::from(m.train.start(batch)) + shift;
                let mut there = Vec::with_capacity(m.hops.len());
                for number in m.hops.clone() {
                    let hop = &self.program.hops[number as usize];
                    let ready = hop.parent.map_or(start, |parent| there[(parent - m.hops.start) as usize]);
                    let (node, cycle) =
                        (hop_start(self.net, self.program, number, origin), ready + u64::from(hop.wait));
                    self.events.insert(Event { cycle, node, port: Some(hop.port), word });
                    there.push(cycle + u64::from(self.program.switching.latency(self.net, node, hop.port)));
                    if hop.keep && self.on_arrival[m.value as usize] {
                        let end = hop_end(self.net, self.program, number, origin);
                        let place = self.collective.received(self.program.item(m.value, origin, end, [batch, pass]));
                        place.map(|place| self.results.entry(place as u32).or_insert((end, word)));
                    }
                }
            }
        }
    }
}

/// Compares a program with the one that was read back.
///
/// # Errors
/// [`SlotTableError::Image`] with the first difference.
pub(super) fn same(
    net: &dyn Topology,
    program: &Program,
    collective: &dyn Collective,
    read: &ReadTables,
    frame: &SlotFrame,
) -> Result<(), LowerError> {
    let wrong = |node: NodeId, what: String| LowerError::from(SlotTableError::Image { node: frame.label(node), what });
    let wanted = Account::new(net, program, collective);
    let arrays = IndexArrays::default();
    let found = Account::new(net, &read.program, &arrays);
    let start = wanted.events.first().map_or(0, |event| event.cycle);
    let events: BTreeSet<Event> =
        wanted.events.iter().map(|event| Event { cycle: event.cycle - start, ..*event }).collect();
    if let Some(event) = events.symmetric_difference(&found.events).next() {
        let what = match event.port {
            Some(port) => format!("the word that it sends over port {port}"),
            None => "the word that it makes".to_owned(),
        };
        let who = if events.contains(event) { "is missing" } else { "is another" };
        return Err(wrong(event.node, format!("in row {} {what} {who}", event.cycle)));
    }
    let mut results = BTreeMap::new();
    for &(node, index, value, hop) in &read.results {
        let word = match hop {
            Some(hop) => found.senders.get(&(hop, node)).and_then(|&(index, origin)| found.sent(index, origin, 0, 0)),
            None => found.word(value, node, node, 0, 0),
        };
        results.insert(index, (node, word.unwrap_or(0)));
    }
    for (index, &(node, word)) in &wanted.results {
        if results.get(index) != Some(&(node, word)) {
            return Err(wrong(node, format!("word {index} of the result is not where the host reads it")));
        }
    }
    Ok(())
}
