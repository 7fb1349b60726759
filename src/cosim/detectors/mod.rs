//! Prediction of a tile's status: what its detectors must report, from the words on channels and behind receive ports alone.
//!
//! The observed blocks of a disturbed run are held against the blocks of the model. A word that is not there, one too many, and one with
//! broken parity are events at a port, in the cycle in which the family's hardware tells its log of them. The log keeps of each kind the
//! lowest port of the first cycle, and the cycle of the first event of all, counted from the last start.

mod pops;
mod swapped_dragonfly;

use super::lockstep::Launched;
use crate::lower::{Layout, Point, PointKind};
use crate::model::Model;
use std::collections::{BTreeMap, VecDeque};
use swapped_dragonfly::Crossbar;

/// Number of kinds, in the order of the log.
const KINDS: usize = 4;
const CONFLICT: usize = 0;
const UNEXPECTED: usize = 1;
const MISSING: usize = 2;
const PARITY: usize = 3;
/// Port in a status without a log.
pub(super) const NO_PORT: u64 = 127;
/// Bits of a status that are predicted: a byte a kind, then the cycle.
const STATUS_MASK: u64 = 0xffff_ffff_ffff;
/// Cycles from a router's inputs to its report of a conflict (`mn_conflict`).
const CONFLICT_CYCLES: u64 = 2;
/// Cycles from a start at the logs to the first row of a program.
const FIRST_ROW: u64 = 1;

/// Point that a detector stands at: its tile and port, and how many cycles after the point's register it reports.
#[derive(Debug, Clone, Copy)]
struct Detector {
    point: Point,
    tile: usize,
    port: usize,
    late: u64,
}

/// Detectors of a network's tiles.
#[derive(Debug)]
pub struct Detectors {
    layout: Layout,
    payload_bits: usize,
    parity: bool,
    tiles: usize,
    error_log: bool,
    detectors: Vec<Detector>,
    /// Port of the word that a tile hears, by cycle of the collective and tile, where a detector hears one of several ports at a time.
    heard: Option<BTreeMap<(u64, usize), usize>>,
    crossbar: Option<Crossbar>,
    /// True if no word on a channel leads to a conflict.
    never_conflict: bool,
    /// Channels of which no router reads what the program does not name, or no header asks for.
    unread: Vec<Point>,
    /// True if words find their way by a header.
    has_headers: bool,
}

/// Output of a tile for which a packet meets another one: one that came over a channel, or from its bank.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Meeting {
    tile: usize,
    out: usize,
    bank: bool,
}

/// First event of a kind: its cycle and port.
type First = Option<(u64, usize)>;

/// Events at the tiles of a disturbed network.
#[derive(Debug)]
pub(super) struct Events<'a> {
    of: &'a Detectors,
    first: Vec<[First; KINDS]>,
    /// Expected and observed blocks of the last cycles.
    history: VecDeque<(Vec<u64>, Vec<u64>)>,
}

impl Detectors {
    /// Detectors of a network without headers, in which every word that comes unasked is noticed.
    fn new(model: &Model, detectors: Vec<Detector>) -> Self {
        let fabric = model.fabric();
        Self {
            layout: *model.layout(),
            payload_bits: fabric.payload_bits() as usize,
            parity: fabric.parity,
            tiles: fabric.tiles as usize,
            error_log: fabric.error_log,
            unread: detectors.iter().map(|detector| detector.point).collect(),
            detectors,
            heard: None,
            crossbar: None,
            never_conflict: true,
            has_headers: false,
        }
    }

    /// Detectors at the inputs of tiles that know what comes over each channel; `number` gives the number of an input, from its tile and
    /// the port that sends, port after port and in each node after node.
    pub fn at_inputs(model: &Model, mut number: impl FnMut(usize, usize) -> usize) -> Self {
        let (fabric, switching) = (model.fabric(), &model.program().switching);
        let (net, mut detectors) = (fabric.network(), Vec::new());
        for (network, port) in
            (0..fabric.networks()).flat_map(|network| (0..net.ports()).map(move |port| (network, port)))
        {
            for node in (0..net.nodes()).filter(|&node| port < net.ports_of(node.into())) {
                let tile = |node: usize| network * net.nodes() + node;
                let to = tile(net.neighbour(node.into(), port).index());
                let late = u64::from(switching.latency(net, node.into(), port as u32)).saturating_sub(1);
                let point = Point { tile: tile(node).into(), port, kind: PointKind::Channel };
                detectors.push(Detector { point, tile: to, port: number(to, port), late });
            }
        }
        Self::new(model, detectors)
    }

