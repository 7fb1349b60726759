//! A problem's network as a list of channels, without loopbacks.

use super::{PortModel, Problem};
use crate::topology::Topology;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Distance of a node that is out of reach.
pub(super) const FAR: u32 = u32::MAX;

/// Channels of a network, in the order of nodes and ports.
#[derive(Debug, Clone)]
pub(super) struct Channels {
    /// Node before each channel.
    pub src: Vec<u32>,
    /// Node behind each channel.
    pub dst: Vec<u32>,
    /// Cycles of a hop, by channel.
    pub latency: Vec<u32>,
    /// Port of the node before each channel.
    pub port: Vec<u32>,
    /// Channels that leave each node, by node.
    pub out: Vec<Vec<u32>>,
    /// Channels that lead to each node, by node.
    pub into: Vec<Vec<u32>>,
    /// True if a node sends and receives one packet a cycle.
    pub one: bool,
}

impl Channels {
    /// The channels of a problem.
    pub fn of(problem: &Problem) -> Self {
        let (net, nodes) = (&problem.net, problem.net.nodes());
        let mut all = Self {
            src: Vec::new(),
            dst: Vec::new(),
            latency: Vec::new(),
            port: Vec::new(),
            out: vec![Vec::new(); nodes],
            into: vec![Vec::new(); nodes],
            one: problem.ports == PortModel::One,
        };
        for node in 0..nodes {
            for port in 0..net.ports_of(node.into()) {
                let to = net.neighbour(node.into(), port).index();
                if to == node {
                    continue;
                }
                let channel = all.src.len() as u32;
                all.out[node].push(channel);
                all.into[to].push(channel);
                all.src.push(node as u32);
                all.dst.push(to as u32);
                all.port.push(port as u32);
                all.latency.push(problem.latency(node.into(), port));
            }
        }
        all
    }

    /// Number of nodes.
    pub fn nodes(&self) -> usize {
        self.out.len()
    }

    /// The first channel from one node to another.
    pub fn channel(&self, from: u32, to: u32) -> Option<u32> {
        self.out[from as usize].iter().copied().find(|&channel| self.dst[channel as usize] == to)
    }

    /// Number of channels.
    pub fn count(&self) -> usize {
        self.src.len()
    }

    /// Channels with source and destination exchanged, under the same numbers.
    pub fn reversed(&self) -> Self {
        let Self { src, dst, latency, port, out, into, one } = self.clone();
        Self { src: dst, dst: src, latency, port, out: into, into: out, one }
    }

    /// Channels with `cycles` more cycles each.
    pub fn longer(mut self, cycles: u32) -> Self {
        self.latency.iter_mut().for_each(|latency| *latency += cycles);
        self
    }

    /// Cycles of the shortest ways from a node, by node; [`FAR`] where there is none.
    pub fn distances(&self, from: u32) -> Vec<u32> {
        let mut best = vec![FAR; self.nodes()];
        best[from as usize] = 0;
        let mut open = BinaryHeap::from([(Reverse(0), from)]);
        while let Some((Reverse(at), node)) = open.pop() {
            if at > best[node as usize] {
                continue;
            }
            for &channel in &self.out[node as usize] {
                let (to, there) = (self.dst[channel as usize], at + self.latency[channel as usize]);
                if there < best[to as usize] {
                    best[to as usize] = there;
                    open.push((Reverse(there), to));
                }
            }
        }
        best
    }
}
