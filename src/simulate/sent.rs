//! Words of all moves, without their cycles: operations are carried out in their order, on words that always arrive.

use super::Data;
use crate::id::NodeId;
use crate::program::timing::{end, ports};
use crate::program::{Input, Move, Origin, Program, Who};
use crate::topology::Topology;

/// Words of a program under way.
struct Words<'a, T: Topology + ?Sized> {
    net: &'a T,
    program: &'a Program,
    /// Words of each value that an operation makes, by value, then by batch and node.
    made: Vec<Vec<u64>>,
}

/// An input of an operation, at each of the nodes that carry it out.
enum Column {
    /// A value of the node itself.
    Own(u32),
    /// A value of another node, by node.
    From(u32, Vec<NodeId>),
    /// A value of one node.
    One(u32, NodeId),
    /// A word of the data.
    Factor(u64),
}

/// Runs the operations of a program on `data`, and gives the word of every move, by move, batch and sending node in ascending order.
pub fn sent<T: Topology + ?Sized>(net: &T, program: &Program, data: &mut impl Data, mut word: impl FnMut(u64)) {
    let mut words = Words { net, program, made: vec![Vec::new(); program.values.len()] };
    words.operate(data);
    for m in &program.moves {
        let origins: Vec<NodeId> = m.who.nodes(net.nodes()).collect();
        let first = words.receivers(m, &origins);
        for batch in 0..program.values[m.value as usize].batches {
            for (&origin, &to) in origins.iter().zip(&first) {
                word(words.get(data, m.value, batch, [origin, to]));
            }
        }
    }
}

impl<T: Topology + ?Sized> Words<'_, T> {
    /// The word that a node has of a value, for node `to` if it is a message.
    fn get(&self, data: &impl Data, value: u32, batch: u32, [node, to]: [NodeId; 2]) -> u64 {
        let of = &self.program.values[value as usize];
        match of.origin {
            Origin::Made => {
                let at = batch as usize * of.who.places(self.net.nodes()) + of.who.place(node);
                self.made[value as usize].get(at).copied().unwrap_or(0)
            }
            Origin::Message => data.word(value, node, to, batch),
            Origin::Word { .. } => data.word(value, node, node, batch),
            Origin::Identity => data.identity(),
        }
    }

    /// First node that keeps a move's word, by origin; the origin itself if no node keeps it, or the word is no
    /// message.
    fn receivers(&self, m: &Move, origins: &[NodeId]) -> Vec<NodeId> {
        let message = self.program.values[m.value as usize].origin == Origin::Message;
        let kept = m.hops.clone().find(|&hop| message && self.program.hops[hop as usize].keep);
        kept.map_or_else(|| origins.to_vec(), |hop| self.ends(hop, origins))
    }

    /// The node to which a hop leads, by the origin of the word.
    fn ends(&self, hop: u32, origins: &[NodeId]) -> Vec<NodeId> {
        let ports = ports(self.program, hop);
        origins.iter().map(|&origin| end(self.net, origin, &ports)).collect()
    }

    fn operate(&mut self, data: &mut impl Data) {
        let (program, nodes) = (self.program, self.net.nodes());
        // by hop: the index of its move
        let mut moves = vec![0_u32; if program.ops.is_empty() { 0 } else { program.hops.len() }];
        for (index, m) in (0..).zip(&program.moves).filter(|_| !program.ops.is_empty()) {
            moves[m.hops.start as usize..m.hops.end as usize].fill(index);
        }
        let mut inputs = Vec::new();
        for op in &program.ops {
            let columns: Vec<Column> = program.inputs[op.inputs.start as usize..op.inputs.end as usize]
                .iter()
                .map(|input| match *input {
                    Input::Own(value) => Column::Own(value),
                    Input::Factor(index) => Column::Factor(data.factor(index)),
                    Input::Arrived(hop) => {
                        let m = &program.moves[moves[hop as usize] as usize];
                        if let Who::One(node) = m.who {
                            return Column::One(m.value, node);
                        }
                        let origins: Vec<NodeId> = m.who.nodes(nodes).collect();
                        let mut from = vec![NodeId::new(0); nodes];
                        for (end, &origin) in self.ends(hop, &origins).into_iter().zip(&origins) {
                            from[end.index()] = origin;
                        }
                        Column::From(m.value, from)
                    }
                })
                .collect();
            let out = &program.values[op.out as usize];
            let width = out.who.places(nodes);
            self.made[op.out as usize].resize(width * out.batches as usize, 0);
            for batch in 0..out.batches {
                for node in op.who.nodes(nodes) {
                    inputs.clear();
                    inputs.extend(columns.iter().map(|column| match column {
                        Column::Own(value) => self.get(data, *value, batch, [node; 2]),
                        Column::From(value, from) => self.get(data, *value, batch, [from[node.index()], node]),
                        Column::One(value, from) => self.get(data, *value, batch, [*from, node]),
                        Column::Factor(word) => *word,
                    }));
                    let word = data.combine(op.operation, &inputs);
                    data.make(op.out, node, batch, word);
                    self.made[op.out as usize][batch as usize * width + out.who.place(node)] = word;
                }
            }
        }
    }
}
