//! Host of the tile form: the inputs of the tiles in each cycle, so that jobs are done in order.
//!
//! It keeps the rules of `mn_host`, with one difference: in each cycle every tile can have a flit, since each is
//! reached by its own ring port, not over the ring.

use super::TileInterface;
use super::library::{Drive, Shown};
use crate::cosim::status::ORDER_BIT;
use crate::cosim::{Answer, Job};
use crate::lower::ring::{STATUS_BITS, STOP_CYCLES};
use std::collections::VecDeque;

/// Kinds of flits, with their valid bit; see `mn_ring_stop`.
const LOAD: u8 = 8;
const PROGRAM: u8 = 9;
const READ: u8 = 10;
const STATUS: u8 = 11;
const CLEAR: u8 = 13;

/// Status pieces and, for kinds that carry nothing, zero: index i holds i.
const PIECES: [u64; 8] = [0, 1, 2, 3, 4, 5, 6, 7];

/// Action of the host in a cycle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// A start was taken; nothing was done yet in this cycle.
    Started(u64),
    /// Cycle in which the tiles have the inputs of [`Host::drive`].
    Cycle,
}

/// Room that a job wants for its answers, in words a tile.
pub(super) type Room = usize;

#[derive(Debug)]
pub(super) struct Host {
    p: TileInterface,
    jobs: VecDeque<Job>,
    /// Flits of the first job that are sent, and answers that came.
    sent: usize,
    answered: usize,
    /// Cycles until all flits have had their effect.
    unsettled: u32,
    /// Collectives to be launched, the cycles until the next may be, and those that run.
    remaining: u64,
    interval: u64,
    running: u32,
    /// The buffers of the next collective and of the next load.
    buffer: bool,
    fill: bool,
    swap: Option<u8>,
    answers: Vec<Answer>,
    progress: u64,
    /// True if tiles ended a collective in different cycles, or answered without a request.
    disorder: bool,
    fault: bool,
}

impl Host {
    pub fn new(p: &TileInterface) -> Self {
        Self {
            p: p.clone(),
            jobs: VecDeque::new(),
            sent: 0,
            answered: 0,
            unsettled: 0,
            remaining: 0,
            interval: 0,
            running: 0,
            buffer: false,
            fill: false,
            swap: None,
            answers: Vec::new(),
            progress: 0,
            disorder: false,
            fault: false,
        }
    }

    pub fn queue(&mut self, job: Job) {
        let job = match job {
            Job::Load(words) => Job::Load(self.p.padded(words)),
            other => other,
        };
        self.jobs.push_back(job);
    }

    pub fn progress(&self) -> u64 {
        self.progress
    }

    pub fn take_answers(&mut self) -> Vec<Answer> {
        std::mem::take(&mut self.answers)
    }

    pub fn is_busy(&self) -> bool {
        self.remaining > 0 || self.running > 0
    }

    pub fn has_fault(&self) -> bool {
        self.fault || self.disorder
    }

    /// True if no job is queued and no effect of a flit is outstanding.
    pub fn is_done(&self) -> bool {
        self.jobs.is_empty() && !self.is_busy() && self.unsettled == 0
    }

    fn set_words(&self) -> usize {
        self.p.results
    }

    fn status_pieces(&self) -> usize {
        STATUS_BITS.div_ceil(self.p.ring.data_bits) as usize
    }

    /// Executes jobs that need no flit, up to one that needs one or must wait. Room for the answers of a job is
    /// reserved before its first flit.
    pub fn step(&mut self) -> (Step, Option<Room>) {
        while let Some(job) = self.jobs.front() {
            let busy = self.is_busy();
            match *job {
                Job::Start(count) if self.unsettled == 0 && self.remaining == 0 => {
                    self.remaining = count.max(1);
                    self.jobs.pop_front();
                    self.progress += 1;
                    return (Step::Started(self.remaining), None);
                }
                Job::Swap(version) if !busy => {
                    self.swap = Some(version);
                    self.jobs.pop_front();
                }
                Job::Drain if self.unsettled == 0 && !busy && self.sent == 0 => {
                    return (Step::Cycle, Some(self.set_words()));
                }
                Job::Status if self.unsettled == 0 && self.sent == 0 => {
                    return (Step::Cycle, Some(self.status_pieces()));
                }
                _ => break,
            }
        }
        (Step::Cycle, None)
    }

    /// Cycles until the first row of the collective that was just taken, from the current one.
    pub fn cycles_to_first_row(&self) -> u64 {
        self.interval + 1
    }

