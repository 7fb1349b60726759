//! Statements of the abstract, of sections 1 and 2, and of the text around the theorems.

use super::super::{Claim, Sizes, Trial};
use super::fair::distribution;
use super::nets::{Net, few_groups, nets, small, square};
use super::search::{fewest, holds};
use super::slots::{Hop, State};
use super::theorem::in_theorem_slots;
use crate::count::counted;
use std::collections::BTreeSet;

pub fn claims() -> Vec<Claim> {
    vec![
        Claim::new(
            "worst-case",
            "abstract",
            "The slots of Theorem 3.4 are optimal in the worst case: some permutation needs as many.",
            Trial::over(small, |net| worst(*net, theorem(*net))),
        )
        .amended(
            "For d, g ≥ 2 some permutation needs max(2,⌈2d/g⌉) slots and none more; d with one group, one for d = 1.",
            Trial::over(small, |net| worst(*net, if net.g == 1 { net.d } else { through_others(*net) })),
        ),
        Claim::new(
            "factor-two",
            "abstract; section 3.3",
            "For a permutation without fixed points the slots of Theorem 3.4 are at most twice the fewest.",
            Trial::over(small, |net| {
                permutations(net.processors()).iter().filter(|p| (0..).zip(*p).all(|(i, to)| i != *to)).try_for_each(
                    |permutation| match fewest(*net, permutation, theorem(*net)) {
                        Some((fewer, _)) if 2 * fewer < theorem(*net) => {
                            Err(format!("{permutation:?} may take {fewer} slots, not {}", theorem(*net)))
                        }
                        _ => Ok(()),
                    },
                )
            }),
        ),
        Claim::new(
            "one-to-all",
            "section 1",
            "One packet gets from any processor to all in one slot, over all couplers of its group.",
            Trial::over(nets, |net| (0..net.processors()).try_for_each(|speaker| one_to_all(*net, speaker))),
        ),
        Claim::new(
            "fact-1",
            "Fact 1",
            "Packets of different processors for different processors, no two of a group for the same group, take one slot.",
            Trial::over(nets, |net| net.permutations().iter().try_for_each(|permutation| fair_set(*net, permutation))),
        ),
        Claim::new(
            "theorem-1-fair",
            "Theorem 1",
            "Every proper list system of a permutation has a fair distribution: equations (1), (2) and (3).",
            Trial::over(nets, |net| net.permutations().iter().try_for_each(|permutation| is_fair(*net, permutation))),
        ),
        Claim::new(
            "remark-3.3",
            "Remark 3.3",
            "The multigraph that is to be factorized has 4n₁ - 2Δ₂ nodes and n₂ times as many edges.",
            Trial::over(nets, |net| padded(*net, 1)),
        )
        .amended("It has half as many edges: each of them joins two nodes.", Trial::over(nets, |net| padded(*net, 2))),
        Claim::new(
            "running-times",
            "after Theorem 3.4",
            "A factorization in n₂ steps an edge finds a routing in O(g³) for 1 < d ≤ g (here: at most 2g³), in dn for d > g.",
            Trial::over(nets, |net| {
                let (n2, edges) = (net.d.max(net.g), padded_edges(*net));
                let limit = if net.d > net.g { net.d * net.processors() } else { 2 * net.g.pow(3) };
                let steps = n2 * edges;
                if steps <= limit { Ok(()) } else { Err(format!("it takes {steps} steps, not {limit}")) }
            }),
        ),
        Claim::new(
            "reversal",
            "section 2; section 3.3",
            "The slots of Theorem 3.4 are the fewest for vector reversal if g is even.",
            Trial::over(even, |net| takes(*net, &reversal(*net), theorem(*net))),
        )
        .amended(
            "The fewest are max(2,⌈2d/g⌉) for d ≥ 2, and even g.",
            Trial::over(even, |net| takes(*net, &reversal(*net), through_others(*net))),
        ),
        Claim::new(
            "transpose-slots",
            "section 2",
            "The fewest slots for the transpose of a √n × √n matrix are ⌈d/g⌉.",
            Trial::over(square, |net| takes(*net, &transpose(*net), net.d.div_ceil(net.g))),
        )
        .amended(
            "They are so for g ≥ 2; with one group only the d - √d packets move that are not on the diagonal, a slot each.",
            Trial::over(square, |net| {
                let slots = if net.g == 1 { net.d - net.d.isqrt() } else { net.d.div_ceil(net.g) };
                takes(*net, &transpose(*net), slots)
            }),
        ),
        Claim::new(
            "mapping",
            "section 1, after the contributions",
            "Steps of a hypercube and of a mesh with wraparound take the slots of Theorem 3.4 however their nodes are mapped.",
            Trial::over(mapped, |net| steps(net.processors()).iter().try_for_each(|step| in_any_mapping(*net, step))),
        ),
    ]
}

