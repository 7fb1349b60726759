//! Networks inside a network: the check against wrong placements, schedules judged on the host alone, and hardware of
//! the host.

use crate::common::case::Case;
use crate::common::empty;
use metronoc::check::swapped_dragonfly::embedding::EmbeddingError;
use metronoc::check::swapped_dragonfly::{CheckedEmbedding, check_embedding};
use metronoc::collective::{Broadcast, Collective, Dtype};
use metronoc::id::NodeId;
use metronoc::topology::swapped_dragonfly::{Group, RouterAddress};
use metronoc::topology::{Embedding, Placement, SwappedDragonfly, Topology};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

fn network(k: u32, m: u32, group: Group) -> SwappedDragonfly {
    SwappedDragonfly::new(k, m, group)
}

/// A placement in which some ports or routers are wrong.
struct Broken<'a> {
    right: &'a Embedding,
    node: Option<(NodeId, NodeId)>,
    port: Option<(NodeId, usize, usize)>,
}

impl Placement for Broken<'_> {
    fn node(&self, guest: NodeId) -> NodeId {
        match self.node {
            Some((wrong, to)) if wrong == guest => to,
            _ => self.right.node(guest),
        }
    }

    fn port(&self, guest: NodeId, port: usize) -> usize {
        match self.port {
            Some((node, wrong, to)) if (node, wrong) == (guest, port) => to,
            _ => self.right.port(guest, port),
        }
    }
}

/// Hosts, and guests in them.
fn guests() -> Vec<Embedding> {
    use Group::{Cyclic, Xor};
    let guest = |host: SwappedDragonfly, c: &[u32], dp: &[u32], own| Embedding::new(host, c.into(), dp.into(), own);
    vec![
        guest(network(1, 2, Cyclic), &[0], &[1, 0], Cyclic),
        guest(network(4, 5, Cyclic), &[3, 0, 1], &[4, 1], Cyclic),
        guest(network(5, 6, Cyclic), &[4, 0, 3, 2], &[5, 2, 3, 0], Xor),
        guest(network(3, 7, Cyclic), &[1], &[6, 0, 2, 5, 3], Cyclic),
        guest(network(4, 8, Xor), &[3, 1, 0], &[7, 1, 4, 2, 5], Cyclic),
        guest(network(8, 4, Xor), &[6, 1, 3, 4], &[3, 1], Xor),
        guest(network(2, 3, Cyclic), &[0, 1], &[0, 1, 2], Cyclic),
    ]
}

#[test]
fn every_guest_is_the_network_that_it_claims_to_be() {
    for embedding in guests() {
        let (guest, checked) = (embedding.guest(), CheckedEmbedding::new(vec![embedding.clone()]));
        let proof = checked.unwrap_or_else(|e| panic!("{embedding:?}: {e}")).unwrap().proof().clone();
        assert_eq!((proof.routers, proof.channels), (guest.nodes() as u64, guest.channels() as u64));
        assert_eq!(proof.loopbacks, u64::from(guest.k() * guest.m()));
    }
    assert!(CheckedEmbedding::new(Vec::new()).unwrap().is_none());
}

#[test]
fn any_wrong_port_or_router_is_found() {
    for right in guests() {
        let (host, guest) = (right.host(), right.guest());
        let check = |node, port| check_embedding(&host, &guest, &[Broken { right: &right, node, port }]).unwrap_err();
        for node in (0..guest.nodes()).map(NodeId::from) {
            for port in 0..guest.ports() {
                let good = right.port(node, port);
                for wrong in (0..=host.ports()).filter(|&wrong| wrong != good) {
                    let error = check(None, Some((node, port, wrong)));
                    match error {
                        EmbeddingError::NotThere { .. } => assert_eq!(wrong, host.ports()),
                        EmbeddingError::WrongWay { .. } | EmbeddingError::ChannelTaken { .. } => {}
                        error => panic!("{right:?}, port {wrong} for {good} of {node}: {error}"),
                    }
                }
            }
            for wrong in (0..=host.nodes()).map(NodeId::from).filter(|&wrong| wrong != right.node(node)) {
                let error = check(Some((node, wrong)), None);
                // a router that comes before may have led to it
                let absent = matches!(error, EmbeddingError::NotThere { .. });
                assert!(wrong.index() == host.nodes() || !absent, "{error}");
            }
        }
    }
}

/// The ports of a guest as if its coordinates were a subgroup of the host's.
struct SamePorts(Embedding);

