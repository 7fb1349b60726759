//! Scatter: the root sends a block of its own to each endpoint.

use super::kind::{Kind, Part};
use super::{Axis, Element, Rule, keys_of_one_word, one, place, with_root};
use serde_json::{Map, Value};
use std::rc::Rc;

/// Scatter in a specification.
pub const KIND: Kind = Kind::new(["scatter", "One node sends a block of its own to each"], &[Part::Root], |keys, _| {
    Ok(Rc::new(Scatter { root: keys.root }))
});

/// y\[i\] = x\[i\]; all of x is the root's.
#[derive(Debug, Clone, Copy)]
pub struct Scatter {
    /// Endpoint that has all blocks.
    pub root: u32,
}

impl Rule for Scatter {
    fn kind(&self) -> &'static str {
        "scatter"
    }

    fn given(&self, n: usize) -> Vec<Axis> {
        vec![("receiver", n)]
    }

    fn results(&self, n: usize) -> Vec<Axis> {
        vec![("receiver", n)]
    }

    fn elements(&self, n: usize) -> Vec<Element> {
        (0..n).map(|i| one(place(self.root as usize, i), place(i, i))).collect()
    }

    fn sources(&self, _: usize, block: usize) -> Vec<usize> {
        vec![block]
    }

    fn root(&self) -> Option<u32> {
        Some(self.root)
    }

    fn keys(&self, words: u32) -> Option<Map<String, Value>> {
        keys_of_one_word(words).map(|keys| with_root(keys, self.root))
    }
}
