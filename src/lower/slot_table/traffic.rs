//! Traffic of a program, node by node: which words come over which inputs, which leave over which outputs, and which stay.
//!
//! Operators are inputs and outputs like channels: an operation takes its operands over outputs of the crossbar, and its result comes over
//! an input [`operator_cycles`] later.

use super::error::SlotTableError;
use super::kind::Kind;
use crate::collective::Collective;
use crate::id::NodeId;
use crate::lower::LowerError;
use crate::program::{Input, Move, NodeOp, Operation, Origin, Program, Switching, Train};
use crate::topology::Topology;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The most tiles that are built.
pub const MAX_TILES: u32 = 1024;
/// The most rows of a table.
pub const MAX_ROWS: u32 = 16384;

/// Word at a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Word {
    /// Word of the user's array, by index, that the host loads.
    Own(u32),
    /// Word that comes over an input, by index of the node's arrivals.
    Arrived(u32),
}

/// Arrival of a word over an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Arrival {
    /// Cycle from which on the word can leave.
    pub cycle: u32,
    /// Input: channels first, then operators.
    pub input: u32,
}

/// Departure of a word over an output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Send {
    /// Cycle in which the channel is entered, or the operation begins.
    pub cycle: u32,
    /// Output: ports first, then operands.
    pub output: u32,
    /// The word.
    pub word: Word,
}

/// Traffic of a node.
#[derive(Debug, Clone, Default)]
pub struct NodeTraffic {
    /// Channels that lead to the node, by input: source and its port.
    pub channels: Vec<(NodeId, u32)>,
    /// Output ports.
    pub ports: u32,
    /// Operators, and operands of each.
    pub operators: (u32, u32),
    /// Arrivals.
    pub arrivals: Vec<Arrival>,
    /// Departures, by cycle and output.
    pub sends: Vec<Send>,
    /// Operations: by cycle and operator.
    pub kinds: BTreeMap<(u32, u32), Kind>,
    /// Words that are results, by place in the result.
    pub results: BTreeMap<u32, Word>,
}

/// Cycles of an operation of at most `operands` operands: one for the operands' register, one for each level of the
/// tree.
pub fn operator_cycles(operands: u32) -> u32 {
    1 + (u32::BITS - operands.saturating_sub(1).leading_zeros()).max(1)
}

/// Cycles from a pass of a program to the next: its period, or at least as many as it takes.
pub(super) fn period(program: &Program) -> u64 {
    let last = |train: Train, value: u32| u64::from(train.start(program.values[value as usize].batches.max(1) - 1));
    let wait = |hop: u32| u64::from(program.hops[hop as usize].wait) + 256;
    let moves =
        program.moves.iter().map(|m| u64::from(m.at) + m.hops.clone().map(wait).sum::<u64>() + last(m.train, m.value));
    let ops = program.ops.iter().map(|op| u64::from(op.at) + 16 + last(op.train, op.out));
    program.period.map_or_else(|| moves.chain(ops).max().unwrap_or(0), u64::from)
}

/// A word of a batch in a pass at a node.
type Key = (u32, NodeId, u32, u32);

struct Walk<'a> {
    net: &'a dyn Topology,
    program: &'a Program,
    collective: &'a dyn Collective,
    nodes: Vec<NodeTraffic>,
    /// Input of the neighbour to which a port leads, by node, then by port.
    inputs: Vec<Vec<u32>>,
    /// Values that are the operator's identity at a node.
    identities: BTreeSet<(u32, NodeId)>,
    /// Node from which an operand comes, by hop and node at the hop's end.
    senders: HashMap<(u32, NodeId), (u32, NodeId)>,
    /// Arrival of a made value, and of a hop's word that is an operand.
    made: HashMap<Key, u32>,
    arrived: HashMap<Key, u32>,
    /// Operator of an operation, by index.
    units: HashMap<Key, u32>,
    /// Result flag, by value: true if the words are results where they are kept.
    on_arrival: Vec<bool>,
    /// Cycles from pass to pass.
    period: u64,
}

/// The traffic of all nodes, its first cycle being 0, and the cycles that it takes. With `alike` all operators have as many
/// operands, and so many at least.
///
/// # Errors
/// If a word is wanted before it is there, two words want a channel, or the program has no form in slot tables.
pub fn of(
    net: &dyn Topology,
    program: &Program,
    collective: &dyn Collective,
    alike: Option<u32>,
) -> Result<(Vec<NodeTraffic>, u32), LowerError> {
    let no_form = |what: &str| LowerError::from(SlotTableError::Form { what: what.to_owned() });
    if program.switching == Switching::Circuit {
        return Err(no_form("circuits of batches in bursts, or of more cycles than can be counted"));
    }
    let factor = |input: &Input| matches!(input, Input::Factor(_));
    if program.ops.iter().any(|op| op.operation == Operation::MultiplyAdd) || program.inputs.iter().any(factor) {
        return Err(no_form("sums of products"));
    }
    let combines = program.ops.iter().any(|op| op.operation == Operation::Combine);
    if combines && collective.operator().is_none() {
        return Err(no_form("a combination of words without an operator"));
    }
    if !(2..=MAX_TILES as usize).contains(&net.nodes()) {
        return Err(SlotTableError::Nodes { nodes: net.nodes(), most: MAX_TILES }.into());
    }
    ports(net, program)?;
    let mut walk = Walk::new(net, program, collective);
    walk.operations(alike)?;
    walk.moves()?;
    walk.operands()?;
    walk.finish()
}

