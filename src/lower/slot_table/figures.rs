//! Numbers of a network of slot tables.

use super::fields::Fields;
use super::lowered::SlotTableLowered;
use super::table::NodeTable;

/// Numbers of a network of slot tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct SlotTableFigures {
    /// Crosspoints that are built, of all nodes.
    pub crosspoints_used: u32,
    /// Crosspoints of full crossbars.
    pub crosspoints_all: u32,
    /// Bits of the tables that differ, without places and check bytes.
    pub table_bits: u64,
    /// Bits of the tables of all nodes.
    pub table_bits_all: u64,
    /// Bits of all places.
    pub place_bits: u64,
    /// Words of all banks.
    pub bank_words: u32,
}

impl SlotTableLowered {
    /// Numbers of the hardware.
    pub fn figures(&self) -> SlotTableFigures {
        let fields: Vec<Fields> = self.nodes.iter().map(|node| Fields::new(&node.shape)).collect();
        let sum = |of: &dyn Fn(&NodeTable) -> u32| self.nodes.iter().map(of).sum();
        let banks = if self.memory.is_some() { 2 } else { 1 };
        let bits = |f: &Fields| banks * u64::from(f.row_bits) * u64::from(self.rows);
        let table_bits_all = fields.iter().map(bits).sum();
        let places = |(f, node): (&Fields, &NodeTable)| {
            banks * u64::from(f.place_bits) * (u64::from(node.load_places) + u64::from(self.results))
        };
        SlotTableFigures {
            crosspoints_used: sum(&|node| node.shape.crosspoints.len() as u32),
            crosspoints_all: sum(&|node| node.shape.outputs() * node.shape.sources()),
            table_bits: self.first_tables().map(|node| bits(&fields[node])).sum(),
            table_bits_all,
            place_bits: fields.iter().zip(&self.nodes).map(places).sum(),
            bank_words: sum(&|node| node.shape.banks.iter().map(|bank| bank.depth).sum()),
        }
    }
}
