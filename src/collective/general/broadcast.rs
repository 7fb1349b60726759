//! Broadcast: the root sends its only block to all.

use super::kind::{Kind, Part};
use super::{Axis, Element, Rule, each, place, with_root};
use serde_json::{Map, Value};
use std::rc::Rc;

/// Broadcast in a specification.
pub const KIND: Kind = Kind {
    words: "count",
    ..Kind::new(["broadcast", "One node sends the same words to all"], &[Part::Root], |keys, _| {
        Ok(Rc::new(Broadcast { root: keys.root }))
    })
};

/// y\[j\] = x.
#[derive(Debug, Clone, Copy)]
pub struct Broadcast {
    /// Endpoint that has the block.
    pub root: u32,
}

impl Rule for Broadcast {
    fn kind(&self) -> &'static str {
        "broadcast"
    }

    fn given(&self, _: usize) -> Vec<Axis> {
        Vec::new()
    }

    fn results(&self, n: usize) -> Vec<Axis> {
        vec![("node", n)]
    }

    fn elements(&self, n: usize) -> Vec<Element> {
        vec![Element { from: vec![place(self.root as usize, 0)], to: each(n) }]
    }

    fn sources(&self, _: usize, _: usize) -> Vec<usize> {
        vec![0]
    }

    fn root(&self) -> Option<u32> {
        Some(self.root)
    }

    fn keys(&self, words: u32) -> Option<Map<String, Value>> {
        let mut keys = with_root(Map::new(), self.root);
        keys.insert("count".into(), words.into());
        Some(keys)
    }
}
