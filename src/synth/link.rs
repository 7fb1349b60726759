//! The host's end of the line to a board with the host top: frames to and from the network ([`crate::board::frame`]).

use super::project::SILENCE_MS;
use crate::board::frame::{DATA, DRAIN, HEADER, RESET, START, STATUS, frame};
use crate::board::serial::{Serial, SerialError};
use crate::lower::Ring;
use std::time::Duration;

/// Error of the transfer of data through a board.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LinkError {
    /// The serial line failed.
    #[error(transparent)]
    Serial(#[from] SerialError),
    /// A frame is not the one that was due.
    #[error("the board sent a frame of kind {kind} for tile {tile} with {count} words, and {due} was due")]
    Frame {
        /// Kind of the frame.
        kind: u8,
        /// Tile number.
        tile: u16,
        /// Number of words in the frame.
        count: u16,
        /// Frame that was due, as text.
        due: String,
    },
    /// The board lost bytes that were sent to it.
    #[error("the board lost bytes: its clock is too slow for the serial line")]
    Lost,
    /// A message has more words than a frame can count.
    #[error("a tile moves {words} words, and a frame has at most 65535")]
    TooLong {
        /// Words of a tile.
        words: u64,
    },
}

impl LinkError {
    /// Help: the user's next step.
    pub fn help(&self) -> &'static str {
        match self {
            LinkError::Serial(error) => error.help(),
            LinkError::Frame { .. } => "load the board with `metronoc synth --top host` of this very specification",
            LinkError::Lost => "lower uart.baud in the board file",
            LinkError::TooLong { .. } => "take fewer words a message",
        }
    }
}

/// Data of a run on a board: words to be loaded, and number of words to be received.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passes {
    /// The words of each tile, for one collective after the other.
    pub loads: Vec<Vec<Vec<u64>>>,
    /// Words that each tile gives after a collective.
    pub set: u64,
}

impl Passes {
    /// Words to be loaded, a list for each collective, into `tiles` tiles that take the numbers of words in `loads`.
    pub fn new(sets: &[Vec<u64>], loads: &[(u32, usize)], tiles: u32, set: u64) -> Self {
        let tiles_of = |words: &Vec<u64>| {
            let mut of_tiles = vec![Vec::new(); tiles as usize];
            let mut words = words.iter().copied();
            loads.iter().for_each(|&(tile, count)| of_tiles[tile as usize].extend(words.by_ref().take(count)));
            of_tiles
        };
        Self { loads: sets.iter().map(tiles_of).collect(), set }
    }
}

/// Answer of a board: words and status of the tiles.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The words of all tiles, one collective after the other.
    pub words: Vec<u64>,
    /// The status of each tile, as `mn_fault_log` and the program give it.
    pub status: Vec<u64>,
    /// True if the network reports a fault.
    pub fault: bool,
}

/// Sends words through the network on the board, one collective after the other, and reads the status.
///
/// # Errors
/// If the line fails or the board speaks of another network. Wrong words are not looked for here.
pub fn exchange(line: &mut dyn Serial, ring: &Ring, passes: &Passes) -> Result<Answer, LinkError> {
    let (bytes, tiles) = (ring.data_bits as usize / 8, ring.tiles as usize);
    let most = passes.loads.iter().flatten().map(|words| words.len() as u64).fold(passes.set, u64::max);
    let (Ok(_), Ok(_)) = (u16::try_from(most), u16::try_from(tiles)) else {
        return Err(LinkError::TooLong { words: most });
    };
    // An unfinished frame of an earlier user ends by itself.
    line.wait(Duration::from_secs_f64(3e-3 * SILENCE_MS));
    line.forget()?;
    line.send(&frame(RESET, 0, &[], bytes))?;
    let (mut words, mut fault) = (Vec::new(), false);
    for load in &passes.loads {
        for (tile, message) in load.iter().enumerate() {
            line.send(&frame(DATA, tile as u16, message, bytes))?;
        }
        line.send(&[frame(START, 0, &[1], bytes), frame(DRAIN, 0, &[0], bytes)].concat())?;
        for tile in 0..tiles {
            let (found, bad) = receive(line, DRAIN, tile as u16, passes.set as u16, bytes)?;
            words.extend(found);
            fault |= bad;
        }
    }
    line.send(&frame(STATUS, 0, &[0], bytes))?;
    let mut status = Vec::new();
    let pieces = crate::lower::ring::STATUS_BITS.div_ceil(ring.data_bits);
    for tile in 0..tiles {
        let (found, bad) = receive(line, STATUS, tile as u16, pieces as u16, bytes)?;
        status.push(found.iter().rev().fold(0, |whole, piece| whole << (ring.data_bits % 64) | piece));
        fault |= bad;
    }
    Ok(Answer { words, status, fault })
}

/// Receives the frame that is due; its words, and whether the network reports a fault.
fn receive(
    line: &mut dyn Serial,
    kind: u8,
    tile: u16,
    count: u16,
    bytes: usize,
) -> Result<(Vec<u64>, bool), LinkError> {
    let header = line.receive(HEADER)?;
    let number = |at: usize| u16::from_le_bytes([header[at], header[at + 1]]);
    if header[0] & 0x40 != 0 {
        return Err(LinkError::Lost);
    }
    if (header[0] & 0x3f, number(1), number(3)) != (kind, tile, count) {
        let due = format!("one of kind {kind} for tile {tile} with {count} words");
        return Err(LinkError::Frame { kind: header[0] & 0x3f, tile: number(1), count: number(3), due });
    }
    let body = line.receive(usize::from(count) * bytes)?;
    let word = |chunk: &[u8]| chunk.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
    Ok((body.chunks_exact(bytes).map(word).collect(), header[0] & 0x80 != 0))
}
