//! Y. Li and W. Chu, "Total Exchange Routing on Hierarchical Dual-Nets".
//!
//! Networks are built level by level (`nets.rs`). Formulas and tables are counted again (`structure.rs`, `tables.rs`).
//! Symmetry is tested node by node (`symmetry.rs`). Algorithm 2 is followed message by message, as printed and with
//! other relays (`exchange.rs`).

mod exchange;
mod indices;
mod nets;
mod routing;
mod structure;
mod symmetry;
mod tables;

use super::{Claim, Paper};

/// The paper.
pub const PAPER: Paper = Paper {
    name: "hierarchical-dual-net",
    author: "Y. Li and W. Chu",
    title: "Total Exchange Routing on Hierarchical Dual-Nets",
    claims,
};

fn claims() -> Vec<Claim> {
    let parts = [structure::claims(), tables::claims(), symmetry::claims(), indices::claims(), routing::claims()];
    parts.into_iter().flatten().chain(exchange::claims()).collect()
}
