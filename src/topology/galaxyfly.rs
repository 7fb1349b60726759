//! The Galaxyfly (Lei, Dong and Liao 2022): clusters of supernodes of completely joined routers. The supernodes form the Galaxy graph, of
//! diameter 2.

use super::arrangement::{Arrangement, Shape};
use super::field::Field;
use super::kind::{self, Class, Key, Kind, Listed, ListingError, NetworkFile, Sizes, Unfit};
use super::listing;
use super::network::{Topology, flag, size_to};
use crate::id::NodeId;
use serde_json::Value;

/// A Galaxyfly in a specification.
pub const KIND: Kind = Kind {
    size: "q",
    classes: &[Class::Local, Class::Global],
    settle,
    file: Some(NetworkFile { key: "links.file", alone: false, endings: Vec::new, read: linked }),
    ..Kind::new(
        ["galaxyfly", "a Galaxyfly", "A Galaxyfly of n clusters of q supernodes of a routers"],
        &[
            Key::number("n", [1, 1024], "clusters", "3", "say how many clusters: `n = 3`"),
            Key::number(
                "q",
                [3, 1024],
                "supernodes a cluster, a power of a prime",
                "5",
                "say how many supernodes a cluster: `q = 5`",
            ),
            Key::number(
                "a",
                [1, 1024],
                "routers a supernode, completely joined",
                "4",
                "say how many routers a supernode: `a = 4`",
            ),
            Key {
                name: "links",
                about: "routers of a supernode that have its D global links: router r has links r, r + a, r + 2a, … (cyclic) or r·⌈D/a⌉, \
                        r·⌈D/a⌉ + 1, … (block), or as a file lists them, `source,destination` a line by number",
                shape: kind::Shape::Choice { names: &["cyclic", "block"], file: "network.links" },
                example: "",
                missing: "",
            },
        ],
        |table| Some(Box::new(Galaxyfly::from_table(table)?)),
    )
};

/// Refuses a number of supernodes that no field has.
fn settle(sizes: &mut Sizes) -> Vec<Unfit> {
    let q = sizes["q"].as_u64().and_then(|q| u32::try_from(q).ok()).unwrap_or(0);
    if Field::new(q).is_some() {
        return Vec::new();
    }
    let nearest = (3..=1024).filter(|&size| Field::new(size).is_some()).min_by_key(|size| size.abs_diff(q));
    let message = format!("{q} supernodes a cluster, and no field has {q} elements: {q} is no power of a prime");
    let help = format!("take a power of a prime: the nearest is {}", nearest.unwrap_or(3));
    vec![Unfit::new(&["q"], message, help)]
}

/// Galaxyfly whose global links a file lists.
fn linked(sizes: &Sizes, _: &str, text: &str) -> Result<Listed, ListingError> {
    let table = Value::Object(sizes.clone());
    let [n, q, a] = ["n", "q", "a"].map(|key| size_to(&table, key, 1..=1 << 16));
    let of = |help| ListingError { place: 0..0, message: "there is no Galaxyfly of these sizes".to_owned(), help };
    let (Some(galaxy), Some(a)) = (n.zip(q).and_then(|(n, q)| Galaxy::new(n, q)), a) else {
        return Err(of("take smaller sizes"));
    };
    let gates = listing::links(text, &galaxy.neighbours, a, |supernode| {
        format!("({},{})", supernode / q.unwrap_or(1), supernode % q.unwrap_or(1))
    })?;
    Ok(Listed { network: Box::new(Galaxyfly::with_gates(galaxy, a, gates)), latency: Vec::new() })
}

/// Most channels between supernodes.
const MOST_LINKS: u64 = 1 << 22;

/// The Galaxy graph of n clusters of q supernodes. Supernode c·q + e is element e of GF(q) in cluster c.
///
/// Elements x and y of a cluster are joined if x - y is in X. X = {±ξ^0, ±ξ^2, …, ±ξ^(2l-2)}, and {ξ^0, ξ^2, …,
/// ξ^(4l-2)} for q = 4l. Element x of cluster t is joined to ξx of every cluster s < t.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Galaxy {
    n: u32,
    q: u32,
    /// Neighbours of each supernode, ascending; by supernode.
    neighbours: Vec<Vec<u32>>,
}

