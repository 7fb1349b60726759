//! Contributions of a packet: the set of nodes whose words are added in it.

use super::fault::Fault;
use super::places::Places;
use super::subject::Judge;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// A set of nodes, a bit each.
type Nodes = Vec<u64>;

/// Contributions in a packet: its part, nodes that are in it, and those among them that are in it more than once.
struct Sum {
    part: u32,
    once: Nodes,
    twice: bool,
}

/// Checks operations, and the result of collectives with arithmetic.
pub(super) fn check(judge: &Judge<'_>, places: &Places) -> Result<(), Fault> {
    if judge.document.ops.is_none() {
        return Ok(());
    }
    let sums = contributions(judge, places)?;
    let kind = judge.document.collective["kind"].as_str().unwrap_or_default();
    if !matches!(kind, "reduce" | "all-reduce" | "reduce-scatter" | "prefix-scan") {
        return Ok(());
    }
    for nodes in networks(judge) {
        results(judge, places, &sums, kind, &nodes)?;
    }
    Ok(())
}

/// Contributions to each packet, by packet.
fn contributions(judge: &Judge<'_>, places: &Places) -> Result<Vec<Option<Sum>>, Fault> {
    let document = judge.document;
    let words = document.nodes.len().div_ceil(64);
    let mut ops: Vec<_> = document.ops.iter().flatten().collect();
    ops.sort_by_key(|op| op.cycle); // stable: in one cycle, in the order in which they are listed
    let mut made = HashMap::with_capacity(ops.len());
    for op in &ops {
        if made.insert(op.packet, ()).is_some() {
            return Err(Fault::Malformed { what: format!("packet {} is made twice", op.packet) });
        }
    }
    let own = |packet: &crate::program::Packet| {
        if made.contains_key(&packet.id) {
            return Ok(None);
        }
        if packet.owner.is_some_and(|owner| owner != packet.src) {
            return Err(Fault::Malformed { what: format!("packet {} is not its source's contribution", packet.id) });
        }
        let mut once = vec![0; words];
        once[packet.src as usize / 64] = 1 << (packet.src % 64);
        Ok(Some(Sum { part: packet.part, once, twice: false }))
    };
    let mut sums: Vec<Option<Sum>> = document.packets.iter().map(own).collect::<Result<_, Fault>>()?;
    for op in ops {
        let wrong = |what: String| {
            let node = document.nodes.get(op.node as usize).map_or(op.node.to_string(), |_| judge.name(op.node));
            Fault::Operation { cycle: op.cycle, packet: op.packet, node, what }
        };
        let out = judge.index.get(&op.packet).copied();
        let out = out.filter(|&out| document.packets[out as usize].src == op.node);
        let out = out.ok_or_else(|| wrong("it is not listed, or has another source".into()))?;
        let mut sum: Option<Sum> = None;
        for &id in &op.inputs {
            let input = judge.index.get(&id).filter(|&&input| places.has(input, op.node, op.cycle));
            let input = input.and_then(|&input| sums[input as usize].as_ref());
            let input = input.ok_or_else(|| wrong(format!("packet {id} is not there by then")))?;
            match &mut sum {
                None => sum = Some(Sum { part: input.part, once: input.once.clone(), twice: input.twice }),
                Some(sum) if sum.part != input.part => {
                    return Err(wrong(format!(
                        "packet {id} is of part {} and others of part {}",
                        input.part, sum.part
                    )));
                }
                Some(sum) => {
                    sum.twice |= input.twice || sum.once.iter().zip(&input.once).any(|(a, b)| a & b != 0);
                    sum.once.iter_mut().zip(&input.once).for_each(|(a, b)| *a |= b);
                }
            }
        }
        sums[out as usize] = Some(sum.ok_or_else(|| wrong("of nothing".into()))?);
    }
    Ok(sums)
}

