//! Collectives among the endpoints of any network: chunks for schedulers, arrays for users, and the result by definition. A file per kind.
//!
//! Arrays are made of blocks of `words` words. n is the number of endpoints, which are numbered from 0 in the order of nodes: nodes that
//! are left out of a network have no number. An axis of size 1 is left out if it is that of words or of repetitions, and not the only one;
//! repetitions are the first axis.
//!
//! | kind | in | out | out is |
//! |---|---|---|---|
//! | all-to-all | x\[n\]\[n\]\[words\] | y\[n\]\[n\]\[words\] | y\[j\]\[i\] = x\[i\]\[j\] |
//! | all-gather | x\[n\]\[words\] | y\[n\]\[n\]\[words\] | y\[j\]\[i\] = x\[i\] |
//! | broadcast | x\[count\] | y\[n\]\[count\] | y\[j\] = x |
//! | scatter, gather | x\[n\]\[words\] | y\[n\]\[words\] | y\[i\] = x\[i\]; all of x, or of y, is the root's |
//! | reduce | x\[n\]\[words\] | y\[words\] | y = x\[0\] + … + x\[n-1\], at the root |
//! | reduce-scatter | x\[n\]\[n\]\[words\] | y\[n\]\[words\] | y\[k\] = x\[0\]\[k\] + … + x\[n-1\]\[k\] |
//! | all-reduce | x\[n\]\[words\] | y\[n\]\[words\] | y\[j\] = x\[0\] + … + x\[n-1\] |
//! | permutation | x\[n\]\[words\] | y\[n\]\[words\] | y\[π(i)\] = x\[i\] |
//! | h-relation | x\[packets\]\[words\] | y\[packets\]\[words\] | packets as listed; then by destination, those of one as listed |
//!
//! + stands for the operator: sum, min, max or exclusive or.
//!
//! # Adding a kind
//! Write a file with a type that is a [`Rule`], and a [`Kind`] with its line in [`KINDS`] if a specification is to name it.

mod all_gather;
mod all_reduce;
mod all_to_all;
mod arrays;
mod broadcast;
mod definition;
mod gather;
mod keys;
pub mod kind;
pub mod names;
mod packets;
mod reduce;
mod reduce_scatter;
pub mod registry;
mod scatter;
mod sequence;
mod specified;

pub use all_gather::AllGather;
pub use all_reduce::AllReduce;
pub use all_to_all::AllToAll;
pub use arrays::ChunkArrays;
pub use broadcast::Broadcast;
pub use definition::{Definition, DefinitionError};
pub use gather::Gather;
pub use keys::{BlockSpec, Keys, MAX_COUNT, MAX_WORDS};
pub use kind::{Kind, Part};
pub use packets::{HRelation, Permutation};
pub use reduce::Reduce;
pub use reduce_scatter::ReduceScatter;
pub use registry::KINDS;
pub use scatter::Scatter;
pub use sequence::SequenceArrays;
pub use specified::{GeneralCollective, MAX_SEQUENCE, SequenceSpec, of};

use crate::collective::Operator;
use serde_json::{Map, Value};
use std::fmt;

/// Axis of an array of blocks: name and size.
pub type Axis = (&'static str, usize);

/// Block of words at an endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// Number of the endpoint.
    pub endpoint: u32,
    /// Index of the block in the array.
    pub block: usize,
}

/// Block of words that travels: input blocks, and output blocks. Several input blocks are combined by the operator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Element {
    /// Blocks that go in, one of each endpoint that has one.
    pub from: Vec<Place>,
    /// Output blocks, one at each endpoint that wants one.
    pub to: Vec<Place>,
}

/// Kind of collective among `n` endpoints. [`Rule::elements`] gives the destinations of blocks, for schedulers.
/// [`Rule::sources`] gives the inputs of a block of the result, for the oracle. Both are written from the definition
/// alone, independently.
pub trait Rule: fmt::Debug {
    /// Name in a specification.
    fn kind(&self) -> &'static str;

    /// Axes of the input array, without the axis of words.
    fn given(&self, n: usize) -> Vec<Axis>;

    /// Axes of the output array, without the axis of words.
    fn results(&self, n: usize) -> Vec<Axis>;

    /// Blocks that go to endpoints, those of an endpoint to itself included.
    fn elements(&self, n: usize) -> Vec<Element>;

    /// Indices of the input blocks of which an output block is made.
    fn sources(&self, n: usize, block: usize) -> Vec<usize>;

    /// Operator that combines blocks.
    fn operator(&self) -> Option<Operator> {
        None
    }

    /// Endpoint that is the root.
    fn root(&self) -> Option<u32> {
        None
    }

    /// Part of the exchange form to which a word of an element belongs, if an operator combines it.
    fn part(&self, _element: u32, word: u32) -> u32 {
        word
    }

    /// Keys of the exchange form's `collective` beside `kind`, of blocks of `words` words; None if the form has one word a block alone.
    fn keys(&self, words: u32) -> Option<Map<String, Value>>;
}

/// Places with one block an endpoint, in its order.
fn each(n: usize) -> Vec<Place> {
    (0..n).map(|i| place(i, i)).collect()
}

fn place(endpoint: usize, block: usize) -> Place {
    Place { endpoint: endpoint as u32, block }
}

/// Element of one block that goes to one endpoint.
fn one(from: Place, to: Place) -> Element {
    Element { from: vec![from], to: vec![to] }
}

/// Keys without values, if a block has one word.
fn keys_of_one_word(words: u32) -> Option<Map<String, Value>> {
    (words == 1).then(Map::new)
}

/// The key `root`.
fn with_root(mut keys: Map<String, Value>, root: u32) -> Map<String, Value> {
    keys.insert("root".into(), root.into());
    keys
}

/// The key `op`.
fn with_operator(operator: Operator) -> Map<String, Value> {
    Map::from_iter([("op".to_owned(), operator.name().into())])
}
