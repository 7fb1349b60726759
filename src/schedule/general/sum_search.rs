//! Search for trees along which sums come together, in reversed time on the channels turned round.
//!
//! The node that wants a sum sends *requests* there, each for the sum of some nodes' words and each to one node. It passes other nodes
//! without delay. The node that it comes to has the words of all later requests of its own to bring together, so these leave an operator's
//! cycles after it came, or more where one operator does not take them all. Read backwards, a request is a sum that goes from that node to
//! the one that asked for it.
//!
//! The search has a last cycle. Requests that it cannot place in time are left over; it takes up some of what is in their way, lays all in
//! another order, and keeps what leaves no more over. When nothing is left over, the last cycle is one earlier.

use super::calendar::Calendar;
use super::channels::{Channels, FAR};
use super::local_sums::first_operands;
use super::random::Random;
use crate::interrupt::search::{found, is_over};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

/// Most requests that are taken up at once, not counting those that hang on them.
const AT_ONCE: usize = 10;

/// Steps that a node of a search counts.
const STEPS_A_NODE: u64 = 6;

/// Nodes nearby that are asked one by one for a way, before all at once.
const ASKED: usize = 5;

/// Channel of a node at which a search begins.
const NONE: u32 = u32::MAX;

/// A sum and the nodes whose words are in it.
#[derive(Debug, Clone)]
pub(super) struct Sum {
    /// Node that wants it.
    pub root: u32,
    /// Nodes that have a word of it, without the root.
    pub from: Vec<u32>,
    /// True if the root has a word of it, too.
    pub own: bool,
}

/// A request for a sum, by one node to another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Request {
    /// Node that asks.
    pub by: u32,
    /// Channels and cycles of entry, in reversed time from the end on.
    pub way: Vec<(u32, u32)>,
    /// Cycle in which it comes to its node.
    pub at: u32,
}

/// Requests of all sums: by sum and node.
pub(super) type Requests = BTreeMap<(u32, u32), Request>;

/// First cycle, counted backwards, at which nothing is on its way.
pub(super) fn end(requests: &Requests) -> u32 {
    requests.values().map(|request| request.at).max().unwrap_or(0)
}

/// Operators of the nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Operators {
    /// Cycles from the last operand to the earliest in which the result can leave.
    pub cycles: u32,
    /// Most operands.
    pub most: usize,
}

impl Operators {
    /// True if a node can make one sum of its own word, if it has one, and of words that come so many cycles before the sum is made, with as
    /// many operations as it takes.
    fn serve(self, before: &[u32], own: bool) -> bool {
        let mut parts: Vec<u64> = before.iter().map(|&before| before.into()).collect();
        if own {
            parts.push(u64::MAX);
        }
        while parts.len() > self.most {
            parts.sort_unstable_by_key(|&before| Reverse(before));
            let count = first_operands(parts.len(), self.most);
            let last = parts.drain(..count).next_back().unwrap_or(0);
            match last.checked_sub(self.cycles.into()) {
                Some(made) => parts.push(made),
                None => return false,
            }
        }
        true
    }
}

/// Network of the requests: its channels turned round, and which of them take a request at the same time.
#[derive(Debug, Clone)]
pub(super) struct Turned {
    /// Channels turned round.
    pub net: Channels,
    /// By channel: its class. Channels of a class are taken together.
    pub class: Vec<u32>,
    /// Classes, as channels of a calendar.
    pub classes: Channels,
}

/// Requests under construction.
pub(super) struct Search<'a> {
    turned: &'a Turned,
    sums: &'a [Sum],
    operators: Operators,
    /// By node: cycles to it.
    distances: Vec<Option<Vec<u32>>>,
    calendar: Calendar,
    /// By class and cycle: the request that has it.
    owner: BTreeMap<(u32, u32), (u32, u32)>,
    requests: Requests,
    /// By sum and node: cycles and nodes of its requests.
    children: BTreeMap<(u32, u32), Vec<(u32, u32)>>,
    /// By sum: the place of its first word in `ready`.
    first: Vec<usize>,
    /// Place in `ready` of each sum and node.
    place: BTreeMap<(u32, u32), usize>,
    /// By sum and node, the root last: the first cycle in which it can send one more request, if it can.
    ready: Vec<Option<u32>>,
    /// Sums and nodes that are left over.
    left: Vec<(u32, u32)>,
    /// By node, of one way: the channel and cycle by which it is reached; in the round in which it was.
    reached: Vec<(u32, u32, u32)>,
    round: u32,
    steps: u64,
}

