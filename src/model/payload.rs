//! The words of a collective in the order in which its model shows them, so that filling a block reads memory in order.

use super::walk::Walk;
use crate::lower::{PointKind, Registers};

/// Words of a collective, parity included: by network, pass, move, batch and sender. Only a [`Model`](super::Model) makes them.
#[derive(Debug, Clone)]
pub struct Payload {
    words: Widths,
    /// Words of a network, and of a pass of it.
    network: usize,
    pass: usize,
    /// True if a parity bit stands above 64 bits of data.
    parity_above: bool,
    mask: u64,
    /// Place of the parity bit, if it stands in the first word.
    parity_at: Option<u32>,
}

#[derive(Debug, Clone)]
enum Widths {
    Narrow(Vec<u32>),
    Wide(Vec<u64>),
}

impl Payload {
    /// Empty payload with room for `passes` passes.
    pub(super) fn new(fabric: &dyn Registers, walk: &Walk, passes: usize) -> Self {
        let bits = fabric.data_bits;
        Self {
            words: if fabric.payload_bits() <= 32 { Widths::Narrow(Vec::new()) } else { Widths::Wide(Vec::new()) },
            network: walk.words() * passes,
            pass: walk.words(),
            parity_above: fabric.parity && bits == 64,
            mask: u64::MAX >> (64 - bits),
            parity_at: (fabric.parity && bits < 64).then_some(bits),
        }
    }

    /// Adds the next word.
    pub(super) fn push(&mut self, word: u64) {
        let word = word & self.mask;
        let word = word | self.parity_at.map_or(0, |at| u64::from(word.count_ones() & 1) << at);
        match &mut self.words {
            Widths::Narrow(words) => words.push(word as u32),
            Widths::Wide(words) => words.push(word),
        }
    }

    /// Puts the words of a pass of a network that are shown in a cycle into a block.
    pub(super) fn fill(
        &self,
        walk: &Walk,
        kind: PointKind,
        [network, pass]: [usize; 2],
        cycle: u64,
        block: &mut [u64],
    ) {
        let start = network * self.network + pass * self.pass;
        match &self.words {
            Widths::Narrow(words) => walk.fill(kind, cycle, &words[start..][..self.pass], false, block),
            Widths::Wide(words) => walk.fill(kind, cycle, &words[start..][..self.pass], self.parity_above, block),
        }
    }
}
