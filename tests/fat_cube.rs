//! Collectives on fat cubes: as few steps as the lower bounds, proved, judged, and the same at every router where that is said.

#[path = "../examples/fat_cube_tables.rs"]
mod fat_cube_tables;

use metronoc::check::graph_bounds::{Subject, bounds_of_circuits};
use metronoc::check::judge::judge;
use metronoc::check::program::{Goal, Kind, ProgramFault, Rules, check};
use metronoc::claims::fat_cube;
use metronoc::collective::demand::{Chunk, Demand};
use metronoc::collective::general::{
    AllGather, AllToAll, Broadcast, ChunkArrays, Definition, Gather, Permutation, Reduce, Rule, Scatter,
};
use metronoc::id::NodeId;
use metronoc::lower::slot_table::{ProgramMemory, SlotTableLowered};
use metronoc::lower::{Programmed, lower_slot_table};
use metronoc::program::{Document, Expansion};
use metronoc::schedule::general::{Effort, Made, Problem, schedule, search};
use metronoc::spec::{Operator, RouterSpec};
use metronoc::topology::{Exclusion, FatCube, Graph, Topology};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

const SECOND: Effort = Effort { time_limit_s: 1, seed: 1 };
const UNCOPIED: Rules = Rules { one_port: false, uncopied: true, shared_media: false };

/// Sizes m, f, d and k, and the steps of broadcast, all-gather, scatter and all-to-all: the paper's tables 6 and 7, at the bounds.
const CELLS: &[([u32; 4], [u32; 4])] = &[
    ([1, 1, 3, 1], [3, 7, 7, 7]),
    ([1, 1, 3, 3], [2, 3, 3, 4]),
    ([2, 1, 2, 1], [3, 7, 7, 8]),
    ([2, 1, 2, 2], [2, 4, 4, 8]),
    ([2, 2, 2, 2], [2, 4, 4, 4]),
    ([1, 1, 5, 1], [5, 31, 31, 31]),
    ([1, 1, 5, 5], [2, 7, 7, 16]),
    ([4, 1, 3, 1], [5, 31, 31, 64]),
    ([4, 2, 3, 2], [4, 16, 16, 32]),
    ([4, 1, 3, 3], [3, 11, 11, 64]),
    ([4, 2, 3, 3], [3, 11, 11, 32]),
    ([4, 4, 3, 3], [3, 11, 11, 16]),
];

fn rules(root: u32) -> [Rc<dyn Rule>; 4] {
    [Rc::new(Broadcast { root }), Rc::new(AllGather), Rc::new(Scatter { root }), Rc::new(AllToAll)]
}

/// A collective on a network, without what is left out.
struct Case {
    table: Value,
    definition: Definition,
    problem: Problem,
}

impl Case {
    fn new([m, f, d, k]: [u32; 4], rule: Rc<dyn Rule>, words: u32, excluded: &[u32]) -> Self {
        let net = FatCube::new(d, m, f, k);
        let rest = Exclusion::new(excluded.iter().copied(), []).apply(&net);
        let nodes: Vec<NodeId> = rest.nodes.into_iter().filter(|&node| !net.is_medium(node)).collect();
        let definition = Definition::new(rule, &nodes, words, 1).unwrap();
        let problem = Problem::new(rest.network, definition.demand());
        let table = json!({ "topology": "fat-cube", "d": d, "m": m, "f": f, "ports": k, "exclude_nodes": excluded });
        Self { table, definition, problem }
    }

    fn made(&self, algorithm: &str) -> Made {
        schedule(&self.problem, algorithm, &SECOND).unwrap_or_else(|error| panic!("{}: {error}", self.table))
    }

    /// The most of the lower bounds.
    fn bound(&self) -> u32 {
        let Problem { net, latency, demand, .. } = &self.problem;
        let bounds = bounds_of_circuits(Subject { net, latency, one_port: false, demand, operator: 0 });
        bounds.all().iter().map(|bound| bound.cycles as u32).max().unwrap_or(0)
    }

