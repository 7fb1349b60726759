//! Topologies that run in slot tables: the keys of each, and those that all of them have.

use super::diagnostic::Diagnostic;
use super::general::{
    CompleteSpec, DragonflySpec, GalaxyflySpec, GraphSpec, HypercubeSpec, LatencySpec, Links, LinksFile, MAX_CHANNELS,
    MAX_NODES, MeshSpec, NetworkOptions, RingSpec, TorusSpec, WordsSpec,
};
use super::kind::TopologyKind;
use super::table::{Findings, TableReader};
use super::{NetworkSpec, RouterKind};
use crate::topology::{Field, Topology, whole};
use std::ops::{Range, RangeInclusive};
use toml::Spanned;
use toml::de::DeTable;

/// A topology with these names, keys, reader and starter.
pub(super) const fn kind(
    [name, who]: [&'static str; 2],
    keys: &'static [&'static str],
    read: fn(TableReader<'_, '_>) -> Option<NetworkSpec>,
    starter: &'static str,
) -> TopologyKind {
    TopologyKind { name, who, read, keys, router: Some(RouterKind::SlotTable), starter }
}

macro_rules! keys {
    ($($key:literal),*) => { &[$($key,)* "ports", "latency", "exclude_nodes", "exclude_channels"] };
}
pub(super) use keys;

/// A torus.
pub(super) const TORUS: TopologyKind =
    kind(["torus", "a torus"], keys!["dims", "directions"], torus, include_str!("starters/torus.toml"));
/// A mesh.
pub(super) const MESH: TopologyKind = kind(["mesh", "a mesh"], keys!["dims"], mesh, include_str!("starters/mesh.toml"));
/// A ring.
pub(super) const RING: TopologyKind =
    kind(["ring", "a ring"], keys!["nodes"], ring, include_str!("starters/ring.toml"));
/// A binary hypercube.
pub(super) const HYPERCUBE: TopologyKind =
    kind(["hypercube", "a hypercube"], keys!["d"], hypercube, include_str!("starters/hypercube.toml"));
/// A complete network.
pub(super) const COMPLETE: TopologyKind =
    kind(["complete", "a complete network"], keys!["nodes"], complete, include_str!("starters/complete.toml"));
/// A Kautz network.
pub(super) const KAUTZ: TopologyKind =
    kind(["kautz", "a Kautz network"], keys!["degree", "diameter"], kautz, include_str!("starters/kautz.toml"));
/// A de Bruijn network.
pub(super) const DE_BRUIJN: TopologyKind = kind(
    ["de-bruijn", "a de Bruijn network"],
    keys!["degree", "diameter"],
    de_bruijn,
    include_str!("starters/de-bruijn.toml"),
);
/// A dragonfly.
pub(super) const DRAGONFLY: TopologyKind =
    kind(["dragonfly", "a dragonfly"], keys!["a", "h", "g"], dragonfly, include_str!("starters/dragonfly.toml"));
/// A Galaxyfly.
pub(super) const GALAXYFLY: TopologyKind = kind(
    ["galaxyfly", "a Galaxyfly"],
    keys!["n", "q", "a", "links"],
    galaxyfly,
    include_str!("starters/galaxyfly.toml"),
);
/// A network from a file.
pub(super) const GRAPH: TopologyKind =
    kind(["graph", "a graph"], keys!["file"], graph, include_str!("starters/graph.toml"));

/// Options that were taken from `[network]` and are not yet read to the end.
pub(super) struct Taken<'i> {
    options: NetworkOptions,
    latency: Option<Spanned<DeTable<'i>>>,
}

fn torus(mut table: TableReader<'_, '_>) -> Option<NetworkSpec> {
    let dims = dims(&mut table);
    let directions = table.named("directions").unwrap_or_default();
    let taken = take(&mut table);
    let findings = table.finish();
    let options = options(findings, taken, &["dims"]);
    let dims = dims?;
    dims_of(findings, &options, dims.len());
    fits(findings, NetworkSpec::Torus(TorusSpec { dims, directions, options }), "dims")
}

fn mesh(mut table: TableReader<'_, '_>) -> Option<NetworkSpec> {
    let dims = dims(&mut table);
    let taken = take(&mut table);
    let findings = table.finish();
    let options = options(findings, taken, &["dims"]);
    let dims = dims?;
    dims_of(findings, &options, dims.len());
    fits(findings, NetworkSpec::Mesh(MeshSpec { dims, options }), "dims")
}

fn ring(mut table: TableReader<'_, '_>) -> Option<NetworkSpec> {
    let nodes = table.required_u32("nodes", 1..=MAX_NODES, "say how many nodes: `nodes = 8`");
    let taken = take(&mut table);
    let findings = table.finish();
    let options = options(findings, taken, &[]);
    fits(findings, NetworkSpec::Ring(RingSpec { nodes: nodes?, options }), "nodes")
}

fn complete(mut table: TableReader<'_, '_>) -> Option<NetworkSpec> {
    let nodes = table.required_u32("nodes", 1..=1024, "say how many nodes: `nodes = 8`");
    let taken = take(&mut table);
    let findings = table.finish();
    let options = options(findings, taken, &[]);
    fits(findings, NetworkSpec::Complete(CompleteSpec { nodes: nodes?, options }), "nodes")
}

