//! Single-event upsets: one bit of a register or memory is flipped in a run, and the effect is told.
//!
//! Each run is a simulation of the same session of its own, on a library that was built with [`upsettable`]. The bit is flipped between the
//! start of the first collective and the end of the last.

use super::CosimError;
use super::build::Parts;
use super::lockstep::{Lockstep, Verdict};
use super::session::Session;
use super::simulator::{Answer, Register, Simulator};
use super::status::faults_of;
use crate::hash::split_mix_64;
use serde::Serialize;
use std::collections::BTreeMap;

/// Registers and memories by the names that metronoc's Verilog gives them.
const REGISTERS: &str = "
public_flat_rw -module \"*\" -var \"*q\"
public_flat_rw -module \"*\" -var \"mem\"
public_flat_rw -module \"*\" -var \"block\"
public_flat_rw -module \"mn_crossbar\" -var \"q_o\"
public_flat_rw -module \"mn_conflict\" -var \"conflict_o\"
";
/// List of the registers of a model, for the shim.
const HEADER: &str = include_str!("../../sim/mn_upsets.h");

/// Parts of a form of simulation whose registers can be upset.
pub fn upsettable(parts: Parts) -> Parts {
    flippable(parts, REGISTERS)
}

/// Parts of a form of simulation in which bits of some signals, in lines for Verilator, can be flipped.
pub(super) fn flippable(mut parts: Parts, signals: &str) -> Parts {
    for (name, text) in &mut parts.beside {
        if name.ends_with(".vlt") {
            text.push_str(signals);
        }
        *text = text.replace("#include \"mn_upsets.h\"", HEADER);
    }
    parts.defines.push(("MN_UPSETS", 1));
    parts
}

/// Kind of a register, by its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, strum::Display, strum::EnumIter)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum Kind {
    /// Memory of a slot table, and the row that is read.
    Table,
    /// Counter or state of a program.
    Counter,
    /// Register of a router, a coupler or a channel.
    Channel,
    /// Memory of words, and the word that is read.
    Bank,
    /// Register between programs, banks and channels.
    Endpoint,
    /// Host, its ring, and the trees of starts and ends.
    Host,
    /// Detectors of faults and their log.
    Detector,
}

/// Parts of names by which a register is of a kind; the first that fits counts.
const NAMES: &[(Kind, &[&str])] = &[
    (Kind::Detector, &["u_log", "conflict", "u_check", "expected_q", "collision", "unexpected", "missing", "parity"]),
    (Kind::Table, &["u_table", "u_places", "u_rom", "u_loops.u_loops", "u_expand"]),
    (Kind::Host, &["u_host", "u_stop", "u_go", "u_done", "u_fault", "u_rows", "ring", "u_reset"]),
    (Kind::Bank, &["bank", "u_queue", ".mem", "u_send", "u_receive"]),
    (Kind::Channel, &["u_router", "u_coupler", "coupler", "u_channel", "u_local_", "u_global_", "u_stages", "u_relay"]),
    (Kind::Counter, &["counter", "u_program", "u_train", "u_sequencer", "u_loader", "u_tx", "u_rx"]),
];

impl Kind {
    /// Kind of the register of this name.
    pub fn of(name: &str) -> Self {
        let fits = |(_, parts): &&(Self, &[&str])| parts.iter().any(|part| name.contains(part));
        NAMES.iter().find(fits).map_or(Kind::Endpoint, |(kind, _)| *kind)
    }
}

/// Effect of an upset.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Effect {
    /// The hardware reports a fault.
    Reported,
    /// All words are right, and nothing is reported.
    None,
    /// The run does not end, or answers are missing.
    NoEnd,
    /// Words are wrong, and nothing is reported.
    Silent,
}

/// Upsets of one kind of register.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Share {
    /// Bits of all registers of the kind.
    pub bits: u64,
    /// Upsets.
    pub upsets: u64,
    /// Upsets that the hardware reports.
    pub reported: u64,
    /// Upsets after which all words are right.
    pub without_effect: u64,
    /// Upsets after which the run does not end.
    pub without_end: u64,
    /// Upsets after which words are wrong and nothing is reported.
    pub silent: u64,
}

impl Share {
    fn count(&mut self, effect: Effect) {
        self.upsets += 1;
        *match effect {
            Effect::Reported => &mut self.reported,
            Effect::None => &mut self.without_effect,
            Effect::NoEnd => &mut self.without_end,
            Effect::Silent => &mut self.silent,
        } += 1;
    }
}

/// Upsets of a network.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Upsets {
    /// By kind of register.
    pub kinds: BTreeMap<Kind, Share>,
    /// By register, its numbers left out: silent upsets.
    pub silent: BTreeMap<String, u64>,
}

impl Upsets {
    /// Sum of all kinds.
    pub fn total(&self) -> Share {
        self.kinds.values().fold(Share::default(), |sum, share| Share {
            bits: sum.bits + share.bits,
            upsets: sum.upsets + share.upsets,
            reported: sum.reported + share.reported,
            without_effect: sum.without_effect + share.without_effect,
            without_end: sum.without_end + share.without_end,
            silent: sum.silent + share.silent,
        })
    }
}

