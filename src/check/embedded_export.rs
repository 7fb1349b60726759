//! Says a schedule in full, in the exchange form `metronoc-schedule/1`, of the host in which it runs.
//!
//! The form of the guest's schedule, whatever the collective, is read and written again with the host's routers and
//! channels, once for every network. The traffic is written as an h-relation from the collective's definition where the
//! guest's is one of the whole network: all-to-all, and broadcast.

use super::embedding::CheckedEmbedding;
use super::error::CheckError;
use super::export::{ChannelNumbers, Head, Stream, write};
use crate::id::NodeId;
use crate::schedule::HopLatency;
use crate::spec::CollectiveSpec;
use crate::topology::{Placement, Topology};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::io::{self, Write};

/// The most transfers that are written again unless it is forced: about 1 GB of memory.
const TRANSFER_LIMIT: u64 = 20_000_000;

/// What is read of the guest's document.
#[derive(Deserialize)]
struct Guest {
    #[serde(default)]
    hop: Option<GuestHop>,
    packets: Vec<Packet>,
    transfers: Vec<(u32, u32, u64)>,
    waiting: bool,
    cycles: u32,
}

#[derive(Deserialize)]
struct GuestHop {
    local: u32,
    global: u32,
}

#[derive(Serialize, Deserialize)]
struct Packet {
    id: u64,
    src: u32,
    dsts: Vec<u32>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    after: Vec<u64>,
}

/// Writes the schedule that `guest` writes, in terms of the host. `network` and `collective` are the tables of the
/// specification, defaults filled in.
///
/// # Errors
/// What `guest` fails with; [`CheckError::ExportTooLarge`] above 20 million transfers unless `force`;
/// [`CheckError::Write`] if the writer fails.
pub fn export(
    embedding: &CheckedEmbedding,
    network: &Value,
    collective: (&CollectiveSpec, &Value),
    force: bool,
    guest: impl FnOnce(&mut dyn Write) -> Result<(), CheckError>,
    writer: impl Write,
) -> Result<(), CheckError> {
    let mut text = Vec::new();
    guest(&mut text)?;
    let guest: Guest = serde_json::from_slice(&text).map_err(io::Error::from)?;
    drop(text);
    let (host, networks) = (embedding.host(), embedding.embeddings());
    let count = guest.transfers.len() as u64 * networks.len() as u64;
    if count > TRANSFER_LIMIT && !force {
        let packets = guest.packets.len() as u64 * networks.len() as u64;
        return Err(CheckError::ExportTooLarge { transfers: count, packets, limit: TRANSFER_LIMIT });
    }
    // the guest's channels by their numbers in its document
    let inner = embedding.guest();
    let channels: Vec<usize> = (0..inner.channels()).filter(|&id| !inner.channel(id.into()).is_loopback()).collect();
    let numbers = ChannelNumbers::new(&host);
    let stride = guest.packets.iter().map(|packet| packet.id + 1).max().unwrap_or(0);
    let mut transfers: Vec<(u32, u32, u64)> = Vec::with_capacity(count as usize);
    for (first, network) in (0..).step_by(stride.max(1) as usize).zip(networks) {
        for &(cycle, channel, packet) in &guest.transfers {
            let outer = channels.get(channel as usize).map(|&id| network.channel(id.into()));
            let channel = outer.and_then(|id| numbers.number(id.index()));
            let channel = channel.ok_or_else(|| io::Error::other("a loopback is no channel of the network"))?;
            transfers.push((cycle, channel, first + packet));
        }
    }
    transfers.sort_unstable();
    let packets = || {
        (0..).step_by(stride.max(1) as usize).zip(networks).flat_map(|(first, network)| {
            let node = |node: u32| network.node(NodeId::new(node)).get();
            guest.packets.iter().map(move |packet| Packet {
                id: first + packet.id,
                src: node(packet.src),
                dsts: packet.dsts.iter().map(|&dst| node(dst)).collect(),
                after: packet.after.iter().map(|id| first + id).collect(),
            })
        })
    };
    let collective = traffic(embedding, collective);
    let hop =
        guest.hop.map_or(HopLatency { local: 1, global: 1 }, |hop| HopLatency { local: hop.local, global: hop.global });
    let head = Head { net: &host, hop, tables: [network, &collective], waits: guest.waiting, cycles: guest.cycles };
    write(&head, Stream(packets), Stream(|| transfers.iter()), writer)
}

/// The collective's table, as an h-relation on the host where the host as a whole would be meant.
fn traffic(embedding: &CheckedEmbedding, (spec, table): (&CollectiveSpec, &Value)) -> Value {
    let nodes = embedding.guest().nodes() as u32;
    let pairs: Vec<(u32, u32)> = match spec {
        CollectiveSpec::AllToAll(_) => (0..nodes).flat_map(|src| (0..nodes).map(move |dst| (src, dst))).collect(),
        CollectiveSpec::Broadcast(c) => {
            let others = (0..nodes).filter(|&dst| dst != c.root);
            others.flat_map(|dst| std::iter::repeat_n((c.root, dst), c.count as usize)).collect()
        }
        _ => return table.clone(),
    };
    let demands = embedding.embeddings().iter().flat_map(|network| {
        let node = |node: u32| network.node(NodeId::new(node)).get();
        pairs.iter().map(move |&(src, dst)| (node(src), node(dst)))
    });
    json!({ "kind": "h-relation", "demands": demands.collect::<Vec<_>>(), "embedded": table })
}
