//! Section 4: Algorithm 2, message by message, and its cost.
//!
//! Messages go in phases. In a phase, every node sends all its messages that need one link as one combined message. The
//! startup of a combined message is paid once, and its words are counted. Messages to oneself take part, as in the
//! paper.

use super::super::{Claim, Sizes, Table, Trial};
use super::nets::{Net, all, nets, of};
use crate::id::NodeId;
use crate::topology::Topology;
use crate::topology::hierarchical_dual_net::{Factor, Index};

pub fn claims() -> Vec<Claim> {
    vec![
        Claim::new(
            "algorithm-2",
            "Algorithm 2",
            "Every message comes to its destination: those for cluster q are collected at node q of a cluster.",
            Trial::over(nets, |net| delivers(net, Relay::Printed)),
        )
        .amended(
            "The message for (C,q,SN,N) is collected at node (q,N) of a cluster, super-node q and the destination's place.",
            Trial::over(nets, |net| delivers(net, Relay::Placed)),
        )
        .with_table(costs),
        Claim::new(
            "stage-3",
            "section 4, stage 3",
            "A node sends m·n_k/2 words over the cross-edge in the third stage.",
            Trial::over(one_level, |net| third_stage(net, 2)),
        )
        .amended(
            "It sends m·n_k words, as the message that is packed has this length.",
            Trial::over(one_level, |net| third_stage(net, 1)),
        ),
        Claim::new(
            "t0-2-cube",
            "section 4",
            "The total exchange on a 2-cube takes T₀(m) = 2(t_s + t_w·m).",
            Trial::over(two_cube, |net| base_words(net, 2)),
        )
        .amended(
            "It takes n(t_s + t_w·m·2^n/2) on an n-cube, as the paper says next: 2(t_s + 2·t_w·m) on a 2-cube.",
            Trial::over(cubes, |net| {
                let n = net.net().base_degree() as u64;
                base_words(net, n << (n - 1))
            }),
        ),
        Claim::new(
            "figure-2",
            "section 4, Figure 2",
            "HDN(2-cube,1,S) of 16 nodes takes T₁ = 6(t_s + 8·t_w·m).",
            Trial::over(figure_2, |net| cost(net, (6, 48))),
        )
        .amended(
            "It takes 5·t_s + 48·t_w·m: in the last stage messages are in the row of their destination, and one exchange is enough.",
            Trial::over(figure_2, |net| cost(net, (5, 48))),
        ),
        Claim::new(
            "figure-3",
            "section 4, Figure 3",
            "HDN(2-cube,2,S) of 128 nodes, S of 2 and 4 nodes, takes T₂ = 14(t_s + 64·t_w·m).",
            Trial::over(figure_3, |net| cost(net, (14, 14 * 64))),
        )
        .amended("It takes 11·t_s + 864·t_w·m.", Trial::over(figure_3, |net| cost(net, (11, 864)))),
        Claim::new(
            "exchange-cost",
            "Theorem 3",
            "T_k(m) = (2^(k+1)-2)(t_s + t_w·m·n_k/2) + 2^k·T₀, with exchanges of m·n_k/2 words in each dimension of a base cube.",
            Trial::over(cubes_of_levels, possible),
        )
        .amended(
            "For s = 1, T_k(m) = (2^(k+1)-2)·t_s + 1.5(2^k-1)·m·n_k·t_w + 2^k·T₀(m·n_k/n₀), no less than the hops need.",
            Trial::over(single_nodes, |net| {
                let (k, n, cube) = (net.k() as u64, u64::from(net.nodes()), net.net().base_degree() as u64);
                let startups = (2 << k) - 2 + (cube << k);
                cost(net, (startups, 3 * ((1 << k) - 1) * n / 2 + (1 << k) * cube * n / 2))?;
                possible_words(net, 3 * ((1 << k) - 1) * n / 2 + (1 << k) * cube * n / 2)
            }),
        ),
    ]
}

fn one_level(limit: u32) -> Sizes<Net> {
    let mut all = all(limit);
    all.retain(|net| net.k() == 1);
    of(all, "k = 1", limit)
}

/// Dual-nets of binary cubes, as products of links.
fn cubes_of(limit: u32, range: &str, most: usize, levels: fn(usize) -> Vec<Vec<Vec<usize>>>) -> Sizes<Net> {
    let cube = |d: usize| levels(d).into_iter().filter_map(move |levels| Net::new(&vec![Factor::Ring(2); d], levels));
    let all = (1..=most).flat_map(cube).filter(|net| net.nodes() <= limit).collect();
    Sizes { range: format!("{range}, n ≤ {limit}"), all }
}

