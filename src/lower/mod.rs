//! Lowering: a checked schedule becomes the contents of hardware, that is parameters, slot tables, and their memory
//! images.
//!
//! Every number in the emitted Verilog is computed here; the templates only substitute. What is written can be read back:
//! [`decode`] turns images into the program that a router would follow, to be checked again.

mod all_to_all;
pub mod bits;
pub mod decode;
mod error;
pub mod exchange;
pub mod exchange_counter;
mod exchange_rows;
pub mod fabric;
pub mod flit;
pub mod frame;
pub mod guests;
pub mod images;
pub mod parameters;
pub mod pops;
pub mod pops_dynamic;
pub mod product;
pub mod read_back;
pub mod ring;
mod routes;
pub mod sequencer;
pub mod slot_table;
pub mod stream;
mod stream_ports;
pub mod tables;
mod trial;

pub use all_to_all::{Loaded, Lowered, lower, lower_host};
pub use error::LowerError;
pub use exchange::{ExchangeLowered, lower_exchange};
pub use fabric::Fabric;
pub use frame::Frame;
pub use guests::Guests;
pub use images::Images;
pub use parameters::Parameters;
pub use pops::{PopsFrame, PopsLowered, lower_pops};
pub use pops_dynamic::PopsDynamic;
pub use product::{ProductLowered, lower_product};
pub use read_back::{Programmed, ReadBack};
pub use ring::Ring;
pub use slot_table::{SlotTableLowered, lower_slot_table, lower_slot_table_in};
pub use stream::{StreamLowered, lower_stream};
pub use tables::{SlotTables, Table};
pub use trial::Trial;
