//! Channels: packets that are lost, come again or meet others, flipped bits, and noise where nothing should be.

use super::trials::{New, Trials, last_status, most_bits, status_words, whole};
use crate::cosim::CosimError;
use crate::cosim::detectors::{Detectors, Meeting};
use crate::cosim::lockstep::{Lockstep, Verdict};
use crate::cosim::session::Session;
use crate::cosim::simulator::{Answer, Job, Simulator};
use crate::cosim::status::{Fault, faults_of};
use crate::hash::split_mix_64;
use std::collections::BTreeSet;
use std::ops::Range;

/// Most channels that are disturbed.
const CHANNELS: usize = 48;
/// Most cycles of a collective in which they are.
const CYCLES: u64 = 256;
/// Cycles from the last start to a packet in an idle network: of the bits with which a log counts them, each is one in one of the two.
const STRAY_CYCLES: [u64; 2] = [0x5500, 0xaa00];
/// Most tiles of networks that wait so long.
const STRAY_TILES: u32 = 64;
/// Seed of noise.
const NOISE: u64 = 1;

const CONFLICT: &str = "conflict";
const MISSING: &str = "missing arrival";
const PARITY: &str = "broken parity";
const UNEXPECTED: &str = "unexpected arrival";

/// Kind of a disturbance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Disturbance {
    /// A packet is lost.
    Lost,
    /// A packet is there again in an idle cycle.
    Doubled,
    /// A packet comes long after all collectives.
    Stray,
    /// A packet is there again in an idle cycle, or asks for another output, so that it meets another one.
    Met,
    /// A bit of a payload, counted from the lowest, is flipped.
    Flipped(usize),
}

impl Disturbance {
    /// Event in words, and the fault that must be told, where it is one.
    fn told(self) -> (&'static str, Option<&'static str>) {
        match self {
            Self::Lost => ("a packet was lost", Some(MISSING)),
            Self::Flipped(_) => ("a bit of a payload was flipped", Some(PARITY)),
            Self::Doubled => ("a packet came again", None),
            Self::Stray => ("a packet came to the idle network", Some(UNEXPECTED)),
            Self::Met => ("a packet met another one", Some(CONFLICT)),
        }
    }
}

/// A run of the session in which nothing is disturbed.
struct Quiet {
    /// First row of its first collective.
    first: u64,
    /// Blocks of that collective, cycle after cycle.
    blocks: Vec<Vec<u64>>,
    /// First row of its last collective.
    last: u64,
    /// Words that are read out.
    received: Vec<u64>,
}

impl Quiet {
    /// Runs the session undisturbed, and looks at its first collective.
    fn of(session: &Session, simulator: &mut dyn Simulator) -> Result<Self, CosimError> {
        let mut lockstep = Lockstep::new(simulator, session.model(), None);
        session.queue(&mut lockstep);
        while lockstep.launched().is_empty() {
            let now = lockstep.cycle();
            if lockstep.run_to(now + 1)? != Verdict::Agreed || lockstep.cycle() == now {
                return Ok(Self { first: 0, blocks: Vec::new(), last: 0, received: Vec::new() });
            }
        }
        let first = lockstep.launched()[0].first_row;
        lockstep.run_to(first)?;
        let mut blocks = Vec::new();
        for cycle in first..first + session.model().cycles().min(CYCLES) {
            lockstep.run_to(cycle)?;
            let mut block = vec![0; session.model().layout().words()];
            lockstep.simulator().observe(&mut block);
            blocks.push(block);
        }
        lockstep.run()?;
        let last = lockstep.launched().iter().map(|start| start.first_row + (start.count - 1) * start.interval).max();
        let received = drained(&lockstep.answers());
        Ok(Self { first, blocks, last: last.unwrap_or(first), received })
    }

