//! Faults that are provoked: bits of channels are flipped in flight, and the detectors of the tiles must say so.
//!
//! A simulation of the same session is run once for each trial, on a library that was built with [`disturbed`]. Each channel that
//! carries something loses a packet, has one again in an idle cycle, and with parity has a bit of a payload flipped. On routers of a Swapped
//! Dragonfly it also has one again, or one with one more request, that meets another one at an output. What the tiles log of that is held
//! against a prediction: kinds, ports and cycles. A packet comes to an idle network, too. Then a bit of a table is flipped in each tile, or several
//! where rows have parity, and an output of a slot-table router takes a second source. A tile ends alone, or not at all, and no tile ends.

use super::CosimError;
use super::build::Parts;
use super::detectors::{Detectors, Meeting, NO_PORT};
use super::lockstep::{Lockstep, Start, Verdict};
use super::session::Session;
use super::simulator::{Answer, Job, Register, Simulator};
use super::status::{BROKEN_ORDER, Fault, VERSION_BIT, WRONG_ROW, faults_of};
use super::upset;
use crate::id::NodeId;
use crate::lower::Fabric;
use crate::model::{Layout, Point};
use std::collections::BTreeSet;
use std::ops::Range;
use std::rc::Rc;

/// Most channels that are disturbed.
const CHANNELS: usize = 48;
/// Most cycles of a collective in which they are.
const CYCLES: u64 = 256;
/// Most tables of which bits are flipped, and most bits of all.
const TABLES: usize = 16;
const TABLE_BITS: usize = 512;
/// Most bits of tables in networks of more tiles than `FEW_TILES`, whose trials take longer.
const FEWER_TABLE_BITS: usize = 64;
const FEW_TILES: u32 = 16;
/// Most tiles whose ends are disturbed.
const ENDS: usize = 64;
/// Cycles from the last start to a packet in an idle network: of the bits with which a log counts them, each is one in one of the two.
const STRAY_CYCLES: [u64; 2] = [0x5500, 0xaa00];
/// Most tiles of networks that wait so long.
const STRAY_TILES: u32 = 64;
/// Collectives that may be on their way when one is launched; with more the host reports broken order.
const IN_FLIGHT: u64 = 30;
/// Most cycles from the end of all tiles, in the leaves of the tree of ends, to the host.
const TREE_CYCLES: u64 = 12;
/// Tables, and the tree of ends, visible as they are to upsets.
const FLIPPED: &str = "
public_flat_rw -module \"mn_fanin\" -var \"a*_q\"
public_flat_rw -module \"mn_table_rom\" -var \"mem\"
public_flat_rw -module \"mn_table_ram\" -var \"mem\"
";
/// Bits of the check byte of a row.
const CHECK_BITS: u32 = 8;
/// Cycles that are looked at after a collective whose packets were disturbed.
const AFTER: u64 = 64;
/// Version of a program that is never loaded.
const UNLOADED: u8 = 251;

const CONFLICT: &str = "conflict";
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
    upset::flippable(parts, FLIPPED)
}

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
    /// First row of the session's last collective.
    last: u64,
}

/// Bit of a node's slot table that makes an output take a second source where it is flipped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SecondSource {
    /// Node.
    pub node: NodeId,
    /// Row of the table.
    pub row: u32,
    /// Bit of the row.
    pub bit: u32,
    /// Output.
    pub output: u32,
}

/// What is known of a network's detectors.
#[derive(Debug, Clone, Copy)]
pub struct Known<'a> {
    /// Jobs that load its program, of one version and another.
    pub reload: &'a [Vec<Job>],
    /// Second sources that tables can name.
    pub second: &'a [SecondSource],
    /// Cycles from registers behind receive ports to the reports of what is wrong there.
    pub late: u64,
}

