//! What trials have in common: their result, and statuses.

use crate::cosim::CosimError;
use crate::cosim::lockstep::{Lockstep, Start};
use crate::cosim::session::Session;
use crate::cosim::simulator::{Answer, Job, Simulator};
use crate::cosim::status::{Fault, faults_of};
use crate::model::Model;
use std::rc::Rc;

/// Cycles that are looked at after a collective whose packets were disturbed.
const AFTER: u64 = 64;

/// Most bits of tables, or of payloads, that are flipped one by one.
const BITS: usize = 512;
/// Most of them in networks of more tiles than `FEW_TILES`, whose trials take longer.
const FEWER_BITS: usize = 64;
const FEW_TILES: u32 = 16;

/// Makes a simulator of the hardware after reset.
pub(super) type New<'a> = &'a dyn Fn() -> Result<Box<dyn Simulator>, CosimError>;

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

impl Trials {
    /// So many trials in which all was reported.
    pub(super) fn passed(count: usize) -> Self {
        Self { count, unnoticed: None }
    }

    /// Trials of which the last provoked something, and misses something.
    pub(super) fn failed(count: usize, provoked: String, missing: String) -> Self {
        Self { count, unnoticed: Some(Unnoticed { provoked, missing }) }
    }
}

/// Most bits that are flipped one by one.
pub(super) fn most_bits(session: &Session) -> usize {
    if session.model().fabric().tiles > FEW_TILES { FEWER_BITS } else { BITS }
}

/// Cycles from the first row of a collective after which it is over: rows that carry nothing may follow the last arrival.
pub(super) fn whole(model: &Model) -> u64 {
    model.interval() + model.cycles() + AFTER
}

/// Loads the words of the session's first collective, and starts so many; nothing of a session without one.
pub(super) fn launch(session: &Session, lockstep: &mut Lockstep<'_>, count: u64) {
    if let Some((words, _)) = session.first() {
        lockstep.queue(Job::Load(words.to_vec()));
        start(session, lockstep, count);
    }
}

/// Starts so many collectives with the words of the session's first one.
pub(super) fn start(session: &Session, lockstep: &mut Lockstep<'_>, count: u64) {
    if let Some((_, payload)) = session.first() {
        lockstep.start(Start { model: Rc::clone(session.model()), payloads: vec![Rc::clone(payload)], count });
    }
}

/// Waits until something is launched, to cycle `end` at the latest; the cycle of its first row.
pub(super) fn first_row(lockstep: &mut Lockstep<'_>, end: u64) -> Result<Option<u64>, CosimError> {
    while lockstep.launched().is_empty() && lockstep.cycle() < end {
        lockstep.wait_to(lockstep.cycle() + 1)?;
    }
    Ok(lockstep.launched().first().map(|start| start.first_row))
}

/// Runs the session with bits flipped in a cycle, each by its register, element and number: statuses of all tiles, and the fault signal.
pub(super) fn flipped(
    session: &Session,
    new: New<'_>,
    cycle: u64,
    bits: &[(usize, u32, u32)],
) -> Result<(Vec<u64>, bool), CosimError> {
    let mut simulator = new()?;
    let mut lockstep = Lockstep::new(&mut *simulator, session.model(), None);
    session.queue(&mut lockstep);
    lockstep.run_to(cycle)?;
    for &(register, element, bit) in bits {
        lockstep.simulator().upset(register, element, bit);
    }
    lockstep.run()?;
    Ok((status_words(&mut lockstep), lockstep.fault_signal()))
}

/// Statuses of all tiles, as they were answered last.
pub(super) fn last_status(answers: &[Answer]) -> Vec<u64> {
    let found = |answer: &Answer| match answer {
        Answer::Status(status) => Some(status.clone()),
        Answer::Drained(_) => None,
    };
    answers.iter().filter_map(found).next_back().unwrap_or_default()
}

/// Statuses that a simulation has answered since it was asked last.
pub(super) fn status_words(lockstep: &mut Lockstep<'_>) -> Vec<u64> {
    last_status(&lockstep.answers())
}

/// Faults in these statuses.
pub(super) fn statuses_of(session: &Session, lockstep: &mut Lockstep<'_>) -> Vec<Fault> {
    faults_of(session.model().fabric(), &status_words(lockstep))
}
