//! Parallel edges of a bipartite multigraph.

/// Parallel edges.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cell {
    /// The left node.
    pub left: u32,
    /// The right node.
    pub right: u32,
    /// Number of edges.
    pub count: u32,
}
