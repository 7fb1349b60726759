//! Tiles and host as a simulator.

use super::TileInterface;
use super::host::{Host, Step};
use super::library::{self, Tiles};
use crate::cosim::{Answer, Built, CosimError, Form, Job, Ran, Simulator, Stop};
use crate::lower::Layout;
use crate::model::Sections;

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

impl TileForm {
    /// Loads a library that was built from the parts of this form and makes its tiles, out of reset and idle.
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
