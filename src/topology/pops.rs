//! The partitioned optical passive stars network POPS(d,g): g groups of d processors, and a coupler from every group to every
//! group (Chiarulli et al. 1994; Mei and Rizzi, section 1).
//!
//! Coupler c(b,a) takes one packet a slot from one processor of group a, and all d processors of group b hear it. In a slot a
//! processor sends one packet to any of its couplers c(·,a), and reads one of its couplers c(b,·).

use super::network::{Topology, size};
use crate::id::NodeId;

/// POPS(d,g).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pops {
    d: u32,
    g: u32,
}

impl Pops {
    /// `g` groups of `d` processors, both at least 1.
    pub const fn new(d: u32, g: u32) -> Self {
        Self { d, g }
    }

    /// The network of a table with `d` and `g`, if it has at most 2²⁴ nodes.
    pub fn from_table(table: &serde_json::Value) -> Option<Self> {
        let net = Self::new(size(table, "d", 1)?, size(table, "g", 1)?);
        let nodes = u64::from(net.d) * u64::from(net.g) + net.couplers();
        (nodes <= 1 << 24).then_some(net)
    }

    /// Processors a group.
    pub const fn d(self) -> u32 {
        self.d
    }

    /// Groups.
    pub const fn g(self) -> u32 {
        self.g
    }

    /// Processors in all, d·g.
    pub const fn processors(self) -> u32 {
        self.d * self.g
    }

    /// Couplers in all, g².
    pub const fn couplers(self) -> u64 {
        self.g as u64 * self.g as u64
    }

    /// The group of a processor.
    pub const fn group(self, processor: u32) -> u32 {
        processor / self.d
    }
}

/// Nodes are the processors, then the couplers c(b,a) by b and then a. Port b of a processor leads to its coupler to group b, port i
/// of a coupler to processor i of the group that hears it.
impl Topology for Pops {
    fn sends_one_packet(&self) -> bool {
        true
    }

    fn name(&self) -> &'static str {
        "pops"
    }

    fn nodes(&self) -> usize {
        self.processors() as usize + self.couplers() as usize
    }

    fn ports(&self) -> usize {
        self.d.max(self.g) as usize
    }

    fn ports_of(&self, node: NodeId) -> usize {
        (if self.is_medium(node) { self.d } else { self.g }) as usize
    }

    fn is_medium(&self, node: NodeId) -> bool {
        node.get() >= self.processors()
    }

    fn tag(&self, node: NodeId) -> Option<&'static str> {
        Some(if self.is_medium(node) { "c" } else { "p" })
    }

    fn label(&self, node: NodeId) -> Vec<u32> {
        match node.get().checked_sub(self.processors()) {
            None => vec![node.get()],
            Some(coupler) => vec![coupler / self.g, coupler % self.g],
        }
    }

    fn neighbour(&self, node: NodeId, port: usize) -> NodeId {
        let port = port as u32;
        NodeId::new(match node.get().checked_sub(self.processors()) {
            None => self.processors() + port * self.g + self.group(node.get()),
            Some(coupler) => coupler / self.g * self.d + port,
        })
    }

    fn port_name(&self, port: usize) -> String {
        port.to_string()
    }
}

impl std::fmt::Display for Pops {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "POPS({},{})", self.d, self.g)
    }
}
