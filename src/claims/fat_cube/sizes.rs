//! Sizes of the trials.

use crate::claims::{Size, Sizes};
use serde::Serialize;
use std::fmt::{self, Display, Formatter};

/// Fat cube of 2^d routers with m processors each, f links a dimension and k links a processor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Net {
    /// Processors a router.
    pub m: u32,
    /// Links a dimension.
    pub f: u32,
    /// Dimensions.
    pub d: u32,
    /// Links a processor.
    pub k: u32,
}

impl Net {
    /// A fat cube, in the order in which the paper's tables name its sizes.
    pub const fn new(m: u32, f: u32, d: u32, k: u32) -> Self {
        Self { m, f, d, k }
    }

    /// Processors in all, P = m·2^d.
    pub const fn processors(self) -> u32 {
        self.m << self.d
    }
}

impl Display for Net {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let Self { m, f, d, k } = self;
        write!(out, "(m, f, d) = ({m},{f},{d}), k = {k}")
    }
}

impl Size for Net {
    fn routers(&self) -> u32 {
        self.processors()
    }
}

/// Fat cubes of at most `limit` processors that satisfy a condition.
fn all(limit: u32, taken: fn(&Net) -> bool) -> Vec<Net> {
    let mut all = Vec::new();
    for d in (1..=6).filter(|d| 1 << d <= limit) {
        for m in 1..=8.min(limit >> d) {
            all.extend((1..=m).flat_map(|f| (1..=d).map(move |k| Net::new(m, f, d, k))).filter(taken));
        }
    }
    all
}

/// One link a processor.
pub(super) fn one_port(limit: u32) -> Sizes<Net> {
    Sizes { range: format!("f ≤ m ≤ 8, 1 ≤ d ≤ 6, k = 1, P ≤ {limit}"), all: all(limit, |net| net.k == 1) }
}

/// Fat cubes with as many links a processor as dimensions, up to `limit` processors.
pub(super) fn d_port(limit: u32) -> Sizes<Net> {
    Sizes {
        range: format!("f ≤ m ≤ 8, 2 ≤ k = d ≤ 6, P ≤ {limit}"),
        all: all(limit, |net| net.k == net.d && net.d > 1),
    }
}

/// The paper's models: one link a processor, or d.
pub(super) fn both(limit: u32) -> Sizes<Net> {
    let all = all(limit, |net| net.k == 1 || net.k == net.d);
    Sizes { range: format!("f ≤ m ≤ 8, 1 ≤ d ≤ 6, k = 1 or d, P ≤ {limit}"), all }
}

/// Fat cubes of [`d_port`] with one link a dimension, f = 1.
pub(super) fn d_port_single(limit: u32) -> Sizes<Net> {
    let all = all(limit, |net| net.k == net.d && net.d > 1 && net.f == 1);
    Sizes { range: format!("m ≤ 8, f = 1, 2 ≤ k = d ≤ 6, P ≤ {limit}"), all }
}

/// Hypercubes with all ports.
pub(super) fn hypercubes(limit: u32) -> Sizes<Net> {
    let all = all(limit, |net| net.m == 1 && net.k == net.d);
    Sizes { range: format!("hypercubes, d ≤ 6, 2^d ≤ {limit}"), all }
}

/// The fat cube of section 5, or that of another one of its tables.
pub(super) fn one(net: Net, limit: u32) -> Sizes<Net> {
    let all = if net.processors() <= limit { vec![net] } else { Vec::new() };
    Sizes { range: net.to_string(), all }
}