    /// Cycles in which a channel is disturbed, the `number`-th of those that are, and the bits of a block that flip.
    fn masks(&self, kind: Disturbance, channel: &Range<usize>, number: usize) -> Vec<Mask> {
        let packet = |block: &Vec<u64>| {
            let mut mask = vec![0; block.len()];
            mask[channel.clone()].copy_from_slice(&block[channel.clone()]);
            mask
        };
        let any = || self.blocks.iter().find(|block| is_busy(channel, block)).map(packet);
        let of_block = |(at, block): (usize, &Vec<u64>)| {
            let here = is_busy(channel, block);
            let mask = match kind {
                Disturbance::Lost if here => packet(block),
                Disturbance::Flipped(bit) if here => {
                    let mut mask = vec![0; block.len()];
                    mask[channel.start + bit / 64] = 1 << (bit % 64);
                    mask
                }
                Disturbance::Doubled if !here => any()?,
                _ => return None,
            };
            Some((self.first + at as u64, mask))
        };
        match kind {
            Disturbance::Stray if number > 0 => Vec::new(),
            Disturbance::Stray => {
                STRAY_CYCLES.into_iter().filter_map(|after| Some((self.last + after, any()?))).collect()
            }
            _ => {
                let masks: Vec<Mask> = self.blocks.iter().enumerate().filter_map(of_block).collect();
                let Some(last) = masks.len().checked_sub(1) else { return masks };
                // another cycle for each channel; packets of the first and last ones may have other meanings
                let some = match kind {
                    Disturbance::Flipped(_) => BTreeSet::from([0, number % masks.len(), last]),
                    _ => BTreeSet::from([number % masks.len()]),
                };
                some.into_iter().map(|at| masks[at].clone()).collect()
            }
        }
    }
}

/// Cycle of a disturbance, and the bits of a block that flip.
type Mask = (u64, Vec<u64>);

/// True if a channel carries something in a block.
fn is_busy(channel: &Range<usize>, block: &[u64]) -> bool {
    block[channel.clone()].iter().any(|&word| word != 0)
}

/// Channels of a session that can be disturbed.
pub(super) struct Channels<'a> {
    session: &'a Session,
    quiet: Quiet,
    detectors: &'a Detectors,
    /// Words of each channel that is disturbed by itself.
    chosen: Vec<Range<usize>>,
    new: New<'a>,
}

impl<'a> Channels<'a> {
    /// Looks at the channels of a session that is not disturbed.
    pub(super) fn of(session: &'a Session, detectors: &'a Detectors, new: New<'a>) -> Result<Self, CosimError> {
        let (quiet, layout) = (Quiet::of(session, &mut *new()?)?, session.model().layout());
        let mut used: Vec<Range<usize>> = Vec::new();
        while used.last().map_or(0, |last| last.end) < layout.channel_words() {
            used.push(layout.range(layout.point(used.last().map_or(0, |last| last.end))));
        }
        used.retain(|channel| quiet.blocks.iter().any(|block| is_busy(channel, block)));
        let step = used.len().div_ceil(CHANNELS).max(1);
        let chosen = used.into_iter().step_by(step).collect();
        Ok(Self { session, quiet, detectors, chosen, new })
    }

    /// First row of the session's first collective.
    pub(super) fn first(&self) -> u64 {
        self.quiet.first
    }

    /// Takes packets away, and lets them come again where there is none or they meet others.
    pub(super) fn disturb(&self) -> Result<Trials, CosimError> {
        let fabric = self.session.model().fabric();
        let mut kinds = vec![Disturbance::Lost];
        // elsewhere a word that comes unasked may be for others
        if self.detectors.notices_all() {
            kinds.push(Disturbance::Doubled);
            kinds.extend((fabric.error_log && fabric.tiles <= STRAY_TILES).then_some(Disturbance::Stray));
        }
        kinds.extend(self.detectors.knows_conflicts().then_some(Disturbance::Met));
        let (mut seen, mut met) = (BTreeSet::new(), BTreeSet::new());
        let mut count = 0;
        for (number, channel) in self.chosen.iter().enumerate() {
            for &kind in &kinds {
                let masks = match kind {
                    Disturbance::Met => self.meetings(channel, &mut met),
                    _ => self.quiet.masks(kind, channel, number),
                };
                for mask in &masks {
                    count += 1;
                    let found = self.trial(std::slice::from_ref(mask))?;
                    if let Some(missing) = found.missing(kind.told().1) {
                        return Ok(Trials::failed(count, self.told(kind, channel, mask), missing));
                    }
                    // those must show in idle cycles of a collective, too
                    if kind != Disturbance::Stray {
                        seen.extend(found.faults.iter().map(|fault| fault.kind));
                    }
                }
            }
        }
        if kinds.contains(&Disturbance::Doubled) && !seen.contains(UNEXPECTED) && count > 0 {
            let provoked = "packets came again in idle cycles".to_owned();
            return Ok(Trials::failed(count, provoked, format!("no tile reports an {UNEXPECTED}")));
        }
        Ok(Trials::passed(count))
    }

