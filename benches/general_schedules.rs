//! Slots of schedules of any demand on any network, beside the largest lower bound, with the seconds that they take.
//! Every schedule is judged transfer by transfer. `cargo bench --bench general_schedules -- torus` takes those whose
//! name contains `torus`.

#[path = "../tests/common/graphs.rs"]
mod graphs;

use graphs::{dgx1, grid, kautz, lower_bounds, problem, verdict};
use metronoc::schedule::general::{Effort, PortModel, Problem, schedule};
use metronoc::topology::{Graph, Topology};
use std::time::Instant;

/// A line of the table: network, collective, words, algorithm, and seconds of effort.
struct Case {
    network: String,
    net: Graph,
    kind: &'static str,
    count: usize,
    algorithm: &'static str,
    effort: u32,
    ports: PortModel,
}

fn case(network: &str, net: Graph, (kind, count): (&'static str, usize), algorithm: &'static str, effort: u32) -> Case {
    Case { network: network.to_owned(), net, kind, count, algorithm, effort, ports: PortModel::All }
}

fn cases() -> Vec<Case> {
    let mut all = Vec::new();
    let exchange = ("all-to-all", 1);
    for size in [5, 6, 7, 8, 9, 10] {
        let name = format!("torus {size}×{size}");
        let net = grid(&[size, size], true);
        for (algorithm, effort) in [("best", 5), ("uniform-periodic", 5), ("uniform-terminal", 20)] {
            all.push(case(&name, net.clone(), exchange, algorithm, effort));
        }
    }
    for algorithm in ["uniform", "uniform-periodic"] {
        all.push(case("torus 8×8×8", grid(&[8, 8, 8], true), exchange, algorithm, 30));
    }
    all.push(case("torus 8×8×8", grid(&[8, 8, 8], true), exchange, "balanced", 0));
    for size in [4, 5, 8, 10] {
        all.push(case(&format!("mesh {size}×{size}"), grid(&[size, size], false), exchange, "best", 5));
    }
    for (degree, diameter) in [(2, 3), (2, 4), (3, 3), (4, 3)] {
        all.push(case(&format!("Kautz K({degree},{diameter})"), kautz(degree, diameter), exchange, "best", 5));
    }
    all.push(case("DGX-1", dgx1(), exchange, "best", 1));
    for (dims, wraps, count) in [
        (&[3, 3, 3][..], true, 1),
        (&[3, 4, 5], true, 2),
        (&[4, 2, 3], true, 3),
        (&[5, 5], false, 1),
        (&[10, 10], false, 2),
        (&[7, 12], false, 3),
        (&[3, 4, 5], false, 2),
    ] {
        let sizes: Vec<String> = dims.iter().map(u32::to_string).collect();
        let name = format!("{} {}", if wraps { "torus" } else { "mesh" }, sizes.join("×"));
        all.push(case(&name, grid(dims, wraps), ("all-gather", count), "best", 1));
    }
    all.push(case("torus 10×10", grid(&[10, 10], true), ("all-gather", 2), "best", 1));
    for count in [2, 6] {
        all.push(case("DGX-1", dgx1(), ("all-gather", count), "best", 1));
    }
    all.push(case("DGX-1", dgx1(), ("all-reduce", 8), "best", 1));
    let mesh = || grid(&[4, 4], false);
    for demand in [("broadcast", 8), ("reduce", 8), ("reduce-scatter", 16), ("all-reduce", 1), ("all-reduce", 16)] {
        all.push(case("mesh 4×4", mesh(), demand, "best", 2));
    }
    for demand in [exchange, ("all-gather", 1), ("all-reduce", 16)] {
        all.push(Case { ports: PortModel::One, ..case("mesh 4×4, one port", mesh(), demand, "best", 2) });
    }
    all
}

fn main() {
    let wanted = std::env::args().skip(1).find(|argument| !argument.starts_with('-')).unwrap_or_default();
    println!("| network | collective | words | algorithm | slots | period | bound | because | ratio | s |");
    println!("|---|---|---|---|---|---|---|---|---|---|");
    let mut lines = 0;
    for case in cases() {
        let Case { network, net, kind, count, algorithm, effort, ports } = case;
        if !format!("{network} {kind} {algorithm}").contains(&wanted) {
            continue;
        }
        let problem = Problem { ports, ..problem(net, kind, count) };
        let start = Instant::now();
        let made = schedule(&problem, algorithm, &Effort { time_limit_s: effort, seed: 1 }).expect("a schedule");
        let seconds = start.elapsed().as_secs_f64();
        verdict(&problem, &made, kind, count).expect("it holds");
        let bounds = lower_bounds(&problem);
        let period = made.program.period;
        // a terminal sends one word a cycle
        let terminal = if algorithm == "uniform-terminal" { problem.net.nodes() as u64 - 1 } else { 0 };
        let most = bounds.largest().max(terminal);
        assert!(most <= made.cycles.into(), "the bound is broken");
        let slots = match (algorithm, period) {
            ("uniform-periodic", Some(period)) => period,
            _ => made.cycles,
        };
        let name = bounds.all().iter().find(|bound| bound.cycles == most).map_or("terminal", |bound| bound.name);
        let period = period.map_or(String::new(), |period| period.to_string());
        let (cycles, ratio, by) = (made.cycles, f64::from(slots) / most as f64, made.algorithm);
        print!("| {network} | {kind} | {count} | {by} | {cycles} | {period} ");
        println!("| {most} | {name} | {ratio:.3} | {seconds:.1} |");
        lines += 1;
    }
    assert!(lines > 0, "no case has `{wanted}` in its name");
}
