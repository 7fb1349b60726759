//! Schedules of any demand on any network. A file per algorithm, all of them behind [`Scheduler`].
//!
//! # Adding an algorithm
//! Write a file with a type that is a [`Scheduler`] and list it in [`SCHEDULERS`].

mod a2a;
mod any_circuits;
mod balanced;
mod best;
mod calendar;
mod channels;
mod circuit_least;
mod circuits;
mod collection;
mod collection_tree;
mod dual_net;
mod exact;
mod exact_model;
mod exchange;
mod fat_cube;
mod flow;
mod law;
mod local_sums;
mod matching;
mod messages;
mod order;
mod parts;
mod plan;
mod problem;
mod random;
mod reduce;
mod reroute;
mod rfata;
mod routes;
mod scheduler;
mod sequence;
mod sfata;
mod size;
mod spread;
mod stages;
mod sum_search;
mod sum_times;
mod sum_trees;
mod symmetric;
mod table;
mod uniform;
mod walks;
mod write;

pub use flow::{Placing, Times};
pub use problem::{Effort, Made, PortModel, Problem};
pub use scheduler::Scheduler;
pub use sequence::{Joined, Part, in_sequence};
pub use size::Size;
pub use walks::random_walks;

use super::ScheduleError;
use a2a::A2a;
use any_circuits::AnyCircuits;
use collection::{Along, Basic, collected, distributed};
use exact::Exact;
use fat_cube::{FatCubeScheduler, Paper};
use local_sums::LocalSums;
use rfata::Rfata;
use scheduler::Spreading;
use sfata::Sfata;
use sum_trees::SumTrees;
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
        work: matching::work,
        spread: matching::spread,
    },
    &Spreading {
        name: "balanced",
        about: "routes that share the load, list scheduling and compaction",
        work: balanced::work,
        spread: balanced::spread,
    },
    &Spreading {
        name: "reroute",
        about: "the better of matching and balanced, whose last words are taken up and laid again",
        work: reroute::work,
        spread: reroute::spread,
    },
    &LocalSums {
        name: "gather-and-sum",
        about: "all operands go to all ends, each of which makes the sum by itself",
        needs: "sums alone",
        work: local_sums::gather_work,
        ways: local_sums::gather,
    },
    &LocalSums {
        name: "stages",
        about: "operands go to the nearest of a few nodes, their sums to the nearest of fewer, and so on",
        needs: "sums for one node, and few words",
        work: |_| 0, // it leaves large ways out itself
        ways: stages::ways,
    },
    &LocalSums {
        name: "exchange",
        about: "all-reduce by phases: nodes that differ in one digit exchange their sums, as in recursive doubling",
        needs: "an all-reduce of few words, on nodes whose coordinates have two digits or more",
        work: |_| 0, // it leaves large ways out itself
        ways: exchange::ways,
    },
    &SumTrees,
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
    &Rfata,
    &A2a,
    &Basic {
        name: "rpc",
        about: "RPC of the Galaxyfly paper: words of joined routers go by halves to one of them",
        needs: "words that go to one node from nodes of which any two are joined, and `ports = \"all\"`",
        along: Along::Routers,
        messages: collected,
    },
    &Basic {
        name: "rpd",
        about: "RPD of the Galaxyfly paper: words of a router go by halves to routers that are joined",
        needs: "words of one node that go to nodes of which any two are joined, and `ports = \"all\"`",
        along: Along::Routers,
        messages: distributed,
    },
    &Basic {
        name: "spc",
        about: "SPC of the Galaxyfly paper: words go to one router, supernode by supernode",
        needs: "words that go to one node, completely joined supernodes, and `ports = \"all\"`",
        along: Along::Supernodes,
        messages: collected,
    },
    &Basic {
        name: "spd",
        about: "SPD of the Galaxyfly paper: words of one router go to all, supernode by supernode",
        needs: "words of one node that go to all, completely joined supernodes, and `ports = \"all\"`",
        along: Along::Supernodes,
        messages: distributed,
    },
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
/// [`ScheduleError`] for a name that is not known, for an algorithm that does not apply, and for one that would take too long.
pub fn schedule(problem: &Problem, algorithm: &str, effort: &Effort) -> Result<Made, ScheduleError> {
    search(problem, algorithm, effort).map(|found| found.made)
}

