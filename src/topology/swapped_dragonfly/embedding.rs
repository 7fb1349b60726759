//! A smaller Swapped Dragonfly inside a larger one (Draper, Property 2, as corrected).
//!
//! With cabinets J and places L, the routers (c,d,p) with c ∈ J **and d, p ∈ L** are a D3(|J|,|L|), the *guest*. Its
//! links are links of the *host*. Router (i,x,y) of the guest is router (J\[i\],L\[x\],L\[y\]) of the host. A subset of
//! a group is no subgroup. So the guest has its own arithmetic, and the host's port for a port of the guest depends on
//! the router. Global port γ of cabinet i is J\[i+γ\] - J\[i\]; local port δ at place y is L\[y+δ\] - L\[y\]. Swaps
//! stay swaps, loopbacks stay loopbacks.

use super::{Group, RouterAddress, SwappedDragonfly};
use crate::id::{ChannelId, NodeId};
use crate::topology::{Placement, Topology};

/// D3(|J|,|L|) inside D3(K,M).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Embedding {
    host: SwappedDragonfly,
    guest: SwappedDragonfly,
    cabinets: Vec<u32>,
    places: Vec<u32>,
}

impl Embedding {
    /// Guest of these cabinets and places, with its own arithmetic. Cabinets and places have no repetition and are in
    /// the host's range; for exclusive or their numbers are powers of two. The specification has checked this.
    pub fn new(host: SwappedDragonfly, cabinets: Vec<u32>, places: Vec<u32>, group: Group) -> Self {
        let guest = SwappedDragonfly::new(cabinets.len() as u32, places.len() as u32, group);
        Self { host, guest, cabinets, places }
    }

    /// The network that the guest is a part of.
    pub fn host(&self) -> SwappedDragonfly {
        self.host
    }

    /// The smaller network.
    pub fn guest(&self) -> SwappedDragonfly {
        self.guest
    }

    /// The host's cabinets, in the order of the guest's: J.
    pub fn cabinets(&self) -> &[u32] {
        &self.cabinets
    }

    /// The host's drawers, and positions in them, in the order of the guest's: L.
    pub fn places(&self) -> &[u32] {
        &self.places
    }

    /// The host's router for one of the guest's.
    pub fn address(&self, guest: RouterAddress) -> RouterAddress {
        let [c, d, p] = [guest.c, guest.d, guest.p].map(|x| x as usize);
        RouterAddress { c: self.cabinets[c], d: self.places[d], p: self.places[p] }
    }

    /// The host's global port for global port `gamma` of the guest's cabinet `c`.
    pub fn global_port(&self, c: u32, gamma: u32) -> u32 {
        let to = self.guest.group().add(c, gamma, self.guest.k());
        self.host.group().sub(self.cabinets[to as usize], self.cabinets[c as usize], self.host.k())
    }

    /// The host's local port for local port `delta` of the guest's place `p`.
    pub fn local_port(&self, p: u32, delta: u32) -> u32 {
        let to = self.guest.group().add(p, delta, self.guest.m());
        self.host.group().sub(self.places[to as usize], self.places[p as usize], self.host.m())
    }

    /// The host's channel for one of the guest's.
    pub fn channel(&self, guest: ChannelId) -> ChannelId {
        let (node, port) = (guest.index() / self.guest.ports(), guest.index() % self.guest.ports());
        self.host.channel_id(self.node(node.into()), self.port(node.into(), port))
    }
}

impl Placement for Embedding {
    fn node(&self, guest: NodeId) -> NodeId {
        self.host.node(self.address(self.guest.address(guest)))
    }

    fn port(&self, guest: NodeId, port: usize) -> usize {
        let at = self.guest.address(guest);
        match port.checked_sub(self.guest.local_ports()) {
            None => self.host.local_port(self.local_port(at.p, port as u32 + 1)),
            Some(gamma) => self.host.global_port(self.global_port(at.c, gamma as u32)),
        }
    }
}
