//! The sizes that claims about the Swapped Dragonfly are tried at.

use super::super::{Size, Sizes};
use super::walk::Net;
use crate::topology::swapped_dragonfly::Group;
use serde::Serialize;
use std::fmt::{self, Display, Formatter};

/// K and M of every cyclic D3(K,M) with at most `limit` routers, M ≥ 2.
fn pairs(limit: u32) -> impl Iterator<Item = (u32, u32)> {
    (2..).take_while(move |m| m * m <= limit).flat_map(move |m| (1..=limit / (m * m)).map(move |k| (k, m)))
}

/// The divisors that two numbers have in common, ascending.
fn common_divisors(a: u32, b: u32) -> impl Iterator<Item = u32> {
    (1..=a.min(b)).filter(move |s| a.is_multiple_of(*s) && b.is_multiple_of(*s))
}

impl Display for Net {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "D3({},{})", self.k, self.m)?;
        f.write_str(match (self.cabinets, self.group) {
            (Group::Cyclic, Group::Cyclic) => "",
            (Group::Xor, Group::Xor) => " xor",
            (Group::Xor, Group::Cyclic) => ", xor in c alone",
            (Group::Cyclic, Group::Xor) => ", xor but in c",
        })
    }
}

impl Size for Net {
    fn routers(&self) -> u32 {
        self.k * self.m * self.m
    }
}

/// D3(K,M), cyclic and, for powers of two, with exclusive or.
pub fn nets(limit: u32) -> Sizes<Net> {
    let both = |(k, m): (u32, u32)| {
        let xor = (k.is_power_of_two() && m.is_power_of_two()).then_some(Group::Xor);
        std::iter::once(Group::Cyclic).chain(xor).map(move |group| Net::new(k, m, group))
    };
    Sizes {
        range: format!("K ≥ 1, M ≥ 2, KM² ≤ {limit}, cyclic and exclusive or"),
        all: pairs(limit).flat_map(both).collect(),
    }
}

/// D3(K,M) in which c is cyclic and d, p are of exclusive or, or the other way round; groups of two elements are both.
pub fn mixed_nets(limit: u32) -> Sizes<Net> {
    let kinds = |(k, m): (u32, u32)| {
        let mixed = |xor: u32, cyclic: u32| xor.is_power_of_two() && xor >= 4 && cyclic >= 3;
        let net = move |cabinets, group| Net { k, m, group, cabinets };
        let in_c = mixed(k, m).then(|| net(Group::Xor, Group::Cyclic));
        in_c.into_iter().chain(mixed(m, k).then(|| net(Group::Cyclic, Group::Xor)))
    };
    Sizes {
        range: format!("KM² ≤ {limit}, one of c and d, p cyclic, the other exclusive or"),
        all: pairs(limit).flat_map(kinds).collect(),
    }
}

/// Every s ≥ 2 such that the groups of c and of d, p have a subgroup of s elements. Cyclic groups have one for every
/// divisor, groups of exclusive or for every power of two up to their size.
pub fn subgroups(net: &Net) -> impl Iterator<Item = u32> + use<> {
    common_divisors(net.k, net.m).skip(1)
}

/// Networks of [`nets`] with K ≥ 2 and up to a fourth of the routers. They are for tests of every set of cabinets and
/// of positions, of which there are 2^(K+M).
pub fn nets_for_sets(limit: u32) -> Sizes<Net> {
    let mut all = nets(limit / 4).all;
    all.retain(|net| net.k >= 2 && net.k + net.m <= 16);
    Sizes { range: format!("every set, K, M ≥ 2, K+M ≤ 16, KM² ≤ {}, cyclic and exclusive or", limit / 4), all }
}

/// D3(K,M) with K, M ≥ 2 that have no common factor.
pub fn coprime_nets(limit: u32) -> Sizes<Net> {
    let coprime = |&(k, m): &(u32, u32)| k >= 2 && common_divisors(k, m).count() == 1;
    let cyclic = |(k, m)| Net::new(k, m, Group::Cyclic);
    Sizes {
        range: format!("K, M ≥ 2 without a common factor, KM² ≤ {limit}"),
        all: pairs(limit).filter(coprime).map(cyclic).collect(),
    }
}

/// D3(K²,M) as a K × K array of M × M blocks.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Square {
    /// Rows of blocks: the root of the number of cabinets.
    pub k: u32,
    /// Rows of a block.
    pub m: u32,
}

impl Square {
    /// The network D3(K²,M).
    pub fn net(self) -> Net {
        Net::new(self.k * self.k, self.m, Group::Cyclic)
    }
}

impl Display for Square {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "D3({}²,{})", self.k, self.m)
    }
}

impl Size for Square {
    fn routers(&self) -> u32 {
        self.k * self.k * self.m * self.m
    }
}

