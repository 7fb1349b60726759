//! Are all routers alike? Followed through [`Topology::neighbour`], at every router and every port.
//!
//! The proof for one router (see [`super::symmetric`]) stands for all if
//!
//! - nodes are numbered lexicographically by their coordinates (c,d,p), c < K, d, p < M;
//! - local port x = 1..M-1 leads from (c,d,p) to (c, d, L(p,x)), and global port γ = 0..K-1 to (C(c,γ), p, d);
//! - L with the column L(p,0) = p, and C, are Latin squares: every row and every column is a permutation;
//! - every port is a permutation of the routers, and loopbacks are exactly global port 0 where d = p.
//!
//! L and C are read off a few routers and then compared with all of them; the topology's own arithmetic is not asked.
//! For D3(64,64) this follows 33 million channels and keeps two tables of 16 KiB and one bit per router and thread.

use super::claims::Hop;
use super::error::{CheckError, Node};
use crate::id::NodeId;
use crate::topology::Topology;
use crate::topology::swapped_dragonfly::{RouterAddress, SourceVector};
use rayon::prelude::*;

/// The sizes of a Swapped Dragonfly, K and M.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    /// Cabinets, K ≥ 1.
    pub k: u32,
    /// Drawers a cabinet and routers a drawer, M ≥ 2.
    pub m: u32,
}

impl Shape {
    /// Number of routers, and of source vectors: K·M².
    pub fn routers(self) -> u64 {
        u64::from(self.k) * u64::from(self.m) * u64::from(self.m)
    }

    /// Number of ports of a router: M-1 local, then K global.
    pub fn ports(self) -> u32 {
        self.m - 1 + self.k
    }

    /// The port index of local port `x` ≥ 1.
    pub fn local_port(self, x: u32) -> u32 {
        x - 1
    }

    /// The port index of global port `gamma`.
    pub fn global_port(self, gamma: u32) -> u32 {
        self.m - 1 + gamma
    }

    /// The node at coordinates.
    pub fn node(self, at: RouterAddress) -> NodeId {
        NodeId::new((at.c * self.m + at.d) * self.m + at.p)
    }

    /// The coordinates of a node.
    pub fn address(self, node: NodeId) -> RouterAddress {
        let (rest, p) = (node.get() / self.m, node.get() % self.m);
        RouterAddress { c: rest / self.m, d: rest % self.m, p }
    }
}

/// A table of sums: `at(a, b)` is where step b leads from coordinate a.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Sums {
    order: u32,
    table: Vec<u32>,
}

impl Sums {
    fn new(order: u32, sum: impl Fn(u32, u32) -> u32) -> Self {
        let table = (0..order).flat_map(|a| (0..order).map(move |b| (a, b))).map(|(a, b)| sum(a, b)).collect();
        Self { order, table }
    }

    fn at(&self, a: u32, b: u32) -> u32 {
        self.table[(a * self.order + b) as usize]
    }

    /// The coordinate from which step b leads to `sum`; exists in a Latin square.
    fn origin(&self, sum: u32, b: u32) -> u32 {
        (0..self.order).find(|&a| self.at(a, b) == sum).unwrap_or(sum)
    }

    /// The first row (true) or column (false) that is not a permutation.
    fn fault(&self) -> Option<(bool, u32)> {
        let broken = |is_row: bool, line: u32| {
            let mut seen = vec![false; self.order as usize];
            (0..self.order).any(|i| {
                let sum = if is_row { self.at(line, i) } else { self.at(i, line) };
                seen.get_mut(sum as usize).is_none_or(|hit| std::mem::replace(hit, true))
            })
        };
        [true, false].into_iter().find_map(|row| (0..self.order).find(|&i| broken(row, i)).map(|i| (row, i)))
    }
}

/// A network of which it is proved that its routers are alike. Made by [`Symmetry::verify`] alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Symmetry {
    shape: Shape,
    local: Sums,
    global: Sums,
}

