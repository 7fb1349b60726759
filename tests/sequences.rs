//! Collectives one after the other in one program: every pair of kinds, from specification to data; two in hardware; defects are found.

use crate::common::case::Case;
use crate::common::kinds::{Kind, kinds, sums};
use metronoc::check::judge::{bounds, judge};
use metronoc::check::program::{Goal, ProgramFault, Rules, check};
use metronoc::collective::demand::Demand;
use metronoc::collective::general::{AllGather, AllReduce, ChunkArrays, Definition, Rule, SequenceArrays};
use metronoc::id::NodeId;
use metronoc::program::{Document, Operation, Program};
use metronoc::schedule::general::{Effort, Joined, Part, Problem, in_sequence, search};
use metronoc::spec::Operator;
use metronoc::topology::{Graph, Ring};
use ndarray::Array1;
use ndarray_npy::{read_npy, write_npy};
use std::rc::Rc;

const NODES: usize = 4;
const RING: &str = "topology = \"ring\"\nnodes = 4";

/// Most collectives of a sequence.
const LONGEST: usize = 16;

/// Kinds of one sequence, with its data.
struct Trial {
    case: Case,
    spec: String,
    expected: Vec<u32>,
}

impl Trial {
    /// A specification with these kinds in order and random words in `x.npy`; `keys` are those of every collective.
    fn new(network: &str, all: &[&Kind], keys: &str) -> Self {
        let tables: String = all.iter().map(|kind| format!("[[collective]]\n{}\n{keys}\n", kind.keys)).collect();
        let spec = format!(
            "format = 1\n[network]\n{network}\n[router]\npayload_bits = 32\n{tables}[schedule]\ntime_limit_s = 1\n"
        );
        let (mut x, mut expected) = (Vec::new(), Vec::new());
        for kind in all {
            let [given, results]: [usize; 2] = [&kind.given, &kind.results].map(|blocks| blocks.iter().product());
            let own: Vec<u32> = (x.len() as u32 + 1..).map(|i| i.wrapping_mul(0x9e37_79b9)).take(given).collect();
            expected.extend((0..results).map(|block| {
                let sources = (kind.sources)(block).into_iter().map(|from| own[from]);
                sources.reduce(kind.operator).expect("a source")
            }));
            x.extend(own);
        }
        let case = Case::new(&spec);
        write_npy(case.dir.path().join("x.npy"), &Array1::from(x)).unwrap();
        Self { case, spec, expected }
    }

    fn runs(&self, args: &[&str]) -> String {
        let (code, out, err) = self.case.metronoc(args);
        assert_eq!(code, Some(0), "{}\n{err}", self.spec);
        out
    }

    fn gives(&self, name: &str) {
        let found: Array1<u32> = read_npy(self.case.dir.path().join(name)).unwrap();
        assert_eq!(found.to_vec(), self.expected, "{}", self.spec);
    }
}

/// All kinds under one name each.
fn all_kinds() -> Vec<Kind> {
    let mut all = kinds(NODES);
    all.retain(|kind| !kind.keys.contains("total-exchange") && !kind.keys.contains("to-all-broadcast"));
    all.extend(sums(NODES));
    all
}

#[test]
fn every_pair_of_kinds_gives_the_data_of_both() {
    let all = all_kinds();
    assert_eq!(all.len(), 10);
    // a cycle in which every pair stands once
    let mut order = Vec::new();
    for first in 0..all.len() {
        order.push(first);
        (first + 1..all.len()).for_each(|second| order.extend([first, second]));
    }
    order.push(0);
    let pairs: std::collections::BTreeSet<_> = order.windows(2).map(|pair| (pair[0], pair[1])).collect();
    assert_eq!(pairs.len(), all.len() * all.len());
    for from in (0..order.len() - 1).step_by(LONGEST - 1) {
        let kinds: Vec<&Kind> = order[from..order.len().min(from + LONGEST)].iter().map(|&kind| &all[kind]).collect();
        let trial = Trial::new(RING, &kinds, "algorithm = \"balanced\"");
        trial.runs(&["simulate", "case.toml", "--data", "x.npy", "--out", "y.npy"]);
        trial.gives("y.npy");
    }
}

