//! Lowering of streams: the constants of every router's ports, and the slot table of the batches.

use super::Frame;
use super::error::SwappedDragonflyError;
use super::flit::{self, Inexpressible};
use super::header_form::HeaderForm;
use crate::check::swapped_dragonfly::CheckedStream;
use crate::id::NodeId;
use crate::lower::LowerError;
use crate::lower::bits::BitRow;
use crate::lower::bits::field;
use crate::lower::error::stored;
use crate::lower::read_back::{Delays, Programmed, ReadBack};
use crate::program::Program;
use crate::program::form::swapped_dragonfly::stream::StreamProgram;
use crate::spec::{Spec, Storage};

/// Cycles from a beat of the program to a word without offset at the crossbar.
pub const SEND_CYCLES: u32 = 2;
/// The most taps of a beat: eight bits name one.
const MAX_TAPS: u32 = 255;
/// The most lanes: as for taps.
const MAX_LANES: u32 = 255;

/// The most lanes that a port may receive.
pub const MAX_SLOTS: usize = 2;

/// Program of a port for the stream of one lane.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PortProgram {
    /// Lane of the port's words, from 0.
    pub lane: u32,
    /// Cycles from the beat to the row of the port.
    pub tap: u32,
    /// True if the last batch has no word for the port.
    pub short: bool,
    /// Header bits that the port sends before the word; empty for a port that receives.
    pub header: BitRow,
}

/// Ports of a router, local ports first: the packets that each sends and receives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TileProgram {
    /// Sends, by port; None for a port that sends nothing.
    pub sends: Vec<Option<PortProgram>>,
    /// Receives, by port: at most [`MAX_SLOTS`] lanes each.
    pub receives: Vec<Vec<PortProgram>>,
}

/// A stream in the terms of hardware.
#[derive(Debug, Clone)]
pub struct StreamLowered {
    /// Sizes and widths.
    pub frame: Frame,
    /// The name of the schedule's algorithm.
    pub algorithm: String,
    /// Storage of the slot table.
    pub storage: Storage,
    /// Program of the stream.
    pub program: StreamProgram,
    /// Cycles that an endpoint takes over a packet after each hop; 0 where routers copy.
    pub software: u32,
    /// Every router's ports.
    pub tiles: Vec<TileProgram>,
    /// True if packets stay in routers.
    pub stay: bool,
    /// Taps of the beat.
    pub taps: u32,
    /// Rows of the slot table: cycles from the first batch to the last.
    pub rows: u32,
    /// Cycles from the start of a collective to the earliest start of the next.
    pub pass_cycles: u32,
    /// Program that the slot table and the ports' constants make.
    pub read: ReadBack,
}

impl StreamLowered {
    /// Lanes that some port receives.
    pub fn slots(&self) -> usize {
        self.tiles.iter().flat_map(|tile| tile.receives.iter().map(Vec::len)).max().unwrap_or(0).max(1)
    }

    /// The tile of the router that has the words of a network.
    pub fn root(&self, network: usize) -> usize {
        self.frame.tile(network, self.program.root.index())
    }

    /// Bits of a batch number.
    pub fn batch_bits(&self) -> u32 {
        field(self.program.batches())
    }

    /// The slot table's rows {valid, last, batch}.
    pub(super) fn table(&self) -> Vec<BitRow> {
        let bits = self.batch_bits() as usize;
        let mut rows = vec![BitRow::zero(2 + bits); self.rows as usize];
        for batch in 0..self.program.batches() {
            let row = &mut rows[self.program.train.start(batch) as usize];
            row.set(0, bits, batch);
            row.set(bits, 1, u32::from(batch + 1 == self.program.batches()));
            row.set(bits + 1, 1, 1);
        }
        rows
    }
}

/// Name of the image of a stream's slot table.
pub const IMAGE: &str = "batches";

/// Lowers a checked stream, reads its slot table back, and compares.
///
/// # Errors
/// If the stream has no form of the asked-for kind.
pub fn lower_stream(schedule: &CheckedStream, spec: &Spec) -> Result<StreamLowered, LowerError> {
    stored(spec, "a broadcast", Storage::Ram)?;
    let (network, hop, program) = (schedule.network(), schedule.schedule().hop, &schedule.schedule().program);
    let (k, m) = (network.k(), network.m());
    let software = schedule.schedule().software;
    let header = if software == 0 { HeaderForm::Synchronizing } else { HeaderForm::Carried };
    let frame = Frame::new(network, hop, &spec.router, header)?;
    let ports = (m - 1 + k) as usize;
    let idle = TileProgram { sends: vec![None; ports], receives: vec![Vec::new(); ports] };
    let mut tiles = vec![idle; frame.tiles as usize];

    let short = |lane: u32| program.batches_of(lane) < program.batches();
    let taken =
        |node: NodeId, port: usize| LowerError::from(SwappedDragonflyError::PortTaken { node: node.get(), port });
    for injection in &program.injections {
        let made = flit::flits(&frame, hop.with_software(software), network.address(program.root), injection);
        let header = injection.header.to_string();
        for flit in made.map_err(|Inexpressible| SwappedDragonflyError::Inexpressible { header })? {
            let lane = injection.lane;
            let port = PortProgram { lane, tap: flit.offset, short: short(lane), header: flit.header };
            if tiles[program.root.index()].sends[flit.port].replace(port).is_some() {
                return Err(taken(program.root, flit.port));
            }
        }
    }
    // what comes back to the source is no surprise there, and is dropped
    for c in schedule.crossings().iter().filter(|c| c.crossing.kept) {
        let (node, port) = (c.crossing.to, c.crossing.port as usize);
        let tap = c.crossing.there + SEND_CYCLES;
        let slots = &mut tiles[node.index()].receives[port];
        slots.push(PortProgram { lane: c.lane, tap, short: short(c.lane), header: BitRow::zero(0) });
        slots.sort_by_key(|slot| slot.lane);
        if slots.len() > MAX_SLOTS {
            return Err(taken(node, port));
        }
    }

    let all = tiles.iter().flat_map(|tile| tile.sends.iter().flatten().chain(tile.receives.iter().flatten()));
    let taps = all.map(|port| port.tap + 1).max().unwrap_or(1);
    if taps > MAX_TAPS || program.lanes > MAX_LANES {
        let field = match software > 0 && taps > MAX_TAPS {
            true => "router.software_cycles",
            false => "network.m",
        };
        return Err(SwappedDragonflyError::StreamTooDeep { taps, lanes: program.lanes, limit: MAX_TAPS, field }.into());
    }
    let rows = program.train.start(program.batches() - 1) + 1;
    let lowered = StreamLowered {
        frame,
        algorithm: schedule.schedule().algorithm.to_owned(),
        storage: spec.schedule.storage,
        program: program.clone(),
        software,
        tiles,
        stay: schedule.proof().stays > 0,
        taps,
        rows,
        // the next begins when the last word of this one is in its bank
        pass_cycles: rows + taps + 4,
        read: ReadBack::new(Program::new(hop.switching(&network)), Delays::default(), []),
    };
    let read = lowered.read(&lowered.images())?;
    Ok(StreamLowered { read, ..lowered })
}
