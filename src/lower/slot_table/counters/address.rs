//! Addresses of banks in a row, and the rows in which they count.

use crate::lower::bits::BitRow;
use crate::lower::slot_table::fields::{Field, Fields};
use crate::lower::slot_table::table::Shape;

/// Address of a bank in a row: the one that is read, or the one that is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address {
    /// Bits of the address in a row.
    pub field: Field,
    /// Words of the bank.
    pub depth: u32,
    /// Bits of a row, one of which is set where the address is used: the bank's crosspoints, or its write enable.
    pub uses: Vec<u32>,
}

impl Address {
    /// All addresses of a row that have bits, lowest first.
    pub fn all(shape: &Shape, fields: &Fields) -> Vec<Self> {
        let mut all = Vec::new();
        for ((number, bank), bits) in (0..).zip(&shape.banks).zip(&fields.banks) {
            let source = shape.inputs() + number;
            let crosspoints = (0..).zip(&shape.crosspoints).filter(|(_, crosspoint)| crosspoint.source == source);
            let (depth, uses) = (bank.depth, crosspoints.map(|(at, _)| at).collect());
            all.push(Self { field: bits.read, depth, uses });
            all.extend(bits.write.map(|(enable, field)| Self { field, depth, uses: vec![enable] }));
        }
        all.retain(|address| address.field.width > 0);
        all
    }

    /// True if the row uses the address.
    pub fn is_used(&self, row: &BitRow) -> bool {
        self.uses.iter().any(|&bit| row.get(bit as usize, 1) == 1)
    }

    /// The address, in a row that uses it.
    pub fn value(&self, row: &BitRow) -> Option<u32> {
        self.is_used(row).then(|| row.get(self.field.at as usize, self.field.width as usize))
    }

    /// Sum of two addresses as adders of so many bits have it.
    pub fn sum(&self, a: u32, b: u32) -> u32 {
        a.wrapping_add(b) & self.mask()
    }

    /// Stride from one address to another.
    pub fn stride(&self, from: u32, to: u32) -> u32 {
        to.wrapping_sub(from) & self.mask()
    }

    fn mask(&self) -> u32 {
        u32::MAX >> (u32::BITS - self.field.width)
    }
}
