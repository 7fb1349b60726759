//! Reading tables back: the program that nodes with these rows would follow, word by word and cycle by cycle.

use super::counters::Counters;
use super::decode;
use super::error::SlotTableError;
use super::fields::Fields;
use super::frame::SlotFrame;
use super::kind::Kind;
use super::table::{Feeder, NodeTable, Row, Wire};
use super::traffic::operator_cycles;
use crate::id::NodeId;
use crate::lower::{Images, LowerError};
use crate::program::{Hop, Input, Operation, Origin, Program, Switching, Train, Who};
use std::collections::{BTreeMap, HashMap};

/// Program and results that the images of the tables make.
#[derive(Debug, Clone)]
pub struct ReadTables {
    /// The program: a value for each word that a host loads or an operator makes, whose index in the user's array is `first` of its
    /// origin.
    pub program: Program,
    /// Results: node, index in the result, value, and the hop over which it came if the node did not have it.
    pub results: Vec<(NodeId, u32, u32, Option<u32>)>,
}

/// A word somewhere: its tree, the hop over which it came, and the cycle from which on it can leave.
#[derive(Debug, Clone, Copy)]
struct Token {
    tree: usize,
    hop: Option<u32>,
    ready: u32,
}

/// The way of a word from the node that has it.
struct Tree {
    node: NodeId,
    origin: Origin,
    hops: Vec<Hop>,
    start: Option<u32>,
}

/// An operation: node, cycle, kind, operands, and the tree of its result.
struct Made {
    node: NodeId,
    cycle: u32,
    kind: Option<Kind>,
    inputs: Vec<Token>,
    tree: usize,
}

/// Banks of a node: words, and the write of the cycle before, by bank.
struct Memory {
    banks: Vec<Vec<Option<Token>>>,
    coming: BTreeMap<u32, (u32, Token)>,
}

impl Memory {
    fn settle(&mut self) {
        for (bank, (address, token)) in std::mem::take(&mut self.coming) {
            self.banks[bank as usize][address as usize] = Some(token);
        }
    }

    /// The word that a bank shows.
    fn shown(&self, row: &Row, bank: u32) -> Option<Token> {
        let read = row.reads.get(&bank)?;
        match (self.coming.get(&bank), read.forward) {
            (Some(&(_, token)), true) => Some(token),
            (None, true) => None,
            (Some(&(address, _)), false) if address == read.address => None,
            (_, false) => self.banks[bank as usize][read.address as usize],
        }
    }
}

struct Walk<'a> {
    hardware: &'a Tables<'a>,
    tables: Vec<NodeTable>,
    memories: Vec<Memory>,
    trees: Vec<Tree>,
    made: Vec<Made>,
    /// Words on their way: by cycle, node and input.
    flying: BTreeMap<(u32, u32, u32), Token>,
    /// Node, input and latency at the far end of a channel, by (node, port).
    ends: HashMap<(NodeId, u32), (u32, u32, u32)>,
}

/// Hardware whose images are read.
pub(super) struct Tables<'a> {
    pub frame: &'a SlotFrame,
    pub nodes: &'a [NodeTable],
    pub channels: &'a [Vec<Wire>],
    pub rows: u32,
    pub results: u32,
    pub switching: &'a Switching,
    /// Names of the images of each node: rows and places.
    pub images: Vec<[String; 2]>,
    /// Counters that make the rows, and the name of the image of each node's loops.
    pub loops: Option<(&'a Counters, Vec<String>)>,
}

