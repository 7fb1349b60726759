//! Hops of a packet with a synchronizing header (Draper, section 5), all its copies included.

use super::Hop;
use crate::id::NodeId;
use crate::topology::SwappedDragonfly;
use crate::topology::headers::{Header, steps};

/// Waits of a packet with a header, in cycles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Holds {
    /// In a router that the header tells to keep the packet for a hop.
    pub stay: u32,
    /// In the endpoint after every hop: 0 where routers copy.
    pub endpoint: u32,
}

/// The hops of a packet that starts at `root`, or after local hop `via` of `root` is treated as if it did, parents before
/// children. A node keeps the packet where the header's b is 0, and of a broadcast wherever it comes over a channel.
pub fn tree(net: &SwappedDragonfly, root: NodeId, via: Option<u32>, header: &Header, holds: Holds) -> Vec<Hop> {
    let mut hops = Vec::new();
    let mut start = (net.address(root), header.clone(), None, 0);
    if let Some(x) = via {
        let to = net.local(net.address(root), x);
        // a router that treats the packet as its own has it back over the swap, if there is one
        hops.push(Hop {
            parent: None,
            port: net.local_port(x) as u32,
            wait: 0,
            keep: header.broadcast && to.d == to.p,
        });
        start = (to, header.clone(), Some(0), holds.endpoint);
    }
    let mut open = vec![start];
    while let Some((at, header, parent, wait)) = open.pop() {
        for step in steps(net, at, &header) {
            let there = (step.to, step.header);
            let ends = there.1.b == 0;
            let Some(port) = step.port else {
                if let (Some(came), true, false) = (parent, ends, header.broadcast) {
                    let came: u32 = came;
                    hops[came as usize].keep = true;
                }
                open.push((there.0, there.1, parent, wait + holds.stay));
                continue;
            };
            let loops = step.to == at;
            let keep = ends || header.broadcast && !loops;
            hops.push(Hop { parent, port: port as u32, wait, keep });
            open.push((there.0, there.1, Some(hops.len() as u32 - 1), holds.endpoint));
        }
    }
    hops
}
