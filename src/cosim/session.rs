//! A whole co-simulation of a collective: load, run, drain, compare.

use super::CosimError;
use super::lockstep::{Launched, Lockstep, Mismatch, Start, Verdict};
use super::simulator::{Answer, Job, Simulator};
use super::status::{Fault, faults};
use super::wave::Recording;
use crate::collective::{Data, Words};
use crate::model::{Model, Payload, Sections};
use std::rc::Rc;

/// What is to be simulated.
pub struct Session<'a> {
    /// The model of the network and its program.
    pub model: Rc<Model>,
    /// The words to be sent.
    pub data: &'a Data,
    /// What is compared in every cycle; None compares nothing.
    pub sections: Option<Sections>,
    /// How often each start's collectives are run, back to back.
    pub collectives: u64,
}

/// What came out of a session.
#[derive(Debug)]
pub struct Outcome {
    /// How the run ended.
    pub verdict: Verdict,
    /// What was read out, as far as it was.
    pub received: Option<Data>,
    /// The faults that the hardware reports, if it could still be asked.
    pub faults: Option<Vec<Fault>>,
    /// When collectives began.
    pub launched: Vec<Launched>,
    /// Cycles that were simulated.
    pub cycles: u64,
    /// 64-bit words that were compared.
    pub compared: u64,
}

impl Outcome {
    /// The mismatch, if the run ended with one.
    pub fn mismatch(&self) -> Option<&Mismatch> {
        match &self.verdict {
            Verdict::Differed(mismatch) => Some(mismatch),
            _ => None,
        }
    }
}

impl Session<'_> {
    /// Queues all that is to be done: sets are loaded while the collectives before them run, as far as there are buffers.
    fn queue(&self, lockstep: &mut Lockstep<'_>) {
        let repeat = self.data.traffic().repeat();
        let buffers = if self.model.parameters().double { 2 } else { 1 };
        let payloads: Vec<Rc<Payload>> = (0..repeat).map(|set| Rc::new(self.model.payload(self.data, set))).collect();
        let group = |first: u32| first..(first + buffers).min(repeat);
        for set in group(0) {
            lockstep.queue(Job::Load(self.set(set)));
        }
        for first in (0..repeat).step_by(buffers as usize) {
            let sets = group(first);
            // a buffer that the group does not fill still has what was loaded last
            let in_buffers = (0..buffers).map(|b| if first + b < repeat { first + b } else { first + b - buffers });
            lockstep.start(Start {
                model: Rc::clone(&self.model),
                payloads: in_buffers.map(|set| Rc::clone(&payloads[set as usize])).collect(),
                count: sets.len() as u64 * self.collectives,
            });
            for set in group(first + buffers) {
                lockstep.queue(Job::Load(self.set(set)));
            }
            for _ in sets {
                lockstep.queue(Job::Drain);
            }
        }
        lockstep.queue(Job::Status);
    }

    fn set(&self, set: u32) -> Vec<u64> {
        let traffic = self.data.traffic();
        let (start, end) = (traffic.index(set, 0, 0, 0), traffic.index(set + 1, 0, 0, 0));
        (start..end).map(|i| self.data.words().get(i)).collect()
    }

    /// Runs everything. After a mismatch the hardware runs on alone, so that it can be asked what it noticed itself.
    ///
    /// # Errors
    /// If the simulation itself fails.
    pub fn run(&self, simulator: &mut dyn Simulator) -> Result<Outcome, CosimError> {
        let mut lockstep = Lockstep::new(simulator, &self.model, self.sections);
        self.queue(&mut lockstep);
        let verdict = lockstep.run()?;
        let (cycles, compared) = (lockstep.cycle(), lockstep.compared());
        if matches!(verdict, Verdict::Differed(_)) {
            lockstep.run_blind()?;
        }
        let (mut words, mut found) = (Vec::new(), None);
        for answer in lockstep.answers() {
            match answer {
                Answer::Drained(set) => words.extend(set),
                Answer::Status(status) => found = Some(faults(self.model.parameters(), &status)),
            }
        }
        let words = Words::from_fn(self.data.words().dtype(), words.len(), |i| words[i]);
        let received = Data::new(self.data.traffic(), words);
        Ok(Outcome { verdict, received, faults: found, launched: lockstep.launched().to_vec(), cycles, compared })
    }

    /// Runs a fresh simulation of the same session to cycle `from`, and records what it shows up to cycle `to`.
    ///
    /// # Errors
    /// If the simulation itself fails.
    pub fn record(&self, simulator: &mut dyn Simulator, from: u64, to: u64) -> Result<Recording, CosimError> {
        let mut lockstep = Lockstep::new(simulator, &self.model, None);
        self.queue(&mut lockstep);
        lockstep.record(from, to)
    }
}
