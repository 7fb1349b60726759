//! Networks and demands, each by a few lines, and the verdict on their schedules.

use metronoc::check::BoundList;
use metronoc::check::graph_bounds::{Subject, bounds};
use metronoc::check::judge::{Account, Fault, judge};
use metronoc::check::program::{Goal, Rules, check};
use metronoc::collective::demand::{Chunk, Demand};
use metronoc::id::NodeId;
use metronoc::program::{Document, Expansion};
use metronoc::schedule::general::{Made, PortModel, Problem};
use metronoc::topology::{Graph, Topology};
use serde_json::json;

/// A torus, in both directions, or a mesh.
pub fn grid(dims: &[u32], wraps: bool) -> Graph {
    let nodes: u32 = dims.iter().product();
    let mut labels: Vec<Vec<u32>> = Vec::new();
    for mut node in 0..nodes {
        let mut label = vec![0; dims.len()];
        for (x, &size) in label.iter_mut().zip(dims).rev() {
            (*x, node) = (node % size, node / size);
        }
        labels.push(label);
    }
    let index = |label: &[u32]| label.iter().zip(dims).fold(0, |sum, (x, size)| sum * size + x);
    let mut channels = Vec::new();
    for (node, label) in (0..).zip(&labels) {
        for (axis, &size) in dims.iter().enumerate() {
            let steps: &[u32] = if size > 2 { &[1, size - 1] } else { &[1] };
            for step in steps.iter().filter(|_| size > 1) {
                let mut to = label.clone();
                to[axis] = (label[axis] + step) % size;
                if wraps || to[axis].abs_diff(label[axis]) == 1 {
                    channels.push((node, index(&to)));
                }
            }
        }
    }
    Graph::new(labels, &channels).expect("its nodes")
}

/// The Kautz network of a degree and a diameter.
pub fn kautz(degree: u32, diameter: usize) -> Graph {
    let mut words: Vec<Vec<u32>> = vec![Vec::new()];
    for _ in 0..diameter {
        let longer = |word: &Vec<u32>| {
            let word = word.clone();
            (0..=degree).filter(|z| word.last() != Some(z)).map(|z| [&word[..], &[z]].concat()).collect::<Vec<_>>()
        };
        words = words.iter().flat_map(longer).collect();
    }
    let mut channels = Vec::new();
    for (node, word) in (0..).zip(&words) {
        for z in (0..=degree).filter(|z| word.last() != Some(z)) {
            let to = [&word[1..], &[z]].concat();
            channels.push((node, words.iter().position(|word| *word == to).expect("a word") as u32));
        }
    }
    Graph::new(words, &channels).expect("its nodes")
}

/// Eight processors of a DGX-1, with one or two links between two.
pub fn dgx1() -> Graph {
    let single = [(0, 2), (0, 3), (1, 2), (1, 5), (3, 7), (4, 6), (4, 7), (5, 6)];
    let double = [(0, 1), (0, 4), (1, 3), (2, 3), (2, 6), (4, 5), (5, 7), (6, 7)];
    let links = single.iter().chain(&double).chain(&double);
    let channels: Vec<(u32, u32)> = links.flat_map(|&(a, b)| [(a, b), (b, a)]).collect();
    Graph::new((0..8).map(|node| vec![node]).collect(), &channels).expect("its nodes")
}

fn all(nodes: usize) -> Vec<NodeId> {
    (0..nodes).map(NodeId::from).collect()
}

fn chunk(from: Vec<NodeId>, to: Vec<NodeId>) -> Chunk {
    Chunk { from, to }
}

/// A demand by the name of its collective: `count` words of each node, or of each pair, or of the root, or `count` sums.
pub fn demand(kind: &str, nodes: usize, count: usize) -> Demand {
    let others = |from: NodeId| all(nodes).into_iter().filter(move |&to| to != from).collect::<Vec<_>>();
    let each = |of: &dyn Fn(NodeId) -> Vec<Chunk>| all(nodes).into_iter().flat_map(of).collect();
    let root = NodeId::new(0);
    let chunks = match kind {
        "all-to-all" => each(&|from| {
            let to = others(from).into_iter();
            to.flat_map(|to| vec![chunk(vec![from], vec![to]); count]).collect()
        }),
        "all-gather" => each(&|from| vec![chunk(vec![from], others(from)); count]),
        "broadcast" => vec![chunk(vec![root], others(root)); count],
        "gather" => each(&|from| vec![chunk(vec![from], vec![root])]),
        "reduce" => vec![chunk(all(nodes), vec![root]); count],
        "reduce-scatter" => each(&|to| vec![chunk(all(nodes), vec![to])]),
        "all-reduce" => vec![chunk(all(nodes), all(nodes)); count],
        other => panic!("no demand {other}"),
    };
    Demand { chunks }
}

/// The schedule in full.
pub fn document(problem: &Problem, made: &Made, kind: &str, count: usize) -> Document {
    let ports = if problem.ports == PortModel::One { "one" } else { "all" };
    let expansion = Expansion::new(&problem.net, &made.program).expect("a program");
    // the exchange form knows one word a node of an all-gather, and one a pair of an all-to-all
    let kind = match kind {
        "all-gather" | "all-to-all" if count > 1 => "several words",
        kind => kind,
    };
    let collective = json!({ "kind": kind, "root": 0, "count": count });
    Document::new(&expansion, [&json!({ "topology": "graph", "ports": ports }), &collective])
}

/// The verdict of the judge, which knows nothing of schedulers, and what the demand itself asks for.
pub fn verdict(problem: &Problem, made: &Made, kind: &str, count: usize) -> Result<Account, Fault> {
    let document = document(problem, made, kind, count);
    let account = judge(&document)?;
    let rules = Rules { one_port: problem.ports == PortModel::One, ..Rules::default() };
    let checked = check(&problem.net, &made.program, &rules, &Goal::Demand(&problem.demand, &made.chunk));
    assert!(checked.is_ok(), "the checker of programs: {}", checked.unwrap_err());
    assert_eq!(account.cycles, made.cycles, "cycles of the schedule and of its expansion");
    assert_eq!(account.repeated_arrivals, 0, "a word comes twice");
    if !problem.demand.combines() {
        let owed = problem.demand.chunks.iter().flat_map(|chunk| chunk.to.iter().map(|to| (chunk.from[0], *to)));
        let mut owed: Vec<(u32, u32)> = owed.filter(|(a, b)| a != b).map(|(a, b)| (a.get(), b.get())).collect();
        let sent = document.packets.iter().flat_map(|packet| packet.dsts.iter().map(|dst| (packet.src, *dst)));
        let mut sent: Vec<(u32, u32)> = sent.filter(|(a, b)| a != b).collect();
        owed.sort_unstable();
        sent.sort_unstable();
        assert!(owed == sent, "the words are not those of the demand");
    }
    Ok(account)
}

/// The lower bounds of a problem.
pub fn lower_bounds(problem: &Problem) -> BoundList {
    let one_port = problem.ports == PortModel::One;
    bounds(Subject {
        net: &problem.net,
        latency: &problem.latency,
        one_port,
        demand: &problem.demand,
        operator: problem.operator,
    })
}

/// The problem of a collective on a network.
pub fn problem(net: Graph, kind: &str, count: usize) -> Problem {
    let nodes = net.nodes();
    Problem::new(net, demand(kind, nodes, count))
}