impl<'a> Search<'a> {
    /// A search without requests.
    pub fn new(turned: &'a Turned, sums: &'a [Sum], operators: Operators) -> Self {
        let nodes = turned.net.nodes();
        let all = (0..).zip(sums).flat_map(|(number, sum)| sum.from.iter().map(move |&node| (number, node)));
        let (mut first, mut place) = (Vec::with_capacity(sums.len()), BTreeMap::new());
        for (number, sum) in (0..).zip(sums) {
            first.push(place.len());
            for &node in sum.from.iter().chain([&sum.root]) {
                place.insert((number, node), place.len());
            }
        }
        let ready = vec![None; place.len()];
        let mut search = Self {
            turned,
            sums,
            operators,
            distances: vec![None; nodes],
            calendar: Calendar::new(&turned.classes),
            owner: BTreeMap::new(),
            requests: Requests::new(),
            children: BTreeMap::new(),
            first,
            place,
            ready,
            left: all.collect(),
            reached: vec![(0, NONE, 0); nodes],
            round: 0,
            steps: 0,
        };
        (0..).zip(sums).for_each(|(number, sum)| search.refresh((number, sum.root)));
        search
    }

    /// Takes over requests that hold in this network.
    pub fn take_over(&mut self, requests: Requests) {
        self.left.retain(|key| !requests.contains_key(key));
        requests.into_iter().for_each(|(key, request)| self.put(key, request));
    }

    /// Lays all that is left over without a last cycle, nodes near the root first; false if one is out of reach.
    pub fn begin(&mut self, random: &mut Random) -> bool {
        let mut left = std::mem::take(&mut self.left);
        let sums = self.sums;
        random.shuffle(&mut left);
        left.sort_by_cached_key(|&(sum, node)| self.distance(node)[sums[sum as usize].root as usize]);
        left.into_iter().all(|key| self.lay(key, FAR / 4, true, random))
    }

    /// The first cycle, counted backwards, at which nothing is on its way.
    pub fn end(&self) -> u32 {
        self.requests.values().map(|request| request.at).max().unwrap_or(0)
    }

    /// Makes the last cycle earlier until it is `least` or the steps are used up; the requests with the earliest.
    pub fn improve(&mut self, least: u32, steps: u64, random: &mut Random) -> Requests {
        let mut best = self.requests.clone();
        let mut end = self.end();
        self.steps = 0;
        while end > least && self.steps < steps && !is_over() {
            let late: Vec<(u32, u32)> =
                self.requests.iter().filter(|(_, request)| request.at >= end).map(|(&key, _)| key).collect();
            for key in late {
                self.take_up(key);
            }
            while !self.left.is_empty() && self.steps < steps && !is_over() {
                self.change(end - 1, random);
            }
            if !self.left.is_empty() {
                break;
            }
            end = self.end();
            best = self.requests.clone();
            found(end);
        }
        best
    }

    /// Lays one that is left over, and some in its way, in a random order; undone if more are left over.
    fn change(&mut self, end: u32, random: &mut Random) {
        let place = random.below(self.left.len());
        let key = self.left.swap_remove(place);
        if self.lay(key, end, false, random) {
            return;
        }
        self.left.push(key);
        self.steps += STEPS_A_NODE;
        let before = self.left.len();
        let mut taken: Vec<((u32, u32), Request)> = Vec::new();
        let count = 1 + random.below(AT_ONCE);
        let mut seeds = vec![key];
        for _ in 0..4 * AT_ONCE {
            if seeds.len() > count {
                break;
            }
            let Some(other) = self.beside(seeds[random.below(seeds.len())], end, random) else { continue };
            seeds.push(other);
            self.take_with_children(other, &mut taken);
        }
        // what was taken up, and what is left over of the sums of these
        let mut open: Vec<(u32, u32)> = taken.iter().map(|(key, _)| *key).chain([key]).collect();
        random.shuffle(&mut open);
        if random.below(2) == 0 {
            let sums = self.sums;
            open.sort_by_cached_key(|&(sum, node)| Reverse(self.distance(node)[sums[sum as usize].root as usize]));
            let far = random.below(open.len() + 1);
            open[..far].reverse();
        }
        let mut laid = Vec::new();
        // one that hangs on another may come before it, so twice
        for _ in 0..2 {
            for &key in &open {
                if !self.requests.contains_key(&key) {
                    self.left.retain(|left| *left != key);
                    match self.lay(key, end, false, random) {
                        true => laid.push(key),
                        false => self.left.push(key),
                    }
                }
            }
        }
        if self.left.len() > before {
            laid.into_iter().rev().for_each(|key| self.take_up(key));
            self.left.retain(|key| taken.iter().all(|(taken, _)| taken != key));
            taken.into_iter().rev().for_each(|(key, request)| self.put(key, request));
        }
    }

