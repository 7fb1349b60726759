//! Follows a packet with a synchronizing header, and all its copies, hop by hop.
//!
//! This is the paper's rule written once more, on numbers alone: the checker takes nothing from
//! [`headers`](crate::topology::headers) but the form of a header.

use super::error::CheckError;
use crate::id::NodeId;
use crate::schedule::HopLatency;
use crate::schedule::stream::Injection;
use crate::topology::headers::{Header, Ports};
use crate::topology::swapped_dragonfly::{Group, SwappedDragonfly};

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
    /// Whether that router keeps a copy.
    pub kept: bool,
}

/// Everything that happens to a packet from the source on, cycles counted from the batch's. After every hop it is in an endpoint for
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
    let (k, m) = (net.k(), net.m());
    let add = |a: u32, b: u32, n: u32| match net.group() {
        Group::Cyclic if a + b < n => a + b,
        Group::Cyclic => a + b - n,
        Group::Xor => a ^ b,
    };
    let node = |(c, d, p): (u32, u32, u32)| NodeId::new((c * m + d) * m + p);
    let members = |ports: &Ports, n: u32| -> Result<Vec<u32>, CheckError> {
        let listed = match ports {
            Ports::All => (0..n).collect(),
            Ports::One(port) => vec![*port],
            Ports::Of(ports) => ports.clone(),
            Ports::AllBut(out) => (0..n).filter(|port| !out.contains(port)).collect(),
        };
        match listed.iter().all(|&port| port < n) {
            true => Ok(listed),
            false => Err(CheckError::HeaderOutOfRange { header: injection.header.to_string(), k, m }),
        }
    };
    let at = (root.get() / (m * m), root.get() / m % m, root.get() % m);
    let mut found = Vec::new();
    // where a copy is, when, its header, and the crossing by which it came
    let mut open: Vec<(Place, u32, Header, Option<usize>)> = Vec::new();
    match injection.via {
        None => open.push((at, injection.offset, injection.header.clone(), None)),
        Some(x) if x == 0 || x >= m => {
            return Err(CheckError::HeaderOutOfRange { header: format!("local port {x}"), k, m });
        }
        Some(x) => {
            let to = (at.0, at.1, add(at.2, x, m));
            let there = injection.offset + hop.local + software;
            // who treats a packet as its own does not keep it, since it comes back by the swap, if there is one
            let kept = injection.header.broadcast && to.1 == to.2;
            found.push(Crossing { node: root, port: x - 1, cycle: injection.offset, to: node(to), there, kept });
            open.push((to, there, injection.header.clone(), Some(0)));
        }
    }
    while let Some((at, cycle, header, came)) = open.pop() {
        let (c, d, p) = at;
        let Some(b) = header.b.checked_sub(1) else { continue };
        let leave = |found: &mut Vec<Crossing>, port: u32, to: Place, there: u32, kept: bool| {
            found.push(Crossing { node: node(at), port, cycle, to: node(to), there, kept });
            Some(found.len() - 1)
        };
        if header.b % 2 == 1 {
            let next = Header { b, pi: Ports::One(0), delta: header.pi.clone(), ..header.clone() };
            let there = cycle + hop.local + software;
            for x in members(&header.delta, m)? {
                let to = (c, d, add(p, x, m));
                if x != 0 {
                    let came = leave(&mut found, x - 1, to, there, header.broadcast || b == 0);
                    open.push((to, there, next.clone(), came));
                } else if b != 0 {
                    // the source just sends later; any other router holds the packet
                    let came = came.and_then(|_| leave(&mut found, m - 1 + k, to, there, false));
                    open.push((to, there, next.clone(), came));
                } else if let (Some(came), false) = (came, header.broadcast) {
                    found[came].kept = true;
                }
            }
        } else {
            let next = Header { b, gamma: Ports::One(0), ..header.clone() };
            for gamma in members(&header.gamma, k)? {
                let loops = gamma == 0 && d == p;
                if loops && header.broadcast && header.b == 2 {
                    continue;
                }
                let kept = header.broadcast && !loops || b == 0;
                let to = (add(c, gamma, k), p, d);
                let there = cycle + hop.global + software;
                let came = leave(&mut found, m - 1 + gamma, to, there, kept);
                open.push((to, there, next.clone(), came));
            }
        }
    }
    Ok(found)
}

/// Coordinates (c,d,p).
type Place = (u32, u32, u32);