    /// Proves the program, and judges it transfer by transfer.
    fn holds(&self, made: &Made) {
        let Self { problem, definition, table } = self;
        let goal = Goal::Demand(&problem.demand, &made.chunk);
        let proof = check(&problem.net, &made.program, &UNCOPIED, &goal).unwrap_or_else(|fault| panic!("{fault}"));
        assert_eq!(proof.start + proof.cycles, made.cycles);
        let expansion = Expansion::new(&problem.net, &made.program).unwrap();
        let document = Document::new(&expansion, [table, &definition.table()]);
        let account = judge(&document).unwrap_or_else(|fault| panic!("{table}: {fault}"));
        assert!(account.known_topology && account.repeated_arrivals == 0, "{table}");
        assert_eq!(account.cycles, made.cycles);
    }
}

/// Channels of all routers in a step, by the displacement of the router: (router's input, router's output) pairs must be those of every router.
fn is_the_same_everywhere(net: FatCube, made: &Made) -> bool {
    let program = &made.program;
    // by step and router: input, as port back to where the word comes from, and output
    let mut settings: BTreeMap<u32, Vec<BTreeSet<(u32, u32)>>> = BTreeMap::new();
    for m in &program.moves {
        let value = program.values[m.value as usize];
        let mut at: Vec<(NodeId, u32)> = Vec::new();
        for hop in &program.hops[m.hops.start as usize..m.hops.end as usize] {
            let (from, ready) = match hop.parent {
                None => (value.who.nodes(net.nodes()).next().unwrap(), m.at),
                Some(parent) => at[(parent - m.hops.start) as usize],
            };
            let (step, to) = (ready + hop.wait, net.neighbour(from, hop.port as usize));
            if let (true, Some(parent)) = (net.is_medium(from), hop.parent) {
                let before = program.hops[parent as usize];
                let sender = before
                    .parent
                    .map_or(value.who.nodes(net.nodes()).next().unwrap(), |p| at[(p - m.hops.start) as usize].0);
                let back = match net.is_medium(sender) {
                    true => before.port,
                    false => net.port_to(sender.get() % net.m()) + before.port,
                };
                let router = from.get() - net.processors();
                let routers = settings.entry(step).or_insert_with(|| vec![BTreeSet::new(); net.routers() as usize]);
                assert!(routers[router as usize].insert((back, hop.port)));
            }
            at.push((to, step + u32::from(!net.is_medium(to))));
        }
    }
    settings.values().all(|routers| routers.iter().all(|setting| *setting == routers[0]))
}

#[test]
fn every_cell_of_the_papers_tables_is_at_the_bound() {
    for &(sizes, steps) in CELLS {
        for (rule, steps) in rules(0).into_iter().zip(steps) {
            let case = Case::new(sizes, rule, 1, &[]);
            let found = search(&case.problem, "best", &SECOND).unwrap();
            assert_eq!((found.made.cycles, case.bound()), (steps, steps), "{sizes:?} {:?}", case.definition.rule());
            // a search that knows the bound ends there
            assert!(found.is_shortest, "{sizes:?} {:?}", case.definition.rule());
            let made = found.made;
            case.holds(&made);
        }
    }
}

#[test]
fn all_to_all_and_all_gather_are_the_same_at_every_router() {
    for &([m, f, d, k], _) in CELLS {
        let net = FatCube::new(d, m, f, k);
        for rule in [Rc::new(AllToAll) as Rc<dyn Rule>, Rc::new(AllGather)] {
            let made = Case::new([m, f, d, k], rule, 1, &[]).made("fat-cube");
            assert!(is_the_same_everywhere(net, &made), "{net:?}");
        }
    }
    let broadcast = Case::new([2, 1, 2, 2], Rc::new(Broadcast { root: 0 }), 1, &[]).made("fat-cube");
    assert!(!is_the_same_everywhere(FatCube::new(2, 2, 1, 2), &broadcast));
}

