//! Claims and arrivals of the packets of a product, each followed from its sender on.

use super::flood::flood;
use super::product_fault::ProductFault;
use crate::check::program::{self, Claims, Meeting, label};
use crate::check::swapped_dragonfly::error::CheckError;
use crate::id::NodeId;
use crate::program::Train;
use crate::program::form::swapped_dragonfly::product::ProductSchedule;
use crate::program::form::swapped_dragonfly::stream::Injection;
use crate::topology::{SwappedDragonfly, Topology};

/// A packet enters a channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Claim {
    /// The router that it leaves.
    pub node: NodeId,
    /// Output port of the claim.
    pub port: u32,
    /// Cycle in which the packet enters the channel.
    pub cycle: u32,
    /// Index of the packet's send in [`ProductSchedule::sends`].
    pub send: u32,
}

/// A packet, or a value that a router keeps for itself, is where it is needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Arrival {
    /// Router at which the packet or value is.
    pub node: NodeId,
    /// The first cycle in which it is there.
    pub cycle: u32,
    /// Input port over which it comes, numbered as the sender's output, or behind the last port the register in which packets stay; none for
    /// a value that the router keeps.
    pub port: Option<u32>,
    /// Index of the packet's send in [`ProductSchedule::sends`].
    pub send: u32,
}

/// All claims, by router, port and cycle, and all arrivals in order of sends.
pub(super) fn follow(
    net: &SwappedDragonfly,
    schedule: &ProductSchedule,
) -> Result<(Vec<Claim>, Vec<Arrival>), CheckError> {
    let (mut claims, mut arrivals) = (Vec::new(), Vec::new());
    for (index, send) in (0..).zip(&schedule.sends) {
        let injection = Injection { lane: 0, offset: send.cycle, via: None, header: (*send.header).clone() };
        let crossings = flood(net, schedule.hop, 0, send.node, &injection)?;
        if crossings.is_empty() {
            if send.header.b != 1 {
                let (cycle, at, term) = (send.cycle, label(net, send.node), send.term);
                return Err(ProductFault::Lost { cycle, at, term }.into());
            }
            arrivals.push(Arrival { node: send.node, cycle: send.cycle, port: None, send: index });
            continue;
        }
        for c in crossings {
            claims.push(Claim { node: c.node, port: c.port, cycle: c.cycle, send: index });
            if c.kept {
                arrivals.push(Arrival { node: c.to, cycle: c.there, port: Some(c.port), send: index });
            }
        }
    }
    claims.sort_unstable();
    arrivals.shrink_to_fit();
    Ok((claims, arrivals))
}

/// Checks that no channel, loopbacks and the register in which packets stay included, is claimed twice in a cycle, where each send is of
/// so many packets in consecutive cycles.
pub(super) fn conflicts(
    net: &SwappedDragonfly,
    schedule: &ProductSchedule,
    claims: &[Claim],
    packets: u32,
) -> Result<(), ProductFault> {
    let places = net.ports() as u32 + 1;
    let claim = |&Claim { node, port, cycle, send }: &Claim| program::Claim {
        place: node.get() * places + port,
        cycle,
        owner: send,
        origin: node,
    };
    let claims = Claims::new(claims.iter().map(claim).collect(), |_| (Train::STEADY, packets));
    let Some(Meeting { claims: [a, b], cycle }) = claims.meeting(|_, _| false) else { return Ok(()) };
    let port = match (a.place % places) as usize {
        port if port == net.ports() => "the register in which packets stay".to_owned(),
        port => net.port_name(port),
    };
    let terms = [a, b].map(|claim| schedule.sends[claim.owner as usize].term);
    Err(ProductFault::Clash { cycle, at: label(net, a.origin), port, terms })
}
