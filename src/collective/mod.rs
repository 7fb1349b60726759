//! Collectives: who owes what to whom, what the data mean, and what must come out.
//!
//! A collective is one file here. It says which shape the user's array has, and computes the result on its own, from
//! the definition of the collective and nothing else: no topology, no schedule, no routing rule.

pub mod all_to_all;
pub mod broadcast;
pub mod delivery;
pub mod exchange;
pub mod ledger;
mod npy;
pub mod numbers;
pub mod pattern;
pub mod product;
mod products;
pub mod relation;
pub mod traffic;
mod words;

pub use all_to_all::{AllToAll, Data};
pub use broadcast::Broadcast;
pub use delivery::Delivery;
pub use exchange::{Exchange, ExchangeKind};
pub use ledger::{Figures, Heard, Ledger, Loss};
pub use pattern::Pattern;
pub use product::{Operands, Product, ProductKind};
pub use products::Products;
pub use relation::{Goal, Packet, Relation};
pub use traffic::{Arrival, Generator, Traffic};
pub use words::{Dtype, Words};

use crate::id::NodeId;
use crate::spec::Operator;
use std::io;
use std::path::{Path, PathBuf};

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

/// Data of a collective: the arrays that go in and come out, and where each word of a program stands in them.
pub trait Collective {
    /// Shape of the array that goes in, and what its axes are: `[sender][receiver]`.
    fn shape(&self) -> (Vec<usize>, String);

    /// The oracle: the words that come out if these go in, by the definition of the collective alone.
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
    /// [`DataError::TooLarge`] above 4 GiB.
    fn random(&self, dtype: Dtype, seed: u64) -> Result<Words, DataError> {
        Ok(Words::from_fn(dtype, self.shape().0.iter().product(), |i| split_mix_64(seed, i as u64)))
    }

    /// Words that come out, as an .npy file; of the shape of what goes in, unless it says otherwise.
    fn to_npy(&self, results: &Words) -> Vec<u8> {
        npy::to_bytes(&self.shape().0, results)
    }

    /// Random words that fill a payload, as a trial of hardware takes them; [`Collective::random`] of a type as wide.
    fn filling(&self, payload_bits: u32, seed: u64) -> Words {
        let dtype = Dtype::filling(payload_bits).unwrap_or(Dtype::Uint8);
        self.random(dtype, seed).unwrap_or(Words::U8(Vec::new()))
    }

    /// Number of words that come out.
    fn result_len(&self) -> usize {
        self.shape().0.iter().product()
    }

    /// Words that come out of so many collectives, each with the results of the one before.
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
    fn describe(&self, index: usize, label: &dyn Fn(usize, usize) -> String) -> (String, String);

    /// Passes of the program.
    fn passes(&self) -> u32 {
        1
    }

    /// Place of a word among those that go in.
    fn sent(&self, item: Item) -> usize;

    /// Place of a word among those that come out, at the node `item.to`.
    fn received(&self, item: Item) -> usize;

    /// Places, in and out, of words that are where they belong from the beginning.
    fn at_home(&self) -> Vec<(usize, usize)> {
        Vec::new()
    }

    /// The operator by which words are combined, if they are.
    fn operator(&self) -> Option<Operator> {
        None
    }
}

/// Word `index` of the SplitMix64 sequence (Steele, Lea and Flood, "Fast splittable pseudorandom number generators").
fn split_mix_64(seed: u64, index: u64) -> u64 {
    let mut z = seed.wrapping_add(index.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Why an array cannot be sent.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DataError {
    /// The file cannot be read.
    #[error("cannot read `{path}`: {source}")]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The file is not an .npy file.
    #[error("`{path}` is not an .npy file: {reason}")]
    NotNpy {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The array's elements are no words.
    #[error("`{path}` holds {found} (dtype {descr}), and a packet carries an unsigned word{because}")]
    NotWords {
        /// The file.
        path: PathBuf,
        /// What the elements are.
        found: &'static str,
        /// The dtype as the file has it.
        descr: String,
        /// A consequence, with its punctuation, or nothing.
        because: &'static str,
        /// What to do.
        help: &'static str,
    },
    /// The array's elements are no integers.
    #[error(
        "`{path}` holds elements of dtype {descr}, and products are of integers: sums of fractions would depend on their order"
    )]
    NotIntegers {
        /// The file.
        path: PathBuf,
        /// The dtype as the file has it.
        descr: String,
    },
    /// An integer that an element cannot hold.
    #[error("`{path}` holds {value}, which is no {} integer of {bits} bits", if *signed { "signed" } else { "unsigned" })]
    OutOfRange {
        /// The file.
        path: PathBuf,
        /// The first such integer.
        value: i128,
        /// Width of an element.
        bits: u32,
        /// Whether elements are signed.
        signed: bool,
    },
    /// The array's words are wider than a packet's.
    #[error("`{path}` holds {dtype} words, and packets carry {payload_bits} bits")]
    TooWide {
        /// The file.
        path: PathBuf,
        /// The array's element type.
        dtype: Dtype,
        /// The width of a packet.
        payload_bits: u32,
    },
    /// The array has another shape than the collective.
    #[error("`{path}` has shape {found}, and this collective needs {expected}: {meaning}")]
    Shape {
        /// The file.
        path: PathBuf,
        /// Its shape.
        found: String,
        /// The shape of the collective.
        expected: String,
        /// What each axis of the expected shape is.
        meaning: String,
    },
    /// The file ends before its array does, or goes on after it.
    #[error("`{path}` {reason}")]
    Length {
        /// The file.
        path: PathBuf,
        /// In which way.
        reason: String,
    },
    /// The collective moves more data than can be held.
    #[error("an all-to-all of {nodes} nodes, {words} words a message, {repeat} times moves more than 4 GiB of data")]
    TooLarge {
        /// Number of nodes.
        nodes: u32,
        /// Words a message.
        words: u32,
        /// Number of repetitions.
        repeat: u32,
    },
}

impl DataError {
    /// What to do.
    pub fn help(&self) -> String {
        match self {
            DataError::Read { .. } => "check the file's name and that it may be read".into(),
            DataError::NotNpy { .. } => "write it with `numpy.save`".into(),
            DataError::NotWords { help, .. } => (*help).into(),
            DataError::NotIntegers { .. } => {
                "scale and round the array, and convert it with `.astype(numpy.int32)` or another width".into()
            }
            DataError::OutOfRange { signed: false, value, .. } if *value < 0 => {
                "set `signed = true` in `[collective]`".into()
            }
            DataError::OutOfRange { .. } => "set a larger `payload_bits` in `[router]`".into(),
            DataError::TooWide { dtype, .. } => {
                format!("set `payload_bits = {}` in `[router]`, or convert the array with `.astype`", dtype.bits())
            }
            DataError::Shape { .. } => "reshape the array, or change the sizes in `[collective]`".into(),
            DataError::Length { .. } => "write the file again with `numpy.save`".into(),
            DataError::TooLarge { .. } => "take a smaller network, or less of `words` and `repeat`".into(),
        }
    }
}
