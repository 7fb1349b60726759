//! Follows a packet with a synchronizing header, and all its copies, hop by hop.

use super::header::{Copy, Place, add, copies, node, place};
use crate::check::swapped_dragonfly::error::CheckError;
use crate::id::NodeId;
use crate::program::form::swapped_dragonfly::stream::Injection;
use crate::program::form::swapped_dragonfly::uniform::HopLatency;
use crate::topology::SwappedDragonfly;
use crate::topology::swapped_dragonfly::headers::Header;

/// A copy of a packet takes a way out of a router.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Crossing {
    /// The router that it leaves.
    pub node: NodeId,
    /// The port; one more than the last stands for staying in the router for the time of a local hop.
    pub port: u32,
    /// The cycle in which it enters the channel.
    pub cycle: u32,
    /// The router that it comes to.
    pub to: NodeId,
    /// The cycle in which it is there and can go on: where routers do not copy, when the endpoint has looked at it.
    pub there: u32,
    /// Copy kept by that router.
    pub kept: bool,
}

/// All crossings of a packet and its copies, in cycles from the start of its batch. After every hop it is in an endpoint for
/// `software` cycles, none if routers copy.
///
/// # Errors
/// [`CheckError::HeaderOutOfRange`] for a port that no router has.
pub fn flood(
    net: &SwappedDragonfly,
    hop: HopLatency,
    software: u32,
    root: NodeId,
    injection: &Injection,
) -> Result<Vec<Crossing>, CheckError> {
    let m = net.m();
    let outside = |header: String| CheckError::HeaderOutOfRange { header, k: net.k(), m };
    let at = place(root, m);
    let mut found = Vec::new();
    // where a copy is, when, its header, and the crossing by which it came
    let mut open: Vec<(Place, u32, Header, Option<usize>)> = Vec::new();
    match injection.via {
        None => open.push((at, injection.offset, injection.header.clone(), None)),
        Some(x) if x == 0 || x >= m => {
            return Err(outside(format!("local port {x}")));
        }
        Some(x) => {
            let to = (at.0, at.1, add(net.group(), at.2, x, m));
            let there = injection.offset + hop.local + software;
            // who treats a packet as its own does not keep it, since it comes back by the swap, if there is one
            let kept = injection.header.broadcast && to.1 == to.2;
            found.push(Crossing { node: root, port: x - 1, cycle: injection.offset, to: node(to, m), there, kept });
            open.push((to, there, injection.header.clone(), Some(0)));
        }
    }
    while let Some((at, cycle, header, came)) = open.pop() {
        let local = header.b % 2 == 1;
        let there = cycle + software + if local { hop.local } else { hop.global };
        let copies = copies(net, at, &header).ok_or_else(|| outside(injection.header.to_string()))?;
        for Copy { port, to, header: next } in copies {
            let mut leave = |port: u32, kept: bool| {
                found.push(Crossing { node: node(at, m), port, cycle, to: node(to, m), there, kept });
                Some(found.len() - 1)
            };
            let came = match port {
                Some(port) => leave(port, next.b == 0 || header.broadcast && to != at),
                // the source just sends later; any other router holds the packet
                None if next.b != 0 => came.and_then(|_| leave(m - 1 + net.k(), false)),
                None => {
                    if let (Some(came), false) = (came, header.broadcast) {
                        found[came].kept = true;
                    }
                    continue;
                }
            };
            open.push((to, there, next, came));
        }
    }
    Ok(found)
}
