//! Sizes of the trials: Galaxyflies, and those of the paper's tables.

use crate::claims::{Size, Sizes};
use crate::topology::{Field, Galaxy, Galaxyfly};
use serde::Serialize;
use std::fmt::{self, Display, Formatter};

/// Galaxyfly(n,q,a), with global links in cyclic order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Net {
    /// Clusters.
    pub n: u32,
    /// Supernodes a cluster.
    pub q: u32,
    /// Routers a supernode.
    pub a: u32,
}

impl Net {
    /// The network.
    ///
    /// # Errors
    /// A sentence, if there is none of this size.
    pub fn build(self) -> Result<Galaxyfly, String> {
        let galaxy = Galaxy::new(self.n, self.q).ok_or_else(|| format!("there is no field of {} elements", self.q))?;
        Ok(Galaxyfly::new(galaxy, self.a, true))
    }

    /// The field of the elements of a cluster.
    ///
    /// # Errors
    /// A sentence, if there is none of this size.
    pub fn field(self) -> Result<Field, String> {
        Field::new(self.q).ok_or_else(|| format!("there is no field of {} elements", self.q))
    }
}

impl Display for Net {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "Galaxyfly({},{},{})", self.n, self.q, self.a)
    }
}

impl Size for Net {
    fn routers(&self) -> u32 {
        self.n * self.q * self.a
    }
}

/// Powers of primes from 3 to a limit.
fn fields(limit: u32) -> impl Iterator<Item = u32> {
    (3..=limit).filter(|&q| Field::new(q).is_some())
}

/// Every Galaxyfly with at most `limit` routers.
pub(super) fn nets(limit: u32) -> Sizes<Net> {
    let all = fields(limit)
        .flat_map(|q| (1..=limit / q).flat_map(move |n| (1..=limit / q / n).map(move |a| Net { n, q, a })));
    Sizes { range: format!("n, a ≥ 1, q ≥ 3 a power of a prime, nqa ≤ {limit}"), all: all.collect() }
}

/// Galaxy graphs: networks of [`nets`] with one router a supernode, a = 1.
pub(super) fn galaxies(limit: u32) -> Sizes<Net> {
    let mut all = nets(limit).all;
    all.retain(|net| net.a == 1);
    Sizes { range: format!("n ≥ 1, q ≥ 3 a power of a prime, a = 1, nq ≤ {limit}"), all }
}

/// One cluster of one router a supernode: a field.
pub(super) fn clusters(limit: u32) -> Sizes<Net> {
    let mut all = galaxies(limit).all;
    all.retain(|net| net.n == 1);
    Sizes { range: format!("q ≥ 3 a power of a prime, n = a = 1, q ≤ {limit}"), all }
}

/// One supernode of the smallest cluster: routers 0 to a - 1.
pub(super) fn supernodes(limit: u32) -> Sizes<Net> {
    Sizes { range: format!("a ≥ 1, 3a ≤ {limit}"), all: (1..=limit / 3).map(|a| Net { n: 1, q: 3, a }).collect() }
}

/// The network of the paper's figures.
pub(super) fn figure(limit: u32) -> Sizes<Net> {
    let all = [Net { n: 3, q: 5, a: 4 }].into_iter().filter(|net| net.routers() <= limit);
    Sizes { range: "n = 3, q = 5, a = 4".into(), all: all.collect() }
}
