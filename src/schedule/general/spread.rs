//! Spreading: words that go from one node each to some others, the form to which every demand is reduced.

use super::channels::Channels;

/// A word and where it goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Word {
    /// Chunk.
    pub chunk: u32,
    /// Node that has it.
    pub from: u32,
    /// Nodes that are to have it, without `from`.
    pub to: Vec<u32>,
}

/// Lower bound on the cycles of these words: by the channels of a node, by the longest route, or by all channels
/// together. None if a destination cannot be reached.
pub(super) fn least(net: &Channels, words: &[Word]) -> Option<u32> {
    let (mut out, mut into) = (vec![0_u32; net.nodes()], vec![0_u32; net.nodes()]);
    let (mut farthest, mut crossings) = (0, 0_u64);
    let mut distances: Vec<Option<Vec<u32>>> = vec![None; net.nodes()];
    for word in words.iter().filter(|word| !word.to.is_empty()) {
        out[word.from as usize] += 1;
        let distance = distances[word.from as usize].get_or_insert_with(|| net.distances(word.from));
        let longest = word.to.iter().map(|&to| distance[to as usize]).max().unwrap_or(0);
        // with latencies of more than a cycle the longest way says less than its cycles
        let hops = longest.checked_div(net.latency.iter().copied().max().unwrap_or(1)).unwrap_or(0);
        crossings += u64::from(hops.max(word.to.len() as u32));
        for &to in &word.to {
            into[to as usize] += 1;
            farthest = farthest.max(distance[to as usize]);
        }
    }
    let busiest = |owed: &[u32], channels: &[Vec<u32>]| {
        let cycles = owed.iter().zip(channels).filter(|(owed, _)| **owed > 0).map(|(&owed, channels)| {
            let least = channels.iter().map(|&channel| net.latency[channel as usize]).min().unwrap_or(1);
            owed.div_ceil(if net.one { 1 } else { channels.len().max(1) as u32 }) + least - 1
        });
        cycles.max().unwrap_or(0)
    };
    let capacity = crossings.div_ceil(if net.one { net.nodes() } else { net.count() }.max(1) as u64) as u32;
    (farthest < super::channels::FAR)
        .then(|| farthest.max(capacity).max(busiest(&out, &net.out)).max(busiest(&into, &net.into)))
}
