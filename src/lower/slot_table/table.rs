//! Tables of nodes: the hardware of a node, and its actions in each cycle.

use super::kind::Kind;
use crate::id::NodeId;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Place of a word in a node's banks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// Bank.
    pub bank: u32,
    /// Address.
    pub address: u32,
}

/// Read of a bank.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Read {
    /// Address.
    pub address: u32,
    /// True if the word is written in the cycle before it leaves, and so bypasses the memory.
    pub forward: bool,
}

/// Row of a node's table: all that happens in a cycle.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Row {
    /// Source by output.
    pub selects: BTreeMap<u32, u32>,
    /// Word that each bank shows in this cycle.
    pub reads: BTreeMap<u32, Read>,
    /// Address by bank at which the word of its input is kept.
    pub writes: BTreeMap<u32, u32>,
    /// Operator by unit, whose operands are selected in this row.
    pub kinds: BTreeMap<u32, Kind>,
}

/// Origin of a bank's words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Feeder {
    /// The host.
    Host,
    /// An input of the crossbar.
    Input(u32),
}

/// Bank of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Bank {
    /// Origin of its words.
    pub feeder: Feeder,
    /// Words.
    pub depth: u32,
    /// True if a word can bypass the memory.
    pub forward: bool,
}

/// Crosspoint of a node's crossbar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Crosspoint {
    /// Output: ports, then operands of the operators.
    pub output: u32,
    /// Source: channels, operators, then banks.
    pub source: u32,
}

/// Hardware of a node.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Shape {
    /// Channels that lead to the node.
    pub channels: u32,
    /// Ports by which channels leave it.
    pub ports: u32,
    /// Operators, and operands of each.
    pub operators: (u32, u32),
    /// Banks of the host's words, which are the first.
    pub hosts: u32,
    /// Banks.
    pub banks: Vec<Bank>,
    /// Banks whose words can be results, in their order; at least one.
    pub results: Vec<u32>,
    /// Crosspoints that are built.
    pub crosspoints: Vec<Crosspoint>,
    /// Operators' kinds.
    pub kinds: Vec<Kind>,
}

impl NodeTable {
    /// The place of the `index`-th word that is read. After the last result it is that of a word that the node has, if it has one, since a
    /// memory that was never written may hold broken parity.
    pub fn read_place(&self, index: usize) -> Option<Place> {
        let any = self.results.last().or(self.loads.first());
        self.results.get(index).or(any).and_then(|word| word.places.first()).copied()
    }

    /// Banks from which words are read; the first bank if there are none.
    pub fn read_banks(&self) -> BTreeSet<u32> {
        let banks: BTreeSet<u32> =
            (0..=self.results.len()).filter_map(|index| self.read_place(index)).map(|place| place.bank).collect();
        if banks.is_empty() { BTreeSet::from([0]) } else { banks }
    }

    /// Table of the same actions with the banks of each feeder in the opposite order, where they are alike.
    pub fn with_banks_reversed(mut self) -> Self {
        let banks = &self.shape.banks;
        let alike =
            |bank: &Bank| (0..).zip(banks).filter(|(_, other)| *other == bank).map(|(at, _)| at).collect::<Vec<u32>>();
        let opposite = |(at, bank): (u32, &Bank)| {
            let all = alike(bank);
            all[all.iter().rev().position(|&other| other == at).unwrap_or(0)]
        };
        let to: Vec<u32> = (0..).zip(banks).map(opposite).collect();
        let inputs = self.shape.inputs();
        let of_source = |source: u32| source.checked_sub(inputs).map_or(source, |bank| inputs + to[bank as usize]);
        for row in &mut self.rows {
            row.selects.values_mut().for_each(|source| *source = of_source(*source));
            row.reads =
                std::mem::take(&mut row.reads).into_iter().map(|(bank, read)| (to[bank as usize], read)).collect();
            row.writes =
                std::mem::take(&mut row.writes).into_iter().map(|(bank, at)| (to[bank as usize], at)).collect();
        }
        let places = self.loads.iter_mut().chain(&mut self.results).flat_map(|load| &mut load.places);
        places.for_each(|place| place.bank = to[place.bank as usize]);
        self.shape.results.iter_mut().for_each(|bank| *bank = to[*bank as usize]);
        self.shape.results.sort_unstable();
        self
    }
}

impl Shape {
    /// Inputs of the crossbar.
    pub fn inputs(&self) -> u32 {
        self.channels + self.operators.0
    }

    /// Sources of the crossbar.
    pub fn sources(&self) -> u32 {
        self.inputs() + self.banks.len() as u32
    }

    /// Crosspoints of the full crossbar, in the order of those that are built.
    pub fn all_crosspoints(&self) -> Vec<Crosspoint> {
        let of = |output| (0..self.sources()).map(move |source| Crosspoint { output, source });
        (0..self.outputs()).flat_map(of).collect()
    }

    /// Outputs of the crossbar.
    pub fn outputs(&self) -> u32 {
        self.ports + self.operators.0 * self.operators.1
    }
}

/// Word of the user's array that is loaded, or of the result, and where it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Load {
    /// Index in the array.
    pub index: u32,
    /// Places, which have one address in several banks if there are several.
    pub places: Vec<Place>,
}

/// Table of a node, and the words that its host loads and reads, each in the order of the user's array.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NodeTable {
    /// Hardware.
    pub shape: Shape,
    /// Rows.
    pub rows: Vec<Row>,
    /// Words that are loaded.
    pub loads: Vec<Load>,
    /// Words for which there are places, those that are loaded first.
    pub load_places: u32,
    /// Words that are read.
    pub results: Vec<Load>,
}

/// Leaves out of the banks of results those that no node with the same hardware reads.
pub(super) fn show_results_alone(nodes: &mut [NodeTable]) {
    let mut read: HashMap<Shape, BTreeSet<u32>> = HashMap::new();
    for node in nodes.iter() {
        read.entry(node.shape.clone()).or_default().extend(node.read_banks());
    }
    for node in nodes {
        node.shape.results = read[&node.shape].iter().copied().collect();
    }
}

/// A channel of the network.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wire {
    /// Node that drives it.
    pub src: NodeId,
    /// Port of that node.
    pub port: u32,
    /// Cycles from entry to end, 1 to 255.
    pub latency: u32,
}
