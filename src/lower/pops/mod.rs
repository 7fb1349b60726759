//! Lowering of POPS: a program for every processor, with a row for each slot and buffers for its packets. Rows are
//! added between slots where a packet would be forwarded before it has arrived.

mod decode;
mod error;
mod frame;
mod places;
mod registers;

pub use error::PopsError;
pub use frame::{HOP_CYCLES, PopsFrame};
pub use places::{PopsProgram, PopsRow};

use super::LowerError;
use super::bits::{BitRow, field};
use super::error::stored;
use super::read_back::{Delays, Programmed, ReadBack};
use super::ring::{MAX_PORTS, Ring};
use super::trial::Trial;
use crate::check::pops::CheckedPops;
use crate::collective::Collective;
use crate::collective::pops::Delivery;
use crate::program::{Program, Switching};
use crate::spec::{Spec, Storage};
use places::Places;
use std::collections::BTreeSet;

/// Cycles from the last beat of a collective until its last word is in its place.
pub const TAIL_CYCLES: u32 = 4;
/// The most processors that are built.
pub const MAX_PROCESSORS: u32 = 256;
/// The most rows of a program.
const MAX_ROWS: u32 = 4096;
/// The most packets that a processor has places for.
const MAX_PLACES: u32 = 4096;

/// A schedule on POPS in the terms of hardware.
#[derive(Debug, Clone)]
pub struct PopsLowered {
    /// Sizes and widths.
    pub frame: PopsFrame,
    /// Storage of the programs.
    pub storage: Storage,
    /// The schedule.
    pub schedule: CheckedPops,
    /// A program for each processor.
    pub programs: Vec<PopsProgram>,
    /// Packets that a processor has places for.
    pub places: u32,
    /// Rows of a program for slots, the idle ones included.
    pub rows: u32,
    /// Results that are read out of every processor: as many as the processor with the most has.
    pub results: u32,
    /// The row of each slot; 0 for one without packets.
    pub slot_rows: Vec<u32>,
    /// Packets that are loaded into each processor.
    pub loads: Vec<u32>,
    /// Cycles from the start of a collective to the earliest start of the next.
    pub pass_cycles: u32,
    /// Program that the images make.
    pub read: ReadBack,
}

impl PopsLowered {
    /// Random data of a seed, and their results by the definition.
    pub fn trial(&self, seed: u64) -> Trial {
        let frame = &self.frame;
        let delivery = Delivery::new(self.schedule.relation(), frame.tiles, frame.slot_cycles);
        let data = delivery.filling(frame.data_bits, seed);
        let loads = (0..).zip(self.loads_of_each(&data.to_vec()));
        let results = self.result_places().into_iter().zip(delivery.expected(&data).to_vec());
        Trial::new(loads, (frame.tiles * self.set()) as usize, results)
    }

    /// Bits of a place's number.
    pub fn place_bits(&self) -> u32 {
        field(self.places)
    }

    /// Bits of a row, see mn_pops_program.v.
    pub fn row_bits(&self) -> u32 {
        let g = self.frame.network.g();
        g + 2 * self.place_bits() + 1 + field(g)
    }

    /// Words that are read out of a processor.
    pub fn set(&self) -> u32 {
        self.results * self.frame.slot_cycles
    }

    /// All rows of a processor's program as memory holds them: those of slots, then those of results.
    pub fn bits(&self, processor: usize) -> Vec<BitRow> {
        let (places, program) = (self.place_bits() as usize, &self.programs[processor]);
        let g = self.frame.network.g();
        let coupler_bits = field(g) as usize;
        let word = |row: &PopsRow| {
            let mut bits = BitRow::zero(self.row_bits() as usize);
            if let Some((coupler, to)) = row.receive {
                bits.set(0, places, to);
                bits.set(places, coupler_bits, coupler);
                bits.set(places + coupler_bits, 1, 1);
            }
            bits.set(places + coupler_bits + 1, places, row.from);
            row.mask.iter().for_each(|&b| bits.set(2 * places + coupler_bits + 1 + b as usize, 1, 1));
            bits
        };
        let results = (0..self.results as usize).map(|i| program.results.get(i).copied().unwrap_or(0));
        let results = results.map(|from| PopsRow { from, ..PopsRow::default() });
        program.rows.iter().map(word).chain(results.map(|row| word(&row))).collect()
    }

