//! The tile form: one tile, Verilated once, as often as the network has tiles.
//!
//! The full top of a large network is more C++ than a compiler takes; a tile is seconds. As every output of a tile is
//! a register, the network is its tiles with outputs carried to inputs after every clock edge, along the
//! [topology](crate::topology::Topology). That the emitted top connects them in just this way is proved apart, see
//! [`wiring`](super::wiring). The tile form leaves out the host, the ring from tile to tile, and the start and done
//! trees. All tiles start in the same cycle, as they do behind a tree of equal depth. Each tile is loaded and read
//! through its own ring port.
//!
//! Where one program serves all tiles, each is given a copy of it. All copies are one module and start in the same
//! cycle, so they show the same rows. The tree that carries the rows of the one program has the depth of the tree that
//! would carry the start to many. So all tiles have the rows in the same cycle, too.

mod form;
mod host;
mod interface;
mod library;
mod slot_table;
mod swapped_dragonfly;

pub use form::TileForm;
pub use interface::TileInterface;
pub use slot_table::slot_table_parts;
pub use swapped_dragonfly::{product_parts, source_vector_parts};
