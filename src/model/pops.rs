//! Couplers and processors by the paper's rules: in its slot a packet is on the coupler between two groups, word after word, and a
//! processor that reads the coupler has each word a cycle later. What is followed are the hops of the checked schedule.

use super::layout::{Layout, Point, PointKind};
use super::put_word;
use crate::lower::bits::BitRow;
use crate::lower::{PopsFrame, PopsLowered};
use crate::schedule::pops::Hop;
use std::ops::Range;

/// Cycles from the first beat of a slot to its first word on the couplers.
const COUPLER_CYCLES: u64 = 3;
/// Cycles from there to the receivers.
const RECEIVE_CYCLES: u64 = 1;

/// Packets between processors.
#[derive(Debug)]
pub(super) struct Couplers {
    frame: PopsFrame,
    layout: Layout,
    hops: Vec<Hop>,
    /// The hops of each row of the programs.
    rows: Vec<Range<usize>>,
    /// What says at a point that a word is there.
    valid: Vec<u64>,
    pass_cycles: u64,
}

impl Couplers {
    pub(super) fn new(lowered: &PopsLowered, layout: &Layout) -> Self {
        let hops = lowered.schedule.schedule().hops.clone();
        let mut rows = vec![0..0; lowered.rows as usize];
        let mut at = 0;
        for same in hops.chunk_by(|a, b| a.slot == b.slot) {
            rows[lowered.slot_rows[same[0].slot as usize] as usize] = at..at + same.len();
            at += same.len();
        }
        let (frame, pass_cycles) = (lowered.frame.clone(), lowered.pass_cycles.into());
        let width = frame.payload_bits() as usize;
        let mut valid = BitRow::zero(width + 1);
        valid.set(width, 1, 1);
        Self { frame, layout: *layout, hops, rows, valid: valid.pieces(64), pass_cycles }
    }

    /// Cycles from one collective to the earliest next.
    pub(super) fn pass_cycles(&self) -> u64 {
        self.pass_cycles
    }

    /// Cycles to the last arrival.
    pub(super) fn cycles(&self) -> u64 {
        self.rows.len() as u64 * u64::from(self.frame.slot_cycles) + COUPLER_CYCLES + RECEIVE_CYCLES
    }

    /// Hops of packets in a collective.
    pub(super) fn len(&self) -> usize {
        self.hops.len()
    }

    /// Adds what is shown in a cycle; `words` are those of packets, one packet after the other.
    pub(super) fn add(&self, kind: PointKind, cycle: u64, words: &[u64], block: &mut [u64]) {
        let slot_cycles = u64::from(self.frame.slot_cycles);
        let late = match kind {
            PointKind::Channel => COUPLER_CYCLES,
            PointKind::Receive => COUPLER_CYCLES + RECEIVE_CYCLES,
        };
        let Some(beat) = cycle.checked_sub(late) else { return };
        let Some(range) = self.rows.get((beat / slot_cycles) as usize) else { return };
        let net = self.frame.network;
        for hop in &self.hops[range.clone()] {
            let (a, b) = (net.group(hop.from), net.group(hop.to));
            let point = match kind {
                PointKind::Channel => Point { tile: (b as usize).into(), port: a as usize, kind },
                PointKind::Receive => Point { tile: (hop.to as usize).into(), port: 0, kind },
            };
            let shown = &mut block[self.layout.range(point)];
            shown.iter_mut().zip(&self.valid).for_each(|(shown, valid)| *shown |= valid);
            put_word(
                &self.frame,
                shown,
                words[hop.packet as usize * slot_cycles as usize + (beat % slot_cycles) as usize],
            );
        }
    }
}
