//! Section 2: matrix products on D3(K²,M).

use super::sizes::{Square, nets, squares};
use super::topology::expect;
use super::vector_matrix::{Array, Operands, Values, on_linear};
use super::walk::{Net, Port, Reservations, show};
use crate::claims::{Claim, Size, Sizes, Trial};
use crate::topology::swapped_dragonfly::Group;
use std::collections::BTreeMap;

pub fn claims() -> Vec<Claim> {
    vec![
        Claim::new(
            "transpose",
            "section 2, before Theorem 1",
            "The global hop γ = (s+tK) - (t+sK) transposes a KM × KM matrix.",
            Trial::over(squares, |size| transposed(*size, |here, there| here + size.net().k - there)),
        )
        .amended(
            "The sign is the other: γ = (t+sK) - (s+tK).",
            Trial::over(squares, |size| transposed(*size, |here, there| there + size.net().k - here)),
        ),
        Claim::new(
            "path-2.1",
            "section 2, (2.1) and (2.2)",
            "A row vector reaches the rows of the matrix that its elements belong to in two hops, without a conflict.",
            Trial::over(squares, |size| each_row(*size, |row| reaches(*size, row))),
        ),
        Claim::new(
            "path-2.3",
            "section 2, (2.3)",
            "Path 2.3, back to row (s,u), accumulates the vector-matrix product there.",
            Trial::over(squares, |size| each_row(*size, |row| printed(*size, row))),
        )
        .amended(
            "(t+t'K,v,v') -G→ (t'+sK,v',v) -L→ (t'+sK,v',u) accumulates it in column (s,u), in four hops in all; one \
             more global hop takes it to row (s,u).",
            Trial::over(squares, |size| each_row(*size, |row| corrected(*size, row, row))),
        ),
        Claim::new(
            "out-of-place",
            "section 2, end of the proof of Theorem 1",
            "With another s and u in the last two hops the result goes elsewhere.",
            Trial::over(squares, |size| each_row(*size, |from| each_row(*size, |to| corrected(*size, from, to)))),
        ),
        Claim::new(
            "theorem-1",
            "section 2, Theorem 1",
            "A KM × KM matrix product takes KM rounds of four hops, 4KM cycles (by the corrected path).",
            Trial::over(squares, |size| {
                let rows = Array::new(*size).pairs().map(|row| vec![row]).collect();
                let cycles = whole_product(*size, rows, (0..).step_by(4))?;
                expect(cycles == 4 * size.k * size.m, || format!("it takes {cycles} cycles"))
            }),
        )
        .amended(
            "min(K,M) rows that differ in s and u go together, and such batches follow in pairs (0, 1, 4, 5, …): \
             2·max(K,M) + 1 cycles, or + 2 if max(K,M) is odd. All rows can also be spread first, those that differ in u \
             together, and then gathered, those that differ in s together: K + M + 1 cycles, or M + 3 if K = 1.",
            Trial::over(squares, |size| {
                let cycles = overlapped_product(*size)?;
                let longer = size.k.max(size.m);
                expect(cycles == 2 * longer + 1 + longer % 2, || format!("it takes {cycles} cycles"))?;
                let cycles = spreads_first(*size)?;
                expect(cycles == size.k + size.m + 1 + u32::from(size.k == 1), || {
                    format!("spreads first, it takes {cycles} cycles")
                })
            }),
        ),
        Claim::new(
            "theorem-2",
            "section 2, Theorem 2",
            "An n × n product takes n²/KM rounds: X = n/KM rounds a row (by the corrected path; X ≤ 3).",
            Trial::over(squares, |size| {
                (1..=3).try_for_each(|x| {
                    let rounds = blocked_row(*size, x)?;
                    let n = x * size.k * size.m;
                    expect(n * rounds == n * n / (size.k * size.m), || format!("n = {n} takes {rounds} rounds a row"))
                })
            }),
        ),
        Claim::new(
            "linear-rounds",
            "section 2, after Theorem 2",
            "On D3(K,M), with (s,t,u,v) at (s,u,v) for all t, a vector-matrix product takes K rounds, a matrix product K²M.",
            Trial::over(nets, |net| match linear(net) {
                Ok(()) if net.k > 1 => Err(format!("one round of five hops does, G L G L G, instead of {}", net.k)),
                _ => Ok(()),
            }),
        )
        .amended(
            "One round of five hops does: element t of a tuple leaves by the global port to cabinet t.",
            Trial::over(nets, linear),
        ),
        Claim::new(
            "inner-square",
            "section 2, after Theorem 2",
            "If L² < K < (L+1)², a KM-vector times a matrix is faster on D3(L²,M), in K/L rounds, than on D3(K,M).",
            Trial::over(between_squares, |net| {
                let (inside, own) = (4 * net.k.div_ceil(net.k.isqrt()), 5);
                expect(inside < own, || format!("D3({}²,{}) takes {inside} hops, {net} {own}", net.k.isqrt(), net.m))
            }),
        )
        .amended(
            "D3(K,M) needs five hops, and ⌈K/L⌉ ≥ 2 rounds of four are more.",
            Trial::over(between_squares, |net| {
                linear(net)?;
                expect(5 < 4 * net.k.div_ceil(net.k.isqrt()), || "it is as fast".into())
            }),
        ),
    ]
}