/// D3(K²,M).
pub fn squares(limit: u32) -> Sizes<Square> {
    let root = |(k2, m): (u32, u32)| {
        let k = k2.isqrt();
        (k * k == k2).then_some(Square { k, m })
    };
    Sizes { range: format!("K ≥ 1, M ≥ 2, K²M² ≤ {limit}"), all: pairs(limit).filter_map(root).collect() }
}

/// D3(ks,ms) with rounds of s vectors.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Parted {
    /// The network.
    #[serde(flatten)]
    pub net: Net,
    /// A common divisor of K and M: vectors a round.
    pub s: u32,
}

impl Parted {
    /// Rounds of an all-to-all: KM²/s.
    pub fn rounds(self) -> u32 {
        self.net.routers() / self.s
    }
}

impl Display for Parted {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}, s = {}", self.net, self.s)
    }
}

impl Size for Parted {
    fn routers(&self) -> u32 {
        self.net.routers()
    }
}

/// D3(K,M) with every common divisor of K and M.
pub fn parted(limit: u32) -> Sizes<Parted> {
    let all = nets(limit).all.into_iter();
    Sizes {
        range: format!("s divides K and M ≥ 2, KM² ≤ {limit}, cyclic and exclusive or"),
        all: all.flat_map(|net| common_divisors(net.k, net.m).map(move |s| Parted { net, s })).collect(),
    }
}

/// Sizes of [`parted`] with 2 ≤ s ≤ M/2, where rounds can follow each other at once. Few networks are so large, so the
/// limit on routers is doubled.
pub fn half_parted(limit: u32) -> Sizes<Parted> {
    let limit = 2 * limit;
    let mut all = parted(limit).all;
    all.retain(|p| p.s >= 2 && 2 * p.s <= p.net.m);
    Sizes { range: format!("s divides K and M, 2 ≤ s ≤ M/2, KM² ≤ {limit}, cyclic and exclusive or"), all }
}

/// Sizes of [`parted`] with s > M/2, so that s = M.
pub fn whole_parted(limit: u32) -> Sizes<Parted> {
    let mut all = parted(limit).all;
    all.retain(|p| 2 * p.s > p.net.m);
    Sizes { range: format!("s divides K and M ≥ 2, s > M/2, KM² ≤ {limit}, cyclic and exclusive or"), all }
}

/// D3(2^k,2^m) with exclusive or, or the Swapped Boolean Hypercube SBH(k,m) in it.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Cube {
    /// Bits of the cabinet.
    pub k: u32,
    /// Bits of the drawer, and of the position in it.
    pub m: u32,
}

impl Cube {
    /// The network D3(2^k,2^m).
    pub fn net(self) -> Net {
        Net::new(1 << self.k, 1 << self.m, Group::Xor)
    }

    /// Dimensions of the hypercube, k + 2m.
    pub fn dimensions(self) -> u32 {
        self.k + 2 * self.m
    }
}

impl Display for Cube {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "SBH({},{})", self.k, self.m)
    }
}

impl Size for Cube {
    fn routers(&self) -> u32 {
        1 << self.dimensions()
    }
}

/// SBH(k,m).
pub fn cubes(limit: u32) -> Sizes<Cube> {
    let exponents = (1..16).flat_map(|m| (1..16).map(move |k| Cube { k, m }));
    Sizes {
        range: format!("k, m ≥ 1, 2^(k+2m) ≤ {limit}"),
        all: exponents.filter(|cube| cube.dimensions() < 32 && cube.routers() <= limit).collect(),
    }
}

/// Sizes of [`cubes`] up to 64 times the nodes, for formulas that need no simulation.
pub fn large_cubes(limit: u32) -> Sizes<Cube> {
    cubes(64 * limit)
}

/// The Maximal Dragonfly MDF(K,M): KM + 1 groups of M routers.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Maximal {
    /// Global ports of a router.
    pub k: u32,
    /// Routers of a group.
    pub m: u32,
}

impl Display for Maximal {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "MDF({},{})", self.k, self.m)
    }
}

impl Size for Maximal {
    fn routers(&self) -> u32 {
        (self.k * self.m + 1) * self.m
    }
}

/// MDF(K,M) with M ≥ 2.
pub fn maximal(limit: u32) -> Sizes<Maximal> {
    let mut all: Vec<_> = pairs(limit).map(|(k, m)| Maximal { k, m }).collect();
    all.retain(|size| size.routers() <= limit);
    Sizes { range: format!("K ≥ 1, M ≥ 2, KM² + M ≤ {limit}"), all }
}

/// Sizes of [`maximal`] with K ≥ 2, so that several vectors could share a round.
pub fn wide_maximal(limit: u32) -> Sizes<Maximal> {
    let mut all = maximal(limit).all;
    all.retain(|size| size.k >= 2);
    Sizes { range: format!("K, M ≥ 2, KM² + M ≤ {limit}"), all }
}
