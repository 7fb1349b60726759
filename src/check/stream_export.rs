//! Writes a stream in full, in the exchange form `metronoc-schedule/1`: one packet a word, with all routers but the source as its
//! destinations. Times and channels are those of [`export`](super::export); `waiting` is true if packets stay in a router for a hop.

use super::error::CheckError;
use super::export::{ChannelNumbers, Head, Stream, refuse, write};
use super::stream::CheckedStream;
use crate::topology::Topology;
use serde::Serialize;
use serde_json::Value;
use std::io::Write;

#[derive(Serialize)]
struct PacketEntry<'a> {
    id: u32,
    src: u32,
    dsts: &'a [u32],
}

/// Writes `schedule` in full. `network` and `collective` are the tables of the specification, defaults filled in.
///
/// # Errors
/// [`CheckError::ExportTooLarge`] above [`TRANSFER_LIMIT`](super::export::TRANSFER_LIMIT) transfers unless `force`; [`CheckError::Write`] if the writer fails.
pub fn export(
    schedule: &CheckedStream,
    network: &Value,
    collective: &Value,
    force: bool,
    writer: impl Write,
) -> Result<(), CheckError> {
    let (net, program, proof) = (schedule.network(), schedule.program(), schedule.proof());
    refuse(proof.claims * u64::from(proof.batches), proof.words, force)?;
    let numbers = ChannelNumbers::new(&net);
    let crossings = schedule.crossings().iter().filter(|c| (c.crossing.port as usize) < net.ports());
    let crossings: Vec<(u32, u32, u32)> = crossings
        .filter_map(|c| {
            let channel = net.channel_id(c.crossing.node, c.crossing.port as usize);
            Some((c.crossing.cycle, numbers.number(channel.index())?, c.lane))
        })
        .collect();
    let first = crossings.iter().map(|c| c.0).min().unwrap_or(0);
    let mut transfers: Vec<(u32, u32, u32)> = (0..program.batches())
        .flat_map(|batch| {
            let start = program.train.start(batch);
            let there = crossings.iter().filter(move |c| batch < program.batches_of(c.2));
            there.map(move |&(cycle, channel, lane)| (start + cycle - first, channel, batch * program.lanes + lane))
        })
        .collect();
    transfers.sort_unstable();
    let others: Vec<u32> = (0..net.nodes() as u32).filter(|&node| node != program.root.get()).collect();
    let packets = Stream(|| (0..program.count).map(|id| PacketEntry { id, src: program.root.get(), dsts: &others }));
    let (tables, cycles) = ([network, collective], transfers.last().map_or(0, |t| t.0 + 1));
    let head =
        Head { net: &net, hop: schedule.hop(), tables, waits: proof.stays > 0 || schedule.software() > 0, cycles };
    write(&head, packets, &transfers, writer)
}
