//! POPS: mean slots of random permutations beside the bound, and the time of schedules of a million processors on one core, beside
//! that of reading the permutation and of another library's edge colouring.

use criterion::{Criterion, criterion_group, criterion_main};
use metronoc::check::pops::check_pops;
use metronoc::collective::pops::Relation;
use metronoc::collective::{numbers, pattern};
use metronoc::schedule::edge_colouring::colour_edges;
use metronoc::schedule::pops::{PopsRequest, schedule};
use metronoc::spec::pops::PopsAlgorithm;
use metronoc::topology::Pops;
use rustworkx_core::bipartite_coloring::bipartite_edge_color;
use rustworkx_core::petgraph::graph::UnGraph;
use std::collections::BTreeSet;
use std::hint::black_box;

/// Random permutations that are averaged over.
const SAMPLES: u32 = 200;

fn means(_: &mut Criterion) {
    println!("| (d,g) | theorem | bound | best |\n|---|---|---|---|");
    for (d, g) in [(16, 4), (64, 4), (256, 4), (16, 8), (64, 8), (256, 16)] {
        let net = Pops::new(d, g);
        let (mut bound, mut slots) = (0, 0);
        for seed in 0..SAMPLES {
            let relation = Relation::Permutation(pattern::random(d * g, seed.into()));
            let made = schedule(net, &relation, &PopsRequest::new(PopsAlgorithm::Best)).expect("a schedule");
            let checked = check_pops(net, &relation, made).expect("it holds");
            bound += checked.bounds().largest();
            slots += checked.schedule().slots;
        }
        let mean = |sum: f64| sum / f64::from(SAMPLES);
        println!("| ({d},{g}) | {} | {:.2} | {:.2} |", 2 * d.div_ceil(g), mean(bound as f64), mean(slots.into()));
    }
}

fn schedules(c: &mut Criterion) {
    let mut group = c.benchmark_group("pops");
    group.sample_size(10);
    for (d, g, algorithm) in
        [(1024, 1024, PopsAlgorithm::Theorem), (16384, 64, PopsAlgorithm::Theorem), (65536, 16, PopsAlgorithm::Mixed)]
    {
        let (net, relation) = (Pops::new(d, g), Relation::Permutation(pattern::random(d * g, 1)));
        let request = PopsRequest::new(algorithm);
        let made = schedule(net, &relation, &request).expect("a schedule");
        check_pops(net, &relation, made).expect("it holds");
        group.bench_function(format!("{} on {net}", algorithm.name()), |b| {
            b.iter(|| schedule(black_box(net), &relation, &request).expect("a schedule"));
        });
    }
    group.finish();
}

fn reading(c: &mut Criterion) {
    let file = tempfile::Builder::new().suffix(".csv").tempfile().expect("a file");
    let list: Vec<String> = pattern::random(1 << 20, 1).iter().map(u32::to_string).collect();
    std::fs::write(file.path(), list.join("\n")).expect("it can be written");
    c.bench_function("reading 2^20 numbers as .csv", |b| {
        b.iter(|| numbers::permutation(&numbers::read(file.path()).expect("numbers"), 1 << 20).expect("a permutation"));
    });
}

/// 256 groups of 256 processors: 65536 edges.
fn colouring(c: &mut Criterion) {
    let (g, permutation) = (256, pattern::random(1 << 16, 1));
    let edges: Vec<(u32, u32)> = (0..).zip(&permutation).map(|(from, to)| (from / g, to / g)).collect();
    let graph = UnGraph::<(), ()>::from_edges(edges.iter().map(|(from, to)| (*from, g + to)));
    let colours = colour_edges(g as usize, g as usize, &edges, 1);
    let ends = |side: fn(&(u32, u32)) -> u32| -> BTreeSet<(u32, u32)> {
        edges.iter().map(side).zip(colours.iter().copied()).collect()
    };
    let proper = [ends(|edge| edge.0), ends(|edge| edge.1)].iter().all(|ends| ends.len() == edges.len());
    assert!(proper && colours.len() == edges.len(), "two edges of a node have one colour");
    let mut group = c.benchmark_group("edge colouring 256 × 256");
    group.sample_size(10);
    group.bench_function("metronoc", |b| b.iter(|| colour_edges(g as usize, g as usize, black_box(&edges), 1)));
    group.bench_function("rustworkx-core", |b| b.iter(|| bipartite_edge_color(black_box(&graph)).expect("bipartite")));
    group.finish();
}

criterion_group!(benches, means, schedules, reading, colouring);
criterion_main!(benches);
