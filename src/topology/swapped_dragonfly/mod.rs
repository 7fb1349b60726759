//! The Swapped Dragonfly D3(K,M): K cabinets of M drawers of M routers (Draper, section 1).
//!
//! Router (c,d,p) has local ports δ = 1..M-1, leading to (c,d,p+δ), and global ports γ = 0..K-1, leading to (c+γ,p,d).
//! At routers with d = p the swap port γ = 0 leads back to the router itself. There is no link; the hardware has a
//! register there, so that every router does the same in every cycle. `+` is cyclic or, for powers of two, exclusive
//! or.

pub mod embedding;
pub mod headers;
pub mod survivor;

use crate::id::NodeId;
use crate::topology::arrangement::{Arrangement, Shape};
use crate::topology::kind::{Class, Key, Kind, Sizes, Unfit};
use crate::topology::network::{Topology, size};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Sizes of the Swapped Dragonfly, and their network with the schedulers of any network, in a specification of slot tables.
pub const IN_SLOT_TABLES: Kind = Kind {
    size: "m",
    classes: &[Class::Local, Class::Global],
    settle,
    ..Kind::new(
        ["swapped-dragonfly", "the Swapped Dragonfly", "The Swapped Dragonfly D3(K,M)"],
        &[
            Key::number("k", [1, 4096], "cabinets", "2", "say how many cabinets: `k = 4`"),
            Key::number(
                "m",
                [2, 1024],
                "drawers a cabinet, and routers a drawer",
                "3",
                "say how many drawers a cabinet and routers a drawer: `m = 4`",
            ),
            Key::choice("group", &["cyclic", "xor"], "arithmetic of coordinates; \"xor\" needs powers of two"),
        ],
        |table| Some(Box::new(SwappedDragonfly::from_table(table)?)),
    )
};

/// Refuses sizes that the arithmetic does not have, as far as they are there.
fn settle(sizes: &mut Sizes) -> Vec<Unfit> {
    let unfit = |key: &str| {
        let size = sizes.get(key)?.as_u64().filter(|size| !size.is_power_of_two())?;
        let message = format!("`{key}` = {size} is no power of two, and exclusive or needs one");
        let [below, above] = [1, 2].map(|factor: u64| factor << size.ilog2());
        let help = format!("take {key} = {below} or {above}, or `group = \"cyclic\"`");
        (sizes.get("group")? == "xor").then(|| Unfit::new(&[key, "group"], message, help))
    };
    ["k", "m"].into_iter().filter_map(unfit).collect()
}

/// The arithmetic of coordinates.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    Default,
    Serialize,
    Deserialize,
    schemars::JsonSchema,
    strum::IntoStaticStr,
    strum::VariantArray,
)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Group {
    /// Addition modulo the size.
    #[default]
    Cyclic,
    /// Bitwise exclusive or; sizes are powers of two.
    Xor,
}

impl Group {
    /// a + b in the group of order n.
    pub fn add(self, a: u32, b: u32, n: u32) -> u32 {
        match self {
            Group::Cyclic => (a + b) % n,
            Group::Xor => a ^ b,
        }
    }

    /// a - b in the group of order n.
    pub fn sub(self, a: u32, b: u32, n: u32) -> u32 {
        match self {
            Group::Cyclic => (a + n - b) % n,
            Group::Xor => a ^ b,
        }
    }
}

/// A router's coordinates (c,d,p): cabinet, drawer, position in the drawer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct RouterAddress {
    /// Cabinet, below K.
    pub c: u32,
    /// Drawer, below M.
    pub d: u32,
    /// Position in the drawer, below M.
    pub p: u32,
}

/// A source vector (γ,π,δ): local hop δ, then global hop γ, then local hop π (Draper, section 2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SourceVector {
    /// Global port, below K; 0 is the swap.
    pub gamma: u32,
    /// Last local port, below M; 0 is no hop.
    pub pi: u32,
    /// First local port, below M; 0 is no hop.
    pub delta: u32,
}

impl std::fmt::Display for SourceVector {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "(γ={},π={},δ={})", self.gamma, self.pi, self.delta)
    }
}

/// The network D3(K,M).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SwappedDragonfly {
    k: u32,
    m: u32,
    group: Group,
}

impl SwappedDragonfly {
    /// D3(k,m) over a group. The specification has checked k ≥ 1, m ≥ 2 and, for exclusive or, powers of two.
    pub fn new(k: u32, m: u32, group: Group) -> Self {
        Self { k, m, group }
    }

    /// The network of a table with `k`, `m` and `group`, if it has at most 2²⁰ routers.
    pub fn from_table(table: &serde_json::Value) -> Option<Self> {
        let (k, m) = (size(table, "k", 1)?, size(table, "m", 2)?);
        let group = match table.get("group") {
            None => Group::Cyclic,
            Some(group) => Group::deserialize(group).ok()?,
        };
        let fits = u64::from(k) * u64::from(m) * u64::from(m) <= 1 << 20;
        let powers = group == Group::Cyclic || k.is_power_of_two() && m.is_power_of_two();
        (fits && powers).then(|| Self::new(k, m, group))
    }

    /// Number of cabinets, K.
    pub fn k(&self) -> u32 {
        self.k
    }

    /// Number of drawers a cabinet and of routers a drawer, M.
    pub fn m(&self) -> u32 {
        self.m
    }

    /// The arithmetic of coordinates.
    pub fn group(&self) -> Group {
        self.group
    }

    /// Number of local ports, M - 1.
    pub fn local_ports(&self) -> usize {
        self.m as usize - 1
    }

    /// The port index of local port `delta` ≥ 1; local ports come first.
    pub fn local_port(&self, delta: u32) -> usize {
        delta as usize - 1
    }

