//! Schedules on D3(K,M).
//!
//! On a symmetric network every router does the same, so one router's program stands for all of them. A
//! [`UniformProgram`](crate::program::form::swapped_dragonfly::uniform::UniformProgram) is a list of launches; its expansion to single
//! transfers is lazy.
//!
//! # Row form
//! A program is a sequence of rows, one a cycle. With the clash distance D = Hl + Hg, a program is free of conflicts if
//! two rules hold. Inside a row the γ are distinct, the nonzero π are distinct and the nonzero δ are distinct. No
//! nonzero δ of row r is a nonzero π of row r - D. The rules name ports alone, so one program serves cyclic and
//! exclusive-or networks alike.
//!
//! # Adding an algorithm
//! Write a file with a function from network and [`AllToAllRequest`] to [`Plan`] and list it in `closed_forms.rs`.

mod all_to_all;
pub mod best;
pub mod broadcast;
mod closed_forms;
pub mod doubly_parallel;
pub mod exchange;
pub mod half_window;
mod interleave;
pub mod no_wait;
pub mod product;
mod product_paths;
pub mod product_trains;
mod request;
mod uniform;
pub mod window;
pub mod window_pairs;

pub use all_to_all::{all_to_all_algorithms, schedule_all_to_all};
pub use request::{AlgorithmEntry, AllToAllRequest, Plan};
pub use uniform::{uniform_bound, uniform_cycles};