fn two_cube(limit: u32) -> Sizes<Net> {
    let mut all = cubes_of(limit, "", 2, |_| vec![vec![vec![]]]).all;
    all.retain(|net| net.net().base_degree() == 2);
    Sizes { range: "the 2-cube".into(), all }
}

fn cubes(limit: u32) -> Sizes<Net> {
    cubes_of(limit, "n-cubes, n ≤ 3", 3, |_| vec![vec![vec![]]])
}

fn figure_2(limit: u32) -> Sizes<Net> {
    let mut all = cubes_of(limit, "", 2, |_| vec![vec![vec![0]]]).all;
    all.retain(|net| net.nodes() == 16);
    Sizes { range: "the network of the figure".into(), all }
}

fn figure_3(limit: u32) -> Sizes<Net> {
    let mut all = cubes_of(limit, "", 2, |d| vec![vec![vec![0], (0..d).collect()]]).all;
    all.retain(|net| net.nodes() == 128);
    Sizes { range: "the network of the figure".into(), all }
}

fn cubes_of_levels(limit: u32) -> Sizes<Net> {
    cubes_of(limit, "n-cubes, n ≤ 3, k ≤ 2, SN of the first factors", 3, |d| {
        let sets: Vec<Vec<usize>> = (0..=d).map(|count| (0..count).collect()).collect();
        let pairs = sets.iter().flat_map(|a| sets.iter().map(|b| vec![a.clone(), b.clone()]));
        sets.iter().map(|a| vec![a.clone()]).chain(pairs).collect()
    })
}

fn single_nodes(limit: u32) -> Sizes<Net> {
    cubes_of(limit, "n-cubes, n ≤ 3, k ≤ 2, s = 1", 3, |_| vec![vec![vec![]], vec![vec![], vec![]]])
}

/// Node of a cluster at which the messages for a cluster are collected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Relay {
    /// Node q, counted by super-node and place.
    Printed,
    /// Super-node q, at the destination's place.
    Placed,
}

/// Messages, one for each pair of nodes, and the cost of the phases so far.
struct Messages<'a> {
    net: &'a Net,
    relay: Relay,
    /// Current node of each message, by message.
    at: Vec<u32>,
    startups: u64,
    words: u64,
    /// Words of the last phase over a cross-edge.
    crossed: u64,
}

impl<'a> Messages<'a> {
    fn new(net: &'a Net, relay: Relay) -> Self {
        let nodes = net.nodes();
        let at = (0..nodes * nodes).map(|message| message / nodes).collect();
        Self { net, relay, at, startups: 0, words: 0, crossed: 0 }
    }

    /// Destinations of all messages.
    fn ends(&self) -> Vec<u32> {
        let nodes = self.net.nodes();
        (0..nodes * nodes).map(|message| message % nodes).collect()
    }

    /// One combined message a node over a port; its words, the most that a node sends.
    fn phase(&mut self, port: usize, goes: impl Fn(usize, u32) -> bool) -> u64 {
        let net = self.net.net();
        let mut words = vec![0_u64; self.net.nodes() as usize];
        for (message, at) in self.at.iter_mut().enumerate() {
            if goes(message, *at) {
                words[*at as usize] += 1;
                *at = net.neighbour(NodeId::new(*at), port).get();
            }
        }
        let most = words.into_iter().max().unwrap_or(0);
        self.startups += u64::from(most > 0);
        self.words += most;
        most
    }

    /// Algorithm 2 at a level; messages whose goal is in another network of the level stay where it leaves them.
    fn exchange(&mut self, level: usize, goals: &[u32]) {
        let net = self.net.net();
        if level == 0 {
            for port in 0..net.base_degree() {
                while self.phase(port, |message, at| {
                    at / net.size(0) == goals[message] / net.size(0) && net.toward(at, goals[message]) == Some(port)
                }) > 0
                {}
            }
            return;
        }
        let within = |node: u32| net.index(level, node);
        let near = |message: usize, at: u32| at / net.size(level) == goals[message] / net.size(level);
        let own = |message: usize, at: u32| near(message, at) && within(at).class == within(goals[message]).class;
        self.phase(net.cross_port(level), own);
        let relay = |(&at, &goal): (&u32, &u32)| {
            if at / net.size(level) != goal / net.size(level) {
                return at;
            }
            let (here, end) = (within(at), within(goal));
            let s = net.super_node(level);
            let (super_node, place) = match self.relay {
                Relay::Printed => (end.cluster / s, end.cluster % s),
                Relay::Placed => (end.cluster, end.place),
            };
            at - at % net.size(level) + net.node(level, Index { super_node, place, ..here })
        };
        let relays: Vec<u32> = self.at.iter().zip(goals).map(relay).collect();
        self.exchange(level - 1, &relays);
        self.crossed = self.phase(net.cross_port(level), near);
        self.exchange(level - 1, goals);
    }