/// Schedules a problem like [`schedule`]; the result has a flag that is true if the schedule is known to be the
/// shortest.
///
/// # Errors
/// [`ScheduleError`] for a name that is not known, for an algorithm that does not apply, and for one that would take too long.
pub fn search(problem: &Problem, algorithm: &str, effort: &Effort) -> Result<Found, ScheduleError> {
    if problem.is_circuit() && problem.demand.combines() {
        return Err(ScheduleError::Uncombined);
    }
    let fitting = || SCHEDULERS.iter().filter(|scheduler| scheduler.is_circuit() == problem.is_circuit());
    let named = fitting().find(|scheduler| scheduler.name() == algorithm);
    let size = Size::of(problem);
    if size.distances > size::MOST_DISTANCES {
        return Err(ScheduleError::TooManyDistances { distances: size.distances, limit: size::MOST_DISTANCES });
    }
    let too_long = |scheduler: &&&dyn Scheduler| scheduler.work(size) > size::MOST_WORK;
    let refused = |scheduler: &&'static dyn Scheduler| {
        let seconds = |work: u64| work / reduce::STEPS_PER_SECOND;
        let (algorithm, limit) = (scheduler.name(), seconds(size::MOST_WORK));
        ScheduleError::TooLong { algorithm, seconds: seconds(scheduler.work(size)), limit }
    };
    if let Some(scheduler) = named.filter(too_long) {
        return Err(refused(scheduler));
    }
    let found = match named {
        Some(scheduler) => scheduler.schedule_proved(problem, effort),
        None if algorithm == "best" => best::best(SCHEDULERS, (problem, size), effort),
        None if SCHEDULERS.iter().any(|scheduler| scheduler.name() == algorithm) => {
            let needs = match problem.is_circuit() {
                true => "nodes that store words on their way, and this network has circuits",
                false => "a network of circuits, such as a fat cube",
            };
            return Err(ScheduleError::NoFit { algorithm: algorithm.to_owned(), needs: Some(needs) });
        }
        None => {
            let known = fitting().map(|scheduler| scheduler.name());
            return Err(ScheduleError::unknown("general", algorithm, known));
        }
    };
    let found = found.map(|(made, is_shortest)| Found { made, is_shortest });
    let long = || fitting().find(|scheduler| named.is_none() && scheduler.is_short() && too_long(scheduler));
    if let (None, Some(scheduler)) = (&found, long()) {
        return Err(refused(scheduler));
    }
    let needs = || named.and_then(|scheduler| scheduler.needs());
    found.ok_or_else(|| ScheduleError::NoFit { algorithm: algorithm.to_owned(), needs: needs() })
}

/// Schedules a problem like [`search()`], in parts of `size` words. Chunks of one part have equal sources and
/// destinations, and follow one another in the schedule.
///
/// # Errors
/// As [`search()`]; [`ScheduleError::Unchunked`] over media, and where nodes use one port at a time and channels have different latencies.
pub fn search_in_parts(problem: &Problem, size: u32, algorithm: &str, effort: &Effort) -> Result<Found, ScheduleError> {
    if size <= 1 {
        return search(problem, algorithm, effort);
    }
    let at = if problem.is_circuit() { "along circuits" } else { "where nodes use one port and latencies differ" };
    let parts = parts::of_words(problem, size).ok_or(ScheduleError::Unchunked { at })?;
    let Found { made, .. } = search(&parts, algorithm, effort)?;
    // the shortest of parts need not be the shortest of words
    Ok(Found { made: parts::to_words(problem, &parts, size, made), is_shortest: false })
}
