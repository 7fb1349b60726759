//! Faults that are provoked: bits of channels are flipped in flight, and the detectors of the tiles must say so.
//!
//! A simulation of the same session is run once for each trial, on a library that was built with [`disturbed`]. Each channel that
//! carries something loses a packet, has one again in an idle cycle, and with parity has a bit of a payload flipped.

use super::CosimError;
use super::build::Parts;
use super::lockstep::{Lockstep, Verdict};
use super::session::Session;
use super::simulator::{Answer, Job, Simulator};
use super::status::{Fault, faults_of};
use crate::lower::Fabric;
use std::collections::BTreeSet;
use std::ops::Range;

/// Most channels that are disturbed.
const CHANNELS: usize = 48;
/// Most cycles of a collective in which they are.
const CYCLES: u64 = 256;
/// Index of `fault_o` among the signals of a top.
const FAULT_SIGNAL: usize = 1;

const MISSING: &str = "missing arrival";
const PARITY: &str = "broken parity";
const UNEXPECTED: &str = "unexpected arrival";
const REFUSED: &str = "a program that was not loaded was asked for";

/// Parts of a form of simulation whose channels can be disturbed.
pub fn disturbed(mut parts: Parts) -> Parts {
    for (name, text) in &mut parts.beside {
        if name.ends_with(".vlt") {
            *text = text.replace("public_flat_rd", "public_flat_rw");
        }
    }
    parts.defines.push(("MN_DISTURBED", 1));
    parts
}

/// Kind of a disturbance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Disturbance {
    /// A packet is lost.
    Lost,
    /// A packet is there again in an idle cycle.
    Doubled,
    /// A bit of a payload is flipped.
    Flipped,
}

/// A fault that was provoked and not reported as it must be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unnoticed {
    /// Disturbance and its place, in words.
    pub provoked: String,
    /// Fault that is missing, in words.
    pub missing: String,
}

/// Result of all trials.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trials {
    /// Trials that were run.
    pub count: usize,
    /// The first fault that was not reported.
    pub unnoticed: Option<Unnoticed>,
}

/// Cycles of the session's first collective, and the block of each.
struct Quiet {
    first: u64,
    blocks: Vec<Vec<u64>>,
}

/// Provokes faults of all kinds that a network detects.
///
/// # Errors
/// If the simulation itself fails.
pub fn provoke(
    session: &Session,
    new: &dyn Fn() -> Result<Box<dyn Simulator>, CosimError>,
) -> Result<Trials, CosimError> {
    let (fabric, layout) = (session.model().fabric(), session.model().layout());
    let quiet = observe(session, &mut *new()?)?;
    let mut channels: Vec<Range<usize>> = Vec::new();
    while channels.last().map_or(0, |last| last.end) < layout.channel_words() {
        channels.push(layout.range(layout.point(channels.last().map_or(0, |last| last.end))));
    }
    let busy = |channel: &Range<usize>, block: &[u64]| block[channel.clone()].iter().any(|&word| word != 0);
    channels.retain(|channel| quiet.blocks.iter().any(|block| busy(channel, block)));
    let mut kinds = vec![Disturbance::Lost];
    kinds.extend((fabric.parity).then_some(Disturbance::Flipped));
    // what comes to a processor of POPS unasked is for others of its group
    kinds.extend((!matches!(fabric, Fabric::Pops(_))).then_some(Disturbance::Doubled));
    let mut seen = BTreeSet::new();
    let mut count = 0;
    for (number, channel) in channels.iter().step_by(channels.len().div_ceil(CHANNELS).max(1)).enumerate() {
        for &kind in &kinds {
            let masks = quiet.blocks.iter().enumerate().filter_map(|(at, block)| {
                let here = busy(channel, block);
                let mut mask = vec![0; layout.words()];
                match kind {
                    Disturbance::Lost if here => mask[channel.clone()].copy_from_slice(&block[channel.clone()]),
                    Disturbance::Flipped if here => mask[channel.start] = 1,
                    Disturbance::Doubled if !here => {
                        let other = quiet.blocks.iter().find(|other| busy(channel, other))?;
                        mask[channel.clone()].copy_from_slice(&other[channel.clone()]);
                    }
                    _ => return None,
                }
                Some((quiet.first + at as u64, mask))
            });
            // another cycle for each channel
            let masks: Vec<(u64, Vec<u64>)> = masks.collect();
            let Some((cycle, mask)) = masks.get(number % masks.len().max(1)) else { continue };
            count += 1;
            let found = trial(session, &mut *new()?, *cycle, mask)?;
            let point = layout.point(channel.start);
            let place = crate::model::decode::place(fabric, point);
            let provoked = |what: &str| format!("{what} at {place} in cycle {cycle}");
            let (what, missing) = match kind {
                Disturbance::Lost => ("a packet was lost", Some(MISSING)),
                Disturbance::Flipped => ("a bit of a payload was flipped", Some(PARITY)),
                Disturbance::Doubled => ("a packet came again", None),
            };
            let reported = match missing {
                Some(kind) => found.faults.iter().any(|fault| fault.kind == kind),
                None => !found.faults.is_empty(),
            };
            let missing = if !reported {
                missing.map_or("no tile reports it".to_owned(), |kind| format!("no tile reports a {kind}"))
            } else if !found.signal {
                "fault_o is low".to_owned()
            } else if !found.cleared {
                "faults remain after they were cleared".to_owned()
            } else {
                seen.extend(found.faults.iter().map(|fault| fault.kind));
                continue;
            };
            return Ok(Trials { count, unnoticed: Some(Unnoticed { provoked: provoked(what), missing }) });
        }
    }
    let silent = |provoked: &str, missing: String| Some(Unnoticed { provoked: provoked.to_owned(), missing });
    let mut unnoticed = None;
    if kinds.contains(&Disturbance::Doubled) && !seen.contains(UNEXPECTED) && count > 0 {
        unnoticed = silent("packets came again in idle cycles", format!("no tile reports an {UNEXPECTED}"));
    }
    let refused = refused(session, &mut *new()?)?;
    count += 1;
    if refused != fabric.tiles as usize {
        let missing = format!("{refused} of {} tiles say so", fabric.tiles);
        unnoticed = unnoticed.or(silent(REFUSED, missing));
    }
    Ok(Trials { count, unnoticed })
}

