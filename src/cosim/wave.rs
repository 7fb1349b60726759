//! Waveforms of a recording of the hardware: top signals and channels, cycle by cycle.

use crate::lower::{Layout, Registers};
use crate::output::waveform::{self, Change, Signal};
use std::collections::HashMap;
use std::io::{self, Write};
use std::ops::Range;

pub use crate::output::waveform::Format;

/// Recorded cycles, with the words of each.
#[derive(Debug)]
pub struct Recording {
    first: u64,
    signals: Vec<(&'static str, u32)>,
    cycles: Vec<(Vec<u64>, Vec<u64>)>,
}

/// Place of a signal in a recorded cycle: a signal of the top, or words of a block.
enum Source {
    Top(usize),
    /// Words of a block, and the lowest bit in them.
    Block(Range<usize>, u32),
}

impl Source {
    /// Value in a cycle, highest bit first.
    fn value(&self, bits: u32, (block, top): &(Vec<u64>, Vec<u64>)) -> Vec<u8> {
        let (words, from) = match self {
            Source::Top(index) => (&top[*index..=*index], 0),
            Source::Block(range, from) => (&block[range.clone()], *from),
        };
        let bits = (from as usize..(from + bits) as usize).rev();
        bits.map(|bit| if words[bit / 64] >> (bit % 64) & 1 == 1 { b'1' } else { b'0' }).collect()
    }
}

/// Width of the counter of cycles, in bits.
const CYCLE_BITS: u32 = 64;

impl Recording {
    pub(super) fn new(first: u64, signals: Vec<(&'static str, u32)>) -> Self {
        Self { first, signals, cycles: Vec::new() }
    }

    pub(super) fn push(&mut self, block: Vec<u64>, top: Vec<u64>) {
        self.cycles.push((block, top));
    }

    /// The cycles that were recorded.
    pub fn range(&self) -> std::ops::Range<u64> {
        self.first..self.first + self.cycles.len() as u64
    }

    fn list(&self, fabric: &dyn Registers, layout: &Layout) -> (Vec<Signal>, Vec<Source>) {
        let top = self.signals.iter().enumerate().map(|(i, (name, bits))| {
            (Signal { scope: "mn_top".to_owned(), name: (*name).to_owned(), bits: *bits }, Source::Top(i))
        });
        let mut points: Vec<_> = layout.points().collect();
        // a scope's signals side by side
        let mut scopes = HashMap::new();
        points.sort_by_cached_key(|&point| {
            let next = scopes.len();
            *scopes.entry(fabric.signal(point).0).or_insert(next)
        });
        let points = points.into_iter().flat_map(|point| {
            let (scope, name) = fabric.signal(point);
            let words = layout.range(point);
            let fields = fabric.fields(point).into_iter().map({
                let (scope, name, words) = (scope.clone(), name.clone(), words.clone());
                move |(field, bits)| {
                    let signal =
                        Signal { scope: scope.clone(), name: format!("{name}_{field}"), bits: bits.len() as u32 };
                    (signal, Source::Block(words.clone(), bits.start))
                }
            });
            let whole = (Signal { scope, name, bits: layout.bits(point) as u32 }, Source::Block(words, 0));
            std::iter::once(whole).chain(fields)
        });
        top.chain(points).unzip()
    }

    /// View of the waveform in a file of this name, for GTKWave.
    pub fn view(&self, file: &str, fabric: &dyn Registers, layout: &Layout) -> String {
        let signals = self.list(fabric, layout).0;
        waveform::view(file, waveform::clock(CYCLE_BITS).into_iter().chain(signals))
    }

    /// Writes a waveform in which a cycle is 10 ns: clock and counter of cycles since reset, signals of the top, then each channel as a
    /// whole and field by field. A cycle begins with the rising edge of the clock.
    ///
    /// # Errors
    /// If `out` cannot be written to.
    pub fn write(
        &self,
        out: &mut dyn Write,
        format: Format,
        fabric: &dyn Registers,
        layout: &Layout,
    ) -> io::Result<()> {
        let (signals, sources) = self.list(fabric, layout);
        let all: Vec<Signal> = waveform::clock(CYCLE_BITS).into_iter().chain(signals.iter().cloned()).collect();
        let mut last: Vec<Vec<u8>> = vec![Vec::new(); signals.len()];
        let steps = self.cycles.iter().zip(self.range()).flat_map(|(cycle, number)| {
            let mut changed: Vec<Change> = Vec::new();
            for (i, (signal, source)) in signals.iter().zip(&sources).enumerate() {
                let value = source.value(signal.bits, cycle);
                if value != last[i] {
                    last[i].clone_from(&value);
                    changed.push((all.len() - signals.len() + i, value));
                }
            }
            waveform::cycle(number, CYCLE_BITS, changed)
        });
        waveform::write(out, format, &all, steps)
    }
}
