//! Networks: nodes, channels and the symmetry that lets one router's program stand for all.
//!
//! A topology is one file here and one arm where the specification is turned into a [`Topology`]. Channels are never
//! stored: a network of 10⁶ routers is a few numbers, and what is asked of it is computed.

pub mod embedding;
pub mod graph;
pub mod headers;
mod network;
pub mod pops;
pub mod survivor;
pub mod swapped_dragonfly;

pub use embedding::{Embedding, Placement};
pub use graph::Graph;
pub use network::{Channel, Coordinates, Topology};
pub use pops::Pops;
pub use swapped_dragonfly::SwappedDragonfly;

use serde_json::Value;

/// The network that a table of the exchange format names, by its topology and sizes; none for a topology that is not known, an
/// error in words for sizes that it cannot have.
pub fn named(table: &Value) -> Option<Result<Box<dyn Topology + Sync>, String>> {
    let name = table["topology"].as_str()?;
    let build = NAMED.iter().find(|(known, _)| *known == name)?.1;
    Some(build(table).ok_or_else(|| format!("the table of the network has no sizes of a {name}")))
}

/// A network from its table.
type Build = fn(&Value) -> Option<Box<dyn Topology + Sync>>;

/// The topologies that tables name.
const NAMED: &[(&str, Build)] = &[
    ("swapped-dragonfly", |table| Some(Box::new(SwappedDragonfly::from_table(table)?))),
    ("pops", |table| Some(Box::new(Pops::from_table(table)?))),
];
