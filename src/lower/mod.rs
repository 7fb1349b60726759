//! Lowering: a checked schedule becomes the contents of hardware, that is parameters, slot tables, and their memory
//! images.
//!
//! Every number in the emitted Verilog is computed here; the templates only substitute. What is written can be read back:
//! [`Programmed::read`] turns images into the program that a router would follow, to be checked again.

pub mod bits;
mod error;
pub mod fabric;
pub mod images;
pub mod layout;
pub mod pops;
pub mod pops_dynamic;
pub mod read_back;
pub mod reading;
pub mod ring;
pub mod slot_table;
pub mod swapped_dragonfly;
mod trial;

pub use error::{FamilyError, LowerError};
pub use fabric::{Fabric, Registers};
pub use images::Images;
pub use layout::{Layout, Point, PointKind};
pub use pops::{PopsFrame, PopsLowered, lower_pops};
pub use pops_dynamic::PopsDynamic;
pub use read_back::{Programmed, ReadBack};
pub use ring::Ring;
pub use slot_table::{SlotTableLowered, lower_slot_table, lower_slot_table_in};
pub use trial::Trial;
