//! The built shim, loaded: `sim/shim_tiles.cpp` seen from here.

use crate::cosim::loaded::Loaded;
use crate::cosim::{CosimError, Sources};
use crate::emit::CHECK_DIGITS;
use crate::lower::bits::BitRow;
use camino::Utf8Path;
use std::ffi::c_void;
use std::ptr::{null, null_mut};
use std::slice;

/// Verilator configuration of the slot table, which is written from outside.
pub(super) const PLACE: &str = "`verilator_config\npublic_flat_rw -module \"mn_table_rom\" -var \"mem\"\n";

/// Inputs of all tiles in one cycle.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Drive<'a> {
    /// The flit for each tile `{valid, kind}`; 0: none.
    pub flit: u8,
    /// Data of the flits: tile t's is `words[t * stride]`.
    pub words: &'a [u64],
    pub stride: usize,
    /// The tile that alone is given the flit.
    pub only: Option<u32>,
    /// The start of a collective.
    pub go: bool,
    pub go_buffer: bool,
    pub go_swap: bool,
    pub go_version: u8,
}

/// The constants of a tile and the rows of its program, each row in whole words.
#[derive(Debug, Clone)]
pub(super) struct Place {
    pub constants: Vec<u64>,
    pub rows: Vec<u64>,
}

/// Words of the rows of a memory image, each in whole words with the check byte before its digits.
///
/// # Errors
/// [`CosimError::Image`] if the image is missing, or has not so many rows of so many bits.
pub(super) fn image(sources: &Sources, path: &str, rows: usize, bits: usize) -> Result<Vec<u64>, CosimError> {
    let other = |reason: &str| CosimError::Image { path: path.into(), reason: reason.to_owned() };
    let image = sources.files().find(|(name, _)| *name == path).ok_or_else(|| other("it is missing"))?.1;
    let mut words = Vec::new();
    let width = 4 * (bits.div_ceil(4) + CHECK_DIGITS);
    for line in image.lines() {
        let row = BitRow::from_hex(line, width);
        words.extend(row.ok_or_else(|| other("a row is no row of it"))?.pieces(64));
    }
    match words.len() == rows * width.div_ceil(64) {
        true => Ok(words),
        false => Err(other("it has another number of rows")),
    }
}

/// Register that an input port of a tile shows.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub(super) struct Feeder {
    /// First word of it in a block.
    word: u32,
    /// Cycles by which the port shows it later than the block.
    late: u32,
}

impl Feeder {
    /// Register at word `word` of a block, at the start of a channel of `latency` cycles.
    pub fn new(word: usize, latency: u32) -> Self {
        Self { word: word as u32, late: latency - 1 }
    }
}

#[repr(C)]
struct RawDrive {
    words: *const u64,
    stride: u64,
    only: u32,
    flit: u8,
    go: u8,
    go_buffer: u8,
    go_swap: u8,
    go_version: u8,
}

/// Outputs of all tiles after a cycle.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Shown {
    /// Tiles whose collective has ended.
    pub done: u32,
    /// Tiles with a fault.
    pub faults: u32,
    /// Answers that came.
    pub answers: u32,
    /// Number of answers without a request.
    pub strays: u32,
    /// Parts of the network in which the Verilog ended the simulation.
    stopped: u32,
}

/// Functions of the shim, copied out of the library, which stays loaded as long as they do.
struct Functions {
    new: unsafe extern "C" fn(u32, *const Feeder, *const u32, u32) -> *mut c_void,
    delete: unsafe extern "C" fn(*mut c_void),
    reset: unsafe extern "C" fn(*mut c_void, u8),
    collect: unsafe extern "C" fn(*mut c_void, *mut u64, u64),
    cycle: unsafe extern "C" fn(*mut c_void, *const RawDrive, *mut Shown),
    block: unsafe extern "C" fn(*mut c_void) -> *const u64,
    place: unsafe extern "C" fn(*mut c_void, u32, *const u64, u64, *const u64, u64) -> u8,
}

/// Tiles, simulated.
pub(super) struct Tiles {
    network: *mut c_void,
    functions: Functions,
    /// Words of a block.
    words: usize,
    tiles: usize,
    /// Answers, tile after tile: a fixed number of words each.
    answers: Vec<u64>,
    library: Loaded,
}

