//! The trait of an algorithm, and the algorithms that spread words.

use super::channels::Channels;
use super::plan::Plan;
use super::problem::{Effort, Made, Problem};
use super::random::Random;
use super::reduce;
use super::size::Size;
use super::spread::Word;

/// An algorithm that schedules any demand it fits.
pub trait Scheduler: Sync {
    /// Name in a specification.
    fn name(&self) -> &'static str;

    /// The algorithm in a sentence.
    fn about(&self) -> &'static str;

    /// Problems that it schedules, in words, if these are few.
    fn needs(&self) -> Option<&'static str> {
        None
    }

    /// True if it looks for the shortest schedule, so that `best` tries it.
    fn is_short(&self) -> bool {
        true
    }

    /// True if it schedules circuits, on networks with media; otherwise it schedules hops, on networks without.
    fn is_circuit(&self) -> bool {
        false
    }

    /// Steps of an attempt on a problem of this size, as an estimate; 0 if they are few.
    fn work(&self, _size: Size) -> u64 {
        0
    }

    /// Schedules a problem; None if the algorithm does not apply to it.
    fn schedule(&self, problem: &Problem, effort: &Effort) -> Option<Made>;

    /// Schedules a problem; the flag is true if it is proved that no schedule is shorter.
    fn schedule_proved(&self, problem: &Problem, effort: &Effort) -> Option<(Made, bool)> {
        self.schedule(problem, effort).map(|made| (made, false))
    }
}

/// An algorithm that spreads words, by which any demand is scheduled.
pub(super) struct Spreading {
    /// Name in a specification.
    pub name: &'static str,
    /// The algorithm in a sentence.
    pub about: &'static str,
    /// Steps of an attempt, about.
    pub work: fn(Size) -> u64,
    /// The algorithm.
    pub spread: fn(&Channels, &[Word], u64, &mut Random) -> Option<Plan>,
}

impl Scheduler for Spreading {
    fn name(&self) -> &'static str {
        self.name
    }

    fn about(&self) -> &'static str {
        self.about
    }

    fn work(&self, size: Size) -> u64 {
        (self.work)(size)
    }

    fn schedule(&self, problem: &Problem, effort: &Effort) -> Option<Made> {
        reduce::schedule(problem, effort, self.name, &mut |net, words, steps, random| {
            (self.spread)(net, words, steps, random)
        })
    }
}
