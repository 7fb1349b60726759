//! Schedules: the cycle of every transfer. A file per algorithm, the paper's and the better one side by side.

pub mod edge_colouring;
mod error;
mod euler;
pub mod general;
pub mod pops;
mod search;
pub mod swapped_dragonfly;

pub use crate::spec::Pipeline;
pub use error::ScheduleError;
