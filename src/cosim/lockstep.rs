//! Hardware and model side by side, cycle after cycle.

use super::CosimError;
use super::simulator::{Answer, Job, Simulator, Stop};
use super::wave::Recording;
use crate::lower::Point;
use crate::model::{Model, Payload, Sections, Share, Timeline};
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

/// The most bytes of expected blocks that are kept.
const KEPT_BYTES: usize = 64 << 20;
/// The most cycles that the hardware is given at once.
const BATCH: usize = 1024;
/// Cycles that it is given after an event, since the next one may be near; what is expected beyond that is made in vain.
const FIRST_BATCH: usize = 16;

/// Indices of `busy_o` and `fault_o` among the signals of a top.
const BUSY_SIGNAL: usize = 0;
const FAULT_SIGNAL: usize = 1;

/// Collectives that one start launches: each with the next of `payloads`, in turn.
#[derive(Debug, Clone)]
pub struct Start {
    /// The model of the program that they run.
    pub model: Rc<Model>,
    /// Payloads of the collectives.
    pub payloads: Vec<Rc<Payload>>,
    /// Number of collectives.
    pub count: u64,
}

/// Beats that start `count` collectives, at most `most` at a time, with the payloads that each of them uses first, second and so on.
/// There are as many payloads as collectives at most in a beat, or memory would grow with the square of the number of collectives.
fn beats<T: Clone>(payloads: Vec<T>, count: u64, most: u64) -> Vec<(Vec<T>, u64)> {
    let (mut payloads, mut left, mut beats) = (VecDeque::from(payloads), count, Vec::new());
    while left > most {
        let used = payloads.len().min(most as usize);
        beats.push((payloads.range(..used).cloned().collect(), most));
        payloads.rotate_left((most % payloads.len() as u64) as usize);
        left -= most;
    }
    beats.push((payloads.into(), left));
    beats
}

/// A start that the hardware has taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct Launched {
    /// The cycle in which the first collective's program shows its first row.
    pub first_row: u64,
    /// Number of collectives.
    pub count: u64,
    /// Cycles from one to the next.
    pub interval: u64,
}

/// The first difference between hardware and model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mismatch {
    /// The cycle since the end of reset.
    pub cycle: u64,
    /// The collective that began last before it, counted from 0, and the cycles since its first row; None before the first.
    pub collective: Option<(u64, u64)>,
    /// Point of the mismatch.
    pub point: Point,
    /// Words of the model.
    pub expected: Vec<u64>,
    /// Words of the hardware.
    pub found: Vec<u64>,
}

/// Result of a comparison of hardware and model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// All jobs were done; nothing that was compared differed.
    Agreed,
    /// Hardware and model differ.
    Differed(Box<Mismatch>),
    /// Cycles in which the hardware made no progress although there was work to be done.
    Hung(u64),
}

/// A simulation and the model that it is held against.
pub struct Lockstep<'a> {
    simulator: &'a mut dyn Simulator,
    model: Rc<Model>,
    sections: Option<Sections>,
    timeline: Timeline,
    /// Starts that are queued and not taken.
    starts: VecDeque<Start>,
    launched: Vec<Launched>,
    /// Starts that the hardware has taken, kept alive since keys of `blocks` identify payloads by address.
    taken: Vec<Start>,
    /// Jobs that were queued since the hardware was last done with all.
    jobs: usize,
    answers: Vec<Answer>,
    blocks: BTreeMap<Vec<Share>, Vec<u64>>,
    compared: u64,
    /// Cycles that the hardware is given next: twice as many after each batch without an event.
    batch: usize,
}

impl<'a> Lockstep<'a> {
    /// A simulation that has not begun, and the model of its network; `sections` of None compares nothing.
    pub fn new(simulator: &'a mut dyn Simulator, model: &Rc<Model>, sections: Option<Sections>) -> Self {
        Self {
            simulator,
            model: Rc::clone(model),
            sections,
            timeline: Timeline::new(),
            starts: VecDeque::new(),
            launched: Vec::new(),
            taken: Vec::new(),
            jobs: 0,
            answers: Vec::new(),
            blocks: BTreeMap::new(),
            compared: 0,
            batch: FIRST_BATCH,
        }
    }

    /// Queues a job that is no start.
    pub fn queue(&mut self, job: Job) {
        self.jobs += 1;
        self.simulator.queue(job);
    }