impl Galaxy {
    /// The Galaxy graph, if q is a power of a prime, at least 3, and there are at most 2²² channels.
    pub fn new(n: u32, q: u32) -> Option<Self> {
        let degree = u64::from(q) / 2 + u64::from(n);
        let links = u64::from(n).checked_mul(u64::from(q))?.checked_mul(degree)?;
        let field = (q > 2 && n > 0 && links <= MOST_LINKS).then(|| Field::new(q))??;
        let generators = Self::generators(&field);
        let mut neighbours: Vec<Vec<u32>> = vec![Vec::with_capacity(degree as usize); (n * q) as usize];
        for (cluster, x) in (0..n).flat_map(|cluster| (0..q).map(move |x| (cluster, x))) {
            let own = cluster * q + x;
            for &difference in &generators {
                neighbours[own as usize].push(cluster * q + field.plus(x, difference));
            }
            for before in 0..cluster {
                let other = before * q + field.times_primitive(x);
                neighbours[own as usize].push(other);
                neighbours[other as usize].push(own);
            }
        }
        neighbours.iter_mut().for_each(|list| list.sort_unstable());
        Some(Self { n, q, neighbours })
    }

    /// The set X of differences of joined elements of a cluster, ascending.
    pub fn generators(field: &Field) -> Vec<u32> {
        let q = field.size();
        let mut set: Vec<u32> = match q.is_multiple_of(2) {
            true => (0..q / 2).map(|i| field.power(2 * i)).collect(),
            false => {
                (0..(q + 1) / 4).map(|i| field.power(2 * i)).flat_map(|power| [power, field.minus(0, power)]).collect()
            }
        };
        set.sort_unstable();
        set
    }

    /// Number of clusters, n.
    pub fn clusters(&self) -> u32 {
        self.n
    }

    /// Number of supernodes a cluster, q.
    pub fn size(&self) -> u32 {
        self.q
    }

    /// Number of supernodes, n·q.
    pub fn supernodes(&self) -> u32 {
        self.n * self.q
    }

    /// Neighbours of a supernode, ascending.
    pub fn neighbours(&self, supernode: u32) -> &[u32] {
        &self.neighbours[supernode as usize]
    }

    /// Neighbours of every supernode, (q - δ)/2 + n - 1 for q = 4l + δ.
    pub fn degree(&self) -> u32 {
        self.neighbours.first().map_or(0, |list| list.len() as u32)
    }

    /// Most links of the shortest ways between supernodes; none if some supernode is out of reach.
    pub fn diameter(&self) -> Option<u32> {
        let mut most = 0;
        for from in 0..self.supernodes() {
            let mut seen = vec![false; self.neighbours.len()];
            seen[from as usize] = true;
            let (mut front, mut steps, mut left) = (vec![from], 0, self.supernodes() - 1);
            while left > 0 {
                let around = front.iter().flat_map(|&at| self.neighbours(at));
                front = around.copied().filter(|&to| !std::mem::replace(&mut seen[to as usize], true)).collect();
                (steps, left) = (steps + 1, left - front.len() as u32);
                if front.is_empty() {
                    return None;
                }
            }
            most = most.max(steps);
        }
        Some(most)
    }
}

/// A Galaxyfly of n clusters of q supernodes of a routers, numbered lexicographically by cluster, element and router.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Galaxyfly {
    galaxy: Galaxy,
    a: u32,
    /// Router that has the link to a neighbour, by supernode, then by neighbour.
    gates: Vec<Vec<u32>>,
    /// Global links of each node, each an index of its supernode's neighbours; by node.
    links: Vec<Vec<u32>>,
}

