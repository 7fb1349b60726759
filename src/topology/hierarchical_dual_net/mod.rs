//! The hierarchical dual-net HDN(B,k,S) of Li and Chu: two classes of copies of a network, each node with one link to the other class.
//!
//! The base B is a product of rings, complete networks and hypercubes. Level i joins 2q copies of the network below,
//! its *clusters*, in two classes of q. A cluster is divided into q super-nodes, products of some of B's factors.
//! Super-node u of cluster v of one class is joined, node by node, to super-node v of cluster u of the other class.

mod arrangement;
mod factor;
mod index;
mod kind;
mod routing;

pub use factor::{Factor, NoFactor};
pub use index::Index;
pub use kind::KIND;

use super::arrangement::Arrangement;
use super::network::{Topology, product};
use super::torus::{coordinates, node_at};
use crate::id::NodeId;
use serde_json::Value;

/// A hierarchical dual-net.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HierarchicalDualNet {
    base: Vec<Factor>,
    /// Nodes of each factor.
    dims: Vec<u32>,
    /// Factors of which a super-node is the product, ascending; by level, from 1 on.
    levels: Vec<Vec<usize>>,
    /// Nodes of the network of each level, from the base on.
    sizes: Vec<u32>,
    /// Factor and port within the factor, by port within the base.
    steps: Vec<(usize, usize)>,
}

/// Error of a base and levels that make no network.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Unfit {
    /// Empty list of factors.
    #[error("a base network has at least one factor")]
    NoBase,
    /// A super-node of a factor that the base does not have.
    #[error("level {level} names factor {factor}, and the base has {count}, from 0 on")]
    NoSuchFactor {
        /// Level, from 1 on.
        level: usize,
        /// Number that is named.
        factor: usize,
        /// Number of factors.
        count: usize,
    },
    /// A super-node with a factor twice.
    #[error("level {level} names factor {factor} twice")]
    Twice {
        /// Level, from 1 on.
        level: usize,
        /// Number that is named.
        factor: usize,
    },
    /// Number of nodes above the limit.
    #[error("the network has more than 2^20 nodes")]
    TooLarge,
}

impl HierarchicalDualNet {
    /// The network of a base and of the factors that form the super-nodes of each level.
    ///
    /// # Errors
    /// [`Unfit`].
    pub fn new(base: Vec<Factor>, levels: Vec<Vec<usize>>) -> Result<Self, Unfit> {
        let dims: Vec<u32> = base.iter().map(|factor| factor.nodes()).collect();
        let nodes = product(&dims).ok_or(Unfit::TooLarge)?;
        if base.is_empty() {
            return Err(Unfit::NoBase);
        }
        let ports = |(number, factor): (usize, &Factor)| (0..factor.ports()).map(move |port| (number, port));
        let steps = base.iter().enumerate().flat_map(ports).collect();
        let mut net = Self { base, dims, levels: Vec::new(), sizes: vec![nodes], steps };
        for (level, mut factors) in (1..).zip(levels) {
            factors.sort_unstable();
            let count = net.base.len();
            if let Some(&factor) = factors.iter().find(|&&factor| factor >= count) {
                return Err(Unfit::NoSuchFactor { level, factor, count });
            }
            if let Some(pair) = factors.windows(2).find(|pair| pair[0] == pair[1]) {
                return Err(Unfit::Twice { level, factor: pair[0] });
            }
            net.levels.push(factors);
            let below = net.sizes[level - 1];
            let size = u64::from(below) * 2 * u64::from(net.clusters(level));
            let size = u32::try_from(size).ok().filter(|&size| size <= 1 << 20).ok_or(Unfit::TooLarge)?;
            net.sizes.push(size);
        }
        Ok(net)
    }