/// Checks that a global hop takes every (s,t,u,v) to the router of (t,s,v,u). `gamma` maps the cabinets of the two to
/// the port, before reduction modulo K².
fn transposed(size: Square, gamma: impl Fn(u32, u32) -> u32) -> Result<(), String> {
    let (array, net) = (Array::new(size), size.net());
    let mut reservations = Reservations::new(net);
    for ((s, u), (t, v)) in array.pairs().flat_map(|row| array.pairs().map(move |column| (row, column))) {
        let (here, there) = (array.router(s, t, u, v), array.router(t, s, v, u));
        let port = Port::Global(gamma(here.c, there.c) % net.k);
        let to = reservations.send(0, here, port, 0).map_err(|clash| clash.to_string())?;
        expect(to == there, || {
            format!(
                "element (s,t,u,v) = ({s},{t},{u},{v}) goes from {} to {}, not {}",
                show(here),
                show(to),
                show(there)
            )
        })?;
    }
    Ok(())
}

/// Calls a test with every row (s,u) of an array.
fn each_row(size: Square, test: impl Fn((u32, u32)) -> Result<(), String>) -> Result<(), String> {
    Array::new(size).pairs().try_for_each(test)
}

fn reaches(size: Square, row: (u32, u32)) -> Result<(), String> {
    let array = Array::new(size);
    let arrived = array.spread(&mut Reservations::new(size.net()), 0, row, |i| i as i64).map_err(|c| c.to_string())?;
    // Element (t,v) belongs at all (t,t',v,v').
    let right = arrived.iter().filter(|(at, i)| array.number(at.c % size.k, at.d) as i64 == **i).count() as u32;
    expect(right == size.routers(), || format!("it reaches {right} routers"))
}

fn equals(expected: &[i64], found: Option<Vec<i64>>) -> Result<(), String> {
    expect(found.as_deref() == Some(expected), || match found {
        Some(found) => format!("it gives {found:?}, not {expected:?}"),
        None => "part of the result is missing".into(),
    })
}

fn printed(size: Square, row: (u32, u32)) -> Result<(), String> {
    let array = Array::new(size);
    let of = Operands::new(array.order(), 0);
    let mut reservations = Reservations::new(size.net());
    let mut sums = || {
        let arrived = array.spread(&mut reservations, 0, row, |i| of.vector[i])?;
        array.back_as_printed(&mut reservations, 2, row, &array.multiply(&arrived, |i, j| of.matrix[i][j]))
    };
    let sums = sums().map_err(|clash| clash.to_string())?;
    equals(&of.product(), array.row(row, &sums))
        .map_err(|witness| format!("{:?} times {:?}: {witness}", of.vector, of.matrix))
}

/// The product of a row vector at one row, by the corrected path into a column, and from there to the same row.
fn corrected(size: Square, from: (u32, u32), to: (u32, u32)) -> Result<(), String> {
    let array = Array::new(size);
    let of = Operands::new(array.order(), 0);
    let mut reservations = Reservations::new(size.net());
    let mut sums = || {
        let arrived = array.spread(&mut reservations, 0, from, |i| of.vector[i])?;
        let column = array.to_column(&mut reservations, 2, to, &array.multiply(&arrived, |i, j| of.matrix[i][j]))?;
        array.column_to_row(&mut reservations, 4, &column).map(|row| (column, row))
    };
    let (column, row) = sums().map_err(|clash| clash.to_string())?;
    equals(&of.product(), array.column(to, &column))?;
    equals(&of.product(), array.row(to, &row))
}

/// Multiplies two matrices and returns the number of cycles. Batches of rows (s,u) of the first matrix begin at the
/// given cycles. Row (s,u) of the product ends in column (s,u).
fn whole_product(
    size: Square,
    batches: Vec<Vec<(u32, u32)>>,
    starts: impl Iterator<Item = u32>,
) -> Result<u32, String> {
    let array = Array::new(size);
    let (left, right) = (Operands::new(array.order(), 1).matrix, Operands::new(array.order(), 0));
    let mut reservations = Reservations::new(size.net());
    let (mut rows, mut last) = (0, 0);
    for (batch, start) in batches.into_iter().zip(starts) {
        for row in batch {
            let of = Operands { vector: left[array.number(row.0, row.1)].clone(), matrix: right.matrix.clone() };
            let mut sums = || {
                let arrived = array.spread(&mut reservations, start, row, |i| of.vector[i])?;
                array.to_column(&mut reservations, start + 2, row, &array.multiply(&arrived, |i, j| of.matrix[i][j]))
            };
            let sums = sums().map_err(|clash| clash.to_string())?;
            equals(&of.product(), array.column(row, &sums))?;
            rows += 1;
        }
        last = start + 4;
    }
    expect(rows == array.order(), || format!("{rows} rows"))?;
    Ok(last)
}

