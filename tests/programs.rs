//! The checker of programs on its own: networks of all kinds, laws of routes, and broken programs for every fault.

use metronoc::check::judge::judge;
use metronoc::check::program::{
    CheckedProgram, Goal, Kind, ProgramFault, RouteLaw, Rules, To, User, check, is_alike, smallest_period,
};
use metronoc::collective::demand::{Chunk, Demand};
use metronoc::collective::pops::{Delivery, Relation};
use metronoc::collective::{Exchange, ExchangeKind, Pattern};
use metronoc::id::NodeId;
use metronoc::program::form::swapped_dragonfly::uniform::HopLatency;
use metronoc::program::{Document, Expansion, Hop, Input, Operation, Origin, Program, Switching, Train, Who};
use metronoc::schedule::general::{Effort, PortModel, Problem, schedule};
use metronoc::schedule::pops::{self, PopsRequest};
use metronoc::schedule::swapped_dragonfly::exchange::{self, ExchangeRequest};
use metronoc::spec::Operator;
use metronoc::spec::pops::PopsAlgorithm;
use metronoc::topology::swapped_dragonfly::Group;
use metronoc::topology::{Graph, Pops, SwappedDragonfly, Topology};
use serde_json::json;

/// A network of coordinates, whose ports add the same to all nodes; the ends of one port of two nodes may be exchanged.
struct Sums {
    sizes: Vec<u32>,
    xor: bool,
    ports: Vec<Vec<u32>>,
    exchanged: Option<[u32; 2]>,
}

impl Sums {
    fn new(sizes: &[u32], xor: bool, ports: &[&[u32]]) -> Self {
        let ports = ports.iter().map(|port| port.to_vec()).collect();
        Self { sizes: sizes.to_vec(), xor, ports, exchanged: None }
    }

    fn ring(n: u32) -> Self {
        Self::new(&[n], false, &[&[1]])
    }
}

impl Topology for Sums {
    fn name(&self) -> &'static str {
        "sums"
    }

    fn nodes(&self) -> usize {
        self.sizes.iter().product::<u32>() as usize
    }

    fn ports(&self) -> usize {
        self.ports.len()
    }

    fn label(&self, node: NodeId) -> Vec<u32> {
        let mut rest = node.get();
        let mut label: Vec<u32> = self.sizes.iter().rev().map(|size| (rest % size, rest /= size).0).collect();
        label.reverse();
        label
    }

    fn neighbour(&self, node: NodeId, port: usize) -> NodeId {
        let node = match self.exchanged {
            Some([a, b]) if port == 0 && node.get() == a => NodeId::new(b),
            Some([a, b]) if port == 0 && node.get() == b => NodeId::new(a),
            _ => node,
        };
        let add = |((at, plus), size): ((u32, &u32), &u32)| if self.xor { at ^ plus } else { (at + plus) % size };
        let end = self.label(node).into_iter().zip(&self.ports[port]).zip(&self.sizes).map(add);
        NodeId::new(end.zip(&self.sizes).fold(0, |node, (at, size)| node * size + at))
    }

    fn port_name(&self, port: usize) -> String {
        format!("port {port}")
    }
}

/// Tori and rings of both or one direction, hypercubes, complete networks and symmetric cubes.
fn networks() -> Vec<Sums> {
    vec![
        Sums::ring(5),
        Sums::new(&[8], false, &[&[1], &[7]]),
        Sums::new(&[3, 4, 5], false, &[&[1, 0, 0], &[2, 0, 0], &[0, 1, 0], &[0, 3, 0], &[0, 0, 1], &[0, 0, 4]]),
        Sums::new(&[4, 4], false, &[&[1, 0], &[0, 1]]),
        Sums::new(&[16], true, &[&[1], &[2], &[4], &[8]]),
        Sums::new(&[2, 2, 2], true, &[&[1, 0, 0], &[0, 1, 0], &[0, 0, 1]]),
        Sums::new(&[6], false, &[&[1], &[2], &[3], &[4], &[5]]),
        Sums::new(&[4, 8], true, &[&[1, 0], &[2, 0], &[3, 0], &[0, 1], &[0, 5]]),
    ]
}

