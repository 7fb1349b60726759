//! Cuts: a set of nodes that words must enter, over the channels that lead into it.

use super::resources::cycles_of;
use super::subject::{FAR, Listed, delay_of, usable};
use crate::collective::demand::Chunk;

/// A set of nodes, and the bound that it gives. Whoever doubts the bound counts again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Cut {
    /// Membership of each node, by node: true inside the cut.
    pub inside: Vec<bool>,
    /// Node inside to which all of the words must come, if the bound is that of one node.
    pub owed: Option<usize>,
    /// Words that must enter.
    pub words: u64,
    /// Channels that lead into the set, or nodes behind them where a node receives one packet a cycle.
    pub channels: u64,
    /// Cycles that it takes.
    pub cycles: u64,
}

/// True if a word of the chunk must enter the set: some node inside wants it, and not all of its words are inside.
fn enters(chunk: &Chunk, inside: &[bool]) -> bool {
    let wanted = chunk.to.iter().any(|node| inside[node.index()]);
    wanted
        && if chunk.from.len() > 1 {
            chunk.from.iter().any(|node| !inside[node.index()])
        } else {
            !inside[chunk.from[0].index()]
        }
}

/// The bound of a set: that of the words that must enter, or of those among them that one node inside is owed, if that is larger.
pub(super) fn cut(listed: &Listed<'_>, inside: Vec<bool>) -> Cut {
    let all = entering(listed, inside, None);
    match farthest(listed, &all.inside) {
        None => all,
        Some(node) => {
            let one = entering(listed, all.inside.clone(), Some(node));
            if one.cycles > all.cycles { one } else { all }
        }
    }
}

/// The node of a set that is farthest from the channels that lead into the set, if words over some of them must go on to it.
fn farthest(listed: &Listed<'_>, inside: &[bool]) -> Option<usize> {
    let mut gates: Vec<usize> =
        listed.channels.iter().filter(|c| inside[c.dst] && !inside[c.src]).map(|channel| channel.dst).collect();
    gates.sort_unstable();
    let count = |node: usize| gates.partition_point(|&gate| gate <= node) - gates.partition_point(|&gate| gate < node);
    let away = listed.ways(gates.iter().copied(), true, |channel| channel.latency);
    let members = (0..inside.len()).filter(|&node| inside[node] && away[node] < FAR);
    members.max_by_key(|&node| (away[node], std::cmp::Reverse(count(node)))).filter(|_| gates.first() != gates.last())
}

/// The bound of the words that must enter a set; of those alone that one node inside is owed, if it is given.
fn entering(listed: &Listed<'_>, inside: Vec<bool>, only: Option<usize>) -> Cut {
    let (mut from, mut to) = (vec![false; listed.nodes()], vec![false; listed.nodes()]);
    let mut words = 0;
    let owed = |chunk: &&Chunk| only.is_none_or(|node| chunk.to.binary_search(&node.into()).is_ok());
    for chunk in listed.subject.demand.chunks.iter().filter(|chunk| enters(chunk, &inside)).filter(owed) {
        words += 1;
        chunk.from.iter().filter(|node| !inside[node.index()]).for_each(|node| from[node.index()] = true);
        chunk.to.iter().filter(|node| inside[node.index()]).for_each(|node| to[node.index()] = true);
    }
    if let Some(node) = only {
        to.fill(false);
        to[node] = words > 0;
    }
    let (since, until) = usable(listed, &from, &to);
    let crossing = listed.channels.iter().filter(|channel| inside[channel.dst] && !inside[channel.src]);
    let delayed = crossing.map(|&channel| (channel.src, channel.dst, delay_of(channel, &since, &until)));
    let mut delays: Vec<(usize, usize, u64)> = delayed.filter(|delay| delay.2 < FAR).collect();
    if listed.subject.one_port {
        // a node sends one and receives one: those on the side with fewer nodes say more
        let best = |by: fn(&(usize, usize, u64)) -> usize| {
            let mut sorted = delays.clone();
            sorted.sort_by_key(|delay| (by(delay), delay.2));
            sorted.dedup_by_key(|delay| by(delay));
            sorted
        };
        let (senders, receivers) = (best(|delay| delay.0), best(|delay| delay.1));
        delays = if senders.len() < receivers.len() { senders } else { receivers };
    }
    let cycles = cycles_of(words.into(), delays.iter().map(|delay| (delay.2, 1)));
    Cut { inside, owed: only, words, channels: delays.len() as u64, cycles }
}
