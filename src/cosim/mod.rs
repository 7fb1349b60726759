//! Co-simulation: the emitted hardware beside the software reference.

pub mod wiring;
