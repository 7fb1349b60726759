//! Words that wait at nodes on their way: between two hops, or as an input of an operation that has others to come.
//!
//! A word waits from the cycle in which it is at the end of a hop to that in which the last of its copies goes on or is used. A word
//! that has not left the node that has or makes it is in that node's memory and is not counted, nor is one that has arrived.

use super::table::Table;
use crate::id::NodeId;
use crate::program::{Input, Train};
use crate::topology::Topology;
use serde::Serialize;
use std::collections::BTreeSet;

/// Words of a train that wait at the end of a hop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wait {
    /// Hop by which they come.
    pub hop: u32,
    /// Cycle from which on batch 0 is there.
    pub since: u32,
    /// Cycle in which it goes on.
    pub until: u32,
    /// Train, and number of batches.
    pub train: (Train, u32),
}

/// Words that a node must have room for: most that wait at the same time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Depth {
    /// Words that came to a node over one channel.
    pub input: u32,
    /// Words at a node.
    pub node: u32,
}

impl<T: Topology + ?Sized> Table<'_, T> {
    /// All words that wait, by hop; where nodes are alike, those of one node.
    pub fn waits(&self) -> Vec<Wait> {
        let of = |&hop: &u32| {
            self.program.hops[hop as usize].parent.is_some_and(|_| self.program.hops[hop as usize].wait > 0)
        };
        let hops = (0..self.program.hops.len() as u32).filter(of);
        let mut uses: Vec<(u32, u32, Train)> = hops
            .filter_map(|hop| {
                Some((self.program.hops[hop as usize].parent?, self.entry[hop as usize], self.train(hop).0))
            })
            .collect();
        for op in &self.program.ops {
            let inputs = &self.program.inputs[op.inputs.start as usize..op.inputs.end as usize];
            let arrived =
                inputs.iter().filter_map(|input| if let Input::Arrived(hop) = *input { Some(hop) } else { None });
            uses.extend(arrived.map(|hop| (hop, op.at, op.train)));
        }
        uses.sort_unstable_by_key(|&(hop, at, _)| (hop, at));
        let mut all = Vec::new();
        for same in uses.chunk_by(|a, b| a.0 == b.0) {
            let hop = same[0].0;
            let (since, (train, batches)) = (self.end[hop as usize], self.train(hop));
            let mut add = |since: u32, until: u32, train: (Train, u32)| {
                if until > since {
                    all.push(Wait { hop, since, until, train });
                }
            };
            if same.iter().all(|of| of.2 == train) {
                add(since, same[same.len() - 1].1, (train, batches));
                continue;
            }
            for batch in 0..batches {
                let until = same.iter().map(|&(_, at, train)| at + train.start(batch)).max().unwrap_or(since);
                add(since + train.start(batch), until, (Train::STEADY, 1));
            }
        }
        all
    }

    /// Most words that wait at once.
    pub fn depth(&self, waits: &[Wait]) -> Depth {
        let input = |hop: u32| {
            let (from, port) = (self.from(hop), self.program.hops[hop as usize].port);
            if self.alike { port } else { self.net.channel_id(from, port as usize).get() }
        };
        let node = |hop: u32| if self.alike { NodeId::new(0) } else { self.to[hop as usize] };
        Depth { input: most(waits, input), node: most(waits, |hop| node(hop).get()) }
    }
}

/// Most words that wait at one place at once.
fn most(waits: &[Wait], place: impl Fn(u32) -> u32) -> u32 {
    // of one train, no later batches meet more others than those that start within a period and the longest wait
    let trains: BTreeSet<(u32, u32)> = waits.iter().map(|wait| (wait.train.0.burst, wait.train.0.period)).collect();
    let ends = waits.iter().map(|wait| wait.until).max().unwrap_or(0);
    let window = ends - waits.iter().map(|wait| wait.since).min().unwrap_or(0);
    let one = trains.len() == 1;
    let mut changes: Vec<(u32, u32, i32)> = Vec::new();
    for wait in waits {
        let (train, batches) = wait.train;
        let starts = (0..batches).map(|batch| train.start(batch));
        for start in starts.take_while(|&start| !one || start <= window.saturating_add(train.period)) {
            let place = place(wait.hop);
            changes.extend([(place, wait.since + start, 1), (place, wait.until + start, -1)]);
        }
    }
    changes.sort_unstable();
    let mut most = 0;
    for place in changes.chunk_by(|a, b| a.0 == b.0) {
        let mut now = 0;
        for change in place {
            now += change.2;
            most = most.max(now);
        }
    }
    most.unsigned_abs()
}
