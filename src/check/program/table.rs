//! A program as it is followed: of each hop its move, its two ends, and the cycles in which its word is at them.

use super::fault::ProgramFault;
use super::law::{self, label};
use crate::id::NodeId;
use crate::program::{Hop, Input, Move, Operation, Program, Switching, Train, Who};
use crate::topology::Topology;

/// A well-formed program on a network, hop by hop.
///
/// Where nodes are *alike*, every move is one of every node, and every hop is a permutation of the nodes with one
/// latency. The ends are those of node 0's word and stand for all. Otherwise every move is one of one node.
pub struct Table<'a, T: Topology + ?Sized> {
    /// Network.
    pub net: &'a T,
    /// Program.
    pub program: &'a Program,
    /// One node stands for all.
    pub alike: bool,
    /// Index of the move of each hop, by hop.
    pub move_of: Vec<u32>,
    /// Entry cycle of batch 0 into the channel, by hop.
    pub entry: Vec<u32>,
    /// Cycle from which batch 0 is at the far end, by hop.
    pub end: Vec<u32>,
    /// Node at the far end, by hop.
    pub to: Vec<NodeId>,
}

impl<'a, T: Topology + Sync + ?Sized> Table<'a, T> {
    /// Follows every move of a program whose moves are all of every node, or all of one node.
    ///
    /// # Errors
    /// [`ProgramFault::Malformed`] for what is not there; [`ProgramFault::TooLarge`].
    pub fn new(net: &'a T, program: &'a Program) -> Result<Self, ProgramFault> {
        let count = program.hops.len();
        let none = u32::MAX;
        let (entry, end, to) = (vec![0; count], vec![0; count], vec![NodeId::new(0); count]);
        let mut table = Self { net, program, alike: false, move_of: vec![none; count], entry, end, to };
        table.latencies()?;
        table.alike = law::is_alike(net, program);
        for (index, m) in (0..).zip(&program.moves) {
            table.follow(index, m)?;
        }
        match table.move_of.contains(&none) {
            true => malformed("a hop belongs to no move"),
            false => table.operations().map(|()| table),
        }
    }

    fn latencies(&self) -> Result<(), ProgramFault> {
        let (found, wanted) = match &self.program.switching {
            Switching::Hop(ports) => (ports, self.net.ports()),
            Switching::HopByChannel(channels) => (channels, self.net.channels()),
            Switching::Circuit => return Ok(()),
        };
        if found.len() != wanted {
            return malformed(format!("there are {} latencies for {wanted} ports or channels", found.len()));
        }
        Ok(())
    }

    fn follow(&mut self, index: u32, m: &Move) -> Result<(), ProgramFault> {
        let Program { hops, values, .. } = self.program;
        let value = values.get(m.value as usize).filter(|value| value.batches > 0 && m.hops.end as usize <= hops.len());
        let (Some(value), true) = (value, is_train(m.train)) else {
            return malformed(format!("move {index} is of no value or no words, or its train or hops are not there"));
        };
        let origin = match m.who {
            Who::One(node) if node.index() < self.net.nodes() => node,
            Who::Every if self.alike => NodeId::new(0),
            _ => return malformed(format!("move {index} is of a node that does not exist")),
        };
        let holds = match (m.who, value.who) {
            (Who::One(node), who) => who.has(node),
            (who, other) => who == other,
        };
        if !holds {
            return Err(ProgramFault::NotThere { value: m.value, at: self.label(origin), cycle: m.at });
        }
        let last = m.train.start(value.batches - 1);
        for hop in m.hops.clone() {
            let Hop { parent, port, wait, .. } = hops[hop as usize];
            let (from, ready) = match parent {
                None => (origin, m.at),
                Some(parent) if parent >= m.hops.start && parent < hop => {
                    (self.to[parent as usize], self.end[parent as usize])
                }
                Some(_) => return malformed(format!("the parent of hop {hop} does not come before it in its move")),
            };
            if port as usize >= self.net.ports_of(from) {
                return malformed(format!(
                    "hop {hop} leaves {} by port {port}, which does not exist",
                    self.label(from)
                ));
            }
            let to = self.net.neighbour(from, port as usize);
            let latency = self.program.switching.latency(self.net, from, port);
            let medium = self.net.is_medium(from);
            if latency == 0 && !self.net.is_medium(to) || medium && wait > 0 {
                return malformed(format!("hop {hop} takes no time, or its word waits in a medium"));
            }
            let entry = ready.checked_add(wait).ok_or(ProgramFault::TooLarge)?;
            let end = entry.checked_add(latency).ok_or(ProgramFault::TooLarge)?;
            end.checked_add(last).and_then(|end| end.checked_add(u8::MAX.into())).ok_or(ProgramFault::TooLarge)?;
            let place = hop as usize;
            (self.entry[place], self.end[place], self.to[place]) = (entry, end, to);
            if std::mem::replace(&mut self.move_of[place], index) != u32::MAX {
                return malformed(format!("hop {hop} belongs to two moves"));
            }
        }
        Ok(())
    }

