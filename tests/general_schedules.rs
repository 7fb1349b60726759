//! Schedules of any demand on any network: judged transfer by transfer, and held against lower bounds.

use crate::common::graphs::{self, demand, dgx1, document, grid, kautz, lower_bounds, problem, verdict};
use metronoc::check::judge::{Fault, judge};
use metronoc::collective::demand::{Chunk, Demand};
use metronoc::id::NodeId;
use metronoc::program::{Operation, Who, import};
use metronoc::schedule::general::{
    Effort, Found, Made, PortModel, Problem, SCHEDULERS, schedule, search, search_in_parts,
};
use metronoc::topology::{Graph, Topology};

const QUICK: Effort = Effort { time_limit_s: 0, seed: 1 };
const SECOND: Effort = Effort { time_limit_s: 1, seed: 1 };

fn made(problem: &Problem, algorithm: &str, effort: &Effort) -> Made {
    schedule(problem, algorithm, effort).unwrap_or_else(|error| panic!("{error}"))
}

/// Pseudo-random numbers below a limit.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % limit as u64) as usize
    }
}

/// A strongly connected network of a few nodes: a cycle through all, and some more channels; latencies of 1 to 3
/// cycles.
fn random_network(random: &mut Random) -> Problem {
    let nodes = 3 + random.below(6);
    let mut channels: Vec<(u32, u32)> = (0..nodes as u32).map(|node| (node, (node + 1) % nodes as u32)).collect();
    for _ in 0..random.below(2 * nodes) {
        let ends = (random.below(nodes) as u32, random.below(nodes) as u32);
        // a node has one loopback at most
        if ends.0 != ends.1 || !channels.contains(&ends) {
            channels.push(ends);
        }
    }
    let net = Graph::new((0..nodes as u32).map(|node| vec![node]).collect(), &channels).expect("its nodes");
    let latency = (0..net.nodes() * net.ports()).map(|_| 1 + random.below(3) as u32).collect();
    let ports = if random.below(2) == 0 { PortModel::All } else { PortModel::One };
    Problem { latency, ports, ..Problem::new(net, Demand::default()) }
}

/// Some of the nodes, at least one.
fn some(nodes: usize, random: &mut Random) -> Vec<NodeId> {
    let mut all: Vec<NodeId> = (0..nodes).map(NodeId::from).collect();
    while all.len() > 1 && random.below(3) > 0 {
        all.remove(random.below(all.len()));
    }
    all
}

#[test]
fn every_algorithm_keeps_every_rule_on_any_network_and_no_bound_is_broken() {
    let mut random = Random(7);
    for round in 0..60 {
        let empty = random_network(&mut random);
        let nodes = empty.net.nodes();
        let kinds = ["all-to-all", "all-gather", "broadcast", "gather", "reduce", "reduce-scatter", "all-reduce"];
        let kind = kinds[round % kinds.len()];
        let problem = Problem { demand: demand(kind, nodes, 1 + round % 3), ..empty };
        let bounds = lower_bounds(&problem);
        for scheduler in SCHEDULERS {
            let Some(made) = scheduler.schedule(&problem, &QUICK) else { continue };
            let name = format!("round {round}: {kind} by {}, {:?}", scheduler.name(), problem.ports);
            verdict(&problem, &made, kind, 1 + round % 3).unwrap_or_else(|fault| panic!("{name}: {fault}"));
            for bound in bounds.all() {
                let (known, cycles) = (bound.cycles, made.cycles);
                assert!(u64::from(cycles) >= known, "{name}: {cycles} < {known}: {}", bound.reason);
            }
        }
    }
}

#[test]
fn searches_keep_the_rules_of_one_port() {
    for (kind, count) in [("all-gather", 1), ("all-to-all", 1), ("all-reduce", 3)] {
        let problem = Problem { ports: PortModel::One, ..problem(grid(&[2, 3], false), kind, count) };
        let made = made(&problem, "reroute", &SECOND);
        verdict(&problem, &made, kind, count).unwrap_or_else(|fault| panic!("{kind}: {fault}"));
    }
}

