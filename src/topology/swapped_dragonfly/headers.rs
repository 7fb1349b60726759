//! Synchronizing headers [b; γ, π, δ] on the Swapped Dragonfly, and the actions of a router on them (Draper, section
//! 5).
//!
//! Odd b: local hop δ, then δ becomes π and π becomes 0. Even b: global hop γ, then γ becomes 0. Every hop takes 1 from b;
//! b = 0 has arrived. A field may be a set of ports: the router copies the packet to all of them. Local port 0 is "stay",
//! and so is global port 0 of a router with d = p; both take the time of a hop. Where a broadcast would stay on such a router
//! at b = 2 it ends, since everything behind has it already.

use super::{RouterAddress, SwappedDragonfly};
use std::fmt;

/// A set of ports of one kind, in a field of a header.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Ports {
    /// One port.
    One(u32),
    /// All, "stay" or the swap included: `*`.
    All,
    /// All but these.
    AllBut(Vec<u32>),
    /// List of port numbers.
    Of(Vec<u32>),
}

impl Ports {
    /// The ports of a router that has `n` of them, in order.
    pub fn list(&self, n: u32) -> Vec<u32> {
        match self {
            Ports::One(port) => vec![*port],
            Ports::All => (0..n).collect(),
            Ports::AllBut(out) => (0..n).filter(|port| !out.contains(port)).collect(),
            Ports::Of(ports) => ports.clone(),
        }
    }
}

impl fmt::Display for Ports {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |ports: &[u32]| ports.iter().map(u32::to_string).collect::<Vec<_>>().join(",");
        match self {
            Ports::One(port) => write!(f, "{port}"),
            Ports::All => f.write_str("*"),
            Ports::AllBut(ports) => write!(f, "*-{{{}}}", list(ports)),
            Ports::Of(ports) => write!(f, "{{{}}}", list(ports)),
        }
    }
}

/// A synchronizing header.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Header {
    /// Hops to go, "stay" included.
    pub b: u32,
    /// The next global hop.
    pub gamma: Ports,
    /// The local hop after the next.
    pub pi: Ports,
    /// The next local hop.
    pub delta: Ports,
    /// Broadcast flag: every router keeps a copy of a packet that arrives over a channel; otherwise only where b is 0.
    pub broadcast: bool,
}

impl fmt::Display for Header {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { b, gamma, pi, delta, broadcast } = self;
        write!(f, "[{b};{gamma},{pi},{delta}]{}", if *broadcast { "!" } else { "" })
    }
}

/// A hop of a packet, as a router decides it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// The port over which the packet leaves, counted as [`Topology::neighbour`](super::Topology::neighbour) does; None if it stays
    /// in the router for the time of a local hop.
    pub port: Option<usize>,
    /// Router after the hop.
    pub to: RouterAddress,
    /// Header of the packet after the hop.
    pub header: Header,
}

/// Forwarding of a packet by a router: one step for each copy, none if the packet has arrived or ends.
pub fn steps(net: &SwappedDragonfly, at: RouterAddress, header: &Header) -> Vec<Step> {
    let Header { b, gamma, pi, delta, broadcast } = header;
    match b {
        0 => Vec::new(),
        b if b % 2 == 1 => {
            let next =
                Header { b: b - 1, gamma: gamma.clone(), pi: Ports::One(0), delta: pi.clone(), broadcast: *broadcast };
            let step = |port: u32| Step {
                port: (port != 0).then(|| net.local_port(port)),
                to: net.local(at, port),
                header: next.clone(),
            };
            delta.list(net.m()).into_iter().map(step).collect()
        }
        b => {
            let next =
                Header { b: b - 1, gamma: Ports::One(0), pi: pi.clone(), delta: delta.clone(), broadcast: *broadcast };
            let ends = |port: u32| port == 0 && at.d == at.p && *broadcast && *b == 2;
            let step =
                |port: u32| Step { port: Some(net.global_port(port)), to: net.global(at, port), header: next.clone() };
            gamma.list(net.k()).into_iter().filter(|&port| !ends(port)).map(step).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::swapped_dragonfly::{Group, SourceVector};

    #[test]
    fn three_hops_are_a_source_vector_and_four_end_where_the_paper_says() {
        for net in [SwappedDragonfly::new(3, 4, Group::Cyclic), SwappedDragonfly::new(4, 2, Group::Xor)] {
            let (k, m, group) = (net.k(), net.m(), net.group());
            let all = (0..k * m * m * k * m * m).map(|i| (i % (k * m * m), i / (k * m * m)));
            for (source, vector) in all {
                let from = net.address((source as usize).into());
                let (gamma, pi, delta) = (vector / (m * m), vector / m % m, vector % m);
                let follow = |b| {
                    let [g, p, d] = [gamma, pi, delta].map(Ports::One);
                    let mut packet = (from, Header { b, gamma: g, pi: p, delta: d, broadcast: false });
                    while packet.1.b > 0 {
                        let [step] = steps(&net, packet.0, &packet.1).try_into().unwrap();
                        packet = (step.to, step.header);
                    }
                    packet.0
                };
                assert_eq!(follow(3), net.destination(from, SourceVector { gamma, pi, delta }));
                let to = RouterAddress {
                    c: group.add(from.c, gamma, k),
                    d: group.add(from.d, delta, m),
                    p: group.add(from.p, pi, m),
                };
                assert_eq!(follow(4), to);
            }
        }
    }

    #[test]
    fn a_broadcast_ends_on_the_diagonal() {
        let net = SwappedDragonfly::new(2, 3, Group::Cyclic);
        let star = |b, broadcast| Header { b, gamma: Ports::All, pi: Ports::All, delta: Ports::All, broadcast };
        let at = |d, p| RouterAddress { c: 0, d, p };
        assert_eq!(steps(&net, at(1, 1), &star(2, true)).len(), 1);
        assert_eq!(steps(&net, at(1, 1), &star(4, true)).len(), 2);
        assert_eq!(steps(&net, at(1, 1), &star(2, false)).len(), 2);
        assert_eq!(steps(&net, at(1, 2), &star(2, true)).len(), 2);
        assert_eq!(star(4, true).to_string(), "[4;*,*,*]!");
    }
}
