//! Packets on D3(K,M), hop by hop, by the paper's rules, and the channels they take.

use crate::topology::swapped_dragonfly::{Group, RouterAddress, SourceVector};
use serde::Serialize;

/// A network D3(K,M) over a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Net {
    /// Cabinets, K.
    pub k: u32,
    /// Drawers a cabinet and routers a drawer, M.
    pub m: u32,
    /// The arithmetic of drawers and positions.
    pub group: Group,
    /// The arithmetic of cabinets.
    pub cabinets: Group,
}

/// A way out of a router. Local port 0, and global port 0 where d = p, lead nowhere: the packet stays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Port {
    /// Local hop to (c,d,p+δ), with δ.
    Local(u32),
    /// Global hop to (c+γ,p,d), with γ.
    Global(u32),
}

/// A router as the paper writes it.
pub fn show(at: RouterAddress) -> String {
    format!("({},{},{})", at.c, at.d, at.p)
}

impl Net {
    /// D3(K,M) with the same arithmetic in all coordinates.
    pub const fn new(k: u32, m: u32, group: Group) -> Self {
        Self { k, m, group, cabinets: group }
    }

    /// Every router, in lexicographic order.
    pub fn nodes(self) -> impl Iterator<Item = RouterAddress> + Clone {
        let address = move |i| RouterAddress { c: i / self.m / self.m, d: i / self.m % self.m, p: i % self.m };
        (0..self.k * self.m * self.m).map(address)
    }

    /// Every source vector.
    pub fn vectors(self) -> impl Iterator<Item = SourceVector> + Clone {
        self.nodes().map(|at| SourceVector { gamma: at.c, pi: at.d, delta: at.p })
    }

    /// The place of a router in [`Self::routers`].
    pub fn index(self, at: RouterAddress) -> usize {
        ((at.c * self.m + at.d) * self.m + at.p) as usize
    }

    /// The router at the far end of a port.
    pub fn hop(self, at: RouterAddress, port: Port) -> RouterAddress {
        match port {
            Port::Local(delta) => RouterAddress { p: self.group.add(at.p, delta, self.m), ..at },
            Port::Global(gamma) => RouterAddress { c: self.cabinets.add(at.c, gamma, self.k), d: at.p, p: at.d },
        }
    }

    /// The local port that leads to a position.
    pub fn to_position(self, at: RouterAddress, p: u32) -> Port {
        Port::Local(self.group.sub(p, at.p, self.m))
    }

    /// The global port that leads to a cabinet.
    pub fn to_cabinet(self, at: RouterAddress, c: u32) -> Port {
        Port::Global(self.cabinets.sub(c, at.c, self.k))
    }

    /// Every port with a number: M local ones, 0 being no hop, and K global ones.
    pub fn ports(self) -> impl Iterator<Item = Port> + Clone {
        (0..self.m).map(Port::Local).chain((0..self.k).map(Port::Global))
    }

    /// Every link of a router and where it leads: the ports by which a packet does not stay.
    pub fn links(self, at: RouterAddress) -> impl Iterator<Item = (Port, RouterAddress)> {
        self.ports().map(move |port| (port, self.hop(at, port))).filter(move |(_, to)| *to != at)
    }

    /// The ports of a source vector, in order: δ, γ, π.
    pub fn path(self, v: SourceVector) -> [Port; 3] {
        [Port::Local(v.delta), Port::Global(v.gamma), Port::Local(v.pi)]
    }

    /// Fewest hops from a router to each, over links that `usable` lets through; None if there is no way.
    pub fn distances(self, from: RouterAddress, usable: impl Fn(Port) -> bool) -> Vec<Option<u32>> {
        let mut hops = vec![None; self.nodes().count()];
        hops[self.index(from)] = Some(0);
        let mut front = vec![from];
        for distance in 1.. {
            let mut next = Vec::new();
            for at in front {
                for (_, to) in self.links(at).filter(|(port, _)| usable(*port)) {
                    let seen = &mut hops[self.index(to)];
                    if seen.is_none() {
                        *seen = Some(distance);
                        next.push(to);
                    }
                }
            }
            if next.is_empty() {
                break;
            }
            front = next;
        }
        hops
    }
}

/// Two packets that want one channel in one cycle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Clash {
    /// Cycle of the conflict.
    pub cycle: u32,
    /// Router whose channel is wanted twice.
    pub at: RouterAddress,
    /// Channel.
    pub port: Port,
    /// Numbers of the two packets, as given by the caller.
    pub who: [u32; 2],
}

