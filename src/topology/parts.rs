//! Parts of a network: nodes that reach each other.

use super::Topology;
use crate::id::NodeId;

/// Strongly connected parts of some nodes of a network: within one, each reaches each other over channels. By their least node, each
/// ascending; one part if the network is connected.
pub fn parts<T: Topology + ?Sized>(net: &T, nodes: &[NodeId]) -> Vec<Vec<NodeId>> {
    let count = net.nodes();
    let mut ahead = vec![Vec::new(); count];
    let mut back = vec![Vec::new(); count];
    for node in (0..count).map(NodeId::from) {
        for port in 0..net.ports_of(node) {
            let to = net.neighbour(node, port);
            ahead[node.index()].push(to);
            back[to.index()].push(node);
        }
    }
    // Kosaraju: in the reverse order in which a search leaves them, nodes find their part against the channels
    let mut left = Vec::with_capacity(count);
    let mut seen = vec![false; count];
    for &root in nodes {
        if std::mem::replace(&mut seen[root.index()], true) {
            continue;
        }
        let mut path = vec![(root, 0)];
        while let Some((node, next)) = path.last_mut() {
            let node = *node;
            match ahead[node.index()].get(*next) {
                None => {
                    left.push(node);
                    path.pop();
                }
                Some(&to) => {
                    *next += 1;
                    if !std::mem::replace(&mut seen[to.index()], true) {
                        path.push((to, 0));
                    }
                }
            }
        }
    }
    let mut found = vec![false; count];
    let mut parts = Vec::new();
    for &root in left.iter().rev() {
        if std::mem::replace(&mut found[root.index()], true) {
            continue;
        }
        let (mut part, mut at) = (vec![root], 0);
        while let Some(&node) = part.get(at) {
            at += 1;
            for &before in &back[node.index()] {
                if !std::mem::replace(&mut found[before.index()], true) {
                    part.push(before);
                }
            }
        }
        part.sort_unstable();
        parts.push(part);
    }
    parts.sort_unstable();
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::{Exclusion, Graph, Torus};

    #[test]
    fn parts_are_those_that_reach_each_other() {
        let of = |channels: &[(u32, u32)]| {
            let net = Graph::new((0..5).map(|node| vec![node]).collect(), channels).expect("five nodes");
            let all: Vec<NodeId> = (0..5).map(NodeId::new).collect();
            parts(&net, &all)
                .into_iter()
                .map(|part| part.iter().map(|node| node.get()).collect())
                .collect::<Vec<Vec<u32>>>()
        };
        assert_eq!(of(&[(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 3)]), [vec![0, 1, 2], vec![3, 4]]);
        assert_eq!(of(&[(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)]), [vec![0, 1, 2, 3, 4]]);
        let torus = Torus::new(vec![4], true);
        let rest = Exclusion::new([0, 2], []).apply(&torus);
        assert_eq!(parts(&rest.network, &rest.nodes).len(), 2);
    }
}
