//! Swapped Dragonfly: its drawing, and the report of its own all-to-all.

mod all_to_all;
mod bars;
mod drawing;
mod page;
mod timeline;
mod usage;

pub use all_to_all::{AllToAllInputs, AllToAllReport, SlotRow};
pub use usage::{Class, PortUse};
