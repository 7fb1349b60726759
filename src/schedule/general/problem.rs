//! The problem of a general scheduler: a network, its timing, and a demand.

use crate::collective::demand::Demand;
use crate::id::NodeId;
use crate::program::Program;
use crate::topology::{Graph, Topology};
use serde_json::Value;

/// Channels of a node that are used in one cycle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PortModel {
    /// All channels.
    All,
    /// One channel that sends, in the cycle of entry, and one that receives, in the last cycle of the crossing.
    One,
}

/// A network, its timing, and a demand.
#[derive(Debug, Clone)]
pub struct Problem {
    /// Network, without its excluded nodes and channels.
    pub net: Graph,
    /// Cycles of a hop, by channel: `node * net.ports() + port`; 0 where there is none.
    pub latency: Vec<u32>,
    /// Channels of a node in one cycle.
    pub ports: PortModel,
    /// Cycles from the last operand of a combination to the earliest in which the result can leave.
    pub operator: u32,
    /// True if operators may be faster, down to 2 cycles, with half as many operands for each cycle less.
    pub is_operator_free: bool,
    /// Words and their destinations.
    pub demand: Demand,
    /// Table of the network by name and sizes, for algorithms of one topology; null where something is left out of it.
    pub table: Value,
}

impl Problem {
    /// A demand on a network whose hops take a cycle each, and combinations none.
    pub fn new(net: Graph, demand: Demand) -> Self {
        let latency = vec![1; net.nodes() * net.ports()];
        Self { net, latency, ports: PortModel::All, operator: 0, is_operator_free: false, demand, table: Value::Null }
    }

    /// True if words cross media, along circuits.
    pub fn is_circuit(&self) -> bool {
        (0..self.net.nodes()).any(|node| self.net.is_medium(node.into()))
    }

    /// Cycles of a hop.
    pub fn latency(&self, node: NodeId, port: usize) -> u32 {
        self.latency[node.index() * self.net.ports() + port]
    }
}

/// Effort of a search. The result does not depend on the machine: seconds stand for steps of a typical one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Effort {
    /// Seconds of a typical machine; with 0 each algorithm makes one attempt.
    pub time_limit_s: u32,
    /// Seed of every random choice.
    pub seed: u64,
}

/// A schedule that was made, not yet checked.
#[derive(Debug, Clone)]
pub struct Made {
    /// Name of the algorithm, never `best`.
    pub algorithm: &'static str,
    /// Program.
    pub program: Program,
    /// Chunk of each value of the program, by value: the value is a word of the chunk or a part of its combination.
    /// None for a value that every node has as another chunk; source and destination then give the chunk.
    pub chunk: Vec<Option<u32>>,
    /// The first cycle at whose start all is in place.
    pub cycles: u32,
}