impl std::fmt::Display for Clash {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (kind, number) = match self.port {
            Port::Local(x) => ("local", x),
            Port::Global(x) => ("global", x),
        };
        write!(f, "two packets want {kind} port {number} of {} in cycle {}", show(self.at), self.cycle)
    }
}

/// Reservations of channels by packets, cycle by cycle.
#[derive(Debug, Clone)]
pub struct Reservations {
    net: Net,
    /// A packet's number + 1, or 0, by cycle, router and port.
    taken: Vec<u32>,
    cycles: u32,
}

impl Reservations {
    /// All channels free for ever.
    pub fn new(net: Net) -> Self {
        Self { net, taken: Vec::new(), cycles: 0 }
    }

    /// Moves a packet by a port; a packet that stays takes no channel, but a cycle.
    ///
    /// # Errors
    /// The clash with the packet that has the channel already, be it the same.
    pub fn send(&mut self, cycle: u32, at: RouterAddress, port: Port, who: u32) -> Result<RouterAddress, Clash> {
        let to = self.net.hop(at, port);
        self.cycles = self.cycles.max(cycle + 1);
        if to == at {
            return Ok(to);
        }
        let slot = cycle as usize * self.channels() + self.channel(at, port);
        if slot >= self.taken.len() {
            self.taken.resize((cycle as usize + 1) * self.channels(), 0);
        }
        match self.taken[slot] {
            0 => self.taken[slot] = who + 1,
            other => return Err(Clash { cycle, at, port, who: [other - 1, who] }),
        }
        Ok(to)
    }

    /// Sends a packet with the same source vector from every router, and gives where each ends.
    ///
    /// # Errors
    /// The first clash.
    pub fn launch(&mut self, start: u32, v: SourceVector, who: u32) -> Result<Vec<RouterAddress>, Clash> {
        let (net, path) = (self.net, self.net.path(v));
        let walk = |from| (start..).zip(path).try_fold(from, |at, (cycle, port)| self.send(cycle, at, port, who));
        net.nodes().map(walk).collect()
    }

    /// Cycles from 0 to the last in which a packet moved or stayed.
    pub fn cycles(&self) -> u32 {
        self.cycles
    }

    /// Places for channels in a cycle.
    fn channels(&self) -> usize {
        (self.net.k * self.net.m * self.net.m * (self.net.m + self.net.k)) as usize
    }

    /// The place of a channel in a cycle.
    fn channel(&self, at: RouterAddress, port: Port) -> usize {
        let number = match port {
            Port::Local(x) => x,
            Port::Global(x) => self.net.m + x,
        };
        self.net.index(at) * (self.net.m + self.net.k) as usize + number as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NET: Net = Net::new(2, 3, Group::Cyclic);

    fn at(c: u32, d: u32, p: u32) -> RouterAddress {
        RouterAddress { c, d, p }
    }

    #[test]
    fn a_vector_goes_as_the_paper_says() {
        let v = SourceVector { gamma: 1, pi: 2, delta: 1 };
        let ends = Reservations::new(NET).launch(0, v, 0).expect("one vector does not clash");
        assert_eq!(ends[NET.index(at(0, 1, 2))], at(1, 0, 0));
    }

    #[test]
    fn a_channel_is_not_given_twice() {
        let mut reservations = Reservations::new(NET);
        reservations.send(3, at(0, 0, 1), Port::Local(2), 7).expect("free");
        let clash = reservations.send(3, at(0, 0, 1), Port::Local(2), 9).expect_err("taken");
        assert_eq!((clash.cycle, clash.who), (3, [7, 9]));
        assert_eq!(clash.to_string(), "two packets want local port 2 of (0,0,1) in cycle 3");
        reservations.send(4, at(0, 0, 1), Port::Local(2), 9).expect("free a cycle later");
        reservations.send(3, at(0, 0, 1), Port::Global(0), 9).expect("another port");
    }

    #[test]
    fn who_stays_takes_no_channel() {
        let mut reservations = Reservations::new(NET);
        for who in 0..2 {
            assert_eq!(reservations.send(0, at(1, 2, 2), Port::Global(0), who), Ok(at(1, 2, 2)));
            assert_eq!(reservations.send(0, at(1, 2, 0), Port::Local(0), who), Ok(at(1, 2, 0)));
        }
        assert_eq!(reservations.cycles(), 1);
    }
}
