//! Schedules of any demand on any network. A file per algorithm, all of them behind [`Scheduler`].
//!
//! # Adding an algorithm
//! Write a file with a type that is a [`Scheduler`] and list it in [`SCHEDULERS`].

mod any_circuits;
mod balanced;
mod calendar;
mod channels;
mod circuits;
mod fat_cube;
mod law;
mod matching;
mod order;
mod plan;
mod problem;
mod random;
mod reduce;
mod reroute;
mod routes;
mod scheduler;
mod spread;
mod symmetric;
mod table;
mod uniform;
mod write;

pub use problem::{Effort, Made, PortModel, Problem};
pub use scheduler::Scheduler;

use super::ScheduleError;
use crate::topology::Topology;
use any_circuits::AnyCircuits;
use fat_cube::{FatCubeScheduler, Paper};
use scheduler::Spreading;
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
        about: "each channel takes the rarest word that its far end lacks",
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
];

/// Most seconds that `best` gives each search; by its own name a search gets the whole time limit.
const SEARCH_S: u32 = 2;

/// Schedules a problem by the algorithm of this name, or by all that apply if it is `best`.
///
/// # Errors
/// [`ScheduleError`] for a name that is not known, and for an algorithm that does not apply.
pub fn schedule(problem: &Problem, algorithm: &str, effort: &Effort) -> Result<Made, ScheduleError> {
    let fitting = || SCHEDULERS.iter().filter(|scheduler| scheduler.is_circuit() == problem.is_circuit());
    let known = || fitting().map(|scheduler| scheduler.name());
    if algorithm != "best" && !known().any(|name| name == algorithm) {
        return Err(ScheduleError::unknown("general", algorithm, known()));
    }
    let is_best = algorithm == "best";
    let least = if problem.is_circuit() { circuits::least(problem) } else { reduce::least(problem) };
    let mut best: Option<Made> = None;
    // one attempt each, and then a search, unless nothing is shorter
    let searched = Effort { time_limit_s: effort.time_limit_s.min(SEARCH_S), ..*effort };
    let efforts = if is_best { vec![Effort { time_limit_s: 0, ..*effort }, searched] } else { vec![*effort] };
    let asked = |scheduler: &&dyn Scheduler| if is_best { scheduler.is_short() } else { scheduler.name() == algorithm };
    for effort in efforts {
        for &scheduler in fitting() {
            if best.as_ref().is_some_and(|best| best.cycles <= least) || !asked(&scheduler) {
                continue;
            }
            let rank = |made: &Made| (made.cycles, transfers(problem, made));
            best = best.into_iter().chain(scheduler.schedule(problem, &effort)).min_by_key(rank);
        }
    }
    let needs = || fitting().find(|scheduler| scheduler.name() == algorithm).and_then(|scheduler| scheduler.needs());
    best.ok_or_else(|| ScheduleError::NoFit { algorithm: algorithm.to_owned(), needs: needs() })
}

/// Crossings of channels.
fn transfers(problem: &Problem, made: &Made) -> usize {
    let nodes = problem.net.nodes();
    made.program.moves.iter().map(|m| m.hops.len() * m.who.nodes(nodes).count()).sum()
}
