//! All-to-all: every endpoint sends a block of its own to every endpoint.

use super::kind::Kind;
use super::{Axis, Element, Rule, keys_of_one_word, one, place};
use serde_json::{Map, Value};
use std::rc::Rc;

/// All-to-all in a specification.
pub const KIND: Kind =
    Kind::new(["all-to-all", "Every node sends a block of its own to every other node"], &[], |_, _| {
        Ok(Rc::new(AllToAll))
    });

/// y\[j\]\[i\] = x\[i\]\[j\].
#[derive(Debug, Clone, Copy)]
pub struct AllToAll;

impl Rule for AllToAll {
    fn kind(&self) -> &'static str {
        "all-to-all"
    }

    fn given(&self, n: usize) -> Vec<Axis> {
        vec![("sender", n), ("receiver", n)]
    }

    fn results(&self, n: usize) -> Vec<Axis> {
        vec![("receiver", n), ("sender", n)]
    }

    fn elements(&self, n: usize) -> Vec<Element> {
        let pairs = (0..n).flat_map(|i| (0..n).map(move |j| (i, j)));
        pairs.map(|(i, j)| one(place(i, i * n + j), place(j, j * n + i))).collect()
    }

    fn sources(&self, n: usize, block: usize) -> Vec<usize> {
        let (receiver, sender) = (block / n, block % n);
        vec![sender * n + receiver]
    }

    fn keys(&self, words: u32) -> Option<Map<String, Value>> {
        keys_of_one_word(words)
    }
}
