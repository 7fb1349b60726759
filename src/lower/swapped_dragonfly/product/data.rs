//! Words that the host loads into each tile and reads from it: the layout of matrices, on numbers alone.

use super::ProductLowered;
use crate::collective::{Operands, ProductKind};
use crate::program::form::swapped_dragonfly::product::Stage;
use crate::topology::Topology;

impl ProductLowered {
    /// The words of all tiles of a network, tile after tile: rows of the matrix, then the operand. Every word has the width of a channel's.
    pub fn loads(&self, operands: &Operands) -> Vec<u64> {
        let mask = u64::MAX >> (64 - self.frame.data_bits);
        (0..self.frame.network.nodes() as u32)
            .flat_map(|tile| self.tile_loads(tile, operands))
            .map(|word| word & mask)
            .collect()
    }

    fn tile_loads(&self, tile: u32, operands: &Operands) -> Vec<u64> {
        let (shape, m, n) = (&self.shape, self.frame.m, self.product.order);
        let (c, u, v) = (tile / m / m, tile / m % m, tile % m);
        let (x, side) = (shape.block, shape.side);
        let (s, t) = if shape.linear { (c, 0) } else { (c % side, c / side) };
        // element i of block row (s,u), of block column (t,v)
        let row = |i: u32| (s * m + u) * x + i;
        let column = |t: u32, i: u32| (t * m + v) * x + i;
        let matrix = |i: u32, j: u32| operands.matrix[(i * n + j) as usize];
        let mut words = Vec::new();
        for r in 0..if shape.arithmetic { shape.matrix_rows } else { 0 } {
            words.extend((0..shape.row_elements()).map(|j| match (shape.column, shape.linear) {
                (false, false) => matrix(row(r), column(t, j)),
                (false, true) => matrix(row(r), column(j / x, j % x)),
                (true, false) => matrix(row(j), column(t, r)),
                (true, true) => matrix(row(j), column(r / x, r % x)),
            }));
        }
        for word in 0..shape.operand_words {
            words.extend((0..shape.operand_banks).map(|bank| {
                let t = if shape.linear { bank } else { t };
                let (vector, element) = match shape.kind {
                    ProductKind::VectorMatrix => (row(0), column(t, word)),
                    ProductKind::MatrixVector => (column(t, 0), row(word)),
                    _ => (row(word / x), column(t, word % x)),
                };
                // elsewhere there is no operand
                let at = vector as usize * n as usize + element as usize;
                if vector < self.product.vectors() { operands.vectors[at] } else { 0 }
            }));
        }
        words
    }

    /// Result, vector after vector, from the words that were read out of the tiles, tile after tile. None if words are
    /// missing.
    pub fn results(&self, words: &[u64]) -> Option<Vec<u64>> {
        let (shape, n) = (&self.shape, self.product.order);
        if words.len() != self.frame.network.nodes() * shape.results() as usize {
            return None;
        }
        let word = |vector: u32, element: u32| {
            let (tile, bank, address) = self.result_place(vector, element);
            let at = (tile * shape.results() + address * shape.result_banks + bank) as usize;
            let mask = if shape.arithmetic { self.product.accumulator_bits } else { shape.element_bits };
            words[at] & (u64::MAX >> (64 - mask))
        };
        let all = (0..self.product.vectors()).flat_map(|vector| (0..n).map(move |element| (vector, element)));
        let cut = all.map(|(vector, element)| word(vector, element));
        // elements of a transpose are sign-extended as those of the operand are
        let free = 64 - shape.element_bits;
        let extended = |word: u64| if shape.signed { ((word << free) as i64 >> free) as u64 } else { word };
        Some(if shape.arithmetic { cut.collect() } else { cut.map(extended).collect() })
    }

    /// The tile, bank and address of an element of the result.
    pub fn result_place(&self, vector: u32, element: u32) -> (u32, u32, u32) {
        let (shape, m) = (&self.shape, self.frame.m);
        let x = shape.block;
        // block row and column; a result that is not brought home lies as the operand's transpose
        let home = self.schedule.result != Stage::Result || !shape.arithmetic;
        let home = home != shape.column;
        let (row, column) = if home { (vector / x, element / x) } else { (element / x, vector / x) };
        let (s, u, t, v) = (row / m, row % m, column / m, column % m);
        let c = if shape.linear { s } else { s + t * shape.side };
        let address = match (shape.kind, shape.arithmetic) {
            (ProductKind::VectorMatrix | ProductKind::MatrixVector, _) => element % x,
            (_, true) => vector % x * x + element % x,
            // element (e,r) of the operand came with its own vector e and element r
            (_, false) => element % x * x + vector % x,
        };
        let bank = if shape.result_banks > 1 { t } else { 0 };
        ((c * m + u) * m + v, bank, address)
    }
}
