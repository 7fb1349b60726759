//! Tiles and host as a simulator, and the files that a tile adds to the Verilog.

use super::TileInterface;
use super::host::{Host, Step};
use super::library::{self, Tiles};
use crate::cosim::shim::probed;
use crate::cosim::{Answer, Built, CosimError, Form, Job, Parts, Ran, Simulator, Stop};
use crate::emit;
use crate::lower::Layout;
use crate::lower::Registers as _;
use crate::lower::swapped_dragonfly::{AllToAllLowered, Frame};
use crate::model::Sections;
use crate::spec::Placement;
use askama::Template;

/// Cycles in reset: more than any chain of registers outside of banks is long.
const RESET_CYCLES: u32 = 64;
/// Cycles by which a tile leaves reset later than its input.
const RESET_DELAY: u32 = 2;
/// Tiles from which on a second thread pays.
const THREADED_TILES: u32 = 256;

/// A network simulated tile by tile.
pub struct TileForm {
    tiles: Tiles,
    host: Host,
    layout: Layout,
    cycle: u64,
    /// True if the last cycle started a collective.
    launched: bool,
    /// True if the end of all jobs was reported.
    told: bool,
}

/// Additions of the tile form to the Verilog of an all-to-all.
///
/// # Errors
/// Only by a defect of metronoc.
pub fn source_vector_parts(lowered: &AllToAllLowered) -> Result<Parts, askama::Error> {
    let (local_receive, global_receive) = ("gen_local[i+1].u_receive.u_probe", "gen_global[i].u_receive.u_probe");
    let mut parts = probed(complete(&lowered.parameters, &Probe { product: false, local_receive, global_receive })?);
    if lowered.placement == Placement::Shared {
        parts.beside.push(("mn_node.v", emit::source_vector_node(lowered)?));
    }
    Ok(parts)
}

/// Wrapper of a node: channels in whole words, and a view of its receive ports.
#[derive(Template)]
#[template(path = "mn_node_probe.v", escape = "none")]
pub(super) struct Probe {
    /// True for a product: the constants of a tile are an input, and there is one program.
    pub product: bool,
    /// Path of the registers of the receive ports: local port i + 1; below, global port i.
    pub local_receive: &'static str,
    pub global_receive: &'static str,
}

/// Additions that every node needs, without the module of the node itself.
pub(super) fn complete(p: &Frame, probe: &Probe) -> Result<Parts, askama::Error> {
    let layout = p.layout();
    let beside = vec![
        ("mn_node_probe.v", probe.render()? + "\n"),
        ("shim_tiles.cpp", include_str!("../../../sim/shim_tiles.cpp").to_owned()),
    ];
    Ok(Parts {
        top: "mn_node_probe",
        beside,
        without: &["rtl/mn_top.v", "rtl/mn_network.v"],
        parameters: vec![
            ("K", p.k),
            ("M", p.m),
            ("DW", p.data_bits),
            ("W", p.payload_bits()),
            ("TB", p.tile_bits),
            ("LCW", p.local_channel_bits),
            ("GCW", p.global_channel_bits),
        ],
        defines: vec![
            ("MN_LOCAL_PORTS", p.local_ports() as usize),
            ("MN_GLOBAL_PORTS", p.k as usize),
            ("MN_LOCAL_WORDS", layout.local_words()),
            ("MN_GLOBAL_WORDS", layout.global_words()),
            ("MN_RECEIVE_WORDS", layout.receive_words()),
        ],
    })
}

impl TileForm {
    /// Loads a library that was built with [`source_vector_parts`] and makes its tiles, out of reset and idle.
    ///
    /// # Errors
    /// [`CosimError::Library`] if the library does not load, [`CosimError::Stopped`] if the Verilog ends the simulation at once.
    pub fn new(built: &Built, interface: impl Into<TileInterface>) -> Result<Self, CosimError> {
        let interface = interface.into();
        let threads = if interface.ring.tiles >= THREADED_TILES { 2 } else { 1 };
        let (layout, labels) = (interface.layout, &interface.labels);
        let mut tiles = Tiles::load(&built.library, &interface.feeders, labels, threads, layout.words())?;
        tiles.reset(true);
        // the first cycle is that of the initial blocks, which empty the tables
        tiles.cycle(&library::Drive::default(), 0)?;
        interface.places.iter().enumerate().for_each(|(tile, place)| tiles.place(tile, place));
        for _ in 1..RESET_CYCLES {
            tiles.cycle(&library::Drive::default(), 0)?;
        }
        tiles.reset(false);
        for _ in 0..RESET_DELAY {
            tiles.cycle(&library::Drive::default(), 0)?;
        }
        Ok(Self { tiles, host: Host::new(&interface), layout, cycle: 0, launched: false, told: true })
    }

    /// The first word of the sections in which the current cycle's block differs.
    fn difference(&self, expected: &[u64], sections: Sections) -> Option<usize> {
        let start = match sections {
            Sections::All => 0,
            Sections::Receives => self.layout.channel_words(),
        };
        let (found, expected) = (&self.tiles.block()[start..], &expected[start..]);
        if found == expected {
            return None;
        }
        found.iter().zip(expected).position(|(a, b)| a != b).map(|word| start + word)
    }
}

impl Simulator for TileForm {
    fn form(&self) -> Form {
        Form::Tile
    }

    fn cycle(&self) -> u64 {
        self.cycle
    }

    fn queue(&mut self, job: Job) {
        self.told = false;
        self.host.queue(job);
    }

    fn progress(&self) -> u64 {
        self.host.progress()
    }

    fn run(&mut self, expected: &[&[u64]], sections: Option<Sections>) -> Result<Ran, CosimError> {
        for (cycles, block) in expected.iter().enumerate() {
            let stop = |stop| Ok(Ran { cycles, stop });
            if let Some(word) = sections.and_then(|sections| self.difference(block, sections)) {
                return stop(Stop::Mismatch { word });
            }
            if !self.told && self.host.is_done() {
                self.told = true;
                return stop(Stop::Done);
            }
            let (step, room) = self.host.step();
            if let Step::Started(count) = step {
                return stop(Stop::Started { first_row: self.cycle + self.host.cycles_to_first_row(), count });
            }
            if let Some(each) = room {
                self.tiles.expect_answers(each);
            }
            let drive = self.host.drive();
            let (flit, launched) = (drive.flit, drive.go);
            let shown = self.tiles.cycle(&drive, self.cycle)?;
            self.cycle += 1;
            self.launched = launched;
            if self.host.after(flit, launched, shown) {
                let words = self.tiles.take_answers();
                self.host.answered(words);
            }
        }
        Ok(Ran { cycles: expected.len(), stop: Stop::Cycles })
    }

    fn observe(&self, block: &mut [u64]) {
        block.copy_from_slice(self.tiles.block());
    }

    fn top_signals(&self) -> Vec<u64> {
        vec![self.host.is_busy().into(), self.host.has_fault().into(), self.launched.into()]
    }

    fn signals(&self) -> &[(&'static str, u32)] {
        &[("busy", 1), ("fault", 1), ("go_q", 1)]
    }

    fn answers(&mut self) -> Vec<Answer> {
        self.host.take_answers()
    }
}