/// The nodes that take part, in the collective's order: those of each embedded network, else all.
fn networks(judge: &Judge<'_>) -> Vec<Vec<u32>> {
    let Some(embedded) = judge.document.network["embed"].as_array().filter(|embedded| !embedded.is_empty()) else {
        return vec![judge.terminals()];
    };
    let labels: HashMap<[u64; 3], u32> = (0..)
        .zip(&judge.document.nodes)
        .filter_map(|(node, label)| Some(([label.0[0].as_u64()?, label.0[1].as_u64()?, label.0[2].as_u64()?], node)))
        .collect();
    let list = |value: &serde_json::Value| -> Vec<u64> {
        value.as_array().into_iter().flatten().filter_map(serde_json::Value::as_u64).collect()
    };
    let nodes = |network: &serde_json::Value| {
        let (cabinets, places) = (list(&network["c"]), list(&network["dp"]));
        let all = cabinets.iter().flat_map(|&c| places.iter().map(move |&d| (c, d)));
        let all = all.flat_map(|(c, d)| places.iter().map(move |&p| [c, d, p]));
        all.filter_map(|label| labels.get(&label).copied()).collect()
    };
    embedded.iter().map(nodes).collect()
}

/// Checks the result at every node of a network.
fn results(judge: &Judge<'_>, places: &Places, sums: &[Option<Sum>], kind: &str, nodes: &[u32]) -> Result<(), Fault> {
    let document = judge.document;
    let words = document.nodes.len().div_ceil(64);
    let mine: BTreeSet<u32> = nodes.iter().copied().collect();
    let here = |index: &usize| mine.contains(&document.packets[*index].src);
    let parts: BTreeSet<u32> = (0..sums.len()).filter(here).filter_map(|i| Some(sums[i].as_ref()?.part)).collect();
    if parts.is_empty() || !parts.iter().copied().eq(0..parts.len() as u32) {
        return Err(Fault::Malformed { what: "the parts of the contributions are not 0, 1, 2, …".into() });
    }
    let set = |nodes: &[u32]| {
        let mut set = vec![0_u64; words];
        nodes.iter().for_each(|&node| set[node as usize / 64] |= 1 << (node % 64));
        set
    };
    // packets without repetition that are where: by part and node
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
    let all = set(nodes);
    if kind == "reduce-scatter" && parts.len() != nodes.len() {
        return Err(Fault::Malformed { what: format!("{} parts for {} nodes", parts.len(), nodes.len()) });
    }
    for &part in &parts {
        for (rank, &node) in nodes.iter().enumerate() {
            let owed = match kind {
                "reduce" => rank == root,
                "reduce-scatter" => rank == part as usize,
                _ => true,
            };
            if !owed {
                continue;
            }
            let wanted = if kind == "prefix-scan" { set(&nodes[..=rank]) } else { all.clone() };
            let candidates = there.get(&(part, node)).map_or(&[][..], Vec::as_slice);
            let is = |&&index: &&usize| {
                let arrived = places.since(index as u32, node).is_some();
                arrived && sums[index].as_ref().is_some_and(|sum| !sum.twice && sum.once == wanted)
            };
            if candidates.iter().find(is).is_none() {
                let nearest = nearest(judge, sums, candidates, &wanted);
                return Err(Fault::Result { node: judge.name(node), part, nearest });
            }
        }
    }
    Ok(())
}

/// Fault of the packet that comes nearest to the result.
fn nearest(judge: &Judge<'_>, sums: &[Option<Sum>], candidates: &[usize], wanted: &[u64]) -> String {
    let distance = |index: usize| {
        let sum = sums[index].as_ref()?;
        let bits: u32 = sum.once.iter().zip(wanted).map(|(a, b)| (a ^ b).count_ones()).sum();
        Some((bits, sum.twice, index))
    };
    let Some((_, twice, index)) = candidates.iter().filter_map(|&index| distance(index)).min() else {
        return "no packet of it is there".into();
    };
    let first = |of: &dyn Fn(u64, u64) -> u64| {
        let once = sums[index].as_ref().map_or(&[][..], |sum| &sum.once);
        let word = once.iter().zip(wanted).map(|(&a, &b)| of(a, b)).enumerate().find(|(_, bits)| *bits != 0);
        word.map(|(word, bits)| judge.name(word as u32 * 64 + bits.trailing_zeros()))
    };
    let id = judge.document.packets[index].id;
    match (first(&|a, b| b & !a), first(&|a, b| a & !b)) {
        (Some(node), _) => format!("packet {id} there lacks {node}"),
        (None, Some(node)) => format!("packet {id} there should lack {node}"),
        (None, None) if twice => format!("packet {id} there has a contribution twice"),
        (None, None) => format!("packet {id} does not get there"),
    }
}
