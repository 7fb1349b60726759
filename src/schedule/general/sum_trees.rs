//! Sums by trees of their own: each comes together along a tree that is searched for, whose nodes combine words or let them pass.
//!
//! A tree on which every node combines takes the fewest channels and pays the operator at every level; a sum that one node makes of all words
//! pays it once and takes the most channels. What lies between is found by the [search](super::sum_search). Where a group acts on the network
//! and every node wants as many sums of all nodes' words, one tree stands for those of all nodes, as in `uniform`.
//!
//! A sum for several nodes comes together at one of them and goes out from there; both halves are pushed into each other.

use super::channels::Channels;
use super::law::Law;
use super::local_sums::operands;
use super::random::Random;
use super::reduce::{STEPS_PER_SECOND, least};
use super::scheduler::Scheduler;
use super::sum_search::{Operators, Request, Requests, Search, Sum, Turned, end};
use super::sum_times::Timed;
use super::{Effort, Made, Problem};
use crate::id::NodeId;
use crate::topology::Topology;

/// Most words of all sums that are searched together.
const MOST: usize = 1 << 14;

/// Most words of all sums.
const MOST_WRITTEN: usize = 1 << 19;

/// Steps of the search with each kind of operator, before the best of them goes on.
const ATTEMPT: u64 = 400_000;

/// The algorithm.
pub(super) struct SumTrees;

impl Scheduler for SumTrees {
    fn name(&self) -> &'static str {
        "sum-trees"
    }

    fn about(&self) -> &'static str {
        "sums along trees that are searched for, whose nodes combine words or let them pass"
    }

    fn needs(&self) -> Option<&'static str> {
        Some("sums alone, and few words")
    }

    fn schedule(&self, problem: &Problem, effort: &Effort) -> Option<Made> {
        let net = Channels::of(problem);
        let choices = Spread::choices(problem).filter_map(|spread| sums(problem, &net, spread)).collect::<Vec<_>>();
        let steps = u64::from(effort.time_limit_s) * STEPS_PER_SECOND / choices.len().max(1) as u64;
        let mut random = Random::new(effort.seed);
        let attempt = |sums: &Vec<Sum>| {
            let (operators, requests) = searched(problem, &net, sums, steps, &mut random)?;
            let problem = Problem { operator: operators.cycles, ..problem.clone() };
            let mut timed = Timed::new(&net, &requests);
            if problem.demand.chunks.iter().any(|chunk| chunk.to.len() > 1) {
                timed.go_out(&problem, &net, sums, (operators, steps / 4), &mut random)?;
            }
            timed.made(&problem, &net, self.name(), sums)
        };
        choices.iter().filter_map(attempt).min_by_key(|made| made.cycles)
    }
}

/// Requests for sums, and the operators with which they are served; none if they are too many, or a node is out of reach.
fn searched(
    problem: &Problem,
    net: &Channels,
    sums: &[Sum],
    steps: u64,
    random: &mut Random,
) -> Option<(Operators, Requests)> {
    let symmetry = Symmetry::of(problem, net, sums);
    let whole = Turned { class: (0..net.count() as u32).collect(), classes: net.reversed(), net: net.reversed() };
    let count = |sums: &[Sum]| sums.iter().map(|sum| sum.from.len()).sum::<usize>();
    let (turned, some) = symmetry.as_ref().map_or((&whole, sums), |all| (&all.turned, &all.sums[..]));
    if count(some) > MOST || count(sums) > MOST_WRITTEN {
        return None;
    }
    let least = least(problem);
    let first = |operators: Operators| {
        let mut search = Search::new(turned, some, operators);
        let requests = search.begin(random).then(|| search.improve(least, ATTEMPT, random))?;
        Some((end(&requests), operators, requests))
    };
    let (_, operators, mut requests) = operators(problem).filter_map(first).min_by_key(|found| found.0)?;
    let mut improve = |turned: &Turned, sums: &[Sum], requests: Requests, steps: u64| {
        let mut search = Search::new(turned, sums, operators);
        search.take_over(requests);
        search.improve(least, steps, random)
    };
    if steps > 0 {
        requests = improve(turned, some, requests, if symmetry.is_some() { steps / 2 } else { steps });
    }
    if let Some(symmetry) = &symmetry {
        requests = symmetry.all(net, &requests);
        if steps > 0 && count(sums) <= MOST {
            requests = improve(&whole, sums, requests, steps / 2);
        }
    }
    Some((operators, requests))
}

/// Kinds of operators that may be built, the largest first.
fn operators(problem: &Problem) -> impl Iterator<Item = Operators> {
    let fastest = if problem.is_operator_free { problem.operator.min(2) } else { problem.operator };
    (fastest..=problem.operator).rev().map(|cycles| Operators { cycles, most: operands(cycles) })
}

