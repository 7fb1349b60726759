//! Arrangement of a hierarchical dual-net: classes face each other, level by level.

use super::{Factor, HierarchicalDualNet};
use crate::topology::Topology;
use crate::topology::arrangement::{Arrangement, Shape};

/// Names of the links of levels; higher ones have the last.
const LEVELS: &[&str] =
    &["cross edges", "cross edges of level 2", "cross edges of level 3", "cross edges of higher levels"];

/// Name of the links in a super-node.
const IN_SUPER_NODE: &str = "in a super-node";

/// Most clusters below each other.
const MOST_BELOW: u32 = 16;

impl HierarchicalDualNet {
    /// Classes, clusters and super-nodes.
    pub(super) fn arranged(&self) -> Arrangement {
        match self.levels.len() {
            0 => self.product(&(0..self.base.len()).collect::<Vec<_>>(), "links of the base", &Arrangement::Node),
            levels => self.level(levels, 0),
        }
    }

    /// The network of a level whose nodes begin with this one.
    fn level(&self, level: usize, first: u32) -> Arrangement {
        let Some(below) = level.checked_sub(1) else { return self.cluster(first) };
        let (clusters, size) = (self.clusters(level), self.sizes[below]);
        // classes are beside each other at odd levels, below each other at even ones
        let (shape, columns) = match level % 2 {
            1 => (Shape::Beside, clusters.div_ceil(MOST_BELOW)),
            _ => (Shape::Below, clusters.isqrt()),
        };
        let links = LEVELS[below.min(LEVELS.len() - 1)];
        let class = |class: u32| {
            let cluster = |cluster: u32| {
                let first = first + (class * clusters + cluster) * size;
                // named, for that is framed
                let inner = Arrangement::group(Shape::Grid { columns: 1 }, links, vec![self.level(below, first)]);
                inner.titled(format!("cluster {cluster}"))
            };
            let grid = Shape::Grid { columns: columns as usize };
            Arrangement::group(grid, links, (0..clusters).map(cluster).collect()).titled(format!("class {class}"))
        };
        Arrangement::group(shape, links, vec![class(0), class(1)])
    }

    /// A copy of the base, super-node of level 1 by super-node.
    fn cluster(&self, first: u32) -> Arrangement {
        let inside = &self.levels[0];
        let outside: Vec<usize> = (0..self.base.len()).filter(|factor| !inside.contains(factor)).collect();
        self.product(&outside, "between super-nodes of a cluster", &|super_node| match inside.is_empty() {
            true => Arrangement::Node(first + super_node),
            false => {
                let place = |place| Arrangement::Node(first + self.join(1, (super_node, place)));
                self.product(inside, IN_SUPER_NODE, &place).titled(format!("SN {super_node}"))
            }
        })
    }

    /// Parts at the coordinates of some factors, in lexicographic order.
    fn product(&self, factors: &[usize], links: &'static str, part: &dyn Fn(u32) -> Arrangement) -> Arrangement {
        let dims: Vec<u32> = factors.iter().map(|&factor| self.dims[factor]).collect();
        let parts: Vec<Arrangement> = (0..dims.iter().product()).map(part).collect();
        let columns = if links == IN_SUPER_NODE { 1 } else { 2 };
        let is_cube = |&factor: &usize| self.dims[factor] == 2 || matches!(self.base[factor], Factor::Hypercube(_));
        match factors {
            // super-nodes are beside each other, and their nodes below each other
            [factor] if self.dims[*factor] == 2 => Arrangement::group(Shape::Grid { columns }, links, parts),
            _ if factors.iter().all(is_cube) => Arrangement::group(Shape::Cube, links, parts),
            [_] => Arrangement::group(Shape::Ring, links, parts),
            _ => Arrangement::lattice(&dims, [links; 2], parts),
        }
    }

    /// The drawing in words.
    pub(super) fn caption(&self) -> String {
        let Some(level) = self.levels.len().checked_sub(1).map(|level| level + 1) else {
            return format!("The base, a product of {} factors.", self.base.len());
        };
        let (q, s) = (self.clusters(level), self.super_node(level));
        let levels = match level {
            1 => String::new(),
            _ => format!("A cluster is a dual-net of level {}, drawn alike. ", level - 1),
        };
        let one = if self.super_node(1) == 1 { " Super-nodes of level 1 are single nodes." } else { "" };
        format!(
            "{} nodes in 2 classes of {q} clusters of {} nodes; a cluster has {q} super-nodes of {s}. {levels}Super-node v of cluster u is \
             joined, node by node, to super-node u of cluster v of the other class. Frames SN are super-nodes of level 1.{one}",
            self.nodes(),
            self.sizes[level - 1]
        )
    }
}
