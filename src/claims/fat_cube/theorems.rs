//! Section 4: the formulas of Table 3 and of Theorems 1 to 4 against lower bounds and against each other.

use super::Net;
use super::sizes::{both, d_port, d_port_single, hypercubes, one_port};
use super::{bounds, formulas};
use crate::claims::{Claim, Sizes, Table, Trial};

pub(super) fn claims() -> Vec<Claim> {
    vec![
        Claim::new(
            "fat-cube-double-tree",
            "Sections 4 and 4.1",
            "the double tree's ⌈d/2⌉ steps are the least of a broadcast on hypercubes up to d = 6: ⌈d/2⌉ = ⌈log_{d+1} 2^d⌉",
            Trial::over(hypercubes, double_tree),
        )
        .amended("they are for d = 1, 3, 4 and 6; at d = 2 one step is too few, and at d = 5 the logarithm is 2", Trial::over(hypercubes, double_tree_of_four))
        .with_table(|_| double_trees()),
        Claim::new(
            "fat-cube-equation-4",
            "Section 4.4, equations (4) and (5)",
            "a router's messages to all others cross x = d·2^{d-1} channels each, all packets of an all-to-all together d·2^{2d}·m²/2",
            Trial::over(both, distances),
        ),
        Claim::new(
            "fat-cube-theorem-1",
            "Theorem 1",
            "⌈log_{k+1}(P/m)⌉ + ⌈log_{k+1} m⌉ steps of a broadcast are no fewer than ⌈log_{k+1} P⌉",
            Trial::over(both, |net| not_below(*net, formulas::broadcast, bounds::broadcast)),
        ),
        Claim::new(
            "fat-cube-theorem-1-hypercube",
            "Section 4.1, last sentence",
            "a broadcast on a fat cube never takes more than one step more than on the hypercube with as many processors",
            Trial::over(both, one_more),
        )
        .amended("it takes at most one step more than ⌈log_{k+1} P⌉; the hypercube has d' ports, and not d", Trial::over(both, one_more_than_the_bound)),
        Claim::new(
            "fat-cube-theorem-2",
            "Theorem 2",
            "the steps of an all-gather are no fewer than a processor's P - 1 packets and the channels between routers take",
            Trial::over(both, |net| not_below(*net, formulas::all_gather, bounds::all_gather)),
        ),
        Claim::new(
            "fat-cube-theorem-3",
            "Theorem 3",
            "⌈(P-m)/min(fd,mk)⌉ + ⌈(m-1)/k⌉ steps of a scatter are enough: no fewer than the root needs to send P - 1 packets",
            Trial::over(d_port, |net| not_below(*net, formulas::scatter, bounds::scatter)),
        )
        .amended(
            "they are no fewer where f = 1; the one processor that is the root sends k packets a step, and not mk",
            Trial::over(d_port_single, |net| not_below(*net, formulas::scatter, bounds::scatter)),
        ),
        Claim::new(
            "fat-cube-theorem-3-single",
            "Section 4.3, end of the proof",
            "with f = 1 and k = d the steps of Theorem 3 come to ⌈(P-1)/d⌉",
            Trial::over(d_port_single, single_scatter),
        )
        .amended("they are ⌈(P-1)/d⌉ or one more: two rounded quotients are added", Trial::over(d_port_single, single_scatter_or_more)),
        Claim::new(
            "fat-cube-theorem-4-one-port",
            "Theorem 4, 1)",
            "(2^d - 1)·⌈m²/f⌉ steps of an all-to-all with one port are no fewer than the P - 1 packets that a processor gets",
            Trial::over(one_port, |net| not_below(*net, formulas::all_to_all, bounds::all_to_all)),
        )
        .amended(
            "with m - 1 steps for the packets within routers they are no fewer than max(P - 1, ⌈m²·2^{d-1}/f⌉)",
            Trial::over(one_port, with_those_within),
        ),
        Claim::new(
            "fat-cube-theorem-4",
            "Theorem 4, k)",
            "⌈Pmd/(2·min(mk,fd))⌉ + ⌈(m-1)/k⌉ steps of an all-to-all are no fewer than the channels take",
            Trial::over(d_port, |net| not_below(*net, formulas::all_to_all, bounds::all_to_all)),
        ),
        Claim::new(
            "fat-cube-conclusion-1",
            "Section 6, conclusion 1",
            "with one port and P a power of two, fat cube and hypercube take the same steps for all but all-to-all",
            Trial::over(powers, like_hypercubes),
        ),
        Claim::new(
            "fat-cube-conclusion-2",
            "Section 6, conclusion 2",
            "with one port the steps of an all-to-all are proportional to 1/f",
            Trial::over(one_port, proportional),
        )
        .amended(
            "f times the steps is at least those with f = 1, and less than f·(2^d - 1) more: quotients are rounded up",
            Trial::over(one_port, nearly_proportional),
        ),
    ]
}

fn not_below(net: Net, formula: fn(Net) -> u32, bound: fn(Net) -> u32) -> Result<(), String> {
    let (steps, least) = (formula(net), bound(net));
    if steps >= least { Ok(()) } else { Err(format!("the formula says {steps} steps, and {least} are needed")) }
}

