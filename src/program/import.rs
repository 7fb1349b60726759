//! Import: a network, a program and a collective from a schedule in the exchange form, whoever made it.
//!
//! The transfers of a packet are the tree of its hops. In a document without operations the result is every packet at each of its
//! destinations; with operations, every packet at each destination where no operation takes it. A packet that is a result at another node
//! than the one that made it is copied there by an operation.
//!
//! # Arrays
//!
//! The input array has the packets that no operation makes, by id. With operations it has the contributions, by node
//! and part: packets of one node and part are one word. In a sequence, packets of which nothing is made are separate
//! words. The output array has the results, by node, then by packet.

use super::packet::{Op, Packet};
use super::{Document, Hop, Input, Operation, Origin, Program, Switching, Train, Who};
use crate::collective::general::registry::combines;
use crate::collective::{Collective, Item, Words, array};
use crate::id::NodeId;
use crate::spec::Operator;
use crate::topology::{Graph, Topology, graph::NoSuchNode};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use strum::VariantArray as _;

/// Error of a document that is no program.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ImportError {
    /// A channel without ends.
    #[error(transparent)]
    Channel(#[from] NoSuchNode),
    /// A packet without a description, or a channel that is not there.
    #[error("transfer {transfer} names {what}")]
    Transfer {
        /// Position in the list.
        transfer: usize,
        /// Packet or channel that does not exist.
        what: String,
    },
    /// A packet of a node that is not there, or that two operations make, or one at another node.
    #[error("packet {packet} {what}")]
    Packet {
        /// Packet.
        packet: u64,
        /// Defect of the packet, as text.
        what: &'static str,
    },
    /// A packet that leaves a node where it has not come.
    #[error("packet {packet} leaves node {node} in cycle {cycle}, before it has arrived there")]
    NotThere {
        /// Packet.
        packet: u64,
        /// Node.
        node: u32,
        /// Cycle.
        cycle: u32,
    },
    /// An operation on a packet that is not at its node, or on one that is not described.
    #[error("the operation that makes packet {packet} takes packet {input}, which does not arrive at its node")]
    NoOperand {
        /// Packet that is made.
        packet: u64,
        /// Packet that is missing.
        input: u64,
    },
    /// A packet that does not come to a destination.
    #[error("packet {packet} does not arrive at node {node}")]
    NotDelivered {
        /// Packet.
        packet: u64,
        /// Node.
        node: u32,
    },
    /// Sums of several operators.
    #[error(
        "the sums of the sequence differ in their operators, and the form has no operator for each operation: only sums of one operator can be imported"
    )]
    Operators,
    /// Operator that there is not.
    #[error("the sums of the file have the operator {name}: write \"sum\", \"min\", \"max\" or \"xor\"")]
    Operator {
        /// Value of `op`, as JSON.
        name: String,
    },
    /// Operations of a collective that is no sum.
    #[error("the file does not define the operations of `{kind}`: only sums can be imported")]
    NoSum {
        /// Kind of the collective.
        kind: String,
    },
}

/// Kind of collectives one after the other.
const SEQUENCE: &str = "sequence";

/// A schedule that was imported.
#[derive(Debug, Clone)]
pub struct Imported {
    /// Network, as it is listed.
    pub network: Graph,
    /// Program.
    pub program: Program,
    /// Arrays of its packets.
    pub arrays: PacketArrays,
}

/// Words of packets: a [`Collective`] for the packets that a document delivers.
#[derive(Debug, Clone)]
pub struct PacketArrays {
    /// Index in the input array, by value; None for a value that an operation makes.
    sent: Vec<Option<usize>>,
    /// Index in the output array, by value and node.
    received: HashMap<(u32, NodeId), usize>,
    /// Contributions to each result, as indices in the input array; by index in the output array.
    results: Vec<Vec<usize>>,
    /// Results that are where they belong from the beginning.
    home: Vec<(usize, usize)>,
    inputs: usize,
    operator: Option<Operator>,
}

impl Collective for PacketArrays {
    fn shape(&self) -> (Vec<usize>, String) {
        (vec![self.inputs], "[packet]".to_owned())
    }

    fn expected(&self, words: &Words) -> Words {
        let mask = u64::MAX >> (64 - words.dtype().bits());
        let result = |i: usize| match (&self.results[i][..], self.operator) {
            ([one], _) => words.get(*one),
            (all, Some(op)) => all.iter().fold(op.identity(), |sum, &word| op.combine(sum, words.get(word))) & mask,
            _ => 0,
        };
        Words::from_fn(words.dtype(), self.results.len(), result)
    }

