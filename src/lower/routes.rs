//! Programs of source vectors, and what channels show of them.
//!
//! A packet's header is its source vector, of which each hop takes its part: first δ names a local port, then γ a global
//! one, then π a local one; a part that is zero (δ, π) takes no hop, and a packet without a header has arrived (Draper,
//! section 2).

use super::bits::BitRow;
use super::read_back::{Delays, Programmed, ReadBack};
use super::{Fabric, Images, LowerError, Lowered, Parameters, SlotTables, decode};
use crate::program::{Hop, Origin, Program, Train, Who};
use crate::schedule::{HopLatency, Launch, UniformProgram};
use crate::topology::swapped_dragonfly::SourceVector;
use std::collections::BTreeSet;

/// Cycles from a word at the last router's crossbar input to the register that shows what its receive port takes.
const ARRIVAL_CYCLES: u32 = 1;

/// The program of routers that send these packets, each in terms of the sender's own ports.
pub(super) fn read_back(p: &Parameters, launches: impl IntoIterator<Item = (Who, Launch)>) -> ReadBack {
    let hop = HopLatency { local: p.local_stages, global: p.global_stages };
    let mut program = Program::new(hop.switching(&p.network));
    let mut shown = Vec::new();
    for (who, launch) in launches {
        let value = program.value(who, 1, Origin::Message);
        let hops: Vec<Hop> = launch.hops(&p.network).collect();
        shown.extend((0..hops.len()).map(|i| (head(p, launch.vector, i), 0)));
        program.send(value, who, (launch.at(hop), Train::STEADY), hops);
    }
    let delays = Delays { channel: p.send_cycles() + p.xbar_stages, receive: p.send_cycles() + ARRIVAL_CYCLES };
    ReadBack::new(program, delays, shown)
}

/// The program of routers that all send the same.
pub(super) fn uniform(p: &Parameters, program: &UniformProgram) -> ReadBack {
    read_back(p, program.launches().iter().map(|&launch| (Who::Every, launch)))
}

/// The header of a channel register on a hop of a packet: `{last, pi, gamma}` on local channels, `{pi}` on global ones.
fn head(p: &Parameters, vector: SourceVector, hop: usize) -> BitRow {
    let global = usize::from(vector.delta != 0);
    let mut bits = BitRow::zero(if hop == global { p.global_header_bits } else { p.local_header_bits } as usize);
    let mut set = |bit: u32| bits.set(bit as usize, 1, 1);
    match hop.cmp(&global) {
        std::cmp::Ordering::Less => {
            set(vector.gamma);
            set(p.k + vector.pi);
        }
        std::cmp::Ordering::Equal => set(vector.pi),
        std::cmp::Ordering::Greater => set(p.k + p.m),
    }
    bits
}

impl Programmed for Lowered {
    fn fabric(&self) -> Fabric {
        self.parameters.frame.clone().into()
    }

    fn read_back(&self) -> &ReadBack {
        &self.read
    }

    fn images(&self) -> Images {
        let mut images = Images::default();
        self.tables.image("", &mut images);
        if let Some(guests) = &self.guests {
            guests.image(&self.parameters, &mut images);
        }
        images
    }

    fn read(&self, images: &Images) -> Result<ReadBack, LowerError> {
        let p = &self.parameters;
        let Some(guests) = &self.guests else {
            return Ok(uniform(p, &decode::program(p, images, &self.program)?));
        };
        // routers outside do nothing
        decode::same([&BTreeSet::new(); 2], &decode::sides(p, images, "")?, "")?;
        guests.read_back(p, &self.program, images)
    }

    fn passes(&self) -> u32 {
        self.parameters.words
    }

    fn spacing(&self) -> u32 {
        self.parameters.rows
    }

    fn buffers(&self) -> u32 {
        1 + u32::from(self.parameters.double)
    }

    fn places(&self) -> Option<Vec<usize>> {
        let guests = self.guests.as_ref()?;
        let (tiles, words) = (self.parameters.tiles as usize, self.parameters.words as usize);
        let mut places = Vec::new();
        // words of a guest's data among `[sender][receiver][word]` of all routers
        for network in 0..guests.embeddings().len() {
            let members = guests.members(network);
            for (first, second) in members.iter().flat_map(|first| members.iter().map(move |second| (first, second))) {
                let start = (first.index() * tiles + second.index()) * words;
                places.extend(start..start + words);
            }
        }
        Some(places)
    }
}

/// Another program on the same hardware, as one that was loaded.
#[derive(Debug)]
pub struct Loaded<'a> {
    hardware: &'a Lowered,
    program: UniformProgram,
    read: ReadBack,
}

impl<'a> Loaded<'a> {
    /// A program that all routers have.
    pub fn new(hardware: &'a Lowered, program: &UniformProgram) -> Self {
        Self { hardware, program: program.clone(), read: uniform(&hardware.parameters, program) }
    }
}

impl Programmed for Loaded<'_> {
    fn fabric(&self) -> Fabric {
        self.hardware.fabric()
    }

    fn read_back(&self) -> &ReadBack {
        &self.read
    }

    fn images(&self) -> Images {
        let mut images = Images::default();
        SlotTables::new(&self.hardware.parameters, &self.program).image("", &mut images);
        images
    }

    fn read(&self, images: &Images) -> Result<ReadBack, LowerError> {
        let p = &self.hardware.parameters;
        Ok(uniform(p, &decode::program(p, images, &self.program)?))
    }

    fn passes(&self) -> u32 {
        self.hardware.passes()
    }

    fn spacing(&self) -> u32 {
        self.hardware.spacing()
    }

    fn buffers(&self) -> u32 {
        self.hardware.buffers()
    }
}
