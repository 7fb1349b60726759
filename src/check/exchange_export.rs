//! Writes a program of exchanges in full, in the exchange form `metronoc-schedule/1`: a packet for every router, word and packet of a
//! step, which leaves after all packets of the step before that bring the router the same word. Times and channels are those of
//! [`export`](super::export); `waiting` is true if packets stay in a router for a hop.

use super::error::CheckError;
use super::exchange::{CheckedExchange, ExchangeError};
use super::exchange_walk;
use super::export::{ChannelNumbers, Head, Stream, refuse, write};
use crate::id::NodeId;
use crate::topology::Topology;
use serde::Serialize;
use serde_json::Value;
use std::io::Write;

#[derive(Serialize)]
struct PacketEntry {
    id: u64,
    src: u32,
    dsts: [u32; 1],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    after: Vec<u64>,
}

/// Writes `schedule` in full. `network` and `collective` are the tables of the specification, defaults filled in.
///
/// # Errors
/// [`CheckError::ExportTooLarge`] above [`TRANSFER_LIMIT`](super::export::TRANSFER_LIMIT) transfers unless `force`; [`CheckError::Write`] if the writer fails.
pub fn export(
    schedule: &CheckedExchange,
    network: &Value,
    collective: &Value,
    force: bool,
    writer: impl Write,
) -> Result<(), CheckError> {
    let (net, program, proof) = (schedule.network(), schedule.program(), schedule.proof());
    let nodes = net.nodes() as u64;
    let words = u64::from(program.words);
    // The first packet of each step, counted in packets of a router and word.
    let firsts: Vec<u64> = program
        .steps
        .iter()
        .scan(0, |next, step| {
            let first = *next;
            *next += step.sends.len() as u64;
            Some(first)
        })
        .collect();
    let count: u64 = program.steps.iter().map(|step| step.sends.len() as u64).sum();
    refuse(proof.claims * nodes, count * words * nodes, force)?;
    let id = |packet: u64, word: u64, router: u64| (packet * words + word) * nodes + router;
    // Where the packet of each router ends, and whose packet ends at each router, by packet.
    let (mut ends, mut sources) = (Vec::new(), Vec::new());
    let numbers = ChannelNumbers::new(&net);
    let mut transfers: Vec<(u32, u32, u64)> = Vec::new();
    let packets = program.steps.iter().enumerate().flat_map(|step| step.1.sends.iter().map(move |send| (step, send)));
    for (packet, ((number, step), send)) in (0..).zip(packets) {
        let show = |h: exchange_walk::Hop| {
            let crosses = |at: &NodeId| match h.port < net.ports() {
                true => numbers.number(net.channel_id(*at, h.port).index()),
                false => None,
            };
            for (router, at) in (0..).zip(h.at) {
                let Some(channel) = crosses(at) else { continue };
                let cycle = |word| step.start + h.offset + step.train.start(word);
                let entry = |word: u32| (cycle(word), channel, id(packet, word.into(), router));
                transfers.extend((0..program.words).map(entry));
            }
        };
        let walk = exchange_walk::walk(&net, schedule.hop(), &send.way, show);
        let walk = walk.map_err(|hop| ExchangeError::NotAlike { step: number, hop })?;
        let mut from = vec![NodeId::new(0); net.nodes()];
        for (router, end) in (0..).zip(&walk.ends) {
            from[end.index()] = NodeId::new(router);
        }
        ends.push(walk.ends);
        sources.push(from);
    }
    transfers.sort_unstable();
    let first = transfers.first().map_or(0, |t| t.0);
    transfers.iter_mut().for_each(|t| t.0 -= first);
    let (firsts, ends, sources) = (&firsts, &ends, &sources);
    let entry = |step: usize, packet: u64, word: u64, router: u64| {
        let before = step.checked_sub(1).map_or(0..0, |before| firsts[before]..firsts[step]);
        let after = before.map(|p| id(p, word, sources[p as usize][router as usize].get().into())).collect();
        PacketEntry {
            id: id(packet, word, router),
            src: router as u32,
            dsts: [ends[packet as usize][router as usize].get()],
            after,
        }
    };
    let packets = Stream(|| {
        let of = |step: usize| firsts[step]..firsts[step] + program.steps[step].sends.len() as u64;
        let packets = (0..program.steps.len()).flat_map(move |step| of(step).map(move |packet| (step, packet)));
        packets.flat_map(move |(step, packet)| {
            let each = move |word| (0..nodes).map(move |router| entry(step, packet, word, router));
            (0..words).flat_map(each)
        })
    });
    let (tables, cycles) = ([network, collective], transfers.last().map_or(0, |t| t.0 + 1));
    let head = Head { net: &net, hop: schedule.hop(), tables, waits: proof.stays > 0, cycles };
    write(&head, packets, &transfers, writer)
}
