//! Compact forms of programs: the data that schedulers of one topology make and that hardware stores.
//!
//! A form says how rows, counters, headers or hops are laid out; [`Program`](super::Program) says what they do. Each form gives
//! its program by `to_program`, and no form knows the scheduler that made it.

pub mod all_to_all;
pub mod counter;
pub mod exchange;
pub mod exchange_schedule;
pub mod pops;
pub mod product;
pub mod stream;
pub mod synchronizing_header;
pub mod uniform;
