//! Algorithm 2 of Li and Chu, the total exchange on hierarchical dual-nets, with their messages as single words.
//!
//! The algorithm goes in phases. In each phase every node sends, over one port, all its words that need this port, one
//! a cycle. All nodes use the same port, so a node sends and receives one word a cycle. A combined message of the
//! paper, which pays its startup once, is the words of a phase. A word for (C', q, SN, N) first goes to a node of class
//! C̄', there within its cluster to the relay (q, N). From the relay the cross link leads into cluster q of class C'.
//! Within that cluster the word goes to its destination. The paper names node q of the cluster as the relay; with
//! super-nodes of several nodes this strands words, and N is taken from the destination.

use super::channels::Channels;
use super::plan::{Plan, Transfer};
use super::scheduler::Scheduler;
use super::{Effort, Made, Problem, write};
use crate::id::NodeId;
use crate::topology::hierarchical_dual_net::Index;
use crate::topology::{HierarchicalDualNet, Topology};

/// The algorithm, for words of one source and one destination each.
pub(super) struct TotalExchange;

impl Scheduler for TotalExchange {
    fn name(&self) -> &'static str {
        "paper"
    }

    fn about(&self) -> &'static str {
        "on hierarchical dual-nets: Algorithm 2 of Li and Chu, phase by phase, with relays that strand no word"
    }

    fn is_short(&self) -> bool {
        false
    }

    fn schedule(&self, problem: &Problem, _: &Effort) -> Option<Made> {
        let is_dual_net = problem.table["topology"] == problem.net.name();
        let net = HierarchicalDualNet::from_table(&problem.table).filter(|_| is_dual_net)?;
        let channels = Channels::of(problem);
        let mut phases = Phases::new(&net, &channels);
        let mut goals = Vec::new();
        for (number, chunk) in (0..).zip(&problem.demand.chunks) {
            let ([from], [to]) = (&chunk.from[..], &chunk.to[..]) else { return None };
            phases.words.push(Word { chunk: number, at: from.get(), to: to.get() });
            goals.push(to.get());
        }
        phases.exchange(net.level_count(), &goals);
        Some(write::made(problem, &channels, self.name(), Plan::new(phases.transfers)))
    }
}

/// Word on its way.
struct Word {
    chunk: u32,
    at: u32,
    /// Destination; a word that has come there stays.
    to: u32,
}

/// Phases under construction.
struct Phases<'a> {
    net: &'a HierarchicalDualNet,
    channels: &'a Channels,
    words: Vec<Word>,
    transfers: Vec<Transfer>,
    /// First cycle of the next phase.
    start: u32,
}

impl<'a> Phases<'a> {
    fn new(net: &'a HierarchicalDualNet, channels: &'a Channels) -> Self {
        Self { net, channels, words: Vec::new(), transfers: Vec::new(), start: 0 }
    }

    /// Takes every word to its goal, a node of the same network of a level.
    fn exchange(&mut self, level: usize, goals: &[u32]) {
        if level == 0 {
            return self.within_base(goals);
        }
        let net = self.net;
        let index = |node: u32| net.index(level, node);
        let cross = net.cross_port(level);
        // words for the class of their node leave it
        self.phase(cross, |number, word| {
            index(word.at).class == index(goals[number]).class && word.at != goals[number]
        });
        let relay = |(word, &goal): (&Word, &u32)| {
            let (at, end) = (index(word.at), index(goal));
            let first = word.at - word.at % net.size(level);
            match word.at == goal {
                true => goal,
                false => first + net.node(level, Index { super_node: end.cluster, place: end.place, ..at }),
            }
        };
        let relays: Vec<u32> = self.words.iter().zip(goals).map(relay).collect();
        self.exchange(level - 1, &relays);
        self.phase(cross, |number, word| word.at != goals[number]);
        self.exchange(level - 1, goals);
    }

    /// Takes every word to its goal in the same base, port by port.
    fn within_base(&mut self, goals: &[u32]) {
        for port in 0..self.net.base_degree() {
            let net = self.net;
            while self.phase(port, |number, word| net.toward(word.at, goals[number]) == Some(port)) {}
        }
    }

    /// Sends the words that are chosen over a port, one a cycle; true if there are any.
    fn phase(&mut self, port: usize, chosen: impl Fn(usize, &Word) -> bool) -> bool {
        let net = self.channels;
        let mut next = vec![self.start; net.nodes()];
        let mut end = self.start;
        for (number, word) in self.words.iter_mut().enumerate() {
            if word.at == word.to || !chosen(number, word) {
                continue;
            }
            let node = word.at as usize;
            let out = &net.out[node];
            let Some(&channel) = out.iter().find(|&&channel| net.port[channel as usize] as usize == port) else {
                continue;
            };
            self.transfers.push(Transfer { chunk: word.chunk, channel, sum: false, cycle: next[node] });
            next[node] += 1;
            end = end.max(next[node] - 1 + net.latency[channel as usize]);
            word.at = self.net.neighbour(NodeId::from(node), port).get();
        }
        let any = end > self.start;
        self.start = end;
        any
    }
}
