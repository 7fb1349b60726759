//! Laws of routes: when the program of one node stands for all.
//!
//! Let the nodes be numbered by coordinates, lexicographically, and let ⊕ add two nodes coordinate by coordinate, each
//! modulo its length or by exclusive or. A network has a [`RouteLaw`] if every port leads from every node x to σ(x) ⊕
//! g. Here σ exchanges coordinates that are alike, and g is the same for all nodes. So does every path of ports then:
//! it leads from x to σ(x) ⊕ e, where e is its end from node 0. Hence every path is a permutation of the nodes, and
//! paths of one σ with different ends from node 0 lead from every node to different ones.
//!
//! | network | ⊕ | ports |
//! |---|---|---|
//! | torus, ring | modulo | g = ±1 in one coordinate |
//! | complete, cyclic | modulo | g = 1 … n-1 |
//! | hypercube, symmetric fat cube | exclusive or | g of any bits |
//! | D3(K,M) | either | local: g = (0,0,x); global: g = (γ,0,0), σ exchanges d and p |
//!
//! Coordinates are the labels of the nodes; the law is read off a few nodes and then compared with all of them, port by port.

use crate::id::NodeId;
use crate::program::{Program, Switching, Who};
use crate::topology::Topology;
use rayon::prelude::*;
use std::collections::BTreeSet;

/// A coordinate of the group of nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Digit {
    size: u32,
    xor: bool,
}

impl Digit {
    fn add(self, a: u32, b: u32) -> u32 {
        match self.xor {
            true => a ^ b,
            false if a + b < self.size => a + b,
            false => a + b - self.size,
        }
    }
}

/// Permutation of the nodes: coordinate i of the end is coordinate `turn[i]` of the start, plus `plus[i]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// Source coordinate of each coordinate, σ as a list; by coordinate.
    pub turn: Vec<usize>,
    /// Summand of each coordinate: the coordinates of the path's end from node 0; by coordinate.
    pub plus: Vec<u32>,
}

/// A law of routes that has been verified at every node and port. Made by [`RouteLaw::of`] alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RouteLaw {
    digits: Vec<Digit>,
    ports: Vec<Step>,
}

/// The first node and port against which a network fails a law.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("port {port} of node {at} {reason}", at = crate::topology::Coordinates(at))]
pub struct LawFault {
    /// Coordinates of the node.
    pub at: Vec<u32>,
    /// The port, by its name in the field.
    pub port: String,
    /// Difference: found and expected.
    pub reason: String,
}

impl RouteLaw {
    /// The law of a network, verified for all nodes and ports.
    ///
    /// # Errors
    /// [`LawFault`] with the first node and port that a law of sums modulo the lengths does not fit, if no other fits either.
    pub fn of<T: Topology + Sync + ?Sized>(net: &T) -> Result<Self, LawFault> {
        let origin = net.label(NodeId::new(0));
        let mut sizes = vec![1_u32; origin.len()];
        for node in (0..net.nodes()).map(NodeId::from) {
            sizes.iter_mut().zip(net.label(node)).for_each(|(size, at)| *size = at.saturating_add(1).max(*size));
        }
        let product = sizes.iter().try_fold(1_u64, |product, &size| product.checked_mul(size.into()));
        if product != Some(net.nodes() as u64) {
            let reason = "is one of a network whose labels are no coordinates of all its nodes".into();
            return Err(LawFault { at: origin, port: "0".into(), reason });
        }
        let free: Vec<usize> = (0..sizes.len()).filter(|&i| sizes[i] > 2 && sizes[i].is_power_of_two()).collect();
        let kinds = |mask: u32| (0..sizes.len()).map(move |i| mask >> i & 1 == 1);
        // all sums, all exclusive or, then all mixtures of a few coordinates
        let all = free.iter().fold(0, |mask, &i| mask | 1 << (i % 32));
        let masks = [0, all].into_iter().chain(if free.len() > 6 { 0..0 } else { 1..1 << free.len().min(6) }.map(
            |set: u32| {
                (0..).zip(&free).filter(|(bit, _)| set >> bit & 1 == 1).fold(0, |mask, (_, &i)| mask | 1 << (i % 32))
            },
        ));
        let mut first: Option<(bool, LawFault)> = None;
        for mask in masks {
            let digits = sizes.iter().zip(kinds(mask)).map(|(&size, xor)| Digit { size, xor }).collect();
            match Self::verified(net, digits) {
                Ok(law) => return Ok(law),
                // a law that fits some nodes says more than one that fits none
                Err((read, fault)) => first = first.filter(|&(before, _)| before || !read).or(Some((read, fault))),
            }
        }
        let none = || LawFault { at: origin, port: "0".into(), reason: "is not there".into() };
        Err(first.map_or_else(none, |(_, fault)| fault))
    }

    /// Step of a port.
    pub fn step(&self, port: usize) -> &Step {
        &self.ports[port]
    }

