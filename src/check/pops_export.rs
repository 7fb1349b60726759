//! Writes a schedule on POPS in full, in the exchange form `metronoc-schedule/1`: nodes are the processors `["p",i]` and the couplers
//! `["c",b,a]`, and a hop is a transfer from processor to coupler and one from coupler to processor, in the same slot. A
//! cycle is a slot. What the form has no name for is written as its packets: to one as an h-relation, one to all as a
//! broadcast.

use super::error::CheckError;
use super::export::{Document, Stream, finish, refuse};
use super::pops::CheckedPops;
use crate::collective::{Goal, Relation};
use serde::Serialize;
use serde_json::{Value, json};
use std::io::Write;

#[derive(Serialize)]
struct PacketEntry {
    id: u32,
    src: u32,
    dsts: Vec<u32>,
}

/// Writes `schedule` in full. `network` and `collective` are the tables of the specification, defaults filled in.
///
/// # Errors
/// [`CheckError::ExportTooLarge`] above [`TRANSFER_LIMIT`](super::export::TRANSFER_LIMIT) transfers and channels unless `force`;
/// [`CheckError::Write`] if the writer fails.
pub fn export(
    schedule: &CheckedPops,
    network: &Value,
    collective: &Value,
    force: bool,
    writer: impl Write,
) -> Result<(), CheckError> {
    let (net, made) = (schedule.network(), schedule.schedule());
    let (n, g) = (u64::from(net.processors()), u64::from(net.g()));
    let hops = made.hops.len() as u64;
    refuse(2 * hops + 2 * n * g, made.packets.len() as u64, force)?;
    let group = |processor: u32| u64::from(net.group(processor));
    let mut transfers: Vec<(u32, u64, u32)> = Vec::with_capacity(2 * made.hops.len());
    for hop in &made.hops {
        transfers.push((hop.slot, u64::from(hop.from) * g + group(hop.to), hop.packet));
        transfers.push((hop.slot, n * g + u64::from(hop.to) * g + group(hop.from), hop.packet));
    }
    transfers.sort_unstable();
    transfers.dedup(); // a sending that several processors read
    let labels = || {
        let processors = (0..n).map(|i| json!(["p", i]));
        processors.chain((0..g).flat_map(move |b| (0..g).map(move |a| json!(["c", b, a]))))
    };
    let d = u64::from(net.d());
    let channels = || {
        let up = (0..n).flat_map(move |i| (0..g).map(move |b| (i, n + b * g + i / d)));
        let down = (0..n).flat_map(move |i| (0..g).map(move |a| (n + i / d * g + a, i)));
        up.chain(down)
    };
    let packets = || {
        (0..).zip(&made.packets).map(move |(id, packet)| PacketEntry {
            id,
            src: packet.src,
            dsts: match packet.goal {
                Goal::One(to) => vec![to],
                Goal::All => (0..net.processors()).filter(|&to| to != packet.src).collect(),
            },
        })
    };
    let document = Document {
        format: "metronoc-schedule/1",
        network,
        collective: &traffic(schedule, collective),
        switching: "circuit",
        hop: None,
        nodes: Stream(labels),
        channels: Stream(channels),
        packets: Stream(packets),
        transfers: &transfers,
        waiting: true,
        cycles: made.slots,
    };
    finish(&document, writer)
}

/// The collective's table, with its packets.
fn traffic(schedule: &CheckedPops, table: &Value) -> Value {
    let demands = || {
        let pair = |packet: &crate::collective::Packet| match packet.goal {
            Goal::One(to) => json!([packet.src, to]),
            Goal::All => Value::Null,
        };
        schedule.schedule().packets.iter().map(pair).collect::<Vec<_>>()
    };
    let mut table = table.clone();
    match schedule.relation() {
        Relation::Permutation(permutation) => table["permutation"] = json!(permutation),
        Relation::Demands(_) => table["demands"] = json!(demands()),
        Relation::OneToAll(root) => return json!({ "kind": "broadcast", "root": root.root, "count": 1, "as": table }),
        Relation::Gather(_) => return json!({ "kind": "h-relation", "demands": demands(), "as": table }),
        Relation::AllToAll | Relation::Scatter(_) => {}
    }
    table
}
