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

    /// The shape of the array.
    pub fn shape(&self) -> Vec<usize> {
        self.axes().map(|(_, size)| size as usize).collect()
    }

    /// Meaning of the axes of [`Self::shape`]: `[sender][receiver]`.
    pub fn meaning(&self) -> String {
        self.axes().map(|(name, _)| format!("[{name}]")).collect()
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

    /// Reads the data from an .npy file: unsigned integers of at most `payload_bits`, in C or Fortran order, of either
    /// byte order.
    ///
    /// # Errors
    /// If the file cannot be read, is damaged, or has the wrong shape or element type.
    pub fn read(&self, path: &Path, payload_bits: u32) -> Result<Data, DataError> {
        let words = npy::read(path, &self.shape(), &self.meaning(), |dtype| {
            if dtype.bits() > payload_bits {
                return Err(DataError::TooWide { path: path.to_owned(), dtype, payload_bits });
            }
            self.len(dtype)
        })?;
        Ok(Data { traffic: *self, words })
    }

    /// Random data: word i is the i-th of the SplitMix64 sequence of `seed`, cut to the type's width.
    ///
    /// # Errors
    /// [`DataError::TooLarge`] above 4 GiB.
    pub fn random(&self, dtype: Dtype, seed: u64) -> Result<Data, DataError> {
        let words = Words::from_fn(dtype, self.len(dtype)?, |i| split_mix_64(seed, i as u64));
        Ok(Data { traffic: *self, words })
    }
}

impl Collective for AllToAll {
    fn shape(&self) -> (Vec<usize>, String) {
        (AllToAll::shape(self), self.meaning())
    }

    fn read(&self, path: &Path, payload_bits: u32) -> Result<Words, DataError> {
        AllToAll::read(self, path, payload_bits).map(|data| data.words)
    }

    fn random(&self, dtype: Dtype, seed: u64) -> Result<Words, DataError> {
        AllToAll::random(self, dtype, seed).map(|data| data.words)
    }

    fn expected(&self, words: &Words) -> Words {
        Data { traffic: *self, words: words.clone() }.expected().words
    }

    fn to_npy(&self, results: &Words) -> Vec<u8> {
        Data { traffic: *self, words: results.clone() }.to_npy()
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

    fn received(&self, Item { from, to, pass, .. }: Item) -> usize {
        self.index(pass / self.words, to.get(), from.get(), pass % self.words)
    }
}

/// The data of an all-to-all, in C order of `[repetition][sender][receiver][word]` before the collective and
/// `[repetition][receiver][sender][word]` after it: what one node sends, or has received, is contiguous.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Data {
    traffic: AllToAll,
    words: Words,
}

impl Data {
    /// Data from words in the order of [`Data`]; None if their number is not that of the traffic.
    pub fn new(traffic: AllToAll, words: Words) -> Option<Self> {
        (traffic.len(words.dtype()).ok()? == words.len()).then_some(Self { traffic, words })
    }

    /// The traffic that the data belong to.
    pub fn traffic(&self) -> AllToAll {
        self.traffic
    }

    /// All words, in the order of [`Data`].
    pub fn words(&self) -> &Words {
        &self.words
    }

    /// Result by definition (the oracle): the two node axes exchanged, `out[j][i] = x[i][j]`. It uses no topology and
    /// no schedule.
    pub fn expected(&self) -> Self {
        let AllToAll { nodes, words, repeat, .. } = self.traffic;
        let shape = [repeat, nodes, nodes, words].map(|size| size as usize);
        let transposed = with_words!(&self.words, v => map {
            let view = ArrayView4::from_shape(shape, v).expect("data have the size of their traffic"); // Data keeps it so
            let turned = view.permuted_axes([0, 2, 1, 3]);
            turned.as_standard_layout().into_owned().into_raw_vec_and_offset().0
        });
        Self { traffic: self.traffic, words: transposed }
    }

    /// The data as an .npy file of the traffic's shape, in C order, little endian.
    pub fn to_npy(&self) -> Vec<u8> {
        npy::to_bytes(&self.traffic.shape(), &self.words)
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
            let received = sent.expected();
            for (r, i, j, w) in (0..repeat).flat_map(|r| {
                (0..nodes).flat_map(move |i| (0..nodes).flat_map(move |j| (0..words).map(move |w| (r, i, j, w))))
            }) {
                let [from, to] = [traffic.index(r, i, j, w), traffic.index(r, j, i, w)];
                assert_eq!(received.words().get(to), sent.words().get(from));
            }
            assert_eq!(received.expected(), sent);
        }
    }

    #[test]
    fn axes_of_size_one_are_left_out() {
        assert_eq!(AllToAll::new(1, 1, 1).shape(), [1, 1]);
        assert_eq!(AllToAll::new(4, 2, 1).shape(), [4, 4, 2]);
        assert_eq!(AllToAll::new(4, 1, 3).meaning(), "[repetition][sender][receiver]");
    }

    #[test]
    fn random_data_depend_on_the_seed_alone() {
        let traffic = AllToAll::new(9, 1, 1);
        let [a, b, c] = [3, 3, 4].map(|seed| traffic.random(Dtype::Uint8, seed).unwrap());
        assert_eq!(a, b);
        assert_ne!(a, c);
    }

    #[test]
    fn data_have_the_size_of_their_traffic() {
        assert!(Data::new(AllToAll::new(2, 1, 1), Words::U8(vec![0; 4])).is_some());
        assert!(Data::new(AllToAll::new(2, 1, 1), Words::U8(vec![0; 5])).is_none());
        let huge = AllToAll::new(1 << 20, 65536, 65536).random(Dtype::Uint64, 0);
        assert!(matches!(huge, Err(DataError::TooLarge { .. })));
    }
}
