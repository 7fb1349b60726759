//! Contributions of a packet: the set of nodes whose words are added in it.

use super::definitions::{Definition, Owed, Sums};
use super::fault::Fault;
use super::places::Places;
use super::subject::Judge;
use super::swapped_dragonfly;
use crate::program::Packet;
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// A set of nodes, in the form that takes less memory.
#[derive(Clone)]
enum Nodes {
    /// Few nodes, in order.
    Few(Vec<u32>),
    /// A bit for each node.
    Many(Vec<u64>),
}

impl Nodes {
    /// True if a node is in the set.
    fn has(&self, node: u32) -> bool {
        match self {
            Self::Few(few) => few.binary_search(&node).is_ok(),
            Self::Many(bits) => bits[node as usize / 64] >> (node % 64) & 1 != 0,
        }
    }

    /// All nodes of the set, in order.
    fn iter(&self) -> Box<dyn Iterator<Item = u32> + '_> {
        match self {
            Self::Few(few) => Box::new(few.iter().copied()),
            Self::Many(bits) => Box::new((0..64 * bits.len() as u32).filter(|&node| self.has(node))),
        }
    }

    fn len(&self) -> usize {
        match self {
            Self::Few(few) => few.len(),
            Self::Many(bits) => bits.iter().map(|word| word.count_ones() as usize).sum(),
        }
    }

    /// Adds the nodes of another set, of `all` nodes in the network; true if one was there already.
    fn add(&mut self, other: &Self, all: usize) -> bool {
        let count = self.len() + other.len();
        let mut bits = match self {
            Self::Few(few) if count <= all / 32 => {
                few.extend(other.iter());
                few.sort_unstable();
                few.dedup();
                return few.len() < count;
            }
            Self::Few(few) => bits_of(few, all),
            Self::Many(bits) => std::mem::take(bits),
        };
        match other {
            Self::Few(few) => set(&mut bits, few),
            Self::Many(more) => bits.iter_mut().zip(more).for_each(|(word, more)| *word |= more),
        }
        *self = Self::Many(bits);
        self.len() < count
    }
}

/// A bit for each of `all` nodes, set for some.
fn bits_of(nodes: &[u32], all: usize) -> Vec<u64> {
    let mut bits = vec![0; all.div_ceil(64)];
    set(&mut bits, nodes);
    bits
}

fn set(bits: &mut [u64], nodes: &[u32]) {
    nodes.iter().for_each(|&node| bits[node as usize / 64] |= 1 << (node % 64));
}

/// Contributions in a packet.
struct Sum {
    part: u32,
    /// Nodes whose words are in it; None once no operation needs it any more.
    nodes: Option<Nodes>,
    /// Number of these nodes.
    count: usize,
    /// True if one of them is in it more than once.
    twice: bool,
    /// True if the nodes are the first ones of their network, each once, and these may be wanted where the packet ends.
    first: bool,
}

/// Nodes that take part, in the collective's order: those of each embedded network, else all.
struct Order {
    networks: Vec<Vec<u32>>,
    /// By network: its nodes, a bit each.
    bits: Vec<Vec<u64>>,
    /// By node: its network.
    network: Vec<Option<u32>>,
    /// True if a node wants the words of nodes up to its own alone.
    prefix: bool,
}

/// Checks operations, and the result of collectives with arithmetic.
pub(super) fn check(judge: &Judge<'_>, places: &Places) -> Result<(), Fault> {
    if judge.document.ops.is_none() {
        return Ok(());
    }
    let defined = Definition::of(&judge.document.collective).and_then(|definition| definition.sums);
    let order = Order::of(judge, defined.is_some_and(|sums| sums.prefix))?;
    let sums = contributions(judge, places, &order, &[])?;
    let Some(defined) = defined else { return Ok(()) };
    for nodes in &order.networks {
        results(judge, places, &order, &sums, defined, nodes)?;
    }
    Ok(())
}