    /// Queues the start of collectives, in several beats if their number does not fit one.
    pub fn start(&mut self, start: Start) {
        let most = u64::MAX >> u64::BITS.saturating_sub(self.model.fabric().data_bits);
        for (payloads, count) in beats(start.payloads, start.count, most) {
            self.queue(Job::Start(count));
            self.starts.push_back(Start { model: Rc::clone(&start.model), payloads, count });
        }
    }

    /// The starts that were taken.
    pub fn launched(&self) -> &[Launched] {
        &self.launched
    }

    /// Answers of the hardware since the last call.
    pub fn answers(&mut self) -> Vec<Answer> {
        std::mem::take(&mut self.answers)
    }

    /// Words that were compared.
    pub fn compared(&self) -> u64 {
        self.compared
    }

    /// The current cycle.
    pub fn cycle(&self) -> u64 {
        self.simulator.cycle()
    }

    /// Adds what the model has in a cycle that is not over to a block.
    pub(super) fn expect(&self, cycle: u64, block: &mut [u64]) {
        self.timeline.fill(cycle, Sections::All, block);
    }

    /// The simulation.
    pub(super) fn simulator(&mut self) -> &mut dyn Simulator {
        self.simulator
    }

    /// `busy_o` of the top.
    pub(super) fn busy_signal(&mut self) -> bool {
        self.simulator.top_signals()[BUSY_SIGNAL] == 1
    }

    /// `fault_o` of the top.
    pub(super) fn fault_signal(&mut self) -> bool {
        self.simulator.top_signals()[FAULT_SIGNAL] == 1
    }

    /// Runs to cycle `end` as [`Self::run_to`] does, and on if all is done before, or stands still. Nothing may be compared.
    pub(super) fn wait_to(&mut self, end: u64) -> Result<(), CosimError> {
        assert!(self.sections.is_none(), "a run that waits compares nothing");
        self.run_to(end)?;
        while self.cycle() < end {
            self.advance(self.cycle(), end - self.cycle())?;
        }
        Ok(())
    }

    /// Runs until all jobs are done and the network is empty, or something is wrong.
    ///
    /// # Errors
    /// If the simulation itself fails.
    pub fn run(&mut self) -> Result<Verdict, CosimError> {
        self.run_to(u64::MAX)
    }

    /// Runs like [`Self::run`], and stops in cycle `end` at the latest.
    ///
    /// # Errors
    /// As [`Self::run`].
    pub fn run_to(&mut self, end: u64) -> Result<Verdict, CosimError> {
        let patience = 4 * self.model.interval() + 8 * u64::from(self.model.fabric().flush_cycles) + 10_000;
        let mut moved = (self.simulator.progress(), self.cycle());
        loop {
            let (now, idle) = (self.cycle(), self.jobs == 0);
            if now >= end || (idle && now >= self.timeline.end()) {
                return Ok(Verdict::Agreed);
            }
            let left = if idle { self.timeline.end() - now } else { u64::MAX }.min(end - now);
            match self.advance(now, left)? {
                Stop::Mismatch { word } => return Ok(Verdict::Differed(Box::new(self.mismatch(word)))),
                Stop::Done => self.jobs = 0,
                Stop::Started { .. } | Stop::Cycles => {}
            }
            if self.simulator.progress() != moved.0 {
                moved = (self.simulator.progress(), self.cycle());
            }
            let waited = self.cycle().saturating_sub(moved.1.max(self.timeline.end()));
            if self.jobs > 0 && waited > patience {
                return Ok(Verdict::Hung(waited));
            }
        }
    }

    /// Runs on without comparison, for the fault report of the hardware; bounded like [`Self::run`].
    ///
    /// # Errors
    /// As [`Self::run`].
    pub fn run_blind(&mut self) -> Result<Verdict, CosimError> {
        self.sections = None;
        self.run()
    }

    /// Runs to cycle `from` without comparing, then records every cycle up to `to`, or to the end.
    ///
    /// # Errors
    /// As [`Self::run`].
    pub fn record(&mut self, from: u64, to: u64) -> Result<Recording, CosimError> {
        self.sections = None;
        self.run_to(from)?;
        let signals = self.simulator.signals().to_vec();
        let mut recording = Recording::new(self.cycle(), signals);
        while self.cycle() < to {
            let mut block = vec![0; self.model.layout().words()];
            self.simulator.observe(&mut block);
            recording.push(block, self.simulator.top_signals());
            // an event may end a run before its first cycle
            let now = self.cycle();
            while self.cycle() == now {
                match self.advance(now, 1) {
                    Ok(_) => {}
                    Err(CosimError::Stopped { .. }) => return Ok(recording),
                    Err(error) => return Err(error),
                }
            }
        }
        Ok(recording)
    }