impl Placement for SamePorts {
    fn node(&self, guest: NodeId) -> NodeId {
        self.0.node(guest)
    }

    fn port(&self, _: NodeId, port: usize) -> usize {
        match port.checked_sub(self.0.guest().local_ports()) {
            None => port,
            Some(gamma) => self.0.host().global_port(gamma as u32),
        }
    }
}

#[test]
fn ports_must_be_renamed_router_by_router_unless_the_subset_is_the_group() {
    for embedding in guests() {
        let (host, guest) = (embedding.host(), embedding.guest());
        let whole = host == guest && embedding.cabinets().is_sorted() && embedding.places().is_sorted();
        let swap = (host.k(), host.m()) == (1, 2);
        let found = check_embedding(&host, &guest, &[SamePorts(embedding.clone())]);
        assert_eq!(found.is_ok(), whole || swap, "{embedding:?}");
    }
}

/// Property 2 as it is printed: c ∈ J and p ∈ L, any drawer.
struct AsPrinted(Embedding);

impl Placement for AsPrinted {
    fn node(&self, guest: NodeId) -> NodeId {
        let at = self.0.guest().address(guest);
        self.0.host().node(RouterAddress { d: at.d, ..self.0.address(at) })
    }

    fn port(&self, guest: NodeId, port: usize) -> usize {
        self.0.port(guest, port)
    }
}

#[test]
fn positions_alone_do_not_close_a_network() {
    let embedding = Embedding::new(network(3, 5, Group::Cyclic), vec![0, 2], vec![1, 4], Group::Cyclic);
    let error = check_embedding(&embedding.host(), &embedding.guest(), &[AsPrinted(embedding.clone())]).unwrap_err();
    assert!(matches!(error, EmbeddingError::WrongWay { .. }), "{error}");
}

/// Drawers of the guest along global ports of the host.
struct OtherClass(Embedding);

impl Placement for OtherClass {
    fn node(&self, guest: NodeId) -> NodeId {
        let RouterAddress { d, p, .. } = self.0.guest().address(guest);
        self.0.host().node(RouterAddress { c: p, d, p: d })
    }

    fn port(&self, _: NodeId, _: usize) -> usize {
        self.0.host().global_port(1)
    }
}

#[test]
fn a_local_port_is_a_local_one() {
    let embedding = Embedding::new(network(2, 3, Group::Cyclic), vec![0], vec![0, 1], Group::Cyclic);
    let error = check_embedding(&embedding.host(), &embedding.guest(), &[OtherClass(embedding.clone())]).unwrap_err();
    let wanted = "network 0: (0,0,0) -global 1-> (1,0,0) is not of the class of the guest's port local 1";
    assert_eq!(error.to_string(), wanted);
}

#[test]
fn guests_that_meet_are_told() {
    let host = network(4, 5, Group::Cyclic);
    let guest = |c: [u32; 2], dp: [u32; 2]| Embedding::new(host, c.into(), dp.into(), Group::Cyclic);
    let proof = CheckedEmbedding::new(vec![guest([0, 1], [0, 1]), guest([0, 1], [4, 2]), guest([3, 2], [1, 0])]);
    assert_eq!(proof.unwrap().unwrap().proof().networks, 3);
    let error = CheckedEmbedding::new(vec![guest([0, 1], [0, 1]), guest([2, 1], [3, 1])]).unwrap_err();
    assert_eq!(error.to_string(), "router (1,1,1) of the host stands for two routers, one of network 1");
}

/// A specification with these keys of the network, and `more` lines, in a folder of its own.
fn case(network: &str, more: &str) -> Case {
    Case::new(&format!("format = 1\n[network]\ntopology = \"swapped-dragonfly\"\n{network}\n{more}\n"))
}

impl Case {
    fn says(&self, args: &[&str]) -> String {
        let (code, out, err) = self.metronoc(args);
        assert_eq!(code, Some(0), "{err}");
        out
    }

    fn schedule(&self) -> Value {
        serde_json::from_str(&self.says(&["schedule", "case.toml", "--format", "json", "-q"])).unwrap()
    }
}

fn number(value: &Value) -> usize {
    value.as_u64().unwrap() as usize
}

fn numbers(value: &Value) -> Vec<usize> {
    value.as_array().unwrap().iter().map(number).collect()
}

