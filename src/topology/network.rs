//! The trait of a topology: nodes, ports, channels, and their names.

use super::arrangement::{Arrangement, Shape};
use crate::id::{ChannelId, NodeId};
use serde_json::Value;
use std::ops::RangeInclusive;

/// A size in a table: a number from `least` to 2²⁰.
pub(super) fn size(table: &Value, key: &str, least: u32) -> Option<u32> {
    size_to(table, key, least..=1 << 20)
}

/// A size in a table: a number in a range.
pub(super) fn size_to(table: &Value, key: &str, range: RangeInclusive<u32>) -> Option<u32> {
    table[key].as_u64().and_then(|size| u32::try_from(size).ok()).filter(|size| range.contains(size))
}

/// Sizes in a table: a list of numbers of at least 1, not empty.
pub(super) fn sizes(table: &Value, key: &str) -> Option<Vec<u32>> {
    let list = table[key].as_array().filter(|list| !list.is_empty())?;
    list.iter().map(|size| size.as_u64().and_then(|size| u32::try_from(size).ok()).filter(|&size| size > 0)).collect()
}

/// Product of sizes, at most 2²⁰.
pub(super) fn product(sizes: &[u32]) -> Option<u32> {
    let all = sizes.iter().try_fold(1_u32, |product, &size| product.checked_mul(size));
    all.filter(|&all| all <= 1 << 20)
}

/// True if a key has the first of two names, or is left out.
pub(super) fn flag(table: &Value, key: &str, [first, second]: [&str; 2]) -> Option<bool> {
    match table.get(key) {
        None => Some(true),
        Some(name) if name == first => Some(true),
        Some(name) => (name == second).then_some(false),
    }
}

/// One directed hop between two nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Channel {
    /// The node that drives the channel.
    pub src: NodeId,
    /// Node at the end of the channel; equal to `src` for a loopback.
    pub dst: NodeId,
}

impl Channel {
    /// True for a loopback: a register inside a router, no link of the network.
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

    /// True for a medium, which passes words on within a slot and neither sends nor keeps any.
    fn is_medium(&self, _node: NodeId) -> bool {
        false
    }

    /// Name before a node's coordinates in the exchange format, where nodes are of several kinds.
    fn tag(&self, _node: NodeId) -> Option<&'static str> {
        None
    }

    /// The coordinates of a node, as the exchange format labels it.
    fn label(&self, node: NodeId) -> Vec<u32>;

    /// Name of a node, where nodes have names; it is then their label in the exchange format.
    fn name_of(&self, _node: NodeId) -> Option<&str> {
        None
    }

    /// A node in messages: its coordinates as `(c,d,p)`, after its kind as in `r(3)` if there are several, or its name.
    fn title(&self, node: NodeId) -> String {
        let coordinates = || format!("{}{}", self.tag(node).unwrap_or_default(), Coordinates(&self.label(node)));
        self.name_of(node).map_or_else(coordinates, str::to_owned)
    }

    /// The node at the far end of a port.
    fn neighbour(&self, node: NodeId, port: usize) -> NodeId;

    /// The name of a port as the field writes it, for messages.
    fn port_name(&self, port: usize) -> String;

    /// True if a node sends one packet at a time, over any of its channels at once, and receives one.
    fn sends_one_packet(&self) -> bool {
        false
    }

    /// Cycles for which a node holds a packet on a loopback, without a buffer.
    fn loopback(&self, _node: NodeId) -> u32 {
        0
    }

    /// Class of a channel, for classes that differ in latency: the dimension, or 1 of a global channel.
    fn channel_class(&self, _node: NodeId, _port: usize) -> usize {
        0
    }

    /// Arrangement of the nodes in a drawing.
    fn arrangement(&self) -> Arrangement {
        Arrangement::nodes(Shape::Ring, "links", self.nodes())
    }

    /// Description of the drawing that [`Self::arrangement`] gives, in sentences.
    fn about_drawing(&self) -> String {
        format!("{} nodes in the order of their numbers.", self.nodes())
    }

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
        format!("{} -{port}-> {}", self.title(src), self.title(dst))
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
