//! Trees by which the Galaxyfly paper collects packets (Zhuang et al., Mathematics 2023, section 3): within a supernode by halves, and
//! between supernodes by the neighbours of the root's supernode.
//!
//! A supernode is the nodes that have all coordinates but the last in common. RPC(B, m) leads to router m: the routers
//! of B without m are cut into two halves. The middle router of each half collects that half and sends it to m. SPC(U,
//! A) leads to supernode A: each neighbour x of A collects itself and the supernodes next to it that no other x has
//! taken.

use super::channels::Channels;
use super::problem::Problem;
use crate::topology::Topology;
use std::ops::Range;

/// Problems that an all-gather along such trees schedules, in words.
pub(super) const NEEDS: &str =
    "an all-gather, completely joined supernodes of which any two are two links apart at most, and `ports = \"all\"`";

/// Tree of nodes.
#[derive(Debug, Clone)]
pub(super) struct Tree {
    /// Channels to the parent and back, by node. None at the root, and at nodes that are not in the tree.
    pub links: Vec<Option<[u32; 2]>>,
    /// Nodes of the tree, each after its parent.
    pub order: Vec<u32>,
}

impl Tree {
    /// The tree of SPC and RPC to a root; none if some routers of a supernode are not joined, or a supernode is more than two links away.
    pub fn new(net: &Channels, supernodes: &Supernodes, root: u32) -> Option<Self> {
        let mut tree = Self { links: vec![None; net.nodes()], order: vec![root] };
        for (own, to) in supernodes.spc(net, supernodes.number(root)) {
            let gate = match to {
                None => root,
                Some(to) => {
                    let [up, _] = supernodes.link(net, own, to)?;
                    tree.join(net, net.src[up as usize], net.dst[up as usize])?;
                    net.src[up as usize]
                }
            };
            tree.collect(net, &supernodes.nodes(own).collect::<Vec<u32>>(), gate)?;
        }
        (tree.order.len() == net.nodes()).then_some(tree)
    }

    /// The tree of RPC(set, root); none if some of them are not joined.
    pub fn rpc(net: &Channels, set: &[u32], root: u32) -> Option<Self> {
        let mut tree = Self { links: vec![None; net.nodes()], order: vec![root] };
        tree.collect(net, set, root)?;
        Some(tree)
    }

    /// The parent of a node.
    pub fn parent(&self, net: &Channels, node: u32) -> Option<u32> {
        self.links[node as usize].map(|[up, _]| net.dst[up as usize])
    }

    /// RPC: adds the routers of a set, of which `middle` is there.
    fn collect(&mut self, net: &Channels, set: &[u32], middle: u32) -> Option<()> {
        let others: Vec<u32> = set.iter().copied().filter(|&node| node != middle).collect();
        let (first, second) = others.split_at(others.len() / 2);
        for half in [first, second] {
            let Some(&next) = half.get(half.len() / 2) else { continue };
            self.join(net, next, middle)?;
            self.collect(net, half, next)?;
        }
        Some(())
    }

    /// Adds a node below its parent.
    fn join(&mut self, net: &Channels, node: u32, parent: u32) -> Option<()> {
        self.links[node as usize] = Some([net.channel(node, parent)?, net.channel(parent, node)?]);
        self.order.push(node);
        Some(())
    }
}

/// Supernodes: ranges of nodes that have all coordinates but the last in common.
#[derive(Debug, Clone)]
pub(super) struct Supernodes {
    ranges: Vec<Range<u32>>,
    /// Supernode of each node, by node.
    of: Vec<usize>,
}

impl Supernodes {
    /// The supernodes of a network; none if nodes have one coordinate or names.
    pub fn of(problem: &Problem) -> Option<Self> {
        let label = |node: u32| {
            let mut label = problem.net.label((node as usize).into());
            label.pop().filter(|_| !label.is_empty()).map(|_| label)
        };
        let nodes = problem.net.nodes() as u32;
        let (mut ranges, mut of): (Vec<Range<u32>>, Vec<usize>) = (Vec::new(), Vec::new());
        for node in 0..nodes {
            match ranges.last_mut() {
                Some(last) if label(last.start)? == label(node)? => last.end = node + 1,
                _ => ranges.push(node..node + 1),
            }
            of.push(ranges.len() - 1);
        }
        Some(Self { ranges, of })
    }

    /// Number of supernodes.
    pub fn count(&self) -> usize {
        self.ranges.len()
    }

    /// The nodes of a supernode.
    pub fn nodes(&self, supernode: usize) -> Range<u32> {
        self.ranges[supernode].clone()
    }

    /// The supernode of a node.
    pub fn number(&self, node: u32) -> usize {
        self.of[node as usize]
    }

    /// Supernodes to which channels lead from one, ascending.
    fn neighbours(&self, net: &Channels, from: usize) -> Vec<usize> {
        let far = self.nodes(from).flat_map(|node| &net.out[node as usize]);
        let mut all: Vec<usize> = far.map(|&channel| self.number(net.dst[channel as usize])).collect();
        all.sort_unstable();
        all.dedup();
        all.retain(|&to| to != from);
        all
    }

    /// The first channel from one supernode to another, and the one back.
    pub fn link(&self, net: &Channels, from: usize, to: usize) -> Option<[u32; 2]> {
        let leads = |channel: &&u32| self.number(net.dst[**channel as usize]) == to;
        let up = *self.nodes(from).find_map(|node| net.out[node as usize].iter().find(leads))?;
        Some([up, net.channel(net.dst[up as usize], net.src[up as usize])?])
    }

    /// SPC(U, A): supernodes, each with the one to which it sends and after it; A first. Those more than two links away are not there.
    pub fn spc(&self, net: &Channels, centre: usize) -> Vec<(usize, Option<usize>)> {
        let first = self.neighbours(net, centre);
        let mut taken = vec![false; self.count()];
        std::iter::once(&centre).chain(&first).for_each(|&near| taken[near] = true);
        let mut found = vec![(centre, None)];
        for near in first {
            found.push((near, Some(centre)));
            let far = self.neighbours(net, near).into_iter();
            found.extend(far.filter(|&far| !std::mem::replace(&mut taken[far], true)).map(|far| (far, Some(near))));
        }
        found
    }

    /// The tree of RPC of a supernode to one of its routers; none if some of them are not joined.
    pub fn rpc(&self, net: &Channels, supernode: usize, root: u32) -> Option<Tree> {
        Tree::rpc(net, &self.nodes(supernode).collect::<Vec<u32>>(), root)
    }
}
