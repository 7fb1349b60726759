//! Constants of a tile as bits: the constant inputs of `mn_product_tile.v`.

use super::{ProductLowered, TileProgram};
use crate::lower::bits::BitRow;
use crate::lower::bits::field;
use crate::lower::swapped_dragonfly::flit;
use crate::topology::Topology;

/// The constants of a tile, each with the first port or bank in the low position.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs)] // the names are those of the Verilog ports, explained in mn_product_endpoint.v
pub struct Constants {
    pub diagonal: BitRow,
    pub operand_on: BitRow,
    pub operand_bank: BitRow,
    pub operand_header: BitRow,
    pub product_port: BitRow,
    pub back_port: BitRow,
    pub result_bank: BitRow,
    /// Steps of the counters that replace the slot table, see `mn_product_counter.v`.
    pub steps: BitRow,
}

impl Constants {
    /// All of them, the first in the low position.
    pub fn all(&self) -> BitRow {
        let parts = [
            &self.diagonal,
            &self.operand_on,
            &self.operand_bank,
            &self.operand_header,
            &self.product_port,
            &self.back_port,
            &self.result_bank,
            &self.steps,
        ];
        let bits = parts.into_iter().flat_map(|part| (0..part.width()).map(move |bit| part.get(bit, 1)));
        numbers(1, bits)
    }
}

/// Numbers of `width` bits each, the first in the low position.
fn numbers(width: usize, values: impl IntoIterator<Item = u32>) -> BitRow {
    let values: Vec<u32> = values.into_iter().collect();
    let mut row = BitRow::zero(values.len() * width);
    values.iter().enumerate().for_each(|(i, &value)| row.set(i * width, width, value));
    row
}

/// Bits of a number below `count`.
fn bits(count: u32) -> usize {
    field(count) as usize
}

impl ProductLowered {
    /// The constants of a tile.
    pub fn constants(&self, tile: usize) -> Constants {
        let (p, shape) = (&self.frame, &self.shape);
        let at = p.network.address(tile.into());
        let TileProgram { operands, product_ports, back_ports, result_banks, .. } = &self.tiles[tile];
        let local = p.network.local_ports();
        let headers = operands.iter().enumerate().flat_map(|(port, operand)| {
            let width = p.header.bits(p.k, p.m, port < local);
            let bit = move |bit| operand.as_ref().map_or(0, |(header, _)| header.get(bit, 1));
            (0..width as usize).map(bit)
        });
        let bank = operands.iter().map(|operand| operand.as_ref().map_or(0, |operand| operand.1));
        Constants {
            diagonal: flit::diagonal(p, at),
            operand_on: numbers(1, operands.iter().map(|operand| operand.is_some().into())),
            operand_bank: numbers(bits(shape.operand_banks), bank),
            operand_header: numbers(1, headers),
            product_port: numbers(bits(p.network.ports() as u32 + 1), product_ports.iter().copied()),
            back_port: numbers(bits(p.network.ports() as u32 + 1), back_ports.iter().copied()),
            result_bank: numbers(bits(shape.result_banks), result_banks.iter().copied()),
            steps: self.counters.as_ref().map_or(BitRow::zero(0), |counters| counters.constants(tile)),
        }
    }
}
