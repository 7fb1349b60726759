//! Lower bounds for any demand on any network, held against numbers that are counted by hand and against schedules.

use crate::common::graphs::{dgx1, grid, kautz, lower_bounds, problem, verdict};
use metronoc::collective::demand::{Chunk, Demand};
use metronoc::id::NodeId;
use metronoc::schedule::general::{Effort, PortModel, Problem, schedule};
use metronoc::topology::swapped_dragonfly::{Group, SwappedDragonfly};
use metronoc::topology::{Graph, Topology};

/// The cycles of a bound, by its name.
fn bound(problem: &Problem, name: &str) -> Option<u64> {
    lower_bounds(problem).get(name)
}

#[test]
fn bounds_are_those_that_can_be_counted_by_hand() {
    // 8 nodes, each with a word for 8 others behind 4 channels
    let mesh = problem(grid(&[4, 4], false), "all-to-all", 1);
    assert_eq!((bound(&mesh, "cut"), bound(&mesh, "distance")), (Some(16), Some(6)));
    // without one of these channels
    let mut ends: Vec<(u32, u32)> = Vec::new();
    for node in 0..16 {
        let out = (0..mesh.net.ports_of(NodeId::new(node))).map(|p| mesh.net.neighbour(NodeId::new(node), p).get());
        ends.extend(out.map(|to| (node, to)).filter(|ends| *ends != (7, 11) && *ends != (11, 7)));
    }
    let labels = (0..16).map(|node| mesh.net.label(node.into())).collect();
    let broken = problem(Graph::new(labels, &ends).expect("its nodes"), "all-to-all", 1);
    assert_eq!(bound(&broken, "cut"), Some(22));
    // 62 words come to a node over 2 channels; sums leave it likewise
    assert_eq!(bound(&problem(grid(&[8, 4], false), "all-gather", 2), "receive"), Some(31));
    assert_eq!(bound(&problem(grid(&[4, 4], false), "reduce-scatter", 1), "send"), Some(8));
    // 2·15 crossings of each of 16 sums, on 48 channels
    assert_eq!(bound(&problem(grid(&[4, 4], false), "all-reduce", 16), "capacity"), Some(10));
    // one packet a node and cycle
    let one = Problem { ports: PortModel::One, ..mesh };
    assert_eq!((bound(&one, "capacity"), bound(&one, "receive")), (Some(40), Some(15)));
    // two squares that one channel joins each way, and labels that say nothing of them
    let square = |a: [u32; 4]| (0..4).flat_map(move |i| [(a[i], a[(i + 1) % 4]), (a[(i + 1) % 4], a[i])]);
    let mut channels: Vec<(u32, u32)> = square([0, 3, 5, 6]).chain(square([1, 2, 4, 7])).collect();
    channels.extend([(0, 1), (1, 0)]);
    let net = Graph::new((0..8).map(|node| vec![node % 2]).collect(), &channels).expect("its nodes");
    let joined = problem(net, "all-gather", 2);
    let all = lower_bounds(&joined);
    let cut = all.all().iter().find(|bound| bound.name == "cut").expect("a cut");
    assert_eq!(cut.cycles, 8, "{}", cut.reason);
    assert!(cut.reason.contains("8 words enter the 4 nodes"), "{}", cut.reason);
}

#[test]
fn latencies_delay_what_comes_and_goes() {
    // a line 0 → 1 → 2 of latencies 3 and 2: two words from 0 to 2, the second of which enters a cycle later
    let net = Graph::new((0..3).map(|node| vec![node]).collect(), &[(0, 1), (1, 2)]).expect("its nodes");
    let chunk = Chunk { from: vec![NodeId::new(0)], to: vec![NodeId::new(2)] };
    let demand = Demand { chunks: vec![chunk; 2] };
    let problem = Problem { latency: vec![3, 2, 0], ..Problem::new(net, demand) };
    let found = lower_bounds(&problem);
    assert_eq!((found.get("distance"), found.get("cut"), found.get("receive")), (Some(5), Some(6), Some(3)));
    let made = schedule(&problem, "best", &Effort { time_limit_s: 0, seed: 1 }).expect("a schedule");
    verdict(&problem, &made, "any", 1).unwrap_or_else(|fault| panic!("{fault}"));
    assert_eq!(made.cycles, 6);
}