/// Provokes faults of all kinds that a network detects.
///
/// # Errors
/// If the simulation itself fails.
pub fn provoke(
    session: &Session,
    known: Known<'_>,
    new: &dyn Fn() -> Result<Box<dyn Simulator>, CosimError>,
) -> Result<Trials, CosimError> {
    let (fabric, layout) = (session.model().fabric(), session.model().layout());
    let quiet = observe(session, &mut *new()?)?;
    let detectors = Detectors::new(session.model(), known.late);
    let mut channels: Vec<Range<usize>> = Vec::new();
    while channels.last().map_or(0, |last| last.end) < layout.channel_words() {
        channels.push(layout.range(layout.point(channels.last().map_or(0, |last| last.end))));
    }
    let busy = |channel: &Range<usize>, block: &[u64]| block[channel.clone()].iter().any(|&word| word != 0);
    channels.retain(|channel| quiet.blocks.iter().any(|block| busy(channel, block)));
    let mut kinds = vec![Disturbance::Lost];
    kinds.extend((fabric.parity).then_some(Disturbance::Flipped));
    // what comes to a processor of POPS unasked is for others of its group
    if !matches!(fabric, Fabric::Pops(_)) {
        kinds.push(Disturbance::Doubled);
        kinds.extend((fabric.error_log && fabric.tiles <= STRAY_TILES).then_some(Disturbance::Stray));
    }
    kinds.extend(detectors.knows_conflicts().then_some(Disturbance::Met));
    let (mut seen, mut met) = (BTreeSet::new(), BTreeSet::new());
    let mut count = 0;
    for (number, channel) in channels.iter().step_by(channels.len().div_ceil(CHANNELS).max(1)).enumerate() {
        for &kind in &kinds {
            let packet = |block: &Vec<u64>| {
                let mut mask = vec![0; layout.words()];
                mask[channel.clone()].copy_from_slice(&block[channel.clone()]);
                mask
            };
            let any = || quiet.blocks.iter().find(|block| busy(channel, block)).map(packet);
            let masks = quiet.blocks.iter().enumerate().filter_map(|(at, block)| {
                let here = busy(channel, block);
                let mask = match kind {
                    Disturbance::Lost if here => packet(block),
                    Disturbance::Flipped if here => {
                        let mut mask = vec![0; layout.words()];
                        mask[channel.start] = 1;
                        mask
                    }
                    Disturbance::Doubled if !here => any()?,
                    _ => return None,
                };
                Some((quiet.first + at as u64, mask))
            });
            let masks: Vec<(u64, Vec<u64>)> = match kind {
                Disturbance::Met => meetings(&quiet, &detectors, layout, channel, &mut met),
                Disturbance::Stray if number > 0 => Vec::new(),
                Disturbance::Stray => {
                    let stray = |after| Some((quiet.last + after, any()?));
                    STRAY_CYCLES.into_iter().filter_map(stray).collect()
                }
                // another cycle for each channel
                _ => {
                    let masks: Vec<_> = masks.collect();
                    let chosen = masks.get(number % masks.len().max(1)).cloned();
                    chosen.into_iter().collect()
                }
            };
            for (cycle, mask) in masks {
                count += 1;
                let point = layout.point(channel.start);
                let found = trial(session, &detectors, &mut *new()?, Disturbed { cycle, mask: &mask, point })?;
                let (what, missing) = match kind {
                    Disturbance::Lost => ("a packet was lost", Some(MISSING)),
                    Disturbance::Flipped => ("a bit of a payload was flipped", Some(PARITY)),
                    Disturbance::Doubled => ("a packet came again", None),
                    Disturbance::Stray => ("a packet came to the idle network", Some(UNEXPECTED)),
                    Disturbance::Met => ("a packet met another one", Some(CONFLICT)),
                };
                match found.missing(missing) {
                    // those must show in idle cycles of a collective, too
                    None if kind == Disturbance::Stray => {}
                    None => seen.extend(found.faults.iter().map(|fault| fault.kind)),
                    Some(missing) => {
                        let place = crate::model::decode::place(fabric, point);
                        let provoked = format!("{what} at {place} in cycle {cycle}");
                        return Ok(Trials { count, unnoticed: Some(Unnoticed { provoked, missing }) });
                    }
                }
            }
        }
    }
    let silent = |provoked: &str, missing: String| Some(Unnoticed { provoked: provoked.to_owned(), missing });
    let mut unnoticed = None;
    if kinds.contains(&Disturbance::Doubled) && !seen.contains(UNEXPECTED) && count > 0 {
        unnoticed = silent("packets came again in idle cycles", format!("no tile reports an {UNEXPECTED}"));
    }
    for trials in [
        rows(session, new)?,
        clashes(session, known.second, new)?,
        ends(session, quiet.first, new)?,
        no_ends(session, new)?,
    ] {
        count += trials.count;
        unnoticed = unnoticed.or(trials.unnoticed);
    }
    for reload in known.reload {
        count += 1;
        if let Some(missing) = version_in_use(session, &mut *new()?, reload)? {
            unnoticed = unnoticed.or(silent("the program was loaded with another version", missing));
        }
    }
    for swap in wrong_swaps(known.reload.first()) {
        let refused = refused(session, &mut *new()?, &swap)?;
        count += 1;
        if refused != fabric.tiles as usize {
            let missing = format!("{refused} of {} tiles say so", fabric.tiles);
            unnoticed = unnoticed.or(silent(REFUSED, missing));
        }
    }
    Ok(Trials { count, unnoticed })
}

