//! Products of a row vector and a matrix by the paths of section 2, value by value.
//!
//! Element (s,t,u,v) of a KM × KM array, row (s,u) and column (t,v), is at router (s+tK,u,v) of D3(K²,M).

use super::sizes::Square;
use super::walk::{Clash, Net, Port, Reservations};
use crate::topology::swapped_dragonfly::RouterAddress;
use std::collections::BTreeMap;

/// Integers to be multiplied: n numbers, and n × n of them.
pub struct Operands {
    /// Elements of the row vector.
    pub vector: Vec<i64>,
    /// The matrix, row by row.
    pub matrix: Vec<Vec<i64>>,
}

impl Operands {
    /// Small numbers of which no two rows or columns are alike; another `salt` gives others.
    pub fn new(n: u32, salt: u32) -> Self {
        let number = |i: u32, j: u32| i64::from((3 * i + 5 * j + i * j * (salt + 1) + salt) % 11) - 4;
        Self {
            vector: (0..n).map(|i| number(i, salt + 2)).collect(),
            matrix: (0..n).map(|i| (0..n).map(|j| number(i, j)).collect()).collect(),
        }
    }

    /// The product by its definition.
    pub fn product(&self) -> Vec<i64> {
        let column = |j: usize| self.vector.iter().zip(&self.matrix).map(|(v, row)| v * row[j]).sum();
        (0..self.vector.len()).map(column).collect()
    }
}

/// Values by router.
pub type Values = BTreeMap<RouterAddress, i64>;

/// Layout of the elements of an array over routers.
#[derive(Debug, Clone, Copy)]
pub struct Array {
    size: Square,
    net: Net,
}

impl Array {
    /// The array that a network holds.
    pub fn new(size: Square) -> Self {
        Self { size, net: size.net() }
    }

    /// Rows, and columns: KM.
    pub fn order(self) -> u32 {
        self.size.k * self.size.m
    }

    /// The router of an element: row (s,u), column (t,v).
    pub fn router(self, s: u32, t: u32, u: u32, v: u32) -> RouterAddress {
        RouterAddress { c: s + t * self.size.k, d: u, p: v }
    }

    /// The number of row or column (t,v) among KM.
    pub fn number(self, t: u32, v: u32) -> usize {
        (t * self.size.m + v) as usize
    }

    /// Every (t,v).
    pub fn pairs(self) -> impl Iterator<Item = (u32, u32)> + Clone {
        let Square { k, m } = self.size;
        (0..k).flat_map(move |t| (0..m).map(move |v| (t, v)))
    }

    /// Brings element (t,v) of a vector at row (s,u) to all of row (t,v) of the matrix in two hops (path 2.1).
    ///
    /// # Errors
    /// A clash.
    pub fn spread(
        self,
        reservations: &mut Reservations,
        start: u32,
        (s, u): (u32, u32),
        vector: impl Fn(usize) -> i64,
    ) -> Result<Values, Clash> {
        let mut arrived = Values::new();
        for (t, v) in self.pairs() {
            for t2 in 0..self.size.k {
                let from = self.router(s, t, u, v);
                let centre =
                    reservations.send(start, from, self.net.to_cabinet(from, self.router(t, t2, v, u).c), 0)?;
                for v2 in 0..self.size.m {
                    let at = reservations.send(start + 1, centre, self.net.to_position(centre, v2), 0)?;
                    arrived.insert(at, vector(self.number(t, v)));
                }
            }
        }
        Ok(arrived)
    }

    /// Multiplies the value at each router by the matrix element there, which `matrix` gives by row and column.
    pub fn multiply(self, values: &Values, matrix: impl Fn(usize, usize) -> i64) -> Values {
        let k = self.size.k;
        let element = |at: &RouterAddress| matrix(self.number(at.c % k, at.d), self.number(at.c / k, at.p));
        values.iter().map(|(at, value)| (*at, value * element(at))).collect()
    }

    /// Brings products back to row (s,u) by path 2.3 as it is printed, summing at each arrival.
    ///
    /// # Errors
    /// A clash.
    pub fn back_as_printed(
        self,
        reservations: &mut Reservations,
        start: u32,
        (s, u): (u32, u32),
        products: &Values,
    ) -> Result<Values, Clash> {
        let local = self.gather(reservations, start, products, |at| self.net.to_position(at, u))?;
        // (t+t'K,v,u) goes to (s+tK,u,v).
        self.gather(reservations, start + 1, &local, |at| self.net.to_cabinet(at, s + at.c % self.size.k * self.size.k))
    }

    /// Brings products to column (s,u) in two hops, G and L, summing at each arrival: element (t',v') of the vector's
    /// product with the matrix is then at (t'+sK,v',u).
    ///
    /// # Errors
    /// A clash.
    pub fn to_column(
        self,
        reservations: &mut Reservations,
        start: u32,
        (s, u): (u32, u32),
        products: &Values,
    ) -> Result<Values, Clash> {
        // (t+t'K,v,v') goes to (t'+sK,v',v).
        let port = |at: RouterAddress| self.net.to_cabinet(at, at.c / self.size.k + s * self.size.k);
        let global = self.gather(reservations, start, products, port)?;
        self.gather(reservations, start + 1, &global, |at| self.net.to_position(at, u))
    }