/// Judges a schedule in full on D3(k,m) with cyclic coordinates, from its text alone: every channel is one of the
/// network's, carries one packet a cycle, every packet is where it leaves from and comes to its ends, which the
/// h-relation tells.
fn judge(schedule: &Value) -> Result<(), String> {
    let (k, m) = (number(&schedule["network"]["k"]), number(&schedule["network"]["m"]));
    let node = |c: usize, d: usize, p: usize| (c * m + d) * m + p;
    let list = |name: &str| schedule[name].as_array().unwrap();
    let mut all = BTreeSet::new();
    for (c, d, p) in (0..k * m * m).map(|i| (i / m / m, i / m % m, i % m)) {
        assert_eq!(numbers(&schedule["nodes"][node(c, d, p)]), [c, d, p]);
        all.extend((0..m).filter(|&x| x != p).map(|x| [node(c, d, p), node(c, d, x)]));
        all.extend((0..k).filter(|&g| g != c || d != p).map(|g| [node(c, d, p), node(g, p, d)]));
    }
    let channels: Vec<[usize; 2]> = list("channels").iter().map(|c| numbers(c).try_into().unwrap()).collect();
    assert_eq!(channels.iter().copied().collect::<BTreeSet<_>>(), all);
    let mut at: BTreeMap<usize, BTreeMap<usize, usize>> = BTreeMap::new();
    for packet in list("packets") {
        if at.insert(number(&packet["id"]), [(number(&packet["src"]), 0)].into()).is_some() {
            return Err(format!("packet {} twice", packet["id"]));
        }
    }
    let mut used = BTreeSet::new();
    for transfer in list("transfers") {
        let &[cycle, channel, packet] = &numbers(transfer)[..] else { panic!("{transfer}") };
        if !used.insert((cycle, channel)) {
            return Err(format!("channel {channel} has two packets in cycle {cycle}"));
        }
        let [from, to] = channels[channel];
        let places = at.get_mut(&packet).ok_or("no such packet")?;
        if places.get(&from).is_none_or(|&since| since > cycle) {
            return Err(format!("packet {packet} is not at {from} in cycle {cycle}"));
        }
        places.entry(to).or_insert(cycle + 1);
    }
    let mut demands: Vec<Vec<usize>> = Vec::new();
    for packet in list("packets") {
        for end in numbers(&packet["dsts"]) {
            if !at[&number(&packet["id"])].contains_key(&end) {
                return Err(format!("packet {} does not come to {end}", packet["id"]));
            }
            demands.push(vec![number(&packet["src"]), end]);
        }
    }
    if schedule["collective"]["kind"] == "h-relation" {
        let mut wanted: Vec<_> = schedule["collective"]["demands"].as_array().unwrap().iter().map(numbers).collect();
        wanted.sort();
        demands.sort();
        assert_eq!(demands, wanted);
    }
    Ok(())
}

/// A collective in `embed`, and the number of packets that each network needs.
fn collectives() -> Vec<(&'static str, &'static str, usize)> {
    let two = "k = 5\nm = 7\nembed = [{ c = [3, 1], dp = [4, 1, 6, 3], group = \"xor\" }, \
               { c = [4, 0], dp = [1, 4, 5, 0], group = \"xor\" }]";
    vec![
        ("k = 4\nm = 6\nembed = [{ c = [3, 0, 1], dp = [4, 1] }, { c = [0, 2, 1], dp = [5, 0] }]", "", 144),
        (two, "", 1024),
        (two, "[collective]\nkind = \"broadcast\"\nalgorithm = \"depth-3\"\nroot = 9\ncount = 5", 5),
        (two, "[collective]\nkind = \"broadcast\"\nalgorithm = \"trees\"\nroot = 30\ncount = 7", 7),
        (two, "[collective]\nkind = \"broadcast\"\nalgorithm = \"tree-pairs\"\ncount = 8", 8),
        // the word of each of 32 nodes, and a sum at each after each of 5 dimensions
        (two, "[collective]\nkind = \"all-reduce\"\nalgorithm = \"uniform\"", 32 * 6),
        (two, "[collective]\nkind = \"prefix-scan\"\nwords = 2", 0),
        (two, "[collective]\nkind = \"bitonic-sort\"", 0),
        ("k = 5\nm = 4\nembed = { c = [3, 1, 4, 0], dp = [3, 1] }", "[collective]\nkind = \"vector-matrix\"", 0),
        ("k = 5\nm = 4\nembed = { c = [3, 1, 4, 0], dp = [3, 1] }", "[collective]\nkind = \"matrix-matrix\"", 0),
        ("k = 5\nm = 4\nexclude = [[0, 1, 1], [2, 3, 0]]", "[collective]\nkind = \"transpose\"", 0),
        ("k = 5\nm = 4\nexclude = [[0, 1, 1], [2, 3, 0]]", "[router]\nlocal_stages = 2", 2304),
    ]
}