    fn may_fill(&self) -> bool {
        self.remaining == 0
            && match self.running {
                0 => true,
                1 => self.p.double && self.fill == self.buffer,
                _ => false,
            }
    }

    /// Inputs of all tiles in this cycle.
    pub fn drive(&self) -> Drive<'_> {
        let launch = self.remaining > 0 && self.interval == 0;
        let start = Drive {
            go: launch,
            go_buffer: self.buffer,
            go_swap: self.swap.is_some(),
            go_version: self.swap.unwrap_or(0),
            ..Drive::default()
        };
        let flit = |flit, words, stride| Drive { flit, words, stride, ..start };
        let settled = self.unsettled == 0;
        match self.jobs.front() {
            Some(Job::Load(words)) if self.may_fill() => flit(LOAD, &words[self.sent..], self.p.loads),
            Some(Job::TileLoad(tile, words)) if self.may_fill() && !words.is_empty() => {
                Drive { only: Some(*tile), ..flit(LOAD, &words[self.sent..], 0) }
            }
            Some(Job::Program(pieces)) if !self.is_busy() => flit(PROGRAM, &pieces[self.sent..], 0),
            Some(Job::RouterProgram(tile, pieces)) if !self.is_busy() => {
                Drive { only: Some(*tile), ..flit(PROGRAM, &pieces[self.sent..], 0) }
            }
            Some(Job::Drain) if settled && !self.is_busy() && self.sent < self.set_words() => flit(READ, &PIECES, 0),
            Some(Job::Status) if settled && self.sent < self.status_pieces() => flit(STATUS, &PIECES[self.sent..], 0),
            Some(Job::Clear) => flit(CLEAR, &PIECES, 0),
            _ => start,
        }
    }

    /// Records that the tiles had the inputs of [`Self::drive`], with the kind of the flit, and their next outputs.
    /// True if all answers to the first job are there.
    pub fn after(&mut self, flit: u8, launched: bool, shown: Shown) -> bool {
        if launched {
            self.remaining -= 1;
            self.interval = self.p.pass_cycles;
            self.running += 1;
            self.buffer ^= self.p.double;
            self.swap = None;
        }
        self.interval = self.interval.saturating_sub(1);
        self.unsettled = self.unsettled.saturating_sub(1);
        if shown.done > 0 {
            self.running = self.running.saturating_sub(1);
        }
        self.disorder &= flit != CLEAR;
        self.disorder |= !shown.done.is_multiple_of(self.p.ring.tiles) || shown.strays > 0;
        self.fault = shown.faults > 0;
        // tiles may tell ends of nothing, time and again, which are no progress
        self.progress += u64::from(launched) + u64::from(flit != 0) + u64::from(shown.answers);
        self.sent += usize::from(flit != 0);
        self.answered += shown.answers as usize;
        if matches!(flit, LOAD | PROGRAM | CLEAR) {
            self.unsettled = STOP_CYCLES;
        }
        let (flits, answers) = match self.jobs.front() {
            Some(Job::Load(_)) => (self.p.loads, 0),
            Some(Job::TileLoad(_, words)) => (words.len(), 0),
            Some(Job::Program(pieces) | Job::RouterProgram(_, pieces)) => (pieces.len(), 0),
            Some(Job::Clear) => (1, 0),
            Some(Job::Nothing) => (0, 0),
            Some(Job::Drain) => (self.set_words(), self.set_words()),
            Some(Job::Status) => (self.status_pieces(), self.status_pieces()),
            _ => return false,
        };
        if self.sent < flits || self.answered < answers * self.p.ring.tiles as usize {
            return false;
        }
        if answers == 0 {
            self.fill ^= self.p.double && matches!(self.jobs.front(), Some(Job::Load(_)));
            self.next_job();
        }
        answers > 0
    }

    /// Ends the first job, of which these are the answers, tile after tile.
    pub fn answered(&mut self, words: Vec<u64>) {
        let answer = match self.jobs.front() {
            Some(Job::Status) => {
                let join = |pieces: &[u64]| {
                    pieces
                        .iter()
                        .rev()
                        .fold(0, |status: u64, piece| status.checked_shl(self.p.ring.data_bits).unwrap_or(0) | piece)
                };
                let mut status: Vec<u64> = words.chunks(self.status_pieces()).map(join).collect();
                if let Some(last) = status.last_mut() {
                    *last |= u64::from(self.disorder) << ORDER_BIT;
                }
                Answer::Status(status)
            }
            _ => Answer::Drained(words),
        };
        self.answers.push(answer);
        self.next_job();
    }

    fn next_job(&mut self) {
        self.jobs.pop_front();
        (self.sent, self.answered) = (0, 0);
    }
}
