//! Reduce-scatter: endpoint k gets the combination of all endpoints' blocks for it.

use super::kind::{Kind, Part};
use super::{Axis, Element, Rule, place, with_operator};
use crate::collective::Operator;
use serde_json::{Map, Value};
use std::rc::Rc;

/// Reduce-scatter in a specification.
pub const KIND: Kind = Kind::new(
    ["reduce-scatter", "Every node receives the combination of all nodes' blocks for it"],
    &[Part::Operator],
    |keys, _| Ok(Rc::new(ReduceScatter { operator: keys.op })),
);

/// y\[k\] = x\[0\]\[k\] + … + x\[n-1\]\[k\].
#[derive(Debug, Clone, Copy)]
pub struct ReduceScatter {
    /// Operator that combines blocks.
    pub operator: Operator,
}

impl Rule for ReduceScatter {
    fn kind(&self) -> &'static str {
        "reduce-scatter"
    }

    fn given(&self, n: usize) -> Vec<Axis> {
        vec![("node", n), ("part", n)]
    }

    fn results(&self, n: usize) -> Vec<Axis> {
        vec![("node", n)]
    }

    fn elements(&self, n: usize) -> Vec<Element> {
        let of = |k: usize| (0..n).map(|i| place(i, i * n + k)).collect();
        (0..n).map(|k| Element { from: of(k), to: vec![place(k, k)] }).collect()
    }

    fn sources(&self, n: usize, block: usize) -> Vec<usize> {
        (0..n).map(|i| i * n + block).collect()
    }

    fn operator(&self) -> Option<Operator> {
        Some(self.operator)
    }

    fn part(&self, element: u32, _: u32) -> u32 {
        element
    }

    fn keys(&self, _: u32) -> Option<Map<String, Value>> {
        Some(with_operator(self.operator))
    }
}
