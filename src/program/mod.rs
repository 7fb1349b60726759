//! Programs: the cycle in which each value crosses each channel, and the operations of nodes.
//!
//! Every scheduler's result has this form, and export, import and the simulator read nothing else. A program has
//!
//! - *values*: words that a node has from the beginning, or that a node operation makes. A value stands for `batches` words,
//!   and, if it is at every node, for as many words at each;
//! - *moves*: one value on its way along a tree of *hops* from the node that has it. Two hops with one parent are a copy;
//! - *operations* at nodes, of values that arrived there or were made there.
//!
//! Symmetric programs stay small: a move of [`Who::Every`] node names ports, so one list of hops stands for all nodes, and a
//! [`Train`] repeats it for the words of a message.
//!
//! # Time
//!
//! A word that enters a channel of latency H in cycle t is at the channel's end from cycle t + H on. A root hop is
//! entered in cycle `at` + `wait` of its move; any other hop `wait` cycles after its parent's end. Batch b is
//! [`Train::start`]\(b) cycles later than batch 0. With circuit switching a channel into a medium has no latency and
//! any other has one slot.

mod circuits;
mod document;
mod expansion;
pub mod foreign;
pub mod form;
mod import;
mod packet;
mod parts;
mod placed;
mod sequence;
pub mod timing;

pub use circuits::unrolled;
pub use document::{Document, Node, ReadError};
pub use expansion::{Expansion, TooLarge, Waiting};
pub use import::{ImportError, Imported, PacketArrays, import};
pub use packet::{Op, Packet};
pub use placed::{listed, placed};

use crate::collective::Item;
use crate::id::NodeId;
use crate::spec::Operator;
use crate::topology::Topology;
use std::ops::Range;

/// Nodes at which a value, a move or an operation is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Who {
    /// All nodes, each in terms of its own ports.
    Every,
    /// The nodes in whose index the bits of `mask` have odd (true) or even parity.
    Parity {
        /// Bits of a node's index.
        mask: u32,
        /// Parity of the nodes that are meant.
        odd: bool,
    },
    /// One node.
    One(NodeId),
}

impl Who {
    /// True if a node is among them.
    pub fn has(self, node: NodeId) -> bool {
        match self {
            Who::Every => true,
            Who::Parity { mask, odd } => ((node.get() & mask).count_ones() % 2 == 1) == odd,
            Who::One(one) => one == node,
        }
    }

    /// The nodes among `count`, in ascending order.
    pub fn nodes(self, count: usize) -> impl Iterator<Item = NodeId> {
        let range = match self {
            Who::One(node) => node.index()..node.index() + 1,
            Who::Every | Who::Parity { .. } => 0..count,
        };
        range.map(NodeId::from).filter(move |&node| self.has(node))
    }

    /// Length of a list of what each of the nodes has, in a network of `count` nodes: 1 for one node, else `count`.
    pub fn places(self, count: usize) -> usize {
        if let Who::One(_) = self { 1 } else { count }
    }

    /// Place of a node in such a list.
    pub fn place(self, node: NodeId) -> usize {
        if let Who::One(_) = self { 0 } else { node.index() }
    }
}

/// Start cycles of the batches of a move: bursts of batches in consecutive cycles, one burst a period.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Train {
    /// Batches of a burst, at least 1.
    pub burst: u32,
    /// Cycles from burst to burst, at least `burst`.
    pub period: u32,
}

impl Train {
    /// One batch a cycle.
    pub const STEADY: Self = Self { burst: 1, period: 1 };

    /// The cycle of a batch, counted from that of batch 0.
    pub fn start(self, batch: u32) -> u32 {
        batch / self.burst * self.period + batch % self.burst
    }

    /// The batch that starts in a cycle, if one does.
    pub fn batch(self, cycle: u64) -> Option<u32> {
        let (burst, phase) = (cycle / u64::from(self.period), cycle % u64::from(self.period));
        let batch = burst * u64::from(self.burst) + phase;
        (phase < u64::from(self.burst)).then_some(batch).and_then(|batch| u32::try_from(batch).ok())
    }
}