impl Galaxyfly {
    /// A Galaxyfly with a routers a supernode of a Galaxy graph. Of the D global links of a supernode, link i is at router i modulo a if they
    /// are spread cyclically, else at router ⌊i / ⌈D/a⌉⌋.
    pub fn new(galaxy: Galaxy, a: u32, cyclic: bool) -> Self {
        let degree = galaxy.degree();
        let block = degree.div_ceil(a).max(1);
        let gates: Vec<u32> = (0..degree).map(|index| if cyclic { index % a } else { index / block }).collect();
        let gates = vec![gates; galaxy.supernodes() as usize];
        Self::with_gates(galaxy, a, gates)
    }

    /// A Galaxyfly whose global links are at these routers of a supernode, each less than a: by supernode and neighbour.
    pub fn with_gates(galaxy: Galaxy, a: u32, gates: Vec<Vec<u32>>) -> Self {
        let mut links = vec![Vec::new(); gates.len() * a as usize];
        for (supernode, gates) in gates.iter().enumerate() {
            (0..).zip(gates).for_each(|(index, &gate)| links[supernode * a as usize + gate as usize].push(index));
        }
        Self { galaxy, a, gates, links }
    }

    /// The network of a table with `n`, `q`, `a` and `links`, if it has at most 2²⁰ nodes.
    fn from_table(table: &Value) -> Option<Self> {
        let [n, q, a] = ["n", "q", "a"].map(|key| size_to(table, key, 1..=1 << 16));
        let (n, q, a) = (n?, q?, a?);
        let cyclic = flag(table, "links", ["cyclic", "block"])?;
        let nodes = u64::from(n) * u64::from(q) * u64::from(a);
        Some(Self::new(Galaxy::new(n, q).filter(|_| nodes <= 1 << 20)?, a, cyclic))
    }

    /// The Galaxy graph of the supernodes.
    pub const fn galaxy(&self) -> &Galaxy {
        &self.galaxy
    }

    /// Number of routers a supernode, a.
    pub const fn routers(&self) -> u32 {
        self.a
    }

    /// The router of supernode `from` that is joined to a router of supernode `to`, if these two are neighbours.
    pub fn gateway(&self, from: u32, to: u32) -> Option<NodeId> {
        let index = self.galaxy.neighbours(from).binary_search(&to).ok()?;
        Some(NodeId::new(from * self.a + self.gates[from as usize][index]))
    }
}

