//! Resources that take one word a cycle, and the bound that prices of them prove.
//!
//! A resource is a channel, or, where nodes use one port at a time, what a node sends, and what it receives. Put a price on every
//! resource, any integers that are not negative. The length of a channel is the sum of the prices of its resources. A word pays at
//! least the length of its shortest way, and in T cycles a resource of delay d takes at most T - d words, so that
//!
//!   Σ over words of (length of the shortest way) ≤ Σ over resources of price · max(0, T - d)
//!
//! for any schedule, whoever chose the prices. The smallest such T is a bound; with equal prices it is `capacity`.

use super::subject::{FAR, Listed, delay_of, usable};
use crate::collective::demand::Chunk;
use crate::id::NodeId;
use std::collections::BTreeMap;

/// Resources of a network for a demand.
pub(super) struct Resources {
    /// Resources that a word on a channel takes, by channel; the same one twice where there is only one.
    used: Vec<[usize; 2]>,
    /// Cycles in which a resource cannot be used, by resource; [`FAR`] if it can never be used.
    pub delays: Vec<u64>,
    /// Price of each resource in the bound `capacity`: 1 of a channel or of what a node sends, else 0; by resource.
    even: Vec<u64>,
}

impl Resources {
    /// The resources of a subject.
    pub fn of(listed: &Listed<'_>) -> Self {
        let (nodes, channels) = (listed.nodes(), &listed.channels);
        let (mut from, mut to) = (vec![false; nodes], vec![false; nodes]);
        for chunk in &listed.subject.demand.chunks {
            chunk.from.iter().for_each(|node| from[node.index()] = true);
            chunk.to.iter().for_each(|node| to[node.index()] = true);
        }
        let (since, until) = usable(listed, &from, &to);
        let delays: Vec<u64> = channels.iter().map(|&channel| delay_of(channel, &since, &until)).collect();
        if !listed.subject.one_port {
            let used = (0..channels.len()).map(|channel| [channel; 2]).collect();
            return Self { used, even: vec![1; delays.len()], delays };
        }
        let mut of_nodes = vec![FAR; 2 * nodes];
        let used: Vec<[usize; 2]> = channels.iter().map(|channel| [channel.src, nodes + channel.dst]).collect();
        for (ends, &delay) in used.iter().zip(&delays) {
            ends.iter().for_each(|&end| of_nodes[end] = of_nodes[end].min(delay));
        }
        let even = (0..2 * nodes).map(|resource| u64::from(resource < nodes)).collect();
        Self { used, delays: of_nodes, even }
    }

    /// Prices in the bound `capacity`: 1 for each channel, or 1 for the send port of each node.
    pub fn even(&self) -> &[u64] {
        &self.even
    }

    /// Number of resources that are of use.
    pub fn count(&self, prices: &[u64]) -> usize {
        self.delays.iter().zip(prices).filter(|&(&delay, &price)| delay < FAR && price > 0).count()
    }

    /// Sum of the prices of resources that are of use.
    pub fn total(&self, prices: &[u64]) -> u64 {
        self.delays.iter().zip(prices).filter(|(delay, _)| **delay < FAR).map(|(_, price)| price).sum()
    }

    /// Length of each channel: the sum of the `prices` of its resources; by channel.
    pub fn lengths(&self, prices: &[u64]) -> Vec<u64> {
        let length = |&[a, b]: &[usize; 2]| prices[a] + if a == b { 0 } else { prices[b] };
        self.used.iter().map(length).collect()
    }

    /// Load of each resource: the sum of what its channels carry; by resource.
    pub fn loads(&self, channels: &[f64]) -> Vec<f64> {
        let mut loads = vec![0.0; self.delays.len()];
        for (&[a, b], load) in self.used.iter().zip(channels) {
            loads[a] += load;
            if a != b {
                loads[b] += load;
            }
        }
        loads
    }

    /// Fewest cycles in which the resources take words that pay so much.
    pub fn cycles(&self, prices: &[u64], paid: u128) -> u64 {
        cycles_of(paid, self.delays.iter().copied().zip(prices.iter().copied()))
    }
}

/// Length that all words together go at least, by the lengths of channels.
pub(super) fn paid(listed: &Listed<'_>, lengths: &[u64]) -> u128 {
    let least = lengths.iter().copied().min().unwrap_or(0);
    let mut cheapest = vec![FAR; listed.nodes()];
    for (channel, &length) in listed.channels.iter().zip(lengths) {
        cheapest[channel.dst] = cheapest[channel.dst].min(length);
    }
    let mut ways: BTreeMap<NodeId, Vec<u64>> = BTreeMap::new();
    let mut sum = 0;
    for chunk in &listed.subject.demand.chunks {
        let [from] = chunk.from[..] else {
            sum += u128::from(combined(chunk)) * u128::from(least);
            continue;
        };
        let ways =
            ways.entry(from).or_insert_with(|| listed.ways([from.index()], true, |channel| lengths[channel.number]));
        let ends = chunk.to.iter().filter(|&&to| to != from && ways[to.index()] < FAR);
        let (mut entered, mut farthest) = (0, 0);
        for to in ends {
            (entered, farthest) = (entered + u128::from(cheapest[to.index()]), farthest.max(ways[to.index()]));
        }
        sum += entered.max(farthest.into());
    }
    sum
}

/// Least number of channels that a combination crosses. Every node that has a word sends one, unless it alone wants the
/// result; every node that wants the result gets one. If all n nodes that have a word want the result, n - 1 channels
/// are crossed before any node has all words. Then one more is crossed for each other node that wants it.
fn combined(chunk: &Chunk) -> u64 {
    let others = |of: &[NodeId], than: &[NodeId]| match than {
        [one] => of.iter().filter(|node| *node != one).count() as u64,
        _ => of.len() as u64,
    };
    match chunk.from.iter().all(|node| chunk.to.contains(node)) {
        true => 2 * (chunk.from.len() as u64 - 1) + (chunk.to.len() - chunk.from.len()) as u64,
        false => others(&chunk.from, &chunk.to).max(others(&chunk.to, &chunk.from)),
    }
}

/// The fewest cycles T such that resources, each with its delay and its price, take words that pay so much: each takes T - delay
/// words.
pub(super) fn cycles_of(paid: u128, priced: impl Iterator<Item = (u64, u64)>) -> u64 {
    let mut priced: Vec<(u64, u64)> = priced.filter(|&(delay, price)| delay < FAR && price > 0).collect();
    if paid == 0 || priced.is_empty() {
        return 0;
    }
    priced.sort_unstable();
    // with the first n resources in use, price · T = paid + Σ price · delay
    let (mut price, mut owed) = (0_u128, paid);
    for (place, &(delay, own)) in priced.iter().enumerate() {
        price += u128::from(own);
        owed += u128::from(own) * u128::from(delay);
        let cycles = owed.div_ceil(price);
        if priced.get(place + 1).is_none_or(|next| cycles <= u128::from(next.0)) {
            return u64::try_from(cycles).unwrap_or(u64::MAX);
        }
    }
    0
}
