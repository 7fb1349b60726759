//! Frames on the serial line to a board with the host top.
//!
//! A frame is kind (1 byte), tile (2), count (2), then count words, all with the lowest byte first. Towards the board
//! the words are beats of that kind to that tile, as `mn_host` takes them; kind 7 resets the network. The board sends a
//! frame for each tile of a drain (kind 3) or status (kind 4). Bit 7 of its kind is set if the network reports a fault,
//! bit 6 if the board lost bytes.

use std::ops::Range;

/// Kind of a frame with data of a collective.
pub const DATA: u8 = 0;
/// Kind of a frame that starts a collective.
pub const START: u8 = 2;
/// Kind of a frame that asks for the words of all tiles, and of those that answer.
pub const DRAIN: u8 = 3;
/// Kind of a frame that asks for the status of all tiles, and of those that answer.
pub const STATUS: u8 = 4;
/// Kind of a frame that resets the network.
pub const RESET: u8 = 7;
/// Bytes before the words of a frame.
pub const HEADER: usize = 5;

/// Frame of at most 65535 words with so many bytes each.
pub fn frame(kind: u8, tile: u16, words: &[u64], bytes: usize) -> Vec<u8> {
    let mut frame = vec![kind];
    frame.extend(tile.to_le_bytes());
    frame.extend((words.len() as u16).to_le_bytes());
    frame.extend(words.iter().flat_map(|word| word.to_le_bytes().into_iter().take(bytes)));
    frame
}

/// Places of the bytes that are data of a collective, among those of a frame.
pub fn data_of(frame: &[u8]) -> Range<usize> {
    match frame.first() {
        Some(&DATA) => HEADER.min(frame.len())..frame.len(),
        _ => 0..0,
    }
}

/// True for a frame that starts a collective, whatever follows it.
pub fn starts(bytes: &[u8]) -> bool {
    bytes.first() == Some(&START)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_have_the_lowest_byte_first() {
        assert_eq!(frame(DATA, 0x102, &[0x1234, 0xff], 2), [0, 2, 1, 2, 0, 0x34, 0x12, 0xff, 0]);
        assert_eq!(frame(RESET, 0, &[], 8), [7, 0, 0, 0, 0]);
        assert_eq!(data_of(&frame(DATA, 0, &[1, 2], 2)), 5..9);
        assert_eq!(data_of(&frame(START, 0, &[1], 2)), 0..0);
    }
}
