//! Schedules: the beat of every transfer. A file per algorithm, the paper's and the better one side by side.
//!
//! On a symmetric network every router does the same, so one router's program stands for all of them: a
//! [`UniformProgram`] is a list of [`Launch`]es, and its expansion to single transfers is lazy.
//!
//! # Row form
//! A program is a sequence of rows, one a cycle. With the clash distance D = Hl + Hg the whole question of conflicts is:
//! inside a row γ are distinct, nonzero π are distinct and nonzero δ are distinct; and the nonzero δ of row r are none of the
//! nonzero π of row r - D. The rules name ports alone, so one program serves cyclic and exclusive-or networks alike.
//!
//! # Adding an algorithm
//! Write a file with a function from network and [`AllToAllRequest`] to [`Plan`] and list it in [`ALGORITHMS`].

pub mod best;
pub mod broadcast;
pub mod counter;
pub mod doubly_parallel;
pub mod edge_colouring;
mod euler;
pub mod exchange;
pub mod exchange_program;
pub mod half_window;
mod interleave;
pub mod no_wait;
pub mod pops;
pub mod product;
mod product_paths;
pub mod product_trains;
mod search;
pub mod stream;
pub mod window;
pub mod window_pairs;

pub use crate::spec::Pipeline;
pub use counter::CounterProgram;

use crate::program::{Hop, Origin, Program, Switching, Train, Who};
use crate::topology::SwappedDragonfly;
use crate::topology::swapped_dragonfly::SourceVector;
use std::fmt;
use thiserror::Error;

/// What is asked of the schedulers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AllToAllRequest<'a> {
    /// `best` or the name of one of [`ALGORITHMS`].
    pub algorithm: &'a str,
    /// Vectors a round of the paper's; `None` is the best choice.
    pub s: Option<u32>,
    /// Pipeline of the paper's rounds; `None` is the best choice.
    pub pipeline: Option<Pipeline>,
    /// Cycles a hop.
    pub hop: HopLatency,
    /// All-to-alls that follow one another without a gap (words of a message times repetitions), at least 1.
    pub passes: u32,
    /// Whether `best` takes only what has a counter form.
    pub counters: bool,
    /// Effort of the searches, in seconds of a typical machine; the result does not depend on the real time.
    pub time_limit_s: u32,
    /// Seed of the searches.
    pub seed: u64,
}

impl<'a> AllToAllRequest<'a> {
    /// One pass by this algorithm, its parameters left to it, with the least effort of a search.
    pub fn new(algorithm: &'a str, hop: HopLatency) -> Self {
        Self { algorithm, s: None, pipeline: None, hop, passes: 1, counters: false, time_limit_s: 1, seed: 0 }
    }
}

/// What an algorithm makes: a table, or counters from which the table follows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Plan {
    /// A table without a known counter form.
    Table(UniformProgram),
    /// Nested counters.
    Counters(CounterProgram),
}

impl Plan {
    /// The table.
    pub fn program(&self) -> UniformProgram {
        match self {
            Plan::Table(program) => program.clone(),
            Plan::Counters(counters) => counters.program(),
        }
    }
}

/// A program for every router, not yet checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Schedule {
    /// Name of the algorithm that made it, never `best`.
    pub algorithm: &'static str,
    /// Cycles a hop.
    pub hop: HopLatency,
    /// The table.
    pub program: UniformProgram,
    /// Counters that produce the same table, if such a form is known.
    pub counter: Option<CounterProgram>,
}

impl Schedule {
    /// The program of all routers: a message for each source vector.
    pub fn to_program(&self, net: &SwappedDragonfly) -> Program {
        let mut program = Program::new(self.hop.switching(net));
        for launch in self.program.launches() {
            let value = program.value(Who::Every, 1, Origin::Message);
            program.send(value, Who::Every, (launch.at(self.hop), Train::STEADY), launch.hops(net));
        }
        program
    }
}

