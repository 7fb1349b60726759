//! A whole co-simulation of a collective: load, run, drain, compare.

use super::CosimError;
use super::lockstep::{Launched, Lockstep, Mismatch, Start, Verdict};
use super::simulator::{Answer, Job, Simulator};
use super::status::{Fault, faults_of};
use super::wave::Recording;
use crate::collective::{Collective, Words};
use crate::model::{Model, Payload, Sections};
use std::ops::Range;
use std::rc::Rc;

/// Session of a co-simulation: model, data of each repetition, and compared sections.
pub struct Session {
    model: Rc<Model>,
    /// The words that are loaded for each repetition, and how the model wants them.
    sets: Vec<Set>,
    /// Sections that are compared in every cycle; None compares nothing.
    sections: Option<Sections>,
    /// Starts of a set of words, one behind the other.
    starts: u64,
    /// Collectives of each start, run back to back.
    collectives: u64,
    /// True if loads may overwrite results, which are then read out first.
    in_place: bool,
    /// Jobs before all others, that load another program and its words.
    before: Vec<Job>,
    /// Jobs behind the first start: the program is loaded anew while its collectives run, and the next start takes it.
    reload: Vec<Job>,
    /// Times that the words of a set are read out.
    drains: usize,
    /// True if the status of all tiles is read after each set, and not at the end alone.
    ask_each: bool,
}

/// The words of one repetition.
struct Set {
    /// Words to be loaded. Empty: the collective uses the words that the previous one left.
    load: Vec<u64>,
    /// Payload of each collective on these words, in turn.
    payloads: Vec<Rc<Payload>>,
}

/// Result of a session.
#[derive(Debug)]
pub struct Outcome {
    /// Verdict of the comparison.
    pub verdict: Verdict,
    /// The words that were read out, repetition after repetition, as far as they were.
    pub received: Vec<u64>,
    /// Faults that the hardware reports, if it could still answer.
    pub faults: Option<Vec<Fault>>,
    /// Start cycles of collectives.
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

impl Session {
    /// Compares `sections` of collectives on some sets of words.
    fn new(model: &Rc<Model>, sets: Vec<Set>, sections: Option<Sections>, collectives: u64) -> Self {
        Self {
            model: Rc::clone(model),
            sets,
            sections,
            starts: 1,
            collectives,
            in_place: false,
            before: Vec::new(),
            reload: Vec::new(),
            drains: 1,
            ask_each: false,
        }
    }

    /// Session of sets of words that are loaded one after the other, each with the words of its packets.
    pub fn of_sets(
        model: &Rc<Model>,
        sets: impl Iterator<Item = (Vec<u64>, Payload)>,
        sections: Option<Sections>,
        collectives: u64,
    ) -> Self {
        let sets = sets.map(|(load, payload)| Set { load, payloads: vec![Rc::new(payload)] });
        Self::new(model, sets.collect(), sections, collectives)
    }

    /// Session of a collective of these words, network after network, whose results lie where the words were: the next words are
    /// loaded after they are read out.
    pub fn in_place(
        model: &Rc<Model>,
        collective: &dyn Collective,
        words: &Words,
        sections: Option<Sections>,
        collectives: u64,
    ) -> Self {
        let payload = model.payload(collective, words, 0);
        let set = Set { load: words.to_vec(), payloads: vec![Rc::new(payload)] };
        Self { in_place: true, ..Self::new(model, vec![set], sections, collectives) }
    }

    /// Session of collectives of these words, each after the first on the results of the one before.
    pub fn on_results(
        model: &Rc<Model>,
        collective: &dyn Collective,
        words: &Words,
        sections: Option<Sections>,
        collectives: u64,
    ) -> Self {
        let (mut payloads, mut given) = (Vec::new(), words.clone());
        for _ in 0..collectives {
            let (payload, results) = model.run(collective, &given);
            let settled = results == given;
            given = results;
            payloads.push(Rc::new(payload));
            if settled {
                // from here on all are the same
                let last = payloads.last().map(Rc::clone);
                payloads.extend(std::iter::repeat_n(last, (collectives - payloads.len() as u64) as usize).flatten());
                break;
            }
        }
        Self::new(model, vec![Set { load: words.to_vec(), payloads }], sections, collectives)
    }