    /// Flips bits of payloads, where words have parity: what changes in the results of a `linear` collective is a multiple of the bit's value.
    pub(super) fn flip(&self, linear: bool) -> Result<Trials, CosimError> {
        let fabric = self.session.model().fabric();
        let bits = fabric.payload_bits() as usize;
        if !fabric.parity {
            return Ok(Trials::passed(0));
        }
        let step = (self.chosen.len() * bits).div_ceil(most_bits(self.session)).clamp(1, bits);
        let mut count = 0;
        for (number, channel) in self.chosen.iter().enumerate() {
            // where these are not all bits of all channels, those of one are others than the next one's
            for bit in (number % step..bits).step_by(step) {
                let kind = Disturbance::Flipped(bit);
                for mask in &self.quiet.masks(kind, channel, number) {
                    count += 1;
                    let found = self.trial(std::slice::from_ref(mask))?;
                    let value = Some(bit as u32).filter(|&bit| bit < fabric.data_bits);
                    let words = self.quiet.received.iter().zip(&found.received).filter(|_| linear);
                    let other = |(due, got): (&u64, &u64)| !is_multiple(*due, *got, value, fabric.data_bits);
                    let spread = || {
                        let at = words.map(other).position(|is_other| is_other)?;
                        Some(format!("the change of word {at} of the results is no multiple of the bit's value"))
                    };
                    if let Some(missing) = found.missing(kind.told().1).or_else(spread) {
                        return Ok(Trials::failed(count, self.told(kind, channel, mask), missing));
                    }
                }
            }
        }
        Ok(Trials::passed(count))
    }

    /// Lets noise come over all channels in all cycles of a collective in which they are idle and no router looks at words, or at words without a
    /// header, and then its inverse: the results and all other channels must be as they are without it.
    pub(super) fn noise(&self) -> Result<Trials, CosimError> {
        let mut count = 0;
        for inverse in [0, u64::MAX] {
            let mut drawn = 0;
            let mut random = || {
                drawn += 1;
                split_mix_64(NOISE, drawn) ^ inverse
            };
            let masks = (self.quiet.first..).zip(&self.quiet.blocks);
            let masks: Vec<Mask> =
                masks.map(|(cycle, block)| (cycle, self.detectors.noise(block, &mut random))).collect();
            if self.chosen.is_empty() {
                break;
            }
            count += 1;
            let found = self.trial(&masks)?;
            let wrong = self.quiet.received.iter().zip(&found.received).position(|(due, got)| due != got);
            let model = self.session.model();
            let missing = match (wrong, found.spread) {
                (Some(at), _) => Some(format!("word {at} of the results is another one")),
                (None, Some((cycle, word))) => {
                    let place = model.fabric().place(model.layout().point(word));
                    Some(format!("{place} has another word in cycle {cycle}"))
                }
                _ if self.quiet.received.len() != found.received.len() => Some("results are missing".to_owned()),
                _ => found.difference,
            };
            if let Some(missing) = missing {
                return Ok(Trials::failed(count, "noise came over all idle channels".to_owned(), missing));
            }
        }
        Ok(Trials::passed(count))
    }

    /// A disturbance and its place, in words.
    fn told(&self, kind: Disturbance, channel: &Range<usize>, (cycle, _): &Mask) -> String {
        let model = self.session.model();
        let place = model.fabric().place(model.layout().point(channel.start));
        format!("{} at {place} in cycle {cycle}", kind.told().0)
    }

    /// Cycles in which a packet of a channel, there again or with one more request, meets others as none has `met` them, and the bits of a block
    /// that flip.
    fn meetings(&self, channel: &Range<usize>, met: &mut BTreeSet<Meeting>) -> Vec<Mask> {
        let (quiet, detectors, layout) = (&self.quiet, self.detectors, self.session.model().layout());
        let point = layout.point(channel.start);
        let of = |block: &Vec<u64>| block[channel.clone()].to_vec();
        let idle = |words: &Vec<u64>| words.iter().all(|&word| word == 0);
        let known: BTreeSet<Vec<u64>> = quiet.blocks.iter().map(of).filter(|words| !idle(words)).collect();
        let again: Vec<Vec<u64>> = known.iter().flat_map(|packet| detectors.requesting(point, packet)).collect();
        let mut masks = Vec::new();
        for (at, there) in quiet.blocks.iter().map(of).enumerate() {
            let more = if idle(&there) { again.clone() } else { detectors.requesting(point, &there) };
            for packet in more {
                let meetings = detectors.meetings(&quiet.blocks, point, at, &packet);
                if meetings.iter().any(|meeting| !met.contains(meeting)) {
                    met.extend(meetings);
                    let mut mask = vec![0; layout.words()];
                    let flips = there.iter().zip(&packet).map(|(one, other)| one ^ other);
                    mask[channel.clone()].copy_from_slice(&flips.collect::<Vec<u64>>());
                    masks.push((quiet.first + at as u64, mask));
                }
            }
        }
        masks
    }

