//! How fast a broadcast of X words can be at best, whoever schedules it.
//!
//! | name | because |
//! |---|---|
//! | `receive` | a router hears at most one word a cycle over each channel that leads to it, and the first not before it can be there |
//! | `send` | the source sends at most one word a cycle over each of its channels, and the last still has to reach the farthest router |
//!
//! Cycles are clock cycles from the first claimed one to the last. A channel of latency H brings a word that enters in cycle t to its
//! end in cycle t + H; it takes one a cycle all the same.

use crate::id::NodeId;
use crate::schedule::HopLatency;
use crate::topology::{SwappedDragonfly, Topology};
use serde::ser::{Serialize, SerializeMap, Serializer};

/// A number of cycles that no schedule can go below.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct StreamBound {
    /// Its name.
    pub name: &'static str,
    /// Clock cycles from the first claimed one to the last.
    pub cycles: u64,
    /// Why, in a sentence.
    pub reason: String,
}

/// The bounds of a broadcast. Serialized as an object of name → cycles.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StreamBounds {
    all: [StreamBound; 2],
}

impl Serialize for StreamBounds {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.all.len()))?;
        for bound in &self.all {
            map.serialize_entry(bound.name, &bound.cycles)?;
        }
        map.end()
    }
}

impl StreamBounds {
    /// The bounds of a broadcast of `count` words from `root`.
    pub fn of(net: &SwappedDragonfly, hop: HopLatency, root: NodeId, count: u32) -> Self {
        let count = u64::from(count);
        let latency = |port: usize| if port < net.local_ports() { hop.local } else { hop.global };
        // earliest[r]: the cycle in which the first word can enter the last channel on its way to r, and be there
        let mut there = vec![u32::MAX; net.nodes()];
        let mut enters = vec![u32::MAX; net.nodes()];
        let mut heard = vec![0_u64; net.nodes()];
        there[root.index()] = 0;
        let mut open = std::collections::BTreeSet::from([(0, root)]);
        while let Some((at, node)) = open.pop_first() {
            for port in 0..net.ports() {
                let to = net.neighbour(node, port);
                if to == node {
                    continue;
                }
                heard[to.index()] += 1;
                enters[to.index()] = enters[to.index()].min(at);
                let arrives = at + latency(port);
                if arrives < there[to.index()] {
                    open.remove(&(there[to.index()], to));
                    there[to.index()] = arrives;
                    open.insert((arrives, to));
                }
            }
        }
        let others = || (0..net.nodes()).filter(|&node| node != root.index());
        let receive = others().map(|r| (u64::from(enters[r]) + count.div_ceil(heard[r]), heard[r])).max();
        let (receive, channels) = receive.unwrap_or((0, 1));
        let out = (0..net.ports()).filter(|&port| net.neighbour(root, port) != root).count() as u64;
        let farthest = others().map(|r| u64::from(enters[r]) + 1).max().unwrap_or(0);
        let send = count.div_ceil(out) - 1 + farthest;
        Self {
            all: [
                StreamBound {
                    name: "receive",
                    cycles: receive,
                    reason: format!(
                        "{channels} channels lead to some router, for {count} words, the first of which has a way to go"
                    ),
                },
                StreamBound {
                    name: "send",
                    cycles: send,
                    reason: format!("{out} channels leave the source, and the last word has {farthest} cycles to go"),
                },
            ],
        }
    }

    /// All bounds.
    pub fn all(&self) -> &[StreamBound] {
        &self.all
    }

    /// The largest.
    pub fn largest(&self) -> u64 {
        self.all.iter().map(|bound| bound.cycles).max().unwrap_or(0)
    }
}
