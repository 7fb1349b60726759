//! A. Mei and R. Rizzi, "Routing Permutations in Partitioned Optical Passive Stars Networks".
//!
//! Fair distributions are found by alternating paths (`fair.rs`), packets are moved slot by slot (`slots.rs`), and how few slots are
//! possible is found by trying everything, group by group (`search.rs`).

mod fair;
mod nets;
mod optimality;
mod search;
mod slots;
mod statements;
mod theorem;

use super::{Claim, Paper};

/// The paper.
pub const PAPER: Paper = Paper {
    name: "pops",
    author: "A. Mei and R. Rizzi",
    title: "Routing Permutations in Partitioned Optical Passive Stars Networks",
    claims,
};

fn claims() -> Vec<Claim> {
    [theorem::claims(), optimality::claims(), statements::claims()].into_iter().flatten().collect()
}
