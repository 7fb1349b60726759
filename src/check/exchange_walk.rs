//! Route of one packet from every router, hop by hop.

use super::header::{self, Copy, copies};
use crate::id::NodeId;
use crate::schedule::HopLatency;
use crate::schedule::exchange_program::{Port, Way};
use crate::topology::{Coordinates, SwappedDragonfly, Topology};

/// A hop of all packets.
pub(super) struct Hop {
    /// The port, as a topology counts; the number of ports if the packets stay.
    pub port: usize,
    /// Cycles from the start to this hop.
    pub offset: u32,
}

/// Ends of the packets of all routers.
pub(super) struct Walk {
    /// Router at which the packet of each router ends.
    pub ends: Vec<NodeId>,
    /// Cycles from the first hop to the end.
    pub latency: u32,
}

/// Follows the packet that every router sends this way, and shows each hop.
///
/// # Errors
/// The first hop at which two packets take different ports, or end in one router, or a header does not say one thing to do.
pub(super) fn walk(
    net: &SwappedDragonfly,
    hop: HopLatency,
    way: &Way,
    mut show: impl FnMut(Hop),
) -> Result<Walk, usize> {
    let mut at: Vec<NodeId> = (0..net.nodes()).map(NodeId::from).collect();
    let mut headers = match way {
        Way::Header(header) => vec![header.clone(); net.nodes()],
        Way::Ports(_) => Vec::new(),
    };
    let mut latency = 0;
    for index in 0..way.hops() as usize {
        let (port, local, next) = match way {
            Way::Ports(ports) => {
                let (port, local) = match ports[index] {
                    Port::Local(x) => (net.local_port(x), true),
                    Port::Global(x) => (net.global_port(x), false),
                };
                (port, local, at.iter().map(|&at| net.neighbour(at, port)).collect())
            }
            Way::Header(header) => {
                let mut all = None;
                let mut next: Vec<NodeId> = Vec::with_capacity(at.len());
                for (at, header) in at.iter().zip(&mut headers) {
                    let copies = copies(net, header::place(*at, net.m()), header).ok_or(index)?;
                    let [Copy { port, to, header: left }] = copies.try_into().map_err(|_| index)?;
                    if *all.get_or_insert(port) != port {
                        return Err(index);
                    }
                    *header = left;
                    next.push(header::node(to, net.m()));
                }
                // local hops are those at odd b, those in which a packet stays among them
                (all.flatten().map_or(net.ports(), |port| port as usize), (header.b as usize - index) % 2 == 1, next)
            }
        };
        let mut reached = vec![false; net.nodes()];
        if next.iter().any(|to| std::mem::replace(&mut reached[to.index()], true)) {
            return Err(index);
        }
        show(Hop { port, offset: latency });
        at = next;
        latency += if local { hop.local } else { hop.global };
    }
    Ok(Walk { ends: at, latency })
}

/// Bits of a node's index.
pub(super) fn dimensions(net: &SwappedDragonfly) -> u32 {
    net.nodes().trailing_zeros()
}

/// A router's coordinates.
pub(super) fn place(net: &SwappedDragonfly, node: usize) -> String {
    Coordinates(&net.label(node.into())).to_string()
}
