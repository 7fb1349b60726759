//! Nodes and channels that are excluded from a network, as `exclude_nodes` and `exclude_channels` name them.

use super::{Graph, Topology};
use crate::id::NodeId;
use serde_json::Value;
use std::collections::BTreeSet;

/// Nodes and channels that are excluded.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Exclusion {
    nodes: BTreeSet<u32>,
    channels: BTreeSet<(u32, u32)>,
}

/// Network without its excluded nodes and channels.
#[derive(Debug, Clone)]
pub struct Rest {
    /// Network. Nodes that are excluded keep their place and have no channels.
    pub network: Graph,
    /// Port in the network before exclusion, by node, then by port.
    pub ports: Vec<Vec<usize>>,
    /// Nodes that are left, ascending.
    pub nodes: Vec<NodeId>,
}

impl Exclusion {
    /// Nodes, and all channels from the first to the second node of each pair.
    pub fn new(nodes: impl IntoIterator<Item = u32>, channels: impl IntoIterator<Item = [u32; 2]>) -> Self {
        let channels = channels.into_iter().map(|[src, dst]| (src, dst)).collect();
        Self { nodes: nodes.into_iter().collect(), channels }
    }

    /// Exclusion of a table of the exchange format. None if the entries are no numbers.
    pub fn from_table(table: &Value) -> Option<Self> {
        let list = |key: &str| match table.get(key) {
            None => Some(&[][..]),
            Some(list) => list.as_array().map(Vec::as_slice),
        };
        let number = |value: &Value| value.as_u64().and_then(|number| u32::try_from(number).ok());
        let nodes = list("exclude_nodes")?.iter().map(number).collect::<Option<Vec<_>>>()?;
        let pair = |pair: &Value| match pair.as_array()?.as_slice() {
            [src, dst] => Some([number(src)?, number(dst)?]),
            _ => None,
        };
        let channels = list("exclude_channels")?.iter().map(pair).collect::<Option<Vec<_>>>()?;
        Some(Self::new(nodes, channels))
    }

    /// True if nothing is excluded.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty() && self.channels.is_empty()
    }

    /// True if a node is excluded.
    pub fn has(&self, node: u32) -> bool {
        self.nodes.contains(&node)
    }

    /// True if channels between two nodes are excluded.
    pub fn lacks(&self, src: u32, dst: u32) -> bool {
        self.has(src) || self.has(dst) || self.channels.contains(&(src, dst))
    }

    /// Network without the excluded nodes and channels.
    pub fn apply<T: Topology + ?Sized>(&self, net: &T) -> Rest {
        let kept = |node: NodeId, port: usize| {
            let (src, dst) = (node.get(), net.neighbour(node, port).get());
            src != dst && !self.lacks(src, dst)
        };
        let nodes = || (0..net.nodes()).map(NodeId::from);
        let ports = |node| (0..net.ports_of(node)).filter(|&port| kept(node, port)).collect();
        Rest {
            network: Graph::part(net, kept),
            ports: nodes().map(ports).collect(),
            nodes: nodes().filter(|node| !self.has(node.get())).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::Torus;

    #[test]
    fn nodes_keep_their_places_and_channels_go() {
        let net = Torus::new(vec![2, 3], true);
        let rest = Exclusion::new([1], [[3, 4]]).apply(&net);
        assert_eq!(rest.network.nodes(), 6);
        assert_eq!(rest.nodes.iter().map(|node| node.get()).collect::<Vec<_>>(), [0, 2, 3, 4, 5]);
        assert_eq!(rest.ports, [vec![0, 2], vec![], vec![0, 1], vec![0, 2], vec![1, 2], vec![0, 1, 2]]);
        for (node, ports) in (0..).map(NodeId::new).zip(&rest.ports) {
            for (new, &old) in ports.iter().enumerate() {
                assert_eq!(rest.network.neighbour(node, new), net.neighbour(node, old));
            }
        }
    }

    #[test]
    fn tables_name_numbers() {
        let table = serde_json::json!({ "exclude_nodes": [3], "exclude_channels": [[0, 1]] });
        assert_eq!(Exclusion::from_table(&table), Some(Exclusion::new([3], [[0, 1]])));
        assert_eq!(Exclusion::from_table(&serde_json::json!({ "exclude_nodes": ["a"] })), None);
    }
}