#[test]
fn every_collective_runs_on_the_hosts_channels() {
    for (network, more, packets) in collectives() {
        let bits = if more.contains("matrix") { "[router]\npayload_bits = 8\n" } else { "" };
        let schedule = case(network, &format!("{bits}{more}")).schedule();
        judge(&schedule).unwrap_or_else(|e| panic!("{network}\n{more}: {e}"));
        let networks = schedule["network"]["embed"].as_array().unwrap();
        let count = schedule["packets"].as_array().unwrap().len();
        assert!(packets == 0 && count > 0 || count == packets * networks.len(), "{more}: {count} packets");
        // nothing touches a router outside
        let inside = |label: &[usize]| {
            networks.iter().any(|n| {
                let (c, dp) = (numbers(&n["c"]), numbers(&n["dp"]));
                c.contains(&label[0]) && dp.contains(&label[1]) && dp.contains(&label[2])
            })
        };
        for transfer in schedule["transfers"].as_array().unwrap() {
            for end in numbers(&schedule["channels"][number(&transfer[1])]) {
                assert!(inside(&numbers(&schedule["nodes"][end])), "{network}\n{more}: {transfer}");
            }
        }
    }
}

#[test]
fn the_judge_refuses_a_broken_schedule() {
    let mut schedule = case(collectives()[0].0, "").schedule();
    let transfers = schedule["transfers"].as_array_mut().unwrap();
    let channel = number(&transfers[5][1]);
    transfers[5][1] = Value::from(channel + 1);
    assert!(judge(&schedule).is_err());
}

#[test]
fn check_tells_what_was_chosen_and_why_the_networks_hold() {
    let said = case("k = 4\nm = 5\nexclude = [[0, 2, 2], [1, 2, 3], [3, 0, 0]]", "").says(&["check", "case.toml"]);
    assert!(said.contains("host       D3(4,5): 100 routers of 8 ports\n"), "{said}");
    assert!(said.contains("embedded   cabinets 0,1,2; drawers and positions 0,1,3,4\n"), "{said}");
    assert!(said.contains("chosen     48 routers; none without the excluded has more\n"), "{said}");
    assert!(said.contains("- embedded: every one of 48 routers and 288 channels (12 loopbacks)"), "{said}");
    let table = case("k = 4\nm = 5\nembed = { c = [3, 0], dp = [4, 1] }", "").says(&["schedule", "case.toml"]);
    let lines: Vec<&str> = table.lines().take(5).collect();
    let wanted = [
        "# Embedded in D3(4,5): cabinets 3,0; drawers and positions 4,1.",
        "# cabinet 0 is 3: global ports 0.. are 0,1",
        "# cabinet 1 is 0: global ports 0.. are 0,3",
        "# drawer and position 0 is 4: local ports 1.. are 2",
        "# drawer and position 1 is 1: local ports 1.. are 3",
    ];
    assert_eq!(lines, wanted);
}

/// Two networks at once in a host of 18 routers.
const HOST: &str = "k = 2\nm = 3\nembed = [{ c = [1], dp = [2, 0] }, { c = [0], dp = [2, 1] }]\nbuild = \"host\"";

/// Several words in long hops, for tests that share one simulator.
const WIDE: &str = "[router]\npayload_bits = 64\nparity = true\nlocal_stages = 2\n[collective]\nwords = 2\nrepeat = 3";

#[test]
#[ignore = "a simulator; .ci/run includes it"]
fn two_networks_run_at_once_in_the_hardware_of_their_host() {
    let said = case(HOST, WIDE).says(&["cosim", "case.toml", "--random", "--json", "-q"]);
    let said: Value = serde_json::from_str(&said).unwrap();
    assert_eq!((number(&said["routers"]), number(&said["received_words"])), (18, 3 * 2 * 2 * 16));
    assert!(number(&said["compared_words"]) > 1000);
}