    fn result_len(&self) -> usize {
        self.results.len()
    }

    fn to_npy(&self, results: &Words) -> Vec<u8> {
        array(&[self.results.len()], results)
    }

    fn sent(&self, item: Item) -> usize {
        self.sent.get(item.value as usize).copied().flatten().unwrap_or(0)
    }

    fn received(&self, item: Item) -> Option<usize> {
        self.received.get(&(item.value, item.to)).copied()
    }

    fn at_home(&self) -> Vec<(usize, usize)> {
        self.home.clone()
    }

    fn operator(&self) -> Option<Operator> {
        self.operator
    }
}

/// A packet on its way.
struct Tree<'a> {
    packet: &'a Packet,
    op: Option<&'a Op>,
    value: u32,
    /// Arrival of a packet, by node: index in `hops` of the hop that brought it, and the first cycle in which it can
    /// leave.
    at: BTreeMap<u32, (Option<u32>, u32)>,
    hops: Vec<(Hop, u32)>,
    start: u32,
    /// Index of its first hop in the program.
    first: u32,
}

/// The network and the program of a document.
///
/// # Errors
/// [`ImportError`] with the first packet, transfer or operation that does not fit; not all that `judge` would find.
pub fn import(document: &Document) -> Result<Imported, ImportError> {
    let circuit = document.switching == "circuit";
    let label = |(index, node): (usize, &super::Node)| {
        let numbers =
            node.0.as_array().map(|all| all.iter().filter_map(|x| Some(x.as_u64()? as u32)).collect::<Vec<_>>());
        numbers.filter(|n| Some(n.len()) == node.0.as_array().map(Vec::len)).unwrap_or_else(|| vec![index as u32])
    };
    let network = Graph::new(document.nodes.iter().enumerate().map(label).collect(), &document.channels)?;
    // with circuits, only processors hold words
    let medium = |&index: &usize| circuit && !document.nodes[index].is_processor();
    let network = network.with_media((0..document.nodes.len()).filter(medium).map(NodeId::from).collect());
    let ports = Graph::ports_of_list(&document.channels);
    let mut latencies = vec![1; network.nodes() * network.ports()];
    for (&(node, port), &latency) in ports.iter().zip(document.latency.iter().flatten()) {
        latencies[node.index() * network.ports() + port as usize] = latency;
    }
    let ops: &[Op] = document.ops.as_deref().unwrap_or_default();
    let operator = (!ops.is_empty()).then(|| operator(&document.collective)).transpose()?;
    let mut trees = follow(document, &network, &ports, ops)?;
    let wrong = |packet: u64, what| Err(ImportError::Packet { packet, what });
    if let Some(packet) = document.packets.iter().find(|packet| packet.src as usize >= network.nodes()) {
        return wrong(packet.id, "starts at a node that does not exist");
    }
    let mut made = BTreeSet::new();
    for op in ops {
        match trees.get(&op.packet) {
            None => return wrong(op.packet, "is made and not described"),
            Some(tree) if tree.packet.src != op.node => {
                return wrong(op.packet, "is made at another node than its source");
            }
            Some(_) if !made.insert(op.packet) => return wrong(op.packet, "is made twice"),
            Some(_) => {}
        }
    }
    let switching = if circuit { Switching::Circuit } else { Switching::HopByChannel(latencies) };
    let mut program = Program { period: document.repeat_every, ..Program::new(switching) };

    // words that go in: packets, or contributions
    let summed: BTreeSet<u64> = ops.iter().flat_map(|op| &op.inputs).copied().collect();
    let sequence = document.collective["kind"] == SEQUENCE;
    let contribution = |packet: &Packet| match ops.is_empty() || sequence && !summed.contains(&packet.id) {
        true => (false, packet.id, 0),
        false => (true, u64::from(packet.owner.unwrap_or(packet.src)), packet.part),
    };
    let unmade = trees.values().filter(|tree| tree.op.is_none());
    let inputs: BTreeSet<(bool, u64, u32)> = unmade.map(|tree| contribution(tree.packet)).collect();
    let inputs: BTreeMap<(bool, u64, u32), usize> = inputs.into_iter().zip(0..).collect();
    let mut sent = Vec::new();
    for tree in trees.values_mut() {
        let origin = match tree.op {
            Some(_) => Origin::Made,
            None => Origin::Word { first: 0, stride: 0 },
        };
        tree.value = program.value(Who::One(NodeId::new(tree.packet.src)), 1, origin);
        sent.push(tree.op.is_none().then(|| inputs[&contribution(tree.packet)]));
    }

    // results: where nothing takes a packet
    let taken: BTreeSet<(u64, u32)> =
        ops.iter().flat_map(|op| op.inputs.iter().map(|&input| (input, op.node))).collect();
    let mut results: BTreeSet<(u32, u64)> = BTreeSet::new();
    for tree in trees.values() {
        let Packet { id, ref dsts, .. } = *tree.packet;
        for &node in dsts {
            if !tree.at.contains_key(&node) {
                return Err(ImportError::NotDelivered { packet: id, node });
            }
            if !taken.contains(&(id, node)) {
                results.insert((node, id));
            }
        }
    }
    if ops.is_empty() {
        for tree in trees.values_mut() {
            let ends: Vec<u32> = tree.packet.dsts.iter().filter_map(|dst| tree.at[dst].0).collect();
            ends.into_iter().for_each(|hop| tree.hops[hop as usize].0.keep = true);
        }
    }
    for tree in trees.values_mut().filter(|tree| !tree.hops.is_empty()) {
        let who = Who::One(NodeId::new(tree.packet.src));
        let hops: Vec<Hop> = tree.hops.iter().map(|&(hop, _)| hop).collect();
        tree.first = program.send(tree.value, who, (tree.start, Train::STEADY), hops);
    }
    let at = |id: u64, node: u32, made: u64| {
        let missing = ImportError::NoOperand { packet: made, input: id };
        let tree = trees.get(&id).ok_or(missing.clone())?;
        let &(hop, _) = tree.at.get(&node).ok_or(missing)?;
        Ok::<Input, ImportError>(hop.map_or(Input::Own(tree.value), |hop| Input::Arrived(tree.first + hop)))
    };
    for op in ops {
        let tree = &trees[&op.packet];
        let operands = op.inputs.iter().map(|&id| at(id, op.node, op.packet)).collect::<Result<Vec<_>, _>>()?;
        let departs = tree.hops.first().map_or(op.cycle, |_| tree.start);
        let latency = departs.saturating_sub(op.cycle);
        let out = (Who::One(NodeId::new(op.node)), tree.value);
        program.operate(out, (op.cycle, Train::STEADY, latency), Operation::Combine, operands);
    }
    program.ops.sort_by_key(|op| op.at); // one before those that take its result

    let (mut received, mut places, mut home) = (HashMap::new(), Vec::new(), Vec::new());
    let mut sums: HashMap<u64, Vec<usize>> = HashMap::new();
    for (index, &(node, id)) in results.iter().enumerate() {
        let (tree, to) = (&trees[&id], NodeId::new(node));
        places.push(contributions(id, &trees, &mut sums, &|packet| inputs[&contribution(packet)]));
        match (tree.op, ops.is_empty(), tree.at[&node]) {
            (None, _, (None, _)) => home.push((places[index][0], index)),
            (_, true, _) => {
                received.insert((tree.value, to), index);
            }
            (Some(_), false, (None, _)) => {
                program.results.push(tree.value);
                received.insert((tree.value, to), index);
            }
            (_, false, (Some(hop), ready)) => {
                let copy = program.value(Who::One(to), 1, Origin::Made);
                sent.push(None);
                program.operate(
                    (Who::One(to), copy),
                    (ready, Train::STEADY, 0),
                    Operation::Copy,
                    [Input::Arrived(tree.first + hop)],
                );
                program.results.push(copy);
                received.insert((copy, to), index);
            }
        }
    }
    let arrays = PacketArrays { sent, received, results: places, home, inputs: inputs.len(), operator };
    Ok(Imported { network, program, arrays })
}