    /// Runs the session with disturbances, in the order of their cycles.
    fn trial(&self, masks: &[Mask]) -> Result<Found, CosimError> {
        let (session, detectors, model) = (self.session, self.detectors, self.session.model());
        let fabric = model.fabric();
        let mut simulator = (self.new)()?;
        let mut lockstep = Lockstep::new(&mut *simulator, model, None);
        session.queue(&mut lockstep);
        let [first, last] = [masks.first(), masks.last()].map(|mask| mask.map_or(0, |mask| mask.0));
        lockstep.wait_to(first - detectors.history().min(first))?;
        let mut events = detectors.events();
        let [mut expected, mut observed] = [(); 2].map(|()| vec![0; model.layout().words()]);
        let end = last + whole(model);
        let mut masks = masks.iter().peekable();
        let mut spread = None;
        while lockstep.cycle() < end {
            let now = lockstep.cycle();
            let mask = masks.next_if(|(cycle, _)| *cycle == now).map(|(_, mask)| mask);
            if let Some(mask) = mask {
                lockstep.simulator().disturb(mask);
            }
            expected.fill(0);
            lockstep.expect(now, &mut expected);
            lockstep.simulator().observe(&mut observed);
            events.see(now, &expected, &observed);
            let mut words = 0..model.layout().channel_words();
            let is_other = |&at: &usize| observed[at] != expected[at] ^ mask.map_or(0, |mask| mask[at]);
            spread = spread.or_else(|| Some((now, words.find(is_other)?)));
            lockstep.wait_to(now + 1)?;
        }
        lockstep.queue(Job::Nothing);
        lockstep.queue(Job::Status);
        lockstep.run()?;
        let answers = lockstep.answers();
        let (words, received) = (last_status(&answers), drained(&answers));
        let faults = faults_of(fabric, &words);
        let statuses = events.statuses(lockstep.launched(), &words);
        let difference =
            (0..).zip(statuses).find(|(_, (expected, found))| expected != found).map(|(tile, (expected, found))| {
                let told = |status: u64| {
                    let mut words = vec![0; words.len()];
                    words[tile] = status;
                    let told: Vec<String> = faults_of(fabric, &words).iter().map(ToString::to_string).collect();
                    if told.is_empty() { "nothing".to_owned() } else { told.join("; ") }
                };
                format!("{} logs `{}`, not `{}`", fabric.tile_name(tile), told(found), told(expected))
            });
        let signal = lockstep.fault_signal();
        lockstep.queue(Job::Clear);
        lockstep.queue(Job::Status);
        lockstep.run()?;
        let left = status_words(&mut lockstep);
        let none = detectors.events().statuses(&[], &left);
        let cleared = faults_of(fabric, &left).is_empty() && none.iter().all(|(expected, found)| expected == found);
        Ok(Found { faults, received, signal, cleared, difference, spread })
    }
}

/// True if words of so many bits differ by a multiple of 2^`bit`, or not at all if it is none.
fn is_multiple(due: u64, got: u64, bit: Option<u32>, bits: u32) -> bool {
    let change = got.wrapping_sub(due) & u64::MAX >> (u64::BITS - bits);
    change == 0 || bit.is_some_and(|bit| change.trailing_zeros() >= bit)
}

/// Reports of the hardware after a disturbance.
struct Found {
    faults: Vec<Fault>,
    /// Words that are read out.
    received: Vec<u64>,
    /// `fault_o`.
    signal: bool,
    /// True if nothing was left after a clear, in the log neither.
    cleared: bool,
    /// Status of the first tile that has another one than must be, in words.
    difference: Option<String>,
    /// First cycle in which a channel has another change than those that were made, and the word of its block.
    spread: Option<(u64, usize)>,
}

impl Found {
    /// Report that is missing, in words, where a fault of a kind was provoked, or of any.
    fn missing(&self, kind: Option<&str>) -> Option<String> {
        let of = |fault: &Fault| kind.is_none_or(|kind| fault.kind == kind);
        match &self.difference {
            _ if !self.faults.iter().any(of) => {
                Some(kind.map_or("no tile reports it".to_owned(), |kind| format!("no tile reports a {kind}")))
            }
            _ if !self.signal => Some("fault_o is low".to_owned()),
            Some(difference) => Some(difference.clone()),
            None => (!self.cleared).then(|| "faults remain after they were cleared".to_owned()),
        }
    }
}

/// Words of all drains among answers.
fn drained(answers: &[Answer]) -> Vec<u64> {
    let words = |answer: &Answer| match answer {
        Answer::Drained(words) => words.clone(),
        Answer::Status(_) => Vec::new(),
    };
    answers.iter().flat_map(words).collect()
}
