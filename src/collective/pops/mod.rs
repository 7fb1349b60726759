//! Packets between the processors of POPS: relations that are scheduled, and traffic that is not.

pub mod delivery;
pub mod ledger;
pub mod relation;
pub mod traffic;
pub mod traffic_keys;

pub use delivery::Delivery;
pub use ledger::{Figures, Heard, Ledger, Loss};
pub use relation::{Goal, Packet, Relation};
pub use traffic::{Arrival, Generator, Traffic};
