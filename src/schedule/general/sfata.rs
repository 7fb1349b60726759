//! SFATA, the supernode-first all-to-all broadcast of Zhuang et al. (Mathematics 2023, section 4.1): all packets are collected along one
//! tree, and then distributed along it.
//!
//! On the way down a message has all packets, also those that come from below. The root is router `seed` modulo the number of nodes.

use super::channels::Channels;
use super::collection_tree::{NEEDS, Supernodes, Tree};
use super::messages::{Messages, is_for_all};
use super::problem::{Effort, Made, Problem};
use super::scheduler::Scheduler;

/// The algorithm.
pub(super) struct Sfata;

impl Scheduler for Sfata {
    fn name(&self) -> &'static str {
        "sfata"
    }

    fn about(&self) -> &'static str {
        "all-gather as published for Galaxyflies: all words go up a tree to one node and down again, message by message"
    }

    fn needs(&self) -> Option<&'static str> {
        Some(NEEDS)
    }

    fn is_short(&self) -> bool {
        false
    }

    fn schedule(&self, problem: &Problem, effort: &Effort) -> Option<Made> {
        let net = Channels::of(problem);
        let mut messages = Messages::of(problem, &net).filter(|_| is_for_all(problem))?;
        let tree = Tree::new(&net, &Supernodes::of(problem)?, (effort.seed % net.nodes() as u64) as u32)?;
        let own = messages.own();
        let all = messages.collect(&tree, own);
        messages.spread(&tree, &all);
        messages.made(self.name())
    }
}
