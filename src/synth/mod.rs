//! Synthesis: from the emitted Verilog and a board to a bitstream, with area and clock from the tools' own JSON.
//!
//! [`project`] adds a board top to the network, [`flow`] plans what the tools run as data, [`Synthesis::run`] runs it,
//! [`netlist`] tells which module takes what, and [`report`] says what came out. [`link`] is the other end of the host
//! top: it moves the user's data through a board.

mod design;
mod error;
pub mod flow;
pub mod link;
pub mod netlist;
pub mod project;
pub mod report;
mod run;

pub use design::{Design, SelfTest};
pub use error::SynthError;
pub use flow::{Synthesis, tools};
pub use project::{BoardTop, Project};
pub use report::Report;
pub use run::Outcome;
