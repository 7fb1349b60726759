//! The sizes of a network of slot tables.

use crate::id::NodeId;
use crate::lower::Ring;
use crate::topology::{Graph, Topology};
use std::ops::Deref;

/// Sizes in numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SlotFrame {
    /// Parameters of the host ring.
    pub ring: Ring,
    /// The network.
    pub network: Graph,
}

impl SlotFrame {
    /// A node as the topology labels it.
    pub fn label(&self, node: NodeId) -> String {
        self.network.title(node)
    }
}

impl Deref for SlotFrame {
    type Target = Ring;

    fn deref(&self) -> &Ring {
        &self.ring
    }
}
