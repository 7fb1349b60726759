//! A run of a program on tokens, one for each word: which nodes have which values, and whether they have them in time.
//!
//! Batches are alike, so that one run stands for all of them. A token identifies a result: a random word whose sum
//! shows which words are in it, or the position of a word in a network of comparisons.

use super::fault::{ProgramFault, User};
use super::table::Table;
use crate::id::NodeId;
use crate::program::timing::{end, ports};
use crate::program::{Input, NodeOp, Origin, Train, Value, Who};
use crate::topology::Topology;
use std::collections::HashMap;

/// Input of an operation in a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operand<W> {
    /// Token of a word.
    Word(W),
    /// Element of the nodes' second array.
    Factor(u32),
}

/// Tokens that go into a run and are made in it.
pub trait Tokens {
    /// Token.
    type Word: Clone;

    /// Token of a value that a node has from the beginning.
    fn given(&mut self, value: u32, node: NodeId) -> Self::Word;

    /// Token of the value that operation `index` makes at a node.
    ///
    /// # Errors
    /// In words, if it cannot be made of these.
    fn made(&mut self, index: u32, node: NodeId, inputs: &[Operand<Self::Word>]) -> Result<Self::Word, String>;

    /// True if the tokens of a value are looked at after the run; others are given up when no operation needs them any more.
    fn is_result(&self, _value: u32) -> bool {
        true
    }
}

/// Tokens of all values at all nodes after a run.
pub struct Held<W> {
    /// Token of each value at each node, by value, then by node.
    words: Vec<Vec<Option<W>>>,
    /// Index of the operation that made a value, plus one; 0 if it was there from the beginning, or never. By value and
    /// node.
    maker: Vec<Vec<u32>>,
    /// Node from which a word comes to each node, by hop of every node.
    senders: HashMap<u32, Vec<NodeId>>,
}

impl<W: Clone> Held<W> {
    /// Token of a value at a node; none if the node does not have it.
    pub fn get(&self, values: &[Value], value: u32, node: NodeId) -> Option<&W> {
        self.words[value as usize].get(place(values, value, node)?)?.as_ref()
    }
}

/// Place of a value's word at a node that may have it, among those of all nodes that may.
fn place(values: &[Value], value: u32, node: NodeId) -> Option<usize> {
    let who = values[value as usize].who;
    who.has(node).then(|| if let Who::One(_) = who { 0 } else { node.index() })
}

