//! Tables made by counters: loops over stored rows, and addresses that advance.

mod address;
mod choice;
mod layout;
mod search;

pub use address::Address;
pub use choice::{Counters, LoopTable};
pub use layout::{Layout, Way};