/// Port i < a - 1 of router r leads to router r + i + 1 modulo a of its supernode. The ports after these are the global
/// ones, in the order of the supernodes to which they lead.
impl Topology for Galaxyfly {
    fn name(&self) -> &'static str {
        "galaxyfly"
    }

    fn nodes(&self) -> usize {
        (self.galaxy.supernodes() * self.a) as usize
    }

    fn ports(&self) -> usize {
        self.a as usize - 1 + self.links.iter().map(Vec::len).max().unwrap_or(0)
    }

    fn ports_of(&self, node: NodeId) -> usize {
        self.a as usize - 1 + self.links[node.index()].len()
    }

    fn label(&self, node: NodeId) -> Vec<u32> {
        let (supernode, router) = (node.get() / self.a, node.get() % self.a);
        vec![supernode / self.galaxy.size(), supernode % self.galaxy.size(), router]
    }

    fn neighbour(&self, node: NodeId, port: usize) -> NodeId {
        let (supernode, router) = (node.get() / self.a, node.get() % self.a);
        let Some(global) = (port as u32).checked_sub(self.a - 1) else {
            return NodeId::new(supernode * self.a + (router + port as u32 + 1) % self.a);
        };
        let to = self.galaxy.neighbours(supernode)[self.links[node.index()][global as usize] as usize];
        let back = self.galaxy.neighbours(to).binary_search(&supernode).unwrap_or(0);
        NodeId::new(to * self.a + self.gates[to as usize][back])
    }

    fn port_name(&self, port: usize) -> String {
        match port.checked_sub(self.a as usize - 1) {
            None => format!("local {}", port + 1),
            Some(global) => format!("global {global}"),
        }
    }

    /// 0 of a local channel, 1 of a global one.
    fn channel_class(&self, _: NodeId, port: usize) -> usize {
        usize::from(port + 1 >= self.a as usize)
    }

    /// Clusters of supernodes of routers.
    fn arrangement(&self) -> Arrangement {
        let (n, q, a) = (self.galaxy.clusters(), self.galaxy.size(), self.a);
        let supernode = |supernode: u32| {
            let routers = (0..a).map(|router| Arrangement::Node(supernode * a + router)).collect();
            let title = format!("({},{})", supernode / q, supernode % q);
            Arrangement::group(Shape::Ring, "in a supernode", routers).titled(title)
        };
        let cluster = |cluster: u32| {
            let supernodes = (0..q).map(|element| supernode(cluster * q + element)).collect();
            Arrangement::group(Shape::Ring, "in a cluster", supernodes).titled(format!("cluster {cluster}"))
        };
        let shape = if n < 3 { Shape::Beside } else { Shape::Ring };
        Arrangement::group(shape, "between clusters", (0..n).map(cluster).collect())
    }

    fn about_drawing(&self) -> String {
        let (n, q, a) = (self.galaxy.clusters(), self.galaxy.size(), self.a);
        format!(
            "{n} clusters of {q} supernodes of {a} routers; (c,e) is the supernode of element e of GF({q}) in cluster c."
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn galaxy(n: u32, q: u32) -> Galaxy {
        Galaxy::new(n, q).expect("a prime power")
    }

    #[test]
    fn the_galaxy_graph_is_regular_symmetric_and_of_diameter_two() {
        for q in [3, 4, 5, 7, 8, 9, 11, 13, 16, 25, 27] {
            let delta = [0, 1, 2, -1][q as usize % 4];
            for n in 1..5 {
                let galaxy = galaxy(n, q);
                assert_eq!(galaxy.degree(), (q as i32 - delta) as u32 / 2 + n - 1, "n = {n}, q = {q}");
                assert!(galaxy.diameter().is_some_and(|diameter| diameter <= 2), "n = {n}, q = {q}");
                for from in 0..galaxy.supernodes() {
                    assert_eq!(galaxy.neighbours(from).len() as u32, galaxy.degree());
                    assert!(
                        galaxy.neighbours(from).iter().all(|&to| to != from && galaxy.neighbours(to).contains(&from))
                    );
                }
            }
        }
        assert!(Galaxy::new(3, 2).is_none() && Galaxy::new(3, 6).is_none() && Galaxy::new(0, 5).is_none());
    }

    /// Supernode S8 of the paper's figure 1, whose S1 is supernode 0.
    #[test]
    fn the_papers_example_has_its_neighbours() {
        let galaxy = galaxy(3, 5);
        let named = |s: u32| galaxy.neighbours(s - 1).iter().map(|&to| to + 1).collect::<Vec<u32>>();
        assert_eq!(named(8), [5, 7, 9, 12]);
        assert_eq!(named(5), [1, 4, 8, 13]);
    }

    #[test]
    fn global_links_are_spread_as_asked() {
        let loads = |cyclic: bool, a: u32| {
            let net = Galaxyfly::new(galaxy(4, 5), a, cyclic);
            (0..a).map(|r| net.ports_of(NodeId::new(r)) as u32 - (a - 1)).collect::<Vec<u32>>()
        };
        assert_eq!((loads(true, 4), loads(false, 4)), (vec![2, 1, 1, 1], vec![2, 2, 1, 0]));
        assert_eq!((loads(true, 8), loads(false, 8)), (vec![1, 1, 1, 1, 1, 0, 0, 0], vec![1, 1, 1, 1, 1, 0, 0, 0]));
    }

    #[test]
    fn a_gateway_leads_to_the_gateway_back() {
        for (a, cyclic) in [(1, true), (2, false), (4, true), (4, false), (7, true)] {
            let net = Galaxyfly::new(galaxy(3, 8), a, cyclic);
            for from in 0..24 {
                for &to in net.galaxy().neighbours(from) {
                    let [gate, back] = [(from, to), (to, from)].map(|(s, t)| net.gateway(s, t).expect("neighbours"));
                    let leads = |port: usize| net.neighbour(gate, port) == back;
                    assert!((a as usize - 1..net.ports_of(gate)).any(leads), "{from} to {to}");
                }
            }
            assert!(net.gateway(0, 0).is_none());
        }
    }
}
