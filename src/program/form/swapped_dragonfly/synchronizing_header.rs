//! Hops of a packet with a synchronizing header (Draper, section 5), all its copies included.

use crate::id::NodeId;
use crate::program::Hop;
use crate::topology::swapped_dragonfly::headers::{Header, steps};
use crate::topology::{SwappedDragonfly, Topology};

/// Waits of a packet with a header, in cycles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Holds {
    /// Cycles of a hop for which the header keeps the packet in its router.
    pub stay: u32,
    /// Cycles in the endpoint after every hop: 0 where routers copy.
    pub endpoint: u32,
}

/// Hop of a packet with a header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Carried {
    /// Hop; its parent is counted from the packet's first.
    pub hop: Hop,
    /// Header of the packet at the end of the hop.
    pub header: Header,
    /// Cycles that the packet stays at the end of the hop before it has arrived there.
    pub late: u32,
}

/// The hops of a packet that starts at `root`, or after local hop `via` of `root` is treated as if it did, parents before
/// children. A node keeps the packet where the header's b is 0, and of a broadcast wherever it comes over a channel.
pub fn tree(net: &SwappedDragonfly, root: NodeId, via: Option<u32>, header: &Header, holds: Holds) -> Vec<Hop> {
    follow(net, root, via, header, holds).into_iter().map(|carried| carried.hop).collect()
}

/// The hops of [`tree`], with the headers that they leave.
pub fn follow(net: &SwappedDragonfly, root: NodeId, via: Option<u32>, header: &Header, holds: Holds) -> Vec<Carried> {
    let first = via.map(|x| {
        let to = net.local(net.address(root), x);
        // a router that treats the packet as its own has it back over the swap, if there is one
        let keep = header.broadcast && to.d == to.p;
        Hop { parent: None, port: net.local_port(x) as u32, wait: 0, keep }
    });
    follow_from(net, root, first, header, holds)
}

/// The hops of a packet from `root`, whose header at the end of hop `first`, or at the root without one, is `header`.
pub fn follow_from(
    net: &SwappedDragonfly,
    root: NodeId,
    first: Option<Hop>,
    header: &Header,
    holds: Holds,
) -> Vec<Carried> {
    let mut hops: Vec<Carried> = Vec::new();
    let mut start = (net.address(root), header.clone(), None, 0);
    if let Some(hop) = first {
        let to = net.address(net.neighbour(root, hop.port as usize));
        hops.push(Carried { hop, header: header.clone(), late: 0 });
        start = (to, header.clone(), Some(0), holds.endpoint);
    }
    let mut open = vec![start];
    while let Some((at, header, parent, wait)) = open.pop() {
        for step in steps(net, at, &header) {
            let ends = step.header.b == 0;
            let Some(port) = step.port else {
                if let (Some(came), true, false) = (parent, ends, header.broadcast) {
                    let came: u32 = came;
                    hops[came as usize].hop.keep = true;
                    hops[came as usize].late = wait - holds.endpoint + holds.stay;
                }
                open.push((step.to, step.header, parent, wait + holds.stay));
                continue;
            };
            let loops = step.to == at;
            let keep = ends || header.broadcast && !loops;
            let hop = Hop { parent, port: port as u32, wait, keep };
            open.push((step.to, step.header.clone(), Some(hops.len() as u32), holds.endpoint));
            hops.push(Carried { hop, header: step.header, late: 0 });
        }
    }
    hops
}
