//! Demands: which words nodes have, and to which nodes each of them, or their combination, is owed.
//!
//! Every collective among the nodes of a network has this form, and the schedulers of any graph see nothing else of it.

use crate::id::NodeId;

/// Most packets that are listed: an all-to-all of 4096 nodes. A packet takes about 100 bytes until its schedule is proved.
pub const MAX_PACKETS: u64 = 1 << 24;

/// A word, or the combination of one word of each of several nodes, and the nodes that are to have it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chunk {
    /// Nodes that have a word of it from the beginning; with more than one, the operator combines them.
    pub from: Vec<NodeId>,
    /// Nodes that are to have it, ascending. One of `from` may be among them.
    pub to: Vec<NodeId>,
}

/// All that a collective moves.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Demand {
    /// Chunks. Those that are alike in both lists are different words.
    pub chunks: Vec<Chunk>,
}

impl Demand {
    /// True if some chunk is a combination.
    pub fn combines(&self) -> bool {
        self.chunks.iter().any(|chunk| chunk.from.len() > 1)
    }
}