    fn verified<T: Topology + Sync + ?Sized>(net: &T, digits: Vec<Digit>) -> Result<Self, (bool, LawFault)> {
        let mut law = Self { digits, ports: Vec::new() };
        let fault = |node: NodeId, port: usize, reason: String| {
            let port = if port < net.ports_of(node) { net.port_name(port) } else { port.to_string() };
            LawFault { at: net.label(node), port, reason }
        };
        for port in 0..net.ports() {
            let step = law.read(net, port);
            law.ports.push(step.map_err(|(node, reason)| (false, fault(node, port, reason)))?);
        }
        let broken = (0..net.nodes()).into_par_iter().map(NodeId::from).find_map_first(|node| {
            let at = law.coordinates(node);
            if net.label(node) != at || net.ports_of(node) != net.ports() {
                return Some(fault(
                    node,
                    0,
                    format!("belongs to a node whose number is not {}, or with other ports", node),
                ));
            }
            law.ports.iter().enumerate().find_map(|(port, step)| {
                let (end, wanted) = (net.neighbour(node, port), law.node(law.applied(step, &at)));
                let reason = || format!("leads to {} instead of {}", label(net, end), label(net, wanted));
                (end != wanted).then(|| fault(node, port, reason()))
            })
        });
        broken.map_or(Ok(law), |fault| Err((true, fault)))
    }

    /// The step of a port, from its ends at node 0 and at the nodes with one coordinate 1.
    fn read<T: Topology + ?Sized>(&self, net: &T, port: usize) -> Result<Step, (NodeId, String)> {
        let end = |node: NodeId| match net.ports_of(node) > port {
            true => Ok(net.label(net.neighbour(node, port))),
            false => Err((node, "is not there".to_owned())),
        };
        let count = self.digits.len();
        let plus = end(NodeId::new(0))?;
        if plus.len() != count {
            return Err((NodeId::new(0), "leads to a node with other coordinates".into()));
        }
        let mut turn: Vec<usize> = (0..count).collect();
        for from in (0..count).filter(|&i| self.digits[i].size > 1) {
            let unit: Vec<u32> = (0..count).map(|i| u32::from(i == from)).collect();
            let node = self.node(unit.iter().copied());
            let found = end(node)?;
            let alike = |&to: &usize| {
                let moved = |i: usize| self.digits[i].add(plus[i], u32::from(i == to));
                self.digits[to] == self.digits[from] && (0..count).all(|i| found.get(i) == Some(&moved(i)))
            };
            let to = (0..count).find(alike);
            turn[to.ok_or_else(|| (node, "leads where no sum of coordinates does".to_owned()))?] = from;
        }
        let once: BTreeSet<usize> = turn.iter().copied().collect();
        match once.len() == count {
            true => Ok(Step { turn, plus }),
            false => Err((NodeId::new(0), "leads from two nodes to one".to_owned())),
        }
    }

    fn applied<'s>(&'s self, step: &'s Step, at: &'s [u32]) -> impl Iterator<Item = u32> + 's {
        let digits = self.digits.iter().zip(&step.turn).zip(&step.plus);
        digits.map(|((digit, &from), &plus)| digit.add(at[from], plus))
    }

    fn coordinates(&self, node: NodeId) -> Vec<u32> {
        let mut rest = node.get();
        let mut at = vec![0; self.digits.len()];
        for (digit, at) in self.digits.iter().zip(&mut at).rev() {
            *at = rest % digit.size;
            rest /= digit.size;
        }
        at
    }

    fn node(&self, at: impl Iterator<Item = u32>) -> NodeId {
        NodeId::new(self.digits.iter().zip(at).fold(0, |node, (digit, at)| node * digit.size + at))
    }

    /// Step of a path of ports, one after the other.
    pub fn path(&self, ports: &[u32]) -> Step {
        let count = self.digits.len();
        let start = Step { turn: (0..count).collect(), plus: vec![0; count] };
        ports.iter().fold(start, |path, &port| {
            let next = &self.ports[port as usize];
            Step {
                turn: next.turn.iter().map(|&i| path.turn[i]).collect(),
                plus: self.applied(next, &path.plus).collect(),
            }
        })
    }
}

/// True if every move is one of every node, and every port that is used is a permutation of the nodes that takes all of them the same
/// time. Visits all nodes.
pub fn is_alike<T: Topology + Sync + ?Sized>(net: &T, program: &Program) -> bool {
    if program.moves.iter().any(|m| m.who != Who::Every) || program.switching == Switching::Circuit {
        return false;
    }
    let ports: BTreeSet<u32> =
        program.hops.iter().map(|hop| hop.port).filter(|&port| (port as usize) < net.ports()).collect();
    ports.into_par_iter().all(|port| {
        let latency = program.switching.latency(net, NodeId::new(0), port);
        let mut hit = vec![0_u64; net.nodes().div_ceil(64)];
        (0..net.nodes()).map(NodeId::from).all(|node| {
            if port as usize >= net.ports_of(node) || program.switching.latency(net, node, port) != latency {
                return false;
            }
            let end = net.neighbour(node, port as usize).index();
            let (word, bit) = (&mut hit[end / 64], 1 << (end % 64));
            std::mem::replace(word, *word | bit) & bit == 0
        })
    })
}

/// A node in words.
pub fn label<T: Topology + ?Sized>(net: &T, node: NodeId) -> String {
    net.title(node)
}
