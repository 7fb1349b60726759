//! Slots of schedules of any demand on any network, beside the largest lower bound, with the seconds that they take and the program
//! memory of a node. Every schedule is judged transfer by transfer, and no schedule may be longer than its goal. `cargo bench --bench general_schedules --
//! torus` takes those whose name contains `torus`; those of 1,024 nodes are taken only by `-- large`.

#[path = "../tests/common/graphs.rs"]
mod graphs;

use graphs::{dgx1, grid, kautz, lower_bounds, problem, verdict};
use metronoc::check::program::{Goal, Rules, check};
use metronoc::collective::general::{
    AllGather, AllReduce, AllToAll, Broadcast, ChunkArrays, Definition, Reduce, ReduceScatter, Rule,
};
use metronoc::lower::slot_table::{NodeMemory, SlotTableError};
use metronoc::lower::{LowerError, lower_slot_table_in};
use metronoc::schedule::general::{Effort, Found, Made, PortModel, Problem, search};
use metronoc::spec::{Operator, RouterSpec, ScheduleSpec, Storage};
use metronoc::topology::swapped_dragonfly::Group;
use metronoc::topology::{Graph, SwappedDragonfly, Topology};
use std::rc::Rc;
use std::time::Instant;

/// A line of the table: network, collective, words, algorithm, seconds of effort, and the most slots.
struct Case {
    network: String,
    net: Graph,
    kind: &'static str,
    count: usize,
    algorithm: &'static str,
    effort: u32,
    goal: u32,
    ports: PortModel,
}

