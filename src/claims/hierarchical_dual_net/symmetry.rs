//! Symmetry, tried by building automorphisms node by node.

use super::super::{Claim, Trial};
use super::nets::{Net, nested, nets, of};
use crate::claims::Sizes;
use std::collections::{BTreeMap, VecDeque};

pub fn claims() -> Vec<Claim> {
    vec![
        Claim::new("node-symmetric", "abstract", "The HDN is node-symmetric.", Trial::over(nets, nodes_alike)).amended(
            "It is where the super-nodes are nested, each SN^i within SN^(i-1).",
            Trial::over(nested, nodes_alike),
        ),
        Claim::new("edge-symmetric", "abstract", "The HDN is edge-symmetric.", Trial::over(nets, edges_alike)).amended(
            "Not where s_k = 1 and B has a cycle of less than 8 links: a cross-edge of level k is on none.",
            Trial::over(of_single_nodes, cycles_differ),
        ),
    ]
}

/// Networks of single nodes at the last level whose base has a cycle of less than 8 links.
fn of_single_nodes(limit: u32) -> Sizes<Net> {
    let mut all = nets(limit).all;
    all.retain(|net| net.net().super_node(net.k()) == 1 && net.net().base_degree() > 1);
    of(all, "s_k = 1, d₀ > 1", limit)
}

/// Network as a list of links by node, with distances.
struct Listed {
    far: Vec<Vec<u32>>,
    hops: Vec<Vec<u32>>,
    /// Nodes in an order in which each but the first is joined to an earlier one, and that one.
    order: Vec<(u32, u32)>,
}

impl Listed {
    fn new(net: &Net) -> Self {
        let far: Vec<Vec<u32>> = (0..net.nodes()).map(|node| net.far(node)).collect();
        let hops = (0..net.nodes()).map(|node| net.net().distances(node)).collect();
        let (mut order, mut seen, mut at) = (vec![(0, 0)], vec![false; far.len()], 0);
        seen[0] = true;
        while let Some(&(node, _)) = order.get(at) {
            at += 1;
            for &to in &far[node as usize] {
                if !std::mem::replace(&mut seen[to as usize], true) {
                    order.push((to, node));
                }
            }
        }
        Self { far, hops, order }
    }

    /// Number of nodes at each distance.
    fn profile(&self, node: usize) -> Vec<usize> {
        let most = self.hops[node].iter().copied().max().unwrap_or(0);
        (0..=most).map(|hops| self.hops[node].iter().filter(|&&h| h == hops).count()).collect()
    }

    /// True if an automorphism takes node 0 to `to`.
    fn takes_first_to(&self, to: u32) -> bool {
        let mut image = vec![u32::MAX; self.far.len()];
        let mut taken = vec![false; self.far.len()];
        (image[0], taken[to as usize]) = (to, true);
        self.extend(1, &mut image, &mut taken)
    }

    fn extend(&self, at: usize, image: &mut [u32], taken: &mut [bool]) -> bool {
        let Some(&(node, before)) = self.order.get(at) else { return true };
        for &candidate in &self.far[image[before as usize] as usize] {
            let fits = |&(earlier, _): &(u32, u32)| {
                self.hops[node as usize][earlier as usize]
                    == self.hops[candidate as usize][image[earlier as usize] as usize]
            };
            if !taken[candidate as usize] && self.order[..at].iter().all(fits) {
                (image[node as usize], taken[candidate as usize]) = (candidate, true);
                if self.extend(at + 1, image, taken) {
                    return true;
                }
                taken[candidate as usize] = false;
            }
        }
        false
    }

    /// Numbers of nodes by their distances from the two ends of a link, whichever end comes first.
    fn link(&self, a: u32, b: u32) -> BTreeMap<(u32, u32), usize> {
        let mut found = BTreeMap::new();
        for (&to_a, &to_b) in self.hops[a as usize].iter().zip(&self.hops[b as usize]) {
            *found.entry((to_a.min(to_b), to_a.max(to_b))).or_default() += 1;
        }
        found
    }
}

fn nodes_alike(net: &Net) -> Result<(), String> {
    let listed = Listed::new(net);
    let first = listed.profile(0);
    for node in 1..net.nodes() {
        let own = listed.profile(node as usize);
        if own != first {
            let hops = (0..own.len().max(first.len())).find(|&hops| own.get(hops) != first.get(hops)).unwrap_or(0);
            let [a, b] = [&first, &own].map(|profile| profile.get(hops).copied().unwrap_or(0));
            return Err(format!("{a} nodes are {hops} hops from node 0, and {b} from node {node}"));
        }
        if !listed.takes_first_to(node) {
            return Err(format!("no automorphism takes node 0 to node {node}"));
        }
    }
    Ok(())
}

fn edges_alike(net: &Net) -> Result<(), String> {
    let listed = Listed::new(net);
    let first = listed.far[0].first().map(|&to| listed.link(0, to)).unwrap_or_default();
    for node in 0..net.nodes() {
        for &to in &listed.far[node as usize] {
            if listed.link(node, to) != first {
                return Err(format!(
                    "nodes are at other distances from the link of {node} and {to} than from that of 0 and {}",
                    listed.far[0][0]
                ));
            }
        }
    }
    Ok(())
}

/// Links of the shortest cycle on which a link is.
fn cycle(net: &Net, a: u32, b: u32) -> u32 {
    let mut hops = vec![u32::MAX; net.nodes() as usize];
    hops[a as usize] = 0;
    let mut open = VecDeque::from([a]);
    while let Some(at) = open.pop_front() {
        for to in net.far(at).into_iter().filter(|&to| (at, to) != (a, b)) {
            if hops[to as usize] == u32::MAX {
                hops[to as usize] = hops[at as usize] + 1;
                open.push_back(to);
            }
        }
    }
    hops[b as usize].saturating_add(1)
}

fn cycles_differ(net: &Net) -> Result<(), String> {
    let (base, cross) = (net.net().base_degree(), net.net().cross_port(net.k()));
    for node in 0..net.nodes() {
        let far = net.far(node);
        let shortest = cycle(net, node, far[cross]);
        if shortest < 8 {
            return Err(format!("the cross-edge of {node} is on a cycle of {shortest} links"));
        }
        if far[..base].iter().all(|&to| cycle(net, node, to) >= 8) {
            return Err(format!("no link of the base at {node} is on a cycle of less than 8 links"));
        }
    }
    Ok(())
}