/// Checks that all hops take ports that exist.
fn ports(net: &dyn Topology, program: &Program) -> Result<(), LowerError> {
    for m in &program.moves {
        for origin in m.who.nodes(net.nodes()) {
            let mut ends: Vec<NodeId> = Vec::with_capacity(m.hops.len());
            for hop in &program.hops[m.hops.start as usize..m.hops.end as usize] {
                let at = hop.parent.map_or(origin, |parent| ends[(parent - m.hops.start) as usize]);
                if hop.port as usize >= net.ports_of(at) {
                    let node = net.title(at);
                    let what = format!("port {} of node {node}, which has none of this number", hop.port);
                    return Err(SlotTableError::Form { what }.into());
                }
                ends.push(net.neighbour(at, hop.port as usize));
            }
        }
    }
    Ok(())
}

impl<'a> Walk<'a> {
    fn new(net: &'a dyn Topology, program: &'a Program, collective: &'a dyn Collective) -> Self {
        let mut nodes = vec![NodeTraffic::default(); net.nodes()];
        for node in (0..net.nodes()).map(NodeId::from) {
            nodes[node.index()].ports = net.ports_of(node) as u32;
            for port in 0..net.ports_of(node) {
                nodes[net.neighbour(node, port).index()].channels.push((node, port as u32));
            }
        }
        let mut inputs: Vec<Vec<u32>> = nodes.iter().map(|node| vec![0; node.ports as usize]).collect();
        for node in &mut nodes {
            node.channels.sort_by_key(|&(src, port)| (port, src));
            for (input, &(src, port)) in (0..).zip(&node.channels) {
                inputs[src.index()][port as usize] = input;
            }
        }
        let mut walk = Self {
            net,
            program,
            collective,
            nodes,
            inputs,
            identities: BTreeSet::new(),
            senders: HashMap::new(),
            made: HashMap::new(),
            arrived: HashMap::new(),
            units: HashMap::new(),
            on_arrival: program.results_on_arrival(),
            period: period(program),
        };
        walk.follow_operands();
        walk
    }

    /// Finds the origins of operands, and the values that are identities.
    fn follow_operands(&mut self) {
        let operand: BTreeSet<u32> = self
            .program
            .inputs
            .iter()
            .filter_map(|i| if let Input::Arrived(h) = *i { Some(h) } else { None })
            .collect();
        for m in &self.program.moves {
            if !m.hops.clone().any(|hop| operand.contains(&hop)) {
                continue;
            }
            for origin in m.who.nodes(self.nodes.len()) {
                for (number, end) in m.hops.clone().zip(self.ends(m, origin)) {
                    self.senders.insert((number, end), (m.value, origin));
                }
            }
        }
        for (value, all) in (0..).zip(&self.program.values) {
            if all.origin == Origin::Identity {
                self.identities.extend(all.who.nodes(self.nodes.len()).map(|node| (value, node)));
            }
        }
        for op in &self.program.ops {
            for node in op.who.nodes(self.nodes.len()) {
                if self.live(op, node).next().is_none() {
                    self.identities.insert((op.out, node));
                }
            }
        }
    }

    /// Nodes at the ends of a move's hops.
    fn ends(&self, m: &Move, origin: NodeId) -> Vec<NodeId> {
        let mut ends = Vec::with_capacity(m.hops.len());
        for hop in &self.program.hops[m.hops.start as usize..m.hops.end as usize] {
            let at = hop.parent.map_or(origin, |parent| ends[(parent - m.hops.start) as usize]);
            ends.push(self.net.neighbour(at, hop.port as usize));
        }
        ends
    }

