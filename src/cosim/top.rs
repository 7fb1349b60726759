//! The full-top form: `mn_top` in a library of its own, driven over its streams.

use super::CosimError;
use super::build::Built;
use super::loaded::Loaded;
use super::simulator::{Answer, Form, Job, Ran, Register, Simulator, Stop};
use crate::hash::split_mix_64;
use crate::lower::Fabric;
use crate::lower::ring::STATUS_BITS;
use crate::model::Sections;
use std::collections::VecDeque;
use std::ffi::{CStr, c_char, c_void};

/// A simulation as the shim hands it out.
type Handle = *mut c_void;

/// Wrong answers, by the number that the shim gives them.
const WRONG_ANSWERS: [&str; 4] = [
    "of another tile than its TID says",
    "status words without TUSER, or words of data with it",
    "the last of a request without TLAST, or another one with it",
    "one that was not asked for",
];

/// The functions of a shim.
struct Shim {
    delete: unsafe extern "C" fn(Handle),
    cycle: unsafe extern "C" fn(Handle) -> u64,
    progress: unsafe extern "C" fn(Handle) -> u64,
    queue: unsafe extern "C" fn(Handle, *const u32, *const u64, u64, u64),
    take: unsafe extern "C" fn(Handle, *mut u64, *mut u32, u64),
    answers: unsafe extern "C" fn(Handle) -> u64,
    observe: unsafe extern "C" fn(Handle, *mut u64),
    status: unsafe extern "C" fn(Handle, *mut u64) -> u8,
    signals: unsafe extern "C" fn(Handle, *mut u64),
    pause: unsafe extern "C" fn(Handle, u64),
    disturb: unsafe extern "C" fn(Handle, *const u64) -> u8,
    registers: unsafe extern "C" fn(Handle) -> *const c_char,
    upset: unsafe extern "C" fn(Handle, u64, u64, u64) -> u8,
    wrong: unsafe extern "C" fn(Handle) -> u32,
    run: unsafe extern "C" fn(Handle, *const *const u64, u64, u32, *mut u64, *mut u64) -> u32,
}

/// Parameters of a network that the host needs.
#[derive(Debug, Clone)]
pub struct Interface {
    fabric: Fabric,
    /// Loads of a set of words, in order: tile, and number of its words.
    loads: Vec<(u32, usize)>,
    /// Words that are read out of a tile.
    words_a_tile: usize,
    /// True if tiles have streams of their own.
    tile_streams: bool,
}

impl Interface {
    /// Interface over the host stream, with loads in order, each a tile and the number of its words.
    pub fn new(fabric: impl Into<Fabric>, loads: Vec<(u32, usize)>, words_a_tile: usize) -> Self {
        Self { fabric: fabric.into(), loads, words_a_tile, tile_streams: false }
    }

    /// Interface of a network in which all tiles take the same number of words, and give the same number.
    pub fn equal(fabric: impl Into<Fabric>, loads: usize, words_a_tile: usize) -> Self {
        let fabric = fabric.into();
        let loads = (0..fabric.tiles).map(|tile| (tile, loads)).collect();
        Self::new(fabric, loads, words_a_tile)
    }

    /// Interface of tiles that have streams of their own if `tile_streams` says so.
    pub fn with_tile_streams(self, tile_streams: bool) -> Self {
        Self { tile_streams, ..self }
    }

    /// Tiles that a set of words is for, in the order in which they are loaded, and words of each.
    pub fn loads(&self) -> &[(u32, usize)] {
        &self.loads
    }

    /// Words that are read out of a tile.
    pub fn words_a_tile(&self) -> usize {
        self.words_a_tile
    }
}

