//! The binary hypercube: nodes are joined where their numbers differ in one bit.

use super::arrangement::{Arrangement, Shape};
use super::kind::{Key, Kind};
use super::network::{Topology, size_to};
use crate::id::NodeId;
use serde_json::Value;

/// A hypercube in a specification.
pub const KIND: Kind = Kind::new(
    ["hypercube", "a hypercube", "A binary hypercube"],
    &[Key::number("d", [0, 16], "dimensions, of 2^d nodes", "4", "say how many dimensions: `d = 4` for 16 nodes")],
    |table| Some(Box::new(Hypercube::from_table(table)?)),
);

/// A hypercube of 2^d nodes; port x inverts bit x of a node's number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hypercube {
    d: u32,
}

impl Hypercube {
    /// The hypercube of d dimensions, at most 20.
    pub const fn new(d: u32) -> Self {
        Self { d }
    }

    /// The network of a table with `d`.
    fn from_table(table: &Value) -> Option<Self> {
        Some(Self::new(size_to(table, "d", 0..=20)?))
    }
}

impl Topology for Hypercube {
    fn name(&self) -> &'static str {
        "hypercube"
    }

    fn nodes(&self) -> usize {
        1 << self.d
    }

    fn ports(&self) -> usize {
        self.d as usize
    }

    fn label(&self, node: NodeId) -> Vec<u32> {
        vec![node.get()]
    }

    fn neighbour(&self, node: NodeId, port: usize) -> NodeId {
        NodeId::new(node.get() ^ (1 << port))
    }

    fn port_name(&self, port: usize) -> String {
        format!("bit {port}")
    }

    fn arrangement(&self) -> Arrangement {
        Arrangement::nodes(Shape::Cube, "links", self.nodes())
    }

    fn about_drawing(&self) -> String {
        format!("A cube of {} dimensions; bit i of a number is the coordinate in dimension i.", self.d)
    }
}
