//! Compact forms of programs: the data that schedulers of one topology make and that hardware stores.
//!
//! A form says how rows, counters, headers or hops are laid out; [`Program`](super::Program) says what they do. Each form gives
//! its program by `to_program`, and no form knows the scheduler that made it.

pub mod pops;
pub mod swapped_dragonfly;
