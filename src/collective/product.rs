//! Products of matrices of integers, and the transpose.
//!
//! An operand is a list of vectors of n elements: one row vector, one column vector, or the n rows of a matrix. What comes
//! out is a list of as many. Integers are kept modulo 2^64, and sums cut to the width of an accumulator.

use super::{DataError, npy};
use crate::hash::split_mix_64;
use std::path::Path;

/// Kind of product of operand V and matrix A.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProductKind {
    /// V·A, V a row vector.
    VectorMatrix,
    /// A·V, V a column vector.
    MatrixVector,
    /// V·A, V a matrix.
    MatrixMatrix,
    /// The transpose of V, a matrix; there is no A.
    Transpose,
}

impl ProductKind {
    /// Name in words.
    pub fn name(self) -> &'static str {
        match self {
            ProductKind::VectorMatrix => "a vector times a matrix",
            ProductKind::MatrixVector => "a matrix times a vector",
            ProductKind::MatrixMatrix => "a matrix times a matrix",
            ProductKind::Transpose => "the transpose of a matrix",
        }
    }
}

/// A product of order n.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Product {
    /// Kind of product.
    pub kind: ProductKind,
    /// Rows and columns of a matrix, elements of a vector.
    pub order: u32,
    /// Width of an element, at most 64.
    pub element_bits: u32,
    /// True if elements are signed.
    pub signed: bool,
    /// Width of a sum, at most 64.
    pub accumulator_bits: u32,
}

/// Integers to be multiplied, each sign-extended to 64 bits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operands {
    /// Vector after vector, `order` elements each.
    pub vectors: Vec<u64>,
    /// The matrix A, row after row.
    pub matrix: Vec<u64>,
}

impl Product {
    /// Number of vectors of the operand.
    pub fn vectors(&self) -> u32 {
        match self.kind {
            ProductKind::VectorMatrix | ProductKind::MatrixVector => 1,
            ProductKind::MatrixMatrix | ProductKind::Transpose => self.order,
        }
    }

    /// Width of a word that holds an element or a sum.
    pub fn word_bits(&self) -> u32 {
        self.element_bits.max(self.accumulator_bits)
    }

    /// Random operands of the full range of elements, from the SplitMix64 sequence of `seed`.
    pub fn random(&self, seed: u64) -> Operands {
        let free = 64 - self.element_bits;
        let element = |i: u64| {
            let word = split_mix_64(seed, i) << free;
            if self.signed { (word as i64 >> free) as u64 } else { word >> free }
        };
        let n = u64::from(self.order);
        let vectors = n * u64::from(self.vectors());
        Operands {
            vectors: (0..vectors).map(element).collect(),
            matrix: (vectors..vectors + n * n).map(element).collect(),
        }
    }

    /// Shape of the operand's array, and of the result's.
    fn shape(&self) -> Vec<usize> {
        let n = self.order as usize;
        match self.kind {
            ProductKind::VectorMatrix | ProductKind::MatrixVector => vec![n],
            ProductKind::MatrixMatrix | ProductKind::Transpose => vec![n, n],
        }
    }

    /// Reads the operand and the matrix from .npy files of integers, signed or not, of any width as long as each fits an element.
    /// Without a file, the operand or the matrix is that of [`Self::random`].
    ///
    /// # Errors
    /// If a file cannot be read, is damaged, or has the wrong shape, no integers, or one too large.
    pub fn read(&self, operand: Option<&Path>, matrix: Option<&Path>, seed: u64) -> Result<Operands, DataError> {
        Ok(self.read_each(1, operand, matrix, seed)?.swap_remove(0))
    }

    /// Operands of each of `networks` networks: the files' arrays have a first axis more if there are several, and random numbers are
    /// from the next seed for each.
    ///
    /// # Errors
    /// As [`Self::read`].
    pub fn read_each(
        &self,
        networks: u32,
        operand: Option<&Path>,
        matrix: Option<&Path>,
        seed: u64,
    ) -> Result<Vec<Operands>, DataError> {
        let n = self.order as usize;
        let mut all: Vec<Operands> = (0..u64::from(networks)).map(|i| self.random(seed.wrapping_add(i))).collect();
        let each = |path: &Path, shape: Vec<usize>| {
            let meaning = if shape.len() == 1 { "[element]" } else { "[row][column]" };
            let size = shape.iter().product();
            let (shape, meaning) = npy::in_networks(networks, shape, meaning);
            let read = npy::read_integers(path, &shape, &meaning, self.element_bits, self.signed)?;
            Ok::<_, DataError>(read.chunks(size).map(<[u64]>::to_vec).collect::<Vec<_>>())
        };
        if let Some(path) = operand {
            all.iter_mut().zip(each(path, self.shape())?).for_each(|(operands, read)| operands.vectors = read);
        }
        if let Some(path) = matrix {
            all.iter_mut().zip(each(path, vec![n, n])?).for_each(|(operands, read)| operands.matrix = read);
        }
        Ok(all)
    }

