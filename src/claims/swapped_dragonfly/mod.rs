//! R. Draper, "Four Algorithms on the Swapped Dragonfly": a file a section.
//!
//! Packets are moved hop by hop (`walk`); a hop takes a cycle. A packet that stays (local port 0, or global port 0
//! where d = p) takes the cycle and no channel.

mod all_to_all;
mod batches;
mod broadcast;
mod conclusion;
mod cosets;
mod dimensions;
mod exchange;
mod header;
mod hypercube;
mod hypercube_exchange;
mod matrix;
mod matrix_cost;
mod maximal;
mod no_copies;
mod rounds;
mod schedules;
mod sizes;
mod topology;
mod trees;
mod vector_matrix;
mod walk;

pub use matrix_cost::{Logarithm, MULTIPLICATIONS, Multiplication};

use super::{Claim, Paper};

/// The paper.
pub const PAPER: Paper =
    Paper { name: "swapped-dragonfly", author: "R. Draper", title: "Four Algorithms on the Swapped Dragonfly", claims };

fn claims() -> Vec<Claim> {
    let sections = [
        topology::claims(),
        maximal::claims(),
        matrix::claims(),
        matrix_cost::claims(),
        cosets::claims(),
        all_to_all::claims(),
        schedules::claims(),
        hypercube::claims(),
        hypercube_exchange::claims(),
        broadcast::claims(),
        no_copies::claims(),
        trees::claims(),
        conclusion::claims(),
    ];
    sections.into_iter().flatten().collect()
}
