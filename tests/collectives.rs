//! Collectives among the endpoints of any network: scheduled, judged, simulated and lowered to slot tables with random words.

use metronoc::check::judge::judge;
use metronoc::collective::demand::Chunk;
use metronoc::collective::general::{
    AllGather, AllReduce, AllToAll, Broadcast, ChunkArrays, Definition, DefinitionError, Gather, HRelation,
    Permutation, Reduce, ReduceScatter, Rule, Scatter,
};
use metronoc::collective::{Collective, Dtype, Words};
use metronoc::id::NodeId;
use metronoc::lower::lower_slot_table;
use metronoc::program::{Document, Expansion, Hop, Input, Operation, Origin, Program, Switching, Train, Who};
use metronoc::schedule::general::{Effort, Problem, schedule};
use metronoc::simulate::{Arrays, Simulation};
use metronoc::spec::{Operator, RouterSpec};
use metronoc::topology::{Graph, Topology};
use serde_json::json;
use std::rc::Rc;

/// A path of nodes with one link more, from its first node to the last but one.
fn network(nodes: u32) -> Graph {
    let mut channels: Vec<(u32, u32)> = (1..nodes).flat_map(|i| [(i - 1, i), (i, i - 1)]).collect();
    channels.extend([(0, nodes - 2), (nodes - 2, 0)]);
    Graph::new((0..nodes).map(|i| vec![i]).collect(), &channels).expect("channels between nodes")
}

/// A ring; port 0 leads up.
fn ring(nodes: u32) -> Graph {
    let channels: Vec<(u32, u32)> = (0..nodes).map(|i| (i, (i + 1) % nodes)).collect();
    Graph::new((0..nodes).map(|i| vec![i]).collect(), &channels).expect("channels between nodes")
}

fn all(nodes: u32) -> Vec<NodeId> {
    (0..nodes).map(NodeId::new).collect()
}

/// Words of random data that come out otherwise than the definition says, in the simulation.
fn wrong(net: &Graph, program: &Program, arrays: &ChunkArrays) -> u64 {
    let words = arrays.random(Dtype::Uint32, 3).expect("few words");
    let mut data = Arrays::new(program, arrays, &words, 32);
    let simulation = Simulation::new(net, program);
    for pass in 0..arrays.passes() {
        data.begin(pass);
        simulation.run(&mut data, &[]).expect("no conflict");
    }
    data.wrong()
}

/// Judges the exchange form of a program.
fn judged(net: &Graph, program: &Program, definition: &Definition) -> Result<(), String> {
    let network = json!({"topology": "graph"});
    let document = Document::new(&Expansion::new(net, program).expect("small"), [&network, &definition.table()]);
    judge(&document).map(|_| ()).map_err(|fault| fault.to_string())
}

fn lowered(net: &Graph, program: &Program, arrays: &ChunkArrays) {
    let router = RouterSpec { payload_bits: 32, ..RouterSpec::default() };
    lower_slot_table(net, program, arrays, &router).unwrap_or_else(|error| panic!("{error}"));
}

/// Kinds without sums.
fn kinds(n: u32) -> Vec<Rc<dyn Rule>> {
    let demands = vec![(0, n - 1), (n - 1, 0), (0, n - 1), (1, 1), (n - 1, 1), (0, 1)];
    vec![
        Rc::new(AllToAll),
        Rc::new(AllGather),
        Rc::new(Broadcast { root: 0 }),
        Rc::new(Broadcast { root: n - 1 }),
        Rc::new(Scatter { root: 1 }),
        Rc::new(Gather { root: n - 1 }),
        Rc::new(Permutation { to: (0..n).rev().collect() }),
        Rc::new(HRelation::new(demands)),
    ]
}

