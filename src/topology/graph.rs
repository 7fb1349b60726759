//! Networks that are listed: nodes with labels, and channels from node to node.

use super::Topology;
use crate::id::NodeId;

/// A network as its channels are listed; port p of a node is its p-th channel in the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Graph {
    /// Name of the topology.
    name: &'static str,
    labels: Vec<Vec<u32>>,
    /// Name of each node, by node, where nodes are labelled by names.
    names: Vec<String>,
    /// Far ends of each node's channels, by node, then by port.
    ends: Vec<Vec<NodeId>>,
    /// Class of the channel, by node, then by port.
    classes: Vec<Vec<usize>>,
    ports: usize,
    /// Media, ascending.
    media: Vec<NodeId>,
    /// Name before a node's coordinates, by node, where nodes are of several kinds.
    tags: Vec<&'static str>,
}

/// Error of a list of channels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("channel {channel} leads from node {src} to node {dst}, and there are {nodes} nodes")]
pub struct NoSuchNode {
    /// Position in the list.
    pub channel: usize,
    /// Node at the start of the channel.
    pub src: u32,
    /// Node at the end of the channel.
    pub dst: u32,
    /// Number of nodes.
    pub nodes: usize,
}

impl Graph {
    /// The network of nodes with these labels and channels with these two ends.
    ///
    /// # Errors
    /// [`NoSuchNode`].
    pub fn new(labels: Vec<Vec<u32>>, channels: &[(u32, u32)]) -> Result<Self, NoSuchNode> {
        let nodes = labels.len();
        let mut ends = vec![Vec::new(); nodes];
        for (channel, &(src, dst)) in channels.iter().enumerate() {
            if src as usize >= nodes || dst as usize >= nodes {
                return Err(NoSuchNode { channel, src, dst, nodes });
            }
            ends[src as usize].push(NodeId::new(dst));
        }
        let ports = ends.iter().map(Vec::len).max().unwrap_or(0);
        let classes = ends.iter().map(|ends| vec![0; ends.len()]).collect();
        let (names, media, tags) = (Vec::new(), Vec::new(), Vec::new());
        Ok(Self { name: "graph", labels, names, ends, classes, ports, media, tags })
    }

    /// The network of nodes with these names, all different, and channels with these two ends.
    ///
    /// # Errors
    /// [`NoSuchNode`].
    pub fn named(names: Vec<String>, channels: &[(u32, u32)]) -> Result<Self, NoSuchNode> {
        let labels = (0..names.len() as u32).map(|node| vec![node]).collect();
        Ok(Self { names, ..Self::new(labels, channels)? })
    }

    /// The network `net` as a list.
    pub fn of<T: Topology + ?Sized>(net: &T) -> Self {
        Self::part(net, |_, _| true)
    }

    /// The network `net` without the channels for which `kept` is false, as a list; ports are numbered anew. All nodes keep their places.
    pub fn part<T: Topology + ?Sized>(net: &T, kept: impl Fn(NodeId, usize) -> bool + Copy) -> Self {
        let nodes = || (0..net.nodes()).map(NodeId::from);
        let ports = |node| (0..net.ports_of(node)).filter(move |&port| kept(node, port));
        let far = |node| ports(node).map(|port| net.neighbour(node, port)).collect();
        let class = |node| ports(node).map(|port| net.channel_class(node, port)).collect();
        let ends: Vec<Vec<NodeId>> = nodes().map(far).collect();
        let classes = nodes().map(class).collect();
        let ports = ends.iter().map(Vec::len).max().unwrap_or(0);
        let labels = nodes().map(|node| net.label(node)).collect();
        let names: Vec<String> = nodes().filter_map(|node| net.name_of(node)).map(str::to_owned).collect();
        let media = nodes().filter(|&node| net.is_medium(node)).collect();
        let tags = nodes().filter_map(|node| net.tag(node)).collect();
        Self { name: net.name(), labels, names, ends, classes, ports, media, tags }
    }

    /// The network in which these nodes, ascending, are media.
    pub fn with_media(self, media: Vec<NodeId>) -> Self {
        Self { media, ..self }
    }

    /// Most channels that lead to one node.
    pub fn most_inputs(&self) -> usize {
        let mut inputs = vec![0; self.ends.len()];
        self.ends.iter().flatten().for_each(|to| inputs[to.index()] += 1);
        inputs.into_iter().max().unwrap_or(0)
    }

    /// The node and the port of every channel, in the order of the list that the graph was made from.
    pub fn ports_of_list(channels: &[(u32, u32)]) -> Vec<(NodeId, u32)> {
        let nodes = channels.iter().map(|&(src, _)| src as usize + 1).max().unwrap_or(0);
        let mut next = vec![0; nodes];
        let port = |&(src, _): &(u32, u32)| {
            let port = &mut next[src as usize];
            *port += 1;
            (NodeId::new(src), *port - 1)
        };
        channels.iter().map(port).collect()
    }
}

impl Topology for Graph {
    fn name(&self) -> &'static str {
        self.name
    }

    fn nodes(&self) -> usize {
        self.labels.len()
    }

    fn ports(&self) -> usize {
        self.ports
    }

    fn ports_of(&self, node: NodeId) -> usize {
        self.ends[node.index()].len()
    }

    fn is_medium(&self, node: NodeId) -> bool {
        self.media.binary_search(&node).is_ok()
    }

    fn tag(&self, node: NodeId) -> Option<&'static str> {
        self.tags.get(node.index()).copied()
    }

    fn label(&self, node: NodeId) -> Vec<u32> {
        self.labels[node.index()].clone()
    }

    fn name_of(&self, node: NodeId) -> Option<&str> {
        self.names.get(node.index()).map(String::as_str)
    }

    fn neighbour(&self, node: NodeId, port: usize) -> NodeId {
        self.ends[node.index()][port]
    }

    fn port_name(&self, port: usize) -> String {
        port.to_string()
    }

    fn channel_class(&self, node: NodeId, port: usize) -> usize {
        self.classes[node.index()][port]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ports_follow_the_list() {
        let channels = [(0, 1), (2, 0), (0, 2), (2, 0)];
        let net = Graph::new(vec![vec![0], vec![1], vec![2]], &channels).expect("three nodes");
        let found = Graph::ports_of_list(&channels);
        for (&(src, dst), &(node, port)) in channels.iter().zip(&found) {
            assert_eq!((node.get(), net.neighbour(node, port as usize).get()), (src, dst));
        }
        assert_eq!(found.iter().map(|&(_, port)| port).collect::<Vec<_>>(), [0, 0, 1, 1]);
        let error = Graph::new(vec![vec![0]], &[(0, 0), (0, 1)]).unwrap_err();
        assert_eq!(error.to_string(), "channel 1 leads from node 0 to node 1, and there are 1 nodes");
    }
}
