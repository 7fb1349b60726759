//! H. Zhuang, J.-M. Chang, X.-Y. Li, F. Song and Q. Lin, "All-to-All Broadcast Algorithm in Galaxyfly Networks".
//!
//! The paper's algorithm boxes are images. They are carried out as its text and examples say (`model.rs`): a message of k packets holds a
//! link for k slots and is forwarded when it is complete.

mod algorithms;
mod examples;
mod graph;
mod measured;
mod messages;
mod model;
mod nets;
mod results;
mod tables;

use super::{Claim, Paper};

/// The paper.
pub const PAPER: Paper = Paper {
    name: "galaxyfly",
    author: "H. Zhuang, J.-M. Chang, X.-Y. Li, F. Song and Q. Lin",
    title: "All-to-All Broadcast Algorithm in Galaxyfly Networks",
    claims,
};

fn claims() -> Vec<Claim> {
    [graph::claims(), algorithms::claims(), examples::claims(), results::claims(), measured::claims()]
        .into_iter()
        .flatten()
        .collect()
}
