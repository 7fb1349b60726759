//! Schedules of any demand on any network. A file per algorithm, all of them behind [`Scheduler`].
//!
//! # Adding an algorithm
//! Write a file with a type that is a [`Scheduler`] and list it in [`SCHEDULERS`].

mod any_circuits;
mod balanced;
mod calendar;
mod channels;
mod circuit_least;
mod circuits;
mod collection_tree;
mod dual_net;
mod exact;
mod exact_model;
mod fat_cube;
mod flow;
mod law;
mod matching;
mod order;
mod parts;
mod plan;
mod problem;
mod random;
mod reduce;
mod reroute;
mod routes;
mod scheduler;
mod sfata;
mod spread;
mod symmetric;
mod table;
mod uniform;
mod write;

pub use flow::{Placing, Times};
pub use problem::{Effort, Made, PortModel, Problem};
pub use scheduler::Scheduler;

use super::ScheduleError;
use crate::interrupt::search::{self, Turn};
use crate::topology::Topology;
use any_circuits::AnyCircuits;
use exact::Exact;
use fat_cube::{FatCubeScheduler, Paper};
use rayon::prelude::*;
use scheduler::Spreading;
use sfata::Sfata;
use symmetric::Uniform;
use uniform::Form;

/// All algorithms; where cycles are equal, `best` takes the first.
pub const SCHEDULERS: &[&dyn Scheduler] = &[
    &FatCubeScheduler,
    &AnyCircuits,
    &Paper,
    &Uniform {
        name: "uniform",
        about: "every node does the same and no word waits; as few cycles as the search finds",
        form: Form { periodic: false, terminal: false },
    },
    &Spreading {
        name: "matching",
        about: "the channels into a node share out the words that most of its neighbours lack",
        spread: matching::spread,
    },
    &Spreading {
        name: "balanced",
        about: "routes that share the load, list scheduling and compaction",
        spread: balanced::spread,
    },
    &Spreading {
        name: "reroute",
        about: "the better of matching and balanced, whose last words are taken up and laid again",
        spread: reroute::spread,
    },
    &Exact,
    &dual_net::TotalExchange,
    &Uniform {
        name: "uniform-periodic",
        about: "like uniform; as short a period as the search finds",
        form: Form { periodic: true, terminal: false },
    },
    &Uniform {
        name: "uniform-terminal",
        about: "like uniform; the terminal of a node sends one word a cycle and takes one",
        form: Form { periodic: false, terminal: true },
    },
    &Sfata,
];

/// A schedule, and knowledge of it.
#[derive(Debug, Clone)]
pub struct Found {
    /// Schedule.
    pub made: Made,
    /// True if an algorithm has proved that no schedule has fewer cycles.
    pub is_shortest: bool,
}

/// Schedules a problem by the algorithm of this name, or by all that apply if it is `best`.
///
/// # Errors
/// [`ScheduleError`] for a name that is not known, and for an algorithm that does not apply.
pub fn schedule(problem: &Problem, algorithm: &str, effort: &Effort) -> Result<Made, ScheduleError> {
    search(problem, algorithm, effort).map(|found| found.made)
}

/// Schedules a problem as [`schedule`] does, and tells if the schedule is known to be the shortest.
///
/// # Errors
/// [`ScheduleError`] for a name that is not known, and for an algorithm that does not apply.
pub fn search(problem: &Problem, algorithm: &str, effort: &Effort) -> Result<Found, ScheduleError> {
    if problem.is_circuit() && problem.demand.combines() {
        return Err(ScheduleError::Uncombined);
    }
    let fitting = || SCHEDULERS.iter().filter(|scheduler| scheduler.is_circuit() == problem.is_circuit());
    let named = fitting().find(|scheduler| scheduler.name() == algorithm);
    let found = match named {
        Some(scheduler) => scheduler.schedule_proved(problem, effort),
        None if algorithm == "best" => best(problem, effort),
        None => {
            let known = fitting().map(|scheduler| scheduler.name());
            return Err(ScheduleError::unknown("general", algorithm, known));
        }
    };
    let found = found.map(|(made, is_shortest)| Found { made, is_shortest });
    let needs = || named.and_then(|scheduler| scheduler.needs());
    found.ok_or_else(|| ScheduleError::NoFit { algorithm: algorithm.to_owned(), needs: needs() })
}

/// Schedules a problem as [`search()`] does, in parts of `size` words: so many chunks after one another are alike, and follow one another
/// in the schedule.
///
/// # Errors
/// As [`search()`]; [`ScheduleError::NoFit`] too over media, and where nodes use one port at a time and channels have different latencies.
pub fn search_in_parts(problem: &Problem, size: u32, algorithm: &str, effort: &Effort) -> Result<Found, ScheduleError> {
    if size <= 1 {
        return search(problem, algorithm, effort);
    }
    let needs = Some("`chunks` left out, or channels of one latency where nodes use one port at a time, and no media");
    let no_fit = || ScheduleError::NoFit { algorithm: algorithm.to_owned(), needs };
    let parts = parts::of_words(problem, size).ok_or_else(no_fit)?;
    let Found { made, .. } = search(&parts, algorithm, effort)?;
    // the shortest of parts need not be the shortest of words
    Ok(Found { made: parts::to_words(problem, &parts, size, made), is_shortest: false })
}

/// The shortest schedule of all algorithms, each with the whole effort; of these the one with the fewest transfers, and of these the
/// first. True beside it if it is known to be the shortest of all.
///
/// Each algorithm makes one attempt; if none meets the bound, all search at the same time. The first of them that meets the bound
/// ends those after it, whose results do not count, so that the schedule does not depend on the time that any of them takes.
fn best(problem: &Problem, effort: &Effort) -> Option<(Made, bool)> {
    let is_circuit = problem.is_circuit();
    let least = if is_circuit { circuit_least::least(problem) } else { reduce::least(problem) };
    let meets = |found: &Option<(Made, bool)>| found.as_ref().is_some_and(|(made, _)| made.cycles <= least);
    let short: Vec<&dyn Scheduler> = SCHEDULERS
        .iter()
        .copied()
        .filter(|scheduler| scheduler.is_circuit() == is_circuit && scheduler.is_short())
        .collect();
    let attempt = Effort { time_limit_s: 0, ..*effort };
    let mut all: Vec<Option<(Made, bool)>> = Vec::new();
    for scheduler in &short {
        all.push(scheduler.schedule_proved(problem, &attempt));
        if all.last().is_some_and(meets) {
            break;
        }
    }
    let is_over = all.iter().any(meets) || effort.time_limit_s == 0 || search::is_over();
    if !is_over {
        let turns = Turn::of(short.len());
        let search = |(scheduler, turn): (&&dyn Scheduler, &Turn)| {
            turn.run(|| scheduler.schedule_proved(problem, effort), |found| meets(found))
        };
        let searched: Vec<Option<(Made, bool)>> = short.par_iter().zip(&turns).map(search).collect();
        let count = searched.iter().position(meets).map_or(searched.len(), |first| first + 1);
        all.extend(searched.into_iter().take(count));
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
