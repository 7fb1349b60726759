//! How fast an exchange can be at best.
//!
//! | name | holds for | because |
//! |---|---|---|
//! | `distance` | any schedule | every node's words matter to the last node, and those of the farthest have a way to go |
//! | `hypercube` | those on the links of the hypercube's emulation: local ports 2^i, global ports 0 and 2^i | likewise, over these links |
//! | `dimensions` | those that exchange along one dimension after the other, with one operator a router | an exchange takes at least a hop and the operator, and the next one needs its result; the operator takes one word a cycle |
//!
//! Cycles are clock cycles from the first claimed one to the last.

use super::exchange::dimensions;
use crate::collective::ExchangeKind;
use crate::id::NodeId;
use crate::schedule::HopLatency;
use crate::topology::{SwappedDragonfly, Topology};
use serde::ser::{Serialize, SerializeMap, Serializer};
use std::collections::BTreeSet;

/// A number of cycles that no schedule of some family can go below.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct ExchangeBound {
    /// Its name.
    pub name: &'static str,
    /// Clock cycles from the first claimed one to the last.
    pub cycles: u64,
    /// Which schedules it holds for.
    pub holds_for: &'static str,
    /// Why, in a sentence.
    pub reason: String,
}

/// The bounds of an exchange. Serialized as an object of name → cycles.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExchangeBounds {
    all: [ExchangeBound; 3],
}

impl Serialize for ExchangeBounds {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.all.len()))?;
        for bound in &self.all {
            map.serialize_entry(bound.name, &bound.cycles)?;
        }
        map.end()
    }
}

impl ExchangeBounds {
    /// The bounds of an exchange of `words` words a node on a network of exclusive-or arithmetic.
    pub fn of(net: &SwappedDragonfly, hop: HopLatency, kind: ExchangeKind, words: u32, operator: u32) -> Self {
        let words = u64::from(words);
        // Of a scan the last node alone needs the words of all.
        let last = net.nodes() - 1;
        let of_sbh = |port: usize| match port.checked_sub(net.local_ports()) {
            None => (port + 1).is_power_of_two(),
            Some(gamma) => gamma == 0 || gamma.is_power_of_two(),
        };
        let [any, cube] = [farthest(net, hop, last, |_| true), farthest(net, hop, last, of_sbh)];
        let n = u64::from(dimensions(net));
        let exchanges = if kind == ExchangeKind::Sort { n * (n + 1) / 2 } else { n };
        let least = u64::from(hop.local.min(hop.global));
        let longest = u64::from(hop.local.max(hop.global));
        let chained = (exchanges - 1) * (least + u64::from(operator)) + words;
        let operated = (exchanges * words + least).saturating_sub(longest);
        Self {
            all: [
                ExchangeBound {
                    name: "distance",
                    cycles: any,
                    holds_for: "any-schedule",
                    reason: format!("a word from the router farthest from the last one has {any} cycles to go"),
                },
                ExchangeBound {
                    name: "hypercube",
                    cycles: cube,
                    holds_for: "links-of-the-hypercube",
                    reason: format!("over local ports 2^i and global ports 0 and 2^i it has {cube} cycles to go"),
                },
                ExchangeBound {
                    name: "dimensions",
                    cycles: chained.max(operated),
                    holds_for: "exchanges-along-dimensions",
                    reason: format!(
                        "{exchanges} exchanges of {words} words each, each after the one before, of at least {least} + {operator} cycles"
                    ),
                },
            ],
        }
    }

    /// All bounds.
    pub fn all(&self) -> &[ExchangeBound] {
        &self.all
    }

    /// The largest.
    pub fn largest(&self) -> u64 {
        self.all.iter().map(|bound| bound.cycles).max().unwrap_or(0)
    }
}

/// Cycles from the first channel to the last, both included, of the fastest way to the router that is farthest from `from`. Ways back
/// take as long.
fn farthest(net: &SwappedDragonfly, hop: HopLatency, from: usize, allowed: impl Fn(usize) -> bool) -> u64 {
    let latency = |port: usize| if port < net.local_ports() { hop.local } else { hop.global };
    let mut there = vec![u32::MAX; net.nodes()];
    let mut enters = vec![u32::MAX; net.nodes()];
    there[from] = 0;
    let mut open = BTreeSet::from([(0, NodeId::from(from))]);
    while let Some((at, node)) = open.pop_first() {
        for port in (0..net.ports()).filter(|&port| allowed(port)) {
            let to = net.neighbour(node, port);
            enters[to.index()] = enters[to.index()].min(at);
            let arrives = at + latency(port);
            if arrives < there[to.index()] {
                open.remove(&(there[to.index()], to));
                there[to.index()] = arrives;
                open.insert((arrives, to));
            }
        }
    }
    (0..net.nodes()).filter(|&node| node != from).map(|node| u64::from(enters[node]) + 1).max().unwrap_or(0)
}