/// Runs the session undisturbed, and looks at its first collective.
fn observe(session: &Session, simulator: &mut dyn Simulator) -> Result<Quiet, CosimError> {
    let mut lockstep = Lockstep::new(simulator, session.model(), None);
    session.queue(&mut lockstep);
    while lockstep.launched().is_empty() {
        let now = lockstep.cycle();
        if lockstep.run_to(now + 1)? != Verdict::Agreed || lockstep.cycle() == now {
            return Ok(Quiet { first: 0, blocks: Vec::new(), last: 0 });
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
    Ok(Quiet { first, blocks, last: last.unwrap_or(first) })
}

/// Reports of the hardware after a disturbance.
struct Found {
    faults: Vec<Fault>,
    /// `fault_o`.
    signal: bool,
    /// True if nothing was left after a clear.
    cleared: bool,
    /// Status of the first tile that has another one than must be, in words.
    difference: Option<String>,
}

impl Found {
    /// What is missing in the reports, in words, where a fault of a kind was provoked, or of any.
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

/// Cycles in which a packet of a channel, there again or with one more request, meets others as none has `met` them, and the bits of a block
/// that flip.
fn meetings(
    quiet: &Quiet,
    detectors: &Detectors,
    layout: &Layout,
    channel: &Range<usize>,
    met: &mut BTreeSet<Meeting>,
) -> Vec<(u64, Vec<u64>)> {
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

/// Disturbance of a channel: the cycle, and the bits of a block that flip.
struct Disturbed<'a> {
    cycle: u64,
    mask: &'a [u64],
    point: Point,
}

fn trial(
    session: &Session,
    detectors: &Detectors,
    simulator: &mut dyn Simulator,
    disturbed: Disturbed<'_>,
) -> Result<Found, CosimError> {
    let (model, fabric) = (session.model(), session.model().fabric());
    let mut lockstep = Lockstep::new(simulator, model, None);
    session.queue(&mut lockstep);
    lockstep.wait_to(disturbed.cycle - detectors.history().min(disturbed.cycle))?;
    let mut events = detectors.events();
    let [mut expected, mut observed] = [(); 2].map(|()| vec![0; model.layout().words()]);
    let end = disturbed.cycle + model.interval() + model.cycles() + AFTER;
    while lockstep.cycle() < end {
        let now = lockstep.cycle();
        if now == disturbed.cycle {
            lockstep.simulator().disturb(disturbed.mask);
        }
        expected.fill(0);
        lockstep.expect(now, &mut expected);
        lockstep.simulator().observe(&mut observed);
        events.see(now, &expected, &observed);
        lockstep.wait_to(now + 1)?;
    }
    lockstep.queue(Job::Status);
    lockstep.run()?;
    let words = status_words(&mut lockstep);
    let faults = faults_of(fabric, &words);
    let port = matches!(fabric, Fabric::Pops(_)).then_some(disturbed.point.port);
    let statuses = events.statuses(lockstep.launched(), &words, port);
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
    let cleared = statuses_of(session, &mut lockstep).is_empty();
    Ok(Found { faults, signal, cleared, difference })
}

/// Most bits of tables that are flipped.
fn table_bits(session: &Session) -> usize {
    if session.model().fabric().tiles > FEW_TILES { FEWER_TABLE_BITS } else { TABLE_BITS }
}

/// Flips bits of the first row of tables.
fn rows(session: &Session, new: &dyn Fn() -> Result<Box<dyn Simulator>, CosimError>) -> Result<Trials, CosimError> {
    // rows are whole digits behind the check byte; a memory of another width has lost bits to synthesis, and its byte is not where it was
    let is_table = |register: &Register| register.name.ends_with("mem") && register.bits.is_multiple_of(4);
    let tables: Vec<(usize, Register)> =
        new()?.registers().into_iter().enumerate().filter(|(_, register)| is_table(register)).collect();
    let step = tables.len().div_ceil(TABLES).max(1);
    let chosen: Vec<&(usize, Register)> = tables.iter().step_by(step).collect();
    let mut count = 0;
    for (number, (index, table)) in chosen.iter().enumerate() {
        let digits = table.bits.saturating_sub(CHECK_BITS);
        // bit 1 of the byte is the network's; with parity any other of the row's shows
        let mut bits = vec![digits + 1];
        if session.model().fabric().parity && digits > 0 {
            let more = (table_bits(session) / chosen.len()).saturating_sub(1) as u32;
            bits.extend(
                (0..more.min(digits)).map(|turn| (number as u32 + turn * digits.div_ceil(more.max(1)).max(1)) % digits),
            );
        }
        for bit in bits {
            count += 1;
            let mut simulator = new()?;
            let mut lockstep = Lockstep::new(&mut *simulator, session.model(), None);
            session.queue(&mut lockstep);
            lockstep.simulator().upset(*index, 0, bit);
            lockstep.run()?;
            let faults = statuses_of(session, &mut lockstep);
            let signal = lockstep.fault_signal();
            // a program that does not end does not answer
            let told =
                faults.iter().any(|fault| fault.kind == WRONG_ROW) || (faults.is_empty() && bit < digits && signal);
            if !told {
                let provoked = format!("bit {bit} of the first row of {} was flipped", table.name);
                let missing = "no tile reports the row".to_owned();
                return Ok(Trials { count, unnoticed: Some(Unnoticed { provoked, missing }) });
            }
        }
    }
    Ok(Trials { count, unnoticed: None })
}

/// Lets outputs of slot-table routers take a second source.
fn clashes(
    session: &Session,
    second: &[SecondSource],
    new: &dyn Fn() -> Result<Box<dyn Simulator>, CosimError>,
) -> Result<Trials, CosimError> {
    let fabric = session.model().fabric();
    let registers = new()?.registers();
    let mut count = 0;
    for source in second.iter().step_by(second.len().div_ceil(table_bits(session)).max(1)) {
        let tile = source.node.index();
        let of = |name: &str| name.contains(&format!("u_tile_{tile}.")) && name.ends_with("u_table.mem");
        let Some(table) = registers.iter().position(|register| of(&register.name)) else { continue };
        count += 1;
        let mut simulator = new()?;
        let mut lockstep = Lockstep::new(&mut *simulator, session.model(), None);
        session.queue(&mut lockstep);
        lockstep.simulator().upset(table, source.row, source.bit);
        lockstep.run()?;
        let status = status_words(&mut lockstep).get(tile).copied().unwrap_or(0);
        let port = if fabric.error_log { u64::from(source.output) } else { NO_PORT };
        if status & 0xff != 0x80 | port {
            let name = fabric.tile_name(tile);
            let SecondSource { row, output, .. } = source;
            let provoked = format!("row {row} of {name} has a second source for output {output}");
            let missing = format!("no {CONFLICT} at this output is reported");
            return Ok(Trials { count, unnoticed: Some(Unnoticed { provoked, missing }) });
        }
    }
    Ok(Trials { count, unnoticed: None })
}

/// Register with the leaves of the tree of ends; inner nodes are fewer.
fn leaves(registers: &[Register], end: &str, tiles: u32) -> Option<usize> {
    let of = |name: &str| name.contains("u_done") && name.ends_with(end);
    registers.iter().position(|register| of(&register.name) && register.bits == tiles)
}

/// Lets single tiles end while no collective does, and keeps the ends of single tiles back.
fn ends(
    session: &Session,
    first: u64,
    new: &dyn Fn() -> Result<Box<dyn Simulator>, CosimError>,
) -> Result<Trials, CosimError> {
    let model = session.model();
    let tiles = model.fabric().tiles;
    let registers = new()?.registers();
    // an end among idle tiles is no end of all, so that the inverse of a leaf in every cycle only keeps its end back
    let collective = model.interval() + model.cycles() + AFTER;
    let kinds = [
        ("any_q", 1, true, "ended while no other did"),
        ("all_q", 1, false, "ended where the ends of all are waited for"),
        ("all_q", collective, true, "did not end"),
    ];
    let mut count = 0;
    for tile in (0..tiles).step_by((tiles as usize).div_ceil(ENDS).max(1)) {
        for (end, cycles, reported, what) in kinds {
            let Some(leaf) = leaves(&registers, end, tiles) else { continue };
            count += 1;
            let mut simulator = new()?;
            let mut lockstep = Lockstep::new(&mut *simulator, model, None);
            session.queue(&mut lockstep);
            for cycle in first..first + cycles {
                lockstep.run_to(cycle)?;
                lockstep.simulator().upset(leaf, 0, tile);
            }
            lockstep.run()?;
            let faults = statuses_of(session, &mut lockstep);
            let signal = lockstep.fault_signal();
            // a collective that does not end leaves its results unread, and the host without an answer
            let told = faults.iter().any(|fault| fault.kind == BROKEN_ORDER) || (faults.is_empty() && cycles > 1);
            if (told && signal) != reported {
                let provoked = format!("{} {what}", model.fabric().tile_name(tile as usize));
                let missing = if reported {
                    format!("no {BROKEN_ORDER} is reported")
                } else {
                    "its end is that of all".to_owned()
                };
                return Ok(Trials { count, unnoticed: Some(Unnoticed { provoked, missing }) });
            }
        }
    }
    Ok(Trials { count, unnoticed: None })
}

/// Leaves of the tree of ends, of which the host waits for all and is told of any.
struct EndTree<'a> {
    session: &'a Session,
    leaves: [usize; 2],
}

impl EndTree<'_> {
    /// Starts so many collectives behind each other, and gives the cycle of the first row.
    fn launch(&self, lockstep: &mut Lockstep<'_>, count: u64) -> Result<Option<u64>, CosimError> {
        let Some((words, payload)) = self.session.first() else { return Ok(None) };
        lockstep.queue(Job::Load(words.to_vec()));
        let payloads = vec![Rc::clone(payload)];
        lockstep.start(Start { model: Rc::clone(self.session.model()), payloads, count });
        let patience = 10_000 + 8 * words.len() as u64;
        while lockstep.launched().is_empty() && lockstep.cycle() < patience {
            lockstep.wait_to(lockstep.cycle() + 1)?;
        }
        Ok(lockstep.launched().first().map(|start| start.first_row))
    }

    /// Keeps the ends of all tiles back that are in the leaves in a cycle.
    fn keep_back(&self, lockstep: &mut Lockstep<'_>, cycle: u64) -> Result<(), CosimError> {
        lockstep.wait_to(cycle)?;
        for leaf in self.leaves {
            for tile in 0..self.session.model().fabric().tiles {
                lockstep.simulator().upset(leaf, 0, tile);
            }
        }
        Ok(())
    }

    /// Cycles from a first row to the ends in the leaves: if they are kept back in another cycle, something else ends.
    fn ends(&self, new: &dyn Fn() -> Result<Box<dyn Simulator>, CosimError>) -> Result<Option<u64>, CosimError> {
        let model = self.session.model();
        let mut simulator = new()?;
        let mut lockstep = Lockstep::new(&mut *simulator, model, None);
        let Some(first) = self.launch(&mut lockstep, 1)? else { return Ok(None) };
        while lockstep.busy_signal() && lockstep.cycle() < first + model.cycles() + AFTER {
            lockstep.wait_to(lockstep.cycle() + 1)?;
        }
        let idle = lockstep.cycle();
        for cycle in idle.saturating_sub(TREE_CYCLES).max(first)..idle {
            let mut simulator = new()?;
            let mut lockstep = Lockstep::new(&mut *simulator, model, None);
            self.launch(&mut lockstep, 1)?;
            self.keep_back(&mut lockstep, cycle)?;
            lockstep.wait_to(idle + TREE_CYCLES)?;
            if lockstep.busy_signal() && !lockstep.fault_signal() {
                return Ok(Some(cycle - first));
            }
        }
        Ok(None)
    }
}

/// Keeps the ends of all tiles back while collectives follow each other: the host must say so in the cycle in which it launches more than may be
/// on their way.
fn no_ends(session: &Session, new: &dyn Fn() -> Result<Box<dyn Simulator>, CosimError>) -> Result<Trials, CosimError> {
    let model = session.model();
    let registers = new()?.registers();
    let found = ["any_q", "all_q"].map(|end| leaves(&registers, end, model.fabric().tiles));
    let ([Some(any), Some(all)], Some(_)) = (found, session.first()) else {
        return Ok(Trials { count: 0, unnoticed: None });
    };
    let tree = EndTree { session, leaves: [any, all] };
    let trials = |missing: Option<String>| {
        let unnoticed = missing.map(|missing| Unnoticed { provoked: "no tile ended".to_owned(), missing });
        Ok(Trials { count: 1, unnoticed })
    };
    let Some(ends) = tree.ends(new)? else { return trials(Some("the host no longer waits".to_owned())) };
    let mut simulator = new()?;
    let mut lockstep = Lockstep::new(&mut *simulator, model, None);
    let Some(first) = tree.launch(&mut lockstep, IN_FLIGHT + 4)? else {
        return trials(Some("nothing is launched".to_owned()));
    };
    for collective in 0..IN_FLIGHT + 2 {
        let cycle = first + ends + collective * model.interval();
        while lockstep.cycle() < cycle && !lockstep.fault_signal() {
            lockstep.wait_to(lockstep.cycle() + 1)?;
        }
        if lockstep.fault_signal() {
            break;
        }
        tree.keep_back(&mut lockstep, cycle)?;
    }
    let due = first + (IN_FLIGHT + 1) * model.interval() - u64::from(model.fabric().tree_cycles());
    trials(match lockstep.fault_signal() {
        true if lockstep.cycle() == due => None,
        true => Some(format!("fault_o is high in cycle {}, not {due}", lockstep.cycle())),
        false => Some("fault_o is low".to_owned()),
    })
}

/// Jobs before a start that ask for a program that was not loaded: without any, and for a version that differs in one bit.
fn wrong_swaps(reload: Option<&Vec<Job>>) -> Vec<Vec<Job>> {
    let mut all = vec![vec![Job::Swap(UNLOADED)]];
    if let Some([loads @ .., Job::Swap(version)]) = reload.map(Vec::as_slice) {
        all.extend((0..u8::BITS).map(|bit| [loads, &[Job::Swap(version ^ 1 << bit)]].concat()));
    }
    all
}

/// What is wrong in the statuses of tiles after a program was loaded and run: all have its version, and no fault.
fn version_in_use(
    session: &Session,
    simulator: &mut dyn Simulator,
    reload: &[Job],
) -> Result<Option<String>, CosimError> {
    let Some(Job::Swap(version)) = reload.last() else { return Ok(None) };
    let mut lockstep = Lockstep::new(simulator, session.model(), None);
    reload.iter().for_each(|job| lockstep.queue(job.clone()));
    session.queue(&mut lockstep);
    lockstep.run()?;
    let fabric = session.model().fabric();
    let status = status_words(&mut lockstep);
    if let Some(fault) = faults_of(fabric, &status).first() {
        return Ok(Some(fault.to_string()));
    }
    let wrong = status.iter().position(|word| word >> VERSION_BIT & 0xff != u64::from(*version));
    Ok(wrong.map(|tile| format!("{} says that it runs another version than {version}", fabric.tile_name(tile))))
}

/// Number of tiles that report a request for a program that was not loaded.
fn refused(session: &Session, simulator: &mut dyn Simulator, swap: &[Job]) -> Result<usize, CosimError> {
    let mut lockstep = Lockstep::new(simulator, session.model(), None);
    swap.iter().for_each(|job| lockstep.queue(job.clone()));
    session.queue(&mut lockstep);
    lockstep.run()?;
    Ok(statuses_of(session, &mut lockstep).iter().filter(|fault| fault.kind == REFUSED).count())
}

/// Statuses of all tiles, as they were answered last.
fn status_words(lockstep: &mut Lockstep<'_>) -> Vec<u64> {
    let found = |answer| match answer {
        Answer::Status(status) => Some(status),
        Answer::Drained(_) => None,
    };
    lockstep.answers().into_iter().filter_map(found).next_back().unwrap_or_default()
}

fn statuses_of(session: &Session, lockstep: &mut Lockstep<'_>) -> Vec<Fault> {
    faults_of(session.model().fabric(), &status_words(lockstep))
}
