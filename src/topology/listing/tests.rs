use super::*;
use crate::topology::Topology;

/// Channels by the nodes' titles, with cycles.
fn channels(ending: &str, text: &str) -> Vec<(String, String, Option<u32>)> {
    let Listing { network, latency } = read(ending, text).expect("a known ending").unwrap_or_else(|e| panic!("{e:?}"));
    let of = |node: usize| {
        let (network, latency) = (&network, &latency);
        (0..network.ports_of(node.into())).map(move |port| {
            let to = network.neighbour(node.into(), port);
            (network.title(node.into()), network.title(to), latency[node][port])
        })
    };
    (0..network.nodes()).flat_map(of).collect()
}

fn triple(from: &str, to: &str, cycles: impl Into<Option<u32>>) -> (String, String, Option<u32>) {
    (from.into(), to.into(), cycles.into())
}

/// The text at fault, and the message.
fn fault<'a>(ending: &str, text: &'a str) -> (&'a str, String) {
    let error = read(ending, text).expect("a known ending").expect_err("a fault");
    (&text[error.place], error.message)
}

#[test]
fn edges_of_csv() {
    let text = "source,target,cycles\n# a comment\nb,a,3\n\na,b\na,b,255\n";
    let found = channels("csv", text);
    assert_eq!(found, [triple("b", "a", 3), triple("a", "b", None), triple("a", "b", 255)]);
    // numbers come in their order
    assert_eq!(channels("csv", "10,2\n2,10"), [triple("(2)", "(10)", None), triple("(10)", "(2)", None)]);
    assert_eq!(fault("csv", "a,b\nb"), ("b", "1 field".into()));
    assert_eq!(fault("csv", "a,b,0"), ("0", "`0` is no number of cycles".into()));
    assert_eq!(fault("csv", "a,b\na, a"), ("a, a", "a channel leads from node `a` to itself".into()));
    assert_eq!(fault("csv", "a,").1, "a node without a name");
    assert_eq!(fault("csv", "# nothing\n").1, "there are no nodes");
}

#[test]
fn lines_of_anynet() {
    let text = "router 0 node 0 router 1 15 router 2\nrouter 1 node 1 router 0 2\nrouter 2 node 2\n";
    let both = [("(0)", "(1)", 15), ("(0)", "(2)", 1), ("(1)", "(0)", 2), ("(2)", "(0)", 1)];
    assert_eq!(channels("anynet", text), both.map(|(from, to, cycles)| triple(from, to, cycles)));
    assert_eq!(fault("anynet", "node 0 router 1"), ("node 0", "the line does not begin with a router".into()));
    assert_eq!(fault("anynet", "router 0 link 1").0, "link");
    assert_eq!(fault("anynet", "router 0 router 2"), ("router 2", "2 routers, and one of them is number 2".into()));
    assert_eq!(fault("anynet", "router 0 node 0 node 1"), ("node 1", "router 0 has two endpoints".into()));
    assert_eq!(fault("anynet", "router 0 node 0 router 1"), ("router 1", "router 1 has no endpoint".into()));
    assert_eq!(fault("anynet", "router 0 router 1 256").0, "256");
}

#[test]
fn edges_of_graphml() {
    let graph = |keys: &str, edges: &str| {
        format!(
            "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">{keys}\n<graph edgedefault=\"undirected\">\n\
             <node id=\"x\"/><node id=\"y\"/>\n{edges}\n</graph></graphml>"
        )
    };
    let key = "<key id=\"d\" for=\"edge\" attr.name=\"latency\" attr.type=\"int\"><default>2</default></key>";
    let edges = "<edge source=\"x\" target=\"y\"><data key=\"d\">7</data></edge><edge source=\"x\" target=\"y\" directed=\"true\"/>";
    let found = channels("graphml", &graph(key, edges));
    assert_eq!(found, [triple("x", "y", 7), triple("x", "y", 2), triple("y", "x", 7)]);
    let text = graph("", "<edge source=\"x\" target=\"z\"/>");
    assert_eq!(fault("graphml", &text), ("<edge source=\"x\" target=\"z\"/>", "there is no node `z`".into()));
    assert_eq!(fault("graphml", &graph("", "<edge source=\"x\"/>")).1, "`edge` lacks `target`");
    assert_eq!(fault("graphml", &graph("", "<node id=\"x\"/>")).1, "node `x` is listed twice");
    assert_eq!(fault("graphml", "<graphml/>").1, "0 graphs, and one is read");
    assert!(read("graphml", "<graphml>").is_some_and(|read| read.is_err()));
}

#[test]
fn lists_of_json() {
    let text = r#"{"nodes": [[0, 1], [1, 0]], "channels": [[0, 1], [1, 0]], "latency": [1, 9], "cycles": 3}"#;
    assert_eq!(channels("json", text), [triple("(0,1)", "(1,0)", 1), triple("(1,0)", "(0,1)", 9)]);
    assert_eq!(channels("json", r#"{"nodes": ["a", 5], "channels": [[1, 0]]}"#), [triple("5", "a", None)]);
    assert_eq!(channels("json", r#"{"nodes": 2, "channels": [[1, 0]]}"#), [triple("(1)", "(0)", None)]);
    assert_eq!(fault("json", r#"{"nodes": 2, "channels": [[0, 2]]}"#).0, "[0, 2]");
    assert_eq!(
        fault("json", r#"{"nodes": ["a", "a"], "channels": []}"#),
        (r#""a""#, "node `\"a\"` is listed twice".into())
    );
    assert_eq!(fault("json", r#"{"nodes": 2, "channels": [[0, 1]], "latency": [300]}"#).0, "300");
    assert_eq!(
        fault("json", r#"{"nodes": 2, "channels": [[0, 1]], "latency": [1, 2]}"#).1,
        "2 latencies of 1 channels"
    );
    assert_eq!(fault("json", r#"{"nodes": {}, "channels": []}"#), ("{}", "`nodes` is no list of labels".into()));
    assert!(fault("json", r#"{"nodes": 2}"#).1.contains("missing field `channels`"));
}

#[test]
fn cycles_of_channels() {
    let net = read("csv", "a,b\na,b\nb,a").and_then(Result::ok).expect("a network").network;
    let set = |text| {
        let mut latency = vec![vec![1, 1], vec![1]];
        cycles(text, &net, &mut latency).map(|()| latency)
    };
    assert_eq!(set("a,b,3"), Ok(vec![vec![3, 3], vec![1]]));
    assert_eq!(set("a,b,3\na,b,4\nb,a,5"), Ok(vec![vec![3, 4], vec![5]]));
    assert_eq!(set("b,a,1\nb,a,2").unwrap_err().message, "1 channels lead from node b to node a");
    assert_eq!(set("b,c,1").unwrap_err().message, "there is no node `c`");
    assert_eq!(set("b,a").unwrap_err().message, "2 fields");
}
