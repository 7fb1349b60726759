//! Indices of nodes by level, and the re-indexing from level to level (section 3 of the paper).

use super::HierarchicalDualNet;
use crate::id::NodeId;
use crate::topology::torus::{coordinates, node_at};

/// Index (C, U, SN, N) of a node at a level.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Index {
    /// Class, 0 or 1.
    pub class: u32,
    /// Cluster within the class.
    pub cluster: u32,
    /// Super-node within the cluster.
    pub super_node: u32,
    /// Node within the super-node.
    pub place: u32,
}

impl HierarchicalDualNet {
    /// Super-node and place, at a level from 1 on, of a node of the network below it.
    pub fn split(&self, level: usize, node: u32) -> (u32, u32) {
        let at = coordinates(&self.dims, NodeId::new(node % self.sizes[0]));
        let (mut super_node, mut place) = (node / self.sizes[0], 0);
        for (number, (&at, &size)) in at.iter().zip(&self.dims).enumerate() {
            let rank = if self.levels[level - 1].contains(&number) { &mut place } else { &mut super_node };
            *rank = *rank * size + at;
        }
        (super_node, place)
    }

    /// The node of the network below a level that has a super-node and a place.
    pub fn join(&self, level: usize, (mut super_node, mut place): (u32, u32)) -> u32 {
        let mut at = vec![0; self.dims.len()];
        for (number, (at, &size)) in at.iter_mut().zip(&self.dims).enumerate().rev() {
            let rank = if self.levels[level - 1].contains(&number) { &mut place } else { &mut super_node };
            (*at, *rank) = (*rank % size, *rank / size);
        }
        super_node * self.sizes[0] + node_at(&self.dims, &at).get()
    }

    /// Index at a level of a node, within its network of that level.
    pub fn index(&self, level: usize, node: u32) -> Index {
        let (below, clusters) = (self.sizes[level - 1], self.clusters(level));
        let copy = node % self.sizes[level] / below;
        let (super_node, place) = self.split(level, node % below);
        Index { class: copy / clusters, cluster: copy % clusters, super_node, place }
    }

    /// The node with an index at a level, in the first network of that level.
    pub fn node(&self, level: usize, index: Index) -> u32 {
        let copy = index.class * self.clusters(level) + index.cluster;
        copy * self.sizes[level - 1] + self.join(level, (index.super_node, index.place))
    }

    /// Index at a level of the node with an index at the level below it, at which both are (C, U, SN, N): the re-indexing of the paper.
    pub fn reindexed(&self, level: usize, below: Index) -> (u32, u32) {
        self.split(level, self.node(level - 1, below))
    }

    /// The far end of a node's cross link of a level.
    pub fn cross(&self, level: usize, node: u32) -> u32 {
        let Index { class, cluster, super_node, place } = self.index(level, node);
        let far = Index { class: 1 - class, cluster: super_node, super_node: cluster, place };
        node - node % self.sizes[level] + self.node(level, far)
    }
}
