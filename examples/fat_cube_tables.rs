//! Tables 6 and 7 of Dvorak's paper on fat cubes, each cell as: steps that are printed / by its formula / lower bound / by `best`.
//!
//! `cargo run --release --example fat_cube_tables`

use metronoc::claims::fat_cube::{Net, bounds, formulas, printed_steps};
use metronoc::collective::general::{AllGather, AllToAll, Broadcast, Definition, Rule, Scatter};
use metronoc::id::NodeId;
use metronoc::schedule::general::{Effort, Problem, schedule};
use metronoc::topology::{FatCube, Graph};
use std::rc::Rc;

/// Steps by `best`.
fn best(net: Net, rule: Rc<dyn Rule>) -> u32 {
    let processors: Vec<NodeId> = (0..net.processors()).map(NodeId::new).collect();
    let definition = Definition::new(rule, &processors, 1, 1).expect("a collective");
    let graph = Graph::of(&FatCube::new(net.d, net.m, net.f, net.k));
    let problem = Problem::new(graph, definition.demand());
    schedule(&problem, "best", &Effort { time_limit_s: 1, seed: 1 }).expect("a schedule").cycles
}

/// Prints both tables; no cell of `best` may be above the bound.
pub fn main() {
    println!("printed / formula / bound / best: broadcast, all-gather, scatter, all-to-all");
    for (net, printed) in printed_steps() {
        let rules: [Rc<dyn Rule>; 4] =
            [Rc::new(Broadcast { root: 0 }), Rc::new(AllGather), Rc::new(Scatter { root: 0 }), Rc::new(AllToAll)];
        let (formula, bound) = (formulas::steps(net), bounds::steps(net));
        let cells = rules.into_iter().enumerate().map(|(kind, rule)| {
            let best = best(net, rule);
            assert_eq!(best, bound[kind], "{net}");
            format!("{:>3} /{:>3} /{:>3} /{best:>3}", printed[kind], formula[kind], bound[kind])
        });
        println!("{net}: {}", cells.collect::<Vec<_>>().join("  |"));
    }
}