/// A running `mn_top`.
pub struct Top {
    interface: Interface,
    p: Fabric,
    handle: Handle,
    shim: Shim,
    block_words: usize,
    /// Starts whose beats are queued and not yet taken.
    starts: VecDeque<u64>,
    /// Answers that are due, in order.
    awaited: VecDeque<Awaited>,
    signals: Vec<(&'static str, u32)>,
    /// Seed and number of the values in fields of beats that have no meaning; without it they are zero, and no beat is without an effect.
    meaningless: Option<(u64, u64)>,
    // after `handle`, which lives in it
    library: Loaded,
}

#[derive(Debug, Clone, Copy)]
enum Awaited {
    Set,
    Status,
}

impl Top {
    /// Loads a library and begins a simulation; the images of its build folder are read now.
    ///
    /// # Errors
    /// [`CosimError::Library`] if the library does not load or is not this network's, [`CosimError::Stopped`] if the Verilog ends the
    /// simulation at once.
    pub fn new(built: &Built, interface: impl Into<Interface>) -> Result<Self, CosimError> {
        let interface = interface.into();
        let p = &interface.fabric;
        let library = Loaded::new(&built.library)?;
        let block_words = p.layout().words();
        library.has_words(block_words)?;
        // SAFETY: the types are those of the functions in sim/shim.cpp; the copies live as long as the library.
        let (new, shim) = unsafe {
            let shim = Shim {
                delete: library.function("mn_delete")?,
                cycle: library.function("mn_cycle")?,
                progress: library.function("mn_progress")?,
                queue: library.function("mn_queue")?,
                take: library.function("mn_take")?,
                answers: library.function("mn_answers")?,
                observe: library.function("mn_observe")?,
                status: library.function("mn_status")?,
                signals: library.function("mn_signals")?,
                pause: library.function("mn_pause")?,
                disturb: library.function("mn_disturb")?,
                registers: library.function("mn_registers")?,
                upset: library.function("mn_upset")?,
                wrong: library.function("mn_wrong")?,
                run: library.function("mn_run")?,
            };
            (library.function::<unsafe extern "C" fn() -> Handle>("mn_new")?, shim)
        };
        // SAFETY: gives a simulation that is ours alone until it is deleted.
        let handle = unsafe { new() };
        if handle.is_null() {
            return Err(library.stopped(0));
        }
        let mut signals = vec![
            ("busy_o", 1),
            ("fault_o", 1),
            ("s_axis_tvalid", 1),
            ("s_axis_tready", 1),
            ("s_axis_tdest", p.tile_bits + 3),
            ("s_axis_tdata", p.data_bits),
            ("m_axis_tvalid", 1),
            ("m_axis_tid", p.tile_bits),
            ("m_axis_tdata", p.data_bits),
        ];
        // streams of tiles are not shown
        signals.truncate(if interface.tile_streams { 2 } else { signals.len() });
        let (starts, awaited) = (VecDeque::new(), VecDeque::new());
        let p = p.clone();
        Ok(Self { interface, p, handle, shim, block_words, starts, awaited, signals, meaningless: None, library })
    }

    /// Number of answers to a request.
    fn size(&self, awaited: Awaited) -> usize {
        match awaited {
            Awaited::Set => self.p.tiles as usize * self.interface.words_a_tile,
            Awaited::Status => (self.p.tiles * STATUS_BITS.div_ceil(self.p.data_bits)) as usize,
        }
    }

    /// Value of a field of so many bits that has no meaning.
    fn meaningless(&mut self, bits: u32) -> u64 {
        self.meaningless.as_mut().map_or(0, |(seed, number)| {
            *number += 1;
            split_mix_64(*seed, *number) >> (u64::BITS - bits)
        })
    }

    /// A beat whose tile has no meaning, with data if they have one.
    fn beat(&mut self, kind: u32, data: Option<u64>, awaited: Option<Awaited>) {
        let tile = self.meaningless(self.p.tile_bits) as u32;
        let data = data.unwrap_or_else(|| self.meaningless(self.p.data_bits));
        self.beats(kind, tile, [data], awaited);
    }

    fn beats(&mut self, kind: u32, tile: u32, data: impl IntoIterator<Item = u64>, awaited: Option<Awaited>) {
        let data: Vec<u64> = data.into_iter().collect();
        let dest = vec![kind << self.p.tile_bits | tile; data.len()];
        let answers = awaited.map_or(0, |awaited| self.size(awaited) as u64);
        self.awaited.extend(awaited);
        // SAFETY: both arrays have the given length, and are copied.
        unsafe { (self.shim.queue)(self.handle, dest.as_ptr(), data.as_ptr(), data.len() as u64, answers) }
    }

    /// The first row of a start that was launched in the cycle before this one: the start tree, then the counter.
    fn started(&mut self) -> Stop {
        let count = self.starts.pop_front().unwrap_or(1).max(1);
        let first_row = self.cycle() + u64::from(self.p.tree_cycles());
        Stop::Started { first_row, count }
    }
}

impl Simulator for Top {
    fn form(&self) -> Form {
        Form::Top
    }

    fn cycle(&self) -> u64 {
        // SAFETY: `handle` is a living simulation of this shim, as in all calls below.
        unsafe { (self.shim.cycle)(self.handle) }
    }

    fn progress(&self) -> u64 {
        // SAFETY: as in `cycle`.
        unsafe { (self.shim.progress)(self.handle) }
    }

    fn queue(&mut self, job: Job) {
        let all = (1 << self.p.tile_bits) - 1;
        if job != Job::Nothing && self.meaningless(1) == 1 {
            self.queue(Job::Nothing);
        }
        match job {
            Job::Load(words) => {
                let mut words = words.into_iter();
                for (tile, count) in self.interface.loads.clone() {
                    self.beats(0, tile, words.by_ref().take(count), None);
                }
            }
            Job::TileLoad(tile, words) => self.beats(0, tile, words, None),
            Job::Program(pieces) => self.beats(1, all, pieces, None),
            Job::RouterProgram(tile, pieces) => self.beats(1, tile, pieces, None),
            Job::Start(count) => {
                self.starts.push_back(count);
                self.beat(2, Some(count), None);
            }
            Job::Drain => self.beat(3, None, Some(Awaited::Set)),
            Job::Status => self.beat(4, None, Some(Awaited::Status)),
            Job::Swap(version) => self.beat(5, Some(u64::from(version)), None),
            Job::Clear => self.beat(6, None, None),
            Job::Nothing => self.beat(7, None, None),
        }
    }