/// The Swapped Dragonfly D3(K,M) as a list of channels.
fn swapped_dragonfly(k: u32, m: u32) -> Graph {
    let net = SwappedDragonfly::new(k, m, Group::Cyclic);
    let ends = |channel: usize| net.channel(channel.into());
    let channels = (0..net.channels()).map(ends).filter(|channel| !channel.is_loopback());
    let channels: Vec<(u32, u32)> = channels.map(|channel| (channel.src.get(), channel.dst.get())).collect();
    Graph::new((0..net.nodes() as u32).map(|node| vec![node]).collect(), &channels).expect("its nodes")
}

/// The largest bound of all-to-all, its name and its reason.
fn of_all_to_all(net: Graph) -> (u64, &'static str, String) {
    let all = lower_bounds(&problem(net, "all-to-all", 1));
    let largest = all.all().iter().find(|bound| bound.cycles == all.largest()).expect("a bound");
    (largest.cycles, largest.name, largest.reason.clone())
}

#[test]
fn all_routings_are_bounded_as_the_linear_program_says() {
    for (k, m, cycles) in [(2, 3, 11), (4, 4, 28)] {
        assert_eq!(of_all_to_all(swapped_dragonfly(k, m)).0, cycles, "D3({k},{m})");
    }
    // 14 1/3: the ways are not all short if the load is even
    let (cycles, name, reason) = of_all_to_all(kautz(2, 3));
    assert_eq!((cycles, name), (15, "routing"), "{reason}");
    // where all channels are alike, or cuts say as much, there is no more to find
    assert_eq!(of_all_to_all(grid(&[4, 4], true)).1, "capacity");
    assert_eq!(of_all_to_all(grid(&[4, 4], false)).1, "cut");
}

#[test]
#[ignore = "searches on large networks, a minute without optimisation; .ci/run includes it"]
fn large_networks_are_bounded_as_the_linear_program_says() {
    for (k, m, cycles) in [(3, 5, 28), (4, 6, 44)] {
        assert_eq!(of_all_to_all(swapped_dragonfly(k, m)).0, cycles, "D3({k},{m})");
    }
    for (degree, diameter, cycles) in [(2, 4, 39), (3, 3, 32), (4, 3, 55)] {
        assert_eq!(of_all_to_all(kautz(degree, diameter)).0, cycles, "K({degree},{diameter})");
    }
}

#[test]
fn weights_count_what_the_reason_says() {
    // of K(2,3) the six channels aba → bab have weight 0, and the others weight 1
    let net = kautz(2, 3);
    let nodes = net.nodes();
    let mut ways = vec![vec![u32::MAX / 2; nodes]; nodes];
    let mut total = 0;
    for (node, ways) in ways.iter_mut().enumerate() {
        ways[node] = 0;
        for port in 0..net.ports_of(node.into()) {
            let to = net.neighbour(node.into(), port);
            let turns = |node: NodeId| net.label(node)[0] == net.label(node)[2];
            ways[to.index()] = u32::from(!turns(node.into()) || !turns(to));
            total += ways[to.index()];
        }
    }
    for via in 0..nodes {
        for from in 0..nodes {
            for to in 0..nodes {
                ways[from][to] = ways[from][to].min(ways[from][via] + ways[via][to]);
            }
        }
    }
    let sum: u32 = ways.iter().flatten().sum();
    let (cycles, name, reason) = of_all_to_all(net);
    assert_eq!((cycles, name), (u64::from(sum.div_ceil(total)), "routing"));
    assert!(reason.contains(&format!("weight {sum}, of {total} a cycle")), "{reason}");
}

#[test]
fn unequal_parallel_channels_and_single_ports_are_weighted() {
    // two pairs of nodes, three channels within a pair, one between the pairs at either end: the pair that is joined by one channel
    // each way sends 4 words over 2 channels, and no label says which nodes are a pair
    let links = [(0, 2), (0, 2), (0, 2), (1, 3), (1, 3), (1, 3), (0, 1), (2, 3)];
    let channels: Vec<(u32, u32)> = links.iter().flat_map(|&(a, b)| [(a, b), (b, a)]).collect();
    let net = Graph::new((0..4).map(|node| vec![node]).collect(), &channels).expect("its nodes");
    assert_eq!(of_all_to_all(net).0, 2);
    assert_eq!(of_all_to_all(dgx1()).0, 3);
    let one = Problem { ports: PortModel::One, ..problem(swapped_dragonfly(2, 3), "all-to-all", 1) };
    let all = lower_bounds(&one);
    assert_eq!((all.get("capacity"), all.get("routing")), (Some(37), Some(41)));
    let reason = &all.all().last().expect("a bound").reason;
    assert!(reason.contains("what (1) sends"), "{reason}");
}