/// Outcome of a run: words that were read out, and true if a fault was reported; no words if it does not end.
struct Said {
    words: Option<Vec<u64>>,
    reported: bool,
}

/// Flips `count` bits, as many of each kind, one a run. `results` takes the words of a result out of all that was read.
///
/// # Errors
/// If the simulation itself fails, or reports a fault without an upset.
pub fn upsets(
    session: &Session,
    (count, seed): (u64, u64),
    results: &dyn Fn(Vec<u64>) -> Vec<u64>,
    new: &dyn Fn() -> Result<Box<dyn Simulator>, CosimError>,
) -> Result<Upsets, CosimError> {
    let mut simulator = new()?;
    let registers = simulator.registers();
    let mut lockstep = Lockstep::new(&mut *simulator, session.model(), None);
    session.queue(&mut lockstep);
    let verdict = lockstep.run()?;
    let launched = lockstep.launched().to_vec();
    let right = said(session, &mut lockstep, &verdict).words.map(results);
    let (Some(first), Some(last)) = (launched.first(), launched.last()) else { return Ok(Upsets::default()) };
    let window = first.first_row..last.first_row + last.count * last.interval;
    let mut found = Upsets::default();
    let mut places: BTreeMap<Kind, Vec<(usize, &Register)>> = BTreeMap::new();
    for (index, register) in registers.iter().enumerate() {
        let kind = Kind::of(&register.name);
        places.entry(kind).or_default().push((index, register));
        found.kinds.entry(kind).or_default().bits += bits(register);
    }
    let mut drawn = 0;
    let mut draw = |below: u64| {
        drawn += 1;
        split_mix_64(seed, drawn) % below.max(1)
    };
    for (number, (&kind, all)) in (0..count).zip(places.iter().cycle()) {
        let mut bit = draw(found.kinds[&kind].bits);
        let cycle = window.start + draw(window.end - window.start);
        let at = all.iter().find(|(_, register)| {
            let here = bit < bits(register);
            bit -= if here { 0 } else { bits(register) };
            here
        });
        let Some(&(index, register)) = at else { continue };
        let (element, bit) = ((bit / u64::from(register.bits)) as u32, (bit % u64::from(register.bits)) as u32);
        tracing::debug!("upset {number}: bit {bit} of element {element} of {} in cycle {cycle}", register.name);
        let mut simulator = new()?;
        let mut lockstep = Lockstep::new(&mut *simulator, session.model(), None);
        session.queue(&mut lockstep);
        lockstep.run_to(cycle)?;
        lockstep.simulator().upset(index, element, bit);
        let verdict = lockstep.run()?;
        let Said { words, reported } = said(session, &mut lockstep, &verdict);
        let effect = match words.map(results) {
            _ if reported => Effect::Reported,
            None => Effect::NoEnd,
            words if words == right => Effect::None,
            Some(_) => {
                *found.silent.entry(without_numbers(&register.name)).or_default() += 1;
                Effect::Silent
            }
        };
        found.kinds.entry(kind).or_default().count(effect);
    }
    Ok(found)
}

/// Bits of all elements.
fn bits(register: &Register) -> u64 {
    u64::from(register.bits) * u64::from(register.elements)
}

/// Name of a register without the numbers of its instances and without the top.
fn without_numbers(name: &str) -> String {
    let name = name.trim_start_matches("TOP.mn_top.").trim_start_matches("u_network.");
    let mut text = String::new();
    for c in name.chars().map(|c| if c.is_ascii_digit() { '#' } else { c }) {
        if c != '#' || !text.ends_with('#') {
            text.push(c);
        }
    }
    text
}

fn said(session: &Session, lockstep: &mut Lockstep<'_>, verdict: &Verdict) -> Said {
    let mut reported = lockstep.fault_signal();
    let (mut words, mut asked) = (Vec::new(), false);
    for answer in lockstep.answers() {
        match answer {
            Answer::Drained(set) => words.extend(set),
            Answer::Status(status) => {
                asked = true;
                reported |= !faults_of(session.model().fabric(), &status).is_empty();
            }
        }
    }
    let ended = asked && matches!(verdict, Verdict::Agreed);
    Said { words: ended.then_some(words), reported }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn registers_have_kinds_by_their_places() {
        for (name, kind) in [
            ("u_network.u_tile_0.u_endpoint.u_program.gen_rom.u_table.mem", Kind::Table),
            ("u_network.u_tile_0.u_endpoint.u_program.u_counter.slot_q", Kind::Counter),
            ("u_network.u_tile_0.u_router.gen_output[0].u_output.gen_register.out_q", Kind::Channel),
            ("u_network.u_tile_0.u_bank_0.gen_memory.mem", Kind::Bank),
            ("u_network.u_tile_0.select_q", Kind::Endpoint),
            ("u_host.u_answers.gen_one.mem", Kind::Host),
            ("u_network.u_tile_0.u_endpoint.u_log.seen_q", Kind::Detector),
        ] {
            assert_eq!(Kind::of(name), kind, "{name}");
        }
        assert_eq!(without_numbers("TOP.mn_top.u_network.u_tile_12.gen_x[3].a_2q"), "u_tile_#.gen_x[#].a_#q");
    }
}