/// Multiplies two matrices and returns the number of cycles. In each of K cycles, M rows that differ in u begin to
/// spread. Then in each of M cycles, K rows that differ in s begin to gather. Rows of the last spread do not gather in
/// the first of these cycles.
///
/// # Errors
/// A clash, a row that is gathered before it has arrived, or a wrong result.
fn spreads_first(size: Square) -> Result<u32, String> {
    let (Square { k, m }, array) = (size, Array::new(size));
    let (left, right) = (Operands::new(array.order(), 1).matrix, Operands::new(array.order(), 0).matrix);
    let mut reservations = Reservations::new(size.net());
    let mut spread = BTreeMap::new();
    for (cycle, u) in (0..k).flat_map(|cycle| (0..m).map(move |u| (cycle, u))) {
        let row = ((u + cycle) % k, u);
        let vector = &left[array.number(row.0, row.1)];
        let arrived = array.spread(&mut reservations, cycle, row, |i| vector[i]).map_err(|clash| clash.to_string())?;
        spread.insert(row, (cycle + 2, arrived));
    }
    let first = k + u32::from(k == 1);
    for (i, s) in (0..m).flat_map(|i| (0..k).map(move |s| (i, s))) {
        let row = (s, (i + u32::from(k > 1 && s == k - 1)) % m);
        let Some((ready, arrived)) = spread.remove(&row) else { return Err(format!("row {row:?} is gathered twice")) };
        expect(ready <= first + i, || {
            format!("row {row:?} is gathered in cycle {}, and is there in {ready}", first + i)
        })?;
        let products = array.multiply(&arrived, |r, c| right[r][c]);
        let column =
            array.to_column(&mut reservations, first + i, row, &products).map_err(|clash| clash.to_string())?;
        let of = Operands { vector: left[array.number(row.0, row.1)].clone(), matrix: right.clone() };
        equals(&of.product(), array.column(row, &column))?;
    }
    Ok(reservations.cycles())
}

/// Multiplies two matrices in batches of rows, two of them every four cycles; gives the cycles.
///
/// # Errors
/// A clash, or a wrong result.
pub fn overlapped_product(size: Square) -> Result<u32, String> {
    whole_product(size, batches(size), (0..).map(|i| i / 2 * 4 + i % 2))
}

/// All rows (s,u) in batches of min(K,M) in which s and u differ.
fn batches(Square { k, m }: Square) -> Vec<Vec<(u32, u32)>> {
    let row = |i, x| if k <= m { (i, (i + x) % m) } else { ((i + x) % k, i) };
    (0..k.max(m)).map(|x| (0..k.min(m)).map(|i| row(i, x)).collect()).collect()
}

/// Multiplies a row vector of X·KM elements, X of them at a router, with a matrix whose blocks are X × X; gives the
/// rounds of four hops.
fn blocked_row(size: Square, x: u32) -> Result<u32, String> {
    let (array, x) = (Array::new(size), x as usize);
    let of = Operands::new(array.order() * x as u32, 0);
    let product = of.product();
    let mut reservations = Reservations::new(size.net());
    let row = (size.k - 1, size.m - 1);
    let mut cycles = (0..).step_by(2);
    let mut spread =
        |i| array.spread(&mut reservations, cycles.next().unwrap_or_default(), row, |r| of.vector[r * x + i]);
    let arrived: Vec<_> = (0..x).map(&mut spread).collect::<Result<_, _>>().map_err(|clash| clash.to_string())?;
    for j in 0..x {
        let mut sums = Values::new();
        for (i, arrived) in arrived.iter().enumerate() {
            for (at, value) in array.multiply(arrived, |r, c| of.matrix[r * x + i][c * x + j]) {
                *sums.entry(at).or_default() += value;
            }
        }
        let start = 2 * (x + j) as u32;
        let column = array.to_column(&mut reservations, start, row, &sums).map_err(|clash| clash.to_string())?;
        let expected: Vec<_> = product.iter().skip(j).step_by(x).copied().collect();
        equals(&expected, array.column(row, &column))?;
    }
    Ok(reservations.cycles() / 4)
}

/// Checks that one round of five hops multiplies any row vector on D3(K,M).
fn linear(net: &Net) -> Result<(), String> {
    let of = Operands::new(net.k * net.m, 0);
    for row in (0..net.k).flat_map(|s| (0..net.m).map(move |u| (s, u))) {
        let mut reservations = Reservations::new(*net);
        let result = on_linear(*net, &mut reservations, row, &of).map_err(|clash| clash.to_string())?;
        equals(&of.product(), Some(result))?;
        expect(reservations.cycles() == 5, || format!("it takes {} hops", reservations.cycles()))?;
    }
    Ok(())
}

/// D3(K,M) where K is no square.
fn between_squares(limit: u32) -> Sizes<Net> {
    let mut all = nets(limit).all;
    all.retain(|net| net.k.isqrt().pow(2) != net.k && net.group == Group::Cyclic);
    Sizes { range: format!("K is no square, M ≥ 2, KM² ≤ {limit}"), all }
}