#[test]
fn the_example_prints_the_papers_tables() {
    fat_cube_tables::main();
}

/// The program in slot tables.
fn lowered(case: &Case, made: &Made) -> SlotTableLowered {
    let arrays = ChunkArrays::new(case.definition.clone(), made.chunk.clone());
    let mut program = made.program.clone();
    program.number_parts(|value| case.definition.part(made.chunk[value]?));
    lower_slot_table(&case.problem.net, &program, &arrays, &RouterSpec::default()).unwrap_or_else(|e| panic!("{e}"))
}

/// Routers have one image in common where they do the same, and so have the processors of one number.
#[test]
fn one_image_serves_all_routers() {
    for (rule, steps) in [(Rc::new(AllGather) as Rc<dyn Rule>, 11), (Rc::new(AllToAll), 64)] {
        let case = Case::new([4, 1, 3, 3], rule, 1, &[]);
        let lowered = lowered(&case, &case.made("best"));
        let ProgramMemory { tables, different, settings, bits, different_bits, compressed_bits, .. } =
            lowered.program_memory();
        assert_eq!((tables, different), (40, 5));
        assert!(compressed_bits < different_bits && 8 * different_bits == bits);
        let settings = settings.unwrap();
        assert_eq!((settings.routers, settings.different, settings.steps, settings.step_bits), (8, 1, steps, 60));
        assert_eq!(settings.bits, u64::from(60 * steps));
        let names: BTreeSet<String> = (32..40).map(|node| lowered.image_names(node)[0].clone()).collect();
        assert_eq!(names.len(), 1);
        assert_eq!(lowered.images().iter().filter(|(name, _)| name.starts_with("table")).count(), 5);
    }
    // a broadcast is another one at every router
    let case = Case::new([2, 1, 2, 2], Rc::new(Broadcast { root: 0 }), 1, &[]);
    let memory = lowered(&case, &case.made("fat-cube")).program_memory();
    assert!(memory.settings.unwrap().different > 1 && memory.different > 3);
}

/// Several words overlap: fewer steps than one after the other, and as many as the bound or one more.
#[test]
fn words_of_a_broadcast_overlap() {
    for (sizes, words, one) in [([1, 1, 3, 3], 8, 2), ([2, 1, 2, 2], 6, 2), ([4, 2, 2, 1], 5, 4), ([4, 1, 3, 3], 9, 3)]
    {
        let case = Case::new(sizes, Rc::new(Broadcast { root: 1 % (sizes[0] << sizes[2]) }), words, &[]);
        let found = search(&case.problem, "best", &SECOND).unwrap();
        let (made, bound) = (found.made, case.bound());
        case.holds(&made);
        assert_eq!(found.is_shortest, made.cycles == bound, "{sizes:?}");
        assert!(made.cycles < words * one, "{sizes:?}: {} steps of {words} words", made.cycles);
        assert!(made.cycles >= bound && made.cycles <= bound + 1 + bound / 8, "{sizes:?}: {} of {bound}", made.cycles);
    }
}

/// Circuits combine nothing, which is said at the collective's kind.
#[test]
fn a_reduction_is_refused() {
    let case = Case::new([2, 1, 2, 2], Rc::new(Reduce { root: 0, operator: Operator::Sum }), 1, &[]);
    let error = schedule(&case.problem, "best", &SECOND).unwrap_err();
    assert_eq!(error.field(), "collective.kind");
    assert!(error.to_string().contains("along circuits") && error.help().contains("gather"), "{error}");
}

