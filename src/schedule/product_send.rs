//! Sends of a product: the value, its router, cycle and path.

use super::HopLatency;
use crate::collective::ProductKind;
use crate::id::NodeId;
use crate::topology::headers::Header;

/// Request of a product.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProductRequest<'a> {
    /// `best` or the name of one of [`ALGORITHMS`](super::product::ALGORITHMS).
    pub algorithm: &'a str,
    /// Kind of product.
    pub kind: ProductKind,
    /// Rows and columns of a block, at least 1.
    pub block: u32,
    /// Cycles from an arrival to its product or sum.
    pub mac_cycles: u32,
    /// Cycles a hop.
    pub hop: HopLatency,
}

/// Layout of matrices over routers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// On D3(K²,M), a block a router.
    Square {
        /// K.
        side: u32,
    },
    /// On D3(K,M), K blocks a router.
    Linear,
}

/// Stage of a value in the computation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stage {
    /// An element of the operand, where the operand lies.
    Operand,
    /// Partial sum of a router by its own block of the matrix.
    Product,
    /// A sum of products that arrived.
    Sum,
    /// A sum of sums that arrived, or the only element of a transpose.
    Result,
    /// A result that has been brought to where the operand lay.
    Returned,
}

/// A value that a router has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Term {
    /// Stage.
    pub stage: Stage,
    /// The vector of the operand.
    pub vector: u32,
    /// The element of the operand, or, from [`Stage::Product`] on, of the result.
    pub element: u32,
}

/// A router sends a value. Where it arrives it is a contribution to what comes after its [`Stage`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Send {
    /// The cycle in which it is at the router's crossbar.
    pub cycle: u32,
    /// The router.
    pub node: NodeId,
    /// The packet's way; `[1;0,0,0]` is none: the router keeps the value for its own sum.
    pub header: Header,
    /// The value.
    pub term: Term,
}
