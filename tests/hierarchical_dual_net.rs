//! Hierarchical dual-nets: nodes and links by the rule of the paper, sizes, degrees and diameters, re-indexing, ways, and total exchanges.

use assert_cmd::cargo::cargo_bin_cmd;
use metronoc::check::graph_bounds::{Subject, bounds};
use metronoc::check::judge::judge;
use metronoc::collective::demand::{Chunk, Demand};
use metronoc::id::NodeId;
use metronoc::program::Document;
use metronoc::topology::hierarchical_dual_net::{Factor, Index, Unfit};
use metronoc::topology::{Graph, HierarchicalDualNet, Topology};
use ndarray::ArrayD;
use ndarray_npy::{read_npy, write_npy};
use serde_json::Value;
use std::collections::BTreeSet;

fn net(base: &[&str], levels: &[&[usize]]) -> HierarchicalDualNet {
    let base = base.iter().map(|factor| factor.parse().unwrap()).collect();
    HierarchicalDualNet::new(base, levels.iter().map(|level| level.to_vec()).collect()).unwrap()
}

/// Networks of all sorts: rings, complete networks, hypercubes, super-nodes of nothing, of all, nested and not.
fn nets() -> Vec<HierarchicalDualNet> {
    vec![
        net(&["ring:2", "ring:2"], &[&[0]]),
        net(&["hypercube:2"], &[&[]]),
        net(&["ring:5"], &[&[0]]),
        net(&["ring:3", "complete:4"], &[&[1]]),
        net(&["ring:2", "ring:3"], &[]),
        net(&["ring:1", "hypercube:1", "complete:3"], &[&[2, 0]]),
        net(&["ring:2", "ring:2"], &[&[0], &[0]]),
        net(&["ring:2", "ring:2"], &[&[0], &[0, 1]]),
        net(&["ring:2", "ring:2"], &[&[0], &[1]]),
        net(&["ring:2", "ring:3"], &[&[0, 1], &[1]]),
        net(&["ring:3"], &[&[0], &[0], &[0]]),
    ]
}

fn far(net: &HierarchicalDualNet, node: u32) -> Vec<u32> {
    (0..net.ports()).map(|port| net.neighbour(NodeId::new(node), port).get()).collect()
}

/// Links by the rule of the exchange format, from coordinates that are taken apart here.
fn joined(net: &HierarchicalDualNet, a: u32, b: u32) -> bool {
    let dims: Vec<u32> = net.base().iter().map(|factor| factor.nodes()).collect();
    let digits = |mut x: u32| {
        let mut at: Vec<u32> = dims.iter().rev().map(|size| (x % size, x /= size).0).collect();
        at.reverse();
        at
    };
    let base = net.size(0);
    if a / base == b / base {
        let (a, b) = (digits(a % base), digits(b % base));
        let apart: Vec<usize> = (0..dims.len()).filter(|&i| a[i] != b[i]).collect();
        let [i] = apart[..] else { return false };
        return match net.base()[i] {
            Factor::Ring(n) => (a[i] + 1) % n == b[i] || (b[i] + 1) % n == a[i],
            Factor::Complete(_) => true,
            Factor::Hypercube(_) => (a[i] ^ b[i]).is_power_of_two(),
        };
    }
    // the lowest level of which both are in one network
    let level = (1..=net.level_count()).find(|&level| a / net.size(level) == b / net.size(level)).unwrap();
    let (size, below) = (net.size(level), net.size(level - 1));
    let clusters = size / below / 2;
    // class, cluster, the coordinates of the super-node with the number of the base before them, and those of the place
    let parts = |x: u32| {
        let (copy, x) = (x % size / below, x % size % below);
        let (within, outside): (Vec<_>, Vec<_>) =
            digits(x % base).into_iter().zip(&dims).enumerate().partition(|(i, _)| net.factors(level).contains(i));
        let rank = outside.iter().fold(x / base, |rank, (_, (at, size))| rank * **size + at);
        (copy / clusters, copy % clusters, rank, within.into_iter().map(|(_, (at, _))| at).collect::<Vec<u32>>())
    };
    let ((ca, ua, sa, pa), (cb, ub, sb, pb)) = (parts(a), parts(b));
    ca != cb && sa == ub && ua == sb && pa == pb
}

