//! Parts of a network: nodes that reach each other.

use super::Topology;
use crate::id::NodeId;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};

/// Strongly connected parts of a network that have one of some nodes: within a part, each node reaches each other over channels. By their
/// least node, each ascending; one part if the network is connected.
pub fn parts<T: Topology + ?Sized>(net: &T, nodes: &[NodeId]) -> Vec<Vec<NodeId>> {
    let mut graph = DiGraph::<(), ()>::with_capacity(net.nodes(), net.channels());
    let index: Vec<NodeIndex> = (0..net.nodes()).map(|_| graph.add_node(())).collect();
    for node in (0..net.nodes()).map(NodeId::from) {
        for port in 0..net.ports_of(node) {
            graph.add_edge(index[node.index()], index[net.neighbour(node, port).index()], ());
        }
    }
    let mut wanted = vec![false; net.nodes()];
    nodes.iter().for_each(|node| wanted[node.index()] = true);
    let of = |part: Vec<NodeIndex>| {
        let mut part: Vec<NodeId> = part.into_iter().map(|node| NodeId::from(node.index())).collect();
        part.sort_unstable();
        part
    };
    let mut parts: Vec<Vec<NodeId>> = kosaraju_scc(&graph).into_iter().map(of).collect();
    parts.retain(|part| part.iter().any(|node| wanted[node.index()]));
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