#[test]
fn demands_of_any_form_come_to_their_ends() {
    let mut random = Random(3);
    for round in 0..40 {
        let empty = random_network(&mut random);
        let nodes = empty.net.nodes();
        let combines = round % 2 == 0;
        let chunk = |random: &mut Random| {
            let from = if combines { some(nodes, random) } else { vec![random.below(nodes).into()] };
            Chunk { from, to: some(nodes, random) }
        };
        let chunks = (0..1 + random.below(9)).map(|_| chunk(&mut random)).collect();
        let problem = Problem { demand: Demand { chunks }, ..empty };
        let made = made(&problem, "best", &QUICK);
        verdict(&problem, &made, "any", 1).unwrap_or_else(|fault| panic!("round {round}: {fault}"));
        let bounds = lower_bounds(&problem);
        assert!(u64::from(made.cycles) + 1 > bounds.all().iter().map(|bound| bound.cycles).max().unwrap_or(0));
        assert_eq!(made.chunk.len(), made.program.values.len());
        if combines {
            // each node that is owed a combination has it as a result, once
            let owed = problem.demand.chunks.iter().filter(|chunk| chunk.from.len() > 1);
            let mut owed: Vec<(u32, NodeId)> = (0..)
                .zip(&problem.demand.chunks)
                .filter(|(_, chunk)| chunk.from.len() > 1)
                .flat_map(|(number, chunk)| chunk.to.iter().map(move |&node| (number, node)))
                .take(owed.map(|chunk| chunk.to.len()).sum())
                .collect();
            let result = |&value: &u32| match made.program.values[value as usize].who {
                Who::One(node) => (made.chunk[value as usize].expect("a chunk"), node),
                who => panic!("a result of {who:?}"),
            };
            let mut found: Vec<(u32, NodeId)> = made.program.results.iter().map(result).collect();
            found.retain(|(chunk, _)| problem.demand.chunks[*chunk as usize].from.len() > 1);
            owed.sort_unstable();
            found.sort_unstable();
            assert_eq!(owed, found, "round {round}");
        }
    }
}

#[test]
fn combinations_are_imported_again() {
    let problem = problem(grid(&[3, 3], false), "all-reduce", 2);
    let made = made(&problem, "best", &QUICK);
    let document = document(&problem, &made, "all-reduce", 2);
    let imported = import(&document).expect("a program");
    assert_eq!(imported.program.results.len(), 18);
}

#[test]
fn the_judge_finds_what_is_broken() {
    let problem = problem(grid(&[3, 3], false), "all-reduce", 3);
    let made = made(&problem, "best", &QUICK);
    let whole = document(&problem, &made, "all-reduce", 3);
    let mut early = whole.clone();
    let first = early.transfers.iter().position(|transfer| transfer.0 > 0).expect("a second cycle");
    early.transfers[first].0 -= 1;
    assert!(judge(&early).is_err());
    let mut partial = whole.clone();
    let op = partial.ops.iter_mut().flatten().find(|op| op.inputs.len() > 1).expect("a combination");
    op.inputs.pop();
    assert!(matches!(judge(&partial), Err(Fault::Result { .. })));
    let one = metronoc::program::Document { network: serde_json::json!({ "ports": "one" }), ..whole };
    assert!(matches!(judge(&one), Err(Fault::Conflict { .. })));
}

#[test]
fn a_seed_gives_one_schedule() {
    let problem = problem(kautz(2, 3), "all-to-all", 1);
    for algorithm in ["balanced", "reroute"] {
        let program = |seed| made(&problem, algorithm, &Effort { seed, time_limit_s: 0 }).program;
        assert!(program(5) == program(5) && program(5) != program(6), "{algorithm}");
    }
}

#[test]
fn the_effort_is_what_shortens() {
    let problem = problem(kautz(2, 3), "all-to-all", 1);
    let (quick, long) = (made(&problem, "reroute", &QUICK).cycles, made(&problem, "reroute", &SECOND).cycles);
    assert!(long <= quick && long <= 15, "{long} of {quick}");
}

/// The network with the ports of each node in another order.
fn shuffled(net: &Graph) -> Graph {
    let mut random = Random(1);
    let labels: Vec<Vec<u32>> = (0..net.nodes()).map(|node| net.label(node.into())).collect();
    let mut channels = Vec::new();
    for node in 0..net.nodes() {
        let mut ends: Vec<u32> = (0..net.ports_of(node.into())).map(|p| net.neighbour(node.into(), p).get()).collect();
        for i in (1..ends.len()).rev() {
            ends.swap(i, random.below(i + 1));
        }
        channels.extend(ends.into_iter().map(|end| (node as u32, end)));
    }
    Graph::new(labels, &channels).expect("its nodes")
}

