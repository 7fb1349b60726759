//! Messages of the paper's algorithms, one by one, and its metrics. A message of k packets holds a link for k slots, and a router forwards it
//! when it is complete. A link carries messages in the order in which they are complete at its sender.

use super::model::{Tree, rpc, spc};
use crate::id::NodeId;
use crate::topology::{Galaxyfly, Topology};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

/// Packets at a router, and the messages that bring them.
type Held = (Vec<usize>, Vec<usize>);

/// Message from one router to another.
struct Message {
    link: (usize, usize),
    packets: Vec<usize>,
    after: Vec<usize>,
}

/// Metrics of section 5.2, in slots; AvgChannel in percent of the links that are used.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Metrics {
    /// Slots after which the first router has all packets.
    pub min_time: f64,
    /// Average of the slots after which routers have all packets.
    pub avg_time: f64,
    /// Slots after which all routers have all packets.
    pub max_time: f64,
    /// Packets a router that come to a router which has them.
    pub avg_packet: f64,
    /// Average of the slots after which routers have the packets of their supernode.
    pub router_time: f64,
    /// Share of MaxTime in which a link is in use.
    pub avg_channel: f64,
}

/// All messages of a broadcast.
struct Messages {
    all: Vec<Message>,
    routers: usize,
    group: usize,
}

impl Messages {
    fn new(routers: usize, group: usize) -> Self {
        Self { all: Vec::new(), routers, group }
    }

    fn own(&self) -> Vec<Held> {
        (0..self.routers).map(|router| (vec![router], Vec::new())).collect()
    }

    fn send(&mut self, link: (usize, usize), (packets, after): &Held) -> Held {
        self.all.push(Message { link, packets: packets.clone(), after: after.clone() });
        (packets.clone(), vec![self.all.len() - 1])
    }

    /// Messages up a tree of (router, parent), parents first.
    fn collect(&mut self, tree: &[(usize, Option<usize>)], mut held: Vec<Held>) -> Held {
        for &(router, parent) in tree.iter().rev() {
            let Some(parent) = parent else { continue };
            let came = self.send((router, parent), &held[router]);
            add(&mut held[parent], &came);
        }
        held.swap_remove(tree[0].0)
    }

    /// Messages down a tree of (router, parent), parents first. Gives the packets that come to each router, by router.
    fn spread(&mut self, tree: &[(usize, Option<usize>)], held: &Held) -> BTreeMap<usize, Held> {
        let mut at = BTreeMap::new();
        for &(router, parent) in tree {
            let above = parent.and_then(|parent| at.get(&parent).map(|above: &Held| (parent, above.clone())));
            let own = above.map_or_else(|| held.clone(), |(parent, above)| self.send((parent, router), &above));
            at.insert(router, own);
        }
        at
    }

    /// Slot after which each message is at its receiver.
    fn ends(&self) -> Vec<usize> {
        let mut waits: Vec<usize> = self.all.iter().map(|message| message.after.len()).collect();
        let mut next = vec![Vec::new(); self.all.len()];
        for (index, message) in self.all.iter().enumerate() {
            message.after.iter().for_each(|&before| next[before].push(index));
        }
        let (mut ready, mut ends) = (vec![0; self.all.len()], vec![0; self.all.len()]);
        let mut free: BTreeMap<(usize, usize), usize> = BTreeMap::new();
        let first = (0..self.all.len()).filter(|&index| waits[index] == 0);
        let mut open: BinaryHeap<Reverse<(usize, usize)>> = first.map(|index| Reverse((0, index))).collect();
        while let Some(Reverse((since, index))) = open.pop() {
            let slot = free.entry(self.all[index].link).or_default();
            *slot = since.max(*slot) + self.all[index].packets.len();
            ends[index] = *slot;
            for &after in &next[index] {
                ready[after] = ready[after].max(ends[index]);
                waits[after] -= 1;
                if waits[after] == 0 {
                    open.push(Reverse((ready[after], after)));
                }
            }
        }
        ends
    }

