//! All-reduce, prefix scan and sort over the nodes: `X[j][w]` is word w of node j; each w is independent of the others.
//! In NumPy, for unsigned `X` of shape (nodes, words):
//!
//! | kind | node j has afterwards |
//! |---|---|
//! | all-reduce | `op.reduce(X, axis=0)` |
//! | prefix scan | `op.accumulate(X, axis=0)[j]`: the words of nodes 0 to j, its own included |
//! | sort | `np.sort(X, axis=0)[j]`, ascending |

use super::{Collective, DataError, Dtype, Item, Words, npy};
use crate::collective::Operator;
use std::path::Path;

/// Kind of exchange: the result at every node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExchangeKind {
    /// The combination of all.
    AllReduce(Operator),
    /// The combination of all up to itself.
    PrefixScan(Operator),
    /// The word of its rank.
    Sort,
}

/// Names of the kinds that combine words by an operator.
pub const COMBINING: &[&str] = &["all-reduce", "prefix-scan"];

impl ExchangeKind {
    /// The operator by which words are combined, if they are.
    pub fn operator(self) -> Option<Operator> {
        match self {
            ExchangeKind::AllReduce(operator) | ExchangeKind::PrefixScan(operator) => Some(operator),
            ExchangeKind::Sort => None,
        }
    }

    /// Name in words.
    pub fn name(self) -> &'static str {
        match self {
            ExchangeKind::AllReduce(_) => "all-reduce",
            ExchangeKind::PrefixScan(_) => "prefix scan",
            ExchangeKind::Sort => "bitonic sort",
        }
    }
}

/// The traffic of an exchange.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exchange {
    kind: ExchangeKind,
    nodes: usize,
    words: usize,
    networks: usize,
}

impl Exchange {
    /// An exchange of `words` words at each of `nodes` nodes.
    pub fn new(kind: ExchangeKind, nodes: usize, words: usize) -> Self {
        Self { kind, nodes, words, networks: 1 }
    }

    /// Exchange in each of `networks` networks: all arrays have a first axis more.
    pub fn in_networks(self, networks: usize) -> Self {
        Self { networks, ..self }
    }

    /// Number of nodes.
    pub fn nodes(&self) -> usize {
        self.nodes
    }

    /// Words a node.
    pub fn words(&self) -> usize {
        self.words
    }

    /// Words of all nodes of all networks.
    fn len(&self) -> usize {
        self.networks * self.nodes * self.words
    }
}

impl Collective for Exchange {
    /// The shape of an array: (nodes,) with one word a node, else (nodes, words).
    fn shape(&self) -> (Vec<usize>, String) {
        let (shape, meaning) = match self.words {
            1 => (vec![self.nodes], "[node]"),
            words => (vec![self.nodes, words], "[node][word]"),
        };
        npy::in_networks(self.networks as u32, shape, meaning)
    }

    /// Reads the words from an .npy file of shape (nodes, words), or (nodes,) with one word a node: unsigned integers
    /// of at most `payload_bits`. They are widened to `payload_bits`, so that sums are modulo 2^`payload_bits`.
    ///
    /// # Errors
    /// If the file cannot be read, is damaged, or has the wrong shape or element type.
    fn read(&self, path: &Path, payload_bits: u32) -> Result<Words, DataError> {
        let (shape, meaning) = self.shape();
        let words = npy::read(path, &shape, &meaning, |dtype| match dtype.bits() > payload_bits {
            true => Err(DataError::TooWide { path: path.to_owned(), dtype, payload_bits }),
            false => Ok(self.len()),
        })?;
        let dtype = Dtype::filling(payload_bits).unwrap_or(words.dtype());
        Ok(Words::from_fn(dtype, words.len(), |i| words.get(i)))
    }

    /// Result by definition (the oracle): words by node, then by word, for the input `words`.
    fn expected(&self, words: &Words) -> Words {
        let (dtype, width) = (words.dtype(), self.words);
        let mask = u64::MAX >> (64 - dtype.bits());
        // a column of a network
        let column = |i: usize| {
            let start = i / width * self.nodes * width + i % width;
            (0..self.nodes).map(move |node| words.get(start + node * width))
        };
        let columns: Vec<Vec<u64>> = (0..self.networks * width)
            .map(|w| match self.kind {
                ExchangeKind::AllReduce(op) => {
                    vec![column(w).fold(op.identity(), |a, b| op.combine(a, b) & mask); self.nodes]
                }
                ExchangeKind::PrefixScan(op) => column(w)
                    .scan(op.identity(), |sum, word| {
                        *sum = op.combine(*sum, word) & mask;
                        Some(*sum)
                    })
                    .collect(),
                ExchangeKind::Sort => {
                    let mut column: Vec<u64> = column(w).collect();
                    column.sort_unstable();
                    column
                }
            })
            .collect();
        Words::from_fn(dtype, self.len(), |i| {
            let (node, network) = (i / width % self.nodes, i / width / self.nodes);
            columns[network * width + i % width][node]
        })
    }

    fn sent(&self, Item { from, word, .. }: Item) -> usize {
        from.index() * self.words + word as usize
    }

    fn received(&self, Item { to, word, .. }: Item) -> Option<usize> {
        Some(to.index() * self.words + word as usize)
    }

    fn describe(&self, index: usize, label: &dyn Fn(usize, usize) -> String) -> (String, String) {
        let node = index / self.words % (self.nodes * self.networks);
        (label(node / self.nodes, node % self.nodes), format!("word {}", index % self.words))
    }

    fn operator(&self) -> Option<Operator> {
        self.kind.operator()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_what_numpy_makes_of_them() {
        let of = |kind, words: Vec<u8>| Exchange::new(kind, 3, 2).expected(&Words::U8(words));
        let x = vec![200, 1, 100, 9, 7, 4];
        let [sum, min] = [Operator::Sum, Operator::Min];
        assert_eq!(of(ExchangeKind::AllReduce(sum), x.clone()), Words::U8(vec![51, 14, 51, 14, 51, 14]));
        assert_eq!(of(ExchangeKind::PrefixScan(sum), x.clone()), Words::U8(vec![200, 1, 44, 10, 51, 14]));
        assert_eq!(of(ExchangeKind::PrefixScan(min), x.clone()), Words::U8(vec![200, 1, 100, 1, 7, 1]));
        assert_eq!(of(ExchangeKind::AllReduce(Operator::Max), x.clone()), Words::U8(vec![200, 9, 200, 9, 200, 9]));
        assert_eq!(
            of(ExchangeKind::AllReduce(Operator::Xor), vec![1, 0, 2, 3, 7, 1]),
            Words::U8(vec![4, 2, 4, 2, 4, 2])
        );
        assert_eq!(of(ExchangeKind::Sort, x), Words::U8(vec![7, 1, 100, 4, 200, 9]));
    }
}
