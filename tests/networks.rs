//! Networks that run in slot tables: nodes and channels of every topology by their labels, and collectives from specification to data.

use assert_cmd::cargo::cargo_bin_cmd;
use metronoc::check::judge::judge;
use metronoc::program::{Document, Node};
use metronoc::topology::whole;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// Channels of a topology by the labels of their ends, from a rule that says where a channel leads.
fn follows(table: &Value, count: usize, leads: impl Fn(&[u32], &[u32]) -> bool) {
    let net = whole(table).expect("a topology").expect("sizes");
    let net = net.as_ref();
    assert_eq!(net.nodes(), count, "{table}");
    let labels: Vec<Vec<u32>> = (0..count).map(|node| net.label(node.into())).collect();
    assert!(labels.windows(2).all(|pair| pair[0] < pair[1]), "{table}: {labels:?}");
    for node in 0..count {
        let found: Vec<usize> =
            (0..net.ports_of(node.into())).map(|port| net.neighbour(node.into(), port).index()).collect();
        let set: BTreeSet<usize> = found.iter().copied().collect();
        assert_eq!(set.len(), found.len(), "{table}: parallel channels of {:?}", labels[node]);
        let wanted = (0..count).filter(|&to| to != node && leads(&labels[node], &labels[to])).collect();
        assert_eq!(set, wanted, "{table}: {:?}", labels[node]);
        assert!(found.len() <= net.ports());
    }
}

/// Dimensions in which two nodes differ, with the difference modulo the length.
fn differences<'a>(dims: &'a [u32], a: &'a [u32], b: &'a [u32]) -> Vec<(u32, u32)> {
    let of = |((&length, &a), &b): ((&u32, &u32), &u32)| (length, (b + length - a) % length);
    dims.iter().zip(a).zip(b).map(of).filter(|(_, difference)| *difference != 0).collect()
}

#[test]
fn grids_by_their_coordinates() {
    for dims in [&[4, 4][..], &[3], &[2, 3], &[1, 5], &[2, 2, 2], &[1], &[3, 1, 4]] {
        let count = dims.iter().product::<u32>() as usize;
        for (directions, up) in [("both", false), ("one", true)] {
            follows(
                &json!({ "topology": "torus", "dims": dims, "directions": directions }),
                count,
                |a, b| matches!(differences(dims, a, b)[..], [(length, by)] if by == 1 || !up && by == length - 1),
            );
        }
        follows(&json!({ "topology": "mesh", "dims": dims }), count, |a, b| {
            let apart: Vec<u32> = a.iter().zip(b).map(|(&a, &b)| a.abs_diff(b)).filter(|&apart| apart > 0).collect();
            apart == [1]
        });
    }
}

#[test]
fn other_topologies_by_their_labels() {
    for n in 1..7 {
        follows(&json!({ "topology": "ring", "nodes": n }), n as usize, |a, b| {
            let by = (b[0] + n - a[0]) % n;
            by == 1 || by == n - 1
        });
        follows(&json!({ "topology": "complete", "nodes": n }), n as usize, |_, _| true);
    }
    for d in 0..5 {
        follows(&json!({ "topology": "hypercube", "d": d }), 1 << d, |a, b| (a[0] ^ b[0]).is_power_of_two());
    }
    let shifted = |a: &[u32], b: &[u32]| a[1..] == b[..b.len() - 1];
    for (degree, diameter) in [(2_usize, 3_u32), (3, 2), (1, 2), (3, 1), (2, 1)] {
        let table = |name| json!({ "topology": name, "degree": degree, "diameter": diameter });
        follows(&table("kautz"), (degree + 1) * degree.pow(diameter - 1), shifted);
        follows(&table("de-bruijn"), degree.pow(diameter), shifted);
    }
    for (a, h, g) in [(4, 2, 9), (2, 1, 3), (3, 2, 4), (1, 3, 4), (4, 0, 1)] {
        // global port of the group that leads to another one
        let port = |from: u32, to: u32| to - u32::from(to > from);
        follows(&json!({ "topology": "dragonfly", "a": a, "h": h, "g": g }), (a * g) as usize, |from, to| {
            from[0] == to[0] || [(from, to), (to, from)].iter().all(|(x, y)| port(x[0], y[0]) / h == x[1])
        });
    }
}