fn case(
    network: &str,
    net: Graph,
    (kind, count): (&'static str, usize),
    (algorithm, effort): (&'static str, u32),
    goal: u32,
) -> Case {
    Case { network: network.to_owned(), net, kind, count, algorithm, effort, goal, ports: PortModel::All }
}

const EXCHANGE: (&str, usize) = ("all-to-all", 1);

fn cases() -> Vec<Case> {
    let mut all = Vec::new();
    for (size, goals) in [
        (5, [15, 15, 26]),
        (6, [27, 27, 38]),
        (7, [42, 42, 52]),
        (8, [64, 64, 71]),
        (9, [92, 91, 96]),
        (10, [128, 128, 134]),
    ] {
        let name = format!("torus {size}×{size}");
        let net = grid(&[size, size], true);
        for (by, goal) in [("best", 5), ("uniform-periodic", 5), ("uniform-terminal", 20)].into_iter().zip(goals) {
            all.push(case(&name, net.clone(), EXCHANGE, by, goal));
        }
    }
    // 1.05 of the bound, 512
    for by in [("uniform", 30), ("uniform-periodic", 30), ("balanced", 0)] {
        all.push(case("torus 8×8×8", grid(&[8, 8, 8], true), EXCHANGE, by, 537));
    }
    for (size, goal) in [(4, 16), (5, 30), (8, 128), (10, 250)] {
        all.push(case(&format!("mesh {size}×{size}"), grid(&[size, size], false), EXCHANGE, ("best", 5), goal));
    }
    all.push(case("mesh 10×10", grid(&[10, 10], false), EXCHANGE, ("reroute", 5), 250));
    for (degree, diameter, goal) in [(2, 3, 15), (2, 4, 40), (3, 3, 32), (4, 3, 56)] {
        let name = format!("Kautz K({degree},{diameter})");
        all.push(case(&name, kautz(degree, diameter), EXCHANGE, ("best", 5), goal));
    }
    // programs that differ from router to router, below the bound of uniform ones: 12, 32, 30, 48
    for (k, m, goal) in [(2, 3, 11), (4, 4, 30), (3, 5, 29), (4, 6, 46)] {
        let net = SwappedDragonfly::new(k, m, Group::Cyclic);
        let graph = Graph::part(&net, |node, port| net.neighbour(node, port) != node);
        all.push(case(&format!("D3({k},{m})"), graph, EXCHANGE, ("best", 5), goal));
    }
    for (count, goal) in [(1, 3), (3, 8)] {
        all.push(case("DGX-1", dgx1(), ("all-to-all", count), ("best", 1), goal));
    }
    for (dims, wraps, count, goal) in [
        (&[3, 3, 3][..], true, 1, 5),
        (&[3, 4, 5], true, 2, 20),
        (&[4, 2, 3], true, 3, 14),
        (&[5, 5], false, 1, 12),
        (&[10, 10], false, 2, 99),
        (&[7, 12], false, 3, 125),
        (&[3, 4, 5], false, 2, 40),
    ] {
        let sizes: Vec<String> = dims.iter().map(u32::to_string).collect();
        let name = format!("{} {}", if wraps { "torus" } else { "mesh" }, sizes.join("×"));
        all.push(case(&name, grid(dims, wraps), ("all-gather", count), ("best", 1), goal));
    }
    all.push(case("torus 10×10", grid(&[10, 10], true), ("all-gather", 2), ("best", 1), 50));
    for (count, goal) in [(2, 3), (6, 7)] {
        for algorithm in ["best", "exact"] {
            all.push(case("DGX-1", dgx1(), ("all-gather", count), (algorithm, 1), goal));
        }
    }
    for (count, goal) in [(8, 4), (48, 14)] {
        all.push(case("DGX-1", dgx1(), ("all-reduce", count), ("best", 5), goal));
    }
    let mesh = || grid(&[4, 4], false);
    for (kind, count, goal) in
        [("broadcast", 8, 9), ("reduce", 8, 9), ("reduce-scatter", 16, 8), ("all-reduce", 1, 8), ("all-reduce", 16, 16)]
    {
        all.push(case("mesh 4×4", mesh(), (kind, count), ("best", 2), goal));
    }
    for (kind, count, goal) in [("all-to-all", 1, 44), ("all-gather", 1, 17), ("all-reduce", 16, 34)] {
        let case = case("mesh 4×4, one port", mesh(), (kind, count), ("best", 2), goal);
        all.push(Case { ports: PortModel::One, ..case });
    }
    all
}

/// Networks of 1,024 nodes. A schedule in full is too much there, and the checker of programs is the only judge.
fn large_cases() -> Vec<Case> {
    let cube: Vec<(u32, u32)> = (0..1024).flat_map(|node| (0..10).map(move |bit| (node, node ^ 1 << bit))).collect();
    let cube = Graph::new((0..1024).map(|node| vec![node]).collect(), &cube).expect("its nodes");
    let networks = [
        ("large torus 32×32", grid(&[32, 32], true), 256),
        ("large mesh 32×32", grid(&[32, 32], false), 512),
        ("large hypercube 10", cube, 103),
        ("large random regular 1,024 by 4", regular(1024, 4), 258),
    ];
    let gather = |(name, net, goal)| case(name, net, ("all-gather", 1), ("matching", 0), goal);
    networks.map(gather).into()
}

/// A network of so many links a node, drawn from a seed.
fn regular(nodes: u32, degree: u32) -> Graph {
    let mut random = 1_u64;
    loop {
        let mut ends: Vec<u32> = (0..nodes * degree).map(|end| end / degree).collect();
        for i in (1..ends.len()).rev() {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ends.swap(i, (random >> 33) as usize % (i + 1));
        }
        // nodes that are drawn as their own neighbours change with the pair before
        for pair in (2..ends.len()).step_by(2) {
            if ends[pair] == ends[pair + 1] {
                ends.swap(pair, pair - 1);
            }
        }
        if ends.chunks(2).all(|pair| pair[0] != pair[1]) {
            let channels: Vec<(u32, u32)> = ends.chunks(2).flat_map(|p| [(p[0], p[1]), (p[1], p[0])]).collect();
            return Graph::new((0..nodes).map(|node| vec![node]).collect(), &channels).expect("its nodes");
        }
    }
}

/// Program memory of the node with the most bits, of each form: with all fields, in its table, and from counters. Nothing for counters
/// that take no fewer bits than tables, and nothing at all for sums that take no time, which no hardware makes.
fn memory_of(problem: &Problem, made: &Made, kind: &str, count: usize) -> String {
    let operator = Operator::Sum;
    let (rule, words): (Rc<dyn Rule>, _) = match kind {
        "all-to-all" => (Rc::new(AllToAll), count),
        "all-gather" => (Rc::new(AllGather), count),
        "broadcast" => (Rc::new(Broadcast { root: 0 }), count),
        "reduce" => (Rc::new(Reduce { operator, root: 0 }), count),
        // the demand counts sums, of which each node has one
        "reduce-scatter" => (Rc::new(ReduceScatter { operator }), 1),
        "all-reduce" => (Rc::new(AllReduce { operator }), count),
        other => panic!("no collective {other}"),
    };
    let endpoints: Vec<_> = (0..problem.net.nodes()).map(metronoc::id::NodeId::from).collect();
    let definition = Definition::new(rule, &endpoints, words as u32, 1).expect("it fits");
    assert!(definition.demand() == problem.demand, "{kind} is another demand");
    let mut program = made.program.clone();
    program.number_parts(|value| definition.part(made.chunk[value]?));
    let collective = ChunkArrays::new(definition, made.chunk.clone());
    let lowered = |storage| {
        let schedule = ScheduleSpec { storage, ..ScheduleSpec::default() };
        lower_slot_table_in(&problem.net, &program, &collective, &RouterSpec::default(), &schedule)
    };
    let lowered = match lowered(Storage::Counter) {
        Err(error) if matches!(error.family(), Some(SlotTableError::NoCounters { .. })) => lowered(Storage::Rom),
        lowered => lowered,
    };
    let lowered = match lowered {
        Err(LowerError::FastOperator { .. }) => return " |  | ".to_owned(),
        lowered => lowered.expect("slot tables"),
    };
    let NodeMemory { whole_bits, table_bits, counter_bits } = lowered.program_memory().largest;
    format!("{whole_bits} | {table_bits} | {}", counter_bits.map_or(String::new(), |bits| bits.to_string()))
}

fn main() {
    let wanted = std::env::args().skip(1).find(|argument| !argument.starts_with('-')).unwrap_or_default();
    let is_large = wanted.contains("large");
    println!(
        "| network | collective | words | algorithm | slots | period | bound | because | ratio | shortest | s | all fields | table | counters |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|---|---|---|");
    let mut lines = 0;
    for case in if is_large { large_cases() } else { cases() } {
        let Case { network, net, kind, count, algorithm, effort, goal, ports } = case;
        if !format!("{network} {kind} {algorithm}").contains(&wanted) {
            continue;
        }
        let problem = Problem { ports, ..problem(net, kind, count) };
        let start = Instant::now();
        let found = search(&problem, algorithm, &Effort { time_limit_s: effort, seed: 1 }).expect("a schedule");
        let Found { made, is_shortest } = found;
        let seconds = start.elapsed().as_secs_f64();
        let start = Instant::now();
        if is_large {
            let goal = Goal::Demand(&problem.demand, &made.chunk);
            check(&problem.net, &made.program, &Rules::default(), &goal).expect("it holds");
        } else {
            verdict(&problem, &made, kind, count).expect("it holds");
        }
        let checked = start.elapsed().as_secs_f64();
        let start = Instant::now();
        let bounds = lower_bounds(&problem);
        let bounded = start.elapsed().as_secs_f64();
        if is_large {
            eprintln!("{network} {kind}: checked in {checked:.1} s, bounds in {bounded:.1} s, {}", memory());
        }
        let period = made.program.period;
        // a terminal sends one word a cycle
        let terminal = if algorithm == "uniform-terminal" { problem.net.nodes() as u64 - 1 } else { 0 };
        let most = bounds.largest().max(terminal);
        assert!(most <= made.cycles.into(), "the bound is broken");
        let slots = match (algorithm, period) {
            ("uniform-periodic", Some(period)) => period,
            _ => made.cycles,
        };
        assert!(slots <= goal, "{network} {kind} by {algorithm}: {slots} slots, and the goal is {goal}");
        let name = bounds.all().iter().find(|bound| bound.cycles == most).map_or("terminal", |bound| bound.name);
        let period = period.map_or(String::new(), |period| period.to_string());
        let (cycles, ratio, by) = (made.cycles, f64::from(slots) / most as f64, made.algorithm);
        let shortest = if is_shortest || most == u64::from(made.cycles) { "yes" } else { "" };
        print!("| {network} | {kind} | {count} | {by} | {cycles} | {period} ");
        let memory = if is_large { " |  | ".to_owned() } else { memory_of(&problem, &made, kind, count) };
        println!("| {most} | {name} | {ratio:.3} | {shortest} | {seconds:.1} | {memory} |");
        lines += 1;
    }
    assert!(lines > 0, "no case has `{wanted}` in its name");
}

/// Largest memory of the process so far, where the system tells.
fn memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).map(str::trim);
    peak.unwrap_or("memory unknown").to_owned()
}
