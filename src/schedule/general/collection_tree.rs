//! Trees by which the Galaxyfly paper collects packets (Zhuang et al., Mathematics 2023, section 3): within a supernode by halves, and
//! between supernodes by the neighbours of the root's supernode.
//!
//! A supernode is the nodes that have all coordinates but the last in common. RPC(B, m) leads to router m: the routers of B without m are
//! cut into two halves, and the middle one of each half collects that half and sends it to m. SPC(U, A) leads to supernode A: each
//! neighbour x of A collects itself and the supernodes next to it that no other x has taken.

use super::channels::Channels;
use super::problem::Problem;
use crate::topology::Topology;
use std::ops::Range;

/// Tree of all nodes.
#[derive(Debug, Clone)]
pub(super) struct Tree {
    /// By node: the channel to its parent, and the one back; none at the root.
    pub links: Vec<Option<[u32; 2]>>,
    /// Nodes, each after its parent.
    pub order: Vec<u32>,
}

/// Tree under construction.
struct Growth<'a> {
    net: &'a Channels,
    links: Vec<Option<[u32; 2]>>,
    order: Vec<u32>,
}

impl Tree {
    /// The tree of SPC and RPC to a root; none if some routers of a supernode are not joined, or a supernode is more than two links away.
    pub fn new(problem: &Problem, net: &Channels, root: u32) -> Option<Self> {
        let supernodes = supernodes(problem)?;
        let mut number = vec![0; net.nodes()];
        (0..).zip(&supernodes).for_each(|(index, nodes)| number[nodes.start as usize..nodes.end as usize].fill(index));
        let neighbours = |from: usize| {
            let far = supernodes[from].clone().flat_map(|node| &net.out[node as usize]);
            let mut all: Vec<usize> = far.map(|&channel| number[net.dst[channel as usize] as usize]).collect();
            all.sort_unstable();
            all.dedup();
            all.retain(|&to| to != from);
            all
        };
        let mut tree = Growth { net, links: vec![None; net.nodes()], order: Vec::with_capacity(net.nodes()) };
        let centre: usize = *number.get(root as usize)?;
        let mut taken = vec![false; supernodes.len()];
        taken[centre] = true;
        let first = neighbours(centre);
        first.iter().for_each(|&near| taken[near] = true);
        tree.order.push(root);
        tree.collect(&supernodes[centre].clone().collect::<Vec<u32>>(), root)?;
        for near in first {
            tree.supernode(&supernodes[near], &supernodes[centre])?;
            for far in neighbours(near) {
                if !std::mem::replace(&mut taken[far], true) {
                    tree.supernode(&supernodes[far], &supernodes[near])?;
                }
            }
        }
        (tree.order.len() == net.nodes()).then_some(Self { links: tree.links, order: tree.order })
    }

    /// The parent of a node.
    pub fn parent(&self, net: &Channels, node: u32) -> Option<u32> {
        self.links[node as usize].map(|[up, _]| net.dst[up as usize])
    }
}

/// Ranges of nodes that have all coordinates but the last in common; none if nodes have one coordinate or names.
fn supernodes(problem: &Problem) -> Option<Vec<Range<u32>>> {
    let label = |node: u32| {
        let mut label = problem.net.label((node as usize).into());
        label.pop().filter(|_| !label.is_empty()).map(|_| label)
    };
    let nodes = problem.net.nodes() as u32;
    let mut found: Vec<Range<u32>> = Vec::new();
    for node in 0..nodes {
        match found.last_mut() {
            Some(last) if label(last.start)? == label(node)? => last.end = node + 1,
            _ => found.push(node..node + 1),
        }
    }
    Some(found)
}

impl Growth<'_> {
    /// Adds a supernode that sends what it collects to the first router of `to` to which a channel leads.
    fn supernode(&mut self, own: &Range<u32>, to: &Range<u32>) -> Option<()> {
        let net = self.net;
        let leads = |channel: &&u32| to.contains(&net.dst[**channel as usize]);
        let gate = own.clone().find_map(|node| net.out[node as usize].iter().find(leads).map(|&up| (node, up)));
        let (gate, up) = gate?;
        self.join(gate, net.dst[up as usize])?;
        self.collect(&own.clone().collect::<Vec<u32>>(), gate)
    }

    /// RPC: adds the routers of a set, of which `middle` is there.
    fn collect(&mut self, set: &[u32], middle: u32) -> Option<()> {
        let others: Vec<u32> = set.iter().copied().filter(|&node| node != middle).collect();
        let (first, second) = others.split_at(others.len() / 2);
        for half in [first, second] {
            let Some(&next) = half.get(half.len() / 2) else { continue };
            self.join(next, middle)?;
            self.collect(half, next)?;
        }
        Some(())
    }

    /// Adds a node below its parent.
    fn join(&mut self, node: u32, parent: u32) -> Option<()> {
        let net = self.net;
        let channel = |from: u32, to: u32| {
            net.out[from as usize].iter().copied().find(|&channel| net.dst[channel as usize] == to)
        };
        self.links[node as usize] = Some([channel(node, parent)?, channel(parent, node)?]);
        self.order.push(node);
        Some(())
    }
}