/// Kinds with sums.
fn sums(n: u32) -> Vec<Rc<dyn Rule>> {
    vec![
        Rc::new(Reduce { operator: Operator::Sum, root: 0 }),
        Rc::new(Reduce { operator: Operator::Min, root: n - 1 }),
        Rc::new(Reduce { operator: Operator::Xor, root: 1 }),
        Rc::new(ReduceScatter { operator: Operator::Max }),
        Rc::new(ReduceScatter { operator: Operator::Sum }),
        Rc::new(AllReduce { operator: Operator::Sum }),
    ]
}

const EFFORT: Effort = Effort { time_limit_s: 1, seed: 1 };

#[test]
#[ignore = "hundreds of schedules; .ci/run includes it"]
fn every_kind_moves_words_as_it_is_defined() {
    let net = network(5);
    for endpoints in [all(5), vec![NodeId::new(1), NodeId::new(2), NodeId::new(4)]] {
        for (words, repeat) in [(1, 1), (3, 1), (2, 2)] {
            for rule in kinds(endpoints.len() as u32) {
                let definition = Definition::new(rule, &endpoints, words, repeat).expect("it fits");
                let made =
                    schedule(&Problem::new(net.clone(), definition.demand()), "best", &EFFORT).expect("an algorithm");
                let arrays = ChunkArrays::new(definition.clone(), made.chunk);
                let name = format!("{:?} of {words} words, {repeat} times", definition.rule());
                assert_eq!(wrong(&net, &made.program, &arrays), 0, "{name}");
                lowered(&net, &made.program, &arrays);
                if endpoints.len() == net.nodes() {
                    assert_eq!(judged(&net, &made.program, &definition), Ok(()), "{name}");
                    // without its last move something is missing
                    let mut less = made.program.clone();
                    less.moves.pop();
                    assert_ne!(wrong(&net, &less, &arrays), 0, "{name}");
                    assert!(judged(&net, &less, &definition).is_err(), "{name}");
                }
            }
        }
    }
}

/// The way along a path of nodes, each a link from the next.
fn way(net: &Graph, from: NodeId, to: NodeId) -> Vec<u32> {
    let mut at = from;
    let mut ports = Vec::new();
    while at != to {
        let next = NodeId::new(if at < to { at.get() + 1 } else { at.get() - 1 });
        let port = (0..net.ports_of(at)).find(|&port| net.neighbour(at, port) == next).expect("a link");
        ports.push(port as u32);
        at = next;
    }
    ports
}

