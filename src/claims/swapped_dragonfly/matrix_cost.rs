//! Section 2: the table of network costs of matrix products, n × n on P processors.

use super::sizes::{Square, squares};
use super::topology::expect;
use crate::claims::{Claim, Size, Sizes, Table, Trial};
use std::collections::{BTreeMap, BTreeSet};

pub fn claims() -> Vec<Claim> {
    vec![
        Claim::new(
            "matrix-cost",
            "section 2, the table of network costs; section 6",
            "The n × n product on D3(K²,M) costs 4·n²/√P hops, as Theorem 2 says, twice Cannon's: in keeping with others.",
            Trial::over(squares, |size| {
                (1..=4).try_for_each(|x| {
                    let n = f64::from(x * size.k * size.m);
                    let theorem = 4.0 * n * n / f64::from(size.k * size.m);
                    let cost = |name| {
                        let line = MULTIPLICATIONS.iter().find(|line| line.name == name);
                        line.map(|line| line.network_cost(n, size.routers()))
                    };
                    expect(cost("D3(K²,M)") == Some(theorem) && cost("Cannon") == Some(theorem / 2.0), || {
                        format!("n = {n}: Theorem 2 says {theorem}, the table {:?}", cost("D3(K²,M)"))
                    })
                })
            }),
        )
        .with_table(table),
        Claim::new(
            "off-and-on",
            "section 2, after path 2.3; Theorem 2",
            "A round of the product stops twice for arithmetic between four hops: 4·t_w + 2·t_s.",
            Trial::over(products, |size| {
                let between: Vec<u32> = stops(*size).into_iter().filter(|hop| *hop < 4).collect();
                expect(between == [2, 3], || format!("values leave the network after hops {between:?}"))
            }),
        )
        .amended(
            "After the last hop K partial sums leave it for arithmetic a third time, and stay: what is on the network three \
             times is off it three times, and the time to the result is 4·t_w + 3·t_s.",
            Trial::over(products, |size| {
                let stops = stops(*size);
                expect(stops == [2, 3, 4], || format!("after hops {stops:?}"))
            }),
        ),
    ]
}

/// Networks on which every hop of a round can bring several values together.
fn products(limit: u32) -> Sizes<Square> {
    let Sizes { range, mut all } = squares(limit);
    all.retain(|size| size.k > 1 && size.m > 1);
    Sizes { range: format!("{range}, K, M ≥ 2"), all }
}

/// Hops of a round (paths 2.1 and 2.3) after which values leave the network: for a product, or because several come to a router
/// and one goes on.
fn stops(Square { k, m }: Square) -> Vec<u32> {
    // the terms of row (s,u) = (0,0): from (t,v), multiplied for (t',v'), and the routers after hops 2, 3 and 4
    let pairs = (0..k).flat_map(|t| (0..m).map(move |v| (t, v)));
    let terms = pairs.clone().flat_map(|from| pairs.clone().map(move |to| (from, to)));
    let ways: Vec<[(u32, u32, u32); 3]> =
        terms.map(|((t, v), (t1, v1))| [(t + t1 * k, v, v1), (t + t1 * k, v, 0), (t * k, 0, v)]).collect();
    let sums = (3..).zip(0..2).filter(|&(_, hop): &(u32, usize)| {
        let mut sources: BTreeMap<_, BTreeSet<_>> = BTreeMap::new();
        ways.iter().for_each(|way| {
            sources.entry(way[hop + 1]).or_default().insert(way[hop]);
        });
        sources.values().any(|sources| sources.len() > 1)
    });
    // the matrix lies where hop 2 ends, so the product is made there
    std::iter::once(2).chain(sums.map(|(hop, _)| hop)).collect()
}

/// Factor log₂ P of a network cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Logarithm {
    /// The cost has no such factor.
    None,
    /// The cost is divided by it.
    Divides,
    /// The cost is multiplied by it.
    Multiplies,
}

/// A line of the paper's table: how much network a product of n × n matrices takes on P processors.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Multiplication {
    /// The algorithm, and which reading of the table where there are two.
    pub name: &'static str,
    /// Factor of n².
    pub factor: f64,
    /// The power of P by which it is divided.
    pub exponent: f64,
    /// log₂ P.
    pub logarithm: Logarithm,
}

/// The paper's table. Its typesetting leaves open whether the logarithm stands below the stroke; both readings are here.
pub const MULTIPLICATIONS: [Multiplication; 8] = [
    line("D3(K²,M)", 4.0, 0.5, Logarithm::None),
    line("Cannon", 2.0, 0.5, Logarithm::None),
    line("HJE, / log P", 2.0, 0.5, Logarithm::Divides),
    line("HJE, · log P", 2.0, 0.5, Logarithm::Multiplies),
    line("DNS, √P", 2.0, 0.5, Logarithm::None),
    line("GS, / log P", 3.0, 2.0 / 3.0, Logarithm::Divides),
    line("GS, · log P", 3.0, 2.0 / 3.0, Logarithm::Multiplies),
    line("DNS, P^(2/3)", 4.0, 2.0 / 3.0, Logarithm::None),
];

const fn line(name: &'static str, factor: f64, exponent: f64, logarithm: Logarithm) -> Multiplication {
    Multiplication { name, factor, exponent, logarithm }
}

impl Multiplication {
    /// Network cost of an n × n product on `processors` processors, in router latencies: factor · n² / P^exponent, and
    /// log₂ P (section 2 of the paper).
    ///
    /// ```
    /// use metronoc::claims::swapped_dragonfly::MULTIPLICATIONS;
    ///
    /// let cannon = MULTIPLICATIONS.iter().find(|line| line.name == "Cannon").unwrap();
    /// assert_eq!(cannon.network_cost(1024.0, 256), 131072.0);
    /// ```
    pub fn network_cost(&self, n: f64, processors: u32) -> f64 {
        let p = f64::from(processors);
        // The square root is exact for squares; a power need not be.
        let below = if self.exponent == 0.5 { p.sqrt() } else { p.powf(self.exponent) };
        let cost = self.factor * n * n / below;
        match self.logarithm {
            Logarithm::None => cost,
            Logarithm::Divides => cost / p.log2(),
            Logarithm::Multiplies => cost * p.log2(),
        }
    }
}

fn table(limit: u32) -> Table {
    // A hypercube has 2^i processors.
    let mut sizes = squares(limit).all;
    sizes.retain(|size| size.routers().is_power_of_two() && size.k > 1);
    sizes.sort_by_key(Size::routers);
    let row = |size: Square| {
        let n = size.k * size.m;
        let costs =
            MULTIPLICATIONS.iter().map(|line| format!("{:.1}", line.network_cost(f64::from(n), size.routers())));
        let longer = size.k.max(size.m);
        let together = 2 * longer + 1 + longer % 2;
        [size.to_string(), n.to_string()]
            .into_iter()
            .chain(costs)
            .chain([together, size.k + size.m + 1].map(|cycles| cycles.to_string()))
            .collect()
    };
    let head = ["network", "n"]
        .into_iter()
        .chain(MULTIPLICATIONS.iter().map(|line| line.name))
        .chain(["rounds overlapped", "spreads first"]);
    Table {
        title: "Network cost of an n × n product with P = n² processors, in router latencies, as the paper's table \
                has it, and as theorem-1 is amended",
        head: head.collect(),
        rows: sizes.into_iter().map(row).collect(),
    }
}
