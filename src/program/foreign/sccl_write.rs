//! Algorithms of SCCL, written: a step of one round for each cycle, and an address for each packet or part of a sum.

use super::refusal::{ELSE, Refusal, kind, parts, plain_hops, sum_ends};
use crate::program::{Document, Packet};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Names of a collective: of its class, and at run time.
fn names(kind: &str) -> (&str, &str) {
    match kind {
        "all-gather" => ("Allgather", "allgather"),
        "all-to-all" => ("Alltoall", "alltoall"),
        "all-reduce" => ("Allreduce", "allreduce"),
        "reduce-scatter" => ("ReduceScatter", "reduce_scatter"),
        "broadcast" => ("Broadcast", "custom"),
        "reduce" => ("Reduce", "custom"),
        "gather" => ("Gather", "custom"),
        "scatter" => ("Scatter", "custom"),
        _ => ("Custom", "custom"),
    }
}

/// Chunks, and the address of each packet.
struct Chunks {
    all: Vec<Value>,
    address: HashMap<u64, u32>,
}

fn chunk(from: u32, to: &BTreeSet<u32>, address: u32) -> Value {
    json!({ "msccl_type": "chunk", "pre": [from], "post": to, "addr": address })
}

/// Chunks of words: one for each packet, those of one destination in the order of destinations, then of sources. In an all-to-all each
/// rank also has a chunk for itself.
fn words(document: &Document) -> Chunks {
    let single = document.packets.iter().all(|packet| packet.dsts.len() == 1);
    let keeps = matches!(kind(document), "all-gather" | "broadcast");
    let word = |Packet { id, src, dsts, .. }: &Packet| {
        let to: BTreeSet<u32> = dsts.iter().copied().chain(keeps.then_some(*src)).collect();
        (single.then(|| dsts[0]), *src, to, Some(*id))
    };
    let mut all: Vec<_> = document.packets.iter().map(word).collect();
    if kind(document) == "all-to-all" {
        let own = |rank: u32| (Some(rank), rank, BTreeSet::from([rank]), None);
        let has: BTreeSet<u32> = all.iter().filter(|word| word.0 == Some(word.1)).map(|word| word.1).collect();
        all.extend((0..document.nodes.len() as u32).filter(|rank| !has.contains(rank)).map(own));
    }
    all.sort();
    let address = (0..).zip(&all).filter_map(|(address, word)| Some((word.3?, address))).collect();
    let all = (0..).zip(&all).map(|(address, (_, from, to, _))| chunk(*from, to, address)).collect();
    Chunks { all, address }
}

/// Chunks of sums: one address for each part, with a word of each node.
fn sums(document: &Document) -> Result<Chunks, Refusal> {
    let address = parts(document)?;
    let made: BTreeSet<u64> = document.ops.iter().flatten().map(|op| op.packet).collect();
    let mut words: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
    for packet in document.packets.iter().filter(|packet| !made.contains(&packet.id)) {
        words.entry(packet.part).or_default().insert(packet.src);
    }
    let mut all = Vec::new();
    for (&part, from) in &words {
        let ends = sum_ends(document, part)
            .ok_or_else(|| Refusal::new(format!("sums of `{}` have no form", kind(document)), ELSE))?;
        let to = ends.into_iter().collect();
        all.extend(from.iter().map(|&from| chunk(from, &to, part)));
    }
    Ok(Chunks { all, address })
}

/// The text of a schedule.
pub(super) fn text(document: &Document) -> Result<String, Refusal> {
    plain_hops(document, true)?;
    let nodes = document.nodes.len();
    let chunks = match document.ops {
        Some(_) => sums(document)?,
        None => words(document),
    };
    let mut steps: Vec<Vec<(u32, u32, u32)>> = vec![Vec::new(); document.cycles as usize];
    for &(cycle, channel, packet) in &document.transfers {
        let (from, to) = document.channels[channel as usize];
        if let Some(step) = steps.get_mut(cycle as usize) {
            step.push((chunks.address[&packet], from, to));
        }
    }
    steps.iter_mut().for_each(|step| step.sort_unstable());
    let steps: Vec<Value> =
        steps.iter().map(|sends| json!({ "msccl_type": "step", "rounds": 1, "sends": sends })).collect();
    let mut links = vec![vec![0; nodes]; nodes];
    for &(from, to) in &document.channels {
        links[to as usize][from as usize] += 1;
    }
    let (name, runtime) = names(kind(document));
    let name = format!("{name}(n={nodes})");
    let topology = document.network["topology"].as_str().unwrap_or("graph");
    let (mut input, mut output): (BTreeMap<u32, BTreeSet<u32>>, BTreeMap<u32, BTreeSet<u32>>) = Default::default();
    for chunk in &chunks.all {
        let address = chunk["addr"].as_u64().unwrap_or(0) as u32;
        for (map, key) in [(&mut input, "pre"), (&mut output, "post")] {
            for rank in chunk[key].as_array().into_iter().flatten().filter_map(Value::as_u64) {
                map.entry(rank as u32).or_default().insert(address);
            }
        }
    }
    let algorithm = json!({
        "msccl_type": "algorithm",
        "name": format!("{name}-{topology}-steps={}", steps.len()),
        "instance": {
            "msccl_type": "instance", "steps": steps.len(), "extra_rounds": 0, "chunks": 1,
            "pipeline": document.repeat_every, "extra_memory": null, "allow_exchange": false,
        },
        "input_map": input,
        "output_map": output,
        "steps": steps,
        "collective": {
            "msccl_type": "collective", "name": name, "nodes": nodes, "chunks": chunks.all, "triggers": {},
            "runtime_name": runtime,
        },
        "topology": { "msccl_type": "topology", "name": topology, "switches": [], "links": links },
    });
    Ok(format!("{algorithm}\n"))
}