fn hypercube(mut table: TableReader<'_, '_>) -> Option<NetworkSpec> {
    let d = table.required_u32("d", 0..=16, "say how many dimensions: `d = 4` for 16 nodes");
    let taken = take(&mut table);
    let findings = table.finish();
    let options = options(findings, taken, &[]);
    fits(findings, NetworkSpec::Hypercube(HypercubeSpec { d: d?, options }), "d")
}

fn words(mut table: TableReader<'_, '_>, network: fn(WordsSpec) -> NetworkSpec) -> Option<NetworkSpec> {
    let degree = table.required_u32("degree", 1..=1023, "say how many channels leave a node: `degree = 2`");
    let diameter = table.required_u32("diameter", 1..=16, "say how many letters a word has: `diameter = 3`");
    let taken = take(&mut table);
    let findings = table.finish();
    let options = options(findings, taken, &[]);
    fits(findings, network(WordsSpec { degree: degree?, diameter: diameter?, options }), "diameter")
}

fn kautz(table: TableReader<'_, '_>) -> Option<NetworkSpec> {
    words(table, NetworkSpec::Kautz)
}

fn de_bruijn(table: TableReader<'_, '_>) -> Option<NetworkSpec> {
    words(table, NetworkSpec::DeBruijn)
}

fn dragonfly(mut table: TableReader<'_, '_>) -> Option<NetworkSpec> {
    let a = table.required_u32("a", 1..=1024, "say how many routers a group: `a = 4`");
    let h = table.required_u32("h", 0..=1024, "say how many global ports a router: `h = 2`");
    let g = table.required_u32("g", 1..=1024, "say how many groups: `g = 9`");
    let taken = take(&mut table);
    let findings = table.finish();
    let options = options(findings, taken, &["local", "global"]);
    let (a, h, g) = (a?, h?, g?);
    if g > a * h + 1 {
        let message = format!("{g} groups, but {} global ports a group", a * h);
        let mut diagnostic = Diagnostic::new(&findings.source, message);
        for field in ["network.g", "network.a", "network.h"] {
            diagnostic = diagnostic.at(findings.place(field).unwrap_or(0..0), "");
        }
        findings.errors.push(diagnostic.help(format!("take g of at most a·h + 1 = {}", a * h + 1)));
        return None;
    }
    fits(findings, NetworkSpec::Dragonfly(DragonflySpec { a, h, g, options }), "g")
}

fn galaxyfly(mut table: TableReader<'_, '_>) -> Option<NetworkSpec> {
    let n = table.required_u32("n", 1..=1024, "say how many clusters: `n = 3`");
    let q = table.required_u32("q", 3..=1024, "say how many supernodes a cluster: `q = 5`");
    let a = table.required_u32("a", 1..=1024, "say how many routers a supernode: `a = 4`");
    let file = if table.is_table("links") { table.table("links") } else { None };
    let spread = if file.is_some() { None } else { table.named("links") };
    let taken = take(&mut table);
    let findings = table.finish();
    let links = file.map_or(Some(Links::Spread(spread.unwrap_or_default())), |file| links_in_file(findings, file));
    let options = options(findings, taken, &["local", "global"]);
    let (n, q, a) = (n?, q?, a?);
    if Field::new(q).is_none() {
        let nearest = (3..=1024).filter(|&size| Field::new(size).is_some()).min_by_key(|size| size.abs_diff(q));
        let place = findings.place("network.q").unwrap_or(0..0);
        let message = format!("{q} supernodes a cluster, and no field has {q} elements: {q} is no power of a prime");
        findings.error(place, "", message, format!("take a power of a prime: the nearest is {}", nearest.unwrap_or(3)));
        return None;
    }
    let links = links?;
    let spec = |links: Links, options| NetworkSpec::Galaxyfly(GalaxyflySpec { n, q, a, links, options });
    if let Links::Spread(_) = links {
        return fits(findings, spec(links, options), "q");
    }
    // the number of nodes and channels is the same wherever the links are; which channels there are, the file says
    let sizes = NetworkOptions { exclude_channels: Vec::new(), ..options.clone() };
    fits(findings, spec(Links::default(), sizes), "q").map(|_| spec(links, options))
}

/// Reads `[network.links]`.
fn links_in_file(findings: &mut Findings, table: Spanned<DeTable<'_>>) -> Option<Links> {
    let mut table = TableReader::new(findings, "network.links", table);
    if !table.has("file") {
        table.missing("file", "name a file beside the specification: `links = { file = \"links.csv\" }`");
    }
    let file = table.text("file");
    table.finish();
    Some(Links::Listed(LinksFile { file: file? }))
}

fn graph(mut table: TableReader<'_, '_>) -> Option<NetworkSpec> {
    if !table.has("file") {
        table.missing("file", "name a file beside the specification: `file = \"network.csv\"`");
    }
    let file = table.text("file");
    let taken = take(&mut table);
    let options = options(table.finish(), taken, &[]);
    Some(NetworkSpec::Graph(GraphSpec { file: file?, options }))
}