#[test]
fn laws_are_read_off_networks_and_fail_for_one_exchanged_channel() {
    for net in networks() {
        let law = RouteLaw::of(&net).unwrap_or_else(|fault| panic!("{:?}: {fault}", net.sizes));
        for (port, plus) in net.ports.iter().enumerate() {
            assert_eq!(&law.step(port).plus, plus);
            assert!(law.step(port).turn.is_sorted());
        }
        let path: Vec<u32> = (0..net.ports() as u32).chain([0, 0]).collect();
        let end = path.iter().fold(NodeId::new(0), |at, &port| net.neighbour(at, port as usize));
        assert_eq!(law.path(&path).plus, net.label(end));
        for exchanged in [[0, 2], [1, 3], [net.nodes() as u32 - 1, 2]] {
            let broken = Sums { exchanged: Some(exchanged), ..Sums::new(&net.sizes, net.xor, &[]) };
            let broken = Sums { ports: net.ports.clone(), ..broken };
            assert!(RouteLaw::of(&broken).is_err(), "{:?} {exchanged:?}", net.sizes);
        }
    }
    for group in [Group::Cyclic, Group::Xor] {
        let net = SwappedDragonfly::new(4, 4, group);
        let law = RouteLaw::of(&net).expect("a law");
        assert_eq!(law.step(net.global_port(3)).turn, [0, 2, 1]);
    }
    let net = Graph::new(vec![vec![4], vec![7]], &[(0, 1), (1, 0)]).unwrap();
    let fault = RouteLaw::of(&net).unwrap_err().to_string();
    assert!(fault.contains("labels are no coordinates"), "{fault}");
}

/// Every node's message for the node `steps` further on, one after the other.
fn around(n: u32) -> Program {
    let mut program = Program::new(Switching::Hop(vec![1]));
    let mut at = 0;
    for steps in 1..n {
        let value = program.value(Who::Every, 1, Origin::Message);
        program.send(value, Who::Every, (at, Train::STEADY), Program::path((0..steps).map(|_| 0)));
        at += steps;
    }
    program
}

#[test]
fn one_node_stands_for_all_of_a_ring() {
    let net = Sums::ring(5);
    let law = RouteLaw::of(&net).unwrap();
    let of = |program: &Program| check(&net, program, &Rules::default(), &Goal::Everyone(&law));
    let checked = of(&around(5)).unwrap();
    assert_eq!((checked.alike, checked.claims, checked.cycles, checked.depth.node), (true, 10, 10, 0));
    assert_eq!(smallest_period(&net, &around(5), 1).unwrap(), 10);
    let rules = Rules { one_port: true, ..Rules::default() };
    check(&net, &around(5), &rules, &Goal::Everyone(&law)).unwrap();

    let mut early = around(5);
    early.moves[2].at -= 1;
    let Err(ProgramFault::Clash(clash)) = of(&early) else { panic!("a clash") };
    assert!(clash.everywhere && clash.cycle == 2 && clash.moves == [1, 2], "{clash}");
    let mut short = around(5);
    short.hops[2].keep = false;
    assert!(matches!(of(&short), Err(ProgramFault::Missing { missing: 1, .. })));
    short.hops[1].keep = true;
    assert!(matches!(of(&short), Err(ProgramFault::Twice { hops: [0, 1] } | ProgramFault::Missing { .. })));
    let mut again = around(5);
    again.hops[4].keep = true;
    assert!(matches!(of(&again), Err(ProgramFault::Twice { .. })));
    let repeated = |period| of(&Program { period: Some(period), ..around(5) });
    repeated(10).unwrap();
    let Err(ProgramFault::Clash(clash)) = repeated(9) else { panic!("a clash") };
    assert_eq!(clash.period, Some(9));

    // a network that is no ring any more is listed node by node
    let broken = Sums { exchanged: Some([1, 3]), ..Sums::ring(5) };
    assert!(is_alike(&broken, &around(5)) && RouteLaw::of(&broken).is_err());
    let line = Graph::new((0..3).map(|i| vec![i]).collect(), &[(0, 1), (1, 2), (2, 1)]).unwrap();
    let mut once = Program::new(Switching::Hop(vec![1]));
    let value = once.value(Who::Every, 1, Origin::Message);
    once.send(value, Who::Every, (0, Train::STEADY), Program::path([0].into_iter()));
    let to = |_: u32, node: NodeId| To::One(NodeId::new([1, 2, 1][node.index()]));
    let checked = check(&line, &once, &Rules::default(), &Goal::Copies(&to)).unwrap();
    assert!(!checked.alike && checked.arrivals == 3);
}

/// Every node's word to every other, on the 3 × 3 torus.
fn all_gather(ports: PortModel, slow: bool) -> (Problem, Program, Vec<Option<u32>>) {
    let nodes = || (0..9).map(NodeId::new);
    let chunk = |from: NodeId| Chunk { from: vec![from], to: nodes().filter(|&to| to != from).collect() };
    scheduled(nodes().map(chunk).collect(), ports, slow)
}