/// Combinations along a path, one chunk after the other: partial sums go from both ends to the first node that is to have the
/// result, and the result goes to the others. With the program, the chunk of each value.
fn chained(net: &Graph, chunks: &[Chunk]) -> (Program, Vec<Option<u32>>) {
    const LATENCY: u32 = 3;
    let mut program = Program::new(Switching::Hop(vec![1; net.ports()]));
    let mut chunk_of = Vec::new();
    let mut start = 0;
    for (number, chunk) in (0..).zip(chunks) {
        let root = chunk.to[0];
        let (mut end, mut operands) = (start, Vec::new());
        let sides: [Vec<NodeId>; 2] = [
            chunk.from.iter().copied().filter(|&node| node < root).collect(),
            chunk.from.iter().rev().copied().filter(|&node| node > root).collect(),
        ];
        for side in sides {
            let mut before: Option<(u32, u32)> = None; // hop and cycle of its end
            for (i, &node) in side.iter().enumerate() {
                let mut value = program.value(Who::One(node), 1, Origin::Message);
                let mut ready = start;
                if let Some((hop, at)) = before {
                    let sum = program.value(Who::One(node), 1, Origin::Made);
                    let inputs = [Input::Own(value), Input::Arrived(hop)];
                    program.operate((Who::One(node), sum), (at, Train::STEADY, LATENCY), Operation::Combine, inputs);
                    (value, ready) = (sum, at + LATENCY);
                }
                let ports = way(net, node, *side.get(i + 1).unwrap_or(&root));
                let tree = ports.iter().enumerate().map(|(i, &port)| Hop {
                    parent: (i as u32).checked_sub(1),
                    port,
                    wait: 0,
                    keep: i + 1 == ports.len(),
                });
                let first = program.send(value, Who::One(node), (ready, Train::STEADY), tree);
                before = Some((first + ports.len() as u32 - 1, ready + ports.len() as u32));
            }
            operands.extend(before.map(|(hop, _)| Input::Arrived(hop)));
            end = end.max(before.map_or(start, |(_, at)| at));
        }
        if chunk.from.contains(&root) {
            operands.push(Input::Own(program.value(Who::One(root), 1, Origin::Message)));
        }
        let sum = program.value(Who::One(root), 1, Origin::Made);
        program.operate((Who::One(root), sum), (end, Train::STEADY, LATENCY), Operation::Combine, operands);
        program.results.push(sum);
        start = end + LATENCY;
        // to both sides at once
        let sides = [chunk.to.iter().rfind(|&&to| to > root), chunk.to.iter().find(|&&to| to < root)];
        for &last in sides.into_iter().flatten() {
            let ports = way(net, root, last);
            let first = program.hops.len() as u32;
            let mut at = root;
            let hops = (0..).zip(&ports).map(|(i, &port)| {
                at = net.neighbour(at, port as usize);
                (at, Hop { parent: u32::checked_sub(i, 1), port, wait: 0, keep: chunk.to.contains(&at) })
            });
            let hops: Vec<(NodeId, Hop)> = hops.collect();
            program.send(sum, Who::One(root), (start, Train::STEADY), hops.iter().map(|&(_, hop)| hop));
            for (i, (to, _)) in (0..).zip(hops).filter(|(_, (_, hop))| hop.keep) {
                let copy = program.value(Who::One(to), 1, Origin::Made);
                let there = (start + i + 1, Train::STEADY, 0);
                program.operate((Who::One(to), copy), there, Operation::Copy, [Input::Arrived(first + i)]);
                program.results.push(copy);
            }
        }
        start += net.nodes() as u32;
        chunk_of.resize(program.values.len(), Some(number));
    }
    (program, chunk_of)
}

#[test]
fn every_kind_combines_words_as_it_is_defined() {
    let net = network(5);
    for endpoints in [all(5), vec![NodeId::new(1), NodeId::new(2), NodeId::new(4)]] {
        for (words, repeat) in [(1, 1), (3, 1), (2, 2)] {
            for rule in sums(endpoints.len() as u32) {
                let definition = Definition::new(rule, &endpoints, words, repeat).expect("it fits");
                assert!(definition.demand().combines());
                let (mut program, chunk) = chained(&net, &definition.demand().chunks);
                program.number_parts(|value| definition.part(chunk[value]?));
                let arrays = ChunkArrays::new(definition.clone(), chunk.clone());
                let name = format!("{:?} of {words} words, {repeat} times", definition.rule());
                assert_eq!(wrong(&net, &program, &arrays), 0, "{name}");
                lowered(&net, &program, &arrays);
                if endpoints.len() == net.nodes() {
                    assert_eq!(judged(&net, &program, &definition), Ok(()), "{name}");
                    let mut less = program.clone();
                    less.results = vec![0]; // it is a word of a node's own
                    assert_ne!(wrong(&net, &less, &arrays), 0, "{name}");
                    let mut one_part = program.clone();
                    one_part.number_parts(|_| Some(1));
                    assert!(judged(&net, &one_part, &definition).is_err(), "{name}");
                }
            }
        }
    }
}

