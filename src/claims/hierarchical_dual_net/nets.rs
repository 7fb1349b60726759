//! Sizes of the trials: hierarchical dual-nets of many bases, with every choice of super-nodes.

use crate::claims::{Size, Sizes};
use crate::id::NodeId;
use crate::topology::hierarchical_dual_net::Factor;
use crate::topology::{HierarchicalDualNet, Topology};
use serde::Serialize;
use std::fmt::{self, Display, Formatter};

/// Bases of the trials.
const BASES: &[&[Factor]] = &[
    &[Factor::Ring(2)],
    &[Factor::Ring(3)],
    &[Factor::Ring(4)],
    &[Factor::Ring(5)],
    &[Factor::Ring(7)],
    &[Factor::Complete(4)],
    &[Factor::Hypercube(2)],
    &[Factor::Hypercube(3)],
    &[Factor::Ring(2), Factor::Ring(2)],
    &[Factor::Ring(2), Factor::Ring(3)],
    &[Factor::Ring(3), Factor::Ring(3)],
    &[Factor::Ring(2), Factor::Complete(4)],
    &[Factor::Ring(2), Factor::Ring(5)],
    &[Factor::Ring(2), Factor::Ring(2), Factor::Ring(2)],
    &[Factor::Ring(2), Factor::Ring(2), Factor::Ring(3)],
];

/// HDN(B,k,S), k at least 1.
#[derive(Debug, Clone, Serialize)]
pub struct Net {
    /// Factors of the base.
    base: Vec<Factor>,
    /// Factors of a super-node, by level.
    levels: Vec<Vec<usize>>,
    #[serde(skip)]
    net: HierarchicalDualNet,
}

impl Net {
    pub(super) fn new(base: &[Factor], levels: Vec<Vec<usize>>) -> Option<Self> {
        let net = HierarchicalDualNet::new(base.to_vec(), levels.clone()).ok()?;
        Some(Self { base: base.to_vec(), levels, net })
    }

    /// The network.
    pub(super) fn net(&self) -> &HierarchicalDualNet {
        &self.net
    }

    /// Number of levels, k.
    pub(super) fn k(&self) -> usize {
        self.levels.len()
    }

    /// Number of nodes.
    pub(super) fn nodes(&self) -> u32 {
        self.net.size(self.k())
    }

    /// Far ends of a node's links.
    pub(super) fn far(&self, node: u32) -> Vec<u32> {
        (0..self.net.ports()).map(|port| self.net.neighbour(NodeId::new(node), port).get()).collect()
    }

    /// Diameter of the product of some factors of the base.
    pub(super) fn across(&self, factors: impl IntoIterator<Item = usize>) -> u32 {
        factors.into_iter().map(|factor| self.base[factor].diameter()).sum()
    }

    /// Diameter of the super-node of a level.
    pub(super) fn across_super_node(&self, level: usize) -> u32 {
        self.across(self.levels[level - 1].iter().copied())
    }

    /// Theorems 1 and 2: 2^k D(B) - Σ 2^j D(SN^(k-j)) + 2^(k+1) - 2.
    pub(super) fn formula(&self) -> u32 {
        let k = self.k();
        let less: u32 = (0..k).map(|j| self.across_super_node(k - j) << j).sum();
        (self.across(0..self.base.len()) << k) + (2 << k) - 2 - less
    }

    /// True if some super-node is the whole base.
    pub(super) fn has_whole(&self) -> bool {
        self.levels.iter().any(|factors| factors.len() == self.base.len())
    }
}

impl Display for Net {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let product = |factors: &[usize]| {
            let names: Vec<String> = factors.iter().map(|&factor| name(&self.base, factor)).collect();
            if names.is_empty() { "1".to_owned() } else { names.join("×") }
        };
        let all: Vec<usize> = (0..self.base.len()).collect();
        let levels: Vec<String> = self.levels.iter().map(|factors| product(factors)).collect();
        write!(f, "HDN({}, {}, ({}))", product(&all), self.k(), levels.join(", "))
    }
}

/// Name of a factor of a base: C3 is a ring, K4 a complete network, Q2 a hypercube; equal factors are distinguished by
/// primes.
fn name(base: &[Factor], factor: usize) -> String {
    let name = match base[factor] {
        Factor::Ring(nodes) => format!("C{nodes}"),
        Factor::Complete(nodes) => format!("K{nodes}"),
        Factor::Hypercube(d) => format!("Q{d}"),
    };
    let alike = base[..factor].iter().filter(|&&other| other == base[factor]).count();
    name + &"′".repeat(alike)
}

impl Size for Net {
    fn routers(&self) -> u32 {
        self.nodes()
    }
}

/// Every network of a base of the list with at most `limit` nodes and 3 levels.
pub(super) fn all(limit: u32) -> Vec<Net> {
    let mut found = Vec::new();
    for base in BASES {
        let sets: Vec<Vec<usize>> = (0..1 << base.len())
            .map(|set: usize| (0..base.len()).filter(|factor| set >> factor & 1 == 1).collect())
            .collect();
        let mut open: Vec<Vec<Vec<usize>>> = vec![Vec::new()];
        while let Some(levels) = open.pop() {
            for set in &sets {
                let more: Vec<Vec<usize>> = levels.iter().chain([set]).cloned().collect();
                let Some(net) = Net::new(base, more.clone()).filter(|net| net.nodes() <= limit) else { continue };
                found.push(net);
                if more.len() < 3 {
                    open.push(more);
                }
            }
        }
    }
    found
}

/// Sizes of a list, with its common condition.
pub(super) fn of(all: Vec<Net>, condition: &str, limit: u32) -> Sizes<Net> {
    let condition = if condition.is_empty() { String::new() } else { format!(", {condition}") };
    Sizes { range: format!("{} bases, every S, k ≤ 3, n ≤ {limit}{condition}", BASES.len()), all }
}

/// All networks.
pub(super) fn nets(limit: u32) -> Sizes<Net> {
    of(all(limit), "", limit)
}

/// Networks none of whose super-nodes is the whole base.
pub(super) fn parted(limit: u32) -> Sizes<Net> {
    let mut all = all(limit);
    all.retain(|net| !net.has_whole());
    of(all, "SN ≠ B", limit)
}

/// Networks whose super-nodes are nested.
pub(super) fn nested(limit: u32) -> Sizes<Net> {
    let mut all = all(limit);
    all.retain(|net| net.net().is_nested());
    of(all, "each SN within that of the level below", limit)
}
