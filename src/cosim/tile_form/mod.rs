//! The tile form: one tile, Verilated once, as often as the network has tiles.
//!
//! The whole top of a large network is more C++ than a compiler takes; a tile is seconds. As every output of a tile is a
//! register, the network is its tiles with outputs carried to inputs after every clock edge, along the
//! [topology](crate::topology::Topology). That the emitted top connects them in just this way is proved apart, see
//! [`wiring`](super::wiring). What the tile form leaves out is the host, the ring from tile to tile, and the start and
//! done trees: all tiles start in the same cycle, as they do behind a tree of equal depth, and each is loaded and read
//! by its own stop on the ring.
//!
//! Where one program serves all tiles, each is given a copy of it. All copies are the same module, hear the same start in
//! the same cycle and so show the same rows; the tree that carries the rows of the one program has the depth of the tree
//! that would carry the start to many, so they show them in the same cycle, too.

mod form;
mod host;
mod interface;
mod library;
mod product;
mod slot_table;

pub use form::{TileForm, parts};
pub use interface::TileInterface;
pub use product::product_parts;
pub use slot_table::slot_table_parts;
