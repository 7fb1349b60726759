//! The complete network: each node has a channel to each other.

use super::kind::{Key, Kind};
use super::network::{Topology, size_to};
use crate::id::NodeId;
use serde_json::Value;

/// A complete network in a specification.
pub const KIND: Kind = Kind::new(
    ["complete", "a complete network", "A complete network: each node has a channel to each other"],
    &[Key::number("nodes", [1, 1024], "number of nodes", "8", "say how many nodes: `nodes = 8`")],
    |table| Some(Box::new(Complete::from_table(table)?)),
);

/// A complete network; port p of node i leads to node i + p + 1 modulo their number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Complete {
    nodes: u32,
}

impl Complete {
    /// Complete graph of `nodes` nodes, at least 1.
    pub const fn new(nodes: u32) -> Self {
        Self { nodes }
    }

    /// The network of a table with `nodes`, at most 4096.
    fn from_table(table: &Value) -> Option<Self> {
        Some(Self::new(size_to(table, "nodes", 1..=4096)?))
    }
}

impl Topology for Complete {
    fn name(&self) -> &'static str {
        "complete"
    }

    fn nodes(&self) -> usize {
        self.nodes as usize
    }

    fn ports(&self) -> usize {
        self.nodes as usize - 1
    }

    fn label(&self, node: NodeId) -> Vec<u32> {
        vec![node.get()]
    }

    fn neighbour(&self, node: NodeId, port: usize) -> NodeId {
        NodeId::new((node.get() + port as u32 + 1) % self.nodes)
    }

    fn port_name(&self, port: usize) -> String {
        format!("+{}", port + 1)
    }
}
