//! The algorithms of sections 3 and 4: trees of routers, and the slots of their messages.

use crate::id::NodeId;
use crate::topology::{Galaxyfly, Topology};

/// Parents of the routers of a set in RPC(B, m), by place; none of m. B without m is cut into two halves, and the middle of a half collects it.
pub fn rpc(count: usize, m: usize) -> Vec<Option<usize>> {
    let mut parents = vec![None; count];
    collect(&(0..count).collect::<Vec<usize>>(), m, &mut parents);
    parents
}

fn collect(set: &[usize], m: usize, parents: &mut [Option<usize>]) {
    let others: Vec<usize> = set.iter().copied().filter(|&router| router != m).collect();
    let (first, second) = others.split_at(others.len() / 2);
    for half in [first, second] {
        if let Some(&next) = half.get(half.len() / 2) {
            parents[next] = Some(m);
            collect(half, next, parents);
        }
    }
}

/// Supernodes in SPC(U, A): each with the one to which it sends; A first, and each after the one to which it sends.
pub fn spc(net: &Galaxyfly, centre: u32) -> Vec<(u32, Option<u32>)> {
    let galaxy = net.galaxy();
    let mut taken = vec![false; galaxy.supernodes() as usize];
    let first = galaxy.neighbours(centre);
    std::iter::once(&centre).chain(first).for_each(|&near| taken[near as usize] = true);
    let mut found = vec![(centre, None)];
    for &near in first {
        found.push((near, Some(centre)));
        let far = galaxy.neighbours(near).iter().copied();
        found
            .extend(far.filter(|&far| !std::mem::replace(&mut taken[far as usize], true)).map(|far| (far, Some(near))));
    }
    found
}

/// The tree of SFATA, and its times in slots.
pub struct Tree {
    /// Parent of each router in the tree, by router.
    pub parents: Vec<Option<usize>>,
    /// Routers, each after its parent.
    order: Vec<usize>,
}

impl Tree {
    /// The tree to router `root`.
    ///
    /// # Errors
    /// A sentence, if some router is not in it.
    pub fn new(net: &Galaxyfly, root: u32) -> Result<Self, String> {
        let a = net.routers();
        let mut tree = Self { parents: vec![None; net.nodes()], order: Vec::with_capacity(net.nodes()) };
        for (supernode, to) in spc(net, root / a) {
            let gate = match to {
                None => root,
                Some(to) => {
                    let [gate, end] = [(supernode, to), (to, supernode)].map(|(from, to)| net.gateway(from, to));
                    tree.parents[gate.map_or(0, NodeId::index)] = end.map(NodeId::index);
                    gate.map_or(0, NodeId::get)
                }
            };
            let first = (supernode * a) as usize;
            let own = rpc(a as usize, (gate - supernode * a) as usize);
            for (router, parent) in own.iter().enumerate() {
                tree.parents[first + router] = parent.map(|p| first + p).or(tree.parents[first + router]);
            }
        }
        let mut depth: Vec<(usize, usize)> = Vec::with_capacity(net.nodes());
        for router in 0..net.nodes() {
            match tree.depth(router) {
                Some(steps) => depth.push((steps, router)),
                None => return Err(format!("router {router} does not come to the root")),
            }
        }
        depth.sort_unstable();
        tree.order = depth.into_iter().map(|(_, router)| router).collect();
        match tree.parents.iter().position(Option::is_none) == Some(root as usize) {
            true => Ok(tree),
            false => Err("the tree has another root, too".into()),
        }
    }

    /// Routers with their parents, each after its parent.
    pub fn listed(&self) -> Vec<(usize, Option<usize>)> {
        self.order.iter().map(|&router| (router, self.parents[router])).collect()
    }

    /// Hops from a router to the root; none if it is not reached.
    pub fn depth(&self, router: usize) -> Option<usize> {
        let mut way = std::iter::successors(Some(router), |&at| self.parents[at]);
        let steps = way.by_ref().take(self.parents.len()).count();
        way.next().is_none().then(|| steps - 1)
    }

    /// Packets that come from each router and from below.
    pub fn sizes(&self) -> Vec<u32> {
        let mut sizes = vec![1; self.parents.len()];
        for &router in self.order.iter().rev() {
            if let Some(parent) = self.parents[router] {
                sizes[parent] += sizes[router];
            }
        }
        sizes
    }

    /// Slots after which each router has all packets, and the root first of all: MinTime is the least of them, MaxTime the largest.
    pub fn times(&self) -> Vec<u32> {
        let (sizes, nodes) = (self.sizes(), self.parents.len() as u32);
        let mut complete = vec![0; self.parents.len()];
        for &router in self.order.iter().rev() {
            if let Some(parent) = self.parents[router] {
                complete[parent] = complete[parent].max(complete[router] + sizes[router]);
            }
        }
        for &router in &self.order {
            if let Some(parent) = self.parents[router] {
                complete[router] = complete[parent] + nodes;
            }
        }
        complete
    }
}

/// Hops from a router to every other.
pub fn distances(net: &Galaxyfly, from: usize) -> Vec<usize> {
    let mut hops = vec![usize::MAX; net.nodes()];
    hops[from] = 0;
    let mut open = std::collections::VecDeque::from([from]);
    while let Some(router) = open.pop_front() {
        for port in 0..net.ports_of(router.into()) {
            let to = net.neighbour(router.into(), port).index();
            if hops[to] == usize::MAX {
                hops[to] = hops[router] + 1;
                open.push_back(to);
            }
        }
    }
    hops
}
