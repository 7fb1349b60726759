//! Claims: places that are taken for a cycle, and a search for two of one place and cycle.
//!
//! A claim stands for all batches of its train. Two claims of a place whose first cycles are d apart meet if batches of
//! theirs start d cycles apart. Where both have the same train, only the first burst has to be compared. So the number
//! of words does not matter.

use super::table::Table;
use crate::id::NodeId;
use crate::program::{Switching, Train};
use crate::topology::Topology;
use rayon::prelude::*;
use std::collections::BTreeSet;

/// Place that is taken in a cycle by batch 0 of a train.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Claim {
    /// Number of the place: a channel, or a port, register or operator of a node.
    pub place: u32,
    /// Cycle of batch 0.
    pub cycle: u32,
    /// Owner of the claim: a hop of the program, unless the list of claims names another owner.
    pub owner: u32,
    /// Node that sends the word.
    pub origin: NodeId,
}

/// Two claims of one place in one cycle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Meeting {
    /// The two claims; the first is earlier in its train.
    pub claims: [Claim; 2],
    /// Cycle in which they meet.
    pub cycle: u32,
}

/// Claims, and the trains and numbers of batches of their owners.
pub struct Claims<F: Fn(u32) -> (Train, u32)> {
    list: Vec<Claim>,
    train: F,
}

impl<F: Fn(u32) -> (Train, u32)> Claims<F> {
    /// Claims in any order.
    pub fn new(mut list: Vec<Claim>, train: F) -> Self {
        if list.len() < 1 << 16 {
            list.sort_unstable()
        } else {
            list.par_sort_unstable()
        }
        Self { list, train }
    }

    /// All claims, by place and cycle.
    pub fn list(&self) -> &[Claim] {
        &self.list
    }

    /// Pairs of claims of a place, the earlier first, as long as `goes_on` with the first and the distance of their cycles.
    fn pairs(&self, goes_on: impl Fn(&Claim, u32) -> bool) -> impl Iterator<Item = [&Claim; 2]> {
        self.list.iter().enumerate().flat_map(move |(i, first)| {
            let goes_on = |second: &&Claim| second.place == first.place && goes_on(first, second.cycle - first.cycle);
            let far = self.list[i + 1..].iter().position(|second| !goes_on(&second)).unwrap_or(self.list.len() - i - 1);
            self.list[i + 1..i + 1 + far].iter().map(move |second| [first, second])
        })
    }

    /// The first two claims of one place and cycle, unless they may share it.
    pub fn meeting(&self, may_share: impl Fn(&Claim, &Claim) -> bool) -> Option<Meeting> {
        let last = |claim: &Claim| {
            let (train, batches) = (self.train)(claim.owner);
            batches.checked_sub(1).map_or(0, |last| train.start(last))
        };
        self.pairs(|first, distance| distance <= last(first)).find_map(|[first, second]| {
            let at = meet([first, second].map(|claim| (self.train)(claim.owner)), second.cycle - first.cycle)?;
            let claims = [*first, *second];
            (!may_share(first, second)).then_some(Meeting { claims, cycle: first.cycle + at })
        })
    }

    /// Cycles between the first cycles of claims of one place.
    pub fn distances(&self) -> BTreeSet<u32> {
        let mut all: BTreeSet<u32> = self.pairs(|_, _| true).map(|[a, b]| b.cycle - a.cycle).collect();
        all.remove(&0);
        all
    }

    /// First and last claimed cycle, of all batches.
    pub fn extent(&self) -> Option<(u32, u32)> {
        let last = |claim: &Claim| {
            let (train, batches) = (self.train)(claim.owner);
            Some(claim.cycle + train.start(batches.checked_sub(1)?))
        };
        let first = self.list.iter().map(|claim| claim.cycle).min()?;
        Some((first, self.list.iter().filter_map(last).max()?))
    }

    /// Place, cycle and index of the claims of all batches, cycles modulo a period where there is one.
    fn all(&self, period: Option<u32>) -> Vec<(u32, u32, u32)> {
        let of = |(index, claim): (u32, &Claim)| {
            let (train, batches) = (self.train)(claim.owner);
            let (place, cycle) = (claim.place, claim.cycle);
            (0..batches).map(move |batch| {
                let cycle = cycle + train.start(batch);
                (place, period.map_or(cycle, |period| cycle % period.max(1)), index)
            })
        };
        let mut all: Vec<_> = (0..).zip(&self.list).flat_map(of).collect();
        all.sort_unstable();
        all
    }

    /// Two claims that meet if everything starts again every `period` cycles.
    pub fn meeting_every(&self, period: u32) -> Option<Meeting> {
        let all = self.all(Some(period));
        let same = |two: &&[(u32, u32, u32)]| (two[0].0, two[0].1) == (two[1].0, two[1].1);
        let two = all.windows(2).find(same)?;
        Some(Meeting { claims: [two[0], two[1]].map(|of| self.list[of.2 as usize]), cycle: two[0].1 })
    }