/// Steps of the double tree, and the least, ⌈log_{d+1} 2^d⌉.
fn tree_and_least(d: u32) -> (u32, u32) {
    (d.div_ceil(2), formulas::log(d + 1, 1 << d))
}

fn double_tree(net: &Net) -> Result<(), String> {
    let (tree, least) = tree_and_least(net.d);
    if tree == least {
        Ok(())
    } else {
        Err(format!("⌈{}/2⌉ = {tree}, and ⌈log_{} 2^{}⌉ = {least}", net.d, net.d + 1, net.d))
    }
}

fn double_tree_of_four(net: &Net) -> Result<(), String> {
    let (tree, least) = tree_and_least(net.d);
    let right = match net.d {
        2 => (1, 2),
        5 => (3, 2),
        _ => (tree, tree),
    };
    if (tree, least) == right { Ok(()) } else { Err(format!("d = {}: {tree} and {least}", net.d)) }
}

fn double_trees() -> Table {
    let row = |d: u32| {
        let (tree, least) = tree_and_least(d);
        vec![d.to_string(), tree.to_string(), least.to_string()]
    };
    Table {
        title: "Broadcast on hypercubes with all ports: steps of the double tree, and the least",
        head: vec!["d", "⌈d/2⌉", "⌈log_{d+1} 2^d⌉"],
        rows: (1..=8).map(row).collect(),
    }
}

fn distances(net: &Net) -> Result<(), String> {
    let Net { m, d, .. } = *net;
    let x: u32 = (0..1_u32 << d).map(u32::count_ones).sum();
    let all = u64::from(x * m * m) << d;
    let formula = (u64::from(d * m * m) << (2 * d)) / 2;
    match (x == d << (d - 1), all == formula) {
        (true, true) => Ok(()),
        _ => Err(format!("they cross {x} and {all} channels")),
    }
}

fn one_more(net: &Net) -> Result<(), String> {
    let dimensions = formulas::hypercube_dimensions(*net);
    let ports = if net.k == 1 && net.d > 1 { 1 } else { dimensions };
    let (steps, hypercube) = (formulas::broadcast(*net), formulas::log(ports + 1, 1 << dimensions));
    match steps <= hypercube + 1 {
        true => Ok(()),
        false => {
            Err(format!("{steps} steps, and {hypercube} on the hypercube of {dimensions} dimensions with all ports"))
        }
    }
}

fn one_more_than_the_bound(net: &Net) -> Result<(), String> {
    let (steps, least) = (formulas::broadcast(*net), bounds::broadcast(*net));
    if steps <= least + 1 { Ok(()) } else { Err(format!("{steps} steps, and the least are {least}")) }
}

fn single_scatter(net: &Net) -> Result<(), String> {
    let (steps, least) = (formulas::scatter(*net), (net.processors() - 1).div_ceil(net.d));
    match steps == least {
        true => Ok(()),
        false => Err(format!("the formula says {steps}, and ⌈(P-1)/d⌉ is {least}")),
    }
}

fn single_scatter_or_more(net: &Net) -> Result<(), String> {
    let (steps, least) = (formulas::scatter(*net), (net.processors() - 1).div_ceil(net.d));
    if (least..=least + 1).contains(&steps) { Ok(()) } else { Err(format!("{steps}, not {least}")) }
}

fn with_those_within(net: &Net) -> Result<(), String> {
    let most = formulas::all_to_all(*net) + net.m - 1;
    let least = bounds::all_to_all(*net);
    if least <= most { Ok(()) } else { Err(format!("{least} steps are needed, and {most} are said to be enough")) }
}

fn powers(limit: u32) -> Sizes<Net> {
    let Sizes { range, mut all } = one_port(limit);
    all.retain(|net| net.m.is_power_of_two());
    Sizes { range: format!("{range}, m a power of two"), all }
}

fn like_hypercubes(net: &Net) -> Result<(), String> {
    let dimensions = formulas::hypercube_dimensions(*net);
    let hypercube = Net::new(1, 1, dimensions, 1);
    let steps = |net: Net| [formulas::broadcast(net), formulas::all_gather(net), formulas::scatter(net)];
    if steps(*net) == steps(hypercube) { Ok(()) } else { Err(format!("{:?}, not {:?}", steps(*net), steps(hypercube))) }
}

fn proportional(net: &Net) -> Result<(), String> {
    let (steps, single) = (formulas::all_to_all(*net), formulas::all_to_all(Net { f: 1, ..*net }));
    match steps * net.f == single {
        true => Ok(()),
        false => Err(format!("{steps} steps with f = {}, and {single} with f = 1", net.f)),
    }
}

fn nearly_proportional(net: &Net) -> Result<(), String> {
    let (steps, single) = (formulas::all_to_all(*net), formulas::all_to_all(Net { f: 1, ..*net }));
    let more = net.f * ((1 << net.d) - 1);
    match (single..single + more).contains(&(steps * net.f)) {
        true => Ok(()),
        false => Err(format!("{steps} steps with f = {}, and {single} with f = 1", net.f)),
    }
}
