//! Arrays of collectives that one program runs one after the other.

use super::ChunkArrays;
use crate::collective::Operator;
use crate::collective::{Collective, DataError, Dtype, Item, Words, array, npy};
use crate::hash::split_mix_64;
use std::path::Path;

/// Collective of the sequence, with offsets from those before it.
#[derive(Debug, Clone)]
struct Part {
    arrays: ChunkArrays,
    /// Index of its first value in the program.
    value: u32,
    /// Index of its first word in the input array.
    given: usize,
    /// Index of its first word in the output array.
    result: usize,
}

/// Data of collectives that one program runs one after the other, each with words of its own.
///
/// The input array has all words of the first collective, in the order of its array, then all words of the second, and
/// so on. The output array has the same order. x\[16\]\[16\] of an all-to-all among 16 nodes, then x\[16\] of an
/// all-reduce, are 272 words.
#[derive(Debug, Clone)]
pub struct SequenceArrays {
    parts: Vec<Part>,
    given: usize,
    results: usize,
}

impl SequenceArrays {
    /// Data of collectives, each with the index of its first value in the program, in the order of these.
    pub fn new(all: impl IntoIterator<Item = (ChunkArrays, u32)>) -> Self {
        let (mut parts, mut given, mut result) = (Vec::new(), 0, 0);
        for (arrays, value) in all {
            let (words, results) = (arrays.shape().0.iter().product::<usize>(), arrays.result_len());
            parts.push(Part { arrays, value, given, result });
            given += words;
            result += results;
        }
        Self { parts, given, results: result }
    }

    /// The collective of an item, and the item as that collective knows it.
    fn of(&self, item: Item) -> Option<(&Part, Item)> {
        let part = self.parts[..self.parts.partition_point(|part| part.value <= item.value)].last()?;
        Some((part, Item { value: item.value - part.value, ..item }))
    }

    /// The words of a collective among those that go in.
    fn words(&self, index: usize, words: &Words) -> Words {
        let from = self.parts[index].given;
        let end = self.parts.get(index + 1).map_or(self.given, |next| next.given);
        Words::from_fn(words.dtype(), end - from, |i| words.get(from + i))
    }
}

impl Collective for SequenceArrays {
    fn shape(&self) -> (Vec<usize>, String) {
        (vec![self.given], "[word of the first collective, then of the next]".to_owned())
    }

    /// Words of an .npy file, as in [`Collective::read`]. If some are combined, words are widened to the width of a
    /// packet, so that sums are modulo 2^width.
    fn read(&self, path: &Path, payload_bits: u32) -> Result<Words, DataError> {
        let (shape, meaning) = self.shape();
        let words = npy::read(path, &shape, &meaning, |dtype| match dtype.bits() > payload_bits {
            true => Err(DataError::TooWide { path: path.to_owned(), dtype, payload_bits }),
            false => Ok(self.given),
        })?;
        let wide = self.operator().and_then(|_| Dtype::filling(payload_bits)).unwrap_or(words.dtype());
        Ok(Words::from_fn(wide, words.len(), |i| words.get(i)))
    }

    fn random(&self, dtype: Dtype, seed: u64) -> Result<Words, DataError> {
        for part in &self.parts {
            part.arrays.random(dtype, seed)?;
        }
        Ok(Words::from_fn(dtype, self.given, |i| split_mix_64(seed, i as u64)))
    }

    fn expected(&self, words: &Words) -> Words {
        let each = self.parts.iter().enumerate().map(|(index, part)| part.arrays.expected(&self.words(index, words)));
        let all: Vec<u64> = each.flat_map(|results| results.to_vec()).collect();
        Words::from_fn(words.dtype(), all.len(), |i| all[i])
    }

    fn to_npy(&self, results: &Words) -> Vec<u8> {
        array(&[self.results], results)
    }

    fn result_len(&self) -> usize {
        self.results
    }

    fn describe(&self, index: usize, label: &dyn Fn(usize, usize) -> String) -> (String, String) {
        let number = self.parts.partition_point(|part| part.result <= index);
        let Some(part) = number.checked_sub(1).map(|last| &self.parts[last]) else {
            return ("the network".into(), format!("word {index} of the result"));
        };
        let (at, what) = part.arrays.describe(index - part.result, label);
        (at, format!("{what}, collective {number}"))
    }

    fn sent(&self, item: Item) -> usize {
        self.of(item).map_or(0, |(part, item)| part.given + part.arrays.sent(item))
    }

    fn received(&self, item: Item) -> Option<usize> {
        let (part, item) = self.of(item)?;
        Some(part.result + part.arrays.received(item)?)
    }

    fn at_home(&self) -> Vec<(usize, usize)> {
        let of = |part: &Part| {
            let (given, result) = (part.given, part.result);
            part.arrays.at_home().into_iter().map(move |(from, to)| (given + from, result + to))
        };
        self.parts.iter().flat_map(of).collect()
    }

    /// The operator of the program's combinations: the sum, if there is one. Other operators are operations of their own.
    fn operator(&self) -> Option<Operator> {
        let all = || self.parts.iter().filter_map(|part| part.arrays.operator());
        all().find(|&operator| operator == Operator::Sum).or_else(|| all().next())
    }
}