    /// Runs the exchange and returns the number of messages that are at a wrong node.
    fn run(&mut self) -> usize {
        let ends = self.ends();
        self.exchange(self.net.k(), &ends);
        self.at.iter().zip(&ends).filter(|(at, end)| at != end).count()
    }
}

fn delivers(net: &Net, relay: Relay) -> Result<(), String> {
    let mut messages = Messages::new(net, relay);
    match messages.run() {
        0 => Ok(()),
        lost => Err(format!("{lost} of {} messages do not come to their destination", messages.at.len())),
    }
}

fn third_stage(net: &Net, part: u64) -> Result<(), String> {
    let mut messages = Messages::new(net, Relay::Placed);
    messages.run();
    let (found, wanted) = (messages.crossed, u64::from(net.nodes()) / part);
    if found == wanted { Ok(()) } else { Err(format!("a node sends {found} words, not {wanted}")) }
}

/// Words of the exchange within a base, one message a pair.
fn base_words(net: &Net, wanted: u64) -> Result<(), String> {
    let mut messages = Messages::new(net, Relay::Placed);
    let size = net.net().size(0);
    // each node's messages for the nodes of its base alone
    let goals: Vec<u32> = messages
        .ends()
        .iter()
        .zip(&messages.at)
        .map(|(&end, &at)| if end / size == at / size { end } else { at })
        .collect();
    messages.exchange(0, &goals);
    match messages.words == wanted {
        true => Ok(()),
        false => Err(format!("it takes {} words in {} messages, not {wanted}", messages.words, messages.startups)),
    }
}

/// Startups and words for m = 1.
fn cost(net: &Net, (startups, words): (u64, u64)) -> Result<(), String> {
    let mut messages = Messages::new(net, Relay::Placed);
    messages.run();
    match (messages.startups, messages.words) == (startups, words) {
        true => Ok(()),
        false => Err(format!("it takes {}·t_s + {}·t_w·m", messages.startups, messages.words)),
    }
}

/// Words that a node sends at least if it sends one at a time: all hops of all messages over all nodes.
fn least(net: &Net) -> u64 {
    let hops = |from: u32| net.net().distances(from).into_iter().map(u64::from).sum::<u64>();
    (0..net.nodes()).map(hops).sum::<u64>().div_ceil(u64::from(net.nodes()))
}

/// The words of Theorem 3 are enough for all hops.
fn possible(net: &Net) -> Result<(), String> {
    let (k, n, cube) = (net.k() as u64, u64::from(net.nodes()), net.net().base_degree() as u64);
    possible_words(net, ((2 << k) - 2) * n / 2 + (1 << k) * cube * n / 2)
}

fn possible_words(net: &Net, words: u64) -> Result<(), String> {
    match least(net) {
        least if least <= words => Ok(()),
        least => Err(format!("{words} words by the formula, and no algorithm takes less than {least}, one at a time")),
    }
}

/// Costs of Algorithm 2 with the relays that deliver.
fn costs(limit: u32) -> Table {
    let cube = |d: usize, levels: &[&[usize]]| {
        Net::new(&vec![Factor::Ring(2); d], levels.iter().map(|level| level.to_vec()).collect())
    };
    let nets = [cube(2, &[&[0]]), cube(2, &[&[]]), cube(3, &[&[0]]), cube(3, &[&[]]), cube(2, &[&[0], &[0, 1]])];
    let row = |net: Net| {
        let mut messages = Messages::new(&net, Relay::Placed);
        messages.run();
        let (startups, words) = (messages.startups, messages.words);
        vec![net.to_string(), net.nodes().to_string(), startups.to_string(), words.to_string(), least(&net).to_string()]
    };
    Table {
        title: "Cost of Algorithm 2 with relays (q,N), for messages of one word",
        head: vec!["network", "nodes", "startups t_s", "words t_w", "least words, one at a time"],
        rows: nets.into_iter().flatten().filter(|net| net.nodes() <= limit).map(row).collect(),
    }
}