/// Slots of Theorem 3.4.
fn theorem(net: Net) -> u32 {
    if net.d == 1 { 1 } else { 2 * net.d.div_ceil(net.g) }
}

/// Slots of a permutation that takes groups to others: g packets of a slot leave a group, and most of them have a second hop to go.
fn through_others(net: Net) -> u32 {
    if net.d == 1 { 1 } else { (2 * net.d).div_ceil(net.g).max(2) }
}

/// Every permutation of n.
fn permutations(n: u32) -> Vec<Vec<u32>> {
    (0..n).fold(vec![Vec::new()], |all, last| {
        let with = |shorter: &Vec<u32>| {
            let places = 0..=shorter.len();
            let insert = |place| [&shorter[..place], &[last], &shorter[place..]].concat();
            places.map(insert).collect::<Vec<_>>()
        };
        all.iter().flat_map(with).collect()
    })
}

/// Fails unless the most slots that any permutation needs are `slots`.
fn worst(net: Net, slots: u32) -> Result<(), String> {
    let mut most = 0;
    for permutation in permutations(net.processors()) {
        let Some((fewer, routing)) = fewest(net, &permutation, slots + 1) else {
            return Err(format!("{permutation:?} needs more than {slots} slots"));
        };
        let found = routing.is_some_and(|routing| holds(net, &permutation, &routing));
        if !found && (fewer < theorem(net) || in_theorem_slots(net, &permutation).is_err()) {
            return Err(format!("{permutation:?} was not routed in {fewer} slots"));
        }
        most = most.max(fewer);
    }
    if most == slots { Ok(()) } else { Err(format!("no permutation needs more than {most} slots, not {slots}")) }
}

/// Fails unless the fewest slots of a permutation are `slots`.
fn takes(net: Net, permutation: &[u32], slots: u32) -> Result<(), String> {
    match fewest(net, permutation, slots + 1) {
        None => Err(format!("it takes more than {slots} slots")),
        Some((fewer, Some(routing))) if fewer != slots && holds(net, permutation, &routing) => {
            Err(format!("it takes {}, not {slots}", counted(fewer, "slot")))
        }
        Some((fewer, Some(routing))) if fewer == slots && holds(net, permutation, &routing) => Ok(()),
        // groups alone were looked at, and its routing cannot be carried out: the theorem's can
        Some((fewer, _)) if fewer == slots && fewer == theorem(net) => in_theorem_slots(net, permutation),
        Some((fewer, _)) => Err(format!("no routing was found in {slots} slots; group by group {fewer} would do")),
    }
}

/// Carries the slot out: the speaker's couplers take the packet, every processor reads the one of its group.
fn one_to_all(net: Net, speaker: u32) -> Result<(), String> {
    let couplers: BTreeSet<(usize, usize)> = (0..net.g as usize).map(|to| (to, net.group(speaker))).collect();
    match (0..net.processors()).find(|&reader| !couplers.contains(&(net.group(reader), net.group(speaker)))) {
        Some(reader) => Err(format!("processor {reader} hears nothing of {speaker}")),
        None => Ok(()),
    }
}

/// Sends as many of the packets of a permutation as are fairly distributed where they are.
fn fair_set(net: Net, permutation: &[u32]) -> Result<(), String> {
    let mut couplers = BTreeSet::new();
    let all = (0..).zip(permutation.iter().copied());
    let fair = all.filter(|&(from, to)| couplers.insert((net.group(from), net.group(to))));
    let hops: Vec<Hop> = fair.map(|(from, to)| Hop { packet: from, from, to: net.group(to), reader: to }).collect();
    State::new(net).slot(&hops)
}

