//! The fat cube: a hypercube of routers with several processors each, and several links along each dimension (Dvorak 2005,
//! section 2).
//!
//! A step carries packets along complete circuits from processor to processor, so that routers are media. Processor i of P = m·2^d is
//! number i mod m at router i div m.

use super::arrangement::{Arrangement, Shape};
use super::kind::{Key, Kind, Options, Sizes, Unfit};
use super::network::{Topology, size_to};
use crate::id::NodeId;
use serde_json::Value;

/// A fat cube in a specification.
pub const KIND: Kind = Kind {
    options: Options::Exclusions,
    combines: false,
    settle,
    ..Kind::new(
        [
            "fat-cube",
            "a fat cube",
            "A fat cube: a hypercube of routers with several processors each, and several links along each dimension",
        ],
        &[
            Key::number(
                "d",
                [1, FatCube::MAX_D],
                "dimensions of the hypercube, of 2^d routers",
                "2",
                "say how many dimensions: `d = 3` for 8 routers",
            ),
            Key::number(
                "m",
                [1, FatCube::MAX_M],
                "processors a router",
                "2",
                "say how many processors a router: `m = 4`",
            ),
            Key::number("f", [1, FatCube::MAX_M], "links along each dimension, at most m; 1 if left out", "1", ""),
            Key::number(
                "ports",
                [1, FatCube::MAX_D],
                "links between a processor and its router, at most d; d if left out",
                "2",
                "",
            ),
        ],
        |table| Some(Box::new(FatCube::from_table(table)?)),
    )
};

/// Fills in the numbers of links, and refuses more than there are processors and dimensions.
fn settle(sizes: &mut Sizes) -> Vec<Unfit> {
    let d = sizes["d"].clone();
    sizes.entry("f").or_insert(1.into());
    sizes.entry("ports").or_insert(d);
    let at_most = |(key, most, counted, of): (&str, &str, &str, &str)| {
        let [count, limit] = [key, most].map(|key| sizes[key].as_u64().unwrap_or(0));
        let message = format!("{count} {counted}, but {limit} {of}");
        let help = format!("take {key} of at most {most} = {limit}");
        (count > limit).then(|| Unfit::new(&[key, most], message, help))
    };
    let links = ("f", "m", "links a dimension", "processors a router");
    [links, ("ports", "d", "links a processor", "dimensions")].into_iter().filter_map(at_most).collect()
}

/// Fat cube of 2^d routers with m processors each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FatCube {
    d: u32,
    m: u32,
    f: u32,
    k: u32,
}

impl FatCube {
    /// Most dimensions.
    pub const MAX_D: u32 = 6;
    /// Most processors a router.
    pub const MAX_M: u32 = 8;

    /// The fat cube of `d` dimensions, `m` processors a router, `f` links a dimension and `k` links a processor.
    pub const fn new(d: u32, m: u32, f: u32, k: u32) -> Self {
        Self { d, m, f, k }
    }

    /// The network of a table with `d`, `m`, and with `f` and `ports`, which are 1 and d if they are left out.
    fn from_table(table: &Value) -> Option<Self> {
        let (d, m) = (size_to(table, "d", 0..=Self::MAX_D)?, size_to(table, "m", 1..=Self::MAX_M)?);
        let or = |key: &str, most: u32, default: u32| match table.get(key) {
            None => Some(default),
            Some(_) => size_to(table, key, 1..=most),
        };
        let most = d.max(1);
        Some(Self::new(d, m, or("f", m, 1)?, or("ports", most, most)?))
    }

    /// Dimensions.
    pub const fn d(self) -> u32 {
        self.d
    }

    /// Processors a router.
    pub const fn m(self) -> u32 {
        self.m
    }

    /// Links between two routers.
    pub const fn f(self) -> u32 {
        self.f
    }

    /// Links between a processor and its router.
    pub const fn k(self) -> u32 {
        self.k
    }

    /// Routers, 2^d.
    pub const fn routers(self) -> u32 {
        1 << self.d
    }

    /// Processors, P = m·2^d.
    pub const fn processors(self) -> u32 {
        self.m << self.d
    }

    /// Node of a router.
    pub const fn router(self, router: u32) -> NodeId {
        NodeId::new(self.processors() + router)
    }

    /// First of a router's ports to a processor, by the processor's number there; it has k of them.
    pub const fn port_to(self, index: u32) -> u32 {
        index * self.k
    }