    /// Session with the results read out after each collective instead of the last only.
    pub fn read_each(mut self) -> Self {
        let Some(Set { load, payloads }) = self.sets.pop() else { return self };
        let loads = std::iter::once(load).chain(std::iter::repeat_with(Vec::new));
        self.sets = loads.zip(payloads).map(|(load, payload)| Set { load, payloads: vec![payload] }).collect();
        (self.collectives, self.in_place) = (1, true);
        self
    }

    /// Session of words that stay in the tiles for all collectives; packets have the words of `payload`.
    pub fn of_kept_words(
        model: &Rc<Model>,
        load: Vec<u64>,
        payload: Payload,
        sections: Option<Sections>,
        collectives: u64,
    ) -> Self {
        let set = Set { load, payloads: vec![Rc::new(payload)] };
        Self::new(model, vec![set], sections, collectives)
    }

    /// Session of words that are loaded for every collective anew, since a collective moves them.
    pub fn of_moved_words(
        model: &Rc<Model>,
        load: Vec<u64>,
        payload: Payload,
        sections: Option<Sections>,
        times: u64,
    ) -> Self {
        let payload = Rc::new(payload);
        let set = || Set { load: load.clone(), payloads: vec![Rc::clone(&payload)] };
        Self { in_place: true, ..Self::new(model, (0..times).map(|_| set()).collect(), sections, 1) }
    }

    /// A collective of a program that jobs load with its words.
    pub fn loaded(model: &Rc<Model>, before: Vec<Job>, payload: Payload, sections: Option<Sections>) -> Self {
        let set = Set { load: Vec::new(), payloads: vec![Rc::new(payload)] };
        Self { before, ..Self::new(model, vec![set], sections, 1) }
    }

    /// Words that are loaded for the first collective, and the payload of its packets; none of a session without one.
    pub fn first(&self) -> Option<(&[u64], &Rc<Payload>)> {
        self.sets.first().and_then(|set| Some((&set.load[..], set.payloads.first()?)))
    }

    /// The model of the network and its program.
    pub fn model(&self) -> &Rc<Model> {
        &self.model
    }

    /// Session of several, set after set; the first one sets the compared sections and the number of collectives.
    pub fn joined(sessions: Vec<Self>) -> Option<Self> {
        sessions.into_iter().reduce(|mut all, next| {
            all.sets.extend(next.sets);
            all
        })
    }

    /// Session with jobs behind its first start that load the program anew.
    pub fn reloading(self, reload: Vec<Job>) -> Self {
        Self { reload, ..self }
    }

    /// Session that reads the status of all tiles after each set, and not at the end alone.
    pub fn asking_each(self) -> Self {
        Self { ask_each: true, ..self }
    }

    /// Session with so many starts one behind the other, of so many collectives each, all with the words of the first.
    pub fn back_to_back(self, starts: u64, collectives: u64) -> Self {
        Self { starts, collectives, ..self }
    }

    /// Session with the same collectives so many times more, each on what the one before has left in place of new words, and right behind its
    /// drain; none with more than one buffer.
    pub fn again(mut self, times: usize) -> Option<Self> {
        let left = |set: &Set| Set { load: Vec::new(), payloads: set.payloads.clone() };
        let more: Vec<Set> = (0..times).flat_map(|_| self.sets.iter().map(left)).collect();
        self.sets.extend(more);
        (self.model.buffers() == 1).then_some(self)
    }

    /// Session that reads the words of each set out so many times, one behind the other; none with more than one buffer.
    pub fn drained(self, drains: usize) -> Option<Self> {
        (self.model.buffers() == 1).then_some(Self { drains, ..self })
    }