    /// Operands of an operation that are no identities.
    fn live<'b>(&'b self, op: &NodeOp, node: NodeId) -> impl Iterator<Item = Input> + 'b {
        let inputs = &self.program.inputs[op.inputs.start as usize..op.inputs.end as usize];
        inputs.iter().copied().filter(move |input| match *input {
            Input::Own(value) => !self.identities.contains(&(value, node)),
            Input::Factor(_) => true,
            Input::Arrived(hop) => self.senders.get(&(hop, node)).is_some_and(|from| !self.identities.contains(from)),
        })
    }

    fn cycle(&self, at: u64) -> Result<u32, LowerError> {
        u32::try_from(at).map_err(|_| SlotTableError::Form { what: "cycles that need more than 32 bits".into() }.into())
    }

    fn passes(&self) -> std::ops::Range<u32> {
        0..self.collective.passes().max(1)
    }

    /// The word that a node has as a value; `to` is the node that keeps it.
    fn own(&self, value: u32, node: NodeId, to: NodeId, (batch, pass): (u32, u32)) -> Result<Word, LowerError> {
        if self.program.values[value as usize].origin != Origin::Made {
            return Ok(Word::Own(self.collective.sent(self.program.item(value, node, to, [batch, pass])) as u32));
        }
        let made = self.made.get(&(value, node, batch, pass)).copied().map(Word::Arrived);
        made.ok_or_else(|| {
            let what = format!("value {value} at node {}, which no operation makes", self.label(node));
            SlotTableError::Form { what }.into()
        })
    }

    fn label(&self, node: NodeId) -> String {
        self.net.title(node)
    }

    /// Gives every operation an operator, and its result an arrival.
    fn operations(&mut self, alike: Option<u32>) -> Result<(), LowerError> {
        let mut at: Vec<(u64, NodeId, usize, u32, u32)> = Vec::new();
        for (number, op) in self.program.ops.iter().enumerate() {
            for node in op.who.nodes(self.nodes.len()) {
                let count = self.live(op, node).count() as u32;
                if count == 0 {
                    continue;
                }
                let operators = &mut self.nodes[node.index()].operators;
                operators.1 = operators.1.max(count);
                for batch in 0..self.program.values[op.out as usize].batches {
                    for pass in self.passes() {
                        let start = u64::from(op.at) + u64::from(op.train.start(batch)) + u64::from(pass) * self.period;
                        at.push((start, node, number, batch, pass));
                    }
                }
            }
        }
        if let Some(least) = alike {
            let operands = self.nodes.iter().map(|node| node.operators.1).fold(least, u32::max);
            self.nodes.iter_mut().for_each(|node| node.operators.1 = operands);
        }
        at.sort_unstable();
        for same in at.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            for (unit, &(start, node, number, batch, pass)) in (0..).zip(same) {
                let op = &self.program.ops[number];
                let start = self.cycle(start)?;
                let traffic = &mut self.nodes[node.index()];
                traffic.operators.0 = traffic.operators.0.max(unit + 1);
                let cycle = start + operator_cycles(traffic.operators.1);
                traffic.arrivals.push(Arrival { cycle, input: traffic.channels.len() as u32 + unit });
                let arrival = traffic.arrivals.len() as u32 - 1;
                let kind = Kind::of(op.operation, self.collective.operator());
                traffic.kinds.extend(kind.map(|kind| ((start, unit), kind)));
                self.made.insert((op.out, node, batch, pass), arrival);
                self.units.insert((number as u32, node, batch, pass), unit);
                if self.program.results.contains(&op.out)
                    && let Some(place) = self.collective.received(self.program.item(op.out, node, node, [batch, pass]))
                {
                    self.nodes[node.index()].results.insert(place as u32, Word::Arrived(arrival));
                }
            }
        }
        Ok(())
    }

    /// Follows all words along their hops.
    fn moves(&mut self) -> Result<(), LowerError> {
        let program = self.program;
        for m in &program.moves {
            for origin in m.who.nodes(self.nodes.len()) {
                if self.identities.contains(&(m.value, origin)) {
                    continue;
                }
                let kept = m.hops.clone().position(|hop| program.hops[hop as usize].keep);
                let to = kept.map_or(origin, |hop| self.ends(m, origin)[hop]);
                for batch in 0..program.values[m.value as usize].batches {
                    for pass in self.passes() {
                        let word = self.own(m.value, origin, to, (batch, pass))?;
                        self.follow(m, (origin, word), (batch, pass))?;
                    }
                }
            }
        }
        Ok(())
    }

    /// One word on its way.
    fn follow(
        &mut self,
        m: &Move,
        (origin, word): (NodeId, Word),
        (batch, pass): (u32, u32),
    ) -> Result<(), LowerError> {
        let shift = u64::from(m.train.start(batch)) + u64::from(pass) * self.period;
        let mut ends: Vec<(NodeId, u64, Word)> = Vec::with_capacity(m.hops.len());
        for number in m.hops.clone() {
            let hop = self.program.hops[number as usize];
            let (at, ready, word) = hop
                .parent
                .map_or((origin, u64::from(m.at) + shift, word), |parent| ends[(parent - m.hops.start) as usize]);
            let enter = ready + u64::from(hop.wait);
            let cycle = self.cycle(enter)?;
            self.nodes[at.index()].sends.push(Send { cycle, output: hop.port, word });
            let there = enter + u64::from(self.program.switching.latency(self.net, at, hop.port));
            let end = self.net.neighbour(at, hop.port as usize);
            let (input, cycle) = (self.inputs[at.index()][hop.port as usize], self.cycle(there)?);
            let traffic = &mut self.nodes[end.index()];
            traffic.arrivals.push(Arrival { cycle, input });
            let arrival = traffic.arrivals.len() as u32 - 1;
            ends.push((end, there, Word::Arrived(arrival)));
            if self.senders.contains_key(&(number, end)) {
                self.arrived.insert((number, end, batch, pass), arrival);
            }
            if hop.keep
                && self.on_arrival[m.value as usize]
                && let Some(place) = self.collective.received(self.program.item(m.value, origin, end, [batch, pass]))
            {
                self.nodes[end.index()].results.entry(place as u32).or_insert(Word::Arrived(arrival));
            }
        }
        Ok(())
    }

    /// Lets all operations take their operands.
    fn operands(&mut self) -> Result<(), LowerError> {
        for (number, op) in self.program.ops.iter().enumerate() {
            for node in op.who.nodes(self.nodes.len()) {
                let live: Vec<Input> = self.live(op, node).collect();
                for batch in 0..self.program.values[op.out as usize].batches {
                    for pass in self.passes() {
                        let Some(&unit) = self.units.get(&(number as u32, node, batch, pass)) else {
                            continue;
                        };
                        let start = u64::from(op.at) + u64::from(op.train.start(batch)) + u64::from(pass) * self.period;
                        let cycle = self.cycle(start)?;
                        let (ports, operands) = (self.nodes[node.index()].ports, self.nodes[node.index()].operators.1);
                        for (k, input) in (0..).zip(&live) {
                            let word = match *input {
                                Input::Factor(_) => continue, // refused above
                                Input::Own(value) => self.own(value, node, node, (batch, pass))?,
                                Input::Arrived(hop) => {
                                    let arrival = self.arrived.get(&(hop, node, batch, pass)).copied();
                                    Word::Arrived(arrival.ok_or_else(|| SlotTableError::Form {
                                        what: format!(
                                            "an operation at node {} on a word that does not come",
                                            self.label(node)
                                        ),
                                    })?)
                                }
                            };
                            let output = ports + unit * operands + k;
                            self.nodes[node.index()].sends.push(Send { cycle, output, word });
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// Sorts, checks, and lets the first cycle be 0.
    fn finish(mut self) -> Result<(Vec<NodeTraffic>, u32), LowerError> {
        let starts = self.nodes.iter().flat_map(|node| &node.sends).map(|send| send.cycle);
        let start = starts.min().unwrap_or(0);
        let mut end = 0;
        for index in 0..self.nodes.len() {
            let node = &mut self.nodes[index];
            node.sends.iter_mut().for_each(|send| send.cycle -= start);
            node.arrivals.iter_mut().for_each(|arrival| arrival.cycle -= start);
            node.kinds = node.kinds.iter().map(|(&(cycle, unit), &kind)| ((cycle - start, unit), kind)).collect();
            node.sends.sort_unstable();
            end = node.sends.iter().map(|send| send.cycle + 1).fold(end, u32::max);
            end = node.arrivals.iter().map(|arrival| arrival.cycle + 1).fold(end, u32::max);
            let node = &self.nodes[index];
            let meets = |pair: &&[Send]| (pair[0].cycle, pair[0].output) == (pair[1].cycle, pair[1].output);
            if let Some(pair) = node.sends.windows(2).find(meets) {
                let what = format!(
                    "two words that leave node {} over output {} in cycle {}",
                    self.label(index.into()),
                    pair[0].output,
                    pair[0].cycle
                );
                return Err(SlotTableError::Form { what }.into());
            }
            for send in &node.sends {
                let Word::Arrived(arrival) = send.word else { continue };
                let Arrival { cycle, input } = node.arrivals[arrival as usize];
                if send.cycle < cycle && input >= node.channels.len() as u32 {
                    let least = operator_cycles(node.operators.1);
                    let stages = (least + send.cycle).saturating_sub(cycle);
                    return Err(LowerError::FastOperator { stages, least, field: "router.kind" });
                }
                if send.cycle < cycle {
                    let what = format!(
                        "a word that leaves node {} in cycle {}, before it comes in cycle {cycle}",
                        self.label(index.into()),
                        send.cycle
                    );
                    return Err(SlotTableError::Form { what }.into());
                }
            }
        }
        if end > MAX_ROWS {
            return Err(SlotTableError::Form { what: format!("{end} cycles, and {MAX_ROWS} rows are built") }.into());
        }
        Ok((self.nodes, end))
    }
}
