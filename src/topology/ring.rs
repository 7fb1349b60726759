//! The ring: each node has a channel to the next and one to the one before.

use super::kind::{Key, Kind};
use super::network::{Topology, size};
use crate::id::NodeId;
use serde_json::Value;

/// A ring in a specification.
pub const KIND: Kind = Kind::new(
    ["ring", "a ring", "A ring"],
    &[Key::number("nodes", [1, 65_536], "number of nodes", "8", "say how many nodes: `nodes = 8`")],
    |table| Some(Box::new(Ring::from_table(table)?)),
);

/// A ring; port 0 leads to the next node, port 1 to the one before. Two nodes have one channel each way, one has none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ring {
    nodes: u32,
}

impl Ring {
    /// Ring of `nodes` nodes, at least 1.
    pub const fn new(nodes: u32) -> Self {
        Self { nodes }
    }

    /// The network of a table with `nodes`.
    fn from_table(table: &Value) -> Option<Self> {
        Some(Self::new(size(table, "nodes", 1)?))
    }
}

impl Topology for Ring {
    fn name(&self) -> &'static str {
        "ring"
    }

    fn nodes(&self) -> usize {
        self.nodes as usize
    }

    fn ports(&self) -> usize {
        (self.nodes as usize - 1).min(2)
    }

    fn label(&self, node: NodeId) -> Vec<u32> {
        vec![node.get()]
    }

    fn neighbour(&self, node: NodeId, port: usize) -> NodeId {
        let step = if port == 0 { 1 } else { self.nodes - 1 };
        NodeId::new((node.get() + step) % self.nodes)
    }

    fn port_name(&self, port: usize) -> String {
        if port == 0 { "next" } else { "before" }.to_owned()
    }
}
