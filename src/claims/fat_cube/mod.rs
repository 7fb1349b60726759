//! V. Dvorak, "Scheduling Collective Communications on Wormhole Fat Cubes".
//!
//! The paper's formulas are functions in [`formulas`], lower bounds are in [`bounds`], and its schedules are carried out step by step on
//! circuits in [`model`].

pub mod bounds;
mod cost;
pub mod formulas;
pub mod model;
mod printed;
mod results;
mod schemes;
mod sizes;
mod theorems;

pub use printed::{ALL_GATHER, ALL_TO_ALL, all_gather_table, all_to_all_table};
pub use results::printed_steps;
pub use sizes::Net;

use super::{Claim, Paper};

/// The paper.
pub const PAPER: Paper = Paper {
    name: "fat-cube",
    author: "V. Dvorak",
    title: "Scheduling Collective Communications on Wormhole Fat Cubes",
    claims,
};

fn claims() -> Vec<Claim> {
    [cost::claims(), theorems::claims(), schemes::claims(), printed::claims(), results::claims()]
        .into_iter()
        .flatten()
        .collect()
}
