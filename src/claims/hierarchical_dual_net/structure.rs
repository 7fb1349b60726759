//! Sections 1 and 2: numbers of nodes and links, and diameters.

use super::super::{Claim, Trial};
use super::nets::{Net, nets, parted};
use std::collections::BTreeSet;

pub fn claims() -> Vec<Claim> {
    vec![
        Claim::new(
            "nodes",
            "abstract, Theorem 1",
            "HDN(B,k,S) has (2n₀)^(2^k) / (2·s₁·…·s_k) nodes.",
            Trial::over(nets, |net| equal(net, |_| 1)),
        )
        .amended(
            "It has (2n₀)^(2^k) / (2·∏ s_i^(2^(k-i))) nodes: a super-node of level i divides the number of every level above it again.",
            Trial::over(nets, |net| equal(net, |above| 1 << above)),
        ),
        Claim::new(
            "nodes-recurrence",
            "section 2",
            "N_i = 2·N_(i-1)²/s_i: each class has N_(i-1)/s_i clusters, as many as a cluster has super-nodes.",
            Trial::over(nets, recurrence),
        ),
        Claim::new(
            "cross-edges",
            "section 2",
            "A cross-edge joins (C,U,SN,N) and (C̄,SN,U,N): each node has one a level, to a distinct cluster of the other class for each super-node.",
            Trial::over(nets, cross_edges),
        ),
        Claim::new("degree", "Theorem 1", "Every node has d₀ + k links.", Trial::over(nets, degree)),
        Claim::new(
            "diameter",
            "Theorem 1",
            "The diameter is 2^k·D(B) - Σ 2^j·D(SN^(k-j)) + 2^(k+1) - 2.",
            Trial::over(nets, |net| diameter(net, u32::eq)),
        )
        .amended(
            "It is, where no super-node is the whole base.",
            Trial::over(parted, |net| diameter(net, u32::eq)),
        ),
        Claim::new(
            "diameter-bound",
            "Theorem 1",
            "The diameter is at most 2^k·D(B) - Σ 2^j·D(SN^(k-j)) + 2^(k+1) - 2.",
            Trial::over(nets, |net| diameter(net, u32::le)),
        ),
        Claim::new(
            "quotient-diameter",
            "section 2",
            "The quotient of HDN(B,i-1,S) by SN^i has the diameter D_(i-1) - D(SN^i).",
            Trial::over(nets, quotient),
        )
        .amended(
            "At level 1 it has; at any level it has at most D_(i-1).",
            Trial::over(nets, quotient_at_most),
        ),
    ]
}

/// The number of nodes is (2n₀)^(2^k) over twice the product of the s, each to the power of `exponent` of the levels above it.
fn equal(net: &Net, exponent: fn(usize) -> u32) -> Result<(), String> {
    let (k, hdn) = (net.k(), net.net());
    let divisor: u128 = (1..=k).map(|level| u128::from(hdn.super_node(level)).pow(exponent(k - level))).product();
    let formula = (2 * u128::from(hdn.size(0))).pow(1 << k) as f64 / (2 * divisor) as f64;
    if formula == f64::from(net.nodes()) {
        return Ok(());
    }
    Err(format!("{formula} nodes by the formula, and {} when it is built", net.nodes()))
}

fn recurrence(net: &Net) -> Result<(), String> {
    let hdn = net.net();
    for level in 1..=net.k() {
        let (below, s) = (hdn.size(level - 1), hdn.super_node(level));
        // clusters and super-nodes as the indices of all nodes name them
        let indices = (0..hdn.size(level)).map(|node| hdn.index(level, node));
        let mut clusters = BTreeSet::new();
        let mut super_nodes = BTreeSet::new();
        indices.for_each(|index| {
            clusters.insert((index.class, index.cluster));
            super_nodes.insert(index.super_node);
        });
        let count = super_nodes.len() as u32;
        if clusters.len() as u32 != 2 * count || count * s != below || hdn.size(level) != 2 * count * below {
            return Err(format!("level {level} has {} clusters of {count} super-nodes", clusters.len()));
        }
    }
    Ok(())
}

fn cross_edges(net: &Net) -> Result<(), String> {
    let hdn = net.net();
    for level in 1..=net.k() {
        for node in 0..net.nodes() {
            let far = hdn.cross(level, node);
            let (here, there) = (hdn.index(level, node), hdn.index(level, far));
            let turned = (1 - here.class, here.super_node, here.cluster, here.place);
            if (there.class, there.cluster, there.super_node, there.place) != turned || hdn.cross(level, far) != node {
                return Err(format!("the cross-edge of level {level} of node {node} leads to {there:?}"));
            }
        }
    }
    Ok(())
}

fn degree(net: &Net) -> Result<(), String> {
    let wanted = net.net().base_degree() + net.k();
    for node in 0..net.nodes() {
        let links: BTreeSet<u32> = net.far(node).into_iter().filter(|&to| to != node).collect();
        if links.len() != wanted {
            return Err(format!("node {node} has {} links, not {wanted}", links.len()));
        }
    }
    Ok(())
}

fn diameter(net: &Net, holds: fn(&u32, &u32) -> bool) -> Result<(), String> {
    let (found, formula) = (net.net().diameter(), net.formula());
    if holds(&found, &formula) { Ok(()) } else { Err(format!("the diameter is {found}, not {formula}")) }
}

/// Diameters of the network below a level, and of its quotient by the super-nodes of the level.
fn below(net: &Net, level: usize) -> (u32, u32) {
    let hdn = net.net();
    // the first network of the level below: its nodes reach each other over links of lower levels
    let size = hdn.size(level - 1);
    let far = |node: u32| net.far(node).into_iter().take(hdn.base_degree() + level - 1);
    let walk = |cost: &dyn Fn(u32, u32) -> u32| {
        let mut most = 0;
        for from in 0..size {
            let mut hops = vec![u32::MAX; size as usize];
            hops[from as usize] = 0;
            let mut open = std::collections::VecDeque::from([from]);
            while let Some(at) = open.pop_front() {
                for to in far(at) {
                    let there = hops[at as usize] + cost(at, to);
                    if there < hops[to as usize] {
                        hops[to as usize] = there;
                        if there == hops[at as usize] { open.push_front(to) } else { open.push_back(to) }
                    }
                }
            }
            most = most.max(hops.into_iter().max().unwrap_or(0));
        }
        most
    };
    (walk(&|_, _| 1), walk(&|a, b| u32::from(hdn.split(level, a).0 != hdn.split(level, b).0)))
}

fn quotient(net: &Net) -> Result<(), String> {
    for level in 1..=net.k() {
        let ((whole, found), within) = (below(net, level), net.across_super_node(level));
        if whole != found + within {
            return Err(format!("the quotient of level {level} has diameter {found}, not {whole} - {within}"));
        }
    }
    Ok(())
}

fn quotient_at_most(net: &Net) -> Result<(), String> {
    for level in 1..=net.k() {
        let ((whole, found), within) = (below(net, level), net.across_super_node(level));
        if found > whole || level == 1 && whole != found + within {
            return Err(format!("the quotient of level {level} has diameter {found}, and the whole {whole}"));
        }
    }
    Ok(())
}