/// The operator of a collective's table; of a sequence, the one that all of its sums have.
fn operator(collective: &serde_json::Value) -> Result<Operator, ImportError> {
    let kind = collective["kind"].as_str().unwrap_or_default();
    if let Some(all) = collective["collectives"].as_array().filter(|_| kind == SEQUENCE) {
        let mut operators = Vec::new();
        for one in all {
            match operator(one) {
                Err(ImportError::NoSum { .. }) => {}
                operator => operators.push(operator?),
            }
        }
        let Some(&first) = operators.first() else { return Err(ImportError::NoSum { kind: kind.to_owned() }) };
        return if operators.iter().all(|&other| other == first) { Ok(first) } else { Err(ImportError::Operators) };
    }
    if !combines(kind) {
        return Err(ImportError::NoSum { kind: kind.to_owned() });
    }
    let Some(name) = collective.get("op") else { return Ok(Operator::Sum) };
    let operator = Operator::VARIANTS.iter().copied().find(|operator| name == operator.name());
    operator.ok_or_else(|| ImportError::Operator { name: name.to_string() })
}

/// The ways of all packets, by id.
fn follow<'a>(
    document: &'a Document,
    net: &Graph,
    ports: &[(NodeId, u32)],
    ops: &'a [Op],
) -> Result<BTreeMap<u64, Tree<'a>>, ImportError> {
    let made: HashMap<u64, &Op> = ops.iter().map(|op| (op.packet, op)).collect();
    let mut trees: BTreeMap<u64, Tree<'a>> = BTreeMap::new();
    for packet in &document.packets {
        let op = made.get(&packet.id).copied();
        let ready = op.map_or(0, |op| op.cycle);
        let at = BTreeMap::from([(packet.src, (None, ready))]);
        trees.insert(packet.id, Tree { packet, op, value: 0, at, hops: Vec::new(), start: ready, first: 0 });
    }
    for (transfer, &(_, channel, id)) in document.transfers.iter().enumerate() {
        let what = match (document.channels.get(channel as usize), trees.get(&id)) {
            (None, _) => format!("channel {channel}, which does not exist"),
            (_, None) => format!("packet {id}, which does not exist"),
            _ => continue,
        };
        return Err(ImportError::Transfer { transfer, what });
    }
    let mut order: Vec<(u32, u32, u64)> = document.transfers.clone();
    order.sort_by_key(|transfer| transfer.0);
    for now in order.chunk_by(|a, b| a.0 == b.0) {
        // circuits are listed in any order
        let mut open: Vec<(u32, u32, u64)> = now.to_vec();
        while let Some(&(cycle, channel, id)) = open.first() {
            let all = open.len();
            open.retain(|&(cycle, channel, id)| {
                let (ends, port) = (document.channels[channel as usize], ports[channel as usize].1);
                let latency = match &document.latency {
                    _ if net.is_medium(NodeId::new(ends.1)) => 0,
                    None => 1,
                    Some(all) => all.get(channel as usize).copied().unwrap_or(1),
                };
                let passing = net.is_medium(NodeId::new(ends.0));
                !trees.get_mut(&id).is_some_and(|tree| tree.cross((cycle, latency), ends, port, passing))
            });
            if open.len() == all {
                return Err(ImportError::NotThere { packet: id, node: document.channels[channel as usize].0, cycle });
            }
        }
    }
    Ok(trees)
}