    /// A request near another one that is placed or not: in a channel to its node, in one of its way, or of its sum.
    fn beside(&self, (sum, node): (u32, u32), end: u32, random: &mut Random) -> Option<(u32, u32)> {
        let of = &self.sums[sum as usize].from;
        let near = match random.below(4) {
            0 => return Some((sum, of[random.below(of.len())])).filter(|key| self.requests.contains_key(key)),
            1 => self.sums[sum as usize].root,
            2 => of[random.below(of.len())],
            _ => node,
        };
        let channels = if near == self.sums[sum as usize].root { &self.turned.net.out } else { &self.turned.net.into };
        let channels = &channels[near as usize];
        let class = self.turned.class
            [channels[random.below(channels.len().max(1)).min(channels.len().checked_sub(1)?)] as usize];
        self.owner.get(&(class, random.below(end.max(1) as usize) as u32)).copied()
    }

    /// Takes up a request and all that hang on it; those that hang on it first, so that they can be put back in reversed order.
    fn take_with_children(&mut self, key: (u32, u32), taken: &mut Vec<((u32, u32), Request)>) {
        while let Some(&(_, child)) = self.children.get(&key).and_then(|children| children.first()) {
            self.take_with_children((key.0, child), taken);
        }
        if let Some(request) = self.take_up_alone(key) {
            self.left.push(key);
            taken.push((key, request));
        }
    }

    /// Takes up a request and all that hang on it.
    fn take_up(&mut self, key: (u32, u32)) {
        self.take_with_children(key, &mut Vec::new());
    }

    fn take_up_alone(&mut self, key: (u32, u32)) -> Option<Request> {
        let request = self.requests.remove(&key)?;
        for &(channel, cycle) in &request.way {
            let class = self.turned.class[channel as usize];
            self.calendar.release(&self.turned.classes, class, cycle);
            self.owner.remove(&(class, cycle));
        }
        if let Some(children) = self.children.get_mut(&(key.0, request.by)) {
            children.retain(|&(_, child)| child != key.1);
        }
        self.refresh(key);
        self.refresh((key.0, request.by));
        Some(request)
    }

    fn put(&mut self, key: (u32, u32), request: Request) {
        for &(channel, cycle) in &request.way {
            let class = self.turned.class[channel as usize];
            self.calendar.take(&self.turned.classes, class, cycle);
            self.owner.insert((class, cycle), key);
        }
        let start = request.way.first().map_or(0, |hop| hop.1);
        let by = (key.0, request.by);
        self.children.entry(by).or_default().push((start, key.1));
        self.requests.insert(key, request);
        self.refresh(key);
        self.refresh(by);
    }

    /// Looks anew when a node can send one more request.
    fn refresh(&mut self, key: (u32, u32)) {
        if let Some(&place) = self.place.get(&key) {
            self.ready[place] = self.ready(key.0, key.1);
        }
    }

    /// Cycles to a node, by node.
    fn distance(&mut self, to: u32) -> &[u32] {
        let net = &self.turned.net;
        self.distances[to as usize].get_or_insert_with(|| net.reversed().distances(to))
    }

    /// First cycle in which a node can send one more request for a sum; none if it does not have the sum or cannot.
    fn ready(&self, sum: u32, node: u32) -> Option<u32> {
        let (base, own) = match self.sums[sum as usize].root == node {
            true => (0, self.sums[sum as usize].own),
            false => (self.requests.get(&(sum, node))?.at + self.operators.cycles, true),
        };
        let children = self.children.get(&(sum, node)).map_or(&[][..], |children| children);
        if children.len() + 1 + usize::from(own) <= self.operators.most {
            return Some(base);
        }
        let mut before: Vec<u32> = children.iter().map(|child| child.0 - base).collect();
        before.push(0);
        let last = before.len() - 1;
        // the deepest operation is this much earlier at most
        for cycles in 0..=self.operators.cycles * (before.len() as u32 + 1) {
            before[last] = cycles;
            if self.operators.serve(&before, own) {
                return Some(base + cycles);
            }
        }
        None
    }

