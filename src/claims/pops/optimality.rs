//! Section 3.3: how many slots are needed.

use super::super::{Claim, Sizes, Trial};
use super::nets::{Net, few_groups};
use super::search::{fewest, holds};
use crate::count::counted;

pub fn claims() -> Vec<Claim> {
    vec![
        Claim::new(
            "proposition-3.6",
            "Proposition 3.6",
            "A permutation without fixed points takes at least ⌈d/g⌉ slots.",
            Trial::over(shifts, |net| needs(*net, &without_fixed_points(*net), net.d.div_ceil(net.g))),
        ),
        Claim::new(
            "proposition-3.8",
            "Proposition 3.8",
            "A permutation that takes every group to another one takes at least 2⌈d/g⌉ slots.",
            Trial::over(to_others, |net| needs(*net, &to_other_groups(*net), 2 * net.d.div_ceil(net.g))),
        )
        .amended(
            "It takes at least ⌈2d/g⌉ slots.",
            Trial::over(to_others, |net| needs(*net, &to_other_groups(*net), (2 * net.d).div_ceil(net.g))),
        ),
        Claim::new(
            "proposition-3.9",
            "Proposition 3.9",
            "A permutation without fixed points that takes every group to a group takes at least 2⌈d/(1+g)⌉ slots.",
            Trial::over(shifts, |net| {
                each(*net, |permutation| needs(*net, permutation, 2 * net.d.div_ceil(1 + net.g)))
            }),
        )
        .amended(
            "It takes at least ⌈2d/(1+g)⌉ slots.",
            Trial::over(shifts, |net| {
                each(*net, |permutation| needs(*net, permutation, (2 * net.d).div_ceil(1 + net.g)))
            }),
        ),
    ]
}

/// Networks with a permutation without fixed points.
fn shifts(limit: u32) -> Sizes<Net> {
    let Sizes { range, mut all } = few_groups(limit);
    all.retain(|net| net.processors() > 1);
    Sizes { range: format!("shifts, dg ≥ 2, {range}"), all }
}

/// Networks with groups that can change places.
fn to_others(limit: u32) -> Sizes<Net> {
    let Sizes { range, mut all } = few_groups(limit);
    all.retain(|net| net.g > 1);
    Sizes { range: format!("group shifts, g ≥ 2, {range}"), all }
}

/// Shifts by one.
fn without_fixed_points(net: Net) -> Vec<u32> {
    let n = net.processors();
    (0..n).map(|i| (i + 1) % n).collect()
}

/// The group shift, which takes group a to the next one.
fn to_other_groups(net: Net) -> Vec<u32> {
    (0..net.processors()).map(|i| (i + net.d) % net.processors()).collect()
}

/// Permutations without fixed points that take groups to groups: within each, where that is possible, and to others.
fn each(net: Net, test: impl Fn(&[u32]) -> Result<(), String>) -> Result<(), String> {
    if net.d > 1 {
        let within = (0..net.processors()).map(|i| i / net.d * net.d + (i % net.d + 1) % net.d);
        test(&within.collect::<Vec<_>>())?;
    }
    if net.g > 1 { test(&to_other_groups(net)) } else { Ok(()) }
}

/// Fails with a routing in fewer slots.
fn needs(net: Net, permutation: &[u32], slots: u32) -> Result<(), String> {
    let Some((fewer, routing)) = fewest(net, permutation, slots) else { return Ok(()) };
    let Some(routing) = routing.filter(|routing| holds(net, permutation, routing)) else { return Ok(()) };
    let hops = |(slot, hops): (usize, &Vec<super::slots::Hop>)| {
        let hops: Vec<String> = hops.iter().map(|hop| format!("{} → {}", hop.from, hop.reader)).collect();
        format!("slot {slot}: {}", hops.join(", "))
    };
    let list: Vec<String> = permutation.iter().map(u32::to_string).collect();
    let routing: Vec<String> = routing.iter().enumerate().map(hops).collect();
    Err(format!("({}) takes {}, not {slots}: {}", list.join(","), counted(fewer, "slot"), routing.join("; ")))
}
