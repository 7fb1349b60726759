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

/// Basic algorithm, one of four.
pub(super) struct Basic {
    /// Name in a specification.
    pub name: &'static str,
    /// The algorithm in a sentence.
    pub about: &'static str,
    /// Problems that it schedules, in words.
    pub needs: &'static str,
    /// Tree.
    pub along: Along,
    /// Packets of many nodes to one, or of one node to many.
    pub messages: for<'a> fn(&'a Problem, &'a Channels, Along) -> Option<Messages<'a>>,
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

impl Scheduler for Basic {
    fn name(&self) -> &'static str {
        self.name
    }

    fn about(&self) -> &'static str {
        self.about
    }

    fn needs(&self) -> Option<&'static str> {
        Some(self.needs)
    }

    fn is_short(&self) -> bool {
        false
    }

    fn schedule(&self, problem: &Problem, _: &Effort) -> Option<Made> {
        (self.messages)(problem, &Channels::of(problem), self.along)?.made(self.name)
    }
}

/// RPC and SPC: messages from many nodes to one.
pub(super) fn collected<'a>(problem: &'a Problem, net: &'a Channels, along: Along) -> Option<Messages<'a>> {
    let chunks = &problem.demand.chunks;
    let mut messages = Messages::of(problem, net)?;
    let [root] = chunks.first()?.to[..] else { return None };
    let is_to_root = chunks.iter().all(|chunk| chunk.to == [root]);
    let set = set_of(chunks.iter().map(|chunk| chunk.from[0].get()).chain([root.get()]));
    let tree = along.tree(problem, net, &set, root.get()).filter(|_| is_to_root)?;
    let own = messages.own();
    messages.collect(&tree, own);
    Some(messages)
}

/// RPD and SPD: messages from one node to many.
pub(super) fn distributed<'a>(problem: &'a Problem, net: &'a Channels, along: Along) -> Option<Messages<'a>> {
    let chunks = &problem.demand.chunks;
    let mut messages = Messages::of(problem, net)?;
    let root = chunks.first()?.from[0];
    let reached = |to: &[NodeId]| set_of(to.iter().map(|node| node.get()).chain([root.get()]));
    let set = reached(&chunks[0].to);
    let is_whole = match along {
        Along::Routers => chunks.iter().all(|chunk| reached(&chunk.to) == set),
        Along::Supernodes => is_for_all(problem),
    };
    let is_from_root = chunks.iter().all(|chunk| chunk.from == [root]);
    let tree = along.tree(problem, net, &set, root.get()).filter(|_| is_whole && is_from_root)?;
    let held = messages.own().swap_remove(root.index());
    messages.spread(&tree, &held);
    Some(messages)
}
