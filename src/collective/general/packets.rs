//! Permutations and h-relations: blocks with any sources and destinations.

use super::kind::{Kind, Part};
use super::{Axis, Element, Rule, keys_of_one_word, one, place};
use crate::collective::pops::delivery::by_destination;
use crate::collective::specified;
use serde_json::{Map, Value};
use std::rc::Rc;

/// Permutation in a specification.
pub const PERMUTATION: Kind =
    Kind::new(["permutation", "Every node sends one block and receives one"], &[Part::Permutation], |keys, among| {
        let to = specified::permutation(&keys.permutation, among.endpoints, among.folder, among.seed)?;
        Ok(Rc::new(Permutation { to }))
    });

/// H-relation in a specification.
pub const H_RELATION: Kind = Kind::new(["h-relation", "Any blocks between nodes"], &[Part::Demands], |keys, among| {
    let demands = specified::demands(&keys.demands, among.endpoints, among.folder, among.seed)?;
    Ok(Rc::new(HRelation::new(demands)))
});

/// y\[π(i)\] = x\[i\].
#[derive(Debug, Clone)]
pub struct Permutation {
    /// π(0), …, π(n-1).
    pub to: Vec<u32>,
}

impl Rule for Permutation {
    fn kind(&self) -> &'static str {
        "permutation"
    }

    fn given(&self, n: usize) -> Vec<Axis> {
        vec![("sender", n)]
    }

    fn results(&self, n: usize) -> Vec<Axis> {
        vec![("receiver", n)]
    }

    fn elements(&self, _: usize) -> Vec<Element> {
        let ends = self.to.iter().map(|&to| to as usize).enumerate();
        ends.map(|(i, to)| one(place(i, i), place(to, to))).collect()
    }

    fn sources(&self, _: usize, block: usize) -> Vec<usize> {
        self.to.iter().position(|&to| to as usize == block).into_iter().collect()
    }

    fn keys(&self, words: u32) -> Option<Map<String, Value>> {
        keys_of_one_word(words).map(|_| Map::from_iter([("permutation".to_owned(), self.to.clone().into())]))
    }
}

/// Packets of one block each: x as they are listed, y by destination, those of one destination as they are listed.
#[derive(Debug, Clone)]
pub struct HRelation {
    demands: Vec<(u32, u32)>,
    /// Packet of each block of the result, by block.
    order: Vec<usize>,
}

impl HRelation {
    /// Packets from source to destination.
    pub fn new(demands: Vec<(u32, u32)>) -> Self {
        let order = by_destination(&demands);
        Self { demands, order }
    }
}

impl Rule for HRelation {
    fn kind(&self) -> &'static str {
        "h-relation"
    }

    fn given(&self, _: usize) -> Vec<Axis> {
        vec![("packet", self.demands.len())]
    }

    fn results(&self, _: usize) -> Vec<Axis> {
        vec![("packet", self.demands.len())]
    }

    fn elements(&self, _: usize) -> Vec<Element> {
        let ends = self.order.iter().map(|&packet| (packet, self.demands[packet])).enumerate();
        ends.map(|(rank, (packet, (from, to)))| one(place(from as usize, packet), place(to as usize, rank))).collect()
    }

    fn sources(&self, _: usize, block: usize) -> Vec<usize> {
        vec![self.order[block]]
    }

    fn keys(&self, words: u32) -> Option<Map<String, Value>> {
        keys_of_one_word(words).map(|_| Map::from_iter([("demands".to_owned(), pairs(&self.demands))]))
    }
}

/// Pairs of endpoints as the exchange form lists them.
pub(super) fn pairs(demands: &[(u32, u32)]) -> Value {
    demands.iter().map(|&(from, to)| Value::from(vec![from, to])).collect()
}
