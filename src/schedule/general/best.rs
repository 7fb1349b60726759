//! The shortest schedule of all algorithms.

use super::reduce::{self, STEPS_PER_SECOND};
use super::scheduler::Scheduler;
use super::size::{MOST_WORK, Size};
use super::{Effort, Made, Problem, circuit_least};
use crate::interrupt::search::{self, Turn};
use crate::topology::Topology;
use rayon::prelude::*;

/// Times the time limit that an attempt of an algorithm may take, by its estimate, if there are others.
const PATIENCE: u64 = 16;

/// The shortest schedule of all `schedulers`, each with the whole effort; of these the one with the fewest transfers, and of these the
/// first. True beside it if it is known to be the shortest of all.
///
/// Each algorithm makes one attempt; if none meets the bound, all search at the same time. The first algorithm in the
/// list that meets the bound ends those after it, and their results do not count. So the schedule does not depend on
/// the time that any of them takes.
///
/// An algorithm whose attempt would take many times the limit is left out. If there is no schedule without these, the one with the least
/// work that applies makes its attempt.
pub(super) fn best(
    schedulers: &[&dyn Scheduler],
    (problem, size): (&Problem, Size),
    effort: &Effort,
) -> Option<(Made, bool)> {
    let is_circuit = problem.is_circuit();
    let least = if is_circuit { circuit_least::least(problem) } else { reduce::least(problem) };
    let meets = |found: &Option<(Made, bool)>| found.as_ref().is_some_and(|(made, _)| made.cycles <= least);
    let short = schedulers.iter().filter(|scheduler| scheduler.is_circuit() == is_circuit && scheduler.is_short());
    let limit = u64::from(effort.time_limit_s.max(1)) * STEPS_PER_SECOND * PATIENCE;
    let works: Vec<(u64, &dyn Scheduler)> = short.map(|scheduler| (scheduler.work(size), *scheduler)).collect();
    let (quick, mut slow): (Vec<_>, Vec<_>) = works.into_iter().partition(|(work, _)| *work <= limit);
    slow.retain(|(work, _)| *work <= MOST_WORK);
    slow.sort_by_key(|(work, _)| *work); // stable: of equal work, the first
    let attempt = Effort { time_limit_s: 0, ..*effort };
    let mut all: Vec<Option<(Made, bool)>> = Vec::new();
    for (_, scheduler) in &quick {
        all.push(scheduler.schedule_proved(problem, &attempt));
        if all.last().is_some_and(meets) {
            break;
        }
    }
    let is_over = all.iter().any(meets) || effort.time_limit_s == 0 || search::is_over();
    if !is_over {
        let turns = Turn::of(quick.len());
        let search = |((_, scheduler), turn): (&(u64, &dyn Scheduler), &Turn)| {
            turn.run(|| scheduler.schedule_proved(problem, effort), |found| meets(found))
        };
        let searched: Vec<Option<(Made, bool)>> = quick.par_iter().zip(&turns).map(search).collect();
        let count = searched.iter().position(meets).map_or(searched.len(), |first| first + 1);
        all.extend(searched.into_iter().take(count));
    }
    if all.iter().all(Option::is_none) {
        all.extend(
            slow.iter().map(|(_, scheduler)| scheduler.schedule_proved(problem, &attempt)).find(Option::is_some),
        );
    }
    let all: Vec<(Made, bool)> = all.into_iter().flatten().collect();
    let proved = all.iter().filter(|(_, is_shortest)| *is_shortest).map(|(made, _)| made.cycles).min();
    let made = all.into_iter().map(|(made, _)| made).min_by_key(|made| (made.cycles, transfers(problem, made)))?;
    let is_shortest = proved.is_some_and(|cycles| cycles <= made.cycles) || made.cycles <= least;
    Some((made, is_shortest))
}

/// Crossings of channels.
fn transfers(problem: &Problem, made: &Made) -> usize {
    let nodes = problem.net.nodes();
    made.program.moves.iter().map(|m| m.hops.len() * m.who.nodes(nodes).count()).sum()
}