impl Symmetry {
    /// Follows every port of every router of `net` and compares it with D3(K,M) as the [module](self) states it.
    ///
    /// # Errors
    /// [`CheckError::SymmetryBroken`] with the first router and port, in the order of ports, that differ;
    /// [`CheckError::TooLarge`] if nodes or channels do not fit in 32 bits.
    pub fn verify<T: Topology + Sync + ?Sized>(net: &T, shape: Shape) -> Result<Self, CheckError> {
        let channels = shape.routers() * u64::from(shape.ports());
        if channels > u64::from(u32::MAX) {
            return Err(CheckError::TooLarge {
                what: "the number of channels",
                value: channels,
                limit: u32::MAX.into(),
            });
        }
        let broken = |at, port: String, reason| Err(CheckError::SymmetryBroken { at, port, reason });
        if (net.nodes() as u64, net.ports() as u64) != (shape.routers(), shape.ports().into()) {
            let found = format!("belongs to a network of {} nodes with {} ports each", net.nodes(), net.ports());
            let wanted = format!("not to D3({},{})", shape.k, shape.m);
            return broken(Node(vec![0, 0, 0]), "0".into(), format!("{found}, {wanted}"));
        }
        let node_fault = (0..net.nodes()).into_par_iter().map(NodeId::from).find_first(|&node| {
            let RouterAddress { c, d, p } = shape.address(node);
            net.label(node) != [c, d, p]
        });
        if let Some(node) = node_fault {
            return broken(Node(net.label(node)), "0".into(), format!("belongs to node {node}, out of order"));
        }
        let to = |c, d, p, port: u32| {
            let end = net.neighbour(shape.node(RouterAddress { c, d, p }), port as usize);
            shape.address(end)
        };
        let local = Sums::new(shape.m, |p, x| if x == 0 { p } else { to(0, 0, p, shape.local_port(x)).p });
        let global = Sums::new(shape.k, |c, gamma| to(c, 0, 1, shape.global_port(gamma)).c);
        for (sums, class) in [(&local, "local"), (&global, "global")] {
            if let Some((is_row, line)) = sums.fault() {
                let (at, port) = if is_row { (line, "of any number".into()) } else { (0, format!("{class} {line}")) };
                let at = if class == "local" { vec![0, 0, at] } else { vec![at, 0, 1] };
                return broken(
                    Node(at),
                    port,
                    format!("leads where another {class} step leads: its sums are no Latin square"),
                );
            }
        }
        let symmetry = Self { shape, local, global };
        match (0..shape.ports()).into_par_iter().find_map_first(|port| symmetry.port_fault(net, port)) {
            Some((node, reason)) => broken(shape.address(node.0).into(), net.port_name(node.1 as usize), reason),
            None => Ok(symmetry),
        }
    }

    /// The first router at which a port does not act as claimed, with the port and what it does instead.
    fn port_fault<T: Topology + ?Sized>(&self, net: &T, port: u32) -> Option<((NodeId, u32), String)> {
        let mut hit = vec![0u64; net.nodes().div_ceil(64)];
        for node in (0..net.nodes()).map(NodeId::from) {
            let at = self.shape.address(node);
            let wanted = match port.checked_sub(self.shape.m - 1) {
                None => self.local(at, port + 1),
                Some(gamma) => self.global(at, gamma),
            };
            let end = net.neighbour(node, port as usize);
            let fault = |what: String| Some(((node, port), what));
            if end != self.shape.node(wanted) {
                let end = Node(net.label(end));
                return fault(format!("leads to {end} instead of {}", Node::from(wanted)));
            }
            let loops = port == self.shape.global_port(0) && at.d == at.p;
            if (end == node) != loops {
                return fault(if loops { "should lead back to it" } else { "leads back to it" }.into());
            }
            let (word, bit) = (end.index() / 64, 1 << (end.index() % 64));
            if hit[word] & bit != 0 {
                return fault(format!("leads to {}, as does the same port of another router", Node(net.label(end))));
            }
            hit[word] |= bit;
        }
        None
    }

    /// The sizes of the network.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    fn local(&self, at: RouterAddress, x: u32) -> RouterAddress {
        RouterAddress { p: self.local.at(at.p, x), ..at }
    }

    fn global(&self, at: RouterAddress, gamma: u32) -> RouterAddress {
        RouterAddress { c: self.global.at(at.c, gamma), d: at.p, p: at.d }
    }

    /// Destination of a packet with this vector.
    pub fn destination(&self, from: RouterAddress, v: SourceVector) -> RouterAddress {
        self.local(self.global(self.local(from, v.delta), v.gamma), v.pi)
    }

    /// Source of the packet that makes this hop of its vector at router `at`.
    pub fn source(&self, at: RouterAddress, v: SourceVector, hop: Hop) -> RouterAddress {
        match hop {
            Hop::FirstLocal => at,
            Hop::Global => RouterAddress { p: self.local.origin(at.p, v.delta), ..at },
            Hop::LastLocal => {
                let before = RouterAddress { c: self.global.origin(at.c, v.gamma), d: at.p, p: at.d };
                self.source(before, v, Hop::Global)
            }
        }
    }
}