#[test]
fn exports_of_all_and_of_each_are_judged() {
    let (moves, sums) = (kinds(NODES), sums(NODES));
    let trial = Trial::new(RING, &[&moves[0], &sums[1], &sums[2]], "");
    let document = |args: &[&str]| {
        let args = [&["schedule", "case.toml", "--format", "json"], args].concat();
        Document::read(trial.runs(&args).as_bytes()).unwrap()
    };
    let whole = document(&[]);
    assert_eq!(whole.collective["kind"], "sequence");
    assert_eq!(whole.collective["collectives"][1]["op"], "max");
    let cycles = judge(&whole).unwrap().cycles;
    let parts: Vec<Document> = ["1", "2", "3"].into_iter().map(|number| document(&["--part", number])).collect();
    assert_eq!(parts.iter().map(|part| judge(part).unwrap().cycles).sum::<u32>(), cycles);
    assert_eq!(parts[2].collective["kind"], "reduce-scatter");
    let (code, _, err) = trial.case.metronoc(&["schedule", "case.toml", "--part", "4"]);
    assert_eq!(code, Some(2));
    assert!(err.contains("take `--part` from 1 to 3"), "{err}");
    let verdict: serde_json::Value = serde_json::from_str(&trial.runs(&["check", "case.toml", "--json"])).unwrap();
    let starts: Vec<u64> =
        verdict["sequence"].as_array().unwrap().iter().map(|one| one["start"].as_u64().unwrap()).collect();
    assert_eq!(starts, [0, parts[0].cycles.into(), (parts[0].cycles + parts[1].cycles).into()]);
    let largest = |part| bounds(part).unwrap().largest();
    assert_eq!(verdict["bound_one_by_one"], parts.iter().map(largest).sum::<u64>());
    assert!(trial.runs(&["check", "case.toml"]).contains("where each collective ends before the next begins"));
}

#[test]
fn a_whole_sequence_is_read_back() {
    let (moves, sums) = (kinds(NODES), sums(NODES));
    let import = |trial: &Trial| {
        let whole = trial.runs(&["schedule", "case.toml", "--format", "json"]);
        std::fs::write(trial.case.dir.path().join("whole.json"), &whole).unwrap();
        whole
    };
    // words that are summed, and the same nodes' words that are not
    let trial = Trial::new(RING, &[&moves[0], &sums[0], &sums[0], &moves[1]], "");
    let whole = import(&trial);
    assert_eq!(trial.runs(&["schedule", "whole.json", "--format", "json"]), whole);
    trial.runs(&["simulate", "whole.json", "--out", "y.npy"]);
    trial.runs(&["cosim", "whole.json", "--random", "-q"]);
    let imported = metronoc::compile(&*trial.case.dir.path().join("whole.json")).unwrap();
    let spec = metronoc::compile(&*trial.case.dir.path().join("case.toml")).unwrap();
    let own = |index: usize| [&moves[0], &sums[0], &sums[0], &moves[1]][index].given.iter().product::<usize>();
    assert_eq!(spec.random_words(1).len(), (0..4).map(own).sum::<usize>());
    assert!(imported.random_words(1).len() >= own(0) - NODES + 2 * own(1), "words share a place");
    // sums of two operators: the file does not say which operation is of which
    let trial = Trial::new(RING, &[&sums[0], &sums[1]], "");
    import(&trial);
    let (code, _, err) = trial.case.metronoc(&["generate", "whole.json", "-o", "rtl"]);
    assert_ne!(code, Some(0));
    assert!(err.contains("differ in their operators"), "{err}");
}

