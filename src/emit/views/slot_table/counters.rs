//! Rows made by counters as the template of a tile sees them.

use crate::lower::slot_table::{Field, Layout, Way};

/// Bits of a row, and the signals of which they are made.
pub(super) struct MadeBits {
    /// First bit in a row.
    pub at: u32,
    pub width: u32,
    /// Words of the bank of an address.
    pub depth: u32,
    /// First bit of its stride.
    pub stride: u32,
    /// Value of the bits; of an address that is counted, the bits of which one is set where it is used.
    pub value: String,
}

/// Counters of a tile.
pub(super) struct CountersView {
    pub stored_bits: u32,
    pub loop_bits: u32,
    pub end_bits: u32,
    pub turn_bits: u32,
    /// Bits of the strides with those of the begin of a turn, a loop and a collective.
    pub stride_bits: u32,
    /// Bits of a row that are stored, or zero.
    pub bits: Vec<MadeBits>,
    pub strided: Vec<MadeBits>,
    pub counted: Vec<MadeBits>,
}

impl CountersView {
    pub(super) fn new(layout: &Layout) -> Self {
        let mut view = Self {
            stored_bits: layout.stored_bits(),
            loop_bits: layout.loop_bits,
            end_bits: layout.end.width,
            turn_bits: layout.turns.width,
            stride_bits: layout.loop_bits - below(layout) + 3,
            bits: Vec::new(),
            strided: Vec::new(),
            counted: Vec::new(),
        };
        let mut made = vec![false; layout.row_bits as usize];
        for ((address, way), stride) in layout.addresses.iter().zip(&layout.strides) {
            let Field { at, width } = address.field;
            let of = |value| MadeBits { at, width, depth: address.depth, stride: stride.at - below(layout) + 3, value };
            match way {
                Way::Strided => {
                    let digits: Vec<String> = (at..at + width).rev().map(|bit| digit(layout, bit)).collect();
                    view.strided.push(of(digits.join(", ")));
                }
                Way::Counted => {
                    let uses: Vec<String> = address.uses.iter().rev().map(|&bit| digit(layout, bit)).collect();
                    view.counted.push(of(uses.join(", ")));
                }
                Way::Fixed | Way::Stored => continue,
            }
            (at..at + width).for_each(|bit| made[bit as usize] = true);
        }
        view.bits = plain(layout, &made);
        view
    }
}

/// Bits of a loop below its strides.
fn below(layout: &Layout) -> u32 {
    1 + layout.end.width + layout.turns.width
}

/// A bit of a row in the stored row, or zero.
fn digit(layout: &Layout, bit: u32) -> String {
    layout.stored.binary_search(&bit).map_or("1'b0".into(), |at| format!("stored[{at}]"))
}

/// Runs of bits of a row that are stored one after the other, or are zero.
fn plain(layout: &Layout, made: &[bool]) -> Vec<MadeBits> {
    let mut runs: Vec<(u32, u32, Option<usize>)> = Vec::new();
    for bit in (0..layout.row_bits).filter(|&bit| !made[bit as usize]) {
        let from = layout.stored.binary_search(&bit).ok();
        match runs.last_mut() {
            Some((at, width, first)) if *at + *width == bit && from == first.map(|first| first + *width as usize) => {
                *width += 1;
            }
            _ => runs.push((bit, 1, from)),
        }
    }
    let of = |(at, width, from): (u32, u32, Option<usize>)| {
        let value = from.map_or(format!("{width}'d0"), |from| format!("stored[{from}+:{width}]"));
        MadeBits { at, width, depth: 0, stride: 0, value }
    };
    runs.into_iter().map(of).collect()
}