/// Origin of a value's words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// The node's word for the node at which the value is kept.
    Message,
    /// Word `first` + b·`stride` of the node's array for batch b.
    Word {
        /// Word of batch 0.
        first: u32,
        /// Words from batch to batch.
        stride: u32,
    },
    /// The operator's identity: no node's word.
    Identity,
    /// Result of an operation.
    Made,
}

/// Words that move together: batch b of them at each of some nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Value {
    /// Nodes that have the value from the beginning, or make it.
    pub who: Who,
    /// Words at each of them, at least 1.
    pub batches: u32,
    /// Origin of the words.
    pub origin: Origin,
}

/// A value on its way along a tree of channels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Move {
    /// Index of the value.
    pub value: u32,
    /// Nodes that send it, among those that have it.
    pub who: Who,
    /// Cycle in which batch 0 is ready to enter the root hops.
    pub at: u32,
    /// Start cycles of the batches.
    pub train: Train,
    /// Range of [`Program::hops`]; parents come before their children.
    pub hops: Range<u32>,
}

/// One hop of a move, for all its batches and nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hop {
    /// Index of the hop before, in [`Program::hops`]; none at the node that sends.
    pub parent: Option<u32>,
    /// Output port of the node at which the word is then.
    pub port: u32,
    /// Cycles between the end of the hop before and this one.
    pub wait: u32,
    /// Delivery: the node at the far end keeps the word.
    pub keep: bool,
}

/// An input of an operation, at the node that carries it out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Input {
    /// A value that the node has or has made, by index.
    Own(u32),
    /// The word that comes to the node over a hop, by index.
    Arrived(u32),
    /// An element of the nodes' second array, by index; it is no packet.
    Factor(u32),
}

/// Operation of a node on words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    /// The word itself.
    Copy,
    /// The combination of all inputs by the collective's operator.
    Combine,
    /// The smallest of the inputs.
    Min,
    /// The largest of the inputs.
    Max,
    /// The bitwise exclusive or of all inputs.
    Xor,
    /// The sum of products of two inputs each: the first and second, the third and fourth, and so on.
    MultiplyAdd,
}

impl Operation {
    /// Combination by an operator, in a program that has several. Sums are combinations: one of the operators is the collective's.
    pub fn by(operator: Operator) -> Self {
        match operator {
            Operator::Sum => Operation::Combine,
            Operator::Min => Operation::Min,
            Operator::Max => Operation::Max,
            Operator::Xor => Operation::Xor,
        }
    }

    /// Combination of two words of 64 bits, by the collective's operator if the operation has none of its own; without an operator the
    /// first word.
    pub fn combined(self, operator: Option<Operator>, a: u64, b: u64) -> u64 {
        let own = match self {
            Operation::Min => Some(Operator::Min),
            Operation::Max => Some(Operator::Max),
            Operation::Xor => Some(Operator::Xor),
            Operation::Copy | Operation::Combine | Operation::MultiplyAdd => operator,
        };
        own.map_or(a, |operator| operator.combine(a, b))
    }
}

/// Operation at nodes: makes a value from others, batch by batch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NodeOp {
    /// Nodes that carry it out. Operations at disjoint nodes may make the same value.
    pub who: Who,
    /// Cycle in which the inputs of batch 0 are all there.
    pub at: u32,
    /// Cycles of the batches, as of a move.
    pub train: Train,
    /// Operation.
    pub operation: Operation,
    /// Range of [`Program::inputs`].
    pub inputs: Range<u32>,
    /// Index of the value that is made.
    pub out: u32,
    /// Cycles from `at` to the earliest in which the result can leave.
    pub latency: u32,
}

/// Switching: store and forward, or circuits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Switching {
    /// Store and forward, hop by hop; cycles of a hop by output port.
    Hop(Vec<u32>),
    /// Store and forward; cycles of a hop by channel: `node * ports + port`.
    HopByChannel(Vec<u32>),
    /// Circuits: within a slot a word crosses all media between two nodes.
    Circuit,
}