    /// Lays the request to a node so that it comes by cycle `end`; from a node nearby, or, if it is to be `early`, from the one from which
    /// it comes first.
    fn lay(&mut self, key: (u32, u32), end: u32, early: bool, random: &mut Random) -> bool {
        let (sum, node) = key;
        self.distance(node);
        let all = &self.sums[sum as usize];
        let holders = all.from.iter().copied().chain([all.root]).zip(&self.ready[self.first[sum as usize]..]);
        let distance = self.distances[node as usize].as_deref().unwrap_or_default();
        let mut starts: Vec<(u32, u64, u32, u32)> = Vec::new();
        for (holder, ready) in holders.filter(|&(holder, _)| holder != node) {
            let Some(ready) = *ready else { continue };
            let far = distance[holder as usize];
            if far < FAR && ready + far <= end {
                starts.push((far, random.next() >> 40, holder, ready));
            }
        }
        self.steps += starts.len() as u64;
        if !early && random.below(4) > 0 {
            starts.sort_unstable();
            for &(far, _, holder, ready) in starts.iter().take(ASKED) {
                let slack = (end - ready - far) as usize;
                let since =
                    if slack > 0 && random.below(3) == 0 { ready + random.below(slack + 1) as u32 } else { ready };
                if self.way(key, &[(since, holder)], end, random) {
                    return true;
                }
            }
        }
        let starts: Vec<(u32, u32)> = starts.into_iter().map(|(_, _, holder, ready)| (ready, holder)).collect();
        self.way(key, &starts, end, random)
    }

    /// The earliest way to a node from others, each from a cycle on, over what is free; false if none comes by cycle `end`.
    fn way(&mut self, key: (u32, u32), starts: &[(u32, u32)], end: u32, random: &mut Random) -> bool {
        let (net, node) = (&self.turned.net, key.1);
        let Some(distance) = self.distances[node as usize].as_deref() else { return false };
        self.round += 1;
        let far = |node: u32| distance[node as usize];
        let start = |&(at, from): &(u32, u32)| (Reverse(at + far(from)), random.next() as u32, from, at, (NONE, 0));
        let mut open: BinaryHeap<_> = starts.iter().map(start).collect();
        let at = loop {
            let Some((_, _, here, at, (channel, cycle))) = open.pop() else { return false };
            if self.reached[here as usize].2 == self.round {
                continue;
            }
            self.reached[here as usize] = (channel, cycle, self.round);
            self.steps += STEPS_A_NODE;
            if here == node {
                break at;
            }
            for &channel in &net.out[here as usize] {
                let to = net.dst[channel as usize];
                if self.reached[to as usize].2 == self.round || far(to) == FAR {
                    continue;
                }
                let cycle = self.calendar.free(&self.turned.classes, self.turned.class[channel as usize], at);
                let there = cycle + net.latency[channel as usize];
                if there + far(to) <= end {
                    open.push((Reverse(there + far(to)), random.next() as u32, to, there, (channel, cycle)));
                }
            }
        };
        let (mut way, mut here) = (Vec::new(), node);
        while self.reached[here as usize].0 != NONE {
            let (channel, cycle, _) = self.reached[here as usize];
            way.push((channel, cycle));
            here = net.src[channel as usize];
        }
        way.reverse();
        self.put(key, Request { by: here, way, at });
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators_take_what_came_first_first() {
        let pairs = Operators { cycles: 2, most: 2 };
        // own word and one that comes at the end; a second one needs two cycles more
        assert!(pairs.serve(&[0], true) && pairs.serve(&[0, 2], true));
        assert!(!pairs.serve(&[0, 1], true));
        assert!(pairs.serve(&[0, 0], false) && !pairs.serve(&[0, 0, 2], false));
        let wide = Operators { cycles: 3, most: 4 };
        assert!(wide.serve(&[0, 0, 0], true) && wide.serve(&[0, 0, 0, 3, 3, 3], true));
        assert!(!wide.serve(&[0, 0, 0, 0], true) && !wide.serve(&[0, 0, 0, 2], true));
    }
}