    /// Takes the value at column (s,u) to row (s,u), a global hop.
    ///
    /// # Errors
    /// A clash.
    pub fn column_to_row(self, reservations: &mut Reservations, start: u32, values: &Values) -> Result<Values, Clash> {
        // (t'+sK,v',u) goes to (s+t'K,u,v').
        let k = self.size.k;
        self.gather(reservations, start, values, |at| self.net.to_cabinet(at, at.c / k + at.c % k * k))
    }

    fn gather(
        self,
        reservations: &mut Reservations,
        cycle: u32,
        values: &Values,
        port: impl Fn(RouterAddress) -> Port,
    ) -> Result<Values, Clash> {
        let mut sums = Values::new();
        for (at, value) in values {
            *sums.entry(reservations.send(cycle, *at, port(*at), 0)?).or_default() += value;
        }
        Ok(sums)
    }

    /// The vector at row (s,u), or None if an element of it is nowhere.
    pub fn row(self, (s, u): (u32, u32), values: &Values) -> Option<Vec<i64>> {
        self.pairs().map(|(t, v)| values.get(&self.router(s, t, u, v)).copied()).collect()
    }

    /// The vector at column (s,u), or None if an element of it is nowhere.
    pub fn column(self, (s, u): (u32, u32), values: &Values) -> Option<Vec<i64>> {
        self.pairs().map(|(t, v)| values.get(&self.router(t, s, v, u)).copied()).collect()
    }
}

/// Product of a row vector at (s,u), with K-tuples as elements, and a KM × KM matrix. Element (s,t,u,v) of the matrix
/// is at (s,u,v) of D3(K,M) for all t. One round of five hops, G L G L G. The product, again at (s,u).
///
/// # Errors
/// A clash.
pub fn on_linear(
    net: Net,
    reservations: &mut Reservations,
    (s, u): (u32, u32),
    operands: &Operands,
) -> Result<Vec<i64>, Clash> {
    let (k, m) = (net.k, net.m);
    let number = |t: u32, v: u32| (t * m + v) as usize;
    // What is at a router, by t'.
    let mut products: BTreeMap<(RouterAddress, u32), i64> = BTreeMap::new();
    for (t, v) in (0..k).flat_map(|t| (0..m).map(move |v| (t, v))) {
        let from = RouterAddress { c: s, d: u, p: v };
        let centre = reservations.send(0, from, net.to_cabinet(from, t), 0)?;
        for v2 in 0..m {
            let at = reservations.send(1, centre, net.to_position(centre, v2), 0)?;
            for t2 in 0..k {
                products
                    .insert((at, t2), operands.vector[number(t, v)] * operands.matrix[number(t, v)][number(t2, v2)]);
            }
        }
    }
    let ports: [&dyn Fn(RouterAddress, u32) -> Port; 3] =
        [&|at, t2| net.to_cabinet(at, t2), &|at, _| net.to_position(at, u), &|at, _| net.to_cabinet(at, s)];
    for (cycle, port) in (2..).zip(ports) {
        let mut sums = BTreeMap::new();
        for ((at, t2), value) in products {
            *sums.entry((reservations.send(cycle, at, port(at, t2), 0)?, t2)).or_default() += value;
        }
        products = sums;
    }
    let element = |(t2, v2)| products.get(&(RouterAddress { c: s, d: u, p: v2 }, t2)).copied().unwrap_or_default();
    Ok((0..k).flat_map(|t2| (0..m).map(move |v2| (t2, v2))).map(element).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Path 2.3 as printed never leaves the row of the matrix, so that it sums along it.
    #[test]
    fn the_printed_path_sums_rows() {
        let size = Square { k: 2, m: 3 };
        let array = Array::new(size);
        let of = Operands::new(array.order(), 0);
        let mut reservations = Reservations::new(size.net());
        let arrived = array.spread(&mut reservations, 0, (1, 2), |i| of.vector[i]).expect("no clash");
        let products = array.multiply(&arrived, |i, j| of.matrix[i][j]);
        let printed = array.back_as_printed(&mut reservations, 2, (1, 2), &products).expect("no clash");
        let sums: Vec<i64> = of.vector.iter().zip(&of.matrix).map(|(v, row)| v * row.iter().sum::<i64>()).collect();
        assert_eq!(array.row((1, 2), &printed), Some(sums));
        let corrected = array.to_column(&mut reservations, 4, (1, 2), &products).expect("no clash");
        assert_eq!(array.column((1, 2), &corrected), Some(of.product()));
    }

    #[test]
    fn a_missing_element_is_noticed() {
        assert_eq!(Array::new(Square { k: 1, m: 2 }).row((0, 0), &Values::new()), None);
    }
}
