//! Section 2: the table of network costs of matrix products, n × n on P processors.

use super::sizes::{Square, squares};
use super::topology::expect;
use crate::claims::{Claim, Size, Table, Trial};

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
                    let row = |name| ALGORITHMS.iter().find(|row| row.0 == name).map(|row| cost(row, n, size.routers()));
                    expect(row("D3(K²,M)") == Some(theorem) && row("Cannon") == Some(theorem / 2.0), || {
                        format!("n = {n}: Theorem 2 says {theorem}, the table {:?}", row("D3(K²,M)"))
                    })
                })
            }),
        )
        .with_table(table),
    ]
}

/// How log₂ P enters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Log {
    None,
    Divides,
    Multiplies,
}

/// Name, factor, exponent of P below n², and log P. The typesetting leaves open whether the logarithm stands below the
/// stroke; both readings are here.
type Row = (&'static str, f64, f64, Log);

const ALGORITHMS: [Row; 8] = [
    ("D3(K²,M)", 4.0, 0.5, Log::None),
    ("Cannon", 2.0, 0.5, Log::None),
    ("HJE, / log P", 2.0, 0.5, Log::Divides),
    ("HJE, · log P", 2.0, 0.5, Log::Multiplies),
    ("DNS, √P", 2.0, 0.5, Log::None),
    ("GS, / log P", 3.0, 2.0 / 3.0, Log::Divides),
    ("GS, · log P", 3.0, 2.0 / 3.0, Log::Multiplies),
    ("DNS, P^(2/3)", 4.0, 2.0 / 3.0, Log::None),
];

/// Network cost in router latencies, as the paper's table has it.
fn cost(&(_, factor, exponent, log): &Row, n: f64, processors: u32) -> f64 {
    let p = f64::from(processors);
    // The square root is exact for squares; a power need not be.
    let below = if exponent == 0.5 { p.sqrt() } else { p.powf(exponent) };
    let cost = factor * n * n / below;
    match log {
        Log::None => cost,
        Log::Divides => cost / p.log2(),
        Log::Multiplies => cost * p.log2(),
    }
}

fn table(limit: u32) -> Table {
    // A hypercube has 2^i processors.
    let mut sizes = squares(limit).all;
    sizes.retain(|size| size.routers().is_power_of_two() && size.k > 1);
    sizes.sort_by_key(Size::routers);
    let row = |size: Square| {
        let n = size.k * size.m;
        let costs = ALGORITHMS.iter().map(|row| format!("{:.1}", cost(row, f64::from(n), size.routers())));
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
        .chain(ALGORITHMS.iter().map(|row| row.0))
        .chain(["rounds overlapped", "spreads first"]);
    Table {
        title: "Network cost of an n × n product with P = n² processors, in router latencies, as the paper's table \
                has it, and as theorem-1 is amended",
        head: head.collect(),
        rows: sizes.into_iter().map(row).collect(),
    }
}