/// Supernodes over prime fields, where elements are numbers modulo q: sets X as the paper prints them, and one link for each pair of
/// supernodes that are joined.
#[test]
fn galaxyflies_by_their_definition() {
    for (n, q, a, root, x) in [
        (3, 5, 4, 2, vec![1, 4]),
        (2, 7, 3, 3, vec![1, 2, 5, 6]),
        (1, 13, 1, 2, vec![1, 3, 4, 9, 10, 12]),
        (3, 3, 5, 2, vec![1, 2]),
    ] {
        let joined = |from: &[u32], to: &[u32]| match from[0].cmp(&to[0]) {
            std::cmp::Ordering::Equal => x.contains(&((from[1] + q - to[1]) % q)),
            std::cmp::Ordering::Less => from[1] == root * to[1] % q,
            std::cmp::Ordering::Greater => to[1] == root * from[1] % q,
        };
        let supernodes: Vec<[u32; 2]> = (0..n).flat_map(|c| (0..q).map(move |e| [c, e])).collect();
        let near = |s: &[u32]| supernodes.iter().filter(|t| joined(s, *t)).collect::<Vec<_>>();
        let rank = |s: &[u32], t: &[u32]| near(s).iter().position(|u| **u == t).expect("a neighbour") as u32;
        for links in ["cyclic", "block"] {
            let gate = |s: &[u32], t: &[u32]| match links {
                "cyclic" => rank(s, t) % a,
                _ => rank(s, t) / (near(s).len() as u32).div_ceil(a),
            };
            let table = json!({ "topology": "galaxyfly", "n": n, "q": q, "a": a, "links": links });
            follows(&table, (n * q * a) as usize, |from, to| {
                let (s, t) = (&from[..2], &to[..2]);
                s == t || joined(s, t) && gate(s, t) == from[2] && gate(t, s) == to[2]
            });
        }
    }
}

/// Port p is the same displacement at every node of networks with a group law.
#[test]
fn ports_are_displacements() {
    let xor = |a: u32, b: u32| a ^ b;
    for (table, by) in [
        (json!({ "topology": "hypercube", "d": 4 }), &xor as &dyn Fn(u32, u32) -> u32),
        (json!({ "topology": "ring", "nodes": 6 }), &|a, b| (a + b) % 6),
        (json!({ "topology": "complete", "nodes": 5 }), &|a, b| (a + b) % 5),
        (json!({ "topology": "torus", "dims": [2, 4, 3] }), &|a, b| {
            let digits = |x: u32| [x / 12, x / 3 % 4, x % 3];
            let ([a, b, c], [d, e, f]) = (digits(a), digits(b));
            (a + d) % 2 * 12 + (b + e) % 4 * 3 + (c + f) % 3
        }),
    ] {
        let net = whole(&table).unwrap().unwrap();
        for node in 0..net.nodes() {
            for port in 0..net.ports() {
                let displacement = net.neighbour(0.into(), port).get();
                assert_eq!(net.neighbour(node.into(), port).get(), by(node as u32, displacement), "{table}");
            }
        }
    }
}

/// A specification in a folder of its own.
struct Case {
    folder: TempDir,
}

impl Case {
    fn new(network: &str) -> Self {
        let folder = TempDir::new().unwrap();
        std::fs::write(
            folder.path().join("spec.toml"),
            format!("format = 1\n[network]\n{network}\n[schedule]\ntime_limit_s = 1\n"),
        )
        .unwrap();
        Self { folder }
    }