    /// Program of a processor as the host sends it: a version, then the rows in pieces of the host stream's width.
    pub fn pieces(&self, processor: usize, version: u8) -> Vec<u64> {
        let rows = self.bits(processor).into_iter().flat_map(|row| row.pieces(self.frame.data_bits as usize));
        std::iter::once(u64::from(version)).chain(rows).collect()
    }

    /// The words of the user's array that each processor takes, in the order in which they are loaded.
    pub fn loads_of_each(&self, data: &[u64]) -> Vec<Vec<u64>> {
        let mut loads = vec![Vec::new(); self.frame.tiles as usize];
        let elements = self.schedule.relation().elements(self.frame.tiles);
        for ((source, _), packet) in elements.into_iter().zip(data.chunks(self.frame.slot_cycles as usize)) {
            loads[source as usize].extend(packet);
        }
        loads
    }

    /// Positions of the words of the results among the words that all processors give, in the order of the result.
    pub fn result_places(&self) -> Vec<usize> {
        let (set, words) = (self.set() as usize, self.frame.slot_cycles as usize);
        let of = |(i, program): (usize, &PopsProgram)| i * set..i * set + program.results.len() * words;
        self.programs.iter().enumerate().flat_map(of).collect()
    }

    /// Cycles from the first row to the last word in its place.
    pub fn cycles(&self) -> u32 {
        self.rows * self.frame.slot_cycles + TAIL_CYCLES
    }

    /// Rows in which nothing is sent because packets are still on their way, up to the last slot.
    pub fn idle_rows(&self) -> u32 {
        // slots without packets have no row of their own
        let used: BTreeSet<u32> = self.slot_rows.iter().copied().collect();
        used.last().map_or(0, |last| last + 1 - used.len() as u32)
    }
}

/// Lowers a checked schedule, reads the images of the programs back, and compares.
///
/// # Errors
/// If the schedule has no form of the asked-for kind, or the network is too large for hardware.
pub fn lower_pops(schedule: &CheckedPops, spec: &Spec) -> Result<PopsLowered, LowerError> {
    let net = schedule.network();
    stored(spec, "processors of POPS", Storage::Counter)?;
    let large = |what: &'static str, found: u32, limit: u32, field| {
        LowerError::from(PopsError::TooLarge { what, found, limit, field })
    };
    let n = net.processors();
    if n > MAX_PROCESSORS {
        return Err(large("processors", n, MAX_PROCESSORS, if net.d() >= net.g() { "network.d" } else { "network.g" }));
    }
    if n < 2 {
        return Err(PopsError::OneProcessor.into());
    }
    if net.g() as usize > MAX_PORTS {
        return Err(large("groups", net.g(), MAX_PORTS as u32, "network.g"));
    }
    let slot_cycles = spec.router.slot_cycles;
    let frame = PopsFrame { ring: Ring::new(n, &spec.router), network: net, slot_cycles };
    let needed = Places::new(schedule, frame.gap());
    let rows = spec.schedule.rows.unwrap_or(needed.rows);
    if rows < needed.rows {
        return Err(LowerError::Rows { rows, reason: format!("the schedule takes {}", needed.rows) });
    }
    if rows > MAX_ROWS {
        let field = if needed.rows > MAX_ROWS { "network.d" } else { "schedule.rows" };
        return Err(large("rows", rows, MAX_ROWS, field));
    }
    let places = spec.schedule.buffers.unwrap_or(needed.places);
    if places < needed.places {
        return Err(PopsError::Buffers { places, needed: needed.places }.into());
    }
    if places > MAX_PLACES {
        return Err(large("places for packets", places, MAX_PLACES, "network.d"));
    }
    let mut programs = needed.programs;
    programs.iter_mut().for_each(|program| program.rows.resize(rows as usize, PopsRow::default()));
    let lowered = PopsLowered {
        frame,
        storage: spec.schedule.storage,
        schedule: schedule.clone(),
        results: programs.iter().map(|program| program.results.len() as u32).max().unwrap_or(0).max(1),
        programs,
        places,
        rows,
        slot_rows: needed.slot_rows,
        loads: needed.loads,
        pass_cycles: rows * slot_cycles + TAIL_CYCLES,
        read: ReadBack::new(Program::new(Switching::Circuit), Delays::default(), []),
    };
    let read = lowered.read(&lowered.images())?;
    Ok(PopsLowered { read, ..lowered })
}

/// Name of the image of a processor's program.
pub fn image(processor: usize) -> String {
    format!("processor_{processor}")
}