impl Tiles {
    /// Loads the library and makes its tiles, held in reset. `feeders` and `labels` are as the shim's `mn_tiles_new` wants
    /// them.
    ///
    /// # Errors
    /// [`CosimError::Library`] if it cannot be loaded.
    pub fn load(
        path: &Utf8Path,
        feeders: &[Feeder],
        labels: &[[u32; 3]],
        threads: u32,
        words: usize,
    ) -> Result<Self, CosimError> {
        let library = Loaded::new(path)?;
        // SAFETY: the types are those of the functions in sim/shim_tiles.cpp; the copies live as long as the library.
        let functions = unsafe {
            Functions {
                new: library.function("mn_tiles_new")?,
                delete: library.function("mn_tiles_delete")?,
                reset: library.function("mn_tiles_reset")?,
                collect: library.function("mn_tiles_collect")?,
                cycle: library.function("mn_tiles_cycle")?,
                block: library.function("mn_tiles_block")?,
                place: library.function("mn_tiles_place")?,
            }
        };
        let tiles = labels.len();
        // SAFETY: the shim copies what the two pointers show, which have a label and an equal number of feeders a tile.
        let network =
            unsafe { (functions.new)(tiles as u32, feeders.as_ptr(), labels.as_flattened().as_ptr(), threads) };
        Ok(Self { network, functions, words, tiles, answers: Vec::new(), library })
    }

    /// Holds all tiles in reset, or lets them go.
    pub fn reset(&mut self, on: bool) {
        // SAFETY: `network` is what `new` gave.
        unsafe { (self.functions.reset)(self.network, on.into()) }
    }

    /// Gives a tile in reset its constants and its program.
    pub fn place(&mut self, tile: usize, place: &Place) {
        let Place { constants, rows } = place;
        let (constant_words, row_words) = (constants.len() as u64, rows.len() as u64);
        assert!(tile < self.tiles, "a tile of the network");
        // SAFETY: `network` is what `new` gave, the tile is one of it, and both arrays have the given lengths.
        let fits = unsafe {
            let (constants, rows) = (constants.as_ptr(), rows.as_ptr());
            (self.functions.place)(self.network, tile as u32, constants, constant_words, rows, row_words)
        };
        assert!(fits == 1, "the simulated tile has these sizes");
    }

    /// Makes room for `each` answers a tile.
    pub fn expect_answers(&mut self, each: usize) {
        self.answers = vec![0; each * self.tiles];
        // SAFETY: the room is `each` words a tile, and stays until it is taken away by the next call.
        unsafe { (self.functions.collect)(self.network, self.answers.as_mut_ptr(), each as u64) }
    }

    /// The answers, tile after tile.
    pub fn take_answers(&mut self) -> Vec<u64> {
        // SAFETY: without room the shim writes nothing.
        unsafe { (self.functions.collect)(self.network, null_mut(), 0) }
        std::mem::take(&mut self.answers)
    }

    /// Runs one cycle, which is called `now`.
    ///
    /// # Errors
    /// [`CosimError::Stopped`] if the Verilog ends the simulation.
    pub fn cycle(&mut self, drive: &Drive, now: u64) -> Result<Shown, CosimError> {
        assert!(drive.flit == 0 || drive.words.len() > (self.tiles - 1) * drive.stride, "a word for each tile");
        let raw = RawDrive {
            words: if drive.flit == 0 { null() } else { drive.words.as_ptr() },
            stride: drive.stride as u64,
            only: drive.only.unwrap_or(u32::MAX),
            flit: drive.flit,
            go: drive.go.into(),
            go_buffer: drive.go_buffer.into(),
            go_swap: drive.go_swap.into(),
            go_version: drive.go_version,
        };
        let mut shown = Shown::default();
        // SAFETY: the words reach to that of the last tile, and the room for answers is `self.answers`, borrowed mutably.
        unsafe { (self.functions.cycle)(self.network, &raw, &mut shown) };
        match shown.stopped {
            0 => Ok(shown),
            _ => Err(self.library.stopped(now)),
        }
    }

    /// The observation block of the current cycle.
    pub fn block(&self) -> &[u64] {
        // SAFETY: a block has `words` words, checked by the shim's assertions against its ports, and stays where it is until
        // the next cycle, which borrows mutably.
        unsafe { slice::from_raw_parts((self.functions.block)(self.network), self.words) }
    }
}

impl Drop for Tiles {
    fn drop(&mut self) {
        // SAFETY: `network` is what `new` gave, and is not used again; the library is unloaded after this.
        unsafe { (self.functions.delete)(self.network) }
    }
}