impl Order {
    fn of(judge: &Judge<'_>, prefix: bool) -> Result<Self, Fault> {
        let networks = swapped_dragonfly::embedded(judge.document).unwrap_or_else(|| vec![judge.terminals()]);
        let mut network = vec![None; judge.document.nodes.len()];
        for (number, nodes) in (0..).zip(&networks) {
            for &node in nodes {
                if network[node as usize].replace(number).is_some() {
                    return Err(Fault::Malformed { what: format!("{} is in `embed` twice", judge.name(node)) });
                }
            }
        }
        let bits = networks.iter().map(|nodes| bits_of(nodes, network.len())).collect();
        Ok(Self { networks, bits, network, prefix })
    }

    /// True if a packet that ends at these nodes has the words of as many nodes as one of them wants, and these are the right ones.
    fn holds(&self, packet: &Packet, nodes: &Nodes, count: usize) -> bool {
        let Some(network) = self.network[packet.src as usize].map(|network| network as usize) else { return false };
        let order = &self.networks[network];
        let Some(&last) = count.checked_sub(1).and_then(|last| order.get(last)) else { return false };
        let wanted = if self.prefix { packet.src == last || packet.dsts.contains(&last) } else { count == order.len() };
        match nodes {
            _ if !wanted => false,
            Nodes::Many(bits) if count == order.len() => *bits == self.bits[network],
            _ => order[..count].iter().all(|&node| nodes.has(node)),
        }
    }
}

/// Contributions to each packet, by packet. The nodes are kept as long as an operation needs them, those of the packets `kept` to the end.
fn contributions(judge: &Judge<'_>, places: &Places, order: &Order, kept: &[usize]) -> Result<Vec<Option<Sum>>, Fault> {
    let document = judge.document;
    let all = document.nodes.len();
    let mut ops: Vec<_> = document.ops.iter().flatten().collect();
    ops.sort_by_key(|op| op.cycle); // stable: in one cycle, in the order in which they are listed
    let mut made = HashSet::with_capacity(ops.len());
    let mut uses = vec![0_u32; document.packets.len()];
    kept.iter().for_each(|&packet| uses[packet] += 1);
    for op in &ops {
        if !made.insert(op.packet) {
            return Err(Fault::Malformed { what: format!("packet {} is made twice", op.packet) });
        }
        op.inputs.iter().filter_map(|id| judge.index.get(id)).for_each(|&input| uses[input as usize] += 1);
    }
    let sum = |packet: usize, part: u32, nodes: Nodes, twice: bool, uses: u32| {
        let count = nodes.len();
        let first = !twice && order.holds(&document.packets[packet], &nodes, count);
        Sum { part, nodes: Some(nodes).filter(|_| uses > 0), count, twice, first }
    };
    let own = |(number, packet): (usize, &Packet)| {
        if made.contains(&packet.id) {
            return Ok(None);
        }
        if packet.owner.is_some_and(|owner| owner != packet.src) {
            return Err(Fault::Malformed { what: format!("packet {} is not its source's contribution", packet.id) });
        }
        Ok(Some(sum(number, packet.part, Nodes::Few(vec![packet.src]), false, uses[number])))
    };
    let mut sums: Vec<Option<Sum>> = document.packets.iter().enumerate().map(own).collect::<Result<_, Fault>>()?;
    for op in ops {
        let wrong = |what: String| {
            let node = document.nodes.get(op.node as usize).map_or(op.node.to_string(), |_| judge.name(op.node));
            Fault::Operation { cycle: op.cycle, packet: op.packet, node, what }
        };
        let out = judge.index.get(&op.packet).copied();
        let out = out.filter(|&out| document.packets[out as usize].src == op.node);
        let out = out.ok_or_else(|| wrong("it is not listed, or has another source".into()))? as usize;
        let mut made: Option<(u32, Nodes, bool)> = None;
        for &id in &op.inputs {
            let missing = || wrong(format!("packet {id} is not there by then"));
            let there = judge.index.get(&id).filter(|&&input| places.has(input, op.node, op.cycle));
            let there = there.and_then(|&input| Some((input as usize, sums[input as usize].as_mut()?)));
            let (number, input) = there.ok_or_else(missing)?;
            uses[number] -= 1;
            // the last operation that needs the nodes takes them
            let nodes = if uses[number] == 0 { input.nodes.take() } else { input.nodes.clone() };
            let nodes = nodes.ok_or_else(missing)?;
            match &mut made {
                None => made = Some((input.part, nodes, input.twice)),
                Some((part, ..)) if *part != input.part => {
                    return Err(wrong(format!("packet {id} is of part {} and others of part {part}", input.part)));
                }
                Some((_, sum, twice)) => *twice |= sum.add(&nodes, all) || input.twice,
            }
        }
        let (part, nodes, twice) = made.ok_or_else(|| wrong("of nothing".into()))?;
        sums[out] = Some(sum(out, part, nodes, twice, uses[out]));
    }
    Ok(sums)
}