impl<T: Topology + ?Sized> Table<'_, T> {
    /// Carries out all operations, and checks that their inputs and all words that are sent are there in time.
    ///
    /// # Errors
    /// [`ProgramFault::NotThere`], [`ProgramFault::Early`], [`ProgramFault::Unmade`].
    pub fn run<A: Tokens>(&self, tokens: &mut A) -> Result<Held<A::Word>, ProgramFault> {
        let (program, nodes) = (self.program, self.net.nodes());
        let size = |value: &Value| if let Who::One(_) = value.who { 1 } else { nodes };
        let made = |value: &&Value| value.origin == Origin::Made;
        let maker = program.values.iter().map(|value| vec![0; Some(value).filter(made).map_or(0, size)]).collect();
        let words = program.values.iter().map(|value| vec![None; size(value)]).collect();
        let mut held = Held { words, maker, senders: HashMap::new() };
        for (index, value) in (0..).zip(&program.values).filter(|(_, value)| value.origin != Origin::Made) {
            for node in value.who.nodes(nodes) {
                let place = if let Who::One(_) = value.who { 0 } else { node.index() };
                held.words[index as usize][place] = Some(tokens.given(index, node));
            }
        }
        let needed = self.last_uses(tokens);
        for (index, op) in (0..).zip(&program.ops) {
            for node in op.who.nodes(nodes) {
                let inputs = self.inputs(&mut held, (index, op), node)?;
                let made = tokens.made(index, node, &inputs).map_err(|what| ProgramFault::Unmade {
                    operation: index,
                    at: self.label(node),
                    what,
                })?;
                let out = op.out as usize;
                let free = |&place: &usize| held.maker[out].get(place) == Some(&0);
                let place = place(&program.values, op.out, node).filter(free);
                let place = place.ok_or_else(|| self.not_there(op.out, node, op.at))?;
                (held.words[out][place], held.maker[out][place]) = (Some(made), index + 1);
            }
            needed[index as usize].iter().for_each(|&value| held.words[value as usize] = Vec::new());
        }
        for (index, m) in (0..).zip(&program.moves) {
            if program.values[m.value as usize].origin == Origin::Made {
                for node in m.who.nodes(nodes) {
                    self.ready(&held, (User::Move(index), m.value, node), (m.at, m.train))?;
                }
            }
        }
        Ok(held)
    }

    fn inputs<W: Clone>(
        &self,
        held: &mut Held<W>,
        (index, op): (u32, &NodeOp),
        node: NodeId,
    ) -> Result<Vec<Operand<W>>, ProgramFault> {
        let program = self.program;
        let inputs = &program.inputs[op.inputs.start as usize..op.inputs.end as usize];
        let mut found = Vec::with_capacity(inputs.len());
        for input in inputs {
            let word = match *input {
                Input::Factor(factor) => {
                    found.push(Operand::Factor(factor));
                    continue;
                }
                Input::Own(value) => {
                    self.ready(held, (User::Operation(index), value, node), (op.at, op.train))?;
                    held.get(&program.values, value, node).cloned()
                }
                Input::Arrived(hop) => {
                    let (m, there) = (self.of(hop), self.end[hop as usize]);
                    let from = self.sender(held, hop, node);
                    let from = from.ok_or_else(|| self.not_there(m.value, node, op.at))?;
                    let times = [(there, m.train), (op.at, op.train)];
                    self.in_time(times, (User::Operation(index), m.value, node))?;
                    held.get(&program.values, m.value, from).cloned()
                }
            };
            found.push(Operand::Word(word.ok_or_else(|| self.not_there(op.out, node, op.at))?));
        }
        Ok(found)
    }

    /// The node whose word comes to a node over a hop.
    fn sender<W>(&self, held: &mut Held<W>, hop: u32, node: NodeId) -> Option<NodeId> {
        if !self.alike {
            return (self.to[hop as usize] == node).then(|| self.origin(hop));
        }
        let senders = held.senders.entry(hop).or_insert_with(|| {
            let (path, mut senders) = (ports(self.program, hop), vec![NodeId::new(0); self.net.nodes()]);
            (0..self.net.nodes()).map(NodeId::from).for_each(|from| senders[end(self.net, from, &path).index()] = from);
            senders
        });
        Some(senders[node.index()])
    }

    /// Values that no later operation uses and whose tokens are not read afterwards, by operation.
    fn last_uses<A: Tokens>(&self, tokens: &A) -> Vec<Vec<u32>> {
        let mut last: Vec<Option<usize>> = vec![None; self.program.values.len()];
        for (index, op) in self.program.ops.iter().enumerate() {
            for input in &self.program.inputs[op.inputs.start as usize..op.inputs.end as usize] {
                match *input {
                    Input::Own(value) => last[value as usize] = Some(index),
                    Input::Arrived(hop) => last[self.of(hop).value as usize] = Some(index),
                    Input::Factor(_) => {}
                }
            }
        }
        let mut all = vec![Vec::new(); self.program.ops.len()];
        for (value, last) in (0..).zip(last).filter(|&(value, _)| !tokens.is_result(value)) {
            if let Some(last) = last {
                all[last].push(value);
            }
        }
        all
    }

    /// Checks that a node has a value when it is used.
    fn ready<W>(
        &self,
        held: &Held<W>,
        (user, value, node): (User, u32, NodeId),
        time: (u32, Train),
    ) -> Result<(), ProgramFault> {
        if self.program.values[value as usize].origin != Origin::Made {
            let has = self.program.values[value as usize].who.has(node);
            return if has { Ok(()) } else { Err(self.not_there(value, node, time.0)) };
        }
        let maker =
            place(&self.program.values, value, node).and_then(|place| held.maker[value as usize][place].checked_sub(1));
        let op = &self.program.ops[maker.ok_or_else(|| self.not_there(value, node, time.0))? as usize];
        self.in_time([(op.at.saturating_add(op.latency), op.train), time], (user, value, node))
    }

    /// Checks that each batch is there when it is used.
    fn in_time(
        &self,
        [(there, train), (at, used)]: [(u32, Train); 2],
        (user, value, node): (User, u32, NodeId),
    ) -> Result<(), ProgramFault> {
        let batches = if train == used { 1 } else { self.program.values[value as usize].batches };
        let time = |batch: u32| (at + used.start(batch), there + train.start(batch));
        match (0..batches).find(|&batch| time(batch).0 < time(batch).1) {
            None => Ok(()),
            Some(batch) => {
                let (cycle, ready) = time(batch);
                Err(ProgramFault::Early { user, value, batch, at: self.label(node), cycle, ready })
            }
        }
    }

    fn not_there(&self, value: u32, node: NodeId, cycle: u32) -> ProgramFault {
        ProgramFault::NotThere { value, at: self.label(node), cycle }
    }
}
