//! Follows a packet of every router along its way.

use crate::id::NodeId;
use crate::schedule::HopLatency;
use crate::schedule::exchange_program::{Port, Way};
use crate::topology::headers::steps;
use crate::topology::{SwappedDragonfly, Topology};

/// A hop of all packets.
pub(super) struct Hop {
    /// The port, as a topology counts; the number of ports if the packets stay.
    pub port: usize,
    /// Cycles from the start to this hop.
    pub offset: u32,
}

/// Where packets end.
pub(super) struct Walk {
    /// Where the packet of each router ends.
    pub ends: Vec<NodeId>,
    /// Cycles on the way.
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
                    let [step] = steps(net, net.address(*at), header).try_into().map_err(|_| index)?;
                    if *all.get_or_insert(step.port) != step.port {
                        return Err(index);
                    }
                    *header = step.header;
                    next.push(net.node(step.to));
                }
                // local hops are those at odd b, those in which a packet stays among them
                (all.flatten().unwrap_or(net.ports()), (header.b as usize - index) % 2 == 1, next)
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