/// Checks the result at every node of a network.
fn results(
    judge: &Judge<'_>,
    places: &Places,
    order: &Order,
    sums: &[Option<Sum>],
    defined: Sums,
    nodes: &[u32],
) -> Result<(), Fault> {
    let document = judge.document;
    let mine: BTreeSet<u32> = nodes.iter().copied().collect();
    let here = |index: &usize| mine.contains(&document.packets[*index].src);
    let parts: BTreeSet<u32> = (0..sums.len()).filter(here).filter_map(|i| Some(sums[i].as_ref()?.part)).collect();
    if parts.is_empty() || !parts.iter().copied().eq(0..parts.len() as u32) {
        return Err(Fault::Malformed { what: "the parts of the contributions are not 0, 1, 2, …".into() });
    }
    // packets that end there: by part and node
    let mut there: BTreeMap<(u32, u32), Vec<usize>> = BTreeMap::new();
    for index in (0..sums.len()).filter(here) {
        let Some(sum) = &sums[index] else { continue };
        let packet = &document.packets[index];
        let ends: BTreeSet<u32> = packet.dsts.iter().copied().chain([packet.src]).collect();
        for node in ends {
            there.entry((sum.part, node)).or_default().push(index);
        }
    }
    let root = document.collective["root"].as_u64().unwrap_or(0) as usize;
    if defined.part_a_node && parts.len() != nodes.len() {
        return Err(Fault::Malformed { what: format!("{} parts for {} nodes", parts.len(), nodes.len()) });
    }
    for &part in &parts {
        for (rank, &node) in nodes.iter().enumerate() {
            if !(defined.owed)(Owed { rank, part: part as usize, root }) {
                continue;
            }
            let wanted = if order.prefix { &nodes[..=rank] } else { nodes };
            let candidates = there.get(&(part, node)).map_or(&[][..], Vec::as_slice);
            let is = |&&index: &&usize| {
                let arrived = places.since(index as u32, node).is_some();
                arrived && sums[index].as_ref().is_some_and(|sum| sum.first && sum.count == wanted.len())
            };
            if candidates.iter().find(is).is_none() {
                let sums = contributions(judge, places, order, candidates)?;
                let nearest = nearest(judge, &sums, candidates, wanted);
                return Err(Fault::Result { node: judge.name(node), part, nearest });
            }
        }
    }
    Ok(())
}

/// Fault of the packet that comes nearest to the result.
fn nearest(judge: &Judge<'_>, sums: &[Option<Sum>], candidates: &[usize], wanted: &[u32]) -> String {
    let wanted: BTreeSet<u32> = wanted.iter().copied().collect();
    let nodes = |index: usize| sums[index].as_ref().and_then(|sum| sum.nodes.as_ref());
    // the first node that is not there, and the first that should not be
    let lacks =
        |index: usize| wanted.iter().copied().filter(move |&node| nodes(index).is_some_and(|set| !set.has(node)));
    let more = |index: usize| nodes(index).into_iter().flat_map(Nodes::iter).filter(|node| !wanted.contains(node));
    let distance = |index: usize| {
        let sum = sums[index].as_ref()?;
        Some((lacks(index).count() + more(index).count(), sum.twice, index))
    };
    let Some((_, twice, index)) = candidates.iter().filter_map(|&index| distance(index)).min() else {
        return "no packet of it is there".into();
    };
    let id = judge.document.packets[index].id;
    match (lacks(index).next(), more(index).next()) {
        (Some(node), _) => format!("packet {id} there lacks {}", judge.name(node)),
        (None, Some(node)) => format!("packet {id} there should lack {}", judge.name(node)),
        (None, None) if twice => format!("packet {id} there has a contribution twice"),
        (None, None) => format!("packet {id} does not get there"),
    }
}
