//! Ways between nodes: Algorithm 1 of the paper, and shortest ones.

use super::{HierarchicalDualNet, Index};
use crate::id::NodeId;
use crate::topology::Topology;
use std::collections::VecDeque;

impl HierarchicalDualNet {
    /// Nodes from one node to another by Algorithm 1 as it is printed, both ends included. Cases 2 and 3 are those of its listing.
    pub fn algorithm_1(&self, from: u32, to: u32) -> Vec<u32> {
        let mut way = vec![from];
        self.route(self.level_count(), to, &mut way);
        way
    }

    /// Goes on from the last node of a way to one in the same network of a level.
    fn route(&self, level: usize, to: u32, way: &mut Vec<u32>) {
        let from = way[way.len() - 1];
        if level == 0 {
            return self.along_base(to, way);
        }
        let first = to - to % self.sizes[level];
        let [u, v] = [from, to].map(|node| self.index(level, node));
        if (u.class, u.cluster) == (v.class, v.cluster) {
            self.route(level - 1, to, way);
        } else if u.class != v.class {
            // to the super-node that is joined to v's cluster, at u's place, and from the other side back from v at v's place
            let near = first + self.node(level, Index { super_node: v.cluster, ..u });
            let far = first + self.node(level, Index { super_node: u.cluster, ..v });
            self.route(level - 1, near, way);
            way.push(self.cross(level, near));
            self.along_base(far, way);
            let mut back = vec![to];
            self.route(level - 1, far, &mut back);
            way.extend(back.into_iter().rev().skip(1));
        } else {
            way.push(self.cross(level, from));
            self.route(level, to, way);
        }
    }

    /// Goes on to a node of the same base, factor by factor.
    fn along_base(&self, to: u32, way: &mut Vec<u32>) {
        let mut at = way[way.len() - 1];
        while let Some(port) = self.toward(at, to) {
            at = self.neighbour(NodeId::new(at), port).get();
            way.push(at);
        }
    }

    /// Hops from a node to all.
    pub fn distances(&self, from: u32) -> Vec<u32> {
        let mut hops = vec![u32::MAX; self.nodes()];
        hops[from as usize] = 0;
        let mut open = VecDeque::from([from]);
        while let Some(at) = open.pop_front() {
            for port in 0..self.ports() {
                let to = self.neighbour(NodeId::new(at), port).get();
                if hops[to as usize] == u32::MAX {
                    hops[to as usize] = hops[at as usize] + 1;
                    open.push_back(to);
                }
            }
        }
        hops
    }

    /// Nodes of a shortest way from one node to another, both ends included: that of the lowest ports.
    pub fn shortest(&self, from: u32, to: u32) -> Vec<u32> {
        let hops = self.distances(to);
        let mut way = vec![from];
        let mut at = from;
        while at != to {
            let ends = (0..self.ports()).map(|port| self.neighbour(NodeId::new(at), port).get());
            let Some(next) = ends.into_iter().find(|&end| hops[end as usize] < hops[at as usize]) else { break };
            at = next;
            way.push(at);
        }
        way
    }

    /// Most hops of the shortest ways between any two nodes.
    pub fn diameter(&self) -> u32 {
        let farthest = |from: u32| self.distances(from).into_iter().max().unwrap_or(0);
        (0..self.nodes() as u32).map(farthest).max().unwrap_or(0)
    }
}