/// Nodes at which sums for several nodes come together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Spread {
    /// Other nodes for each sum, as far apart as their numbers.
    Apart,
    /// The node in the middle.
    Middle,
}

impl Spread {
    /// Choices that may differ.
    fn choices(problem: &Problem) -> impl Iterator<Item = Self> {
        let several = problem.demand.chunks.iter().any(|chunk| chunk.to.len() > 1);
        let few = problem.demand.chunks.len() < problem.net.nodes();
        [Self::Apart, Self::Middle].into_iter().take(1 + usize::from(several && few))
    }
}

/// The sums of a problem, if it has nothing else.
fn sums(problem: &Problem, net: &Channels, spread: Spread) -> Option<Vec<Sum>> {
    let farthest = |node: u32| net.distances(node).into_iter().max();
    let middle = (0..net.nodes() as u32).min_by_key(|&node| farthest(node)).filter(|_| spread == Spread::Middle);
    let count = problem.demand.chunks.len();
    let sum = |(number, chunk): (usize, &crate::collective::demand::Chunk)| {
        let apart = number * (chunk.to.len() / count).max(1) % chunk.to.len().max(1);
        let root = chunk.to.get(apart)?.get();
        let root = middle.filter(|&middle| chunk.to.contains(&NodeId::new(middle))).unwrap_or(root);
        let from: Vec<u32> = chunk.from.iter().map(|node| node.get()).filter(|&node| node != root).collect();
        (chunk.from.len() > 1).then_some(Sum { root, own: from.len() < chunk.from.len(), from })
    };
    problem.demand.chunks.iter().enumerate().map(sum).collect::<Option<Vec<Sum>>>().filter(|sums| !sums.is_empty())
}

/// A group on the network under which the sums of all nodes are alike.
struct Symmetry {
    turned: Turned,
    /// Sums of node 0.
    sums: Vec<Sum>,
    /// By node: the numbers of its sums.
    of: Vec<Vec<u32>>,
    /// By node: the element of the group that leads from node 0 to it, as the node to which it leads from each.
    images: Vec<Vec<u32>>,
    /// By class and node: channel.
    channels: Vec<Vec<u32>>,
}

impl Symmetry {
    fn of(problem: &Problem, net: &Channels, sums: &[Sum]) -> Option<Self> {
        let nodes = net.nodes();
        let mut of: Vec<Vec<u32>> = vec![Vec::new(); nodes];
        (0..).zip(sums).for_each(|(number, sum)| of[sum.root as usize].push(number));
        let alike = sums.iter().all(|sum| sum.own && sum.from.len() + 1 == nodes);
        if !alike || of.iter().any(|sums| sums.len() != of[0].len()) {
            return None;
        }
        let law = Law::of(problem)?;
        let mut class = vec![0; net.count()];
        let mut channels = vec![Vec::with_capacity(nodes); law.steps.len()];
        for (number, ports) in law.ports.iter().enumerate() {
            for (node, port) in ports.iter().enumerate() {
                let channel = net.out[node].iter().copied().find(|&channel| net.port[channel as usize] == *port)?;
                channels[number].push(channel);
                class[channel as usize] = number as u32;
            }
        }
        // the images of node 0 first, then those of its neighbours
        let mut images: Vec<Vec<u32>> = vec![Vec::new(); nodes];
        images[0] = (0..nodes as u32).collect();
        let mut open = vec![0_usize];
        while let Some(node) = open.pop() {
            for step in &law.steps {
                let to = step[node] as usize;
                if images[to].is_empty() {
                    images[to] = images[node].iter().map(|&at| step[at as usize]).collect();
                    open.push(to);
                }
            }
        }
        let classes = Channels {
            src: vec![0; law.steps.len()],
            dst: vec![0; law.steps.len()],
            port: vec![0; law.steps.len()],
            out: vec![Vec::new()],
            into: vec![Vec::new()],
            latency: law.latency,
            one: law.one,
        };
        let turned = Turned { net: net.reversed(), class, classes };
        let sums = of[0].iter().map(|&number| sums[number as usize].clone()).collect();
        Some(Self { turned, sums, of, images, channels })
    }

    /// The requests of all nodes' sums, from those of node 0.
    fn all(&self, net: &Channels, requests: &Requests) -> Requests {
        let mut all = Requests::new();
        for (&(sum, node), request) in requests {
            for (root, of) in self.of.iter().enumerate() {
                let image = |node: u32| self.images[node as usize][root];
                let channel = |channel: u32| {
                    let class = self.turned.class[channel as usize] as usize;
                    self.channels[class][image(net.src[channel as usize]) as usize]
                };
                let way = request.way.iter().map(|&(of, cycle)| (channel(of), cycle)).collect();
                let request = Request { by: image(request.by), way, at: request.at };
                all.insert((of[sum as usize], image(node)), request);
            }
        }
        all
    }
}
