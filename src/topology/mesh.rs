//! The mesh: a torus without the channels that close its rings.

use super::arrangement::{Arrangement, about_coordinates};
use super::kind::{Class, DIMS, Kind};
use super::network::{Topology, product, sizes};
use super::torus::{coordinates, node_at};
use crate::id::NodeId;
use serde_json::Value;

/// A mesh in a specification.
pub const KIND: Kind = Kind {
    classes: &[Class::Dims],
    ..Kind::new(
        ["mesh", "a mesh", "A mesh: channels both ways between nodes whose coordinates differ by 1 in one dimension"],
        &[DIMS],
        |table| Some(Box::new(Mesh::from_table(table)?)),
    )
};

/// A mesh; its nodes number the ports that they have in the order +0, -0, +1, -1, …
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mesh {
    dims: Vec<u32>,
}

impl Mesh {
    /// The mesh of these lengths.
    pub fn new(dims: Vec<u32>) -> Self {
        Self { dims }
    }

    /// The network of a table with `dims`, if it has at most 2²⁰ nodes.
    fn from_table(table: &Value) -> Option<Self> {
        let dims = sizes(table, "dims")?;
        product(&dims)?;
        Some(Self::new(dims))
    }

    /// Neighbours of a node by port: dimension and node.
    fn neighbours(&self, node: NodeId) -> impl Iterator<Item = (usize, NodeId)> + '_ {
        let at = coordinates(&self.dims, node);
        self.dims.iter().enumerate().flat_map(move |(dimension, &length)| {
            let up = at[dimension].checked_add(1).filter(|&next| next < length);
            let at = at.clone();
            [up, at[dimension].checked_sub(1)].into_iter().flatten().map(move |next| {
                let mut at = at.clone();
                at[dimension] = next;
                (dimension, node_at(&self.dims, &at))
            })
        })
    }
}

impl Topology for Mesh {
    fn name(&self) -> &'static str {
        "mesh"
    }

    fn nodes(&self) -> usize {
        self.dims.iter().map(|&length| length as usize).product()
    }

    fn ports(&self) -> usize {
        self.dims.iter().map(|&length| (length as usize - 1).min(2)).sum()
    }

    fn ports_of(&self, node: NodeId) -> usize {
        self.neighbours(node).count()
    }

    fn label(&self, node: NodeId) -> Vec<u32> {
        coordinates(&self.dims, node)
    }

    fn neighbour(&self, node: NodeId, port: usize) -> NodeId {
        self.neighbours(node).nth(port).map_or(node, |(_, to)| to)
    }

    fn port_name(&self, port: usize) -> String {
        port.to_string()
    }

    fn channel_class(&self, node: NodeId, port: usize) -> usize {
        self.neighbours(node).nth(port).map_or(0, |(dimension, _)| dimension)
    }

    fn arrangement(&self) -> Arrangement {
        Arrangement::of_coordinates(&self.dims)
    }

    fn about_drawing(&self) -> String {
        about_coordinates(&self.dims)
    }
}
