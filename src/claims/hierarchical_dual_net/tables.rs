//! Tables 1 to 3: sizes, degrees, diameters and cost ratios, counted again.

use super::super::{Claim, Size, Sizes, Trial};
use super::nets::Net;
use crate::topology::hierarchical_dual_net::Factor;
use serde::Serialize;
use std::collections::{BTreeSet, VecDeque};
use std::fmt::{self, Display, Formatter};

/// Super-nodes of the tables, by their number of nodes.
const S: [u64; 8] = [1, 2, 3, 5, 6, 10, 15, 30];

/// Table 1, k = 1.
const TABLE_1: [u64; 8] = [1800, 900, 600, 360, 300, 180, 120, 60];

/// Table 1, k = 2: rows by s₁.
const TABLE_1_SECOND: [[u64; 8]; 8] = [
    [6_480_000, 3_240_000, 2_160_000, 1_296_000, 1_080_000, 648_000, 432_000, 216_000],
    [1_620_000, 810_000, 540_000, 324_000, 270_000, 162_000, 108_000, 54_000],
    [720_000, 360_000, 240_000, 144_000, 120_000, 72_000, 48_000, 24_000],
    [259_200, 129_600, 86_400, 51_840, 43_200, 25_920, 17_280, 8_640],
    [180_000, 90_000, 60_000, 36_000, 30_000, 18_000, 12_000, 6_000],
    [64_800, 32_400, 21_600, 12_960, 10_800, 6_480, 4_320, 2_160],
    [28_800, 14_400, 9_600, 5_760, 4_800, 2_880, 1_920, 960],
    [7_200, 3_600, 2_400, 1_440, 1_200, 720, 480, 240],
];

pub fn claims() -> Vec<Claim> {
    vec![
        Claim::new(
            "table-1",
            "Table 1",
            "The 72 numbers of nodes of HDN(C2×C3×C5,k,S).",
            Trial::over(table_1, Cell::holds),
        ),
        Claim::new(
            "table-1-degree",
            "section 2",
            "With B = C2×C3×C5 the degree is 6 in B and 7 in HDN(B,1,S).",
            Trial::over(table_1_bases, |cell| cell.degrees(6)),
        )
        .amended("It is 5 and 6: a ring of two nodes is one link.", Trial::over(table_1_bases, |cell| cell.degrees(5))),
        Claim::new(
            "table-3",
            "Table 3",
            "Nodes, degree, diameter and cost ratio of HDN(C2×C3×C5,k,S).",
            Trial::over(table_3, |row| row.holds(0)),
        )
        .amended(
            "Degrees are lower by one, so the ratios are 0.74, 0.76, 0.81, 0.66, 0.68 and 0.71.",
            Trial::over(table_3, |row| row.holds(1)),
        ),
        Claim::new(
            "table-2-torus",
            "Table 2",
            "A torus x×y×z has the diameter (x+y+z)/2.",
            Trial::over(tori, |torus| torus.diameter(false)),
        )
        .amended("It has ⌊x/2⌋ + ⌊y/2⌋ + ⌊z/2⌋.", Trial::over(tori, |torus| torus.diameter(true))),
        Claim::new(
            "table-2-ccc",
            "Table 2",
            "CCC(n) has n·2^n nodes, degree 3 and the diameter 2n + ⌊n/2⌋ - 2.",
            Trial::over(cycles, |ccc| ccc.holds(0)),
        )
        .amended(
            "From n = 4 on it has; that of CCC(3) is 6.",
            Trial::over(cycles, |ccc| ccc.holds(u32::from(ccc.n == 3))),
        ),
        Claim::new(
            "table-2-dual-cube",
            "Table 2",
            "The dual-cube of n has 2^(2n-1) nodes, degree n and diameter 2n.",
            Trial::over(dual_cubes, DualCube::holds),
        ),
    ]
}

/// Cell of Table 1.
#[derive(Debug, Clone, Serialize)]
struct Cell {
    s: Vec<u64>,
    printed: u64,
}

impl Cell {
    fn holds(&self) -> Result<(), String> {
        let nodes = nodes(&self.s);
        if nodes == self.printed { Ok(()) } else { Err(format!("{nodes} nodes, not {}", self.printed)) }
    }