/// An algorithm by name.
pub struct AlgorithmEntry {
    /// The name in a specification.
    pub name: &'static str,
    /// One line for people.
    pub about: &'static str,
    /// Makes a program.
    pub schedule: fn(&SwappedDragonfly, &AllToAllRequest) -> Result<Plan, ScheduleError>,
    /// No program of the algorithm has fewer rows.
    pub least_rows: fn(&SwappedDragonfly) -> u64,
    /// Whether its programs are tables without a counter form.
    pub tables_only: bool,
}

/// All algorithms; where cycles are equal, `best` takes the first.
pub const ALGORITHMS: &[AlgorithmEntry] = &[
    AlgorithmEntry {
        name: "window-pairs",
        about: "windows of M vectors in pairs, K ≥ M: 2KM cycles",
        schedule: window_pairs::schedule,
        least_rows: uniform_bound,
        tables_only: false,
    },
    AlgorithmEntry {
        name: "window",
        about: "windows of min(K,M) vectors, 2K ≤ M: M² + 2 cycles",
        schedule: window::schedule,
        least_rows: uniform_bound,
        tables_only: false,
    },
    AlgorithmEntry {
        name: "half-window",
        about: "half windows, 2K ≥ M: 2KM + 2 cycles",
        schedule: half_window::schedule,
        least_rows: uniform_bound,
        tables_only: false,
    },
    AlgorithmEntry {
        name: "doubly-parallel",
        about: "the paper's rounds of s vectors, s dividing K and M",
        schedule: doubly_parallel::schedule,
        least_rows: doubly_parallel::least_rows,
        tables_only: false,
    },
    AlgorithmEntry {
        name: "no-wait",
        about: "search for the one or two cycles at the ends that the others leave",
        schedule: no_wait::schedule,
        least_rows: uniform_bound,
        tables_only: true,
    },
];

/// Cycles below which no uniform program gets: global links carry M² packets each, local links 2KM.
pub fn uniform_bound(net: &SwappedDragonfly) -> u64 {
    let (k, m) = (u64::from(net.k()), u64::from(net.m()));
    (m * m).max(2 * k * m)
}

/// Schedules all-to-all.
///
/// # Errors
/// [`ScheduleError`] if the request names an unknown algorithm, or one that does not apply to the network or its parameters.
pub fn schedule(net: &SwappedDragonfly, request: &AllToAllRequest) -> Result<Schedule, ScheduleError> {
    let (algorithm, plan) = if request.algorithm == "best" {
        best::schedule(net, request)?
    } else {
        let unknown = || ScheduleError::UnknownAlgorithm { name: request.algorithm.to_owned() };
        let entry = ALGORITHMS.iter().find(|entry| entry.name == request.algorithm).ok_or_else(unknown)?;
        (entry.name, (entry.schedule)(net, request)?)
    };
    let program = plan.program();
    let counter = match plan {
        Plan::Table(_) => None,
        Plan::Counters(counters) => Some(counters),
    };
    Ok(Schedule { algorithm, hop: request.hop, program, counter })
}

/// Why there is no schedule.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ScheduleError {
    /// No algorithm has this name.
    #[error("there is no all-to-all algorithm `{name}`")]
    UnknownAlgorithm {
        /// The name asked for.
        name: String,
    },
    /// No broadcast algorithm has this name.
    #[error("there is no broadcast algorithm `{name}`")]
    UnknownBroadcast {
        /// The name asked for.
        name: String,
    },
    /// No exchange algorithm has this name.
    #[error("there is no exchange algorithm `{name}`")]
    UnknownExchange {
        /// The name asked for.
        name: String,
    },
    /// No product algorithm has this name.
    #[error("there is no product algorithm `{name}`")]
    UnknownProduct {
        /// The name asked for.
        name: String,
    },
    /// A product too large to be written down send by send.
    #[error("the product has {sends} sends, above {limit}")]
    TooManySends {
        /// Number of sends, about.
        sends: u64,
        /// How many there may be.
        limit: u64,
    },
    /// The exact search is for few processors.
    #[error("`exact` would look at {places} places of packets on {processors} processors, above {limit}")]
    TooManyProcessors {
        /// Processors of the network.
        processors: u32,
        /// Packets times processors times slots.
        places: u64,
        /// How many there may be.
        limit: u64,
    },
    /// The algorithm asked for needs other sizes.
    #[error("`{algorithm}` does not apply to D3({k},{m}): it needs {needs}")]
    DoesNotApply {
        /// The algorithm asked for.
        algorithm: &'static str,
        /// Cabinets.
        k: u32,
        /// Drawers.
        m: u32,
        /// The condition that fails.
        needs: &'static str,
    },
    /// The paper's rounds of s vectors need an s that divides K and M.
    #[error("s = {s} does not divide both K = {k} and M = {m}")]
    NotADivisor {
        /// The s asked for.
        s: u32,
        /// Cabinets.
        k: u32,
        /// Drawers.
        m: u32,
        /// What s may be.
        valid: Vec<u32>,
    },
    /// Large rounds meet in every order.
    #[error("rounds of s = {s} vectors need delays in every order, since s > M/2 = {m}/2")]
    NoOrder {
        /// The s asked for.
        s: u32,
        /// Drawers.
        m: u32,
        /// What s may be.
        valid: Vec<u32>,
    },
}