impl Tree<'_> {
    /// Adds a hop, if the packet is at its beginning by then: of a medium, in this very cycle.
    fn cross(&mut self, (cycle, latency): (u32, u32), (src, dst): (u32, u32), port: u32, passing: bool) -> bool {
        let is_there = |at: &&(Option<u32>, u32)| if passing { at.1 == cycle } else { at.1 <= cycle };
        let Some(&(parent, ready)) = self.at.get(&src).filter(is_there) else { return false };
        if self.hops.is_empty() {
            self.start = cycle;
        }
        let since = if parent.is_none() { self.start } else { ready };
        let there = cycle.saturating_add(latency);
        self.hops.push((Hop { parent, port, wait: cycle - since, keep: false }, there));
        let number = self.hops.len() as u32 - 1;
        let end = self.at.entry(dst).or_insert((Some(number), there));
        // a medium keeps nothing, so that what comes counts
        if end.1 > there || latency == 0 {
            *end = (Some(number), there);
        }
        true
    }
}

/// The words of which a packet is made.
fn contributions(
    id: u64,
    trees: &BTreeMap<u64, Tree<'_>>,
    known: &mut HashMap<u64, Vec<usize>>,
    index: &impl Fn(&Packet) -> usize,
) -> Vec<usize> {
    let mut open = vec![id];
    while let Some(&next) = open.last() {
        let Some(tree) = trees.get(&next).filter(|_| !known.contains_key(&next)) else {
            open.pop();
            continue;
        };
        let inputs: &[u64] = tree.op.map_or(&[], |op| &op.inputs);
        // a packet that is made of itself has no end
        let missing: Vec<u64> =
            inputs.iter().copied().filter(|i| !known.contains_key(i) && !open.contains(i)).collect();
        if missing.is_empty() {
            let all = match tree.op {
                None => vec![index(tree.packet)],
                Some(_) => inputs.iter().filter_map(|i| known.get(i)).flatten().copied().collect(),
            };
            known.insert(next, all);
            open.pop();
        } else {
            open.extend(missing);
        }
    }
    known.get(&id).cloned().unwrap_or_default()
}
