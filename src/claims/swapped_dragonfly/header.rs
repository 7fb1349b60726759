//! Synchronizing header [b;γ,π,δ] of section 5, with `*`, and the hops of its packet.

use super::walk::{Clash, Net, Port, Reservations};
use crate::topology::swapped_dragonfly::RouterAddress;

/// A field of a header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field {
    /// One port.
    To(u32),
    /// `*`: a copy to every port of that kind, to port 0 too.
    Star,
}

/// A header [b;γ,π,δ].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Header {
    /// Hops to come.
    pub b: u32,
    /// The global port.
    pub gamma: Field,
    /// The later local port.
    pub pi: Field,
    /// The next local port.
    pub delta: Field,
}

/// Rule for a copy of a broadcast with b = 2 for global port 0 at a router with d = p, where there is no link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AtDiagonal {
    /// The copy stays for a cycle, as the paper's formulas have it.
    Stays,
    /// The copy is dropped: all that it would reach is reached by others.
    Dropped,
}

impl Header {
    /// [b;*,*,*].
    pub fn broadcast(b: u32) -> Self {
        Self { b, gamma: Field::Star, pi: Field::Star, delta: Field::Star }
    }

    /// [b;γ,π,δ] without `*`.
    pub fn to(b: u32, gamma: u32, pi: u32, delta: u32) -> Self {
        Self { b, gamma: Field::To(gamma), pi: Field::To(pi), delta: Field::To(delta) }
    }

    /// The ports that a router sends a packet to, and its header from there on.
    pub fn forward(self, net: Net) -> (Vec<Port>, Self) {
        let expand = |field, n, port: fn(u32) -> Port| match field {
            Field::To(x) => vec![port(x)],
            Field::Star => (0..n).map(port).collect(),
        };
        let b = self.b - 1;
        match self.b % 2 {
            1 => (expand(self.delta, net.m, Port::Local), Self { b, delta: self.pi, pi: Field::To(0), ..self }),
            _ => (expand(self.gamma, net.k, Port::Global), Self { b, gamma: Field::To(0), ..self }),
        }
    }

    fn is_broadcast(self) -> bool {
        [self.gamma, self.pi, self.delta].contains(&Field::Star)
    }
}

/// Arrivals of a packet and its copies, by router.
#[derive(Debug, Clone)]
pub struct Delivery {
    /// Copies that came over a channel, by router.
    pub entries: Vec<u32>,
    /// Copies that ended with b = 0, by router.
    pub ends: Vec<u32>,
    /// The routers that had a copy after each hop, and its header.
    pub hops: Vec<Vec<(RouterAddress, Header)>>,
    /// The channels that were taken.
    pub channels: Vec<(RouterAddress, Port)>,
}

impl Delivery {
    /// True if every router but the source received a copy.
    pub fn reaches_all(&self, net: Net, source: RouterAddress) -> bool {
        let mut seen: Vec<bool> = self.entries.iter().map(|n| *n > 0).collect();
        seen[net.index(source)] = true;
        seen.into_iter().all(|seen| seen)
    }
}

/// Sends a packet on its way, a hop a cycle.
///
/// # Errors
/// A clash, be it of two copies of the packet itself.
pub fn send(
    reservations: &mut Reservations,
    net: Net,
    (start, from): (u32, RouterAddress),
    header: Header,
    rule: AtDiagonal,
    who: u32,
) -> Result<Delivery, Clash> {
    send_every(1, reservations, net, (start, from), header, rule, who)
}

/// Sends a packet on its way, a hop every few cycles.
///
/// # Errors
/// As [`send`].
pub fn send_every(
    time: u32,
    reservations: &mut Reservations,
    net: Net,
    (start, from): (u32, RouterAddress),
    header: Header,
    rule: AtDiagonal,
    who: u32,
) -> Result<Delivery, Clash> {
    let mut delivery = Delivery {
        entries: vec![0; net.nodes().count()],
        ends: vec![0; net.nodes().count()],
        hops: Vec::new(),
        channels: Vec::new(),
    };
    let mut copies = vec![(from, header)];
    for cycle in (start..).step_by(time as usize).take(header.b as usize) {
        let mut next = Vec::new();
        for (at, header) in copies {
            let dropped = |port: &Port| {
                let loopback = *port == Port::Global(0) && at.d == at.p;
                rule == AtDiagonal::Dropped && header.b == 2 && loopback && header.is_broadcast()
            };
            let (ports, later) = header.forward(net);
            for port in ports.into_iter().filter(|port| !dropped(port)) {
                let to = reservations.send(cycle, at, port, who)?;
                if to != at {
                    delivery.entries[net.index(to)] += 1;
                    delivery.channels.push((at, port));
                }
                next.push((to, later));
            }
        }
        delivery.hops.push(next.clone());
        copies = next;
    }
    copies.iter().for_each(|(at, _)| delivery.ends[net.index(*at)] += 1);
    Ok(delivery)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::swapped_dragonfly::Group;

    #[test]
    fn a_header_says_its_ports_in_turn() {
        let net = Net::new(2, 3, Group::Cyclic);
        let (ports, next) = Header::to(3, 1, 2, 0).forward(net);
        assert_eq!((ports, next), (vec![Port::Local(0)], Header::to(2, 1, 0, 2)));
        let (ports, next) = next.forward(net);
        assert_eq!((ports, next), (vec![Port::Global(1)], Header::to(1, 0, 0, 2)));
        assert_eq!(Header::broadcast(4).forward(net).0, [Port::Global(0), Port::Global(1)]);
    }

    #[test]
    fn a_dropped_copy_enters_nothing_twice() {
        let net = Net::new(2, 3, Group::Cyclic);
        let source = RouterAddress { c: 0, d: 0, p: 1 };
        let entries = |rule| {
            let delivery =
                send(&mut Reservations::new(net), net, (0, source), Header::broadcast(3), rule, 0).expect("alone");
            assert!(delivery.reaches_all(net, source));
            delivery.entries.iter().sum::<u32>()
        };
        assert_eq!((entries(AtDiagonal::Stays), entries(AtDiagonal::Dropped)), (19, 17));
    }
}