#[test]
fn groups_are_found_in_ports_labels_and_numbers() {
    let hypercube: Vec<(u32, u32)> = (0..16).flat_map(|node| (0..4).map(move |bit| (node, node ^ 1 << bit))).collect();
    let hypercube = Graph::new((0..16).map(|node| vec![node]).collect(), &hypercube).expect("its nodes");
    let torus = grid(&[3, 5], true);
    for (net, by_port) in
        [(torus.clone(), true), (shuffled(&torus), false), (hypercube.clone(), true), (shuffled(&hypercube), false)]
    {
        let problem = problem(net, "all-to-all", 1);
        for algorithm in ["uniform", "uniform-periodic", "uniform-terminal"] {
            let made = made(&problem, algorithm, &QUICK);
            let account = verdict(&problem, &made, "all-to-all", 1).unwrap_or_else(|fault| panic!("{fault}"));
            assert_eq!(account.waiting, 0);
            assert!(made.program.moves.iter().all(|m| (m.who == Who::Every) == by_port));
            assert!(made.program.period.is_some_and(|period| period <= made.cycles));
        }
    }
    // a mesh has none; the Petersen graph looks the same from every node, and no group of ten elements acts on it
    let petersen = (0..5).flat_map(|i| [(i, (i + 1) % 5), (i, i + 5), (i + 5, (i + 2) % 5 + 5)]);
    let petersen: Vec<(u32, u32)> = petersen.flat_map(|(a, b)| [(a, b), (b, a)]).collect();
    let petersen = Graph::new((0..10).map(|node| vec![node]).collect(), &petersen).expect("its nodes");
    for net in [grid(&[3, 3], false), petersen] {
        let error = schedule(&problem(net, "all-to-all", 1), "uniform", &QUICK).unwrap_err();
        assert_eq!(error.to_string(), "`uniform` does not apply to this collective on this network");
    }
}

#[test]
fn a_terminal_sends_and_takes_one_word_a_cycle() {
    let problem = problem(grid(&[4, 4], true), "all-to-all", 1);
    let made = made(&problem, "uniform-terminal", &QUICK);
    let mut starts: Vec<u32> = made.program.moves.iter().map(|m| m.at).collect();
    let mut ends: Vec<u32> = made.program.moves.iter().map(|m| m.at + m.hops.len() as u32).collect();
    for cycles in [&mut starts, &mut ends] {
        cycles.sort_unstable();
        assert!(cycles.windows(2).all(|pair| pair[0] < pair[1]));
    }
}

fn check(net: Graph, kind: &str, count: usize, goal: u32, effort: &Effort) {
    let problem = problem(net, kind, count);
    let made = made(&problem, "best", effort);
    verdict(&problem, &made, kind, count).unwrap_or_else(|fault| panic!("{fault}"));
    assert!(made.cycles <= goal, "{kind}: {} slots, not {goal}", made.cycles);
}

#[test]
fn small_networks_meet_their_goals() {
    check(dgx1(), "all-to-all", 1, 3, &SECOND);
    check(dgx1(), "all-to-all", 3, 8, &SECOND);
    check(dgx1(), "all-gather", 2, 3, &SECOND);
    check(dgx1(), "all-gather", 6, 7, &SECOND);
    check(dgx1(), "all-reduce", 8, 4, &QUICK);
    check(grid(&[3, 3, 3], true), "all-gather", 1, 5, &SECOND);
    check(grid(&[5, 5], false), "all-gather", 1, 12, &SECOND);
    check(grid(&[4, 4], false), "all-to-all", 1, 18, &QUICK);
    check(grid(&[6, 6], true), "all-to-all", 1, 28, &QUICK);
}