    /// Detectors behind receive ports, whose reports come `late` cycles after their registers.
    fn at_receivers(model: &Model, late: u64) -> Vec<Detector> {
        let receives = model.layout().points().filter(|point| point.kind == PointKind::Receive);
        receives.map(|point| Detector { point, tile: point.tile.index(), port: point.port, late }).collect()
    }

    /// Events of a run that is disturbed at a channel.
    pub(super) fn events(&self) -> Events<'_> {
        Events { of: self, first: vec![[None; KINDS]; self.tiles], history: VecDeque::new() }
    }

    /// Cycles before a disturbance from which events must be told of blocks.
    pub(super) fn history(&self) -> u64 {
        self.crossbar.as_ref().map_or(0, |crossbar| crossbar.history())
    }

    /// True if a word that comes again in an idle cycle is noticed.
    pub(super) fn notices_all(&self) -> bool {
        self.heard.is_none()
    }

    /// True if conflicts are predicted.
    pub(super) fn knows_conflicts(&self) -> bool {
        self.crossbar.is_some()
    }

    /// Outputs for which a packet that enters a channel at a cycle, an index into the blocks of an undisturbed run, meets another one behind it;
    /// those for which the packet that is there asks do not count.
    pub(super) fn meetings(&self, blocks: &[Vec<u64>], channel: Point, at: usize, packet: &[u64]) -> Vec<Meeting> {
        let Some(crossbar) = &self.crossbar else { return Vec::new() };
        let (tile, input) = crossbar.leads(channel);
        let enters = at + crossbar.late(input) as usize;
        let Some(after) = blocks.get(enters + crossbar.stages()) else { return Vec::new() };
        let busy = |&out: &usize| after[self.range(tile, out)].iter().any(|&word| word != 0);
        let asked = crossbar.asked(tile, |late| blocks.get(enters.checked_sub(late as usize)?));
        let there = crossbar.wanted(input, &blocks[at][self.layout.range(channel)]);
        let more = |out: &usize| !there.contains(out);
        let wanted = crossbar.wanted(input, packet).into_iter().filter(busy).filter(more);
        wanted.map(|out| Meeting { tile, out, bank: asked[out] == 0 }).collect()
    }

    /// A packet of a channel, and the same with one more request behind it.
    pub(super) fn requesting(&self, channel: Point, packet: &[u64]) -> Vec<Vec<u64>> {
        let mut all = vec![packet.to_vec()];
        for (bit, _) in self.crossbar.iter().flat_map(|crossbar| crossbar.requests(channel.port)) {
            let mut other = packet.to_vec();
            other[bit / 64] |= 1 << (bit % 64);
            all.push(other);
        }
        all
    }

    /// Random words of unbroken parity on all channels that a block has idle, and that no router reads there; where there are headers, data alone.
    pub(super) fn noise(&self, block: &[u64], random: &mut impl FnMut() -> u64) -> Vec<u64> {
        let mut noise = vec![0; block.len()];
        for range in self.unread.iter().map(|&point| self.layout.range(point)) {
            if block[range.clone()].iter().any(|&word| word != 0) {
                continue;
            }
            let mut odd = 0;
            for (at, word) in noise[range.clone()].iter_mut().enumerate() {
                let bits = self.payload_bits.saturating_sub(64 * at).min(64);
                *word = if bits == 0 { 0 } else { random() >> (64 - bits) };
                odd ^= word.count_ones() & 1;
            }
            noise[range.start] ^= u64::from(self.parity && odd == 1);
            noise[range.start + self.payload_bits / 64] |= u64::from(!self.has_headers) << (self.payload_bits % 64);
        }
        noise
    }

    fn range(&self, node: usize, port: usize) -> std::ops::Range<usize> {
        self.layout.range(Point { tile: node.into(), port, kind: PointKind::Channel })
    }

    /// Valid bit of the word at a point, and true if its parity is broken.
    fn word(&self, block: &[u64], point: Point) -> (bool, bool) {
        let words = &block[self.layout.range(point)];
        let bits = self.payload_bits;
        let valid = words[bits / 64] >> (bits % 64) & 1 == 1;
        let odd = words.iter().enumerate().fold(0, |odd, (at, word)| {
            let here = bits.saturating_sub(64 * at).min(64);
            odd ^ if here == 0 { 0 } else { (word & u64::MAX >> (64 - here)).count_ones() & 1 }
        });
        (valid, self.parity && odd == 1)
    }
}

