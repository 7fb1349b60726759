//! Groups in networks: classes of channels, one of each at every node, such that a word goes from any node as from any
//! other.
//!
//! Each class is a permutation of the nodes. If two sequences of classes lead from node 0 to one node, they lead to one
//! node from every other node, too. This is verified for all nodes and classes, so classes may be guessed.

use super::channels::{Channels, FAR};
use super::{PortModel, Problem};
use crate::topology::Topology;
use std::collections::VecDeque;

/// Nodes up to which a group is looked for.
const MOST_NODES: usize = 2048;

/// The classes of channels of a network on which a group acts.
#[derive(Debug, Clone)]
pub(super) struct Law {
    /// Node at the end of a class's channel, by class, then by node.
    pub steps: Vec<Vec<u32>>,
    /// Port of a class's channel, by class, then by node.
    pub ports: Vec<Vec<u32>>,
    /// Cycles of a hop, by class.
    pub latency: Vec<u32>,
    /// True if a node sends and receives one packet a cycle.
    pub one: bool,
}

/// Name of a class of channels.
type Name = Vec<u32>;

impl Law {
    /// The classes of a network: ports, differences of labels modulo the sizes of a grid, or exclusive or of node
    /// numbers, whichever hold.
    pub fn of(problem: &Problem) -> Option<Self> {
        let (net, channels) = (&problem.net, Channels::of(problem));
        let nodes = net.nodes();
        if !(2..=MOST_NODES).contains(&nodes) {
            return None;
        }
        let labels: Vec<Vec<u32>> = (0..nodes).map(|node| net.label(node.into())).collect();
        let axes = labels.iter().map(Vec::len).max()?;
        let size = |axis: usize| labels.iter().filter_map(|label| label.get(axis)).max().map_or(1, |most| most + 1);
        let sizes: Vec<u32> = (0..axes).map(size).collect();
        let coordinate = |node: u32, axis: usize| labels[node as usize].get(axis).copied().unwrap_or(0);
        let ends = |channel: u32| (channels.src[channel as usize], channels.dst[channel as usize]);
        let ports = |channel: u32| vec![channels.port[channel as usize]];
        let differences = |channel: u32| {
            let (from, to) = ends(channel);
            (0..axes).map(|axis| (coordinate(to, axis) + sizes[axis] - coordinate(from, axis)) % sizes[axis]).collect()
        };
        let exclusive = |channel: u32| vec![ends(channel).0 ^ ends(channel).1];
        let names: [&dyn Fn(u32) -> Name; 3] = [&ports, &differences, &exclusive];
        let one = problem.ports == PortModel::One;
        names.into_iter().find_map(|name| Self::classes(&channels, name, one).filter(Self::holds))
    }

    /// Classes by name; parallel channels of one name are classes of their own.
    fn classes(net: &Channels, name: &dyn Fn(u32) -> Name, one: bool) -> Option<Self> {
        let named = |node: usize| {
            let mut all: Vec<(Name, u32)> = net.out[node].iter().map(|&channel| (name(channel), channel)).collect();
            all.sort();
            all
        };
        let first = named(0);
        let (mut steps, mut ports) = (vec![Vec::new(); first.len()], vec![Vec::new(); first.len()]);
        let latency: Vec<u32> = first.iter().map(|(_, channel)| net.latency[*channel as usize]).collect();
        for node in 0..net.nodes() {
            let all = named(node);
            let alike = |class: usize| {
                let (name, channel) = &all[class];
                *name == first[class].0 && net.latency[*channel as usize] == latency[class]
            };
            if all.len() != first.len() || !(0..all.len()).all(alike) {
                return None;
            }
            for (class, (_, channel)) in all.iter().enumerate() {
                steps[class].push(net.dst[*channel as usize]);
                ports[class].push(net.port[*channel as usize]);
            }
        }
        Some(Self { steps, ports, latency, one })
    }

    /// True if the classes generate a group that leads from node 0 to each node by one element.
    fn holds(&self) -> bool {
        let nodes = self.nodes();
        // by node: where the element that leads from node 0 to it leads from every node
        let mut elements: Vec<Option<Vec<u32>>> = vec![None; nodes];
        elements[0] = Some((0..nodes as u32).collect());
        let mut open = VecDeque::from([0]);
        while let Some(node) = open.pop_front() {
            for step in &self.steps {
                let Some(element) = &elements[node] else { return false };
                let product: Vec<u32> = element.iter().map(|&at| step[at as usize]).collect();
                let to = step[node] as usize;
                match &elements[to] {
                    Some(known) if *known != product => return false,
                    Some(_) => {}
                    None => {
                        elements[to] = Some(product);
                        open.push_back(to);
                    }
                }
            }
        }
        let mut seen = vec![usize::MAX; nodes];
        // from any node all nodes are reached, each by one element
        elements.iter().all(Option::is_some)
            && (0..nodes).all(|from| {
                elements
                    .iter()
                    .flatten()
                    .all(|element| std::mem::replace(&mut seen[element[from] as usize], from) != from)
            })
    }

    /// Number of nodes.
    pub fn nodes(&self) -> usize {
        self.steps.first().map_or(0, Vec::len)
    }

    /// True if each class is one port at all nodes.
    pub fn by_port(&self) -> bool {
        self.ports.iter().all(|ports| ports.iter().all(|port| *port == ports[0]))
    }

    /// Cycles of the shortest ways to a node, by node.
    pub fn distances_to(&self, to: u32) -> Vec<u32> {
        let mut back: Vec<Vec<(u32, u32)>> = vec![Vec::new(); self.nodes()];
        for (step, &latency) in self.steps.iter().zip(&self.latency) {
            step.iter().enumerate().for_each(|(from, &end)| back[end as usize].push((from as u32, latency)));
        }
        let mut best = vec![FAR; self.nodes()];
        best[to as usize] = 0;
        let mut open = std::collections::BinaryHeap::from([(std::cmp::Reverse(0), to)]);
        while let Some((std::cmp::Reverse(at), node)) = open.pop() {
            for &(from, latency) in &back[node as usize] {
                if at + latency < best[from as usize] {
                    best[from as usize] = at + latency;
                    open.push((std::cmp::Reverse(at + latency), from));
                }
            }
        }
        best
    }
}
