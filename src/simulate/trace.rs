//! Trace of a run: every word that enters a channel, as a waveform.

use super::Data;
use crate::id::NodeId;
use crate::output::waveform::{self, Change, Format, Signal, number};
use crate::program::{Operation, Program};
use crate::topology::Topology;
use std::collections::HashMap;
use std::io::{self, Write};

/// Most crossings of a trace.
const MAX_CROSSINGS: u64 = 1 << 24;

/// Width of the signals `cycle` and `source`, in bits.
const NUMBER_BITS: u32 = 32;

/// Error of a program with more crossings than a trace holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a pass has {crossings} crossings of channels, and a waveform holds up to {MAX_CROSSINGS}")]
pub struct TooLong {
    /// Crossings of a pass, loopbacks included.
    pub crossings: u64,
}

/// Crossing of a channel by a word.
struct Crossing {
    cycle: u32,
    node: NodeId,
    port: u32,
    source: NodeId,
    word: u64,
}

/// Data of a run that records the crossings of its first pass.
pub struct Trace<'a, D> {
    data: &'a mut D,
    crossings: Vec<Crossing>,
}

impl<'a, D: Data> Trace<'a, D> {
    /// A trace of the run of a program on `nodes` nodes.
    ///
    /// # Errors
    /// [`TooLong`] above 2²⁴ crossings.
    pub fn new(data: &'a mut D, program: &Program, nodes: usize) -> Result<Self, TooLong> {
        let of = |m: &crate::program::Move| {
            let batches = u64::from(program.values[m.value as usize].batches);
            m.who.nodes(nodes).count() as u64 * m.hops.len() as u64 * batches
        };
        match program.moves.iter().map(of).sum() {
            crossings if crossings > MAX_CROSSINGS => Err(TooLong { crossings }),
            crossings => Ok(Self { data, crossings: Vec::with_capacity(crossings as usize) }),
        }
    }

    /// Writes the waveform: clock and cycle counter, then three signals for each channel. `valid` is 1 if a word enters
    /// the channel; then the word, and `source`, the index of the node that sent it. The last two are `x` without a
    /// word. Cycle t begins at t · 10 ns with the rising edge of the clock. `bits` is the width of a word; loopbacks
    /// are left out.
    ///
    /// # Errors
    /// If `out` cannot be written to.
    pub fn write<T>(&self, out: &mut dyn Write, format: Format, net: &T, bits: u32) -> io::Result<()>
    where
        T: Topology + ?Sized,
    {
        let (signals, first) = Self::signals(net, bits);
        waveform::write(out, format, &signals, self.steps(&first, bits))
    }

    /// View of the waveform in a file of this name, for GTKWave.
    pub fn view<T: Topology + ?Sized>(&self, file: &str, net: &T, bits: u32) -> String {
        waveform::view(file, Self::signals(net, bits).0)
    }

    /// Signals of the waveform, and the index of `valid` of each channel.
    fn signals<T: Topology + ?Sized>(net: &T, bits: u32) -> (Vec<Signal>, HashMap<(NodeId, u32), usize>) {
        let mut signals = Vec::from(waveform::clock(NUMBER_BITS));
        let mut first = HashMap::new();
        for node in (0..net.nodes()).map(NodeId::from) {
            for port in (0..net.ports_of(node)).filter(|&port| net.neighbour(node, port) != node) {
                first.insert((node, port as u32), signals.len());
                let mut name = net.port_name(port).replace(' ', "_");
                if name.starts_with(|first: char| first.is_ascii_digit()) {
                    name.insert_str(0, "port_");
                }
                let signal =
                    |what: &str, bits| Signal { scope: scope(net, node), name: format!("{name}_{what}"), bits };
                signals.extend([signal("valid", 1), signal("word", bits), signal("source", NUMBER_BITS)]);
            }
        }
        (signals, first)
    }

    /// Times in ns, with the signals that change; `first` is a channel's signal `valid`, before its `word` and `source`.
    fn steps(&self, first: &HashMap<(NodeId, u32), usize>, bits: u32) -> impl Iterator<Item = (u64, Vec<Change>)> {
        let idle = move |valid: usize| {
            let unknown = |bits: u32| vec![b'x'; bits as usize];
            [(valid, number(0, 1)), (valid + 1, unknown(bits)), (valid + 2, unknown(NUMBER_BITS))]
        };
        // one cycle more, in which the last words are gone
        let cycles = self.crossings.last().map_or(0, |last| last.cycle + 2);
        let mut carrying: Vec<usize> = first.values().copied().collect();
        carrying.sort_unstable();
        let mut left = &self.crossings[..];
        (0..cycles).flat_map(move |cycle| {
            let (now, later) = left.split_at(left.partition_point(|crossing| crossing.cycle == cycle));
            left = later;
            let mut changes: Vec<Change> = carrying.drain(..).flat_map(idle).collect();
            for crossing in now {
                let Some(&valid) = first.get(&(crossing.node, crossing.port)) else { continue };
                let source = number(crossing.source.get().into(), NUMBER_BITS);
                changes.extend([(valid, number(1, 1)), (valid + 1, number(crossing.word, bits)), (valid + 2, source)]);
                carrying.push(valid);
            }
            // of two changes at one time the later one counts
            changes.sort_by_key(|change| change.0);
            changes.reverse();
            changes.dedup_by_key(|change| change.0);
            waveform::cycle(cycle.into(), NUMBER_BITS, changes)
        })
    }
}

/// Scope of a node: `node_0_1_2`, or its kind before the coordinates.
fn scope<T: Topology + ?Sized>(net: &T, node: NodeId) -> String {
    let coordinates = net.label(node).into_iter().map(|part| part.to_string());
    let parts: Vec<String> = std::iter::once(net.tag(node).unwrap_or("node").to_owned()).chain(coordinates).collect();
    parts.join("_")
}

impl<D: Data> Data for Trace<'_, D> {
    fn word(&self, value: u32, from: NodeId, to: NodeId, batch: u32) -> u64 {
        self.data.word(value, from, to, batch)
    }

    fn identity(&self) -> u64 {
        self.data.identity()
    }

    fn factor(&self, index: u32) -> u64 {
        self.data.factor(index)
    }

    fn combine(&self, operation: Operation, inputs: &[u64]) -> u64 {
        self.data.combine(operation, inputs)
    }

    fn keep(&mut self, value: u32, from: NodeId, at: NodeId, batch: u32, word: u64) {
        self.data.keep(value, from, at, batch, word);
    }

    fn make(&mut self, value: u32, at: NodeId, batch: u32, word: u64) {
        self.data.make(value, at, batch, word);
    }

    fn cross(&mut self, cycle: u32, port: u32, words: &mut dyn Iterator<Item = (NodeId, NodeId, u64)>) {
        let crossing = |(node, source, word)| Crossing { cycle, node, port, source, word };
        self.crossings.extend(words.map(crossing));
    }
}