    /// A result as an .npy file of integers of 64 bits, sign-extended from the accumulator's width if elements are signed; the
    /// results of several networks with a first axis more.
    pub fn to_npy(&self, result: &[u64]) -> Vec<u8> {
        let free = 64 - if self.kind == ProductKind::Transpose { 64 } else { self.accumulator_bits };
        let extended = |&value: &u64| if self.signed { ((value << free) as i64 >> free) as u64 } else { value };
        let shape = self.shape();
        let networks = result.len() / shape.iter().product::<usize>();
        let (shape, _) = npy::in_networks(networks as u32, shape, "");
        npy::integers_to_bytes(&shape, &result.iter().map(extended).collect::<Vec<_>>(), self.signed)
    }

    /// The first element of the result that an accumulator cannot hold, and its value; a result that certainly fits is not
    /// computed.
    pub fn overflow(&self, operands: &Operands) -> Option<(usize, i128)> {
        let n = self.order as usize;
        let (least, most) = match self.signed {
            true => (-(1_i128 << (self.accumulator_bits - 1)), (1_i128 << (self.accumulator_bits - 1)) - 1),
            false => (0, (1_i128 << self.accumulator_bits) - 1),
        };
        let wide = |&x: &u64| if self.signed { i128::from(x as i64) } else { i128::from(x) };
        let [vectors, matrix] = [&operands.vectors, &operands.matrix].map(|of| of.iter().map(wide).collect::<Vec<_>>());
        let largest = |of: &[i128]| of.iter().map(|x| x.abs()).max().unwrap_or(0);
        let bound = largest(&vectors).checked_mul(largest(&matrix)).and_then(|one| one.checked_mul(n as i128));
        if self.kind == ProductKind::Transpose || bound.is_some_and(|bound| bound <= most) {
            return None;
        }
        let element = |r: usize, e: usize| match self.kind {
            ProductKind::MatrixVector => {
                (0..n).fold(0_i128, |s, i| s.saturating_add(matrix[e * n + i].saturating_mul(vectors[i])))
            }
            _ => (0..n).fold(0_i128, |s, i| s.saturating_add(vectors[r * n + i].saturating_mul(matrix[i * n + e]))),
        };
        let all = (0..self.vectors() as usize).flat_map(|r| (0..n).map(move |e| (r, e)));
        let values = all.map(|(r, e)| (r * n + e, element(r, e)));
        values.into_iter().find(|(_, value)| !(least..=most).contains(value))
    }

    /// Keeps the bits of an accumulator.
    pub fn cut(&self, sum: u64) -> u64 {
        sum & (u64::MAX >> (64 - self.accumulator_bits))
    }

    /// An element of the result as it is kept: a sum cut to the accumulator's width, or the element of a transpose.
    pub fn kept(&self, word: u64) -> u64 {
        if self.kind == ProductKind::Transpose { word } else { self.cut(word) }
    }

    /// The oracle: the result by its definition, vector after vector, cut to the accumulator's width.
    pub fn expected(&self, operands: &Operands) -> Vec<u64> {
        let Operands { vectors, matrix } = operands;
        let n = self.order as usize;
        let sum = |term: &dyn Fn(usize) -> u64| self.cut((0..n).fold(0, |sum: u64, i| sum.wrapping_add(term(i))));
        let at = |r: usize, e: usize| match self.kind {
            ProductKind::VectorMatrix | ProductKind::MatrixMatrix => {
                sum(&|i| vectors[r * n + i].wrapping_mul(matrix[i * n + e]))
            }
            ProductKind::MatrixVector => sum(&|i| matrix[e * n + i].wrapping_mul(vectors[i])),
            ProductKind::Transpose => vectors[e * n + r],
        };
        if self.kind == ProductKind::MatrixMatrix {
            // the same sums, in an order in which memory is read along rows
            let mut sums = vec![0_u64; n * n];
            for (row, vector) in sums.chunks_mut(n).zip(vectors.chunks(n)) {
                for (element, line) in vector.iter().zip(matrix.chunks(n)) {
                    row.iter_mut().zip(line).for_each(|(s, factor)| *s = s.wrapping_add(element.wrapping_mul(*factor)));
                }
            }
            return sums.into_iter().map(|sum| self.cut(sum)).collect();
        }
        (0..self.vectors() as usize).flat_map(|r| (0..n).map(move |e| (r, e))).map(|(r, e)| at(r, e)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_are_those_of_the_definition() {
        let product = |kind| Product { kind, order: 2, element_bits: 8, signed: true, accumulator_bits: 16 };
        let minus = |n: u64| n.wrapping_neg();
        let operands = Operands { vectors: vec![1, 2], matrix: vec![3, minus(4), 5, 6] };
        assert_eq!(product(ProductKind::VectorMatrix).expected(&operands), [13, 8]);
        assert_eq!(product(ProductKind::MatrixVector).expected(&operands), [65536 - 5, 17]);
        let operands = Operands { vectors: vec![1, 2, 3, minus(1)], ..operands };
        assert_eq!(product(ProductKind::MatrixMatrix).expected(&operands), [13, 8, 4, 65536 - 18]);
        assert_eq!(product(ProductKind::Transpose).expected(&operands), [1, 3, 2, minus(1)]);
        let random = product(ProductKind::MatrixMatrix).random(1);
        assert!(random.matrix.iter().all(|&x| (-128..128).contains(&(x as i64))));
    }
}
