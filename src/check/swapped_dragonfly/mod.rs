//! Checks of schedules on D3(K,M): ports are where its numbering has them.
//!
//! | schedule | file | besides the program |
//! |---|---|---|
//! | all-to-all | [`symmetric`] | one router's program stands for all |
//! | broadcast | [`stream`] | headers say what the program says; registers in which packets stay |
//! | all-reduce, scan, sort | [`exchange`] | registers; one operator a router; Batcher's comparisons |
//! | products | [`product`] | registers; products that a router holds; above a million sends, nothing but what is followed there |
//! | products in trains | [`product_trains`] | followed block by block: see there |

mod all_to_all;
pub mod bounds;
pub mod claims;
mod distance;
pub mod embedding;
pub mod error;
pub mod exchange;
mod exchange_bounds;
pub mod exchange_fault;
mod exchange_outcome;
pub mod flood;
mod header;
pub mod product;
mod product_bounds;
mod product_claims;
pub mod product_fault;
mod product_map;
pub mod product_program;
pub mod product_trains;
mod routing_bound;
pub mod stream;
mod stream_bounds;
pub mod symmetric;
pub mod symmetry;

pub use all_to_all::{AllToAllSummary, CheckedAllToAll, Period, check_all_to_all};
pub use embedding::{CheckedEmbedding, check_embedding};
pub use error::CheckError;
pub use exchange::{CheckedExchange, check_exchange};
pub use product::{CheckedProduct, check_product};
pub use product_trains::{CheckedTrains, check_trains};
pub use stream::{CheckedStream, check_stream};
pub use symmetric::SymmetricProof;
pub use symmetry::Shape;