/// An algorithm of networks that store words says so here, and one of circuits there; a name that no network knows is another error.
#[test]
fn an_algorithm_of_other_networks_does_not_apply() {
    let case = Case::new([1, 1, 1, 1], Rc::new(AllToAll), 1, &[]);
    let said = |problem: &Problem, algorithm: &str| schedule(problem, algorithm, &SECOND).unwrap_err().to_string();
    assert!(said(&case.problem, "balanced").ends_with("this network has circuits"));
    let ring = Graph::new(vec![vec![0], vec![1]], &[(0, 1), (1, 0)]).expect("a link");
    let problem = Problem::new(ring, case.definition.demand());
    assert!(said(&problem, "circuits").ends_with("it needs a network of circuits, such as a fat cube"));
    assert_eq!(said(&problem, "no-such"), "there is no general algorithm `no-such`");
}

/// Sizes that no table of the paper has.
#[test]
fn other_sizes_are_at_the_bound() {
    for sizes in
        [[1, 1, 1, 1], [2, 2, 1, 1], [3, 1, 2, 1], [3, 2, 2, 1], [3, 2, 2, 2], [4, 3, 2, 1], [5, 2, 2, 1], [3, 3, 3, 2]]
    {
        for rule in rules(sizes[0] - 1) {
            let case = Case::new(sizes, rule, 1, &[]);
            let made = case.made("best");
            assert_eq!(made.cycles, case.bound(), "{sizes:?} {:?}", case.definition.rule());
            case.holds(&made);
        }
    }
}

#[test]
fn other_collectives_words_and_networks_with_faults() {
    let sizes = [2, 1, 2, 2];
    let permutation = Rc::new(Permutation { to: vec![7, 6, 5, 4, 3, 2, 1, 0] });
    let others: [Rc<dyn Rule>; 2] = [Rc::new(Gather { root: 5 }), permutation];
    for (rule, steps) in others.into_iter().zip([4, 2]) {
        let case = Case::new(sizes, rule, 1, &[]);
        let made = case.made("best");
        case.holds(&made);
        assert_eq!(made.cycles, steps, "{:?}", case.definition.rule());
    }
    for rule in rules(0) {
        for (words, excluded) in [(3, &[][..]), (1, &[3]), (1, &[3, 9])] {
            if excluded.contains(&9) {
                continue;
            }
            let case = Case::new(sizes, rule.clone(), words, excluded);
            case.holds(&case.made("best"));
        }
    }
}

#[test]
fn faults_of_circuits_are_found() {
    let case = Case::new([2, 1, 2, 2], Rc::new(AllToAll), 1, &[]);
    let made = case.made("best");
    let fault = |change: &dyn Fn(&mut Made), rules: &Rules| {
        let mut made = made.clone();
        change(&mut made);
        check(&case.problem.net, &made.program, rules, &Goal::Demand(&case.problem.demand, &made.chunk)).unwrap_err()
    };
    let earlier = |made: &mut Made| made.program.moves.iter_mut().for_each(|m| m.at = m.at.saturating_sub(1));
    assert!(matches!(fault(&earlier, &UNCOPIED), ProgramFault::Clash(clash) if clash.kind == Kind::Channel));
    let elsewhere = |made: &mut Made| {
        let last = made.program.moves[0].hops.end as usize - 1;
        made.program.hops[last].port ^= 2;
    };
    assert!(matches!(
        fault(&elsewhere, &UNCOPIED),
        ProgramFault::Clash(_) | ProgramFault::Copies { .. } | ProgramFault::Result { .. }
    ));
    let one = Rules { one_port: true, ..UNCOPIED };
    assert!(matches!(fault(&|_| (), &one), ProgramFault::Clash(clash) if clash.kind != Kind::Channel));
    // a router that sends one word over two channels
    let net = FatCube::new(1, 2, 1, 1);
    let all: Vec<NodeId> = (1..4).map(NodeId::new).collect();
    let demand = Demand { chunks: vec![Chunk { from: vec![NodeId::new(0)], to: all }] };
    let problem = Problem::new(Graph::of(&net), demand);
    let mut made = schedule(&problem, "best", &SECOND).unwrap();
    made.program.hops.clear();
    let hop = |parent, port, keep| metronoc::program::Hop { parent, port, wait: 0, keep };
    let tree = [
        hop(None, 0, false),
        hop(Some(0), 1, true),
        hop(Some(0), 2, false),
        hop(Some(2), 0, true),
        hop(Some(2), 1, true),
    ];
    made.program.moves.clear();
    made.program.send(0, metronoc::program::Who::One(NodeId::new(0)), (0, metronoc::program::Train::STEADY), tree);
    let goal = Goal::Demand(&problem.demand, &made.chunk);
    assert!(check(&problem.net, &made.program, &Rules::default(), &goal).is_ok());
    let fault = check(&problem.net, &made.program, &UNCOPIED, &goal).unwrap_err();
    assert!(matches!(fault, ProgramFault::Copied { .. }), "{fault}");
}

