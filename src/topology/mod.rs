//! Networks: nodes, channels and the symmetry that lets one router's program stand for all.
//!
//! A topology is one file here and one arm where the specification is turned into a [`Topology`]. Channels are never
//! stored: a network of 10⁶ routers is a few numbers, and what is asked of it is computed.

pub mod arrangement;
mod complete;
mod dragonfly;
pub mod embedding;
mod exclusion;
mod fat_cube;
mod field;
mod galaxyfly;
pub mod graph;
pub mod headers;
pub mod hierarchical_dual_net;
mod hypercube;
pub mod listing;
mod mesh;
mod network;
pub mod parts;
pub mod pops;
mod ring;
mod shift;
pub mod survivor;
pub mod swapped_dragonfly;
mod torus;

pub use arrangement::Arrangement;
pub use complete::Complete;
pub use dragonfly::Dragonfly;
pub use embedding::{Embedding, Placement};
pub use exclusion::{Exclusion, Rest};
pub use fat_cube::FatCube;
pub use field::Field;
pub use galaxyfly::{Galaxy, Galaxyfly};
pub use graph::Graph;
pub use hierarchical_dual_net::HierarchicalDualNet;
pub use hypercube::Hypercube;
pub use mesh::Mesh;
pub use network::{Channel, Coordinates, Topology};
pub use pops::Pops;
pub use ring::Ring;
pub use shift::Shift;
pub use swapped_dragonfly::SwappedDragonfly;
pub use torus::Torus;

use serde_json::Value;

/// Network that a table of the exchange format names, by topology and sizes, without the nodes and channels that the
/// table excludes. None for an unknown topology; an error as text for impossible sizes.
pub fn named(table: &Value) -> Option<Result<Box<dyn Topology + Sync>, String>> {
    let whole = match whole(table)? {
        Ok(whole) => whole,
        Err(error) => return Some(Err(error)),
    };
    Some(match Exclusion::from_table(table) {
        None => Err("the table of the network leaves out what are no numbers of nodes".into()),
        Some(exclusion) if exclusion.is_empty() => Ok(whole),
        Some(exclusion) => Ok(Box::new(exclusion.apply(whole.as_ref()).network)),
    })
}

/// Network of [`named`] with all of its nodes and channels.
pub fn whole(table: &Value) -> Option<Result<Box<dyn Topology + Sync>, String>> {
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
    ("fat-cube", |table| Some(Box::new(FatCube::from_table(table)?))),
    ("torus", |table| Some(Box::new(Torus::from_table(table)?))),
    ("mesh", |table| Some(Box::new(Mesh::from_table(table)?))),
    ("ring", |table| Some(Box::new(Ring::from_table(table)?))),
    ("hypercube", |table| Some(Box::new(Hypercube::from_table(table)?))),
    ("complete", |table| Some(Box::new(Complete::from_table(table)?))),
    ("kautz", |table| Some(Box::new(Shift::kautz_from_table(table)?))),
    ("de-bruijn", |table| Some(Box::new(Shift::de_bruijn_from_table(table)?))),
    ("dragonfly", |table| Some(Box::new(Dragonfly::from_table(table)?))),
    ("galaxyfly", |table| Some(Box::new(Galaxyfly::from_table(table)?))),
    ("hierarchical-dual-net", |table| Some(Box::new(HierarchicalDualNet::from_table(table)?))),
];
