//! Slots of all-gathers by `best` on every Galaxyfly(n,q,a) with prime powers q ≤ 13, n ≤ 6, a ≤ 8 and at most 600 routers, beside the largest
//! lower bound, with the seconds that they take. Every schedule is proved by the checker of programs, and none may have more than one slot
//! beyond the bound.
//!
//! `cargo bench --bench galaxyfly -- 6` takes every sixth size, from the largest down; `-- 0 LIST` with LIST = "3,5,4 4,5,4" those sizes.

#[path = "../tests/common/graphs.rs"]
#[allow(dead_code)] // it has networks and demands of other benches, too
mod graphs;

use graphs::{lower_bounds, problem};
use metronoc::check::program::{Goal, Rules, check};
use metronoc::schedule::general::{Effort, schedule};
use metronoc::topology::{Field, Galaxy, Galaxyfly, Graph};
use std::time::Instant;

/// Slots beyond the bound that no schedule may exceed.
const MOST: u64 = 1;

/// All sizes, the largest first.
fn sizes() -> Vec<[u32; 3]> {
    let fields = (3..=13).filter(|&q| Field::new(q).is_some());
    let mut all: Vec<[u32; 3]> =
        fields.flat_map(|q| (1..=6).flat_map(move |n| (1..=8).map(move |a| [n, q, a]))).collect();
    all.retain(|size| size.iter().product::<u32>() <= 600);
    all.sort_by_key(|size| std::cmp::Reverse(size.iter().product::<u32>()));
    all
}

/// Sizes that are written as "n,q,a n,q,a".
fn listed(text: &str) -> Vec<[u32; 3]> {
    let size = |word: &str| {
        let numbers: Vec<u32> = word.split(',').filter_map(|number| number.parse().ok()).collect();
        numbers.try_into().unwrap_or_else(|_| panic!("`{word}` is no size n,q,a"))
    };
    text.split_whitespace().map(size).collect()
}

fn main() {
    let mut arguments = std::env::args().skip(1).filter(|argument| !argument.starts_with('-'));
    let step: usize = arguments.next().and_then(|step| step.parse().ok()).unwrap_or(1);
    let sizes: Vec<[u32; 3]> = match arguments.next() {
        Some(list) => listed(&list),
        None => sizes().into_iter().step_by(step.max(1)).collect(),
    };
    println!("| (n,q,a) | routers | bound | because | slots | algorithm | s |\n|---|---|---|---|---|---|---|");
    let mut beyond: Vec<u64> = Vec::new();
    for [n, q, a] in sizes {
        let galaxy = Galaxy::new(n, q).expect("a power of a prime");
        let problem = problem(Graph::of(&Galaxyfly::new(galaxy, a, true)), "all-gather", 1);
        let start = Instant::now();
        let made = schedule(&problem, "best", &Effort { time_limit_s: 5, seed: 0 }).expect("an all-gather");
        let seconds = start.elapsed().as_secs_f64();
        check(&problem.net, &made.program, &Rules::default(), &Goal::Demand(&problem.demand, &made.chunk))
            .unwrap_or_else(|fault| panic!("({n},{q},{a}): {fault}"));
        let bounds = lower_bounds(&problem);
        let (bound, slots) = (bounds.largest(), u64::from(made.cycles));
        let name = bounds.all().iter().find(|other| other.cycles == bound).map_or("", |bound| bound.name);
        println!("| ({n},{q},{a}) | {} | {bound} | {name} | {slots} | {} | {seconds:.1} |", n * q * a, made.algorithm);
        assert!(bound <= slots, "({n},{q},{a}): the bound is broken");
        assert!(slots <= bound + MOST, "({n},{q},{a}): {slots} slots, and the bound is {bound}");
        beyond.push(slots - bound);
    }
    let at = beyond.iter().filter(|&&slots| slots == 0).count();
    println!("\n{} sizes: {at} at the bound, {} a slot beyond it", beyond.len(), beyond.len() - at);
}