    /// Runs at most `left` cycles, and takes the results of the hardware.
    fn advance(&mut self, now: u64, left: u64) -> Result<Stop, CosimError> {
        let stop = self.compare(now, left)?;
        self.batch = if stop == Stop::Cycles { (2 * self.batch).min(BATCH) } else { FIRST_BATCH };
        if let Stop::Started { first_row, count } = stop {
            self.take_start(first_row, count);
        }
        self.answers.extend(self.simulator.answers());
        Ok(stop)
    }

    fn compare(&mut self, now: u64, left: u64) -> Result<Stop, CosimError> {
        self.timeline.retire(now);
        let words = self.model.layout().words();
        let fit = (KEPT_BYTES / 2 / (words * 8)).clamp(1, self.batch);
        let cycles = usize::try_from(left).unwrap_or(usize::MAX).min(fit);
        let Some(sections) = self.sections else {
            let empty: &[u64] = &[];
            return Ok(self.simulator.run(&vec![empty; cycles], None)?.stop);
        };
        if self.blocks.len() * words * 8 > KEPT_BYTES / 2 {
            self.blocks.clear();
        }
        let mut keys = Vec::with_capacity(cycles);
        for cycle in now..now + cycles as u64 {
            let key = self.timeline.shares(cycle);
            if !self.blocks.contains_key(&key) {
                let mut block = vec![0; words];
                self.timeline.fill(cycle, sections, &mut block);
                self.blocks.insert(key.clone(), block);
            }
            keys.push(key);
        }
        let expected: Vec<&[u64]> = keys.iter().map(|key| &self.blocks[key][..]).collect();
        let ran = self.simulator.run(&expected, Some(sections))?;
        let compared = match sections {
            Sections::All => words,
            Sections::Receives => words - self.model.layout().channel_words(),
        };
        self.compared += ran.cycles as u64 * compared as u64;
        Ok(ran.stop)
    }

    fn take_start(&mut self, first_row: u64, count: u64) {
        // a simulator takes starts in the order in which they were queued
        let Some(start) = self.starts.pop_front() else { return };
        let interval = start.model.interval();
        for (i, payload) in (0..count).zip(start.payloads.iter().cycle()) {
            self.timeline.start(first_row + i * interval, &start.model, payload);
        }
        self.launched.push(Launched { first_row, count, interval });
        self.taken.push(start);
    }

    fn mismatch(&mut self, word: usize) -> Mismatch {
        let layout = self.model.layout();
        let (mut expected, mut found) = (vec![0; layout.words()], vec![0; layout.words()]);
        let cycle = self.simulator.cycle();
        self.timeline.fill(cycle, Sections::All, &mut expected);
        self.simulator.observe(&mut found);
        let point = layout.point(word);
        let range = layout.range(point);
        Mismatch {
            cycle,
            collective: self.collective(cycle),
            point,
            expected: expected[range.clone()].to_vec(),
            found: found[range].to_vec(),
        }
    }

    fn collective(&self, cycle: u64) -> Option<(u64, u64)> {
        let index = self.launched.iter().rposition(|launched| launched.first_row <= cycle)?;
        let before: u64 = self.launched[..index].iter().map(|launched| launched.count).sum();
        let Launched { first_row, count, interval } = self.launched[index];
        let number = ((cycle - first_row) / interval).min(count - 1);
        Some((before + number, cycle - first_row - number * interval))
    }
}

#[cfg(test)]
mod tests {
    use super::beats;

    #[test]
    fn beats_have_the_payloads_of_their_collectives() {
        // two buffers in turn
        assert_eq!(beats(vec![0, 1], 8, 3), [(vec![0, 1], 3), (vec![1, 0], 3), (vec![0, 1], 2)]);
        // each collective has its own
        let own = beats((0..8).collect(), 8, 3);
        let said: Vec<_> = own.iter().map(|(payloads, count)| &payloads[..*count as usize]).collect();
        assert_eq!(said, [&[0, 1, 2][..], &[3, 4, 5], &[6, 7]]);
        assert!(own[..2].iter().all(|(payloads, _)| payloads.len() == 3));
        assert_eq!(beats(vec![7], 3, 3), [(vec![7], 3)]);
    }
}