    fn operations(&self) -> Result<(), ProgramFault> {
        let Program { values, inputs, ops, .. } = self.program;
        let batches = |value: u32| values.get(value as usize).map(|value| value.batches);
        for (index, op) in ops.iter().enumerate() {
            let count = batches(op.out);
            let is = |input: &Input| match *input {
                Input::Own(value) => batches(value) == count,
                Input::Arrived(hop) => self
                    .move_of
                    .get(hop as usize)
                    .is_some_and(|&m| batches(self.program.moves[m as usize].value) == count),
                Input::Factor(_) => op.operation == Operation::MultiplyAdd,
            };
            let inputs = inputs.get(op.inputs.start as usize..op.inputs.end as usize);
            let sound = inputs.is_some_and(|inputs| !inputs.is_empty() && inputs.iter().all(is));
            if !sound || count.is_none_or(|count| count == 0) || !is_train(op.train) {
                return malformed(format!("operation {index} has no inputs, no train, or an input of another length"));
            }
        }
        match self.program.results.iter().all(|&value| batches(value).is_some()) {
            true => Ok(()),
            false => malformed("a result is no value"),
        }
    }
}

impl<T: Topology + ?Sized> Table<'_, T> {
    /// Node before a hop.
    pub fn from(&self, hop: u32) -> NodeId {
        self.program.hops[hop as usize].parent.map_or_else(|| self.origin(hop), |parent| self.to[parent as usize])
    }

    /// Move of a hop.
    pub fn of(&self, hop: u32) -> &Move {
        &self.program.moves[self.move_of[hop as usize] as usize]
    }

    /// Node that sends the word of a hop; node 0 where nodes are alike.
    pub fn origin(&self, hop: u32) -> NodeId {
        if let Who::One(node) = self.of(hop).who { node } else { NodeId::new(0) }
    }

    /// First cycle in which a channel is entered; 0 without hops.
    pub fn start(&self) -> u32 {
        self.entry.iter().copied().min().unwrap_or(0)
    }

    /// Train and number of batches of a hop.
    pub fn train(&self, hop: u32) -> (Train, u32) {
        let m = self.of(hop);
        (m.train, self.program.values[m.value as usize].batches)
    }

    /// Checks that no word leaves a medium over two channels.
    ///
    /// # Errors
    /// [`ProgramFault::Copied`].
    pub fn uncopied(&self) -> Result<(), ProgramFault> {
        let mut passed = vec![false; self.program.hops.len()];
        for (hop, parent) in (0..).zip(&self.program.hops).filter_map(|(hop, at)| Some((hop, at.parent?))) {
            let at = self.to[parent as usize];
            if std::mem::replace(&mut passed[parent as usize], true) && self.net.is_medium(at) {
                return Err(ProgramFault::Copied { at: self.label(at), value: self.of(hop).value });
            }
        }
        Ok(())
    }

    /// A node in words.
    pub fn label(&self, node: NodeId) -> String {
        label(self.net, node)
    }
}

fn is_train(train: Train) -> bool {
    train.burst > 0 && train.period >= train.burst
}

fn malformed<R>(what: impl Into<String>) -> Result<R, ProgramFault> {
    Err(ProgramFault::Malformed { what: what.into() })
}
