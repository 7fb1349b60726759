//! Sizes of the trials: networks POPS(d,g), with permutations of their processors.

use crate::claims::{Size, Sizes};
use serde::Serialize;
use std::fmt::{self, Display, Formatter};

/// POPS(d,g).
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Net {
    /// Processors a group.
    pub d: u32,
    /// Groups.
    pub g: u32,
}

impl Net {
    pub(super) fn processors(self) -> u32 {
        self.d * self.g
    }

    pub(super) fn group(self, processor: u32) -> usize {
        (processor / self.d) as usize
    }

    /// Permutations of all sorts: reversal, shifts, random ones.
    pub(super) fn permutations(self) -> Vec<Vec<u32>> {
        let n = self.processors();
        let shift = |by: u32| (0..n).map(|i| (i + by) % n).collect();
        let mut all: Vec<Vec<u32>> = vec![(0..n).rev().collect(), shift(1 % n), shift(self.d % n)];
        let mut state = u64::from(n) * 64 + u64::from(self.d);
        for _ in 0..3 {
            let mut permutation: Vec<u32> = (0..n).collect();
            for i in (1..permutation.len()).rev() {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                permutation.swap(i, (state >> 33) as usize % (i + 1));
            }
            all.push(permutation);
        }
        all
    }
}

impl Display for Net {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "POPS({},{})", self.d, self.g)
    }
}

impl Size for Net {
    fn routers(&self) -> u32 {
        self.processors()
    }
}

/// Every POPS(d,g) with at most `limit` processors.
pub(super) fn nets(limit: u32) -> Sizes<Net> {
    let all = (1..=limit).flat_map(|g| (1..=limit / g).map(move |d| Net { d, g }));
    Sizes { range: format!("d, g ≥ 1, dg ≤ {limit}, 6 permutations each"), all: all.collect() }
}

/// Networks of [`nets`] with d > g.
pub(super) fn deep(limit: u32) -> Sizes<Net> {
    let mut all = nets(limit).all;
    all.retain(|net| net.d > net.g);
    Sizes { range: format!("d > g ≥ 1, dg ≤ {limit}, 6 permutations each"), all }
}

/// Few groups, of which every schedule can be tried.
pub(super) fn few_groups(limit: u32) -> Sizes<Net> {
    let narrow = (1..=2).flat_map(|g| (1..=limit / 8 / g).map(move |d| Net { d, g }));
    let wide = (3..=4).flat_map(|g| (1..=limit / 32).map(move |d| Net { d, g }));
    Sizes {
        range: format!("dg ≤ {} for g ≤ 2, d ≤ {} for g = 3 and 4, every schedule", limit / 8, limit / 32),
        all: narrow.chain(wide).collect(),
    }
}

/// Networks so small that every permutation can be tried.
pub(super) fn small(limit: u32) -> Sizes<Net> {
    let most = limit / 20;
    let mut all = nets(most).all;
    all.retain(|net| net.processors() > 1);
    Sizes { range: format!("2 ≤ dg ≤ {most}, every permutation and schedule"), all }
}

/// Networks of a square number of processors.
pub(super) fn square(limit: u32) -> Sizes<Net> {
    let most = limit / 8;
    let mut all = nets(most).all;
    all.retain(|net| net.processors() > 1 && net.processors().isqrt().pow(2) == net.processors());
    Sizes { range: format!("dg a square, 4 ≤ dg ≤ {most}, every schedule"), all }
}