#[test]
fn a_small_sum_is_made_at_every_node() {
    // an operator of three operands takes 3 cycles
    let with = |net: Graph, count: usize, operator: u32| Problem { operator, ..problem(net, "all-reduce", count) };
    let cube: Vec<(u32, u32)> = (0..16).flat_map(|node| (0..4).map(move |bit| (node, node ^ 1 << bit))).collect();
    let cube = Graph::new((0..16).map(|node| vec![node]).collect(), &cube).unwrap();
    for (problem, algorithm, goal) in [
        // two words come in the first cycle and one in the second: four operands
        (with(grid(&[4], true), 1, 3), "gather-and-sum", 2),
        (with(grid(&[4], true), 1, 3), "best", 2),
        // two phases of groups of four nodes, each of a cycle or two more than it takes at least, and an operator between them
        (with(cube, 1, 3), "exchange", 3 + 3 + 3),
        (with(grid(&[3, 5], false), 2, 4), "exchange", 30),
    ] {
        let made = made(&problem, algorithm, &QUICK);
        let count = problem.demand.chunks.len();
        verdict(&problem, &made, "all-reduce", count).unwrap_or_else(|fault| panic!("{algorithm}: {fault}"));
        assert!(made.cycles <= goal, "{algorithm}: {} cycles, not {goal}", made.cycles);
    }
    // an exchange is of all nodes with all nodes
    let reduce = problem(grid(&[4], true), "reduce", 1);
    assert!(schedule(&reduce, "exchange", &QUICK).is_err());
    // words that are no sums
    assert!(schedule(&problem(grid(&[4], true), "all-gather", 1), "gather-and-sum", &QUICK).is_err());
}

/// A word may pass nodes that combine nothing, so a tree of sums is not the shortest where the operator takes time.
#[test]
fn sums_need_not_stop_at_every_node() {
    let with = |net: Graph, operator: u32| Problem { operator, ..problem(net, "reduce", 1) };
    for (problem, stages, best) in [
        (with(grid(&[4], true), 3), None, 2),
        (with(grid(&[8, 8], true), 4), Some(17), 17),
        (with(grid(&[16, 16], true), 4), Some(26), 26),
        (Problem { ports: PortModel::One, ..with(grid(&[3, 4], false), 2) }, Some(15), 12),
    ] {
        for (algorithm, goal) in [("stages", stages), ("best", Some(best))] {
            let Some(goal) = goal else { continue };
            let made = made(&problem, algorithm, &QUICK);
            verdict(&problem, &made, "reduce", 1).unwrap_or_else(|fault| panic!("{algorithm}: {fault}"));
            assert!(made.cycles <= goal, "{algorithm}: {} cycles, not {goal}", made.cycles);
        }
    }
    let ring = with(grid(&[4], true), 3);
    let Found { made, is_shortest } = search(&ring, "exact", &SECOND).expect("it applies");
    assert!(!is_shortest, "{} cycles are called the fewest, and 2 are enough", made.cycles);
    let Found { made, is_shortest } = search(&ring, "best", &SECOND).expect("it applies");
    assert_eq!((made.cycles, is_shortest), (2, true));
    // sums for several nodes
    assert!(schedule(&problem(grid(&[4], true), "reduce-scatter", 1), "stages", &QUICK).is_err());
}

/// Trees that are searched for lie between sums at every node and one sum of all words.
#[test]
fn trees_of_sums_are_near_their_bounds() {
    let with = |net: Graph, kind: &str, operator: u32| Problem { operator, ..problem(net, kind, 1) };
    let star: Vec<(u32, u32)> = (1..9).flat_map(|node| [(0, node), (node, 0)]).collect();
    let star = Graph::new((0..9).map(|node| vec![node]).collect(), &star).unwrap();
    for (problem, kind, goal) in [
        (with(grid(&[9], true), "reduce-scatter", 3), "reduce-scatter", 8),
        (with(grid(&[4, 4], true), "reduce-scatter", 4), "reduce-scatter", 8),
        (with(grid(&[3, 3], false), "reduce-scatter", 4), "reduce-scatter", 8),
        (with(star, "reduce-scatter", 5), "reduce-scatter", 14),
        (with(grid(&[11], false), "reduce", 3), "reduce", 10),
        (with(grid(&[3, 3], true), "all-reduce", 3), "all-reduce", 12),
        (with(grid(&[2, 5], false), "all-reduce", 3), "all-reduce", 16),
        (Problem { ports: PortModel::One, ..with(grid(&[5], true), "reduce-scatter", 3) }, "reduce-scatter", 10),
    ] {
        let free = Problem { is_operator_free: true, ..problem };
        let made = made(&free, "sum-trees", &QUICK);
        verdict(&free, &made, kind, 1).unwrap_or_else(|fault| panic!("{kind}: {fault}"));
        let name = format!("{kind} on {} nodes", free.net.nodes());
        assert!(made.cycles <= goal, "{name}: {} cycles, not {goal}", made.cycles);
        // operators that other programs use, too, have their cycles
        let fixed = Problem { is_operator_free: false, ..free };
        let made = self::made(&fixed, "sum-trees", &QUICK);
        let mut sums = made.program.ops.iter().filter(|op| op.operation == Operation::Combine);
        assert!(sums.all(|op| op.latency == fixed.operator), "{name}");
    }
    assert!(schedule(&problem(grid(&[4], true), "all-gather", 1), "sum-trees", &QUICK).is_err());
}

