//! Forms of the Swapped Dragonfly.

pub mod all_to_all;
pub mod counter;
pub mod exchange;
pub mod exchange_schedule;
pub mod product;
pub mod stream;
pub mod synchronizing_header;
pub mod uniform;