    /// Links of the nodes of the base, and of a level above it, if the base has `wanted`.
    fn degrees(&self, wanted: usize) -> Result<(), String> {
        let net = Net::new(&BASE, vec![factors(self.s[0])]).ok_or("no network")?;
        let links: BTreeSet<u32> = net.far(0).into_iter().collect();
        let base = links.iter().filter(|&&to| to < net.net().size(0)).count();
        let (found, wanted) = ([base, links.len()], [wanted, wanted + 1]);
        if found == wanted { Ok(()) } else { Err(format!("nodes have {} and {} links", found[0], found[1])) }
    }
}

const BASE: [Factor; 3] = [Factor::Ring(2), Factor::Ring(3), Factor::Ring(5)];

/// Factors of a super-node of `s` nodes.
fn factors(s: u64) -> Vec<usize> {
    [2, 3, 5].iter().enumerate().filter(|(_, size)| s.is_multiple_of(**size)).map(|(factor, _)| factor).collect()
}

/// Nodes by the recurrence of section 2.
fn nodes(s: &[u64]) -> u64 {
    s.iter().fold(30, |below, s| 2 * (below / s) * below)
}

impl Display for Cell {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "s = {}", list(&self.s))
    }
}

fn list(s: &[u64]) -> String {
    let s: Vec<String> = s.iter().map(u64::to_string).collect();
    format!("({})", s.join(","))
}

impl Size for Cell {
    /// Nodes of the base.
    fn routers(&self) -> u32 {
        30
    }
}

fn table_1(limit: u32) -> Sizes<Cell> {
    let first = (0..8).map(|i| Cell { s: vec![S[i]], printed: TABLE_1[i] });
    let second = (0..64).map(|i| Cell { s: vec![S[i / 8], S[i % 8]], printed: TABLE_1_SECOND[i / 8][i % 8] });
    let all = first.chain(second).filter(|cell| cell.routers() <= limit).collect();
    Sizes { range: "the entries of the table".into(), all }
}

fn table_1_bases(limit: u32) -> Sizes<Cell> {
    let mut all = table_1(limit).all;
    all.retain(|cell| cell.s.len() == 1);
    Sizes { range: "the columns of the table".into(), all }
}

/// Row of Table 3: nodes, degree, diameter, a hundred times the ratio as printed, and with a degree that is lower by one.
#[derive(Debug, Clone, Serialize)]
struct Row {
    s: Vec<u64>,
    nodes: u64,
    degree: u32,
    diameter: u32,
    ratios: [u32; 2],
}

impl Row {
    fn holds(&self, less: u32) -> Result<(), String> {
        let levels: Vec<Vec<usize>> = self.s.iter().map(|&s| factors(s)).collect();
        let net = Net::new(&BASE, levels).ok_or("no network")?;
        let (degree, diameter, count) = (net.far(0).len() as u32, net.formula(), nodes(&self.s));
        let ratio = f64::from(degree + diameter) / 2.0 / (count as f64).log2();
        let found = (count, degree, diameter, (ratio * 100.0).round() as u32);
        let wanted = (self.nodes, self.degree - less, self.diameter, self.ratios[less as usize]);
        if found == wanted {
            return Ok(());
        }
        Err(format!("{count} nodes of degree {degree} with diameter {diameter}: the ratio is {ratio:.2}"))
    }
}

impl Display for Row {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "s = {}", list(&self.s))
    }
}

impl Size for Row {
    /// Nodes of the base.
    fn routers(&self) -> u32 {
        30
    }
}

fn table_3(limit: u32) -> Sizes<Row> {
    let row = |s: &[u64], nodes, degree, diameter, ratios| Row { s: s.to_vec(), nodes, degree, diameter, ratios };
    let all = [
        row(&[1], 1800, 7, 10, [79, 74]),
        row(&[2], 900, 7, 9, [82, 76]),
        row(&[3], 600, 7, 9, [87, 81]),
        row(&[2, 2], 810_000, 8, 19, [69, 66]),
        row(&[2, 5], 324_000, 8, 18, [71, 68]),
        row(&[5, 2], 129_600, 8, 17, [74, 71]),
    ];
    let all = all.into_iter().filter(|row| row.routers() <= limit).collect();
    Sizes { range: "the rows of the table".into(), all }
}

/// Most hops from node 0.
fn farthest(nodes: u32, far: impl Fn(u32) -> Vec<u32>) -> u32 {
    let mut hops = vec![u32::MAX; nodes as usize];
    hops[0] = 0;
    let mut open = VecDeque::from([0]);
    while let Some(at) = open.pop_front() {
        for to in far(at) {
            if hops[to as usize] == u32::MAX {
                hops[to as usize] = hops[at as usize] + 1;
                open.push_back(to);
            }
        }
    }
    hops.into_iter().max().unwrap_or(0)
}