#[test]
fn links_are_those_of_the_rule() {
    for net in nets() {
        let nodes = net.nodes() as u32;
        for a in 0..nodes.min(200) {
            let found = far(&net, a);
            let set: BTreeSet<u32> = found.iter().copied().collect();
            assert_eq!(set.len(), found.len(), "parallel links of {a}: {net:?}");
            let wanted: BTreeSet<u32> = (0..nodes).filter(|&b| b != a && joined(&net, a, b)).collect();
            assert_eq!(set, wanted, "node {a} of {net:?}");
        }
    }
}

/// Nodes by the recurrence, degree d₀ + k, and the diameter of Theorem 1, which a level whose super-node is the base lowers.
#[test]
fn sizes_degrees_and_diameters() {
    for net in nets() {
        let levels = 1..=net.level_count();
        let (mut size, mut diameter) = (net.size(0), net.base().iter().map(|factor| factor.diameter()).sum::<u32>());
        for level in levels.clone() {
            size = 2 * size * size / net.super_node(level);
            diameter = 2 * diameter + 2 - net.factors(level).iter().map(|&i| net.base()[i].diameter()).sum::<u32>();
        }
        assert_eq!(net.nodes() as u32, size, "{net:?}");
        let degree: usize = net.base().iter().map(|factor| factor.ports()).sum();
        assert_eq!(net.ports(), degree + net.level_count());
        let whole = levels.clone().any(|level| net.factors(level).len() == net.base().len());
        match whole {
            false => assert_eq!(net.diameter(), diameter, "{net:?}"),
            true => assert!(net.diameter() <= diameter, "{net:?}"),
        }
    }
    // a link of two nodes counts once
    assert_eq!(net(&["ring:2", "ring:3", "ring:5"], &[&[]]).ports(), 6);
    // C3 × K2, where the formula has 3
    assert_eq!(net(&["ring:3"], &[&[0]]).diameter(), 2);
}

#[test]
fn networks_that_cannot_be() {
    let unfit = |levels: &[&[usize]]| {
        let levels = levels.iter().map(|level| level.to_vec()).collect();
        HierarchicalDualNet::new(vec![Factor::Ring(3), Factor::Hypercube(4)], levels).unwrap_err()
    };
    assert_eq!(unfit(&[&[0], &[2]]), Unfit::NoSuchFactor { level: 2, factor: 2, count: 2 });
    assert_eq!(unfit(&[&[1, 0, 1]]), Unfit::Twice { level: 1, factor: 1 });
    assert_eq!(unfit(&[&[], &[], &[]]), Unfit::TooLarge);
    assert_eq!(HierarchicalDualNet::new(Vec::new(), Vec::new()), Err(Unfit::NoBase));
    for bad in ["ring", "ring:0", "ring:x", "torus:2", "hypercube:11", "complete:1025", ""] {
        assert!(bad.parse::<Factor>().is_err(), "{bad}");
    }
}

#[test]
fn indices_by_level() {
    for net in nets() {
        for level in 1..=net.level_count() {
            for node in 0..net.size(level) {
                let index = net.index(level, node);
                assert_eq!(net.node(level, index), node);
                assert!(
                    index.class < 2 && index.cluster < net.clusters(level) && index.super_node < net.clusters(level)
                );
                assert!(index.place < net.super_node(level));
                assert_eq!(net.cross(level, net.cross(level, node)), node);
            }
        }
    }
    // Table 4, whose second and third row divide the serial number instead: the coordinates of C2 and C5 change sides
    let net = net(&["ring:2", "ring:3", "ring:5"], &[&[0, 1], &[1, 2]]);
    let of =
        |[class, cluster, super_node, place]: [u32; 4]| net.reindexed(2, Index { class, cluster, super_node, place });
    assert_eq!([[0, 0, 0, 0], [1, 4, 2, 3], [0, 0, 2, 2], [1, 4, 4, 5]].map(of), [(0, 0), (19, 2), (0, 12), (19, 14)]);
}