/// Follows the words of all nodes with these images of tables and places.
///
/// # Errors
/// [`LowerError::Image`] for rows of another width or number, [`SlotTableError::Image`] with the node, the row and what is wrong.
pub(super) fn walk(tables: &Tables<'_>, images: &Images) -> Result<ReadTables, LowerError> {
    let wrong = |node: usize, what: String| {
        LowerError::from(SlotTableError::Image { node: tables.frame.label(node.into()), what })
    };
    let decoded = tables.nodes.iter().zip(&tables.images).enumerate().map(|(node, (table, [rows, places]))| {
        let fields = Fields::new(&table.shape);
        let rows = match &tables.loops {
            None => images.rows(rows, table.rows.len(), fields.row_bits as usize)?,
            Some((counters, loops)) => {
                let (layout, [stored, count]) = (counters.layout(node), counters.sizes(node).map(|size| size as usize));
                let stored = images.rows(rows, stored, layout.stored_bits() as usize)?;
                let loops = images.rows(&loops[node], count, layout.loop_bits as usize)?;
                layout.unroll(&stored, &loops, tables.rows).map_err(|what| wrong(node, what))?
            }
        };
        let count = (table.load_places + tables.results) as usize;
        let places = images.rows(places, count, fields.place_bits as usize)?;
        decode::node(table, [&rows, &places]).map_err(|what| wrong(node, what))
    });
    let mut walk = Walk::new(tables, decoded.collect::<Result<_, _>>()?);
    for cycle in 0..tables.rows {
        for node in 0..tables.nodes.len() {
            walk.step(node, cycle).map_err(|what| wrong(node, format!("in row {cycle} {what}")))?;
        }
    }
    if let Some((&(cycle, node, _), _)) = walk.flying.first_key_value() {
        return Err(wrong(node as usize, format!("a word comes in cycle {cycle}, after the last row")));
    }
    walk.program().map_err(|(node, what)| wrong(node, what))
}

impl<'a> Walk<'a> {
    fn new(hardware: &'a Tables<'a>, tables: Vec<NodeTable>) -> Self {
        let mut ends = HashMap::new();
        for (node, wires) in (0..).zip(hardware.channels) {
            for (input, wire) in (0..).zip(wires) {
                ends.insert((wire.src, wire.port), (node, input, wire.latency));
            }
        }
        let (mut trees, mut memories) = (Vec::new(), Vec::new());
        for (node, table) in tables.iter().enumerate() {
            let banks = table.shape.banks.iter().map(|bank| vec![None; bank.depth as usize]);
            let mut memory = Memory { banks: banks.collect(), coming: BTreeMap::new() };
            for load in &table.loads {
                let token = Token { tree: trees.len(), hop: None, ready: 0 };
                let origin = Origin::Word { first: load.index, stride: 0 };
                trees.push(Tree { node: node.into(), origin, hops: Vec::new(), start: None });
                for place in &load.places {
                    memory.banks[place.bank as usize][place.address as usize] = Some(token);
                }
            }
            memories.push(memory);
        }
        Self { hardware, tables, memories, trees, made: Vec::new(), flying: BTreeMap::new(), ends }
    }

