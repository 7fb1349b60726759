//! Networks: nodes, channels and the symmetry that lets one router's program stand for all.
//!
//! A topology is one file here and one arm where the specification is turned into a [`Topology`]. Channels are never
//! stored: a network of 10⁶ routers is a few numbers, and what is asked of it is computed.

pub mod embedding;
pub mod headers;
pub mod pops;
pub mod survivor;
pub mod swapped_dragonfly;

pub use embedding::{Embedding, Placement};
pub use pops::Pops;
pub use swapped_dragonfly::SwappedDragonfly;

use crate::id::{ChannelId, NodeId};

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

/// A network whose routers all have the same numbered ports.
pub trait Topology {
    /// The name of the topology in a specification.
    fn name(&self) -> &'static str;

    /// Number of nodes.
    fn nodes(&self) -> usize;

    /// Number of output ports of each node, loopbacks included.
    fn ports(&self) -> usize;

    /// The coordinates of a node, as the exchange format labels it.
    fn label(&self, node: NodeId) -> Vec<u32>;

    /// The node at the far end of a port.
    fn neighbour(&self, node: NodeId, port: usize) -> NodeId;

    /// The name of a port as the field writes it, for messages.
    fn port_name(&self, port: usize) -> String;

    /// Number of channels, loopbacks included.
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
