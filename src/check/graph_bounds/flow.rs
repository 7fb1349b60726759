//! Sets of nodes with few channels around them, found by maximum flow. All words that a node must receive flow to it
//! from their sources; each channel takes as many words as there are cycles. Where the flow does not fit, a minimum cut
//! gives the set. Over all cuts around all nodes this is max |S ∩ sources| / channels out of S. For all-gather it is
//! the bound of ForestColl (Zhao et al., 2024).

use super::subject::Listed;
use petgraph::algo::dinics;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::EdgeRef;

/// Words that a node must receive, by their sources; a combination counts once, at its first source elsewhere. If
/// `sent`: the words that the node sends, by one of their destinations.
fn owed(listed: &Listed<'_>, node: usize, sent: bool) -> Vec<u64> {
    let mut words = vec![0; listed.nodes()];
    for chunk in &listed.subject.demand.chunks {
        let (here, there) = if sent { (&chunk.from, &chunk.to) } else { (&chunk.to, &chunk.from) };
        let alone = !sent && chunk.from.len() == 1 && chunk.from[0].index() == node;
        // of several ends any one must be reached, and a flow to one of them alone would claim too much
        if let [end] = there[..]
            && !alone
            && end.index() != node
            && here.contains(&node.into())
        {
            words[end.index()] += 1;
        }
    }
    words
}

/// Nodes on the side of `node` of a smallest cut, if the words that it receives, or sends, do not all fit into `cycles`
/// cycles.
pub(super) fn tight(listed: &Listed<'_>, node: usize, sent: bool, cycles: u64) -> Option<Vec<bool>> {
    let words = owed(listed, node, sent);
    let total: u64 = words.iter().sum();
    if total == 0 {
        return None;
    }
    let mut graph: DiGraph<(), u64> = DiGraph::with_capacity(listed.nodes() + 1, listed.channels.len());
    let places: Vec<NodeIndex> = (0..listed.nodes()).map(|_| graph.add_node(())).collect();
    let source = graph.add_node(());
    for channel in &listed.channels {
        let ends = if sent { [channel.dst, channel.src] } else { [channel.src, channel.dst] };
        graph.add_edge(places[ends[0]], places[ends[1]], cycles);
    }
    for (&place, &words) in places.iter().zip(&words).filter(|(_, words)| **words > 0) {
        graph.add_edge(source, place, words);
    }
    let (flow, flows) = dinics(&graph, source, places[node]);
    if flow >= total {
        return None;
    }
    // the far side is what the source still reaches over channels with room
    let mut reached = vec![false; graph.node_count()];
    reached[source.index()] = true;
    let mut open = vec![source];
    while let Some(at) = open.pop() {
        let forward =
            graph.edges(at).filter(|edge| flows[edge.id().index()] < *edge.weight()).map(|edge| edge.target());
        let back = graph.edges_directed(at, petgraph::Direction::Incoming);
        let back = back.filter(|edge| flows[edge.id().index()] > 0).map(|edge| edge.source());
        for next in forward.chain(back) {
            if !std::mem::replace(&mut reached[next.index()], true) {
                open.push(next);
            }
        }
    }
    // words enter the side of a node that is owed them, and leave that of one that sends, which is to enter the other
    Some(places.iter().map(|place| reached[place.index()] == sent).collect())
}