/// Whatever `exact` proves, no other algorithm is shorter: sums of operators that take time, too.
#[test]
fn no_algorithm_is_shorter_than_what_is_proved() {
    let mut random = Random(17);
    for round in 0..30 {
        let empty = random_network(&mut random);
        let kinds = ["reduce", "reduce-scatter", "all-reduce", "gather", "all-gather"];
        let demand = demand(kinds[round % kinds.len()], empty.net.nodes(), 1 + round % 2);
        let problem = Problem { demand, operator: (round % 4) as u32, ..empty };
        let Ok(Found { made, is_shortest: true }) = search(&problem, "exact", &SECOND) else { continue };
        for scheduler in SCHEDULERS {
            if let Some(other) = scheduler.schedule(&problem, &QUICK) {
                assert!(made.cycles <= other.cycles, "round {round}: {} by {}", other.cycles, scheduler.name());
            }
        }
    }
}

#[test]
fn an_algorithm_that_would_take_too_long_does_not_begin() {
    let one = Chunk { from: vec![NodeId::new(0)], to: vec![NodeId::new(1)] };
    let many = |count: usize| {
        let demand = Demand { chunks: vec![one.clone(); count] };
        schedule(&Problem::new(grid(&[3], true), demand), "matching", &QUICK).unwrap_err().to_string()
    };
    assert_eq!(many(500_000), "an attempt by `matching` would take about 3906 s, above 2500");
    assert_eq!(many(5), "`matching` does not apply to this collective on this network");
}

#[test]
#[ignore = "a search on large networks, minutes without optimisation; .ci/run includes it"]
fn large_networks_meet_their_goals() {
    for (size, goal) in [(5, 34), (8, 133), (10, 260)] {
        check(grid(&[size, size], false), "all-to-all", 1, goal, &SECOND);
    }
    for (size, goal) in [(7, 53), (8, 71), (9, 99), (10, 137)] {
        check(grid(&[size, size], true), "all-to-all", 1, goal, &SECOND);
    }
    for (degree, diameter, goal) in [(2, 3, 16), (2, 4, 44), (3, 3, 33), (4, 3, 57)] {
        check(kautz(degree, diameter), "all-to-all", 1, goal, &SECOND);
    }
    check(grid(&[10, 10], false), "all-gather", 2, 99, &SECOND);
    check(grid(&[7, 12], false), "all-gather", 3, 125, &SECOND);
}

/// The schedule by `exact`, judged, and true if it is proved to be the shortest.
fn exact(problem: &Problem, kind: &str, count: usize) -> (u32, bool) {
    let Found { made, is_shortest } = search(problem, "exact", &SECOND).unwrap_or_else(|error| panic!("{error}"));
    verdict(problem, &made, kind, count).unwrap_or_else(|fault| panic!("{kind}: {fault}"));
    (made.cycles, is_shortest)
}

#[test]
fn exact_schedules_are_proved_to_be_the_shortest() {
    let line =
        || Graph::new((0..3).map(|node| vec![node]).collect(), &[(0, 1), (1, 0), (1, 2), (2, 1)]).expect("its nodes");
    for (kind, count) in [("all-to-all", 1), ("all-gather", 2), ("broadcast", 3), ("gather", 1), ("reduce", 2)] {
        let (cycles, is_shortest) = exact(&problem(line(), kind, count), kind, count);
        assert!(is_shortest, "{kind}: {cycles}");
    }
    let (mut random, mut refuted) = (Random(11), 0);
    for round in 0..24 {
        let empty = random_network(&mut random);
        let nodes = empty.net.nodes();
        let kinds = ["all-to-all", "all-gather", "broadcast", "gather", "reduce", "reduce-scatter"];
        let (kind, count) = (kinds[round % kinds.len()], 1 + round % 2);
        let problem = Problem { demand: demand(kind, nodes, count), ..empty };
        let (cycles, is_shortest) = exact(&problem, kind, count);
        let others = made(&problem, "best", &QUICK).cycles;
        assert!(cycles <= others, "round {round}: {cycles} of {others}");
        refuted += usize::from(is_shortest && u64::from(cycles) > lower_bounds(&problem).largest());
    }
    // more than any bound says
    assert!(refuted > 0, "nothing is refuted");
}

