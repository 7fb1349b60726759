//! Tile form of Swapped Dragonflies.

mod product;
mod tile;

pub use product::product_parts;
pub use tile::source_vector_parts;
