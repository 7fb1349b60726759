//! RFATA, the router-first all-to-all broadcast of Zhuang et al. (Mathematics 2023, section 4.2): packets that arrive
//! at a supernode go to all its routers before they go to other supernodes.
//!
//! The paper's algorithm box is an image; this is its text. RPC collects the packets of every supernode at its gateway, and RPD distributes
//! them from there. A gateway sends what its supernode and those behind it have when it has it whole, and the router at which it comes in
//! distributes it. When the root has all packets it distributes them by SPD, which is SFATA's way down. The root is router `seed` modulo the
//! number of nodes.

use super::channels::Channels;
use super::collection_tree::{NEEDS, Supernodes, Tree};
use super::messages::{Held, Messages, is_for_all};
use super::problem::{Effort, Made, Problem};
use super::scheduler::Scheduler;

/// The algorithm.
pub(super) struct Rfata;

impl Scheduler for Rfata {
    fn name(&self) -> &'static str {
        "rfata"
    }

    fn about(&self) -> &'static str {
        "all-gather as published for Galaxyflies: what comes to a supernode goes to all its routers first"
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
        let supernodes = Supernodes::of(problem)?;
        let root = (effort.seed % net.nodes() as u64) as u32;
        let order = supernodes.spc(&net, supernodes.number(root));
        // by supernode: the channels of its gateway to the supernode before, and back
        let mut links = vec![None; supernodes.count()];
        for &(own, to) in &order {
            if let Some(to) = to {
                links[own] = Some(supernodes.link(&net, own, to)?);
            }
        }
        let source = |own: usize| links[own].map_or(root, |[up, _]: [u32; 2]| net.src[up as usize]);
        // by router: what it has
        let mut held = messages.own();
        for &(own, _) in &order {
            let tree = supernodes.rpc(&net, own, source(own))?;
            let all = messages.collect(&tree, held.clone());
            for (node, came) in messages.spread(&tree, &all) {
                held[node as usize] = came;
            }
        }
        for &(own, to) in order.iter().rev() {
            let (Some([up, _]), Some(to)) = (links[own], to) else { continue };
            let came = messages.send(up, &held[net.src[up as usize] as usize]);
            distribute(&mut messages, &supernodes.rpc(&net, to, net.dst[up as usize])?, &came, &mut held);
        }
        messages.spread(&Tree::new(&net, &supernodes, root)?, &held[root as usize]);
        messages.made(self.name())
    }
}

/// Adds RPD of the packets that came to the tree's root to the packets of its nodes.
fn distribute(messages: &mut Messages, tree: &Tree, came: &Held, held: &mut [Held]) {
    for (node, came) in messages.spread(tree, came) {
        held[node as usize].add(&came);
    }
}