    /// Queues all that is to be done: sets are loaded while the collectives before them run, as far as there are buffers.
    pub(super) fn queue(&self, lockstep: &mut Lockstep<'_>) {
        let repeat = self.sets.len();
        let buffers = self.model.buffers() as usize;
        let group = |first: usize| first.min(repeat)..(first + buffers).min(repeat);
        let loads = |sets: Range<usize>| -> Vec<Job> {
            self.sets[sets].iter().filter(|set| !set.load.is_empty()).map(|set| Job::Load(set.load.clone())).collect()
        };
        self.before.iter().for_each(|job| lockstep.queue(job.clone()));
        loads(group(0)).into_iter().for_each(|job| lockstep.queue(job));
        for first in (0..repeat).step_by(buffers) {
            let sets = group(first);
            // a buffer that the group does not fill still has what was loaded last
            let in_buffers = (0..buffers).map(|b| if first + b < repeat { first + b } else { first + b - buffers });
            let start = Start {
                model: Rc::clone(&self.model),
                payloads: in_buffers.flat_map(|set| self.sets[set].payloads.iter().cloned()).collect(),
                count: sets.len() as u64 * self.collectives,
            };
            (0..self.starts).for_each(|_| lockstep.start(start.clone()));
            if first == 0 {
                self.reload.iter().for_each(|job| lockstep.queue(job.clone()));
            }
            let loads = loads(group(first + buffers));
            let mut drains = vec![Job::Drain; sets.len() * self.drains];
            drains.extend(self.ask_each.then_some(Job::Status));
            let jobs = if self.in_place { [drains, loads] } else { [loads, drains] };
            jobs.into_iter().flatten().for_each(|job| lockstep.queue(job));
        }
        lockstep.queue(Job::Status);
    }

    /// Runs the complete session. After a mismatch the hardware runs on alone, so that it can report its faults.
    ///
    /// # Errors
    /// If the simulation itself fails; [`CosimError::Answer`] if nothing but the marks of an answer is wrong.
    pub fn run(&self, simulator: &mut dyn Simulator) -> Result<Outcome, CosimError> {
        let mut lockstep = Lockstep::new(simulator, &self.model, self.sections);
        self.queue(&mut lockstep);
        let verdict = lockstep.run()?;
        let (cycles, compared) = (lockstep.cycle(), lockstep.compared());
        if let (Verdict::Agreed, Some(what)) = (&verdict, lockstep.simulator().wrong_answer()) {
            return Err(CosimError::Answer { cycle: cycles, what });
        }
        if matches!(verdict, Verdict::Differed(_)) {
            match lockstep.run_blind() {
                // then it cannot be asked
                Ok(_) | Err(CosimError::Stopped { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        let (mut words, mut found, guests) = (Vec::new(), None, self.model.places());
        for answer in lockstep.answers() {
            match answer {
                Answer::Drained(set) => match &guests {
                    None => words.extend(set),
                    Some(places) => words.extend(places.iter().map(|&place| set[place])),
                },
                Answer::Status(status) => found = Some(faults_of(self.model.fabric(), &status)),
            }
        }
        if found.is_none() {
            // hardware that stands still does not answer
            found = lockstep.simulator().status().map(|status| faults_of(self.model.fabric(), &status));
        }
        Ok(Outcome {
            verdict,
            received: words,
            faults: found,
            launched: lockstep.launched().to_vec(),
            cycles,
            compared,
        })
    }

    /// Runs a new simulation of the session to cycle `from`, and records the channels up to cycle `to`.
    ///
    /// # Errors
    /// If the simulation itself fails.
    pub fn record(&self, simulator: &mut dyn Simulator, from: u64, to: u64) -> Result<Recording, CosimError> {
        let mut lockstep = Lockstep::new(simulator, &self.model, None);
        self.queue(&mut lockstep);
        lockstep.record(from, to)
    }
}
