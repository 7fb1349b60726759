//! Arrays of the program that is read back from tables, whose values are words by their index in the user's array.

use super::read_back::ReadTables;
use crate::collective::{Collective, Item, Words};
use crate::id::NodeId;
use crate::spec::Operator;
use std::collections::HashMap;

/// Indices of input and output words: a collective without data.
#[derive(Debug, Clone, Default)]
pub struct IndexArrays {
    /// Index in the result, by value and node.
    received: HashMap<(u32, NodeId), usize>,
}

impl IndexArrays {
    pub(super) fn new(read: &ReadTables) -> Self {
        let received = read.results.iter().map(|&(node, index, value, _)| ((value, node), index as usize)).collect();
        Self { received }
    }

    /// Collective with these index arrays and the data of `collective`.
    pub(super) fn of<'a>(&'a self, collective: &'a dyn Collective) -> impl Collective + 'a {
        Indexed { arrays: self, collective }
    }
}

impl Collective for IndexArrays {
    fn shape(&self) -> (Vec<usize>, String) {
        (Vec::new(), String::new())
    }

    fn expected(&self, words: &Words) -> Words {
        words.clone()
    }

    fn sent(&self, item: Item) -> usize {
        item.word as usize
    }

    fn received(&self, item: Item) -> Option<usize> {
        self.received.get(&(item.value, item.to)).copied()
    }
}

/// A collective whose items are those of a program that was read back.
struct Indexed<'a> {
    arrays: &'a IndexArrays,
    collective: &'a dyn Collective,
}

impl Collective for Indexed<'_> {
    fn shape(&self) -> (Vec<usize>, String) {
        self.collective.shape()
    }

    fn expected(&self, words: &Words) -> Words {
        self.collective.expected(words)
    }

    fn sent(&self, item: Item) -> usize {
        self.arrays.sent(item)
    }

    fn received(&self, item: Item) -> Option<usize> {
        self.arrays.received(item)
    }

    fn at_home(&self) -> Vec<(usize, usize)> {
        self.collective.at_home()
    }

    fn operator(&self) -> Option<Operator> {
        self.collective.operator()
    }
}