/// Runs the session undisturbed up to the end of its first collective.
fn observe(session: &Session, simulator: &mut dyn Simulator) -> Result<Quiet, CosimError> {
    let mut lockstep = Lockstep::new(simulator, session.model(), None);
    session.queue(&mut lockstep);
    while lockstep.launched().is_empty() {
        let now = lockstep.cycle();
        if lockstep.run_to(now + 1)? != Verdict::Agreed || lockstep.cycle() == now {
            return Ok(Quiet { first: 0, blocks: Vec::new() });
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
    Ok(Quiet { first, blocks })
}

/// Reports of the hardware after a disturbance.
struct Found {
    faults: Vec<Fault>,
    /// `fault_o`.
    signal: bool,
    /// True if nothing was left after a clear.
    cleared: bool,
}

fn trial(session: &Session, simulator: &mut dyn Simulator, cycle: u64, mask: &[u64]) -> Result<Found, CosimError> {
    let mut lockstep = Lockstep::new(simulator, session.model(), None);
    session.queue(&mut lockstep);
    lockstep.run_to(cycle)?;
    lockstep.simulator().disturb(mask);
    lockstep.run()?;
    let faults = statuses(session, &mut lockstep);
    let signal = lockstep.simulator().top_signals()[FAULT_SIGNAL] == 1;
    lockstep.queue(Job::Clear);
    lockstep.queue(Job::Status);
    lockstep.run()?;
    let cleared = statuses(session, &mut lockstep).is_empty();
    Ok(Found { faults, signal, cleared })
}

/// Number of tiles that report a request for a program that was not loaded.
fn refused(session: &Session, simulator: &mut dyn Simulator) -> Result<usize, CosimError> {
    let mut lockstep = Lockstep::new(simulator, session.model(), None);
    lockstep.queue(Job::Swap(251));
    session.queue(&mut lockstep);
    lockstep.run()?;
    Ok(statuses(session, &mut lockstep).iter().filter(|fault| fault.kind == REFUSED).count())
}

fn statuses(session: &Session, lockstep: &mut Lockstep<'_>) -> Vec<Fault> {
    let found = |answer| match answer {
        Answer::Status(status) => Some(faults_of(session.model().fabric(), &status)),
        Answer::Drained(_) => None,
    };
    lockstep.answers().into_iter().filter_map(found).flatten().collect()
}
