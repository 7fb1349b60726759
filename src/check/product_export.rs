//! Writes a product in full, in the exchange form `metronoc-schedule/1`: a packet for each value that leaves its router, `after` those
//! that it is a sum of. Times and channels are those of [`export`](super::export).

use super::error::CheckError;
use super::export::{ChannelNumbers, Head, Stream, refuse, write};
use super::product::CheckedProduct;
use crate::id::NodeId;
use crate::schedule::product::{Stage, Term};
use crate::topology::Topology;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::Write;

#[derive(Serialize)]
struct PacketEntry<'a> {
    id: u32,
    src: u32,
    dsts: &'a [u32],
    #[serde(skip_serializing_if = "<[u32]>::is_empty")]
    after: &'a [u32],
}

/// Writes `checked` in full. `network` and `collective` are the tables of the specification, defaults filled in.
///
/// # Errors
/// [`CheckError::ExportTooLarge`] above [`TRANSFER_LIMIT`](super::export::TRANSFER_LIMIT) transfers unless `force`; [`CheckError::Write`] if the writer fails.
pub fn export(
    checked: &CheckedProduct,
    network: &Value,
    collective: &Value,
    force: bool,
    writer: impl Write,
) -> Result<(), CheckError> {
    let (net, schedule, proof) = (checked.network(), checked.schedule(), checked.proof());
    refuse(proof.claims, proof.sends, force)?;
    let numbers = ChannelNumbers::new(&net);
    let first = checked.claims().iter().map(|c| c.cycle).min().unwrap_or(0);
    let mut transfers: Vec<(u32, u32, u32)> = checked
        .claims()
        .iter()
        .filter_map(|c| {
            let channel = net.channel_id(c.node, c.port as usize);
            Some((c.cycle - first, numbers.number(channel.index())?, c.send))
        })
        .collect();
    transfers.sort_unstable();
    let waits = waits(checked);
    let mut ends = vec![Vec::new(); schedule.sends.len()];
    for arrival in checked.arrivals() {
        if arrival.node != schedule.sends[arrival.send as usize].node {
            ends[arrival.send as usize].push(arrival.node.get());
        }
    }
    let packets = Stream(|| {
        let all = (0..).zip(&schedule.sends).zip(ends.iter().zip(&waits));
        let leaves = all.filter(|(_, (dsts, _))| !dsts.is_empty());
        leaves.map(|((id, send), (dsts, after))| PacketEntry { id, src: send.node.get(), dsts, after })
    });
    let (tables, cycles) = ([network, collective], transfers.last().map_or(0, |t| t.0 + 1));
    let head = Head { net: &net, hop: schedule.hop, tables, waits: false, cycles };
    write(&head, packets, &transfers, writer)
}

/// By send, the packets that must have come before: those that its value is a sum of. A value that a router kept for itself
/// stands for what it is a sum of.
fn waits(checked: &CheckedProduct) -> Vec<Vec<u32>> {
    let schedule = checked.schedule();
    // what has come to a router, by router, stage, vector and element; an operand counts for every element
    let mut came: BTreeMap<(NodeId, Term), Vec<u32>> = BTreeMap::new();
    for arrival in checked.arrivals() {
        let Term { stage, vector, element } = schedule.sends[arrival.send as usize].term;
        let element = if stage == Stage::Operand { 0 } else { element };
        came.entry((arrival.node, Term { stage, vector, element })).or_default().push(arrival.send);
    }
    let terms = |send: u32| {
        let send = &schedule.sends[send as usize];
        let Term { stage, vector, element } = send.term;
        let before = match stage {
            Stage::Operand => return &[][..],
            Stage::Product => Term { stage: Stage::Operand, vector, element: 0 },
            Stage::Sum => Term { stage: Stage::Product, vector, element },
            Stage::Result | Stage::Returned => Term { stage: Stage::Sum, vector, element },
        };
        came.get(&(send.node, before)).map_or(&[][..], Vec::as_slice)
    };
    let all = (0..schedule.sends.len() as u32).map(|send| {
        let node = schedule.sends[send as usize].node;
        let mut open = terms(send).to_vec();
        let mut packets = Vec::new();
        while let Some(term) = open.pop() {
            match schedule.sends[term as usize].node == node {
                true => open.extend(terms(term)),
                false => packets.push(term),
            }
        }
        packets.sort_unstable();
        packets.dedup();
        packets
    });
    all.collect()
}
