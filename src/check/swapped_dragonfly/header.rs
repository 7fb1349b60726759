//! Forwarding rule of synchronizing headers [b; γ, π, δ] (Draper, section 5), on coordinates (c,d,p) alone.
//!
//! - Odd b: local hop (c,d,p) → (c,d,p+δ); then δ becomes π, and π becomes 0.
//! - Even b: global hop (c,d,p) → (c+γ,p,d); then γ becomes 0.
//! - Either hop takes 1 from b; at b = 0 the packet has arrived.
//!
//! A field may be a set of ports: a copy leaves over each. Local port 0 is no channel, the packet stays. Global port 0
//! of a router with d = p is its loopback. A broadcast copy that names the loopback at b = 2 is dropped, since all
//! routers behind it have the packet.
//!
//! The checker's own expansion: of [`headers`](crate::topology::swapped_dragonfly::headers) it takes the form of a header only.

use crate::id::NodeId;
use crate::topology::swapped_dragonfly::headers::{Header, Ports};
use crate::topology::swapped_dragonfly::{Group, SwappedDragonfly};

/// Coordinates (c,d,p) of a router.
pub(super) type Place = (u32, u32, u32);

/// Coordinates of router `node` of D3(K,M).
pub(super) fn place(node: NodeId, m: u32) -> Place {
    (node.get() / (m * m), node.get() / m % m, node.get() % m)
}

/// Router at coordinates (c,d,p) of D3(K,M).
pub(super) fn node((c, d, p): Place, m: u32) -> NodeId {
    NodeId::new((c * m + d) * m + p)
}

/// Sum of two coordinates of 0..n, or of a coordinate and a port.
pub(super) fn add(group: Group, a: u32, b: u32, n: u32) -> u32 {
    match group {
        Group::Cyclic if a + b < n => a + b,
        Group::Cyclic => a + b - n,
        Group::Xor => a ^ b,
    }
}

/// Copy of a packet that leaves a router.
pub(super) struct Copy {
    /// Output port: δ - 1 of a local hop, M - 1 + γ of a global one; none if the packet stays for the time of a local hop.
    pub port: Option<u32>,
    /// Router at the far end.
    pub to: Place,
    /// Header there.
    pub header: Header,
}

/// Copies that router `at` makes of a packet; none if it has arrived or ends, and `None` if the header names a port outside D3(K,M).
pub(super) fn copies(net: &SwappedDragonfly, at: Place, header: &Header) -> Option<Vec<Copy>> {
    let (k, m) = (net.k(), net.m());
    let (c, d, p) = at;
    let Some(b) = header.b.checked_sub(1) else { return Some(Vec::new()) };
    let copy = |x: u32| match header.b % 2 {
        1 => Copy {
            port: x.checked_sub(1),
            to: (c, d, add(net.group(), p, x, m)),
            header: Header { b, pi: Ports::One(0), delta: header.pi.clone(), ..header.clone() },
        },
        _ => Copy {
            port: Some(m - 1 + x),
            to: (add(net.group(), c, x, k), p, d),
            header: Header { b, gamma: Ports::One(0), ..header.clone() },
        },
    };
    let (field, count) = if header.b % 2 == 1 { (&header.delta, m) } else { (&header.gamma, k) };
    let dropped = |x: u32| header.b == 2 && header.broadcast && x == 0 && d == p;
    let ports = members(field, count)?;
    Some(ports.into_iter().filter(|&x| !dropped(x)).map(copy).collect())
}

/// Ports of a field below `n`, in its order; `None` if another is among them.
pub(super) fn members(field: &Ports, n: u32) -> Option<Vec<u32>> {
    let listed = match field {
        Ports::All => (0..n).collect(),
        Ports::One(port) => vec![*port],
        Ports::Of(ports) => ports.clone(),
        Ports::AllBut(out) => (0..n).filter(|port| !out.contains(port)).collect(),
    };
    listed.iter().all(|&port| port < n).then_some(listed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::swapped_dragonfly::headers::steps;

    fn header(b: u32, ports: [Ports; 3], broadcast: bool) -> Header {
        let [gamma, pi, delta] = ports;
        Header { b, gamma, pi, delta, broadcast }
    }

    #[test]
    fn the_routers_expand_headers_alike() {
        let field =
            |n: u32| [Ports::One(0), Ports::One(n - 1), Ports::All, Ports::AllBut(vec![0]), Ports::Of(vec![0, 1])];
        for net in [SwappedDragonfly::new(3, 4, Group::Cyclic), SwappedDragonfly::new(4, 2, Group::Xor)] {
            let (k, m) = (net.k(), net.m());
            for (b, gamma) in (0..=5).flat_map(|b| field(k).map(|gamma| (b, gamma))) {
                for (delta, broadcast) in field(m).into_iter().flat_map(|delta| [(delta.clone(), true), (delta, false)])
                {
                    let header = header(b, [gamma.clone(), Ports::One(1), delta], broadcast);
                    for at in (0..k * m * m).map(NodeId::new) {
                        let own = copies(&net, place(at, m), &header).unwrap();
                        let own = own.into_iter().map(|copy| (copy.port, node(copy.to, m), copy.header));
                        let theirs = steps(&net, net.address(at), &header).into_iter();
                        let theirs = theirs.map(|s| (s.port.map(|port| port as u32), net.node(s.to), s.header));
                        assert!(own.eq(theirs), "{header} at {at:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_port_outside_the_network_is_noticed() {
        let net = SwappedDragonfly::new(2, 3, Group::Cyclic);
        let far = |b| header(b, [Ports::One(2), Ports::One(0), Ports::Of(vec![1, 3])], false);
        assert!(copies(&net, (0, 0, 0), &far(1)).is_none());
        assert!(copies(&net, (0, 0, 0), &far(2)).is_none());
        assert!(copies(&net, (0, 0, 0), &far(0)).is_some_and(|copies| copies.is_empty()));
    }
}