fn dims(table: &mut TableReader<'_, '_>) -> Option<Vec<u32>> {
    let help = "say how long each dimension is: `dims = [4, 4]`";
    if !table.has("dims") {
        table.missing("dims", help);
    }
    let dims = table.list("dims", MAX_NODES);
    let place = table.findings.place("network.dims").filter(|_| !table.findings.is_bad("network.dims"));
    let error = match dims.as_slice() {
        [] => return None,
        _ if dims.contains(&0) => ("a dimension has no length", help),
        _ if dims.len() > 16 => ("there are more than 16 dimensions", "take fewer"),
        _ => return Some(dims),
    };
    table.findings.error(place.unwrap_or(0..0), "", error.0, error.1);
    None
}

/// Takes the keys that all these topologies have.
pub(super) fn take<'i>(table: &mut TableReader<'_, 'i>) -> Taken<'i> {
    let ports = table.named("ports").unwrap_or_default();
    let mut latency = LatencySpec::default();
    let by_class = match table.is_number("latency") {
        true => {
            latency.all = table.u32("latency", CYCLES);
            None
        }
        false => table.table("latency"),
    };
    let nodes = table.numbers("exclude_nodes", 0..=MAX_NODES - 1, 0, "nodes").unwrap_or_default();
    let exclude_nodes = nodes.into_iter().map(|(node, _)| node).collect();
    let exclude_channels = table.pairs("exclude_channels", MAX_NODES - 1);
    Taken { options: NetworkOptions { ports, latency, exclude_nodes, exclude_channels }, latency: by_class }
}

const CYCLES: RangeInclusive<u32> = 1..=255;

/// Reads `[network.latency]`, in which the topology has these classes of channels.
pub(super) fn options(findings: &mut Findings, taken: Taken<'_>, classes: &[&str]) -> NetworkOptions {
    let Taken { mut options, latency } = taken;
    let Some(latency) = latency else { return options };
    let mut table = TableReader::new(findings, "network.latency", latency);
    options.latency = LatencySpec {
        all: table.u32("all", CYCLES),
        dims: if classes.contains(&"dims") { table.list("dims", *CYCLES.end()) } else { Vec::new() },
        local: classes.contains(&"local").then(|| table.u32("local", CYCLES)).flatten(),
        global: classes.contains(&"global").then(|| table.u32("global", CYCLES)).flatten(),
        levels: if classes.contains(&"levels") { table.list("levels", *CYCLES.end()) } else { Vec::new() },
        file: table.text("file"),
    };
    table.finish();
    options
}

/// Checks latencies by dimension.
fn dims_of(findings: &mut Findings, options: &NetworkOptions, count: usize) {
    let (dims, field) = (&options.latency.dims, "network.latency.dims");
    let Some(place) = findings.place(field).filter(|_| !findings.is_bad(field)) else { return };
    if dims.len() != count || dims.contains(&0) {
        let message = format!("latencies of {} dimensions, and there are {count}", dims.len());
        let message = if dims.contains(&0) { "a hop takes at least one cycle".to_owned() } else { message };
        findings.error(place, "", message, "write 1 to 255 cycles for each dimension, in the order of `network.dims`");
    }
}

/// Network, if it can be built and the nodes and channels that it excludes exist.
pub(super) fn fits(findings: &mut Findings, network: NetworkSpec, size: &str) -> Option<NetworkSpec> {
    let place = |findings: &Findings, field: &str| findings.place(field).unwrap_or(0..0);
    let table = serde_json::to_value(&network).ok()?;
    let net = whole(&table).and_then(Result::ok);
    let channels = |net: &dyn Topology| (0..net.nodes()).map(|node| net.ports_of(node.into())).sum::<usize>();
    let too_large = |net: &dyn Topology| net.nodes() > MAX_NODES as usize || channels(net) > MAX_CHANNELS as usize;
    let Some(net) = net.filter(|net| !too_large(net.as_ref())) else {
        let at: Range<usize> = place(findings, &format!("network.{size}"));
        let help = format!("take sizes with at most {MAX_NODES} nodes and {MAX_CHANNELS} channels");
        findings.error(at, "", "the network is too large", help);
        return None;
    };
    let options = network.options()?;
    for (field, message, help) in options.misfits(net.as_ref()) {
        let place = place(findings, field);
        findings.error(place, "", message, help);
    }
    Some(network)
}

/// Keys of routers that slot tables of these networks have no use for.
pub(super) fn elsewhere(findings: &mut Findings) {
    let hops = ("a hop takes the cycles that `network.latency` says", "leave it out, and write `[network.latency]`");
    let keys = [
        ("router.local_stages", hops),
        ("router.global_stages", hops),
        ("router.copies", ("slot tables copy where the schedule does", "leave it out")),
        ("router.software_cycles", ("slot tables copy where the schedule does", "leave it out")),
    ];
    for (key, (message, help)) in keys {
        let Some(place) = findings.place(key).filter(|_| !findings.is_bad(key)) else { continue };
        findings.error(place, "", message, help);
    }
}