fn scheduled(chunks: Vec<Chunk>, ports: PortModel, slow: bool) -> (Problem, Program, Vec<Option<u32>>) {
    let torus = Sums::new(&[3, 3], false, &[&[1, 0], &[2, 0], &[0, 1], &[0, 2]]);
    let mut problem = Problem { ports, ..Problem::new(Graph::of(&torus), Demand { chunks }) };
    if slow {
        problem.latency.iter_mut().enumerate().for_each(|(channel, cycles)| *cycles = 1 + channel as u32 % 3);
    }
    let made = schedule(&problem, "matching", &Effort { time_limit_s: 1, seed: 1 }).unwrap();
    (problem, made.program, made.chunk)
}

fn demanded(
    problem: &Problem,
    program: &Program,
    chunk: &[Option<u32>],
    rules: &Rules,
) -> Result<CheckedProgram, ProgramFault> {
    check(&problem.net, program, rules, &Goal::Demand(&problem.demand, chunk))
}

#[test]
fn rules_of_nodes_are_kept() {
    let one = Rules { one_port: true, ..Rules::default() };
    for slow in [false, true] {
        for (ports, rules) in [(PortModel::All, &Rules::default()), (PortModel::One, &one)] {
            let (problem, program, chunk) = all_gather(ports, slow);
            assert_eq!(demanded(&problem, &program, &chunk, rules).unwrap().arrivals, 72);
            let all: Vec<NodeId> = (0..9).map(NodeId::new).collect();
            let (problem, program, chunk) = scheduled(vec![Chunk { from: all.clone(), to: all }; 2], ports, slow);
            demanded(&problem, &program, &chunk, rules).unwrap();
            let mut less = program.clone();
            less.ops[0].inputs.end -= 1;
            let fault = demanded(&problem, &less, &chunk, rules).unwrap_err();
            assert!(matches!(fault, ProgramFault::Result { .. }), "{fault}");
        }
        let (problem, program, chunk) = all_gather(PortModel::All, slow);
        let Err(ProgramFault::Clash(clash)) = demanded(&problem, &program, &chunk, &one) else { panic!("a clash") };
        assert!(matches!(clash.kind, Kind::Send | Kind::Receive), "{clash}");
    }
}

#[test]
fn both_judges_agree_on_changed_programs() {
    let (problem, good, chunk) = all_gather(PortModel::All, true);
    let verdict = |program: &Program| {
        let expansion = Expansion::new(&problem.net, program).unwrap();
        judge(&Document::new(&expansion, [&json!({"topology": "graph"}), &json!({"kind": "all-gather"})]))
    };
    assert!(verdict(&good).is_ok());
    let mut kinds = [0; 2];
    for hop in 0..good.hops.len() {
        for change in 0..4 {
            let mut program = good.clone();
            let of = &mut program.hops[hop];
            match change {
                0 => of.wait += 1,
                1 => of.wait = of.wait.saturating_sub(1),
                2 => of.port = (of.port + 1) % 4,
                _ => of.keep = false,
            }
            // the other judge takes a copy that is kept once too often for none
            let checked = demanded(&problem, &program, &chunk, &Rules::default());
            let judged = verdict(&program);
            assert!(judged.is_ok() || checked.is_err(), "hop {hop}, change {change}: {judged:?}");
            assert!(checked.is_ok() || judged.is_err() || change == 2, "hop {hop}, change {change}: {checked:?}");
            kinds[usize::from(checked.is_err())] += 1;
        }
    }
    assert!(kinds.iter().all(|&count| count > 20), "{kinds:?}");
}

/// Nodes 0 and 1 send to node 2, which adds its own word and sends the sum to node 3.
fn sum(change: impl FnOnce(&mut Program)) -> Result<CheckedProgram, ProgramFault> {
    let net = Graph::new((0..4).map(|i| vec![i]).collect(), &[(0, 2), (1, 2), (2, 3)]).unwrap();
    let one = |node| Who::One(NodeId::new(node));
    let mut program = Program::new(Switching::HopByChannel(vec![1, 3, 1, 1]));
    let values = [0, 1, 2].map(|node| program.value(one(node), 4, Origin::Word { first: 0, stride: 1 }));
    let path = || Program::path([0].into_iter());
    let [a, b] = [0, 1].map(|node| program.send(values[node as usize], one(node), (0, Train::STEADY), path()));
    let made = program.value(one(2), 4, Origin::Made);
    let inputs = [Input::Arrived(a), Input::Arrived(b), Input::Own(values[2])];
    program.operate((one(2), made), (3, Train::STEADY, 2), Operation::Combine, inputs);
    program.send(made, one(2), (5, Train::STEADY), path());
    change(&mut program);
    let nodes = |list: &[u32]| list.iter().map(|&node| NodeId::new(node)).collect();
    let demand = Demand { chunks: vec![Chunk { from: nodes(&[0, 1, 2]), to: nodes(&[3]) }] };
    check(&net, &program, &Rules::default(), &Goal::Demand(&demand, &[Some(0); 4]))
}

