//! Section 3, proof of Theorem 3: cosets of the subgroup that s generates in Z_M.

use super::topology::expect;
use crate::claims::{Claim, Size, Sizes, Trial};
use serde::Serialize;
use std::collections::BTreeSet;
use std::fmt::{self, Display, Formatter};

pub fn claims() -> Vec<Claim> {
    vec![Claim::new(
        "cosets",
        "section 3, proof of Theorem 3; its example m = 5, s = 3",
        "The cosets t + {0,s,…,(m-1)s} divide Z_M into s disjoint sets, and the columns of their table into m, M = ms.",
        Trial::over(subgroups, divides),
    )]
}

/// Z_M and a divisor of M.
#[derive(Debug, Clone, Copy, Serialize)]
struct Subgroup {
    m: u32,
    s: u32,
}

impl Display for Subgroup {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "M = {}, s = {}", self.m * self.s, self.s)
    }
}

impl Size for Subgroup {
    fn routers(&self) -> u32 {
        self.m * self.s
    }
}

fn subgroups(limit: u32) -> Sizes<Subgroup> {
    let all = (1..=limit).flat_map(|s| (1..=limit / s).map(move |m| Subgroup { m, s }));
    Sizes { range: format!("m, s ≥ 1, M = ms ≤ {limit}"), all: all.collect() }
}

fn divides(&Subgroup { m, s }: &Subgroup) -> Result<(), String> {
    let order = m * s;
    // the subgroup as it is generated: s is added until 0 comes again
    let subgroup: Vec<u32> =
        std::iter::successors(Some(0), |last| Some((last + s) % order).filter(|next| *next != 0)).collect();
    let cosets: Vec<Vec<u32>> = (0..s).map(|t| subgroup.iter().map(|g| (t + g) % order).collect()).collect();
    let columns: Vec<Vec<u32>> = (0..m as usize).map(|i| cosets.iter().map(|coset| coset[i]).collect()).collect();
    for (sets, each) in [(&cosets, m), (&columns, s)] {
        let union: BTreeSet<u32> = sets.iter().flatten().copied().collect();
        let elements: usize = sets.iter().map(Vec::len).sum();
        expect(sets.iter().all(|set| set.len() as u32 == each), || format!("not all sets have {each} elements"))?;
        expect(union.len() as u32 == order && elements as u32 == order, || {
            format!("{} sets have {elements} elements, {} of them different", sets.len(), union.len())
        })?;
    }
    let printed = [[0, 3, 6, 9, 12], [1, 4, 7, 10, 13], [2, 5, 8, 11, 14]];
    expect((m, s) != (5, 3) || cosets == printed, || format!("the cosets are {cosets:?}"))
}
