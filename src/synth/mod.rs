//! Synthesis: from the emitted Verilog and a board to a bitstream, with area and clock from the tools' own JSON.
//!
//! [`project`] adds a board top to the network. [`flow`] plans the tools' commands as data, and [`Synthesis::run`] runs
//! them. [`netlist`] counts cells by module, and [`report`] has the results. [`link`] is the other end of the host top:
//! it moves the user's data through a board.

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