#[test]
fn operations_have_their_inputs_and_results_leave_in_time() {
    let checked = sum(|_| ()).unwrap();
    // two batches of node 0 wait for those of node 1, whose channel takes three cycles
    assert_eq!((checked.depth.input, checked.depth.node, checked.cycles), (2, 2, 9));
    let early = |user, ready, change: fn(&mut Program)| match sum(change) {
        Err(ProgramFault::Early { user: found, ready: from, batch: 0, .. }) => assert_eq!((found, from), (user, ready)),
        other => panic!("{other:?}"),
    };
    early(User::Operation(0), 3, |program| program.ops[0].at = 2);
    early(User::Move(2), 5, |program| program.moves[2].at = 4);
    early(User::Move(2), 6, |program| program.ops[0].latency = 3);
    let fault = |change: fn(&mut Program)| sum(change).unwrap_err();
    let wrong = fault(|program| program.inputs[1] = Input::Arrived(0));
    assert!(matches!(wrong, ProgramFault::Result { .. }), "{wrong}");
    let missing = fault(|program| program.ops[0].inputs = 0..2);
    assert!(matches!(missing, ProgramFault::Result { .. }), "{missing}");
    let elsewhere = fault(|program| program.inputs[0] = Input::Arrived(2));
    assert!(matches!(elsewhere, ProgramFault::NotThere { .. }), "{elsewhere}");
    let unmade = fault(|program| program.ops.clear());
    assert!(matches!(unmade, ProgramFault::NotThere { value: 3, .. }), "{unmade}");
    let stranger = fault(|program| program.moves[0].who = Who::One(NodeId::new(1)));
    assert!(matches!(stranger, ProgramFault::NotThere { value: 0, .. }), "{stranger}");
    for change in [
        (|program| program.hops[0].port = 1) as fn(&mut Program),
        |program| program.hops[0].parent = Some(0),
        |program| program.moves[0].train.burst = 0,
        |program| program.moves[0].hops = 0..9,
        |program| program.values[0].batches = 3,
        |program| program.switching = Switching::HopByChannel(vec![1; 3]),
        |program| program.switching = Switching::HopByChannel(vec![0; 4]),
        |program| program.results = vec![9],
        |program| program.hops.push(Hop { parent: None, port: 0, wait: 0, keep: true }),
    ] {
        let malformed = fault(change);
        assert!(matches!(malformed, ProgramFault::Malformed { .. }), "{malformed}");
    }
    assert!(matches!(fault(|program| program.moves[0].at = u32::MAX), ProgramFault::TooLarge));
}

#[test]
fn all_families_hold_as_programs() {
    let hop = HopLatency { local: 1, global: 2 };
    let net = SwappedDragonfly::new(2, 2, Group::Xor);
    for kind in [ExchangeKind::AllReduce(Operator::Sum), ExchangeKind::PrefixScan(Operator::Xor), ExchangeKind::Sort] {
        let request = ExchangeRequest { kind, algorithm: "best", words: 3, operator: 1, hop };
        let program = exchange::schedule(&net, &request).unwrap().to_program(&net);
        let oracle = Exchange::new(kind, 8, 3);
        let of = |program: &Program| check(&net, program, &Rules::default(), &Goal::Arrays(&oracle, 5));
        assert!(of(&program).unwrap().alike);
        let mut wrong = program.clone();
        let last = wrong.ops.len() - 1;
        wrong.ops[last].operation = Operation::Copy;
        let fault = of(&wrong).unwrap_err();
        assert!(matches!(fault, ProgramFault::Unmade { .. }), "{fault}");
        let mut half = program;
        half.inputs.swap(0, 1);
        half.ops[0].inputs.end -= 1;
        let fault = of(&half).unwrap_err();
        assert!(matches!(fault, ProgramFault::Result { .. }), "{fault}");
    }
    let net = Pops::new(4, 3);
    let permutation = Pattern::Random { seed: 3 }.permutation(12).unwrap();
    for relation in [Relation::Permutation(permutation), Relation::AllToAll] {
        let made = pops::schedule(net, &relation, &PopsRequest::new(PopsAlgorithm::Best)).unwrap();
        let program = made.to_program(net);
        let oracle = Delivery::new(&relation, 12, 2);
        let rules = Rules { one_port: true, ..Rules::default() };
        let of = |program: &Program| check(&net, program, &rules, &Goal::Arrays(&oracle, 5));
        assert_eq!(of(&program).unwrap().cycles, made.slots);
        let mut wrong = program.clone();
        wrong.moves.iter_mut().for_each(|m| m.at = 0);
        assert!(matches!(of(&wrong), Err(ProgramFault::Clash(_))));
        let mut lost = program;
        lost.hops.last_mut().unwrap().keep = false;
        assert!(matches!(of(&lost), Err(ProgramFault::Result { .. })));
    }
}