    fn with(self, name: &str, text: &str) -> Self {
        std::fs::write(self.folder.path().join(name), text).unwrap();
        self
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn run(&self, arguments: &[&str]) -> Vec<u8> {
        let output = cargo_bin_cmd!("metronoc").args(arguments).current_dir(self.folder.path()).output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        output.stdout
    }

    fn fails(&self, arguments: &[&str], code: i32) -> String {
        let output = cargo_bin_cmd!("metronoc").args(arguments).current_dir(self.folder.path()).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(code), "{said}");
        said
    }

    /// The export, judged once more from its text; then the program on data, compared with the oracle.
    fn holds(&self) -> Document {
        let document = Document::read(&self.run(&["schedule", "spec.toml", "--format", "json"])).unwrap();
        let account = judge(&document).unwrap_or_else(|fault| panic!("{fault}"));
        assert_eq!(account.repeated_arrivals, 0);
        self.run(&["simulate", "spec.toml", "--out", "out.npy"]);
        assert!(Path::new(&self.path("out.npy")).exists());
        document
    }
}

#[test]
fn every_topology_from_specification_to_data() {
    for network in [
        "topology = \"torus\"\ndims = [3, 4]",
        "topology = \"torus\"\ndims = [3, 3]\ndirections = \"one\"\nports = \"one\"",
        "topology = \"torus\"\ndims = [1, 2, 3]\nlatency = { dims = [1, 2, 3] }",
        "topology = \"torus\"\ndims = [1]",
        "topology = \"mesh\"\ndims = [2, 3]\nlatency = { all = 2, dims = [1, 3] }\nexclude_nodes = [0]",
        "topology = \"ring\"\nnodes = 5\nexclude_channels = [[0, 1], [1, 0]]",
        "topology = \"hypercube\"\nd = 3\nexclude_nodes = [0, 3]\nports = \"one\"\nlatency = 3",
        "topology = \"complete\"\nnodes = 4\nports = \"one\"",
        "topology = \"kautz\"\ndegree = 2\ndiameter = 3",
        "topology = \"de-bruijn\"\ndegree = 2\ndiameter = 3\nlatency = 255",
        "topology = \"dragonfly\"\na = 2\nh = 1\ng = 3\nlatency = { local = 1, global = 4 }",
        "topology = \"fat-cube\"\nd = 2\nm = 2\nf = 2\nports = 1",
        "topology = \"fat-cube\"\nd = 2\nm = 3\nexclude_nodes = [3]\nexclude_channels = [[12, 14]]",
    ] {
        let document = Case::new(network).holds();
        assert_eq!(document.network["topology"], network.split('"').nth(1).unwrap());
        assert_eq!(document.latency.is_some(), network.contains("latency"), "{network}");
    }
}

/// Verilog in lockstep with the model: hops of several cycles, nodes that are left out, one channel of a node at a time.
#[test]
fn hardware_in_lockstep() {
    for network in [
        "topology = \"mesh\"\ndims = [2, 3]\nlatency = { dims = [3, 2] }\nexclude_nodes = [0]",
        "topology = \"kautz\"\ndegree = 2\ndiameter = 2\nports = \"one\"",
        "topology = \"fat-cube\"\nd = 1\nm = 2\n[collective]\nkind = \"all-gather\"\nwords = 2",
    ] {
        let case = Case::new(network);
        let said = case.run(&["cosim", "spec.toml", "--random"]);
        let said = String::from_utf8(said).unwrap();
        assert!(said.contains("hardware and model agree"), "{said}");
    }
}

