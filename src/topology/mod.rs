//! Networks: nodes, channels and the symmetry that lets one router's program stand for all.
//!
//! A topology is one file here and one arm where the specification is turned into a [`Topology`]. Channels are never
//! stored: a network of 10⁶ routers is a few numbers, and what is asked of it is computed.

pub mod embedding;
pub mod graph;
pub mod headers;
pub mod pops;
pub mod survivor;
pub mod swapped_dragonfly;

pub use embedding::{Embedding, Placement};
pub use graph::Graph;
pub use pops::Pops;
pub use swapped_dragonfly::SwappedDragonfly;

use crate::id::{ChannelId, NodeId};
use serde_json::Value;

/// The network that a table of the exchange format names, by its topology and sizes; none for a topology that is not known, an
/// error in words for sizes that it cannot have.
pub fn named(table: &Value) -> Option<Result<Box<dyn Topology + Sync>, String>> {
    let name = table["topology"].as_str()?;
    let build = NAMED.iter().find(|(known, _)| *known == name)?.1;
    Some(build(table).ok_or_else(|| format!("the table of the network has no sizes of a {name}")))
}

/// A network from its table.
type Build = fn(&Value) -> Option<Box<dyn Topology + Sync>>;

/// The topologies that tables name.
const NAMED: &[(&str, Build)] = &[
    ("swapped-dragonfly", |table| Some(Box::new(SwappedDragonfly::from_table(table)?))),
    ("pops", |table| Some(Box::new(Pops::from_table(table)?))),
];

/// A size in a table: a number from `least` to 2²⁰.
fn size(table: &Value, key: &str, least: u32) -> Option<u32> {
    table[key].as_u64().and_then(|size| u32::try_from(size).ok()).filter(|size| (least..=1 << 20).contains(size))
}

/// One directed hop between two nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Channel {
    /// The node that drives the channel.
    pub src: NodeId,
    /// The node that hears it; equal to `src` for a loopback.
    pub dst: NodeId,
}

impl Channel {
    /// Whether the channel is a register that a router keeps to itself, not a link of the network.
    pub fn is_loopback(self) -> bool {
        self.src == self.dst
    }
}

/// A network of nodes with numbered output ports.
pub trait Topology {
    /// The name of the topology in a specification.
    fn name(&self) -> &'static str;

    /// Number of nodes.
    fn nodes(&self) -> usize;

    /// Most output ports of a node, loopbacks included.
    fn ports(&self) -> usize;

    /// Number of output ports of a node; at most one of them is a loopback.
    fn ports_of(&self, _node: NodeId) -> usize {
        self.ports()
    }

    /// Whether a node is a medium, which passes words on within a slot and neither sends nor keeps any.
    fn is_medium(&self, _node: NodeId) -> bool {
        false
    }

    /// Name before a node's coordinates in the exchange format, where nodes are of several kinds.
    fn tag(&self, _node: NodeId) -> Option<&'static str> {
        None
    }

    /// The coordinates of a node, as the exchange format labels it.
    fn label(&self, node: NodeId) -> Vec<u32>;

    /// The node at the far end of a port.
    fn neighbour(&self, node: NodeId, port: usize) -> NodeId;

    /// The name of a port as the field writes it, for messages.
    fn port_name(&self, port: usize) -> String;

    /// Number of channels, loopbacks included, if all nodes have the same number of ports.
    fn channels(&self) -> usize {
        self.nodes() * self.ports()
    }

    /// The channel that leaves `node` by `port`.
    fn channel_id(&self, node: NodeId, port: usize) -> ChannelId {
        ChannelId::from(node.index() * self.ports() + port)
    }

    /// The two ends of a channel.
    fn channel(&self, channel: ChannelId) -> Channel {
        let (node, port) = (NodeId::from(channel.index() / self.ports()), channel.index() % self.ports());
        Channel { src: node, dst: self.neighbour(node, port) }
    }

    /// A channel in words: `(0,1,2) -global 1-> (1,2,1)`.
    fn describe(&self, channel: ChannelId) -> String {
        let Channel { src, dst } = self.channel(channel);
        let port = self.port_name(channel.index() % self.ports());
        format!("{} -{port}-> {}", Coordinates(&self.label(src)), Coordinates(&self.label(dst)))
    }
}

/// Displays a node's coordinates as `(c,d,p)`.
pub struct Coordinates<'a>(pub &'a [u32]);

impl std::fmt::Display for Coordinates<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let parts: Vec<String> = self.0.iter().map(u32::to_string).collect();
        write!(f, "({})", parts.join(","))
    }
}
