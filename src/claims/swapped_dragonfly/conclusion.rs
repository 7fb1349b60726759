//! Section 6, and the end of section 5: comparison of the algorithms.

use super::matrix::overlapped_product;
use super::schedules::schedule_1;
use super::sizes::{Cube, Parted, Square, cubes, half_parted, nets};
use super::topology::expect;
use super::walk::{Net, show};
use crate::claims::{Claim, Size, Sizes, Trial};
use crate::topology::swapped_dragonfly::{Group, RouterAddress};

pub fn claims() -> Vec<Claim> {
    vec![
        Claim::new(
            "largest-hypercube",
            "section 5, end",
            "D3(K,M) contains D3(2^k,2^m), k and m being the logarithms of K and M without their fractions.",
            Trial::over(nets, |net| {
                let inner = Net::new(1 << net.k.ilog2(), 1 << net.m.ilog2(), Group::Xor);
                inner.nodes().try_for_each(|at| {
                    let outer = Net::new(net.k, net.m, Group::Cyclic);
                    let within = |to: RouterAddress| to.c < inner.k && to.d < inner.m && to.p < inner.m;
                    let mut links: Vec<_> = outer.links(at).map(|(_, to)| to).filter(|to| within(*to)).collect();
                    let mut expected: Vec<_> = inner.links(at).map(|(_, to)| to).collect();
                    links.sort_unstable();
                    expected.sort_unstable();
                    expect(links == expected, || format!("the links of {} are others", show(at)))
                })
            }),
        ),
        Claim::new(
            "exchange-time",
            "section 6, result 2",
            "The all-to-all on D3(ks,ms) takes KM²/s cycles.",
            Trial::over(half_parted, |size| {
                let cycles = schedule_1(size)?;
                expect(cycles == size.rounds(), || format!("{} rounds take {cycles} cycles", size.rounds()))
            }),
        )
        .amended(
            "These are the rounds; with one a cycle, they take KM²/s + K(M-s) + 2 cycles (2 ≤ s ≤ M/2).",
            Trial::over(half_parted, |size| {
                let cycles = schedule_1(size)?;
                expect(cycles == size.rounds() + size.net.k * (size.net.m - size.s) + 2, || format!("{cycles} cycles"))
            }),
        ),
        Claim::new(
            "below-half",
            "section 6, after the results",
            "The all-to-all on P = KM² routers takes less than P/2 cycles (2 ≤ s ≤ M/2).",
            Trial::over(half_parted, below_half),
        )
        .amended("Not for s = 2, but for s ≥ 3.", Trial::over(three_or_more, below_half)),
        Claim::new(
            "both-product",
            "section 6, D3(2^(2k),2^(2m))",
            "D3(2^(2k),2^(2m)) multiplies n × n matrices in n/√P cycles.",
            Trial::over(even_cubes, |cube| {
                let (n, cycles) = product(*cube)?;
                expect(cycles <= 1, || {
                    format!("n = √P = {n} takes {cycles} cycles, even with overlapping rounds, not 1")
                })
            }),
        )
        .amended(
            "It takes n²/√P rounds, as Theorem 2 says; n = √P of them overlap in 2·max(2^k,2^(2m)) + 1 cycles.",
            Trial::over(even_cubes, |cube| {
                let (n, cycles) = product(*cube)?;
                let longer = (1 << (cube.k / 2)).max(1 << cube.m);
                expect(n * n == cube.routers() && cycles == 2 * longer + 1, || format!("it takes {cycles} cycles"))
            }),
        ),
        Claim::new(
            "both-exchange",
            "section 6, D3(2^(2k),2^(2m))",
            "D3(2^(2k),2^(2m)) exchanges among n nodes in n²/(√P·min(2^k,2^m)) rounds.",
            Trial::over(even_cubes, |cube| exchange_rounds(*cube, |p, k, m| p * p.isqrt() / (1 << k).min(1 << m))),
        )
        .amended(
            "In n²/(P·s) rounds, s = min(2^(2k),2^(2m)).",
            Trial::over(even_cubes, |cube| exchange_rounds(*cube, |p, k, m| p / (1 << (2 * k)).min(1 << (2 * m)))),
        ),
    ]
}

fn below_half(size: &Parted) -> Result<(), String> {
    let (cycles, half) = (schedule_1(size)?, size.routers() / 2);
    expect(cycles < half, || format!("{} rounds take {cycles} cycles; P/2 is {half}", size.rounds()))
}

/// Sizes of [`half_parted`] with s ≥ 3, and networks twice as large, since few networks have such an s.
fn three_or_more(limit: u32) -> Sizes<Parted> {
    let mut all = half_parted(2 * limit).all;
    all.retain(|size| size.s >= 3);
    Sizes { range: format!("s divides K and M, 3 ≤ s ≤ M/2, KM² ≤ {}, cyclic and exclusive or", 4 * limit), all }
}

/// D3(2^(2k),2^(2m)).
fn even_cubes(limit: u32) -> Sizes<Cube> {
    let limit = 4 * limit;
    let mut all = cubes(limit).all;
    all.retain(|cube| cube.k % 2 == 0 && cube.m % 2 == 0);
    Sizes { range: format!("k, m ≥ 1, 2^(2k+4m) ≤ {limit}"), all }
}

/// The order n = √P of the matrices that fill a network, and the cycles of their product.
fn product(cube: Cube) -> Result<(u32, u32), String> {
    let size = Square { k: 1 << (cube.k / 2), m: 1 << cube.m };
    Ok((size.k * size.m, overlapped_product(size)?))
}

/// Compares the rounds of an exchange among n = P nodes with the number that `said` gives for P, k and m.
fn exchange_rounds(cube: Cube, said: fn(u32, u32, u32) -> u32) -> Result<(), String> {
    let net = cube.net();
    let rounds = Parted { net, s: net.k.min(net.m) }.rounds();
    let said = said(cube.routers(), cube.k / 2, cube.m / 2);
    expect(rounds == said, || format!("n = P = {} takes {rounds} rounds, not {said}", cube.routers()))
}
