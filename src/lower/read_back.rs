//! Programs read back: the words on their way in hardware with given images, and their appearance in its registers.

use super::bits::BitRow;
use super::{Fabric, Images, LowerError};
use crate::program::Program;
use std::collections::HashMap;

/// Registers that show the word of a hop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shown {
    /// Bits of the channel register above the payload: an index into [`ReadBack::heads`].
    pub head: u32,
    /// Cycles after the end of the hop in which the node keeps the word.
    pub late: u32,
}

/// Cycles from a word's place in a program to the registers that show it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Delays {
    /// Cycles from a word's entry into a channel to the channel's register.
    pub channel: u32,
    /// Cycles from a word's arrival at the end of its last channel to the register behind the receive port.
    pub receive: u32,
}

/// Program that hardware with given images follows. Its cycle 0 is the one in which the images' first row is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadBack {
    /// Program of all nodes.
    pub program: Program,
    /// Registers of each of its hops.
    pub shown: Vec<Shown>,
    /// Different contents of channel registers above the payload, valid bits included.
    pub heads: Vec<BitRow>,
    /// Cycles to the registers.
    pub delays: Delays,
}

/// Contents of channel registers above the payload, hop by hop.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Contents {
    shown: Vec<Shown>,
    heads: Vec<BitRow>,
    /// Place of each of the heads.
    known: HashMap<BitRow, u32>,
}

impl Contents {
    /// Adds a hop: bits above the payload, and the cycles of [`Shown::late`].
    pub fn push(&mut self, head: BitRow, late: u32) {
        let next = self.heads.len() as u32;
        let heads = &mut self.heads;
        let head = *self.known.entry(head).or_insert_with_key(|head| {
            heads.push(head.clone());
            next
        });
        self.shown.push(Shown { head, late });
    }
}

impl ReadBack {
    /// A program with the registers of its hops; `shown` are the bits above the payload and the cycles of [`Shown::late`], hop by hop.
    pub fn new(program: Program, delays: Delays, shown: impl IntoIterator<Item = (BitRow, u32)>) -> Self {
        let mut contents = Contents::default();
        shown.into_iter().for_each(|(head, late)| contents.push(head, late));
        Self::of(program, delays, contents)
    }

    /// A program with the contents of the registers of its hops.
    pub fn of(program: Program, delays: Delays, contents: Contents) -> Self {
        let Contents { shown, heads, .. } = contents;
        debug_assert_eq!(shown.len(), program.hops.len());
        Self { program, shown, heads, delays }
    }
}

/// Bits above the payload of a channel that has a valid bit and no header.
pub fn valid() -> BitRow {
    let mut head = BitRow::zero(1);
    head.set(0, 1, 1);
    head
}

/// Hardware that repeats a program.
pub trait Programmed {
    /// Sizes.
    fn fabric(&self) -> Fabric;

    /// Program of one pass on one network, from the hardware's own images.
    fn read_back(&self) -> &ReadBack;

    /// Images of the slot tables of one network; of counters, the rows that they make.
    fn images(&self) -> Images;

    /// Reads images back as the program of one pass, which must be the schedule's.
    ///
    /// # Errors
    /// [`LowerError::Image`] with the first row that says something else.
    fn read(&self, images: &Images) -> Result<ReadBack, LowerError>;

    /// Passes of a collective.
    fn passes(&self) -> u32 {
        1
    }

    /// Cycles from one pass to the earliest next.
    fn spacing(&self) -> u32;

    /// Buffers for the words of collectives.
    fn buffers(&self) -> u32 {
        1
    }

    /// Places of the collective's words among those that all tiles load and give; None if all words are the collective's.
    fn places(&self) -> Option<Vec<usize>> {
        None
    }
}