/// The paper's own schedules, proved and judged; of all others it has formulas alone.
#[test]
fn schedules_of_the_paper() {
    for (sizes, steps) in [
        ([2, 1, 2, 1], [Some(3), Some(7), Some(7), Some(12)]),
        ([4, 1, 3, 1], [Some(5), Some(31), Some(31), Some(112)]),
        // packets within routers take a step that the formula lacks, 3·⌈9/2⌉ = 15 and 3·⌈4/2⌉ = 6
        ([3, 2, 2, 1], [Some(4), Some(11), Some(11), Some(16)]),
        ([2, 2, 2, 1], [Some(3), Some(7), Some(7), Some(7)]),
        ([2, 1, 2, 2], [None, Some(4), None, Some(8)]),
        ([4, 1, 3, 3], [None; 4]),
    ] {
        for (rule, steps) in rules(1).into_iter().zip(steps) {
            let case = Case::new(sizes, rule, 1, &[]);
            match steps {
                Some(steps) => {
                    let made = case.made("paper");
                    assert_eq!(made.cycles, steps, "{sizes:?} {:?}", case.definition.rule());
                    case.holds(&made);
                }
                None => {
                    let error = schedule(&case.problem, "paper", &SECOND).unwrap_err().to_string();
                    assert!(error.contains("formulas alone"), "{error}");
                }
            }
        }
    }
}

/// The manual's table: as printed, by the claims; lower bound and best, as in [`CELLS`].
#[test]
fn the_table_of_the_manual_is_true() {
    let page = include_str!("../docs/src/fat-cube.md");
    let rows: Vec<Vec<&str>> = page
        .lines()
        .filter(|line| line.starts_with("| (") && !line.contains("k |") && line.matches('|').count() == 7)
        .map(|line| line.split('|').map(str::trim).collect())
        .collect();
    assert_eq!(rows.len(), CELLS.len());
    let claims = (fat_cube::PAPER.claims)();
    let tables = ["fat-cube-table-6", "fat-cube-table-7"].map(|id| claims.iter().find(|claim| claim.id == id).unwrap());
    let printed = tables.iter().flat_map(|claim| claim.judge(128).table.unwrap().rows);
    for ((row, printed), ([m, f, d, k], steps)) in rows.iter().zip(printed).zip(CELLS) {
        assert_eq!(row[1..3], [format!("({m},{f},{d})"), k.to_string()]);
        assert_eq!(printed[0], format!("(m, f, d) = ({m},{f},{d}), k = {k}"));
        for kind in 0..4 {
            let numbers: Vec<&str> = printed[kind + 1].split(" / ").collect();
            let (number, bound) = (numbers[0], numbers[2].parse::<u32>().unwrap());
            let impossible = if number.parse::<u32>().unwrap() < bound { "!" } else { "" };
            assert_eq!(row[kind + 3], format!("{number}{impossible} / {bound} / {}", steps[kind]));
            assert_eq!(bound, steps[kind]);
        }
    }
}
