//! metronoc compiles a collective on a topology into hardware.
//!
//! The stages of the pipeline, a module each. A stage imports earlier stages only:
//!
//! [`topology`] → [`collective`] → [`spec`] → [`program`] → [`schedule`], [`check`] → [`lower`] → [`emit`] → [`cosim`] / [`synth`] / [`prove`] → [`family`] → [`report`]
//!
//! [`compile`](compile()) goes that way in one call: from a specification to an object with the schedule, the proof, the Verilog and a
//! simulation.
//!
//! with [`model`] as the software reference beside the hardware, [`sweep`] for many specifications at once, and [`board`] and [`tool`] for what is outside.
#![warn(missing_docs)]
pub mod board;
pub mod check;
pub mod claims;
pub mod cli;
pub mod collective;
pub mod compile;
pub mod cosim;
pub mod count;
pub mod emit;
pub mod family;
pub mod hash;
pub mod id;
pub mod input;
pub mod interrupt;
pub mod lower;
pub mod model;
pub mod output;
pub mod program;
pub mod prove;
pub mod report;
pub mod schedule;
pub mod simulate;
pub mod spec;
pub mod sweep;
pub mod synth;
pub mod tool;
pub mod topology;

pub use cli::CliError as Error;
pub use compile::{Compiled, Source, compile};