    /// First of a router's ports along a dimension; it has f of them.
    pub const fn port_along(self, dimension: u32) -> u32 {
        self.m * self.k + dimension * self.f
    }
}

/// Nodes are the processors, then the routers. Ports of a processor lead to its router. Ports of a router are k to each of its processors,
/// then f along each dimension, the lowest bit first.
impl Topology for FatCube {
    fn name(&self) -> &'static str {
        "fat-cube"
    }

    fn nodes(&self) -> usize {
        (self.processors() + self.routers()) as usize
    }

    fn ports(&self) -> usize {
        (self.m * self.k + self.d * self.f) as usize
    }

    fn ports_of(&self, node: NodeId) -> usize {
        if self.is_medium(node) { self.ports() } else { self.k as usize }
    }

    fn is_medium(&self, node: NodeId) -> bool {
        node.get() >= self.processors()
    }

    fn tag(&self, node: NodeId) -> Option<&'static str> {
        Some(if self.is_medium(node) { "r" } else { "p" })
    }

    fn label(&self, node: NodeId) -> Vec<u32> {
        vec![node.get().checked_sub(self.processors()).unwrap_or(node.get())]
    }

    fn neighbour(&self, node: NodeId, port: usize) -> NodeId {
        let (port, local) = (port as u32, self.m * self.k);
        let Some(router) = node.get().checked_sub(self.processors()) else { return self.router(node.get() / self.m) };
        match port.checked_sub(local) {
            None => NodeId::new(router * self.m + port / self.k),
            Some(external) => self.router(router ^ (1 << (external / self.f))),
        }
    }

    fn port_name(&self, port: usize) -> String {
        port.to_string()
    }

    /// Routers at the corners of a cube, each among its processors.
    fn arrangement(&self) -> Arrangement {
        let corner = |router: u32| {
            let processors = (0..self.m).map(|index| router * self.m + index);
            let nodes = [self.router(router).get()].into_iter().chain(processors).map(Arrangement::Node);
            Arrangement::group(Shape::Star, "processor to router", nodes.collect())
        };
        Arrangement::group(Shape::Cube, "router to router", (0..self.routers()).map(corner).collect())
    }

    fn about_drawing(&self) -> String {
        let Self { d, m, f, k } = self;
        let (routers, cube) =
            (self.routers(), if *d == 1 { "1 dimension".to_owned() } else { format!("{d} dimensions") });
        format!(
            "{routers} routers (squares) of a cube of {cube}, f = {f} links along each, with m = {m} processors around each router, k = {k} \
             links each."
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn channels_are_pairs_of_links() {
        for (d, m, f, k) in [(0, 3, 2, 1), (1, 1, 1, 1), (2, 2, 1, 2), (3, 4, 2, 3)] {
            let net = FatCube::new(d, m, f, k);
            let mut count = vec![vec![0; net.nodes()]; net.nodes()];
            for node in (0..net.nodes()).map(NodeId::from) {
                (0..net.ports_of(node)).for_each(|port| count[node.index()][net.neighbour(node, port).index()] += 1);
            }
            for (a, b) in (0..net.nodes()).flat_map(|a| (0..net.nodes()).map(move |b| (a, b))) {
                let p = net.processors() as usize;
                let wanted = match (a.checked_sub(p), b.checked_sub(p)) {
                    (Some(a), Some(b)) if (a ^ b).is_power_of_two() => f,
                    (None, Some(b)) if a / m as usize == b => k,
                    (Some(a), None) if b / m as usize == a => k,
                    _ => 0,
                };
                assert_eq!(count[a][b], wanted, "{net:?}: {a} to {b}");
            }
        }
    }

    #[test]
    fn tables_have_defaults_and_limits() {
        let of = |table: Value| FatCube::from_table(&table);
        assert_eq!(of(serde_json::json!({ "d": 3, "m": 4 })), Some(FatCube::new(3, 4, 1, 3)));
        assert_eq!(of(serde_json::json!({ "d": 3, "m": 4, "f": 2, "ports": 1 })), Some(FatCube::new(3, 4, 2, 1)));
        for bad in [
            serde_json::json!({ "d": 7, "m": 4 }),
            serde_json::json!({ "d": 3, "m": 9 }),
            serde_json::json!({ "d": 3, "m": 4, "f": 5 }),
            serde_json::json!({ "d": 3, "m": 4, "ports": 4 }),
            serde_json::json!({ "d": 3, "m": 4, "ports": "all" }),
        ] {
            assert_eq!(of(bad.clone()), None, "{bad}");
        }
    }
}
