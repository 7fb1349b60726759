//! Co-simulation: the emitted Verilog, built with Verilator, in lockstep with the software model.
//!
//! A [`Simulator`] runs the hardware and holds every cycle's observation block against the model's. What is different in
//! any cycle, at any channel or receive port, ends the run with the place and the two values. At the end the words that
//! were read out are held against the collective's own oracle, which knows nothing of networks.

pub mod bitstream;
pub mod build;
mod cache;
mod compiler;
pub mod detectors;
mod error;
mod loaded;
pub mod lockstep;
pub mod netlist;
pub mod pops_dynamic;
pub mod session;
mod shim;
pub mod simulator;
mod sources;
pub mod status;
pub mod stress;
pub mod tile_form;
mod top;
pub mod upset;
pub mod wave;
pub mod wiring;

pub use build::{Build, Built, Parts};
pub use compiler::Optimize;
pub use error::CosimError;
pub use lockstep::{Launched, Lockstep, Mismatch, Start, Verdict};
pub use session::{Outcome, Session};
pub use shim::{exchange_parts, pops_parts, product_parts, slot_table_parts, source_vector_parts, stream_parts};
pub use simulator::{Answer, Form, Job, Ran, Register, Simulator, Stop};
pub use sources::Sources;
pub use tile_form::{TileForm, TileInterface};
pub use top::{Interface, Top};
