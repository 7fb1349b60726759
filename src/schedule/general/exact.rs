//! The shortest schedule of a small problem: a SAT solver looks for schedules of fewer and fewer cycles until there is none, after
//! SCCL (Cai et al., PPoPP 2021).

use super::channels::Channels;
use super::exact_model::{Answer, Model};
use super::plan::Plan;
use super::random::Random;
use super::reduce::{self, STEPS_PER_SECOND};
use super::scheduler::Scheduler;
use super::spread::{Word, least};
use super::{Effort, Made, Problem, reroute};
use crate::interrupt::search::found;
use crate::schedule::search;

/// Crossings of channels by words in cycles, beyond which a problem is too large.
const CROSSINGS: usize = 200_000;

/// Part of the effort that makes the schedule to begin with.
const START_SHARE: u64 = 4;

/// The algorithm.
pub(super) struct Exact;

impl Scheduler for Exact {
    fn name(&self) -> &'static str {
        "exact"
    }

    fn about(&self) -> &'static str {
        "for small problems: fewer cycles until a SAT solver proves that there is no such schedule"
    }

    fn schedule(&self, problem: &Problem, effort: &Effort) -> Option<Made> {
        self.schedule_proved(problem, effort).map(|(made, _)| made)
    }

    fn schedule_proved(&self, problem: &Problem, effort: &Effort) -> Option<(Made, bool)> {
        if effort.time_limit_s == 0 {
            return None;
        }
        let mut proved = true;
        let mut spread = |net: &Channels, words: &[Word], steps: u64, random: &mut Random| {
            let (plan, is_shortest) = shortest(net, words, steps, random)?;
            proved &= is_shortest;
            Some(plan)
        };
        let made = reduce::schedule(problem, effort, self.name(), &mut spread)?;
        // combinations that several nodes are to have come together and go out in two halves, each the shortest
        let in_halves = problem.demand.chunks.iter().any(|chunk| chunk.from.len() > 1 && chunk.to.len() > 1);
        let combines = problem.demand.combines();
        let mixed = combines && problem.demand.chunks.iter().any(|chunk| chunk.from.len() == 1);
        // here every node combines what comes to it; where that takes time, words that pass can be there sooner
        let slow = combines && problem.operator > 0;
        let is_shortest = proved && !in_halves && !mixed && !slow || made.cycles <= reduce::least(problem);
        Some((made, is_shortest))
    }
}

/// The shortest schedule that the effort finds, and true if there is none shorter; none if the problem is too large.
fn shortest(net: &Channels, words: &[Word], steps: u64, random: &mut Random) -> Option<(Plan, bool)> {
    let words: Vec<Word> = words.iter().filter(|word| !word.to.is_empty()).cloned().collect();
    let least = least(net, &words)?;
    if Model::crossings(net, &words, least) > CROSSINGS {
        return None;
    }
    let share = steps / START_SHARE;
    let mut plan = reroute::spread(net, &words, share, random)?;
    let mut left = (steps - share) * (search::STEPS_PER_SECOND / STEPS_PER_SECOND);
    loop {
        let cycles = plan.cycles(net);
        found(cycles);
        if cycles <= least {
            return Some((plan, true));
        }
        let crossings = Model::crossings(net, &words, cycles - 1);
        if crossings > CROSSINGS {
            return Some((plan, false));
        }
        let conflict = search::conflict_steps(crossings as u64);
        let (answer, used) = Model::new(net, &words, cycles - 1, left / conflict, random.next()).solve();
        left = left.saturating_sub(used * conflict);
        match answer {
            Answer::Found(shorter) => plan = shorter,
            Answer::Refuted => return Some((plan, true)),
            Answer::Unknown => return Some((plan, false)),
        }
    }
}