#[test]
fn one_value_of_every_node_is_a_chunk_by_its_ends() {
    let (net, n, words) = (ring(6), 6, 2);
    let one_way = |keep_all: bool, n: u32| (0..n).map(move |i| (i, keep_all || i + 1 == n));
    let tree = |hops: Vec<(u32, bool)>| {
        hops.into_iter().map(|(i, keep)| Hop { parent: i.checked_sub(1), port: 0, wait: 0, keep }).collect::<Vec<_>>()
    };
    // all-to-all: a value for each distance, one after the other
    let mut to_all = Program::new(Switching::Hop(vec![1]));
    let mut start = 0;
    for distance in 1..n {
        let value = to_all.value(Who::Every, words, Origin::Message);
        let train = Train { burst: 1, period: distance };
        to_all.send(value, Who::Every, (start, train), tree(one_way(false, distance).collect()));
        start += distance * words;
    }
    let mut gathered = Program::new(Switching::Hop(vec![1]));
    let value = gathered.value(Who::Every, words, Origin::Message);
    gathered.send(value, Who::Every, (0, Train { burst: 1, period: n }), tree(one_way(true, n - 1).collect()));
    let both: [(Program, Rc<dyn Rule>); 2] = [(to_all, Rc::new(AllToAll)), (gathered, Rc::new(AllGather))];
    for (program, rule) in both {
        let definition = Definition::new(rule, &all(n), words, 1).expect("it fits");
        let arrays = ChunkArrays::new(definition.clone(), vec![None; program.values.len()]);
        assert_eq!(wrong(&net, &program, &arrays), 0, "{definition:?}");
        assert_eq!(judged(&net, &program, &definition), Ok(()), "{definition:?}");
        lowered(&net, &program, &arrays);
    }
}

fn arrays(rule: Rc<dyn Rule>, n: u32, words: u32, repeat: u32) -> ChunkArrays {
    ChunkArrays::new(Definition::new(rule, &all(n), words, repeat).expect("it fits"), Vec::new())
}

#[test]
fn results_are_those_of_the_definition() {
    let out = |rule: Rc<dyn Rule>, words, x: &[u8]| arrays(rule, 3, words, 1).expected(&Words::U8(x.to_vec())).to_vec();
    assert_eq!(out(Rc::new(AllToAll), 1, &[1, 2, 3, 4, 5, 6, 7, 8, 9]), [1, 4, 7, 2, 5, 8, 3, 6, 9]);
    assert_eq!(out(Rc::new(AllGather), 1, &[1, 2, 3]), [1, 2, 3, 1, 2, 3, 1, 2, 3]);
    assert_eq!(out(Rc::new(Broadcast { root: 2 }), 2, &[5, 6]), [5, 6, 5, 6, 5, 6]);
    assert_eq!(out(Rc::new(Scatter { root: 2 }), 1, &[1, 2, 3]), [1, 2, 3]);
    assert_eq!(out(Rc::new(Gather { root: 2 }), 1, &[1, 2, 3]), [1, 2, 3]);
    assert_eq!(out(Rc::new(Permutation { to: vec![2, 0, 1] }), 2, &[1, 2, 3, 4, 5, 6]), [3, 4, 5, 6, 1, 2]);
    let demands = HRelation::new(vec![(0, 2), (1, 0), (2, 2), (1, 0)]);
    assert_eq!(out(Rc::new(demands), 1, &[7, 8, 9, 6]), [8, 6, 7, 9]);
    let x = [200, 1, 100, 9, 7, 4];
    assert_eq!(out(Rc::new(Reduce { operator: Operator::Sum, root: 1 }), 2, &x), [51, 14]);
    assert_eq!(out(Rc::new(AllReduce { operator: Operator::Min }), 2, &x), [7, 1, 7, 1, 7, 1]);
    let x = [1, 2, 3, 10, 20, 30, 100, 200, 240];
    assert_eq!(out(Rc::new(ReduceScatter { operator: Operator::Sum }), 1, &x), [111, 222, 17]);
    assert_eq!(
        out(Rc::new(ReduceScatter { operator: Operator::Xor }), 1, &x),
        [1 ^ 10 ^ 100, 2 ^ 20 ^ 200, 3 ^ 30 ^ 240]
    );
    let twice = arrays(Rc::new(Broadcast { root: 0 }), 3, 1, 2).expected(&Words::U8(vec![4, 5]));
    assert_eq!(twice, Words::U8(vec![4, 4, 4, 5, 5, 5]));
}

