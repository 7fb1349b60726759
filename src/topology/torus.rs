//! The torus: nodes at integer coordinates, and channels between those that differ by 1 in one coordinate, modulo its length.

use super::arrangement::{Arrangement, about_coordinates};
use super::kind::{Class, DIMS, Key, Kind};
use super::network::{Topology, flag, product, sizes};
use crate::id::NodeId;
use serde_json::Value;

/// A torus in a specification.
pub const KIND: Kind = Kind {
    classes: &[Class::Dims],
    ..Kind::new(
        [
            "torus",
            "a torus",
            "A torus: channels between nodes whose coordinates differ by 1 in one dimension, modulo its length; a length of 2 has one \
             channel each way, a length of 1 none",
        ],
        &[DIMS, Key::choice("directions", &["both", "one"], "directions of the channels of a dimension")],
        |table| Some(Box::new(Torus::from_table(table)?)),
    )
};

/// A torus; port p of every node is the same displacement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Torus {
    dims: Vec<u32>,
    /// Dimension, and summand of its coordinate; by port.
    steps: Vec<(usize, u32)>,
}

impl Torus {
    /// The torus of these lengths, with channels in both directions of each dimension, or in the ascending one alone. A length of 2
    /// gives one channel each way, a length of 1 none.
    pub fn new(dims: Vec<u32>, both: bool) -> Self {
        let of = |(dimension, &length): (usize, &u32)| {
            let steps: &[u32] = match length {
                1 => &[],
                2 => &[1],
                _ if both => &[1, length - 1],
                _ => &[1],
            };
            steps.iter().map(|&step| (dimension, step)).collect::<Vec<_>>()
        };
        let steps = dims.iter().enumerate().flat_map(of).collect();
        Self { dims, steps }
    }

    /// The network of a table with `dims` and `directions`, if it has at most 2²⁰ nodes.
    fn from_table(table: &Value) -> Option<Self> {
        let dims = sizes(table, "dims")?;
        product(&dims)?;
        Some(Self::new(dims, flag(table, "directions", ["both", "one"])?))
    }
}

impl Topology for Torus {
    fn name(&self) -> &'static str {
        "torus"
    }

    fn nodes(&self) -> usize {
        self.dims.iter().map(|&length| length as usize).product()
    }

    fn ports(&self) -> usize {
        self.steps.len()
    }

    fn label(&self, node: NodeId) -> Vec<u32> {
        coordinates(&self.dims, node)
    }

    fn neighbour(&self, node: NodeId, port: usize) -> NodeId {
        let (dimension, step) = self.steps[port];
        let mut at = self.label(node);
        at[dimension] = (at[dimension] + step) % self.dims[dimension];
        node_at(&self.dims, &at)
    }

    fn port_name(&self, port: usize) -> String {
        let (dimension, step) = self.steps[port];
        format!("{}{dimension}", if step == 1 { '+' } else { '-' })
    }

    fn channel_class(&self, _: NodeId, port: usize) -> usize {
        self.steps[port].0
    }

    fn arrangement(&self) -> Arrangement {
        Arrangement::of_coordinates(&self.dims)
    }

    fn about_drawing(&self) -> String {
        about_coordinates(&self.dims)
    }
}

/// Coordinates of a node, whose numbers are lexicographic.
pub(super) fn coordinates(dims: &[u32], node: NodeId) -> Vec<u32> {
    let mut rest = node.get();
    let mut at = vec![0; dims.len()];
    for (coordinate, &length) in at.iter_mut().zip(dims).rev() {
        *coordinate = rest % length;
        rest /= length;
    }
    at
}

/// The node at these coordinates.
pub(super) fn node_at(dims: &[u32], at: &[u32]) -> NodeId {
    NodeId::new(dims.iter().zip(at).fold(0, |number, (&length, &coordinate)| number * length + coordinate))
}