#[test]
fn a_wrong_row_of_one_router_is_found() {
    let case = case(HOST, WIDE);
    case.says(&["generate", "case.toml", "-o", "rtl", "-q"]);
    let image = case.dir.path().join("rtl/rom/1_2_0_global_send.hex");
    let text = fs::read_to_string(&image).unwrap();
    assert_ne!(text, fs::read_to_string(case.dir.path().join("rtl/rom/1_0_2_global_send.hex")).unwrap());
    let row = text.lines().find(|row| **row != empty(row)).unwrap();
    fs::write(&image, text.replacen(row, &empty(row), 1)).unwrap();
    let (code, _, err) = case.metronoc(&["cosim", "case.toml", "--random", "--rtl", "rtl"]);
    assert_eq!(code, Some(5), "{err}");
    assert!(err.contains("of the image `1_2_0_global_send` differs from the schedule"), "{err}");
    assert!(err.contains("router (1,2,0)") && err.contains("missing arrival"), "{err}");
}

#[test]
fn what_a_host_cannot_do_is_said_on_the_line() {
    for (more, args, wanted) in [
        (
            "[collective]\nkind = \"transpose\"",
            vec!["cosim", "case.toml", "--random", "--form", "tile"],
            "no tile form",
        ),
        ("[schedule]\nstorage = \"counter\"", vec!["generate", "case.toml", "-o", "rtl"], "storage = \"counter\""),
        ("[schedule]\nprogram = \"shared\"", vec!["generate", "case.toml", "-o", "rtl"], "program = \"shared\""),
        ("", vec!["cosim", "case.toml", "--random", "--form", "tile"], "no tile form"),
    ] {
        let (code, _, err) = case(HOST, more).metronoc(&args);
        assert!(matches!(code, Some(2 | 4)) && err.contains(wanted) && err.contains("help: "), "{more}: {err}");
    }
}

/// Networks side by side that share cabinets, or drawers and positions.
const BESIDE: &str = "k = 4\nm = 5\nbuild = \"host\"\nembed = [{ c = [3, 0], dp = [4, 1], group = \"xor\" }, \
                      { c = [1, 2], dp = [1, 4], group = \"xor\" }, { c = [0, 2], dp = [0, 3], group = \"xor\" }]";

#[test]
#[ignore = "three networks in Verilator; .ci/run includes it"]
fn every_collective_runs_in_several_networks_at_once() {
    let broadcast =
        "[router]\npayload_bits = 64\nparity = true\n[collective]\nkind = \"broadcast\"\nroot = 5\ncount = 6";
    let reduce =
        "[router]\nlocal_stages = 2\n[collective]\nkind = \"all-reduce\"\nwords = 3\n[schedule]\nstorage = \"counter\"";
    let product = "[router]\npayload_bits = 8\n[collective]\nkind = \"matrix-vector\"\nsigned = true";
    for (more, received) in [(broadcast, 3 * 8 * 6), (reduce, 3 * 8 * 3), (product, 3 * 4)] {
        // each network has numbers of its own
        let said = case(BESIDE, more).says(&["cosim", "case.toml", "--random", "--collectives", "1", "--json", "-q"]);
        let said: Value = serde_json::from_str(&said).unwrap();
        assert_eq!((number(&said["routers"]), number(&said["received_words"])), (24, received), "{more}");
        assert!(number(&said["compared_words"]) > 1000);
    }
}

#[test]
fn networks_side_by_side_use_links_of_their_host() {
    for more in ["kind = \"broadcast\"", "kind = \"prefix-scan\"", "kind = \"transpose\""] {
        let case = case(BESIDE, &format!("[collective]\n{more}"));
        case.says(&["generate", "case.toml", "-o", "rtl", "-q"]);
        let text = fs::read_to_string(case.dir.path().join("rtl/rtl/mn_network.v")).unwrap();
        let address = |name: &str| -> [u32; 3] {
            let digits: Vec<u32> = name.split('_').map(|digits| digits.parse().unwrap()).collect();
            digits.try_into().unwrap()
        };
        let (mut tile, mut used) = (None, BTreeSet::new());
        for line in text.lines().map(str::trim) {
            if let Some((_, name)) = line.split_once(" u_tile_") {
                tile = Some(address(name.split_once(' ').unwrap().0));
            }
            // an input: a port of the tile that it comes from
            let Some((class, (from, _))) = line.split_once('_').zip(line.split_once('[')) else { continue };
            let (Some([c, d, p]), "local" | "global") = (tile, class.0) else { continue };
            let [a, e, b] = address(&from[class.0.len() + 1..]);
            match class.0 {
                "local" => assert!((a, e) == (c, d) && b != p, "{line} of {tile:?}"),
                // a global hop swaps drawer and position
                _ => assert_eq!([e, b], [p, d], "{line} of {tile:?}"),
            }
            assert!(used.insert((class.0 == "local", [a, e, b], [c, d, p])), "{line} of {tile:?}, twice");
        }
        // of 24 routers, each with a local port and two global ones
        assert_eq!(used.len(), 24 * 3, "{more}");
    }
}