    /// A cycle of a node.
    fn step(&mut self, node: usize, cycle: u32) -> Result<(), String> {
        let NodeTable { shape, rows, .. } = &self.tables[node];
        let row = &rows[cycle as usize];
        let inputs = shape.inputs();
        let arriving: Vec<Option<Token>> =
            (0..inputs).map(|input| self.flying.remove(&(cycle, node as u32, input))).collect();
        let mut taken = vec![false; inputs as usize];
        let mut operands: BTreeMap<u32, Vec<Token>> = BTreeMap::new();
        for (&output, &source) in &row.selects {
            let token = match source.checked_sub(inputs) {
                None => {
                    taken[source as usize] = true;
                    arriving[source as usize].ok_or_else(|| format!("no word comes over input {source}"))?
                }
                Some(bank) => {
                    let shown = self.memories[node].shown(row, bank);
                    shown.ok_or_else(|| format!("bank {bank} is read where it has no word"))?
                }
            };
            if let Some(operand) = output.checked_sub(shape.ports) {
                operands.entry(operand / shape.operators.1).or_default().push(token);
                continue;
            }
            let Some(&(to, input, latency)) = self.ends.get(&(NodeId::from(node), output)) else {
                return Err(format!("output {output} leads nowhere"));
            };
            let tree = &mut self.trees[token.tree];
            let ready = match token.hop {
                Some(_) => token.ready,
                None => *tree.start.get_or_insert(cycle),
            };
            tree.hops.push(Hop { parent: token.hop, port: output, wait: cycle - ready, keep: false });
            let hop = Some(tree.hops.len() as u32 - 1);
            self.flying.insert((cycle + latency, to, input), Token { tree: token.tree, hop, ready: cycle + latency });
        }
        for (unit, inputs) in operands {
            let (node, kind) = (NodeId::from(node), row.kinds.get(&unit).copied());
            let ready = cycle + operator_cycles(shape.operators.1);
            self.trees.push(Tree { node, origin: Origin::Made, hops: Vec::new(), start: Some(ready) });
            let tree = self.trees.len() - 1;
            self.made.push(Made { node, cycle, kind, inputs, tree });
            self.flying.insert((ready, node.get(), shape.channels + unit), Token { tree, hop: None, ready });
        }
        let mut writes = BTreeMap::new();
        for (&bank, &address) in &row.writes {
            let Feeder::Input(input) = shape.banks[bank as usize].feeder else { continue };
            taken[input as usize] = true;
            let token =
                arriving[input as usize].ok_or_else(|| format!("no word comes over input {input}, to be kept"))?;
            writes.insert(bank, (address, token));
        }
        if let Some(input) = (0..inputs as usize).find(|&input| arriving[input].is_some() && !taken[input]) {
            return Err(format!("a word comes over input {input}, and no field of the row takes it"));
        }
        self.memories[node].settle();
        self.memories[node].coming = writes;
        Ok(())
    }

    /// The program of all that was seen.
    fn program(mut self) -> Result<ReadTables, (usize, String)> {
        let mut results = Vec::new();
        for (node, table) in self.tables.iter().enumerate() {
            self.memories[node].settle();
            for result in &table.results {
                let place = result.places[0];
                let token = self.memories[node].banks[place.bank as usize][place.address as usize];
                let token = token.ok_or_else(|| {
                    (node, format!("word {} of the result is read where there is none", result.index))
                })?;
                if let Some(hop) = token.hop {
                    self.trees[token.tree].hops[hop as usize].keep = true;
                }
                results.push((NodeId::from(node), result.index, token));
            }
        }
        let mut program = Program::new(self.hardware.switching.clone());
        let mut first = Vec::with_capacity(self.trees.len());
        for tree in self.trees {
            let value = program.value(Who::One(tree.node), 1, tree.origin);
            first.push(program.hops.len() as u32);
            if !tree.hops.is_empty() {
                program.send(value, Who::One(tree.node), (tree.start.unwrap_or(0), Train::STEADY), tree.hops);
            }
        }
        for made in self.made {
            let operation = match (made.kind, made.inputs.len()) {
                (_, 1) | (None, _) => Operation::Copy,
                (Some(Kind::Sum), _) => Operation::Combine,
                (Some(Kind::Xor), _) => Operation::Xor,
                (Some(Kind::Min), _) => Operation::Min,
                (Some(Kind::Max), _) => Operation::Max,
            };
            let input = |token: Token| match token.hop {
                Some(hop) => Input::Arrived(first[token.tree] + hop),
                None => Input::Own(token.tree as u32),
            };
            let operands = self.tables[made.node.index()].shape.operators.1;
            let when = (made.cycle, Train::STEADY, operator_cycles(operands));
            let inputs: Vec<Input> = made.inputs.into_iter().map(input).collect();
            program.operate((Who::One(made.node), made.tree as u32), when, operation, inputs);
        }
        let results = results.into_iter().map(|(node, index, token)| {
            let hop = token.hop.map(|hop| first[token.tree] + hop);
            (node, index, token.tree as u32, hop)
        });
        let results: Vec<_> = results.collect();
        let made = results.iter().filter(|result| result.3.is_none()).map(|&(_, _, value, _)| value);
        program.results = made.collect();
        Ok(ReadTables { program, results })
    }
}
