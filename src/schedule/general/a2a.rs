//! A2A, the all-to-all broadcast on a Dragonfly with which Zhuang et al. (Mathematics 2023, table 5) compare theirs. It is Xiang and Ju's
//! (COCOON 2021); the paper has its times only.
//!
//! Table 5 tells: MinTime is RPC's time in a group, and routers of an RPD tree are N packets apart from level to level.
//! So one router of each group collects its group's packets by RPC. It sends them to that router of every other group
//! by the link between the two. When it has all packets, it distributes them by RPD. That router is `seed` modulo the
//! size of its group.

use super::channels::Channels;
use super::collection_tree::Supernodes;
use super::messages::{Messages, is_for_all};
use super::problem::{Effort, Made, Problem};
use super::scheduler::Scheduler;

/// The algorithm.
pub(super) struct A2a;

impl Scheduler for A2a {
    fn name(&self) -> &'static str {
        "a2a"
    }

    fn about(&self) -> &'static str {
        "all-gather as published for Dragonflies: one router of each group collects, exchanges and distributes"
    }

    fn needs(&self) -> Option<&'static str> {
        Some("an all-gather, completely joined groups of which any two are joined by a link, and `ports = \"all\"`")
    }

    fn is_short(&self) -> bool {
        false
    }

    fn schedule(&self, problem: &Problem, effort: &Effort) -> Option<Made> {
        let net = Channels::of(problem);
        let mut messages = Messages::of(problem, &net).filter(|_| is_for_all(problem))?;
        let groups = Supernodes::of(problem)?;
        let trees = (0..groups.count()).map(|group| {
            let nodes = groups.nodes(group);
            let root = nodes.start + (effort.seed % u64::from(nodes.end - nodes.start)) as u32;
            groups.rpc(&net, group, root)
        });
        let trees = trees.collect::<Option<Vec<_>>>()?;
        let own = messages.own();
        let collected: Vec<_> = trees.iter().map(|tree| messages.collect(tree, own.clone())).collect();
        let mut all = collected.clone();
        for (from, to) in (0..groups.count()).flat_map(|from| (0..groups.count()).map(move |to| (from, to))) {
            if from == to {
                continue;
            }
            let [link, _] = groups.link(&net, from, to)?;
            let mut held = collected[from].clone();
            let [gate, entry] = [net.src[link as usize], net.dst[link as usize]];
            if gate != trees[from].order[0] {
                held = messages.send(net.channel(trees[from].order[0], gate)?, &held);
            }
            held = messages.send(link, &held);
            if entry != trees[to].order[0] {
                held = messages.send(net.channel(entry, trees[to].order[0])?, &held);
            }
            all[to].add(&held);
        }
        for (tree, held) in trees.iter().zip(&all) {
            messages.spread(tree, held);
        }
        messages.made(self.name())
    }
}
