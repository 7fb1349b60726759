//! Section 3: Algorithm 1, between all pairs of nodes.

use super::super::{Claim, Sizes, Trial};
use super::nets::{Net, all, nested, nets, of};

pub fn claims() -> Vec<Claim> {
    vec![
        Claim::new(
            "algorithm-1",
            "Algorithm 1, Theorem 2",
            "The algorithm finds a way between any two nodes.",
            Trial::over(nets, ways),
        ),
        Claim::new("algorithm-1-shortest", "section 3", "The way is a shortest one.", Trial::over(nets, shortest)).amended(
            "It is where the super-nodes are nested, each SN^i within SN^(i-1), and none is the whole base.",
            Trial::over(nested_and_parted, shortest),
        ),
        Claim::new(
            "routing-steps",
            "Theorem 2",
            "A way has at most 2^k·R(B) - Σ 2^j·R(SN^(k-j)) + 2^(k+1) - 2 steps.",
            Trial::over(larger, |net| steps(net, net.formula())),
        )
        .amended(
            "It has where the super-nodes are nested. Else the ways within clusters change the coordinates of SN^k, which the proof takes as kept.",
            Trial::over(nested, |net| steps(net, net.formula())),
        ),
        Claim::new(
            "case-2",
            "section 3, before Algorithm 1",
            "Case 2: two distinct clusters of one class have super-nodes that a cross-edge joins.",
            Trial::over(nets, |net| joined(net, true)),
        )
        .amended(
            "Two clusters of distinct classes have, which are Case 2 in the listing and Case 3 in the text.",
            Trial::over(nets, |net| joined(net, false)),
        ),
    ]
}

fn nested_and_parted(limit: u32) -> Sizes<Net> {
    let mut all = nested(limit).all;
    all.retain(|net| !net.has_whole());
    of(all, "nested, SN ≠ B", limit)
}

/// Networks of up to four times the nodes whose base is one factor: a super-node that is not in the one below it needs two levels.
fn larger(limit: u32) -> Sizes<Net> {
    let mut all = all(4 * limit);
    all.retain(|net| net.net().base().len() == 1 && net.k() < 3);
    of(all, "one factor, k < 3, from each node of one base", 4 * limit)
}

fn ways(net: &Net) -> Result<(), String> {
    for (from, to) in pairs(net) {
        let way = net.net().algorithm_1(from, to);
        let broken = way.windows(2).find(|pair| !net.far(pair[0]).contains(&pair[1]));
        if let Some(pair) = broken {
            return Err(format!(
                "the way from {from} to {to} goes from {} to {}, which no link joins",
                pair[0], pair[1]
            ));
        }
        if way.last() != Some(&to) {
            return Err(format!("the way from {from} ends at {:?}, not at {to}", way.last()));
        }
    }
    Ok(())
}

fn pairs(net: &Net) -> impl Iterator<Item = (u32, u32)> {
    let nodes = net.nodes();
    (0..nodes).flat_map(move |from| (0..nodes).map(move |to| (from, to)))
}

fn shortest(net: &Net) -> Result<(), String> {
    let (mut longer, mut first) = (0, None);
    for from in 0..net.nodes() {
        let hops = net.net().distances(from);
        for to in 0..net.nodes() {
            let steps = net.net().algorithm_1(from, to).len() as u32 - 1;
            if steps != hops[to as usize] {
                longer += 1;
                first.get_or_insert((from, to, steps, hops[to as usize]));
            }
        }
    }
    let Some((from, to, steps, hops)) = first else { return Ok(()) };
    let share = 100 * longer / (net.nodes() * net.nodes());
    Err(format!("{steps} steps from {from} to {to}, which are {hops} hops apart; so for {longer} pairs, {share} %"))
}

fn steps(net: &Net, most: u32) -> Result<(), String> {
    let ends = (0..net.net().size(0)).flat_map(|from| (0..net.nodes()).map(move |to| (from, to)));
    let count = |(from, to): (u32, u32)| (net.net().algorithm_1(from, to).len() as u32 - 1, from, to);
    let (steps, from, to) = ends.map(count).max_by_key(|way| way.0).unwrap_or_default();
    if steps <= most { Ok(()) } else { Err(format!("{steps} steps from {from} to {to}, more than {most}")) }
}

/// Any two distinct clusters of one class, or of two classes, are joined by a cross-edge of the last level.
fn joined(net: &Net, one_class: bool) -> Result<(), String> {
    let (hdn, k) = (net.net(), net.k());
    let clusters = hdn.clusters(k) as usize;
    let mut found = vec![false; 4 * clusters * clusters];
    let number = |node: u32| (hdn.index(k, node).class as usize) * clusters + hdn.index(k, node).cluster as usize;
    (0..net.nodes()).for_each(|node| found[number(node) * 2 * clusters + number(hdn.cross(k, node))] = true);
    for a in 0..2 * clusters {
        for b in 0..2 * clusters {
            let same = a / clusters == b / clusters;
            if a != b && same == one_class && !found[a * 2 * clusters + b] {
                let name = |cluster: usize| format!("{} of class {}", cluster % clusters, cluster / clusters);
                return Err(format!("no cross-edge joins clusters {} and {}", name(a), name(b)));
            }
        }
    }
    Ok(())
}
