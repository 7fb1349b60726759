//! Bits of a row and of a place, and the images that are made of them.

use super::table::{Bank, Feeder, NodeTable, Row, Shape};
use crate::lower::bits::BitRow;
use crate::lower::bits::field;

/// Bits of a number in a row: none if it has one value only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Field {
    /// Number of the lowest bit.
    pub at: u32,
    /// Number of bits.
    pub width: u32,
}

impl Field {
    /// True if the bit is one of its own.
    pub fn has(self, bit: u32) -> bool {
        (self.at..self.at + self.width).contains(&bit)
    }
}

/// Bits of a row that are for a bank.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BankFields {
    /// Address that is read.
    pub read: Field,
    /// Number of the bit that forwards the word past the memory.
    pub forward: Option<u32>,
    /// Write enable and address, of banks of an input.
    pub write: Option<(u32, Field)>,
}

/// Layout of a node's rows and places. Layout of a row, from bit 0 on: one bit for each crosspoint; for each bank its
/// read address, {forward}, {write enable, address}; for each operator one bit for each kind, if there are several.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fields {
    /// Fields of each bank, by bank.
    pub banks: Vec<BankFields>,
    /// The first bit of each operator's kinds; empty with one kind.
    pub kinds: Vec<u32>,
    /// Bits of a row.
    pub row_bits: u32,
    /// Address of a load, above the mask of banks.
    pub load: Field,
    /// Place among the banks of results, and address, of a result.
    pub result: [Field; 2],
    /// Bits of a place.
    pub place_bits: u32,
}

/// Bits of an address.
fn address_bits(depth: u32) -> u32 {
    if depth > 1 { field(depth) } else { 0 }
}

impl Fields {
    /// The layout for a node's hardware.
    pub fn new(shape: &Shape) -> Self {
        let mut next = shape.crosspoints.len() as u32;
        let mut take = |width: u32| {
            let at = next;
            next += width;
            Field { at, width }
        };
        let mut banks = Vec::with_capacity(shape.banks.len());
        for bank in &shape.banks {
            let bits = address_bits(bank.depth);
            let read = take(bits);
            let forward = bank.forward.then(|| take(1).at);
            let write = (bank.feeder != Feeder::Host).then(|| (take(1).at, take(bits)));
            banks.push(BankFields { read, forward, write });
        }
        let several = if shape.kinds.len() > 1 { shape.operators.0 } else { 0 };
        let kinds = (0..several).map(|_| take(shape.kinds.len() as u32).at).collect();
        let widest = |banks: &[Bank]| banks.iter().map(|bank| address_bits(bank.depth)).max().unwrap_or(0);
        let load = Field { at: shape.hosts, width: widest(&shape.banks[..shape.hosts as usize]) };
        let bank = Field { at: 0, width: field(shape.results.len() as u32) };
        let shown: Vec<Bank> = shape.results.iter().map(|&bank| shape.banks[bank as usize]).collect();
        let address = Field { at: bank.width, width: widest(&shown) };
        Self {
            banks,
            kinds,
            row_bits: next.max(1),
            load,
            result: [bank, address],
            place_bits: (load.at + load.width).max(address.at + address.width),
        }
    }

    fn row(&self, shape: &Shape, row: &Row) -> BitRow {
        let mut bits = BitRow::zero(self.row_bits as usize);
        let mut set = |field: Field, value: u32| bits.set(field.at as usize, field.width as usize, value);
        let one = |at: u32| Field { at, width: 1 };
        for (at, crosspoint) in (0..).zip(&shape.crosspoints) {
            if row.selects.get(&crosspoint.output) == Some(&crosspoint.source) {
                set(one(at), 1);
            }
        }
        for (bank, fields) in (0..).zip(&self.banks) {
            if let Some(read) = row.reads.get(&bank) {
                set(fields.read, read.address);
                if let (true, Some(at)) = (read.forward, fields.forward) {
                    set(one(at), 1);
                }
            }
            if let (Some(&address), Some((enable, field))) = (row.writes.get(&bank), fields.write) {
                set(one(enable), 1);
                set(field, address);
            }
        }
        for (unit, &at) in (0..).zip(&self.kinds) {
            let bit = row.kinds.get(&unit).and_then(|kind| shape.kinds.iter().position(|other| other == kind));
            if let Some(bit) = bit {
                set(one(at + bit as u32), 1);
            }
        }
        bits
    }

    /// All rows of a node's table.
    pub fn rows(&self, node: &NodeTable) -> Vec<BitRow> {
        node.rows.iter().map(|row| self.row(&node.shape, row)).collect()
    }

    /// All places of a node: of its load places and of `results` words that are read. The last of each may be none.
    pub fn places(&self, node: &NodeTable, results: u32) -> Vec<BitRow> {
        let zero = || BitRow::zero(self.place_bits as usize);
        let loads = node.loads.iter().map(|load| {
            let mut bits = zero();
            load.places.iter().for_each(|place| bits.set(place.bank as usize, 1, 1));
            let address = load.places.first().map_or(0, |place| place.address);
            bits.set(self.load.at as usize, self.load.width as usize, address);
            bits
        });
        let results = (0..results as usize).map(|i| {
            let mut bits = zero();
            if let Some(place) = node.read_place(i)
                && let Ok(number) = node.shape.results.binary_search(&place.bank)
            {
                let [bank, address] = self.result;
                bits.set(bank.at as usize, bank.width as usize, number as u32);
                bits.set(address.at as usize, address.width as usize, place.address);
            }
            bits
        });
        let idle = (node.load_places as usize).saturating_sub(node.loads.len());
        loads.chain((0..idle).map(|_| zero())).chain(results).collect()
    }
}
