//! Bits of stored rows and of loops, and the rows that they make.

use super::address::Address;
use crate::lower::bits::BitRow;
use crate::lower::bits::field;
use crate::lower::slot_table::fields::Field;

/// Origin of an address of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// 0 wherever it is used.
    Fixed,
    /// A counter, from 0 on, that advances with each use and begins again after the last word of the bank.
    Counted,
    /// The stored row.
    Stored,
    /// The stored row, and a stride of the loop for each turn before.
    Strided,
}

/// Loop over stored rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loop {
    /// Number of its last stored row.
    pub end: u32,
    /// Turns, at least 1.
    pub turns: u32,
    /// Stride from turn to turn, by address; 0 of those without strides.
    pub strides: Vec<u32>,
}

/// Layout of stored rows and of loops. A loop has, from bit 0 on: one bit that is set in the last; its last stored row; its turns, less one;
/// and the stride of each address that has some. A loop begins with the stored row after the last of the loop before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layout {
    /// Addresses of a row, and the origin of each.
    pub addresses: Vec<(Address, Way)>,
    /// Bits of a row that are stored, lowest first.
    pub stored: Vec<u32>,
    /// Bits of a row.
    pub row_bits: u32,
    /// Last stored row of a loop.
    pub end: Field,
    /// Turns of a loop, less one.
    pub turns: Field,
    /// Stride of each address, of no bits if it has none.
    pub strides: Vec<Field>,
    /// Bits of a loop.
    pub loop_bits: u32,
}

impl Layout {
    /// Layout of rows of which the given bits are in use, for at most so many stored rows and turns.
    pub fn new(addresses: Vec<(Address, Way)>, used: &BitRow, [rows, turns]: [u32; 2]) -> Self {
        let made = |bit: u32| {
            let way = addresses.iter().find(|(address, _)| address.field.has(bit)).map(|(_, way)| *way);
            matches!(way, Some(Way::Fixed | Way::Counted))
        };
        let row_bits = used.width() as u32;
        let stored = (0..row_bits).filter(|&bit| used.get(bit as usize, 1) == 1 && !made(bit)).collect();
        let mut next = 1;
        let mut take = |width: u32| {
            let at = next;
            next += width;
            Field { at, width }
        };
        let (end, turns) = (take(field(rows)), take(field(turns)));
        let width = |(address, way): &(Address, Way)| if *way == Way::Strided { address.field.width } else { 0 };
        let strides = addresses.iter().map(|pair| take(width(pair))).collect();
        Self { addresses, stored, row_bits, end, turns, strides, loop_bits: next }
    }

    /// Bits of a stored row, at least 1.
    pub fn stored_bits(&self) -> u32 {
        (self.stored.len() as u32).max(1)
    }

    /// Bits of a row that are stored.
    pub fn pack(&self, row: &BitRow) -> BitRow {
        let mut packed = BitRow::zero(self.stored_bits() as usize);
        self.stored.iter().enumerate().for_each(|(at, &bit)| packed.set(at, 1, row.get(bit as usize, 1)));
        packed
    }

    /// Bits of a loop.
    pub fn encode(&self, all: &Loop, is_last: bool) -> BitRow {
        let mut bits = BitRow::zero(self.loop_bits as usize);
        bits.set(0, 1, is_last.into());
        let mut set = |field: Field, value: u32| bits.set(field.at as usize, field.width as usize, value);
        set(self.end, all.end);
        set(self.turns, all.turns - 1);
        self.strides.iter().zip(&all.strides).for_each(|(&field, &stride)| set(field, stride));
        bits
    }

    fn decode(&self, bits: &BitRow) -> (Loop, bool) {
        let get = |field: Field| bits.get(field.at as usize, field.width as usize);
        let strides = self.strides.iter().map(|&field| get(field)).collect();
        (Loop { end: get(self.end), turns: get(self.turns) + 1, strides }, bits.get(0, 1) == 1)
    }

    /// The `rows` rows that the hardware makes of stored rows and loops.
    ///
    /// # Errors
    /// A sentence part that says at which loop it ends elsewhere.
    pub fn unroll(&self, stored: &[BitRow], loops: &[BitRow], rows: u32) -> Result<Vec<BitRow>, String> {
        let mut made: Vec<BitRow> = Vec::with_capacity(rows as usize);
        let mut counts = vec![0; self.addresses.len()];
        let mut start = 0;
        for (number, bits) in loops.iter().enumerate() {
            let (all, is_last) = self.decode(bits);
            let body = stored.get(start as usize..=all.end as usize).filter(|body| !body.is_empty());
            let body = body.ok_or_else(|| format!("loop {number} has no rows from {start} to {}", all.end))?;
            if u64::from(all.turns) * body.len() as u64 + made.len() as u64 > u64::from(rows) {
                return Err(format!("loop {number} goes beyond the {rows} rows of the program"));
            }
            for turn in 0..all.turns {
                made.extend(body.iter().map(|row| self.row(row, turn, &all.strides, &mut counts)));
            }
            match (is_last, made.len() == rows as usize) {
                (true, true) => return Ok(made),
                (true, false) => return Err(format!("loop {number} is the last, after {} rows of {rows}", made.len())),
                (false, true) => return Err(format!("loop {number} is not the last, after all {rows} rows")),
                (false, false) => start = all.end + 1,
            }
        }
        Err(format!("there is no last loop after {} rows of {rows}", made.len()))
    }

    /// A row of a loop's turn.
    fn row(&self, stored: &BitRow, turn: u32, strides: &[u32], counts: &mut [u32]) -> BitRow {
        let mut row = BitRow::zero(self.row_bits as usize);
        self.stored.iter().enumerate().for_each(|(at, &bit)| row.set(bit as usize, 1, stored.get(at, 1)));
        for (((address, way), &stride), count) in self.addresses.iter().zip(strides).zip(counts) {
            let (at, width) = (address.field.at as usize, address.field.width as usize);
            match way {
                Way::Fixed | Way::Stored => {}
                Way::Strided => {
                    let value = address.sum(row.get(at, width), stride.wrapping_mul(turn));
                    row.set(at, width, value);
                }
                Way::Counted => {
                    row.set(at, width, *count);
                    if address.is_used(&row) {
                        *count = (*count + 1) % address.depth;
                    }
                }
            }
        }
        row
    }
}