impl Switching {
    /// Cycles from the entry of a channel to its end.
    pub fn latency<T: Topology + ?Sized>(&self, net: &T, node: NodeId, port: u32) -> u32 {
        match self {
            Switching::Hop(ports) => ports[port as usize],
            Switching::HopByChannel(channels) => channels[net.channel_id(node, port as usize).index()],
            Switching::Circuit => u32::from(!net.is_medium(net.neighbour(node, port as usize))),
        }
    }
}

/// Program of all nodes of a network, not yet checked; its parts are defined in the [module](self).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    /// Use of channels.
    pub switching: Switching,
    /// Values.
    pub values: Vec<Value>,
    /// Moves.
    pub moves: Vec<Move>,
    /// Hops of all moves.
    pub hops: Vec<Hop>,
    /// Operations; one comes before those that use its result.
    pub ops: Vec<NodeOp>,
    /// Inputs of all operations.
    pub inputs: Vec<Input>,
    /// Values that are the result at the nodes that make them, where it is no message or word that arrives.
    pub results: Vec<u32>,
    /// Cycles after which the program may start again, if that is claimed.
    pub period: Option<u32>,
}

impl Program {
    /// The word of a value in a batch of a pass, of `[batch, pass]`, that goes from one node to another, as the collective has it.
    pub fn item(&self, value: u32, from: NodeId, to: NodeId, [batch, pass]: [u32; 2]) -> Item {
        let word = match self.values[value as usize].origin {
            Origin::Word { first, stride } => first + batch * stride,
            Origin::Message | Origin::Identity | Origin::Made => batch,
        };
        Item { value, from, to, word, pass }
    }

    /// A program without any moves.
    pub fn new(switching: Switching) -> Self {
        let (values, moves, hops, ops, inputs, results) = Default::default();
        Self { switching, values, moves, hops, ops, inputs, results, period: None }
    }

    /// Adds a value; its index.
    pub fn value(&mut self, who: Who, batches: u32, origin: Origin) -> u32 {
        self.values.push(Value { who, batches, origin });
        self.values.len() as u32 - 1
    }

    /// Adds a move along hops whose parents are counted from the first of them; the index of that first hop.
    pub fn send(
        &mut self,
        value: u32,
        who: Who,
        (at, train): (u32, Train),
        tree: impl IntoIterator<Item = Hop>,
    ) -> u32 {
        let first = self.hops.len() as u32;
        let shift = |hop: Hop| Hop { parent: hop.parent.map(|parent| first + parent), ..hop };
        self.hops.extend(tree.into_iter().map(shift));
        self.moves.push(Move { value, who, at, train, hops: first..self.hops.len() as u32 });
        first
    }

    /// Adds an operation, without its inputs' latency: `at` is the cycle in which they are there.
    pub fn operate(
        &mut self,
        (who, out): (Who, u32),
        (at, train, latency): (u32, Train, u32),
        operation: Operation,
        inputs: impl IntoIterator<Item = Input>,
    ) {
        let first = self.inputs.len() as u32;
        self.inputs.extend(inputs);
        let inputs = first..self.inputs.len() as u32;
        self.ops.push(NodeOp { who, at, train, operation, inputs, out, latency });
    }

    /// Result flag of each value, by value: true if its words are results where they are kept. In a program that names
    /// results, words that operations take are not results.
    pub fn results_on_arrival(&self) -> Vec<bool> {
        let mut all = vec![true; self.values.len()];
        if self.results.is_empty() {
            return all;
        }
        let mut value_of = vec![0; self.hops.len()];
        self.moves.iter().for_each(|m| value_of[m.hops.start as usize..m.hops.end as usize].fill(m.value));
        for input in &self.inputs {
            if let Input::Arrived(hop) = *input {
                all[value_of[hop as usize] as usize] = false;
            }
        }
        all
    }

    /// A path of hops over these ports, one after the other; the last node keeps the word.
    pub fn path(ports: impl ExactSizeIterator<Item = u32>) -> impl Iterator<Item = Hop> {
        let last = ports.len().wrapping_sub(1);
        let hop = move |(i, port): (usize, u32)| {
            let parent = (i as u32).checked_sub(1);
            Hop { parent, port, wait: 0, keep: i == last }
        };
        ports.enumerate().map(hop)
    }
}