    /// The port index of global port `gamma`.
    pub fn global_port(&self, gamma: u32) -> usize {
        self.local_ports() + gamma as usize
    }

    /// The coordinates of a node.
    pub fn address(&self, node: NodeId) -> RouterAddress {
        let (rest, p) = (node.get() / self.m, node.get() % self.m);
        RouterAddress { c: rest / self.m, d: rest % self.m, p }
    }

    /// The node at coordinates.
    pub fn node(&self, at: RouterAddress) -> NodeId {
        NodeId::new((at.c * self.m + at.d) * self.m + at.p)
    }

    /// Router after local hop `delta`.
    pub fn local(&self, at: RouterAddress, delta: u32) -> RouterAddress {
        RouterAddress { p: self.group.add(at.p, delta, self.m), ..at }
    }

    /// Router after global hop `gamma`.
    pub fn global(&self, at: RouterAddress, gamma: u32) -> RouterAddress {
        RouterAddress { c: self.group.add(at.c, gamma, self.k), d: at.p, p: at.d }
    }

    /// Destination of a packet with this source vector.
    pub fn destination(&self, from: RouterAddress, v: SourceVector) -> RouterAddress {
        self.local(self.global(self.local(from, v.delta), v.gamma), v.pi)
    }

    /// Source vector from one router to another; the inverse of [`Self::destination`].
    pub fn vector(&self, from: RouterAddress, to: RouterAddress) -> SourceVector {
        SourceVector {
            gamma: self.group.sub(to.c, from.c, self.k),
            pi: self.group.sub(to.p, from.d, self.m),
            delta: self.group.sub(to.d, from.p, self.m),
        }
    }
}

impl fmt::Display for SwappedDragonfly {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "D3({},{})", self.k, self.m)
    }
}

impl Topology for SwappedDragonfly {
    fn loopback(&self, node: NodeId) -> u32 {
        let at = self.address(node);
        u32::from(at.d == at.p)
    }

    fn name(&self) -> &'static str {
        "swapped-dragonfly"
    }

    fn nodes(&self) -> usize {
        (self.k * self.m * self.m) as usize
    }

    fn ports(&self) -> usize {
        self.local_ports() + self.k as usize
    }

    fn label(&self, node: NodeId) -> Vec<u32> {
        let RouterAddress { c, d, p } = self.address(node);
        vec![c, d, p]
    }

    fn neighbour(&self, node: NodeId, port: usize) -> NodeId {
        let at = self.address(node);
        self.node(match port.checked_sub(self.local_ports()) {
            None => self.local(at, port as u32 + 1),
            Some(gamma) => self.global(at, gamma as u32),
        })
    }

    fn port_name(&self, port: usize) -> String {
        match port.checked_sub(self.local_ports()) {
            None => format!("local {}", port + 1),
            Some(gamma) => format!("global {gamma}"),
        }
    }

    fn arrangement(&self) -> Arrangement {
        let (k, m) = (self.k, self.m);
        let node = |c, d, p| Arrangement::Node(self.node(RouterAddress { c, d, p }).get());
        let drawer = |c, d| {
            let routers = (0..m).map(|p| node(c, d, p)).collect();
            Arrangement::group(Shape::Ring, "local, within a drawer", routers).titled(format!("({c},{d},·)"))
        };
        // as wide as high
        let square =
            |count: u32| Shape::Grid { columns: (1..=count).find(|side| side * side >= count).unwrap_or(1) as usize };
        let cabinet = |c| {
            let drawers = (0..m).map(|d| drawer(c, d)).collect();
            Arrangement::group(square(m), "swap, γ = 0", drawers).titled(format!("cabinet {c}"))
        };
        Arrangement::group(square(k), "to another cabinet, γ ≠ 0", (0..k).map(cabinet).collect())
    }

    fn about_drawing(&self) -> String {
        format!(
            "{} cabinets of {} drawers of {} routers; a drawer is a complete graph, and one global link joins every two drawers.",
            self.k, self.m, self.m
        )
    }

    /// 0 of a local channel, 1 of a global one.
    fn channel_class(&self, _: NodeId, port: usize) -> usize {
        usize::from(port >= self.local_ports())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn networks() -> impl Iterator<Item = SwappedDragonfly> {
        let cyclic = [(1, 2), (2, 3), (3, 2), (3, 5)].map(|(k, m)| SwappedDragonfly::new(k, m, Group::Cyclic));
        let xor = [(1, 2), (4, 2), (2, 4)].map(|(k, m)| SwappedDragonfly::new(k, m, Group::Xor));
        cyclic.into_iter().chain(xor)
    }

    #[test]
    fn every_port_is_a_permutation_of_the_routers() {
        for net in networks() {
            for port in 0..net.ports() {
                let mut hit: Vec<NodeId> = (0..net.nodes()).map(|n| net.neighbour(n.into(), port)).collect();
                hit.sort();
                assert!(hit.iter().enumerate().all(|(i, n)| n.index() == i), "{net:?} port {port}");
            }
        }
    }

    #[test]
    fn a_vector_leads_where_it_was_made_for() {
        for net in networks() {
            for (a, b) in (0..net.nodes()).flat_map(|a| (0..net.nodes()).map(move |b| (a, b))) {
                let (a, b) = (net.address(a.into()), net.address(b.into()));
                assert_eq!(net.destination(a, net.vector(a, b)), b);
            }
        }
    }

    #[test]
    fn only_the_swap_port_of_diagonal_routers_loops_back() {
        for net in networks() {
            for id in 0..net.channels() {
                let channel = net.channel(id.into());
                let at = net.address(channel.src);
                let swap = id % net.ports() == net.global_port(0);
                assert_eq!(channel.is_loopback(), swap && at.d == at.p);
            }
        }
    }
}
