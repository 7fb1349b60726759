//! Proof of an embedding: guests are followed on the channels of the host.
//!
//! A [`Placement`] maps routers and ports of a guest to those of its host. What is proved of the guest – no conflict,
//! causality, no waiting, delivery – holds in the host, for all guests running at once, if
//!
//! 1. every router of every guest has a router of the host to itself;
//! 2. the host's port for a port leads to the router that stands for the guest's next one, so packets go where they
//!    would;
//! 3. it is of the same class, local or global, so that every hop takes the same time;
//! 4. no channel of the host stands for two channels, be they of one guest or of two.
//!
//! Loopbacks are then loopbacks, and nothing else is, since only a router itself stands for it.
//!
//! The proof looks at every port of every router of the guests and asks the host's [`Topology`] where it leads. It does
//! not ask how the ports were found.

use crate::check::swapped_dragonfly::error::Node;
use crate::id::NodeId;
use crate::topology::{Embedding, Placement, SwappedDragonfly, Topology};
use serde::Serialize;

/// Error of a guest that is not the network that it claims to be.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EmbeddingError {
    /// A router or port that the host does not have.
    #[error("router {router} of network {guest} stands for a router or port that the host does not have")]
    NotThere {
        /// The guest, counted from 0.
        guest: usize,
        /// The guest's router.
        router: Node,
    },
    /// Two routers in one place.
    #[error("router {router} of the host stands for two routers, one of network {guest}")]
    RouterTaken {
        /// The guest that came second.
        guest: usize,
        /// The host's router.
        router: Node,
    },
    /// A port that leads elsewhere.
    #[error("network {guest}: {channel} should lead to {wanted}")]
    WrongWay {
        /// Number of the embedded network, from 0.
        guest: usize,
        /// The host's channel.
        channel: String,
        /// The router that stands for the guest's next one.
        wanted: Node,
    },
    /// A port of the other class.
    #[error("network {guest}: {channel} is not of the class of the guest's port {port}")]
    OtherClass {
        /// Number of the embedded network, from 0.
        guest: usize,
        /// The host's channel.
        channel: String,
        /// The guest's port.
        port: String,
    },
    /// A channel that two channels stand for.
    #[error("{channel} stands for two channels, of networks {first} and {second}")]
    ChannelTaken {
        /// The host's channel.
        channel: String,
        /// The guest that had it first.
        first: usize,
        /// The guest that wants it, too.
        second: usize,
    },
}

/// Proof of an embedding: counts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct EmbeddingProof {
    /// Number of guests.
    pub networks: u64,
    /// Routers of all guests, each in a router of its own.
    pub routers: u64,
    /// Channels of all guests, loopbacks included, each a channel of the host of its own.
    pub channels: u64,
    /// Loopbacks among them.
    pub loopbacks: u64,
    /// Routers of the host.
    pub host_routers: u64,
    /// Channels of the host, loopbacks included.
    pub host_channels: u64,
}

impl EmbeddingProof {
    /// The proof in a sentence.
    pub fn line(&self) -> String {
        let Self { networks, routers, channels, loopbacks, host_routers, host_channels } = self;
        let networks = if *networks == 1 { String::new() } else { format!("; the {networks} networks never meet") };
        format!(
            "embedded: every one of {routers} routers and {channels} channels ({loopbacks} loopbacks) was followed on the host's \
             {host_routers} routers and {host_channels} channels; each has its own, which leads where it should and takes the same \
             time{networks}"
        )
    }
}

/// Proves that these guests are networks of `guest`'s topology in the host, and do not meet.
///
/// # Errors
/// The first [`EmbeddingError`], by guest, router and port.
pub fn check_embedding<P: Placement>(
    host: &SwappedDragonfly,
    guest: &SwappedDragonfly,
    placements: &[P],
) -> Result<EmbeddingProof, EmbeddingError> {
    let mut routers = vec![false; host.nodes()];
    let mut channels: Vec<Option<usize>> = vec![None; host.channels()];
    let mut loopbacks = 0;
    for (number, placement) in placements.iter().enumerate() {
        for router in (0..guest.nodes()).map(NodeId::from) {
            let at = placement.node(router);
            let Some(taken) = routers.get_mut(at.index()) else {
                return Err(EmbeddingError::NotThere { guest: number, router: Node(guest.label(router)) });
            };
            if std::mem::replace(taken, true) {
                return Err(EmbeddingError::RouterTaken { guest: number, router: Node(host.label(at)) });
            }
            for port in 0..guest.ports() {
                let host_port = placement.port(router, port);
                if host_port >= host.ports() {
                    return Err(EmbeddingError::NotThere { guest: number, router: Node(guest.label(router)) });
                }
                let id = host.channel_id(at, host_port);
                if let Some(first) = channels[id.index()].replace(number) {
                    let channel = host.describe(id);
                    return Err(EmbeddingError::ChannelTaken { channel, first, second: number });
                }
                let (inner, outer) = (guest.neighbour(router, port), host.neighbour(at, host_port));
                let wanted = placement.node(inner);
                if outer != wanted {
                    let (channel, wanted) = (host.describe(id), Node(host.label(wanted)));
                    return Err(EmbeddingError::WrongWay { guest: number, channel, wanted });
                }
                let classes = [port < guest.local_ports(), host_port < host.local_ports()];
                if classes[0] != classes[1] {
                    let (channel, port) = (host.describe(id), guest.port_name(port));
                    return Err(EmbeddingError::OtherClass { guest: number, channel, port });
                }
                loopbacks += u64::from(outer == at);
            }
        }
    }
    let count = placements.len() as u64;
    Ok(EmbeddingProof {
        networks: count,
        routers: count * guest.nodes() as u64,
        channels: count * guest.channels() as u64,
        loopbacks,
        host_routers: host.nodes() as u64,
        host_channels: host.channels() as u64,
    })
}

/// Proved embedding of networks in a host. Only [`CheckedEmbedding::new`] makes one.
#[derive(Debug, Clone)]
pub struct CheckedEmbedding {
    embeddings: Vec<Embedding>,
    proof: EmbeddingProof,
}

impl CheckedEmbedding {
    /// Checks embeddings of one size and host; None if there are none.
    ///
    /// # Errors
    /// Errors of [`check_embedding`].
    pub fn new(embeddings: Vec<Embedding>) -> Result<Option<Self>, EmbeddingError> {
        let Some(first) = embeddings.first() else { return Ok(None) };
        let proof = check_embedding(&first.host(), &first.guest(), &embeddings)?;
        Ok(Some(Self { embeddings, proof }))
    }

    /// The network that the guests are parts of.
    pub fn host(&self) -> SwappedDragonfly {
        self.embeddings[0].host()
    }

    /// The network that each guest is.
    pub fn guest(&self) -> SwappedDragonfly {
        self.embeddings[0].guest()
    }

    /// Guests in the host.
    pub fn embeddings(&self) -> &[Embedding] {
        &self.embeddings
    }

    /// Proof of the verdict.
    pub fn proof(&self) -> &EmbeddingProof {
        &self.proof
    }
}
