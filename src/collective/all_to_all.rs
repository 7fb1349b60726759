//! All-to-all: every node has a message for every node, itself included.
//!
//! The data are one array. `X[i][j]` is what node i sends to node j, and `out[j][i]` = `X[i][j]` is what node j has received
//! from node i: the collective transposes the two node axes. Messages of several words have them on a last axis, and
//! repeated collectives follow each other along a first one; an axis is left out where its size is 1. Nodes are numbered
//! as the topology does.

use super::words::with_words;
use super::{Collective, DataError, Dtype, Item, Words, npy};
use crate::hash::split_mix_64;
use ndarray::ArrayView4;
use std::path::Path;

/// The most bytes that a collective may move.
const MAX_BYTES: u64 = 4 << 30;

/// The traffic of an all-to-all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AllToAll {
    nodes: u32,
    words: u32,
    repeat: u32,
    networks: u32,
}

impl AllToAll {
    /// An all-to-all of `nodes` nodes with `words` words a message, `repeat` times.
    pub fn new(nodes: u32, words: u32, repeat: u32) -> Self {
        Self { nodes, words, repeat, networks: 1 }
    }

    /// All-to-all of this form in each of `networks` networks at once. Each repetition has one array a network, one
    /// after the other.
    pub fn in_networks(self, networks: u32) -> Self {
        Self { repeat: self.repeat * networks, networks, ..self }
    }

    /// Number of nodes.
    pub fn nodes(&self) -> u32 {
        self.nodes
    }

    /// Words a message.
    pub fn words(&self) -> u32 {
        self.words
    }

    /// Number of collectives back to back.
    pub fn repeat(&self) -> u32 {
        self.repeat
    }

    /// The axes of the array and their sizes; axes of size 1 other than the node axes are left out.
    fn axes(&self) -> impl Iterator<Item = (&'static str, u32)> {
        let axes =
            [("repetition", self.repeat), ("sender", self.nodes), ("receiver", self.nodes), ("word", self.words)];
        let is_node = |name| name == "sender" || name == "receiver";
        axes.into_iter().filter(move |(name, size)| is_node(*name) || *size > 1)
    }

    /// Index of word `word` of the message from `sender` to `receiver` in the data of repetition `repetition`.
    pub fn index(&self, repetition: u32, sender: u32, receiver: u32, word: u32) -> usize {
        let [n, w] = [self.nodes as usize, self.words as usize];
        ((repetition as usize * n + sender as usize) * n + receiver as usize) * w + word as usize
    }

    /// Number of words of all messages.
    ///
    /// # Errors
    /// [`DataError::TooLarge`] above 4 GiB.
    fn len(&self, dtype: Dtype) -> Result<usize, DataError> {
        let factors = [self.nodes, self.words, self.repeat, dtype.bits() / 8];
        let bytes = factors.into_iter().try_fold(u64::from(self.nodes), |product, f| product.checked_mul(f.into()));
        match bytes
            .filter(|bytes| *bytes <= MAX_BYTES)
            .map(|bytes| usize::try_from(bytes / u64::from(dtype.bits() / 8)))
        {
            Some(Ok(len)) => Ok(len),
            _ => Err(DataError::TooLarge { nodes: self.nodes, words: self.words, repeat: self.repeat }),
        }
    }
}

impl Collective for AllToAll {
    fn shape(&self) -> (Vec<usize>, String) {
        (
            self.axes().map(|(_, size)| size as usize).collect(),
            self.axes().map(|(name, _)| format!("[{name}]")).collect(),
        )
    }

    fn read(&self, path: &Path, payload_bits: u32) -> Result<Words, DataError> {
        let (shape, meaning) = self.shape();
        npy::read(path, &shape, &meaning, |dtype| match dtype.bits() > payload_bits {
            true => Err(DataError::TooWide { path: path.to_owned(), dtype, payload_bits }),
            false => self.len(dtype),
        })
    }

    fn random(&self, dtype: Dtype, seed: u64) -> Result<Words, DataError> {
        Ok(Words::from_fn(dtype, self.len(dtype)?, |i| split_mix_64(seed, i as u64)))
    }

    /// The two node axes exchanged: `out[j][i] = x[i][j]`.
    fn expected(&self, words: &Words) -> Words {
        let shape = [self.repeat, self.nodes, self.nodes, self.words].map(|size| size as usize);
        with_words!(words, v => map {
            let view = ArrayView4::from_shape(shape, v).expect("words of all messages"); // `read` and `random` make them so
            let turned = view.permuted_axes([0, 2, 1, 3]);
            turned.as_standard_layout().into_owned().into_raw_vec_and_offset().0
        })
    }

    fn describe(&self, index: usize, label: &dyn Fn(usize, usize) -> String) -> (String, String) {
        let [words, nodes, networks] = [self.words, self.nodes, self.networks].map(|count| count as usize);
        let set = index / words / nodes / nodes;
        let [sender, receiver] = [index / words, index / words / nodes].map(|i| label(set % networks, i % nodes));
        (receiver, format!("word {} from {sender}, repetition {}", index % words, set / networks))
    }

    fn passes(&self) -> u32 {
        self.words * self.repeat
    }

    fn sent(&self, Item { from, to, pass, .. }: Item) -> usize {
        self.index(pass / self.words, from.get(), to.get(), pass % self.words)
    }

    fn received(&self, Item { from, to, pass, .. }: Item) -> Option<usize> {
        Some(self.index(pass / self.words, to.get(), from.get(), pass % self.words))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oracle_swaps_sender_and_receiver() {
        for (nodes, words, repeat) in [(1, 1, 1), (3, 1, 1), (4, 3, 1), (3, 1, 4), (5, 2, 3)] {
            let traffic = AllToAll::new(nodes, words, repeat);
            let sent = traffic.random(Dtype::Uint16, 7).unwrap();
            let received = traffic.expected(&sent);
            for (r, i, j, w) in (0..repeat).flat_map(|r| {
                (0..nodes).flat_map(move |i| (0..nodes).flat_map(move |j| (0..words).map(move |w| (r, i, j, w))))
            }) {
                let [from, to] = [traffic.index(r, i, j, w), traffic.index(r, j, i, w)];
                assert_eq!(received.get(to), sent.get(from));
            }
            assert_eq!(traffic.expected(&received), sent);
        }
    }

    #[test]
    fn axes_of_size_one_are_left_out() {
        assert_eq!(AllToAll::new(1, 1, 1).shape().0, [1, 1]);
        assert_eq!(AllToAll::new(4, 2, 1).shape().0, [4, 4, 2]);
        assert_eq!(AllToAll::new(4, 1, 3).shape().1, "[repetition][sender][receiver]");
    }

    #[test]
    fn random_data_depend_on_the_seed_alone() {
        let traffic = AllToAll::new(9, 1, 1);
        let [a, b, c] = [3, 3, 4].map(|seed| traffic.random(Dtype::Uint8, seed).unwrap());
        assert_eq!(a, b);
        assert_ne!(a, c);
    }

    #[test]
    fn data_have_a_limit() {
        let huge = AllToAll::new(1 << 20, 65536, 65536).random(Dtype::Uint64, 0);
        assert!(matches!(huge, Err(DataError::TooLarge { .. })));
    }
}
