//! Writes a schedule in full, in the exchange form `metronoc-schedule/1`, for other people's tools.
//!
//! - Loopbacks are registers inside a router, not channels of the network, and are left out; the other channels are
//!   numbered without gaps, by node and port.
//! - All (KM²)² packets are listed, those from a router to itself too: where d ≠ p they go round over channels, which
//!   nobody else can have in that cycle, and where d = p they only cross the loopback. Packet `src * nodes + dst` leads from
//!   src to dst.
//! - With hops of one cycle, transfers are in hop-cycles and `waiting` is false. With longer hops, transfers are in clock
//!   cycles, each at the cycle in which the packet enters the channel; a reader that knows only hops of one cycle must take
//!   the flight for waiting, so `waiting` is true, and `hop` says how long each class of hops takes.
//! - A message of several words is as many passes of the same transfers, and a repeated collective likewise: one pass is
//!   written.
//!
//! The document is streamed: nothing in it is kept in memory but one router's program.

use super::CheckedSchedule;
use super::error::CheckError;
use super::expand::Expansion;
use crate::schedule::HopLatency;
use crate::topology::{SwappedDragonfly, Topology};
use serde::Serialize;
use serde::ser::Serializer;
use serde_json::Value;
use std::io::{BufWriter, Write};

/// The most transfers that [`export`] writes unless it is forced: about 5 GB.
pub const TRANSFER_LIMIT: u64 = 200_000_000;

/// A sequence that is made while it is written.
pub(super) struct Stream<F>(pub F);

impl<F, I> Serialize for Stream<F>
where
    F: Fn() -> I,
    I: Iterator,
    I::Item: Serialize,
{
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq((self.0)())
    }
}

/// The document's head.
pub(super) struct Head<'a> {
    pub net: &'a SwappedDragonfly,
    pub hop: HopLatency,
    /// The tables of the specification, defaults filled in.
    pub tables: [&'a Value; 2],
    /// Whether a packet waits in a router; long hops count as waiting anyhow.
    pub waits: bool,
    pub cycles: u32,
}

#[derive(Serialize)]
pub(super) struct Hop {
    local: u32,
    global: u32,
}

#[derive(Serialize)]
pub(super) struct Document<'a, N, C, P, T> {
    pub format: &'static str,
    pub network: &'a Value,
    pub collective: &'a Value,
    pub switching: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hop: Option<Hop>,
    pub nodes: N,
    pub channels: C,
    pub packets: P,
    pub transfers: T,
    pub waiting: bool,
    pub cycles: u32,
}

/// Refuses more than [`TRANSFER_LIMIT`] transfers, unless it is forced.
///
/// # Errors
/// [`CheckError::ExportTooLarge`].
pub(super) fn refuse(transfers: u64, packets: u64, force: bool) -> Result<(), CheckError> {
    match transfers > TRANSFER_LIMIT && !force {
        true => Err(CheckError::ExportTooLarge { transfers, packets, limit: TRANSFER_LIMIT }),
        false => Ok(()),
    }
}

/// Writes the document.
///
/// # Errors
/// [`CheckError::Write`] if the writer fails.
pub(super) fn write(
    head: &Head<'_>,
    packets: impl Serialize,
    transfers: impl Serialize,
    writer: impl Write,
) -> Result<(), CheckError> {
    let Head { net, hop, tables: [network, collective], waits, cycles } = *head;
    let one_cycle = (hop.local, hop.global) == (1, 1);
    let document = Document {
        format: "metronoc-schedule/1",
        network,
        collective,
        switching: "hop",
        hop: (!one_cycle).then_some(Hop { local: hop.local, global: hop.global }),
        nodes: Stream(|| (0..net.nodes()).map(|n| net.label(n.into()))),
        channels: Stream(|| {
            let all = (0..net.channels()).map(|id| net.channel(id.into()));
            all.filter(|c| !c.is_loopback()).map(|c| (c.src, c.dst))
        }),
        packets,
        transfers,
        waiting: !one_cycle || waits,
        cycles,
    };
    finish(&document, writer)
}

/// Writes a document, and a newline.
///
/// # Errors
/// [`CheckError::Write`] if the writer fails.
pub(super) fn finish(document: &impl Serialize, writer: impl Write) -> Result<(), CheckError> {
    let mut writer = BufWriter::new(writer);
    serde_json::to_writer(&mut writer, document).map_err(std::io::Error::from)?;
    writeln!(writer)?;
    writer.flush()?;
    Ok(())
}

#[derive(Serialize)]
struct PacketEntry {
    id: u64,
    src: u32,
    dsts: [u32; 1],
}

/// Writes `schedule` in full. `network` and `collective` are the tables of the specification, defaults filled in.
///
/// # Errors
/// [`CheckError::ExportTooLarge`] above [`TRANSFER_LIMIT`] transfers unless `force`; [`CheckError::TooLarge`] beyond 2³² packets
/// even then; [`CheckError::Write`] if the writer fails.
pub fn export(
    schedule: &CheckedSchedule,
    network: &Value,
    collective: &Value,
    force: bool,
    writer: impl Write,
) -> Result<(), CheckError> {
    let proof = schedule.proof();
    refuse(proof.transfers, proof.packets, force)?;
    let net = schedule.network();
    let expansion = Expansion::new(schedule.symmetry(), schedule.hop(), schedule.program())?;
    let nodes = net.nodes() as u32;
    let numbers = ChannelNumbers::new(&net);
    let launches = schedule.program().launches();
    let (symmetry, shape) = (schedule.symmetry(), schedule.symmetry().shape());
    let id = |packet: usize| {
        let (src, launch) = (packet / launches.len(), packet % launches.len());
        let dst = symmetry.destination(shape.address(src.into()), launches[launch].vector);
        src as u64 * u64::from(nodes) + u64::from(shape.node(dst).get())
    };
    let packets = Stream(|| {
        (0..nodes).flat_map(|src| {
            let entry =
                move |dst| PacketEntry { id: u64::from(src) * u64::from(nodes) + u64::from(dst), src, dsts: [dst] };
            (0..nodes).map(entry)
        })
    });
    let transfers = Stream(|| {
        let entry = |t: super::transfers::Transfer| {
            let channel = numbers.number(t.channel.index())?;
            Some((t.cycle, channel, id(t.packet.index())))
        };
        expansion.transfers().filter_map(entry)
    });
    let (tables, cycles) = ([network, collective], schedule.cycles());
    let head = Head { net: &net, hop: schedule.hop(), tables, waits: false, cycles };
    write(&head, packets, transfers, writer)
}

/// The positions of channels in the document.
pub(super) struct ChannelNumbers {
    numbers: Vec<Option<u32>>,
}

impl ChannelNumbers {
    pub fn new<T: Topology>(net: &T) -> Self {
        let mut next = 0;
        let number = |id: usize| {
            let real = !net.channel(id.into()).is_loopback();
            next += u32::from(real);
            real.then(|| next - 1)
        };
        Self { numbers: (0..net.channels()).map(number).collect() }
    }

    /// The position of a channel; none for a loopback.
    pub fn number(&self, channel: usize) -> Option<u32> {
        self.numbers[channel]
    }
}