    fn metrics(&self) -> Metrics {
        let ends = self.ends();
        let mut order: Vec<usize> = (0..self.all.len()).collect();
        order.sort_by_key(|&index| ends[index]);
        // by router and packet: slot after which it is there
        let mut there: Vec<Vec<Option<usize>>> = vec![vec![None; self.routers]; self.routers];
        (0..self.routers).for_each(|router| there[router][router] = Some(0));
        let (mut busy, mut redundant) = (BTreeMap::new(), 0);
        for index in order {
            let Message { link, packets, .. } = &self.all[index];
            *busy.entry(*link).or_insert(0) += packets.len();
            for &packet in packets {
                redundant += usize::from(there[link.1][packet].is_some());
                there[link.1][packet].get_or_insert(ends[index]);
            }
        }
        let last = |router: usize, packets: std::ops::Range<usize>| {
            packets.map(|packet| there[router][packet].unwrap_or(usize::MAX)).max().unwrap_or(0)
        };
        let times: Vec<usize> = (0..self.routers).map(|router| last(router, 0..self.routers)).collect();
        let first = |router: usize| router / self.group * self.group;
        let collected = (0..self.routers).map(|router| last(router, first(router)..first(router) + self.group));
        let routers = self.routers as f64;
        let max_time = times.iter().max().map_or(0.0, |&time| time as f64);
        Metrics {
            min_time: times.iter().min().map_or(0.0, |&time| time as f64),
            avg_time: times.iter().sum::<usize>() as f64 / routers,
            max_time,
            avg_packet: f64::from(redundant as u32) / routers,
            router_time: collected.sum::<usize>() as f64 / routers,
            avg_channel: 100.0 * busy.values().sum::<usize>() as f64 / (busy.len() as f64 * max_time),
        }
    }
}

fn add(held: &mut Held, (packets, after): &Held) {
    held.0.extend(packets);
    held.0.sort_unstable();
    held.0.dedup();
    held.1.extend(after);
}

/// The tree of RPC among `count` routers from `first` on, to router `root`.
fn routers(first: usize, count: usize, root: usize) -> Vec<(usize, Option<usize>)> {
    let parents = rpc(count, root - first);
    let depth = |router: usize| std::iter::successors(Some(router), |&at| parents[at]).count();
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by_key(|&router| depth(router));
    order.into_iter().map(|router| (first + router, parents[router].map(|parent| first + parent))).collect()
}

/// SFATA with a root.
///
/// # Errors
/// A sentence, if the tree does not have all routers.
pub fn sfata(net: &Galaxyfly, root: u32) -> Result<Metrics, String> {
    let mut messages = Messages::new(net.nodes(), net.routers() as usize);
    let tree = Tree::new(net, root)?.listed();
    let own = messages.own();
    let all = messages.collect(&tree, own);
    messages.spread(&tree, &all);
    Ok(messages.metrics())
}

/// RFATA with a root: RPC and RPD in every supernode, then SPC with RPD of each message that comes to a supernode, then SPD.
///
/// # Errors
/// A sentence, if the tree does not have all routers.
pub fn rfata(net: &Galaxyfly, root: u32) -> Result<Metrics, String> {
    let a = net.routers() as usize;
    let mut messages = Messages::new(net.nodes(), a);
    let order = spc(net, root / net.routers());
    let mut held = messages.own();
    let gate = |from: u32, to: u32| net.gateway(from, to).map_or(0, NodeId::index);
    for &(own, to) in &order {
        let tree = routers(own as usize * a, a, to.map_or(root as usize, |to| gate(own, to)));
        let all = messages.collect(&tree, held.clone());
        for (router, came) in messages.spread(&tree, &all) {
            held[router] = came;
        }
    }
    for &(own, to) in order.iter().rev() {
        let Some(to) = to else { continue };
        let [from, entry] = [gate(own, to), gate(to, own)];
        let came = messages.send((from, entry), &held[from]);
        for (router, came) in messages.spread(&routers(to as usize * a, a, entry), &came) {
            add(&mut held[router], &came);
        }
    }
    messages.spread(&Tree::new(net, root)?.listed(), &held[root as usize]);
    Ok(messages.metrics())
}

/// Metrics of A2A on a Dragonfly of `groups` groups, whose router 0 has the links to all others: RPC, exchange, RPD.
pub fn a2a(groups: usize, a: usize) -> Metrics {
    let mut messages = Messages::new(groups * a, a);
    let trees: Vec<_> = (0..groups).map(|group| routers(group * a, a, group * a)).collect();
    let own = messages.own();
    let collected: Vec<Held> = trees.iter().map(|tree| messages.collect(tree, own.clone())).collect();
    let mut all = collected.clone();
    for (from, to) in (0..groups).flat_map(|from| (0..groups).map(move |to| (from, to))).filter(|(s, t)| s != t) {
        let came = messages.send((from * a, to * a), &collected[from]);
        add(&mut all[to], &came);
    }
    for (tree, held) in trees.iter().zip(&all) {
        messages.spread(tree, held);
    }
    messages.metrics()
}
