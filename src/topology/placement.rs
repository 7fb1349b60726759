//! Places of a network in a larger one.

use crate::id::NodeId;

/// Placement of a guest's routers and ports in its host.
pub trait Placement {
    /// The router of the host that stands for a router of the guest.
    fn node(&self, guest: NodeId) -> NodeId;

    /// The port of that router that stands for a port of the guest's.
    fn port(&self, guest: NodeId, port: usize) -> usize;
}
