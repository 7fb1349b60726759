//! Swapped Dragonfly: routers of source vectors, routers of synchronizing headers, and endpoints of exchanges and products.

mod all_to_all;
pub mod decode;
mod error;
pub mod exchange;
pub mod exchange_counter;
mod exchange_rows;
pub mod flit;
pub mod frame;
pub mod guests;
mod header_form;
pub mod parameters;
pub mod product;
mod registers;
mod routes;
pub mod sequencer;
pub mod stream;
mod stream_ports;
pub mod tables;

pub use all_to_all::{AllToAllLoaded, AllToAllLowered, lower_all_to_all, lower_hosted};
pub use error::SwappedDragonflyError;
pub use exchange::{ExchangeLowered, lower_exchange};
pub use frame::Frame;
pub use guests::Guests;
pub use header_form::HeaderForm;
pub use parameters::Parameters;
pub use product::{ProductLowered, lower_product};
pub use stream::{StreamLowered, lower_stream};
pub use tables::{SlotTables, Table};
