//! Factors of a base network: rings, complete networks and hypercubes.

use crate::id::NodeId;
use crate::topology::{Complete, Hypercube, Ring, Topology};
use serde::{Serialize, Serializer};
use std::fmt::{self, Display, Formatter};
use std::str::FromStr;

/// Factor of a base network, written as `ring:3`, `complete:4` or `hypercube:2`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Factor {
    /// Ring, with its number of nodes; two nodes are joined by one link.
    Ring(u32),
    /// Complete network, with its number of nodes.
    Complete(u32),
    /// Hypercube, with its number of dimensions.
    Hypercube(u32),
}

/// Error of a text that names no factor.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no factor of a base network")]
pub struct NoFactor(String);

impl Factor {
    /// Largest size of a ring or complete network.
    pub const MOST_NODES: u32 = 1024;

    /// Largest number of dimensions of a hypercube.
    pub const MOST_DIMENSIONS: u32 = 10;

    /// Calls `ask` with the factor as a network.
    fn ask<R>(self, ask: impl FnOnce(&dyn Topology) -> R) -> R {
        match self {
            Self::Ring(nodes) => ask(&Ring::new(nodes)),
            Self::Complete(nodes) => ask(&Complete::new(nodes)),
            Self::Hypercube(d) => ask(&Hypercube::new(d)),
        }
    }

    /// Number of nodes.
    pub fn nodes(self) -> u32 {
        self.ask(|net| net.nodes() as u32)
    }

    /// Number of output ports of a node.
    pub fn ports(self) -> usize {
        self.ask(|net| net.ports())
    }

    /// The node at the far end of a port.
    pub fn neighbour(self, node: u32, port: usize) -> u32 {
        self.ask(|net| net.neighbour(NodeId::new(node), port).get())
    }

    /// Name of a port.
    pub fn port_name(self, port: usize) -> String {
        self.ask(|net| net.port_name(port))
    }

    /// Hops of the shortest ways between two nodes.
    pub fn distance(self, from: u32, to: u32) -> u32 {
        match self {
            Self::Ring(nodes) => from.abs_diff(to).min(nodes - from.abs_diff(to)),
            Self::Complete(_) => u32::from(from != to),
            Self::Hypercube(_) => (from ^ to).count_ones(),
        }
    }

    /// First port that leads nearer to another node; none at the node itself.
    pub fn toward(self, from: u32, to: u32) -> Option<usize> {
        let nearer = |&port: &usize| self.distance(self.neighbour(from, port), to) < self.distance(from, to);
        (0..self.ports()).find(nearer)
    }

    /// Most hops of the shortest ways.
    pub fn diameter(self) -> u32 {
        (0..self.nodes()).map(|to| self.distance(0, to)).max().unwrap_or(0)
    }
}

impl FromStr for Factor {
    type Err = NoFactor;

    fn from_str(text: &str) -> Result<Self, NoFactor> {
        let bad = || NoFactor(text.to_owned());
        let (name, size) = text.split_once(':').ok_or_else(bad)?;
        let size: u32 = size.parse().map_err(|_| bad())?;
        match (name, size) {
            ("ring", 1..=Self::MOST_NODES) => Ok(Self::Ring(size)),
            ("complete", 1..=Self::MOST_NODES) => Ok(Self::Complete(size)),
            ("hypercube", 0..=Self::MOST_DIMENSIONS) => Ok(Self::Hypercube(size)),
            _ => Err(bad()),
        }
    }
}

impl Display for Factor {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ring(nodes) => write!(f, "ring:{nodes}"),
            Self::Complete(nodes) => write!(f, "complete:{nodes}"),
            Self::Hypercube(d) => write!(f, "hypercube:{d}"),
        }
    }
}

impl Serialize for Factor {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
