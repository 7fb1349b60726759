//! All-reduce: every endpoint gets the combination of all endpoints' blocks.

use super::kind::{Kind, Part};
use super::{Axis, Element, Rule, each, with_operator};
use crate::collective::Operator;
use serde_json::{Map, Value};
use std::rc::Rc;

/// All-reduce in a specification.
pub const KIND: Kind = Kind::new(
    ["all-reduce", "Every node receives the combination of all nodes' blocks"],
    &[Part::Operator],
    |keys, _| Ok(Rc::new(AllReduce { operator: keys.op })),
);

/// y\[j\] = x\[0\] + … + x\[n-1\].
#[derive(Debug, Clone, Copy)]
pub struct AllReduce {
    /// Operator that combines blocks.
    pub operator: Operator,
}

impl Rule for AllReduce {
    fn kind(&self) -> &'static str {
        "all-reduce"
    }

    fn given(&self, n: usize) -> Vec<Axis> {
        vec![("node", n)]
    }

    fn results(&self, n: usize) -> Vec<Axis> {
        vec![("node", n)]
    }

    fn elements(&self, n: usize) -> Vec<Element> {
        vec![Element { from: each(n), to: each(n) }]
    }

    fn sources(&self, n: usize, _: usize) -> Vec<usize> {
        (0..n).collect()
    }

    fn operator(&self) -> Option<Operator> {
        Some(self.operator)
    }

    fn keys(&self, _: u32) -> Option<Map<String, Value>> {
        Some(with_operator(self.operator))
    }
}