/// Algorithm 1 takes links to the destination between all pairs; its ways are shortest where the super-nodes are nested.
#[test]
fn ways_between_all_pairs() {
    for net in nets().into_iter().filter(|net| net.nodes() <= 256) {
        let nodes = net.nodes() as u32;
        let mut longer = 0;
        for to in 0..nodes {
            let hops = net.distances(to);
            for from in 0..nodes {
                let shortest = ((from + to) % 16 == 0).then(|| (net.shortest(from, to), true));
                for (way, shortest) in [(net.algorithm_1(from, to), false)].into_iter().chain(shortest) {
                    assert_eq!((way[0], way[way.len() - 1]), (from, to));
                    assert!(way.windows(2).all(|pair| far(&net, pair[0]).contains(&pair[1])), "{way:?} of {net:?}");
                    let more = way.len() as u32 - 1 - hops[from as usize];
                    assert!(more == 0 || !shortest);
                    longer += u32::from(more > 0);
                }
            }
        }
        let whole = (1..=net.level_count()).any(|level| net.factors(level).len() == net.base().len());
        assert!(longer == 0 || !net.is_nested() || whole, "{longer} of {net:?}");
        if !net.is_nested() {
            assert!(longer > 0, "{net:?}");
        }
    }
}

/// Output of a command on a specification.
fn run(network: &str, collective: &str, command: &[&str]) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let text = format!(
        "format = 1\n[network]\ntopology = \"hierarchical-dual-net\"\n{network}\n[collective]\n{collective}\n\
         [schedule]\ntime_limit_s = 1\n"
    );
    std::fs::write(folder.path().join("spec.toml"), text).unwrap();
    let output = cargo_bin_cmd!("metronoc").args(command).current_dir(folder.path()).output().unwrap();
    assert!(output.status.success(), "{network} {collective}: {}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

fn checked(network: &str, collective: &str) -> Value {
    serde_json::from_slice(&run(network, collective, &["check", "spec.toml", "--json"])).unwrap()
}

const SIXTEEN: &str = "base = [\"ring:2\", \"ring:2\"]\nlevels = [[0]]";
const THIRTY_TWO: &str = "base = [\"hypercube:2\"]\nlevels = [[]]";

#[test]
fn every_collective_holds() {
    for network in [
        "base = [\"ring:2\", \"ring:2\"]\nlevels = [[0]]",
        "base = [\"ring:3\", \"ring:2\"]\nlevels = [[1]]\nports = \"one\"\nlatency = { local = 1, levels = [3] }",
        "base = [\"complete:3\"]\nlevels = [[0]]\nexclude_nodes = [1]\nlatency = 2",
    ] {
        for collective in [
            "kind = \"total-exchange\"\nalgorithm = \"balanced\"",
            "kind = \"all-gather\"\nalgorithm = \"balanced\"",
            "kind = \"broadcast\"\nalgorithm = \"balanced\"\nroot = 3\ncount = 3",
            "kind = \"gather\"\nalgorithm = \"balanced\"\nroot = 1",
            "kind = \"scatter\"\nalgorithm = \"balanced\"",
            "kind = \"reduce\"\nalgorithm = \"balanced\"\nroot = 2",
            "kind = \"reduce-scatter\"\nalgorithm = \"balanced\"",
            "kind = \"all-reduce\"\nalgorithm = \"balanced\"",
            "kind = \"permutation\"\nalgorithm = \"balanced\"\npattern = \"reversal\"",
            "kind = \"h-relation\"\nalgorithm = \"balanced\"\ndemands = [[0, 1], [2, 0]]",
        ] {
            let document = Document::read(&run(network, collective, &["schedule", "spec.toml", "--format", "json"]));
            let account = judge(&document.unwrap()).unwrap_or_else(|fault| panic!("{network} {collective}: {fault}"));
            assert!(account.known_topology);
        }
    }
}

/// The bound of the cross links, ⌈1.5·n_k - 2·n_{k-1}⌉, which `best` meets.
#[test]
fn total_exchanges_meet_the_bound_of_the_cross_links() {
    for (network, cycles) in [(SIXTEEN, 16), (THIRTY_TWO, 40)] {
        let found = checked(network, "kind = \"total-exchange\"");
        let largest = found["bounds"].as_object().unwrap().values().filter_map(Value::as_u64).max();
        assert_eq!((found["cycles"].as_u64(), largest), (Some(cycles), Some(cycles)), "{network}");
    }
}

/// With super-nodes of two and of four nodes, 128 channels of level 1 are crossed 32768 times.
#[test]
fn channels_of_one_class_bound_a_total_exchange() {
    let found = |levels: &[&[usize]], one_port: bool| {
        let net = Graph::of(&net(&["ring:2", "ring:2"], levels));
        let nodes = net.nodes();
        let pairs = (0..nodes).flat_map(|a| (0..nodes).filter(move |&b| a != b).map(move |b| (a, b)));
        let chunks = pairs.map(|(a, b)| Chunk { from: vec![a.into()], to: vec![b.into()] }).collect();
        let (latency, demand) = (vec![1; nodes * net.ports()], Demand { chunks });
        bounds(Subject { net: &net, latency: &latency, one_port, demand: &demand, operator: 0 }).get("class")
    };
    assert_eq!(found(&[&[]], false), Some(40));
    assert_eq!(found(&[&[0], &[0, 1]], false), Some(256));
    // one word at a time: all channels together say more
    assert_eq!(found(&[&[]], true), None);
}

/// Algorithm 2, one word at a time: the words of its phases but for those to oneself, which are not sent.
#[test]
fn algorithm_2_delivers_every_word() {
    for (network, cycles) in [
        (SIXTEEN, 46),
        (THIRTY_TWO, 110),
        ("base = [\"complete:3\", \"hypercube:1\"]\nlevels = [[0, 1]]", 0),
        ("base = [\"ring:2\"]\nlevels = [[0], [0]]\nlatency = { levels = [1, 3] }", 0),
    ] {
        let network = format!("{network}\nports = \"one\"");
        let found = checked(&network, "kind = \"total-exchange\"\nalgorithm = \"paper\"");
        assert_eq!(found["algorithm"], "paper");
        assert!(cycles == 0 || found["cycles"] == cycles, "{network}: {}", found["cycles"]);
    }
}

#[test]
fn algorithm_2_is_for_words_of_one_destination_on_whole_networks() {
    for (network, kind) in
        [(SIXTEEN.to_owned(), "all-gather"), (format!("{SIXTEEN}\nexclude_nodes = [1]"), "all-to-all")]
    {
        let folder = tempfile::tempdir().unwrap();
        let text = format!(
            "format = 1\n[network]\ntopology = \"hierarchical-dual-net\"\n{network}\n[collective]\nkind = \"{kind}\"\nalgorithm = \"paper\"\n"
        );
        std::fs::write(folder.path().join("spec.toml"), text).unwrap();
        let output =
            cargo_bin_cmd!("metronoc").args(["check", "spec.toml"]).current_dir(folder.path()).output().unwrap();
        assert_eq!(output.status.code(), Some(4));
    }
}

/// Row of the manual's tables: base, levels, and the numbers after them.
type Row = (Vec<String>, Vec<Vec<usize>>, Vec<String>);

/// Rows of the manual's tables with so many columns.
fn rows(columns: usize) -> Vec<Row> {
    let rows = include_str!("../docs/src/hierarchical-dual-net.md")
        .lines()
        .filter(|line| line.starts_with("| ring:") || line.starts_with("| hyper"));
    let cells =
        rows.map(|line| line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect::<Vec<_>>());
    let row = |cells: Vec<String>| {
        let base = cells[0].split(", ").map(str::to_owned).collect();
        let levels = serde_json::from_str(&format!("[{}]", cells[1])).unwrap();
        (base, levels, cells[2..].to_vec())
    };
    cells.filter(|cells| cells.len() == columns).map(row).collect()
}

fn row_of_the_manual(base: &[String], levels: &[Vec<usize>], row: &[String], keys: &str) -> Value {
    let found = checked(
        &format!("base = {base:?}\nlevels = {levels:?}\n{}", keys.split('+').next().unwrap()),
        keys.split('+').nth(1).unwrap(),
    );
    let bounds = found["bounds"].as_object().unwrap();
    let largest = bounds.values().filter_map(Value::as_u64).max().unwrap();
    assert_eq!([found["cycles"].to_string(), largest.to_string()], row[1..3], "{base:?} {levels:?}");
    found
}

#[test]
#[ignore = "searches on 128 nodes: minutes in the dev profile; .ci/run includes it"]
fn the_table_of_total_exchanges_is_what_check_says() {
    let rows = rows(6);
    assert!(rows.len() >= 4, "the table is gone");
    for (base, levels, row) in rows {
        let found = row_of_the_manual(&base, &levels, &row, "+kind = \"total-exchange\"");
        assert_eq!(found["bounds"][row[3].as_str()].to_string(), row[2]);
    }
}

/// Startups and words are those of the claims, by the paper's own rules.
#[test]
fn the_table_of_algorithm_2_is_what_check_and_claims_say() {
    let paper = metronoc::claims::PAPERS.iter().find(|paper| paper.name == "hierarchical-dual-net").unwrap();
    let claim = (paper.claims)().into_iter().find(|claim| claim.id == "algorithm-2").unwrap();
    let costs = claim.judge(64).table.unwrap();
    let rows = rows(7);
    assert!(rows.len() >= 4, "the table is gone");
    for (base, levels, row) in rows.into_iter().filter(|row| row.2[0].parse::<u32>().unwrap() <= 64) {
        row_of_the_manual(&base, &levels, &row, "ports = \"one\"+kind = \"total-exchange\"\nalgorithm = \"paper\"");
        let cost = costs.rows.iter().find(|cost| cost[1] == row[0]).unwrap();
        assert_eq!((&cost[2], &cost[3], &cost[4]), (&row[3], &row[4], &row[2]));
    }
}

/// Hardware and model agree in every cycle, and each node has the words that the definition gives it.
#[test]
fn hardware_moves_the_words_of_the_definition() {
    // base, levels, collective, nodes, words a block, and the block that comes out in a place
    type Definition = fn(usize, usize, usize) -> (usize, usize);
    let exchanged: Definition = |_, to, from| (from, to);
    let gathered: Definition = |_, _, from| (from, 0);
    for (network, keys, nodes, words, came) in [
        (SIXTEEN, "ports = \"one\"+kind = \"total-exchange\"\nalgorithm = \"paper\"", 16, 1, exchanged),
        ("base = [\"ring:3\"]\nlevels = [[0]]", "+kind = \"all-gather\"\nwords = 3", 6, 3, gathered),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let (ports, collective) = keys.split_once('+').unwrap();
        let text = format!(
            "format = 1\n[network]\ntopology = \"hierarchical-dual-net\"\n{network}\n{ports}\n[router]\npayload_bits = 32\n\
             [collective]\n{collective}\n[schedule]\ntime_limit_s = 1\n"
        );
        std::fs::write(path("spec.toml"), text).unwrap();
        let word = |from: usize, block: usize, word: usize| {
            (((from * nodes + block) * words + word) as u32 * 0x0101_0101) ^ 0x9e37_79b9
        };
        let is_exchange = words == 1;
        let given = if is_exchange { vec![nodes, nodes] } else { vec![nodes, words] };
        let x =
            ArrayD::from_shape_fn(given, |at| if is_exchange { word(at[0], at[1], 0) } else { word(at[0], 0, at[1]) });
        write_npy(path("x.npy"), &x).unwrap();
        let args = ["cosim", "spec.toml", "--data", "x.npy", "--out", "y.npy"];
        let output = cargo_bin_cmd!("metronoc").args(args).current_dir(folder.path()).output().unwrap();
        assert!(output.status.success(), "{keys}: {}", String::from_utf8_lossy(&output.stderr));
        assert!(String::from_utf8_lossy(&output.stdout).contains("hardware and model agree"), "{keys}");
        let y: ArrayD<u32> = read_npy(path("y.npy")).unwrap();
        let results = if is_exchange { vec![nodes, nodes] } else { vec![nodes, nodes, words] };
        let wanted = ArrayD::from_shape_fn(results, |at| {
            let (from, block) = came(nodes, at[0], at[1]);
            word(from, block, if is_exchange { 0 } else { at[2] })
        });
        assert_eq!(y, wanted, "{keys}");
        // words in other places are noticed
        assert_ne!(y.mapv(|word| word ^ 1), wanted);
    }
}
