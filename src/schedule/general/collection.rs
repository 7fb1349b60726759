//! The four basic algorithms of Zhuang et al. (Mathematics 2023, section 3), each a collective by itself: RPC and RPD among routers of which
//! any two are joined, SPC and SPD in the whole network.

use super::channels::Channels;
use super::collection_tree::{Supernodes, Tree};
use super::messages::{Messages, is_for_all};
use super::problem::{Effort, Made, Problem};
use super::scheduler::Scheduler;
use crate::id::NodeId;

/// Tree that packets go along.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Along {
    /// The nodes that the demand names, any two of which are joined.
    Routers,
    /// All nodes, supernode by supernode.
    Supernodes,
}

/// RPC and SPC: packets of many nodes to one.
pub(super) struct Collection {
    /// Name in a specification.
    pub name: &'static str,
    /// The algorithm in a sentence.
    pub about: &'static str,
    /// Tree.
    pub along: Along,
}

/// RPD and SPD: packets of one node to many.
pub(super) struct Distribution {
    /// Name in a specification.
    pub name: &'static str,
    /// The algorithm in a sentence.
    pub about: &'static str,
    /// Tree.
    pub along: Along,
}

impl Along {
    /// The tree of a set of nodes to one of them.
    fn tree(self, problem: &Problem, net: &Channels, set: &[u32], root: u32) -> Option<Tree> {
        match self {
            Along::Routers => Tree::rpc(net, set, root),
            Along::Supernodes => Tree::new(net, &Supernodes::of(problem)?, root),
        }
    }
}

/// Nodes in ascending order, each once.
fn set_of(nodes: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut all: Vec<u32> = nodes.collect();
    all.sort_unstable();
    all.dedup();
    all
}

impl Scheduler for Collection {
    fn name(&self) -> &'static str {
        self.name
    }

    fn about(&self) -> &'static str {
        self.about
    }

    fn needs(&self) -> Option<&'static str> {
        match self.along {
            Along::Routers => {
                Some("words that go to one node from nodes of which any two are joined, and `ports = \"all\"`")
            }
            Along::Supernodes => Some("words that go to one node, completely joined supernodes, and `ports = \"all\"`"),
        }
    }

    fn is_short(&self) -> bool {
        false
    }

    fn schedule(&self, problem: &Problem, _: &Effort) -> Option<Made> {
        let (net, chunks) = (Channels::of(problem), &problem.demand.chunks);
        let mut messages = Messages::of(problem, &net)?;
        let [root] = chunks.first()?.to[..] else { return None };
        let is_to_root = chunks.iter().all(|chunk| chunk.to == [root]);
        let set = set_of(chunks.iter().map(|chunk| chunk.from[0].get()).chain([root.get()]));
        let tree = self.along.tree(problem, &net, &set, root.get()).filter(|_| is_to_root)?;
        let own = messages.own();
        messages.collect(&tree, own);
        messages.made(self.name)
    }
}

impl Scheduler for Distribution {
    fn name(&self) -> &'static str {
        self.name
    }

    fn about(&self) -> &'static str {
        self.about
    }

    fn needs(&self) -> Option<&'static str> {
        match self.along {
            Along::Routers => {
                Some("words of one node that go to nodes of which any two are joined, and `ports = \"all\"`")
            }
            Along::Supernodes => {
                Some("words of one node that go to all, completely joined supernodes, and `ports = \"all\"`")
            }
        }
    }

    fn is_short(&self) -> bool {
        false
    }

    fn schedule(&self, problem: &Problem, _: &Effort) -> Option<Made> {
        let (net, chunks) = (Channels::of(problem), &problem.demand.chunks);
        let mut messages = Messages::of(problem, &net)?;
        let root = chunks.first()?.from[0];
        let reached = |to: &[NodeId]| set_of(to.iter().map(|node| node.get()).chain([root.get()]));
        let set = reached(&chunks[0].to);
        let is_whole = match self.along {
            Along::Routers => chunks.iter().all(|chunk| reached(&chunk.to) == set),
            Along::Supernodes => is_for_all(problem),
        };
        let is_from_root = chunks.iter().all(|chunk| chunk.from == [root]);
        let tree = self.along.tree(problem, &net, &set, root.get()).filter(|_| is_whole && is_from_root)?;
        let held = messages.own().swap_remove(root.index());
        messages.spread(&tree, &held);
        messages.made(self.name)
    }
}
