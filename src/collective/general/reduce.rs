//! Reduce: the root gets the combination of all endpoints' blocks.

use super::kind::{Kind, Part};
use super::{Axis, Element, Rule, each, place, with_operator, with_root};
use crate::collective::Operator;
use serde_json::{Map, Value};
use std::rc::Rc;

/// Reduce in a specification.
pub const KIND: Kind = Kind::new(
    ["reduce", "One node receives the combination of all nodes' blocks"],
    &[Part::Root, Part::Operator],
    |keys, _| Ok(Rc::new(Reduce { operator: keys.op, root: keys.root })),
);

/// y = x\[0\] + … + x\[n-1\], at the root.
#[derive(Debug, Clone, Copy)]
pub struct Reduce {
    /// Operator that combines blocks.
    pub operator: Operator,
    /// Endpoint that receives the combination.
    pub root: u32,
}

impl Rule for Reduce {
    fn kind(&self) -> &'static str {
        "reduce"
    }

    fn given(&self, n: usize) -> Vec<Axis> {
        vec![("node", n)]
    }

    fn results(&self, _: usize) -> Vec<Axis> {
        Vec::new()
    }

    fn elements(&self, n: usize) -> Vec<Element> {
        vec![Element { from: each(n), to: vec![place(self.root as usize, 0)] }]
    }

    fn sources(&self, n: usize, _: usize) -> Vec<usize> {
        (0..n).collect()
    }

    fn operator(&self) -> Option<Operator> {
        Some(self.operator)
    }

    fn root(&self) -> Option<u32> {
        Some(self.root)
    }

    fn keys(&self, _: u32) -> Option<Map<String, Value>> {
        Some(with_root(with_operator(self.operator), self.root))
    }
}