    fn run(&mut self, expected: &[&[u64]], sections: Option<Sections>) -> Result<Ran, CosimError> {
        if sections.is_some() {
            assert!(expected.iter().all(|block| block.len() == self.block_words), "blocks have the network's size");
        }
        let pointers: Vec<*const u64> = expected.iter().map(|block| block.as_ptr()).collect();
        let sections = match sections {
            None => 0,
            Some(Sections::Receives) => 1,
            Some(Sections::All) => 2,
        };
        let (mut ran, mut detail) = (0, 0);
        let cycles = pointers.len() as u64;
        // SAFETY: as in `cycle`; there is a pointer a cycle, to a block of the shim's size if blocks are compared.
        let stop = unsafe { (self.shim.run)(self.handle, pointers.as_ptr(), cycles, sections, &mut ran, &mut detail) };
        let stop = match stop {
            0 => Stop::Cycles,
            1 => self.started(),
            2 => Stop::Mismatch { word: detail as usize },
            3 => Stop::Done,
            _ => return Err(self.library.stopped(self.cycle())),
        };
        Ok(Ran { cycles: ran as usize, stop })
    }

    fn observe(&self, block: &mut [u64]) {
        assert_eq!(block.len(), self.block_words, "blocks have the network's size");
        // SAFETY: as in `cycle`; the block has the shim's size.
        unsafe { (self.shim.observe)(self.handle, block.as_mut_ptr()) }
    }

    fn status(&self) -> Option<Vec<u64>> {
        let mut words = vec![0; self.p.tiles as usize];
        // SAFETY: as in `cycle`; the shim writes a word a tile, or none.
        let known = unsafe { (self.shim.status)(self.handle, words.as_mut_ptr()) } != 0;
        known.then_some(words)
    }

    fn top_signals(&self) -> Vec<u64> {
        let mut values = vec![0; self.signals.len()];
        // SAFETY: as in `cycle`; the shim writes as many values as there are names.
        unsafe { (self.shim.signals)(self.handle, values.as_mut_ptr()) }
        values
    }

    fn signals(&self) -> &[(&'static str, u32)] {
        &self.signals
    }

    fn pause(&mut self, seed: u64) {
        self.meaningless = Some((seed, 0));
        // SAFETY: as in `cycle`.
        unsafe { (self.shim.pause)(self.handle, seed.max(1)) }
    }

    fn disturb(&mut self, mask: &[u64]) -> bool {
        assert_eq!(mask.len(), self.block_words, "masks have the network's size");
        // SAFETY: as in `cycle`; the shim reads as many words as its channels have, which are fewer.
        unsafe { (self.shim.disturb)(self.handle, mask.as_ptr()) != 0 }
    }

    fn wrong_answer(&self) -> Option<&'static str> {
        // SAFETY: as in `cycle`.
        let number = unsafe { (self.shim.wrong)(self.handle) } as usize;
        WRONG_ANSWERS.get(number.checked_sub(1)?).copied()
    }

    fn registers(&mut self) -> Vec<Register> {
        // SAFETY: as in `cycle`; the text is the simulation's, and is copied before anything else is asked of it.
        let text = unsafe { CStr::from_ptr((self.shim.registers)(self.handle)) }.to_string_lossy().into_owned();
        let register = |line: &str| {
            let mut words = line.rsplitn(3, ' ');
            let (elements, bits) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
            Some(Register { name: words.next()?.to_owned(), bits, elements })
        };
        text.lines().filter_map(register).collect()
    }

    fn upset(&mut self, register: usize, element: u32, bit: u32) -> bool {
        // SAFETY: as in `cycle`; the shim looks whether there is such a bit.
        unsafe { (self.shim.upset)(self.handle, register as u64, element.into(), bit.into()) != 0 }
    }

    fn answers(&mut self) -> Vec<Answer> {
        let mut found = Vec::new();
        while let Some(&awaited) = self.awaited.front() {
            let size = self.size(awaited);
            // SAFETY: as in `cycle`.
            if unsafe { (self.shim.answers)(self.handle) } < size as u64 {
                break;
            }
            self.awaited.pop_front();
            let (mut data, mut tiles) = (vec![0; size], vec![0; size]);
            // SAFETY: as in `cycle`; there are as many answers, and room for them.
            unsafe { (self.shim.take)(self.handle, data.as_mut_ptr(), tiles.as_mut_ptr(), size as u64) }
            found.push(match awaited {
                Awaited::Set => Answer::Drained(data),
                Awaited::Status => Answer::Status(
                    data.chunks(STATUS_BITS.div_ceil(self.p.data_bits) as usize)
                        .map(|pieces| {
                            pieces
                                .iter()
                                .enumerate()
                                .fold(0, |v, (i, piece)| v | piece << (i as u32 * self.p.data_bits))
                        })
                        .collect(),
                ),
            });
        }
        found
    }
}

impl Drop for Top {
    fn drop(&mut self) {
        // SAFETY: the simulation is not used after this.
        unsafe { (self.shim.delete)(self.handle) }
    }
}
