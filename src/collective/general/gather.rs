//! Gather: every endpoint sends one block to the root.

use super::kind::{Kind, Part};
use super::{Axis, Element, Rule, keys_of_one_word, one, place, with_root};
use serde_json::{Map, Value};
use std::rc::Rc;

/// Gather in a specification.
pub const KIND: Kind = Kind::new(["gather", "Every node sends a block to one"], &[Part::Root], |keys, _| {
    Ok(Rc::new(Gather { root: keys.root }))
});

/// y\[i\] = x\[i\]; all of y is the root's.
#[derive(Debug, Clone, Copy)]
pub struct Gather {
    /// Endpoint that receives all blocks.
    pub root: u32,
}

impl Rule for Gather {
    fn kind(&self) -> &'static str {
        "gather"
    }

    fn given(&self, n: usize) -> Vec<Axis> {
        vec![("sender", n)]
    }

    fn results(&self, n: usize) -> Vec<Axis> {
        vec![("sender", n)]
    }

    fn elements(&self, n: usize) -> Vec<Element> {
        (0..n).map(|i| one(place(i, i), place(self.root as usize, i))).collect()
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