impl ScheduleError {
    fn does_not_apply(algorithm: &'static str, net: &SwappedDragonfly, needs: &'static str) -> Self {
        Self::DoesNotApply { algorithm, k: net.k(), m: net.m(), needs }
    }

    /// The field of the specification at fault.
    pub fn field(&self) -> &'static str {
        match self {
            Self::UnknownAlgorithm { .. }
            | Self::UnknownBroadcast { .. }
            | Self::UnknownExchange { .. }
            | Self::UnknownProduct { .. }
            | Self::TooManyProcessors { .. }
            | Self::DoesNotApply { .. } => "collective.algorithm",
            Self::TooManySends { .. } => "collective.block",
            Self::NotADivisor { .. } | Self::NoOrder { .. } => "collective.s",
        }
    }

    /// What to do about it.
    pub fn help(&self) -> String {
        match self {
            Self::UnknownAlgorithm { .. } => {
                let names: Vec<&str> = ALGORITHMS.iter().map(|entry| entry.name).collect();
                format!("use one of: best, {}", names.join(", "))
            }
            Self::UnknownBroadcast { .. } => {
                let names: Vec<&str> = broadcast::ALGORITHMS.iter().map(|entry| entry.name).collect();
                format!("use one of: best, {}", names.join(", "))
            }
            Self::UnknownExchange { .. } => {
                let names: Vec<&str> = exchange::ALGORITHMS.iter().map(|entry| entry.name).collect();
                format!("use one of: best, {}", names.join(", "))
            }
            Self::UnknownProduct { .. } => {
                let names: Vec<&str> = product::ALGORITHMS.iter().map(|entry| entry.name).collect();
                format!("use one of: best, {}", names.join(", "))
            }
            Self::TooManySends { .. } => "take a smaller network or block".to_owned(),
            Self::TooManyProcessors { .. } => "use `best`, or a smaller network".to_owned(),
            Self::DoesNotApply { .. } => "use `best`, which takes the best algorithm that applies".to_owned(),
            Self::NotADivisor { valid, .. } => {
                format!("use one of: {}, or leave s out for the best of them", List(valid))
            }
            Self::NoOrder { valid, .. } => format!("use one of: {}, or another pipeline", List(valid)),
        }
    }
}

/// Numbers with commas.
struct List<'a>(&'a [u32]);

impl fmt::Display for List<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let numbers: Vec<String> = self.0.iter().map(u32::to_string).collect();
        f.write_str(&numbers.join(", "))
    }
}

/// Clock cycles that a hop takes from the crossbar input of one router to that of the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HopLatency {
    /// Of a local hop, at least 1.
    pub local: u32,
    /// Of a global hop, loopbacks included, at least 1.
    pub global: u32,
}

impl HopLatency {
    /// Cycles of a hop by output port.
    pub fn switching(self, net: &SwappedDragonfly) -> Switching {
        let local = std::iter::repeat_n(self.local, net.local_ports());
        Switching::Hop(local.chain(std::iter::repeat_n(self.global, net.k() as usize)).collect())
    }

