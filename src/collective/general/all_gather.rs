//! All-gather: every endpoint sends one block to all.

use super::kind::Kind;
use super::{Axis, Element, Rule, keys_of_one_word, place};
use serde_json::{Map, Value};
use std::rc::Rc;

/// All-gather in a specification.
pub const KIND: Kind =
    Kind::new(["all-gather", "Every node sends one block to all"], &[], |_, _| Ok(Rc::new(AllGather)));

/// y\[j\]\[i\] = x\[i\].
#[derive(Debug, Clone, Copy)]
pub struct AllGather;

impl Rule for AllGather {
    fn kind(&self) -> &'static str {
        "all-gather"
    }

    fn given(&self, n: usize) -> Vec<Axis> {
        vec![("node", n)]
    }

    fn results(&self, n: usize) -> Vec<Axis> {
        vec![("receiver", n), ("sender", n)]
    }

    fn elements(&self, n: usize) -> Vec<Element> {
        let to = |i: usize| (0..n).map(|j| place(j, j * n + i)).collect();
        (0..n).map(|i| Element { from: vec![place(i, i)], to: to(i) }).collect()
    }

    fn sources(&self, n: usize, block: usize) -> Vec<usize> {
        vec![block % n]
    }

    fn keys(&self, words: u32) -> Option<Map<String, Value>> {
        keys_of_one_word(words)
    }
}
