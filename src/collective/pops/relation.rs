//! Packets between processors: permutations, h-relations, one to all, all to all, to one and from one.
//!
//! Processor i has its data in `x`, and afterwards, for a permutation π, `y[π(i)] = x[i]`. What a processor sends to itself is there
//! already and is no packet.

use crate::collective::keys::RootedSpec;

/// Destination of a packet: one processor, or all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Goal {
    /// Single destination processor.
    One(u32),
    /// All processors except the source.
    All,
}

/// A packet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Packet {
    /// The processor that has it.
    pub src: u32,
    /// Destination.
    pub goal: Goal,
}

/// Relation of sources and destinations of packets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Relation {
    /// Processor i sends a packet to processor π(i).
    Permutation(Vec<u32>),
    /// Packets from source to destination.
    Demands(Vec<(u32, u32)>),
    /// The root sends one packet to all.
    OneToAll(RootedSpec),
    /// Every processor sends a packet to every other.
    AllToAll,
    /// Every processor sends a packet to the root.
    Gather(RootedSpec),
    /// The root sends a packet to every other processor.
    Scatter(RootedSpec),
}

impl Relation {
    /// Elements of the data among `processors` processors, in the order of the user's array: the processor that has
    /// each, and its goal. Elements that do not move are included.
    pub fn elements(&self, processors: u32) -> Vec<(u32, Goal)> {
        let all = 0..processors;
        let one = |(src, to): (u32, u32)| (src, Goal::One(to));
        match self {
            Relation::Permutation(to) => all.zip(to.iter().copied()).map(one).collect(),
            Relation::Demands(list) => list.iter().copied().map(one).collect(),
            Relation::OneToAll(RootedSpec { root }) => vec![(*root, Goal::All)],
            Relation::AllToAll => all.clone().flat_map(|src| all.clone().map(move |to| one((src, to)))).collect(),
            Relation::Gather(RootedSpec { root }) => all.map(|src| one((src, *root))).collect(),
            Relation::Scatter(RootedSpec { root }) => all.map(|to| one((*root, to))).collect(),
        }
    }

    /// True if every processor has one packet at a time to begin with, its own element where that does not move.
    pub fn holds_each_element(&self) -> bool {
        matches!(self, Relation::Permutation(_))
    }

    /// Packets among `processors` processors, in the order of their numbers: by source, or as they are listed.
    pub fn packets(&self, processors: u32) -> Vec<Packet> {
        let moves = |&(src, goal): &(u32, Goal)| goal != Goal::One(src) && (goal != Goal::All || processors > 1);
        self.elements(processors).into_iter().filter(moves).map(|(src, goal)| Packet { src, goal }).collect()
    }
}
