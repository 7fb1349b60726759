//! Schedules: the cycle of every transfer. A file per algorithm, the paper's and the better one side by side.
//!
//! On a symmetric network every router does the same, so one router's program stands for all of them. A
//! [`UniformProgram`](crate::program::form::uniform::UniformProgram) is a list of launches; its expansion to single
//! transfers is lazy.
//!
//! # Row form
//! A program is a sequence of rows, one a cycle. With the clash distance D = Hl + Hg, a program is free of conflicts if
//! two rules hold. Inside a row the γ are distinct, the nonzero π are distinct and the nonzero δ are distinct. No
//! nonzero δ of row r is a nonzero π of row r - D. The rules name ports alone, so one program serves cyclic and
//! exclusive-or networks alike.
//!
//! # Adding an algorithm
//! Write a file with a function from network and [`AllToAllRequest`] to [`Plan`] and list it in `closed_forms.rs`.

pub mod best;
pub mod broadcast;
mod closed_forms;
pub mod doubly_parallel;
pub mod edge_colouring;
mod error;
mod euler;
pub mod exchange;
pub mod general;
pub mod half_window;
mod interleave;
pub mod no_wait;
pub mod pops;
pub mod product;
mod product_paths;
pub mod product_trains;
mod request;
mod search;
mod uniform;
pub mod window;
pub mod window_pairs;

pub use crate::spec::Pipeline;
pub use error::ScheduleError;
pub use request::{AlgorithmEntry, AllToAllRequest, Plan};
pub use uniform::{uniform_bound, uniform_cycles};

use crate::program::form::all_to_all::AllToAllSchedule;
use crate::topology::SwappedDragonfly;
use closed_forms::CLOSED_FORMS;

/// All algorithms; where cycles are equal, `best` takes the first.
pub fn algorithms() -> impl Iterator<Item = &'static AlgorithmEntry> {
    CLOSED_FORMS.iter().chain([&no_wait::ENTRY])
}

/// Schedules all-to-all.
///
/// # Errors
/// [`ScheduleError`] if the request names an unknown algorithm, or one that does not apply to the network or its parameters.
pub fn schedule(net: &SwappedDragonfly, request: &AllToAllRequest) -> Result<AllToAllSchedule, ScheduleError> {
    let (algorithm, plan) = if request.algorithm == "best" {
        best::schedule(net, request)?
    } else {
        let known = || algorithms().map(|entry| entry.name);
        let unknown = || ScheduleError::unknown("all-to-all", request.algorithm, known());
        let entry = algorithms().find(|entry| entry.name == request.algorithm).ok_or_else(unknown)?;
        (entry.name, (entry.schedule)(net, request)?)
    };
    let program = plan.program();
    let counter = match plan {
        Plan::Table(_) => None,
        Plan::Counters(counters) => Some(counters),
    };
    Ok(AllToAllSchedule { algorithm, hop: request.hop, program, counter })
}
