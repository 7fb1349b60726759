//! The dragonfly (Kim, Dally, Scott and Abts 2008) in the absolute arrangement: groups of completely joined routers, and one link between any
//! two groups.

use super::arrangement::{Arrangement, Shape};
use super::kind::{Class, Key, Kind, Sizes, Unfit};
use super::network::{Topology, size_to};
use crate::id::NodeId;
use serde_json::Value;

/// A dragonfly in a specification.
pub const KIND: Kind = Kind {
    size: "g",
    classes: &[Class::Local, Class::Global],
    settle,
    ..Kind::new(
        [
            "dragonfly",
            "a dragonfly",
            "A dragonfly of g completely joined groups, one link between any two, in the absolute arrangement",
        ],
        &[
            Key::number("a", [1, 1024], "routers a group", "4", "say how many routers a group: `a = 4`"),
            Key::number("h", [0, 1024], "global ports a router", "2", "say how many global ports a router: `h = 2`"),
            Key::number("g", [1, 1024], "groups, at most a·h + 1", "9", "say how many groups: `g = 9`"),
        ],
        |table| Some(Box::new(Dragonfly::from_table(table)?)),
    )
};

/// Refuses more groups than global ports reach.
fn settle(sizes: &mut Sizes) -> Vec<Unfit> {
    let [a, h, g] = ["a", "h", "g"].map(|key| sizes[key].as_u64().unwrap_or(0));
    if g <= a * h + 1 {
        return Vec::new();
    }
    let message = format!("{g} groups, but {} global ports a group", a * h);
    vec![Unfit::new(&["g", "a", "h"], message, format!("take g of at most a·h + 1 = {}", a * h + 1))]
}

/// A dragonfly of g groups of a routers with h global ports each, g at most a·h + 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dragonfly {
    a: u32,
    h: u32,
    g: u32,
}

impl Dragonfly {
    /// g groups, at most a·h + 1, of a routers with h global ports.
    pub const fn new(a: u32, h: u32, g: u32) -> Self {
        Self { a, h, g }
    }

    /// The network of a table with `a`, `h` and `g`, if it has at most 2²⁰ nodes.
    fn from_table(table: &Value) -> Option<Self> {
        let [a, h, g] = ["a", "h", "g"].map(|key| size_to(table, key, u32::from(key != "h")..=1 << 10));
        let (a, h, g) = (a?, h?, g?);
        (g <= a * h + 1 && a * g <= 1 << 20).then_some(Self::new(a, h, g))
    }

    /// Global ports of router r: they are numbered from h·r on among those of its group, of which g - 1 are connected.
    fn global_ports(self, r: u32) -> u32 {
        (self.g - 1).saturating_sub(self.h * r).min(self.h)
    }
}

/// Port q < a - 1 of router r leads to router r + q + 1 modulo a of its group. The ports after these are the connected
/// global ones.
impl Topology for Dragonfly {
    fn name(&self) -> &'static str {
        "dragonfly"
    }

    fn nodes(&self) -> usize {
        self.a as usize * self.g as usize
    }

    fn ports(&self) -> usize {
        (self.a - 1 + self.global_ports(0)) as usize
    }

    fn ports_of(&self, node: NodeId) -> usize {
        (self.a - 1 + self.global_ports(node.get() % self.a)) as usize
    }

    fn label(&self, node: NodeId) -> Vec<u32> {
        vec![node.get() / self.a, node.get() % self.a]
    }

    fn neighbour(&self, node: NodeId, port: usize) -> NodeId {
        let (group, router, port) = (node.get() / self.a, node.get() % self.a, port as u32);
        NodeId::new(match port.checked_sub(self.a - 1) {
            None => group * self.a + (router + port + 1) % self.a,
            Some(global) => {
                let number = self.h * router + global;
                let to = number + u32::from(number >= group);
                let back = if group < to { group } else { group - 1 };
                to * self.a + back / self.h
            }
        })
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

    /// Groups of routers.
    fn arrangement(&self) -> Arrangement {
        let group = |group: u32| {
            let routers = (0..self.a).map(|router| Arrangement::Node(group * self.a + router)).collect();
            Arrangement::group(Shape::Ring, "in a group", routers).titled(format!("group {group}"))
        };
        Arrangement::group(Shape::Ring, "between groups", (0..self.g).map(group).collect())
    }

    fn about_drawing(&self) -> String {
        format!("{} groups of {} routers.", self.g, self.a)
    }
}