    /// Rows between a row whose packets leave by local port x as their last hop and one whose packets leave by it as
    /// their first: the two claim the port in the same cycle.
    pub fn clash_distance(self) -> u32 {
        self.local + self.global
    }

    /// Cycles from a hop to the next if an endpoint takes so many between them.
    pub fn with_software(self, cycles: u32) -> Self {
        Self { local: self.local + cycles, global: self.global + cycles }
    }
}

/// Every router sends one packet with this source vector.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Launch {
    /// The slot-table row: the cycle of the global hop, counted from the first row.
    pub row: u32,
    /// The packet's source vector.
    pub vector: SourceVector,
}

impl Launch {
    /// The cycle in which the packet leaves: without a first local hop it waits for its global hop where it is.
    pub fn at(self, hop: HopLatency) -> u32 {
        self.row + if self.vector.delta == 0 { hop.local } else { 0 }
    }

    /// The hops of the packet.
    pub fn hops(self, net: &SwappedDragonfly) -> impl Iterator<Item = Hop> + use<> {
        let SourceVector { gamma, pi, delta } = self.vector;
        let local = |x: u32| (x != 0).then(|| net.local_port(x) as u32);
        let ports = [local(delta), Some(net.global_port(gamma) as u32), local(pi)].into_iter().flatten();
        Program::path(ports.collect::<Vec<u32>>().into_iter())
    }
}

/// The program of every router of a Swapped Dragonfly: all K·M² source vectors, each in one row of a table.
///
/// A vector in row s makes its first local hop (if δ ≠ 0) `local` cycles before the row's global hop, and its last (if
/// π ≠ 0) `global` cycles after it. Rows without a launch are pauses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UniformProgram {
    launches: Vec<Launch>,
    rows: u32,
}

impl UniformProgram {
    /// Takes launches in any order; rows are shifted so that the first used row is 0.
    pub fn new(mut launches: Vec<Launch>) -> Self {
        let first = launches.iter().map(|l| l.row).min().unwrap_or(0);
        launches.iter_mut().for_each(|l| l.row -= first);
        launches.sort();
        let rows = launches.last().map_or(0, |l| l.row + 1);
        Self { launches, rows }
    }

    /// All launches, by row, then by vector.
    pub fn launches(&self) -> &[Launch] {
        &self.launches
    }

    /// Number of rows, from the first used to the last.
    pub fn rows(&self) -> u32 {
        self.rows
    }

    /// The launches of one row.
    pub fn row(&self, row: u32) -> &[Launch] {
        let start = self.launches.partition_point(|l| l.row < row);
        let end = self.launches.partition_point(|l| l.row <= row);
        &self.launches[start..end]
    }

    /// Cycles from the first claimed channel to the end of the last: what a user waits for.
    pub fn cycles(&self, hop: HopLatency) -> u32 {
        let first = |l: &Launch| l.row + if l.vector.delta == 0 { hop.local } else { 0 };
        let last = |l: &Launch| l.row + hop.local + if l.vector.pi == 0 { 0 } else { hop.global };
        let start = self.launches.iter().map(first).min().unwrap_or(0);
        self.launches.iter().map(last).max().map_or(0, |end| end + 1 - start)
    }

    /// Rows between the starts of two passes that follow one another as closely as they can, at least [`Self::rows`].
    pub fn period(&self, hop: HopLatency) -> u32 {
        let distance = hop.clash_distance();
        // Rows r and r - distance meet; modulo the period, only the first rows of a pass meet others than within the pass.
        let meets = |period: u32| {
            (0..distance.min(self.rows)).any(|r| {
                let before = self.row((r + distance * period - distance) % period);
                let after = self.row(r);
                before.iter().any(|a| a.vector.pi != 0 && after.iter().any(|b| a.vector.pi == b.vector.delta))
            })
        };
        (self.rows..).find(|&period| !meets(period)).unwrap_or(self.rows)
    }

    /// Cycles of `passes` passes that follow one another as closely as they can.
    pub fn cost(&self, hop: HopLatency, passes: u32) -> u64 {
        u64::from(passes.max(1) - 1) * u64::from(self.period(hop)) + u64::from(self.cycles(hop))
    }
}
