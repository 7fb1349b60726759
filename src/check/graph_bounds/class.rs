//! Channels of one class, such as those between the parts of a network: words between parts cross some of them on any way.

use super::resources::cycles_of;
use super::subject::{Channel, FAR, Listed};
use std::collections::BTreeMap;

/// Crossings of the channels of a class.
pub(super) struct Crossed {
    /// Crossings that no way avoids.
    pub crossings: u64,
    /// Example channel of the class.
    pub example: Channel,
    /// Channels, or, where a node sends one word a cycle, nodes that have one.
    pub count: usize,
    /// Cycles that the crossings take.
    pub cycles: u64,
}

/// The class whose channels take most cycles, if the channels are of several classes.
pub(super) fn busiest(listed: &Listed<'_>) -> Option<Crossed> {
    let mut examples: BTreeMap<usize, Channel> = BTreeMap::new();
    for &channel in &listed.channels {
        examples.entry(channel.class).or_insert(channel);
    }
    let several = (examples.len() > 1).then_some(examples)?;
    several.into_values().map(|example| crossed(listed, example)).max_by_key(|crossed| crossed.cycles)
}

/// Crossings of the channels of the class of one.
fn crossed(listed: &Listed<'_>, example: Channel) -> Crossed {
    let is_own = |channel: &Channel| channel.class == example.class;
    let mut least = BTreeMap::new();
    let mut crossings = 0;
    for chunk in &listed.subject.demand.chunks {
        let Some(&from) = chunk.from.first() else { continue };
        let ways = || listed.ways([from.index()], true, |channel| u64::from(is_own(&channel)));
        let least = least.entry(from).or_insert_with(ways);
        let ends = chunk.to.iter().map(|to| least[to.index()]);
        crossings += ends.filter(|&count| count < FAR).max().unwrap_or(0);
    }
    // a node that sends one word a cycle counts once
    let mut delays: BTreeMap<(usize, usize), u64> = BTreeMap::new();
    for (number, channel) in listed.channels.iter().filter(|channel| is_own(channel)).enumerate() {
        let key = if listed.subject.one_port { (channel.src, 0) } else { (channel.src, number) };
        let delay = delays.entry(key).or_insert(FAR);
        *delay = (*delay).min(channel.latency - 1);
    }
    let cycles = cycles_of(crossings.into(), delays.values().map(|&delay| (delay, 1)));
    Crossed { crossings, example, count: delays.len(), cycles }
}