/// Torus x×y×z.
#[derive(Debug, Clone, Serialize)]
struct Torus {
    x: u32,
    y: u32,
    z: u32,
}

impl Torus {
    fn diameter(&self, rounded: bool) -> Result<(), String> {
        let Self { x, y, z } = *self;
        let far = |node: u32| {
            let (a, b, c) = (node / (y * z), node / z % y, node % z);
            let at = |a: u32, b: u32, c: u32| (a * y + b) * z + c;
            let ends = |a: u32, x: u32| [(a + 1) % x, (a + x - 1) % x];
            let [ends_a, ends_b, ends_c] = [ends(a, x), ends(b, y), ends(c, z)];
            let first = ends_a.into_iter().map(|a| at(a, b, c)).chain(ends_b.into_iter().map(|b| at(a, b, c)));
            first.chain(ends_c.into_iter().map(|c| at(a, b, c))).collect()
        };
        let found = farthest(x * y * z, far);
        let twice = if rounded { 2 * (x / 2 + y / 2 + z / 2) } else { x + y + z };
        if 2 * found == twice {
            Ok(())
        } else {
            Err(format!("the diameter is {found}, not {}", f64::from(twice) / 2.0))
        }
    }
}

impl Display for Torus {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}×{}×{}", self.x, self.y, self.z)
    }
}

impl Size for Torus {
    fn routers(&self) -> u32 {
        self.x * self.y * self.z
    }
}

fn tori(limit: u32) -> Sizes<Torus> {
    let sizes = (3..=limit / 9).flat_map(|x| (3..=x).flat_map(move |y| (3..=y).map(move |z| Torus { x, y, z })));
    Sizes {
        range: format!("x ≥ y ≥ z ≥ 3, xyz ≤ {limit}"),
        all: sizes.filter(|torus| torus.routers() <= limit).collect(),
    }
}

/// Cube-connected cycles.
#[derive(Debug, Clone, Serialize)]
struct Cycles {
    n: u32,
}

impl Cycles {
    fn holds(&self, more: u32) -> Result<(), String> {
        let n = self.n;
        let far = |node: u32| {
            let (word, place) = (node / n, node % n);
            vec![word * n + (place + 1) % n, word * n + (place + n - 1) % n, (word ^ (1 << place)) * n + place]
        };
        let (found, wanted) = (farthest(n << n, far), 2 * n + n / 2 - 2 + more);
        if found == wanted { Ok(()) } else { Err(format!("the diameter is {found}, not {wanted}")) }
    }
}

impl Display for Cycles {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "CCC({})", self.n)
    }
}

impl Size for Cycles {
    fn routers(&self) -> u32 {
        self.n << self.n
    }
}

fn cycles(limit: u32) -> Sizes<Cycles> {
    let all = (3..=10).map(|n| Cycles { n }).filter(|ccc| ccc.routers() <= 8 * limit).collect();
    Sizes { range: format!("n ≥ 3, n·2^n ≤ {}", 8 * limit), all }
}

/// Dual-cube: a dual-net of an (n-1)-cube with super-nodes of one node.
#[derive(Debug, Clone, Serialize)]
struct DualCube {
    n: u32,
}

impl DualCube {
    fn holds(&self) -> Result<(), String> {
        let net = Net::new(&[Factor::Hypercube(self.n - 1)], vec![vec![]]).ok_or("no network")?;
        let found = (net.nodes(), net.far(0).len() as u32, net.net().diameter());
        let wanted = (1 << (2 * self.n - 1), self.n, 2 * self.n);
        if found == wanted { Ok(()) } else { Err(format!("{found:?} nodes, degree and diameter, not {wanted:?}")) }
    }
}

impl Display for DualCube {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "n = {}", self.n)
    }
}

impl Size for DualCube {
    fn routers(&self) -> u32 {
        1 << (2 * self.n - 1)
    }
}

fn dual_cubes(limit: u32) -> Sizes<DualCube> {
    let all = (2..=6).map(|n| DualCube { n }).filter(|cube| cube.routers() <= limit).collect();
    Sizes { range: format!("n ≥ 2, 2^(2n-1) ≤ {limit}"), all }
}