#[test]
fn examples_hold() {
    for name in ["torus", "graph"] {
        let output = cargo_bin_cmd!("metronoc").args(["check", &format!("examples/{name}.toml")]).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
}

const GRAPH: &str = "topology = \"graph\"\nfile = \"FILE\"";

#[test]
fn graphs_from_files() {
    let nodes = |file: &str, text: &str, more: &str| {
        let case = Case::new(&format!("{}\n{more}", GRAPH.replace("FILE", file))).with(file, text);
        let document = case.holds();
        assert!(!judge(&document).unwrap().known_topology);
        (document.nodes, document.latency)
    };
    let named = |names: [&str; 3]| names.map(|name| Node(name.into())).to_vec();
    let (labels, latency) = nodes("a.csv", "x,y,2\ny,z\nz,x\nx,y,3\n", "latency = 4");
    assert_eq!((labels, latency), (named(["x", "y", "z"]), Some(vec![2, 3, 4, 4])));
    let (labels, _) = nodes("b.anynet", "router 0 router 1 3 router 2\n", "ports = \"one\"");
    assert_eq!(labels, [0, 1, 2].map(|node| Node(json!([node]))));
    let graph = "<graphml><graph><node id=\"p\"/><node id=\"q\"/><node id=\"r\"/><edge source=\"p\" target=\"q\"/>\
                 <edge source=\"q\" target=\"r\"/></graph></graphml>";
    assert_eq!(nodes("c.graphml", graph, "").0, named(["p", "q", "r"]));
    let list = r#"{"nodes": ["u", ["v", 1], "w"], "channels": [[0, 1], [1, 2], [2, 0], [0, 2]]}"#;
    assert_eq!(nodes("d.json", list, "exclude_channels = [[0, 2]]").0, named(["u", "[\"v\",1]", "w"]));
    // a schedule in full is a network, too
    let torus = Case::new("topology = \"torus\"\ndims = [2, 2]");
    let text = String::from_utf8(torus.run(&["schedule", "spec.toml", "--format", "json"])).unwrap();
    assert_eq!(nodes("e.json", &text, "").0, Document::read(text.as_bytes()).unwrap().nodes);
}

/// Global links of Galaxyfly(2,3,2), cyclic or in blocks, as the network by name has them.
fn global_links(links: &str) -> String {
    let net = whole(&json!({ "topology": "galaxyfly", "n": 2, "q": 3, "a": 2, "links": links })).unwrap().unwrap();
    let mut lines = BTreeSet::new();
    for (node, port) in (0..net.nodes()).flat_map(|node| (0..net.ports_of(node.into())).map(move |port| (node, port))) {
        if net.channel_class(node.into(), port) == 1 {
            let other = net.neighbour(node.into(), port).index();
            lines.insert(format!("{},{}", node.min(other), node.max(other)));
        }
    }
    lines.into_iter().collect::<Vec<_>>().join("\n")
}

#[test]
#[ignore = "schedules of five networks; .ci/run includes it"]
fn global_links_of_a_galaxyfly_from_a_file() {
    const SIZES: &str = "topology = \"galaxyfly\"\nn = 2\nq = 3\na = 2\nlatency = { local = 1, global = 2 }\nlinks = ";
    const BALANCED: &str = "[collective]\nalgorithm = \"balanced\"";
    let file = || Case::new(&format!("{SIZES}{{ file = \"links.csv\" }}\n{BALANCED}"));
    for links in ["cyclic", "block"] {
        let by_rule = Case::new(&format!("{SIZES}\"{links}\"\n{BALANCED}")).holds();
        let listed = file().with("links.csv", &global_links(links)).holds();
        assert_eq!((&listed.nodes, &listed.channels), (&by_rule.nodes, &by_rule.channels), "{links}");
        assert_eq!((listed.latency, listed.network["topology"].as_str()), (by_rule.latency, Some("graph")));
    }
    // every link at the first router of both supernodes; the first channel that is left out is there for this file alone
    let at_first = global_links("block").replace(',', " ");
    let even = |end: &str| (end.parse::<u32>().unwrap() & !1).to_string();
    let at_first: Vec<String> =
        at_first.lines().map(|line| line.split(' ').map(even).collect::<Vec<_>>().join(",")).collect();
    let text = format!("source,destination\n{}\n", at_first.join("\n"));
    let document = file().with("links.csv", &text).holds();
    let globals = document.channels.iter().filter(|(from, to)| from / 2 != to / 2);
    assert!(globals.clone().count() == 2 * at_first.len() && globals.clone().all(|(from, to)| from % 2 + to % 2 == 0));
    let left_out = format!("{SIZES}{{ file = \"links.csv\" }}\nexclude_channels = [[0, 2]]\n{BALANCED}");
    assert_eq!(Case::new(&left_out).with("links.csv", &text).holds().channels.len() + 1, document.channels.len());
    let said = file().with("links.csv", &text).run(&["cosim", "spec.toml", "--random"]);
    assert!(String::from_utf8(said).unwrap().contains("hardware and model agree"));
    for (wrong, message) in [
        (text.replace("0,2\n", ""), "no link joins supernodes (0,0) and (0,1)"),
        (text.clone() + "3,1\n", "supernodes (0,1) and (0,0) are joined twice"),
        (text.clone() + "0,1\n", "supernodes (0,0) and (0,0) are not joined"),
        (text.clone() + "0,12\n", "there is no router `12`"),
        (text.clone() + "0\n", "1 field"),
    ] {
        let said = file().with("links.csv", &wrong).fails(&["check", "spec.toml"], 3);
        assert!(said.contains(message) && said.contains("links.csv"), "{message}: {said}");
    }
    assert!(file().fails(&["check", "spec.toml"], 3).contains("cannot read"));
    for (links, message) in
        [("{ }", "`file` is missing from `[network.links]`"), ("{ path = \"x\" }", "path"), ("\"file\"", "\"cyclic\"")]
    {
        let said = Case::new(&format!("{SIZES}{links}")).fails(&["check", "spec.toml"], 3);
        assert!(said.contains(message), "{said}");
    }
}

#[test]
fn cycles_from_a_file() {
    let case = Case::new("topology = \"mesh\"\ndims = [2, 2]\nlatency = { all = 2, file = \"cycles.csv\" }");
    let case = case.with("cycles.csv", "source,destination,cycles\n0,1,7\n2,0,9\n");
    let document = case.holds();
    let of =
        |pair| document.channels.iter().position(|&ends| ends == pair).map(|c| document.latency.as_ref().unwrap()[c]);
    assert_eq!([(0, 1), (1, 0), (2, 0), (0, 2)].map(of), [Some(7), Some(2), Some(9), Some(2)]);
    let said = case.with("cycles.csv", "0,1,7\n0,3,9\n").fails(&["check", "spec.toml"], 3);
    assert!(
        said.contains("cycles.csv:2:1") && said.contains("no channel leads from node (0,0) to node (1,1)"),
        "{said}"
    );
}

#[test]
fn faults_of_files_point_into_them() {
    let said = |file: &str, text: &str| {
        let case = Case::new(&GRAPH.replace("FILE", file)).with(file, text);
        let said = case.fails(&["check", "spec.toml"], 3);
        assert!(said.contains("help: "), "{said}");
        said
    };
    assert!(said("a.csv", "x,y\ny,x,300\n").contains("a.csv:2:5"));
    assert!(said("a.anynet", "router 0 router 1\nnode 1 router 1\n").contains("a.anynet:2:1"));
    assert!(
        said("a.graphml", "<graphml>\n<graph><node id=\"a\"/>\n<edge source=\"a\" target=\"b\"/>\n</graph></graphml>")
            .contains("a.graphml:3:")
    );
    assert!(said("a.json", "{\"nodes\": 2,\n\"channels\": [[0, 1], [1, 2]]}").contains("a.json:2:22"));
    assert!(said("a.dot", "").contains("spec.toml:4:8"));
    let parts = said("a.csv", "a,b\nb,a\nc,d\nd,c\nb,c\n");
    assert!(parts.contains("the network has 2 parts") && parts.contains("a b; c d"), "{parts}");
}

#[test]
fn what_is_left_out_must_leave_a_network() {
    let said = Case::new("topology = \"mesh\"\ndims = [3]\nexclude_nodes = [1]").fails(&["check", "spec.toml"], 3);
    assert!(said.contains("2 parts") && said.contains("(0); (2)") && said.contains("spec.toml:5:17"), "{said}");
}
