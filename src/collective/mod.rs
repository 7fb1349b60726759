//! Collectives: messages between nodes, the shape of their data, and the result by definition.
//!
//! A collective is one file here. It defines the shape of the user's array, and computes the result from the definition
//! of the collective alone: no topology, no schedule, no routing rule.

pub mod all_to_all;
pub mod broadcast;
pub mod demand;
mod error;
pub mod exchange;
pub mod general;
pub mod keys;
mod npy;
pub mod numbers;
mod operator;
pub mod pattern;
pub mod pops;
pub mod product;
mod products;
pub mod specified;
mod words;

pub use all_to_all::AllToAll;
pub use broadcast::Broadcast;
pub use error::DataError;
pub use exchange::{Exchange, ExchangeKind};
pub use operator::Operator;
pub use pattern::Pattern;
pub use product::{Operands, Product, ProductKind};
pub use products::{Elements, Products};
pub use words::{Dtype, Words};

use crate::hash::split_mix_64;
use crate::id::NodeId;
use std::path::Path;

/// A word on its way in a pass of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Item {
    /// Index of the program's value.
    pub value: u32,
    /// Node that has the word.
    pub from: NodeId,
    /// Node that keeps it, or makes it of others.
    pub to: NodeId,
    /// Number of the word among those of the node.
    pub word: u32,
    /// Number of the pass.
    pub pass: u32,
}

/// Data of a collective: input and output arrays, and the index of each word of a program in them.
pub trait Collective {
    /// Shape of the input array and the meaning of its axes, such as `[sender][receiver]`.
    fn shape(&self) -> (Vec<usize>, String);

    /// Result by definition (the oracle): output words for the input `words`.
    fn expected(&self, words: &Words) -> Words;

    /// Reads the words from an .npy file, of at most `payload_bits` each.
    ///
    /// # Errors
    /// If the file cannot be read, is damaged, or has the wrong shape or element type.
    fn read(&self, path: &Path, payload_bits: u32) -> Result<Words, DataError> {
        let (shape, meaning) = self.shape();
        npy::read(path, &shape, &meaning, |dtype| match dtype.bits() > payload_bits {
            true => Err(DataError::TooWide { path: path.to_owned(), dtype, payload_bits }),
            false => Ok(shape.iter().product()),
        })
    }

    /// Random words: word i is the i-th of the SplitMix64 sequence of `seed`, cut to the type's width.
    ///
    /// # Errors
    /// [`DataError::TooLarge`] above 4 GiB, where the collective has a limit.
    fn random(&self, dtype: Dtype, seed: u64) -> Result<Words, DataError> {
        Ok(Words::from_fn(dtype, self.shape().0.iter().product(), |i| split_mix_64(seed, i as u64)))
    }

    /// Output words as an .npy file. The shape is that of the input, unless the collective defines another.
    fn to_npy(&self, results: &Words) -> Vec<u8> {
        npy::to_bytes(&self.shape().0, results)
    }

    /// Random words that fill a payload, as a trial of hardware takes them; [`Collective::random`] of a type as wide.
    fn filling(&self, payload_bits: u32, seed: u64) -> Words {
        let dtype = Dtype::filling(payload_bits).unwrap_or(Dtype::Uint8);
        self.random(dtype, seed).unwrap_or(Words::U8(Vec::new()))
    }

    /// Number of output words.
    fn result_len(&self) -> usize {
        self.shape().0.iter().product()
    }

    /// Output words after `collectives` collectives, each on the results of the one before.
    fn expected_after(&self, collectives: u64, words: &Words) -> Words {
        let mut given = words.clone();
        for _ in 0..collectives {
            let results = self.expected(&given);
            if results == given {
                break;
            }
            given = results;
        }
        given
    }

    /// Node that has word `index` of the result, and a description of the word; `label` names a node of a network.
    fn describe(&self, index: usize, _label: &dyn Fn(usize, usize) -> String) -> (String, String) {
        ("the network".into(), format!("word {index} of the result"))
    }

    /// Passes of the program.
    fn passes(&self) -> u32 {
        1
    }

    /// Place of a word among those that go in.
    fn sent(&self, item: Item) -> usize;

    /// Index of a word in the output array, at the node `item.to`; none of a word that is not part of the result.
    fn received(&self, item: Item) -> Option<usize>;

    /// Element `index` of a second operand among the words that go in, by which products multiply; 0 without one.
    fn factor(&self, _words: &Words, _index: u32) -> u64 {
        0
    }

    /// Word of the output array of a word that the program has made or moved.
    fn kept(&self, word: u64) -> u64 {
        word
    }

    /// Places, in and out, of words that are where they belong from the beginning.
    fn at_home(&self) -> Vec<(usize, usize)> {
        Vec::new()
    }

    /// The operator by which words are combined, if they are.
    fn operator(&self) -> Option<Operator> {
        None
    }
}

/// Words as an .npy file of this shape, in C order, little endian.
pub fn array(shape: &[usize], words: &Words) -> Vec<u8> {
    npy::to_bytes(shape, words)
}
