//! Networks: nodes, channels and the symmetry that lets one router's program stand for all.
//!
//! A topology that runs in slot tables is one file here, with its [`Kind`], and one line in [`KINDS`]. Channels are never
//! stored: a network of 10⁶ routers is a few numbers, and what is asked of it is computed.

pub mod arrangement;
mod complete;
mod dragonfly;
mod exclusion;
mod fat_cube;
mod field;
mod galaxyfly;
pub mod graph;
mod graph_file;
pub mod hierarchical_dual_net;
mod hypercube;
pub mod kind;
pub mod listing;
mod mesh;
mod network;
pub mod parts;
mod placement;
pub mod pops;
mod ring;
mod shift;
pub mod swapped_dragonfly;
mod torus;

pub use arrangement::Arrangement;
pub use complete::Complete;
pub use dragonfly::Dragonfly;
pub use exclusion::{Exclusion, Rest};
pub use fat_cube::FatCube;
pub use field::Field;
pub use galaxyfly::{Galaxy, Galaxyfly};
pub use graph::Graph;
pub use hierarchical_dual_net::HierarchicalDualNet;
pub use hypercube::Hypercube;
pub use kind::Kind;
pub use mesh::Mesh;
pub use network::{Channel, Coordinates, Topology};
pub use placement::Placement;
pub use pops::Pops;
pub use ring::Ring;
pub use shift::Shift;
pub use swapped_dragonfly::SwappedDragonfly;
pub use swapped_dragonfly::embedding::Embedding;
pub use torus::Torus;

use serde_json::Value;

/// Most routers of a network.
pub const MAX_ROUTERS: u32 = 1 << 20;

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
    let own = OWN.iter().map(|&(known, build)| (known, build));
    let by_sizes = KINDS.iter().filter(|kind| !kind.file.is_some_and(|file| file.alone));
    let build = by_sizes.map(|kind| (kind.name, kind.build)).chain(own).find(|(known, _)| *known == name)?.1;
    Some(build(table).ok_or_else(|| format!("the table of the network has no sizes of a {name}")))
}

/// Network of a table of sizes; none of sizes that it cannot have.
type Build = fn(&Value) -> Option<Box<dyn Topology + Sync>>;

/// Topologies with router families of their own.
const OWN: &[(&str, Build)] = &[
    ("swapped-dragonfly", |table| Some(Box::new(SwappedDragonfly::from_table(table)?))),
    ("pops", |table| Some(Box::new(Pops::from_table(table)?))),
];

/// Topologies that run in slot tables, in the order in which messages list them.
pub const KINDS: &[&Kind] = &[
    &torus::KIND,
    &mesh::KIND,
    &ring::KIND,
    &hypercube::KIND,
    &complete::KIND,
    &shift::KAUTZ,
    &shift::DE_BRUIJN,
    &dragonfly::KIND,
    &galaxyfly::KIND,
    &hierarchical_dual_net::KIND,
    &fat_cube::KIND,
    &graph_file::KIND,
];