#[test]
fn a_wire_between_two_networks_is_found() {
    let case = case(BESIDE, "[collective]\nkind = \"all-reduce\"");
    case.says(&["generate", "case.toml", "-o", "rtl", "-q"]);
    let file = case.dir.path().join("rtl/rtl/mn_network.v");
    let text = fs::read_to_string(&file).unwrap();
    assert_eq!(text.matches("local_0_4_1[0*LCW+:LCW]").count(), 1);
    fs::write(&file, text.replace("local_0_4_1[0*LCW+:LCW]", "local_2_4_1[0*LCW+:LCW]")).unwrap();
    let (code, _, err) = case.metronoc(&["cosim", "case.toml", "--random", "--rtl", "rtl", "-q"]);
    assert_eq!(code, Some(5), "{err}");
    assert!(err.contains("router (0,4,4)"), "{err}");
}

#[test]
fn hardware_of_one_of_several_networks_is_told() {
    let (code, _, err) =
        case(&BESIDE.replace("build = \"host\"\n", ""), "").metronoc(&["generate", "case.toml", "-o", "rtl"]);
    assert!(code == Some(0) && err.contains("hardware of one of 3 networks; `build = \"host\"`"), "{err}");
    let (code, _, err) = case(BESIDE, "").metronoc(&["generate", "case.toml", "-o", "rtl"]);
    assert!(code == Some(0) && !err.contains("hardware of one"), "{err}");
}

#[test]
fn arrays_have_an_axis_of_networks() {
    let case = case(BESIDE, "[collective]\nkind = \"broadcast\"\ncount = 4");
    let words = Broadcast::new(8, 4).in_networks(2).random(Dtype::Uint8, 1).unwrap();
    fs::write(case.dir.path().join("x.npy"), Broadcast::new(2, 4).to_npy(&words)).unwrap();
    let (code, _, err) = case.metronoc(&["cosim", "case.toml", "--data", "x.npy"]);
    assert!(code == Some(3) && err.contains("(2, 4)") && err.contains("(3, 4): [network][word]"), "{err}");
}

#[test]
fn tables_have_as_many_rows_as_are_asked_for() {
    let rows = |rows: u32| case(HOST, &format!("[schedule]\nrows = {rows}"));
    let case = rows(20);
    let said: Value = serde_json::from_str(&case.says(&["generate", "case.toml", "-o", "rtl", "--json"])).unwrap();
    assert_eq!(number(&said["period"]), 20);
    let image = fs::read_to_string(case.dir.path().join("rtl/rom/0_1_2_local_send.hex")).unwrap();
    assert_eq!(image.lines().count(), 20);
    let (code, _, err) = rows(3).metronoc(&["generate", "case.toml", "-o", "rtl"]);
    assert!(code == Some(4) && err.contains("cannot be started again after 3 rows: its period is 5"), "{err}");
}

#[test]
fn hardware_of_its_own_is_that_of_any_network_of_its_size() {
    let rtl = |network: &str, more: &str| {
        let case = case(network, more);
        case.says(&["generate", "case.toml", "-o", "rtl", "-q"]);
        let read = |file: &str| {
            let text = fs::read_to_string(case.dir.path().join("rtl").join(file)).unwrap();
            // the first line of Verilog has the specification's hash
            text.lines().skip(usize::from(file.ends_with(".v"))).collect::<Vec<_>>().join("\n")
        };
        ["rtl/mn_network.v", "rtl/mn_top.v", "tb/mn_tb.v"].map(read)
    };
    let hypercube = "[collective]\nkind = \"all-reduce\"";
    for (more, own) in [("", ""), ("[collective]\nkind = \"broadcast\"", ""), (hypercube, "group = \"xor\"")] {
        let guest = rtl(&format!("k = 5\nm = 3\n[network.embed]\nc = [4, 1]\ndp = [2, 0]\n{own}"), more);
        assert_eq!(guest, rtl(&format!("k = 2\nm = 2\n{own}"), more), "{more}");
    }
}