#[test]
fn exact_takes_small_problems_alone() {
    // in the second, every node of a ring sends and receives in all of 4 cycles
    assert_eq!(exact(&problem(dgx1(), "all-gather", 2), "all-gather", 2), (3, true));
    let ring: Vec<(u32, u32)> = (0..5).flat_map(|i| [(i, (i + 1) % 5), ((i + 1) % 5, i)]).collect();
    let net = Graph::new((0..5).map(|node| vec![node]).collect(), &ring).expect("its nodes");
    let one = Problem { ports: PortModel::One, ..problem(net, "all-gather", 1) };
    let (cycles, is_shortest) = exact(&one, "all-gather", 1);
    assert_eq!((cycles, is_shortest), (4, true));
    let large = problem(grid(&[8, 8], false), "all-to-all", 1);
    let error = search(&large, "exact", &SECOND).unwrap_err();
    assert_eq!(error.to_string(), "`exact` does not apply to this collective on this network");
}

#[test]
fn best_is_never_longer_than_an_algorithm_by_name() {
    for (net, kind) in [
        (kautz(2, 3), "all-to-all"),
        (grid(&[3, 4], false), "all-to-all"),
        (grid(&[3, 3], false), "all-reduce"),
        (grid(&[4, 4], true), "reduce"),
    ] {
        let problem = problem(net, kind, 2);
        let best = made(&problem, "best", &SECOND);
        for scheduler in SCHEDULERS {
            if let Some(made) = scheduler.schedule(&problem, &SECOND) {
                assert!(best.cycles <= made.cycles, "{kind}: {} by {}", made.cycles, scheduler.name());
            }
        }
        assert!(made(&problem, "best", &SECOND).program == best.program, "{kind}: another schedule");
    }
}

#[test]
#[ignore = "searches of five seconds each, on a hundred nodes; .ci/run includes it"]
fn best_is_never_longer_than_any_algorithm_in_the_same_time() {
    let problem = problem(grid(&[10, 10], false), "all-to-all", 1);
    let cycles = |name| schedule(&problem, name, &Effort { time_limit_s: 5, seed: 1 }).expect("it applies").cycles;
    let best = cycles("best");
    for name in ["balanced", "reroute"] {
        let named = cycles(name);
        assert!(best <= named, "{best} cycles, and {named} by {name}");
    }
}

#[test]
fn words_of_a_part_follow_one_another() {
    let mut random = Random(5);
    let mut checked = 0;
    for round in 0..36 {
        let empty = random_network(&mut random);
        let (nodes, size) = (empty.net.nodes(), 2 + round as u32 % 3);
        let kinds = ["all-gather", "broadcast", "reduce", "all-reduce"];
        let (kind, count) = (kinds[round % kinds.len()], 2 * size as usize);
        let problem = Problem { demand: demand(kind, nodes, count), operator: round as u32 % 3, ..empty };
        let Ok(found) = search_in_parts(&problem, size, "best", &QUICK) else { continue };
        let name = format!("round {round}: {kind}, parts of {size}, {:?}", problem.ports);
        verdict(&problem, &found.made, kind, count).unwrap_or_else(|fault| panic!("{name}: {fault}"));
        checked += 1;
    }
    assert!(checked > 12, "{checked}");
    // where one node's program stands for all: 4 words of each pair in one part take 4 times the slots of one word
    let chunks = demand("all-to-all", 16, 1).chunks.into_iter().flat_map(|chunk| vec![chunk; 4]).collect();
    let problem = Problem::new(grid(&[4, 4], true), Demand { chunks });
    let found = search_in_parts(&problem, 4, "uniform", &QUICK).expect("a schedule");
    verdict(&problem, &found.made, "all-to-all of several words", 4).unwrap_or_else(|fault| panic!("{fault}"));
    assert_eq!(
        found.made.cycles,
        4 * made(&graphs::problem(grid(&[4, 4], true), "all-to-all", 1), "uniform", &QUICK).cycles
    );
}