#[test]
fn a_fault_of_one_collective_is_shown_on_its_line() {
    let spec = "format = 1\n[network]\ntopology = \"ring\"\nnodes = 4\n[[collective]]\nkind = \"all-gather\"\n[[collective]]\n";
    for (keys, place) in [("kind = \"broadcast\"\nroot = 4", "case.toml:9:"), ("algorithm = \"no\"", "case.toml:8:")] {
        let (code, _, err) = Case::new(&format!("{spec}{keys}\n")).metronoc(&["check", "case.toml"]);
        assert_ne!(code, Some(0));
        assert!(err.contains(place), "{err}");
    }
}

#[test]
fn words_and_sums_in_hardware() {
    let (moves, sums) = (kinds(NODES), sums(NODES));
    // all four operators, each in rows of its own
    let least = Kind { keys: "kind = \"reduce\"\nroot = 3\nop = \"min\"".to_owned(), operator: u32::min, ..sums_of(0) };
    for all in [&[&moves[2], &sums[0]][..], &[&sums[0], &sums[1], &sums[2], &least, &moves[0]]] {
        let trial = Trial::new(RING, all, "");
        trial.runs(&["cosim", "case.toml", "--data", "x.npy", "--out", "z.npy", "-q"]);
        trial.gives("z.npy");
    }
}

fn sums_of(index: usize) -> Kind {
    sums(NODES).swap_remove(index)
}

/// An all-gather, then an all-reduce of the largest, on a ring.
fn two() -> (Graph, Joined, SequenceArrays) {
    let net = Graph::of(&Ring::new(NODES as u32));
    let nodes: Vec<NodeId> = (0..NODES).map(NodeId::from).collect();
    let rules: [Rc<dyn Rule>; 2] = [Rc::new(AllGather), Rc::new(AllReduce { operator: Operator::Max })];
    let definitions = rules.map(|rule| Definition::new(rule, &nodes, 1, 1).unwrap());
    let parts = definitions.each_ref().map(|definition| {
        let problem = Problem { operator: 3, ..Problem::new(net.clone(), definition.demand()) };
        let made = search(&problem, "balanced", &Effort { time_limit_s: 0, seed: 0 }).unwrap().made;
        Part { demand: problem.demand, made, operator: definition.rule().operator() }
    });
    let joined = in_sequence(&net, &parts).unwrap();
    let arrays = (0..2).map(|index| {
        (ChunkArrays::new(definitions[index].clone(), joined.chunks_of(index, &parts)), joined.starts[index].1)
    });
    let arrays = SequenceArrays::new(arrays.collect::<Vec<_>>());
    (net, joined, arrays)
}

#[test]
fn a_defect_of_a_sequence_is_found() {
    let (net, joined, arrays) = two();
    let demanded = |program: &Program, demand: &Demand| {
        check(&net, program, &Rules::default(), &Goal::Demand(demand, &joined.chunk)).map(|_| ())
    };
    let given = |program: &Program| check(&net, program, &Rules::default(), &Goal::Arrays(&arrays, 7)).map(|_| ());
    demanded(&joined.program, &joined.demand).unwrap();
    given(&joined.program).unwrap();
    let second = |value: u32| value >= joined.starts[1].1;
    // the second collective starts with the first
    let (mut early, start) = (joined.program.clone(), joined.starts[1].0);
    early.moves.iter_mut().filter(|m| second(m.value)).for_each(|m| m.at -= start);
    early.ops.iter_mut().filter(|op| second(op.out)).for_each(|op| op.at -= start);
    assert!(matches!(demanded(&early, &joined.demand), Err(ProgramFault::Clash(_))));
    // another operator
    let mut other = joined.program.clone();
    other.ops.iter_mut().filter(|op| op.operation == Operation::Max).for_each(|op| op.operation = Operation::Min);
    assert!(matches!(given(&other), Err(ProgramFault::Result { .. })));
    // words of the first are not kept
    let mut lost = joined.program.clone();
    lost.hops[0].keep = false;
    for found in [demanded(&lost, &joined.demand), given(&lost)] {
        assert!(matches!(found, Err(ProgramFault::Result { .. })), "{found:?}");
    }
}
