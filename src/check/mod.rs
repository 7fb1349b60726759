//! The checker: it never trusts a scheduler, and shares no code with one.
//!
//! # What is proved
//!
//! A network is a set of directed channels. A packet that *enters* a channel of latency H in cycle t can leave the far
//! end from cycle t+H on. A channel takes at most one packet a cycle, whatever its latency. [`program`](mod@program)
//! proves of the program of any schedule, on any network, that
//!
//! 1. *No conflict*: no channel, loopbacks included, is claimed by two packets in the same cycle.
//! 2. *Causality*: every packet is where it leaves from, from the start of that cycle on; so are the inputs of operations.
//! 3. *Waiting*: packets wait nowhere, or no more of them at once than it counts.
//! 4. *Delivery* and *result*: all arrive where the collective says, once, or combined as it says.
//! 5. *Period*: started again every `period` cycles, any number of times, the program still has no conflict.
//!
//! Lowering, simulation and export read this program, so the proof is about this program. The scheduler and
//! `to_program`, which made it, are not trusted. Each family adds what is its own: bounds, sentences, and the hardware
//! that a program does not show, in a folder of its own.
//!
//! | network | folder |
//! |---|---|
//! | D3(K,M) | [`swapped_dragonfly`] |
//! | POPS | [`pops`] |
//!
//! [`judge`](mod@judge) follows single transfers of any schedule in full on any network; below a million transfers `metronoc check` asks
//! both, and they must agree. [`graph_bounds`] say of any demand on any network how far from optimal a schedule can be at most.

pub mod bound_list;
mod checked;
pub mod graph_bounds;
pub mod judge;
pub mod pops;
pub mod program;
pub mod swapped_dragonfly;
mod verdict;

pub use bound_list::BoundList;
pub use checked::Checked;
pub use pops::{CheckedPops, check_pops};
pub use verdict::{Proof, Verdict};