    /// The network of a table with `base` and `levels`.
    pub fn from_table(table: &Value) -> Option<Self> {
        let factor = |text: &Value| text.as_str()?.parse().ok();
        let base = table["base"].as_array()?.iter().map(factor).collect::<Option<Vec<Factor>>>()?;
        let number = |number: &Value| number.as_u64().and_then(|number| usize::try_from(number).ok());
        let level = |level: &Value| level.as_array()?.iter().map(number).collect::<Option<Vec<usize>>>();
        let levels = table["levels"].as_array()?.iter().map(level).collect::<Option<Vec<_>>>()?;
        Self::new(base, levels).ok()
    }

    /// Factors of the base.
    pub fn base(&self) -> &[Factor] {
        &self.base
    }

    /// Number of levels above the base, k.
    pub fn level_count(&self) -> usize {
        self.levels.len()
    }

    /// Factors of the super-nodes of a level, from 1 on, ascending.
    pub fn factors(&self, level: usize) -> &[usize] {
        &self.levels[level - 1]
    }

    /// Nodes of the network of a level, the base's for level 0.
    pub fn size(&self, level: usize) -> u32 {
        self.sizes[level]
    }

    /// Nodes of a super-node of a level, s.
    pub fn super_node(&self, level: usize) -> u32 {
        self.levels[level - 1].iter().map(|&factor| self.dims[factor]).product()
    }

    /// Clusters of a class at a level, and super-nodes of a cluster, q.
    pub fn clusters(&self, level: usize) -> u32 {
        self.sizes[level - 1] / self.super_node(level)
    }

    /// True if the factors of each level are among those of the level below it.
    pub fn is_nested(&self) -> bool {
        self.levels.windows(2).all(|pair| pair[1].iter().all(|factor| pair[0].contains(factor)))
    }

    /// Links of a node within the base.
    pub fn base_degree(&self) -> usize {
        self.steps.len()
    }

    /// Port of the cross link of a level.
    pub fn cross_port(&self, level: usize) -> usize {
        self.steps.len() + level - 1
    }

    /// First port within the base that leads from a node nearer to another of the same base, factor by factor.
    pub fn toward(&self, from: u32, to: u32) -> Option<usize> {
        let [a, b] = [from, to].map(|node| coordinates(&self.dims, NodeId::new(node % self.sizes[0])));
        let mut first = 0;
        for (number, factor) in self.base.iter().enumerate() {
            if let Some(port) = factor.toward(a[number], b[number]) {
                return Some(first + port);
            }
            first += factor.ports();
        }
        None
    }
}

/// The ports within the base come first, factor by factor, then one a level.
impl Topology for HierarchicalDualNet {
    fn name(&self) -> &'static str {
        "hierarchical-dual-net"
    }

    fn nodes(&self) -> usize {
        self.sizes[self.levels.len()] as usize
    }

    fn ports(&self) -> usize {
        self.steps.len() + self.levels.len()
    }

    fn label(&self, node: NodeId) -> Vec<u32> {
        vec![node.get()]
    }

    fn neighbour(&self, node: NodeId, port: usize) -> NodeId {
        let Some(&(number, step)) = self.steps.get(port) else {
            return NodeId::new(self.cross(port - self.steps.len() + 1, node.get()));
        };
        let x = node.get() % self.sizes[0];
        let mut at = coordinates(&self.dims, NodeId::new(x));
        at[number] = self.base[number].neighbour(at[number], step);
        NodeId::new(node.get() - x + node_at(&self.dims, &at).get())
    }

    fn port_name(&self, port: usize) -> String {
        match self.steps.get(port) {
            Some(&(number, step)) => format!("factor {number} {}", self.base[number].port_name(step)),
            None => format!("cross {}", port - self.steps.len() + 1),
        }
    }

    /// 0 of a channel of the base, i of a cross channel of level i.
    fn channel_class(&self, _: NodeId, port: usize) -> usize {
        (port + 1).saturating_sub(self.steps.len())
    }

    fn arrangement(&self) -> Arrangement {
        self.arranged()
    }

    fn about_drawing(&self) -> String {
        self.caption()
    }
}