impl Events<'_> {
    /// Takes the blocks of the next cycle: that of the model, and that of the hardware.
    pub(super) fn see(&mut self, cycle: u64, expected: &[u64], found: &[u64]) {
        let of = self.of;
        for detector in &of.detectors {
            let ((due, _), (came, odd)) = (of.word(expected, detector.point), of.word(found, detector.point));
            let mut event =
                |kind: usize| note(&mut self.first[detector.tile][kind], (cycle + detector.late, detector.port));
            if due && !came {
                event(MISSING);
            }
            if came && !due {
                event(UNEXPECTED);
            }
            if came && odd {
                event(PARITY);
            }
        }
        if let Some(crossbar) = &of.crossbar {
            self.history.push_front((expected.to_vec(), found.to_vec()));
            self.history.truncate(crossbar.history() as usize + 1);
            if self.history.len() as u64 > crossbar.history() {
                let stages = crossbar.stages() as u64;
                for (tile, port) in crossbar.conflicts(&self.history) {
                    note(&mut self.first[tile][CONFLICT], (cycle - stages + CONFLICT_CYCLES, port));
                }
            }
        }
    }

    /// Status of each tile that is expected, and that is found as far as it is predicted.
    pub(super) fn statuses(&self, launched: &[Launched], found: &[u64]) -> Vec<(u64, u64)> {
        let started = |cycle: u64| {
            let last = |start: &Launched| {
                let first = start.first_row - FIRST_ROW;
                let after = cycle.checked_sub(first)?;
                Some(first + (after / start.interval.max(1)).min(start.count.saturating_sub(1)) * start.interval)
            };
            launched.iter().filter_map(last).max().unwrap_or(0)
        };
        // the port of a detector that hears one of several at a time
        let port = |tile: usize, cycle: u64, port: usize| match (&self.of.heard, self.of.detectors.get(tile)) {
            (Some(heard), Some(detector)) => {
                let came = cycle - detector.late;
                heard.get(&(came.wrapping_sub(started(came) + FIRST_ROW), tile)).copied().unwrap_or(port)
            }
            _ => port,
        };
        let predicted = |(tile, (kinds, &found)): (usize, (&[First; KINDS], &u64))| {
            let unknown = !self.of.never_conflict && self.of.crossbar.is_none();
            let mut mask = if unknown { STATUS_MASK & !0xff } else { STATUS_MASK };
            if unknown && found & 0x80 != 0 {
                mask &= 0xffff_ff00;
            }
            let mut status = 0;
            for (kind, first) in kinds.iter().enumerate() {
                let seen = first.map_or(0, |_| 0x80);
                let number = match first {
                    _ if !self.of.error_log => NO_PORT,
                    Some((cycle, at)) => port(tile, *cycle, *at) as u64,
                    None => 0,
                };
                status |= (seen | number) << (8 * kind);
            }
            let first = kinds.iter().flatten().map(|&(cycle, _)| cycle).min();
            if let Some(cycle) = first.filter(|_| self.of.error_log) {
                status |= ((cycle - started(cycle)) & 0xffff) << 32;
            }
            (status & mask, found & mask)
        };
        self.first.iter().zip(found).enumerate().map(predicted).collect()
    }
}

/// Notes an event if it is the first, or has the lowest port of the first.
fn note(first: &mut First, event: (u64, usize)) {
    *first = Some(first.map_or(event, |known| known.min(event)));
}
