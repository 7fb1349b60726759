//! Software reference: the word on every channel and in every receive port in every cycle.
//!
//! It follows the [program](crate::lower::ReadBack) that was read back from the images of the hardware, never the hardware's structure: no
//! crossbar, no slot table, no bank. What comes out is an observation block a cycle, see [`layout`](crate::lower::layout), that can be compared
//! word by word with what a simulation of the emitted Verilog says.

mod error;
mod payload;
pub mod pops_dynamic;
pub mod pops_traffic;
mod reference;
mod timeline;
mod walk;

pub use error::ModelError;
pub use payload::Payload;
pub use reference::{Arrival, Model, Sections};
pub use timeline::{Share, Timeline};