#[test]
fn shapes_leave_out_axes_of_one() {
    let shapes = |rule: Rc<dyn Rule>, words, repeat| {
        let arrays = arrays(rule, 4, words, repeat);
        let npy = arrays.to_npy(&Words::U8(vec![0; arrays.result_len()]));
        let text = String::from_utf8_lossy(&npy).into_owned();
        let (_, shape) = text.split_once("'shape': ").expect("a header");
        (arrays.shape(), shape.split_once(')').expect("a shape").0.to_owned() + ")")
    };
    let shape = |sizes: &[usize], axes: &str, out: &str| ((sizes.to_vec(), axes.to_owned()), out.to_owned());
    assert_eq!(shapes(Rc::new(AllToAll), 1, 1), shape(&[4, 4], "[sender][receiver]", "(4, 4)"));
    assert_eq!(shapes(Rc::new(AllGather), 3, 1), shape(&[4, 3], "[node][word]", "(4, 4, 3)"));
    assert_eq!(shapes(Rc::new(Broadcast { root: 0 }), 1, 1), shape(&[1], "[word]", "(4,)"));
    assert_eq!(
        shapes(Rc::new(Reduce { operator: Operator::Sum, root: 0 }), 2, 1),
        shape(&[4, 2], "[node][word]", "(2,)")
    );
    assert_eq!(
        shapes(Rc::new(ReduceScatter { operator: Operator::Sum }), 2, 3),
        shape(&[3, 4, 4, 2], "[repetition][node][part][word]", "(3, 4, 2)")
    );
}

#[test]
fn results_are_described_by_their_node_and_source() {
    let label = |_: usize, node: usize| format!("node {node}");
    let endpoints = [NodeId::new(2), NodeId::new(5)];
    let describe = |rule: Rc<dyn Rule>, index| {
        let definition = Definition::new(rule, &endpoints, 2, 1).expect("it fits");
        ChunkArrays::new(definition, Vec::new()).describe(index, &label)
    };
    let text = |(node, what): (String, String)| format!("{node}: {what}");
    assert_eq!(text(describe(Rc::new(AllToAll), 5)), "node 5: word 1 from node 2");
    assert_eq!(text(describe(Rc::new(Gather { root: 1 }), 0)), "node 5: word 0 from node 2");
    assert_eq!(
        text(describe(Rc::new(Reduce { operator: Operator::Sum, root: 1 }), 1)),
        "node 5: word 1 of the combination"
    );
}

#[test]
fn what_is_no_collective_of_the_endpoints_is_refused() {
    let error = |rule: Rc<dyn Rule>, n, words| Definition::new(rule, &all(n), words, 1).err();
    assert_eq!(error(Rc::new(Broadcast { root: 4 }), 4, 1), Some(DefinitionError::Root { root: 4, endpoints: 4 }));
    assert_eq!(error(Rc::new(AllToAll), 0, 1), Some(DefinitionError::NoEndpoints));
    let outside = DefinitionError::NoEndpoint { packet: 1, from: 0, to: 7, endpoints: 4 };
    assert_eq!(error(Rc::new(HRelation::new(vec![(0, 1), (0, 7)])), 4, 1), Some(outside));
    let twice = DefinitionError::NotOnce { block: 1, times: 2 };
    assert_eq!(error(Rc::new(Permutation { to: vec![0, 1, 1] }), 3, 1).map(|e| e.to_string()), {
        Some(twice.to_string())
    });
    assert_eq!(
        error(Rc::new(Permutation { to: vec![0, 1] }), 3, 1),
        Some(DefinitionError::NotOnce { block: 2, times: 0 })
    );
    assert!(matches!(error(Rc::new(AllToAll), 1024, 9), Some(DefinitionError::TooMany { .. })));
}
