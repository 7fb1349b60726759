//! Plans: the transfers of all chunks, from which programs are made, and the order in which they must follow one
//! another.
//!
//! A chunk of one source goes out along a tree. A combination first comes together: its *sums* lead along a tree
//! towards its root, where the last of them meet, and from there it goes out.

use super::channels::Channels;

/// Crossing of a channel by a chunk, or by a part of its combination.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Transfer {
    /// Chunk.
    pub chunk: u32,
    /// Channel.
    pub channel: u32,
    /// True of a part of a combination on its way to the root.
    pub sum: bool,
    /// Cycle of entry.
    pub cycle: u32,
}

/// Transfers of all chunks.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Plan {
    /// Transfers, grouped by chunk in ascending order.
    pub transfers: Vec<Transfer>,
}

/// Lists of numbers, one after the other.
#[derive(Debug, Clone, Default)]
pub(super) struct Lists {
    first: Vec<u32>,
    all: Vec<u32>,
}

impl Lists {
    /// Lists in this order.
    pub fn new(lists: &[Vec<u32>]) -> Self {
        let ends = lists.iter().scan(0, |end, list| {
            *end += list.len() as u32;
            Some(*end)
        });
        Self { first: std::iter::once(0).chain(ends).collect(), all: lists.concat() }
    }

    /// List `index`.
    pub fn of(&self, index: usize) -> &[u32] {
        &self.all[self.first[index] as usize..self.first[index + 1] as usize]
    }

    /// The lists of those in whose list each is.
    pub fn turned(&self) -> Self {
        let count = self.first.len() - 1;
        let mut first = vec![0; count + 1];
        self.all.iter().for_each(|&to| first[to as usize + 1] += 1);
        (0..count).for_each(|i| first[i + 1] += first[i]);
        let (mut next, mut all) = (first.clone(), vec![0; self.all.len()]);
        for from in 0..count {
            for &to in self.of(from) {
                all[next[to as usize] as usize] = from as u32;
                next[to as usize] += 1;
            }
        }
        Self { first, all }
    }
}

impl Plan {
    /// A plan of transfers in any order.
    pub fn new(mut transfers: Vec<Transfer>) -> Self {
        transfers.sort_by_key(|transfer| transfer.chunk);
        Self { transfers }
    }

    /// The first cycle at whose start all is in place.
    pub fn cycles(&self, net: &Channels) -> u32 {
        let end = |transfer: &Transfer| transfer.cycle + net.latency[transfer.channel as usize];
        self.transfers.iter().map(end).max().unwrap_or(0)
    }

    /// Plan in reversed time on the reversed channels: a broadcast becomes a combination.
    pub fn reversed(&self, net: &Channels) -> Self {
        let cycles = self.cycles(net);
        let turn = |&transfer: &Transfer| {
            let cycle = cycles - transfer.cycle - net.latency[transfer.channel as usize];
            Transfer { cycle, sum: !transfer.sum, ..transfer }
        };
        Self { transfers: self.transfers.iter().map(turn).collect() }
    }

    /// Transfers that must have arrived before each transfer starts, by transfer.
    pub fn before(&self, net: &Channels) -> Lists {
        const NONE: u32 = u32::MAX;
        let mut lists = Lists { first: vec![0], all: Vec::new() };
        // by node, of one chunk: the transfer by which it came out, and those of sums
        let (mut out, mut sums) = (vec![NONE; net.nodes()], vec![Vec::new(); net.nodes()]);
        let mut first = 0;
        for chunk in self.transfers.chunk_by(|a, b| a.chunk == b.chunk) {
            for (index, transfer) in (first..).zip(chunk) {
                let to = net.dst[transfer.channel as usize] as usize;
                if transfer.sum { sums[to].push(index) } else { out[to] = index }
            }
            for transfer in chunk {
                let from = net.src[transfer.channel as usize] as usize;
                match out[from] {
                    came if !transfer.sum && came != NONE => lists.all.push(came),
                    _ => lists.all.extend(&sums[from]),
                }
                lists.first.push(lists.all.len() as u32);
            }
            for transfer in chunk {
                let to = net.dst[transfer.channel as usize] as usize;
                out[to] = NONE;
                sums[to].clear();
            }
            first += chunk.len() as u32;
        }
        lists
    }
}