/// Holds a distribution against the three equations.
fn is_fair(net: Net, permutation: &[u32]) -> Result<(), String> {
    let f = distribution(net, permutation);
    let (n, targets) = (net.processors(), net.d.max(net.g) as usize);
    let (mut of_source, mut of_goal, mut shares) = (BTreeSet::new(), BTreeSet::new(), vec![0; targets]);
    for (packet, &target) in (0..).zip(&f) {
        if !of_source.insert((net.group(packet), target)) {
            return Err(format!("group {} has target {target} twice", net.group(packet)));
        }
        let goal = net.group(permutation[packet as usize]);
        if !of_goal.insert((goal, target)) {
            return Err(format!("two packets for group {goal} have target {target}"));
        }
        *shares.get_mut(target).ok_or_else(|| format!("target {target} is none of {targets}"))? += 1;
    }
    match (0..).zip(&shares).find(|(_, share)| **share * targets as u32 != n) {
        Some((target, share)) => Err(format!("target {target} has {share} packets of {n} for {targets} targets")),
        None => Ok(()),
    }
}

/// Edges of the multigraph in the proof of Theorem 1: those of the lists, and those of H₁ and H₂.
fn padded_edges(net: Net) -> u32 {
    let (n1, n2, list) = (net.g, net.d.max(net.g), net.d);
    let added = n1 - n1 * list / n2;
    n1 * list + 2 * added * n2
}

/// Holds its nodes and edges against the remark's, the edges divided by `share`.
fn padded(net: Net, share: u32) -> Result<(), String> {
    let (n1, n2) = (net.g, net.d.max(net.g));
    let each = n1 * net.d / n2;
    let nodes = 2 * (n1 + (n1 - each));
    let (edges, said) = (padded_edges(net), (4 * n1 - 2 * each) * n2 / share);
    if nodes == 4 * n1 - 2 * each && edges == said {
        return Ok(());
    }
    Err(format!("{nodes} nodes with {} each make {}, not {said}", counted(n2, "edge"), counted(edges, "edge")))
}

fn reversal(net: Net) -> Vec<u32> {
    (0..net.processors()).rev().collect()
}

fn transpose(net: Net) -> Vec<u32> {
    let (n, side) = (net.processors(), net.processors().isqrt());
    (0..n).map(|i| i % side * side + i / side).collect()
}

/// Networks with an even number of groups whose every schedule can be tried.
fn even(limit: u32) -> Sizes<Net> {
    let Sizes { range, mut all } = few_groups(limit);
    all.retain(|net| net.g % 2 == 0);
    Sizes { range: format!("even g, {range}"), all }
}

/// Networks of 2^D or N² processors.
fn mapped(limit: u32) -> Sizes<Net> {
    let mut all = nets(limit).all;
    all.retain(|net| !steps(net.processors()).is_empty());
    Sizes { range: format!("dg = 2^D or N², 2 ≤ dg ≤ {limit}, 3 random mappings each"), all }
}

/// Steps of a hypercube of n nodes, bit by bit, and of a mesh with wraparound, by rows and by columns.
fn steps(n: u32) -> Vec<Vec<u32>> {
    let mut steps = Vec::new();
    if n.is_power_of_two() {
        steps.extend((0..n.ilog2()).map(|bit| (0..n).map(|i| i ^ 1 << bit).collect()));
    }
    let side = n.isqrt();
    if side > 1 && side * side == n {
        steps.push((0..n).map(|i| (i + side) % n).collect());
        steps.push((0..n).map(|i| i / side * side + (i + 1) % side).collect());
    }
    steps
}

/// Routes a step with its nodes at other processors, in three ways.
fn in_any_mapping(net: Net, step: &[u32]) -> Result<(), String> {
    net.permutations().iter().rev().take(3).try_for_each(|at| {
        let mut permutation = vec![0; at.len()];
        for (node, &to) in step.iter().enumerate() {
            permutation[at[node] as usize] = at[to as usize];
        }
        in_theorem_slots(net, &permutation)
    })
}