    /// The smallest period, not below `least`, with which claims do not meet that do not meet within one pass.
    ///
    /// Two claims of a place meet modulo P if P divides their distance. Only near the two ends can claims lie `least` apart.
    pub fn smallest_period(&self, least: u32) -> u32 {
        let (least, all) = (least.max(1), self.all(None));
        let end = all.iter().map(|claim| claim.1).max().unwrap_or(0);
        let mut taken = vec![false; (end + 2).saturating_sub(least) as usize];
        for place in all.chunk_by(|a, b| a.0 == b.0) {
            for (i, early) in place.iter().enumerate() {
                let far = i + place[i..].partition_point(|late| late.1 - early.1 < least);
                for late in &place[far..] {
                    let distance = late.1 - early.1;
                    for period in (1..=distance / least).filter(|n| distance % n == 0).map(|n| distance / n) {
                        taken[(period - least) as usize] = true;
                    }
                }
                if far == place.len() {
                    break; // later claims are nearer to the end still
                }
            }
        }
        least + taken.iter().take_while(|taken| **taken).count() as u32
    }
}

/// The first start of a batch of the first train that is `distance` after the start of a batch of the second.
fn meet([(early, count), (late, others)]: [(Train, u32); 2], distance: u32) -> Option<u32> {
    // of one train, a pair can be moved to where the second is in the first burst
    let others = if early == late { others.min(late.burst) } else { others };
    let start = |batch: u32| late.start(batch) + distance;
    let meets = |start: &u32| early.batch(u64::from(*start)).is_some_and(|batch| batch < count);
    (0..others).map(start).find(meets)
}

impl<T: Topology + ?Sized> Table<'_, T> {
    /// The claims of channels; where nodes are alike, those of the ports of one node.
    pub fn channels(&self) -> Claims<impl Fn(u32) -> (Train, u32)> {
        self.claims(|hop, from| {
            let port = self.program.hops[hop as usize].port;
            let place = if self.alike { port } else { self.net.channel_id(from, port as usize).get() };
            Some((place, self.entry[hop as usize]))
        })
    }

    /// The claims of the one port over which a node sends.
    pub fn sends(&self) -> Claims<impl Fn(u32) -> (Train, u32)> {
        self.departures(false)
    }

    /// The claims of media that carry one word at a time.
    pub fn passes(&self) -> Claims<impl Fn(u32) -> (Train, u32)> {
        self.departures(true)
    }

    /// The claims of nodes, or of media, by words that leave them.
    fn departures(&self, media: bool) -> Claims<impl Fn(u32) -> (Train, u32)> {
        self.claims(move |hop, from| {
            (self.net.is_medium(from) == media).then(|| (self.one(from), self.entry[hop as usize]))
        })
    }

    /// The claims of the one port over which a node receives, in the last cycle of a crossing.
    pub fn receipts(&self) -> Claims<impl Fn(u32) -> (Train, u32)> {
        self.claims(|hop, _| {
            let to = self.to[hop as usize];
            (!self.net.is_medium(to)).then(|| (self.one(to), self.end[hop as usize] - 1))
        })
    }

    /// Number of a node's place; of one for all where nodes are alike.
    fn one(&self, node: NodeId) -> u32 {
        if self.alike { 0 } else { node.get() }
    }

    fn claims(&self, of: impl Fn(u32, NodeId) -> Option<(u32, u32)>) -> Claims<impl Fn(u32) -> (Train, u32)> {
        let claim = |hop: u32| {
            let (place, cycle) = of(hop, self.from(hop))?;
            Some(Claim { place, cycle, owner: hop, origin: self.origin(hop) })
        };
        let list = (0..self.program.hops.len() as u32).filter_map(claim).collect();
        Claims::new(list, |hop| self.train(hop))
    }

    /// Two hops may share the one port of a node where they are one crossing of a medium.
    pub fn is_one_send(&self, a: &Claim, b: &Claim) -> bool {
        self.program.switching == Switching::Circuit
            && self.move_of[a.owner as usize] == self.move_of[b.owner as usize]
            && a.origin == b.origin
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trains_meet_where_some_pair_of_batches_does() {
        let trains = [(1, 1), (2, 6), (3, 9), (2, 3), (1, 4)].map(|(burst, period)| Train { burst, period });
        for (early, late) in trains.iter().flat_map(|early| trains.iter().map(move |late| (*early, *late))) {
            for (count, others, distance) in (0..5 * 5 * 30).map(|i| (i % 5, i / 5 % 5, i / 25)) {
                let pairs = (0..count).flat_map(|a| (0..others).map(move |b| (a, b)));
                let apart = pairs.into_iter().any(|(a, b)| early.start(a) == late.start(b) + distance);
                let found = meet([(early, count), (late, others)], distance);
                assert_eq!(found.is_some(), apart, "{early:?} {late:?} {count} {others} {distance}");
            }
        }
    }
}
