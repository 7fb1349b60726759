//! Interface of all forms of simulation.

use super::CosimError;
use crate::model::Sections;

/// Form of simulation of the hardware.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Form {
    /// All of `mn_top`, over its streams.
    Top,
    /// One tile as often as the network has tiles, connected as the network is.
    Tile,
}

/// Work for the hardware. Jobs are done in the order in which they are queued; the hardware waits where it must.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Job {
    /// Fill the send banks with one set of words, in the order in which tiles take them.
    Load(Vec<u64>),
    /// Load words into one tile, the next of its places: for a program that takes another number of words than the one that was built.
    TileLoad(u32, Vec<u64>),
    /// Load a program that every router shall run after the next [`Job::Swap`]: its version, then its pieces.
    Program(Vec<u64>),
    /// Load a program that one router shall run, likewise.
    RouterProgram(u32, Vec<u64>),
    /// Launch a number of collectives back to back, at most the largest word of the host stream; does not wait for
    /// their end.
    Start(u64),
    /// Wait for the end of all collectives, then read one set out of the receive banks.
    Drain,
    /// Read the status of every tile.
    Status,
    /// Run the loaded program from the next collective on, if it has this version.
    Swap(u8),
    /// Clear fault bits.
    Clear,
    /// Send a beat of the kind that has no effect; tiles without a host get none.
    Nothing,
}

impl Job {
    /// Load of a program of another version whose rows have all bits inverted, in pieces of so many bits; none of a job that loads no program.
    pub fn inverted(&self, data_bits: u32) -> Option<Self> {
        let invert = |pieces: &[u64]| pieces.iter().map(|piece| piece ^ u64::MAX >> (u64::BITS - data_bits)).collect();
        match self {
            Self::Program(pieces) => Some(Self::Program(invert(pieces))),
            Self::RouterProgram(tile, pieces) => Some(Self::RouterProgram(*tile, invert(pieces))),
            _ => None,
        }
    }
}

/// Answer of the hardware to a [`Job::Drain`] or [`Job::Status`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// The set that was read out, tile after tile.
    Drained(Vec<u64>),
    /// The 64 status bits of every tile.
    Status(Vec<u64>),
}

/// Reason for the end of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// All cycles were run.
    Cycles,
    /// The last job was done and answered, and the hardware fell idle. Further runs go on in idleness.
    Done,
    /// A [`Job::Start`] was taken: its first collective shows its first row in cycle `first_row`, which is yet to come,
    /// and the others follow at the interval of a whole run.
    Started {
        /// The cycle of the first row.
        first_row: u64,
        /// Number of collectives.
        count: u64,
    },
    /// The block of the current cycle, which was not left, differs at this word.
    Mismatch {
        /// The first word that differs, in the compared sections.
        word: usize,
    },
}

/// Result of a run: its cycles and the reason for its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ran {
    /// Cycles that were run, and compared.
    pub cycles: usize,
    /// Reason for the end.
    pub stop: Stop,
}

/// Register, or memory, whose bits can be flipped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Register {
    /// Instance and variable, as Verilator names them.
    pub name: String,
    /// Bits of an element.
    pub bits: u32,
    /// Elements; 1 of a register.
    pub elements: u32,
}

/// The hardware, in one form or another. It begins in cycle 0, out of reset and idle.
pub trait Simulator {
    /// The form.
    fn form(&self) -> Form;

    /// The current cycle. Registers have the values of this cycle.
    fn cycle(&self) -> u64;

    /// Queues work.
    fn queue(&mut self, job: Job);

    /// Number of events so far that show that something moves: beats taken, words answered, collectives ended. If it
    /// stands still while no collective is in the network, so does the hardware.
    fn progress(&self) -> u64;

    /// Runs one cycle for each of `expected`, which has a block for each; the block of the current cycle is compared in
    /// `sections` before the cycle is run. With `sections` None nothing is compared, and blocks may be empty.
    ///
    /// # Errors
    /// If the simulation itself fails.
    fn run(&mut self, expected: &[&[u64]], sections: Option<Sections>) -> Result<Ran, CosimError>;

    /// Copies the state of the current cycle into a block of the [`Layout`](crate::lower::Layout).
    fn observe(&self, block: &mut [u64]);

    /// The 64 status bits of every tile as they are now; none where a [`Job::Status`] must ask for them.
    fn status(&self) -> Option<Vec<u64>> {
        None
    }

    /// Values of a few signals of the top for a waveform, in the order of [`Self::signals`].
    fn top_signals(&self) -> Vec<u64>;

    /// Names and widths of these signals.
    fn signals(&self) -> &[(&'static str, u32)];

    /// Lets both streams of the host pause at random times, by the seed, and fields of beats that have no meaning take any values; no effect in a
    /// form without streams.
    fn pause(&mut self, _seed: u64) {}

    /// Flips the bits of a block's channels in the registers of the current cycle; false if the simulator was not built for it.
    fn disturb(&mut self, _mask: &[u64]) -> bool {
        false
    }

    /// The first answer so far that was none of what was asked for, in words; none in a form without streams.
    fn wrong_answer(&self) -> Option<&'static str> {
        None
    }

    /// Registers whose bits can be flipped; none if the simulator was not built for it.
    fn registers(&mut self) -> Vec<Register> {
        Vec::new()
    }

    /// Flips a bit of an element of [`Self::registers`] in the current cycle; false if there is none.
    fn upset(&mut self, _register: usize, _element: u32, _bit: u32) -> bool {
        false
    }

    /// The answers that came since the last call, in order.
    fn answers(&mut self) -> Vec<Answer>;
}
