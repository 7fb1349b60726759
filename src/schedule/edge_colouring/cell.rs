//! Parallel edges of a bipartite multigraph.

/// Parallel edges.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cell {
    /// Number of the left node.
    pub left: u32,
    /// Number of the right node.
    pub right: u32,
    /// Number of edges.
    pub count: u32,
}
