//! Multipliers and memories of a tile, the same for all tiles.

use crate::collective::{Product, ProductKind};
use crate::lower::swapped_dragonfly::Frame;
use crate::program::form::swapped_dragonfly::product::{Layout, ProductSchedule, Stage};

/// The parameters of `mn_product_tile.v`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs)] // the names are those of the Verilog parameters, explained in mn_product_endpoint.v
pub struct Shape {
    pub kind: ProductKind,
    /// True if a router has K blocks of the matrix.
    pub linear: bool,
    /// Rows of routers that a column of the matrix meets: K of D3(K²,M) or of D3(K,M).
    pub side: u32,
    pub element_bits: u32,
    pub signed: bool,
    pub sum_cycles: u32,
    pub column: bool,
    pub arithmetic: bool,
    pub one_sum: bool,
    pub back: bool,
    pub block: u32,
    pub groups: u32,
    pub terms: u32,
    pub banks: u32,
    pub split: bool,
    pub held: u32,
    pub matrix_rows: u32,
    pub operand_banks: u32,
    pub operand_words: u32,
    pub result_banks: u32,
    pub result_words: u32,
    pub back_banks: u32,
    pub back_words: u32,
    /// Ports that feed each lane, by lane.
    pub lanes: Vec<Vec<usize>>,
}

impl Shape {
    pub(super) fn new(frame: &Frame, product: &Product, schedule: &ProductSchedule) -> Self {
        let (net, kind, x) = (&frame.network, product.kind, schedule.block);
        let (linear, side) = match schedule.layout {
            Layout::Square { side } => (false, side),
            Layout::Linear => (true, frame.k),
        };
        let globals: Vec<usize> = (0..frame.k).map(|gamma| net.global_port(gamma)).collect();
        let locals: Vec<usize> = (1..frame.m).map(|x| net.local_port(x)).collect();
        let column = kind == ProductKind::MatrixVector;
        let whole = matches!(kind, ProductKind::MatrixMatrix | ProductKind::Transpose);
        let lanes = match kind {
            // a lane for the rows of each u, which come by ports of their own
            ProductKind::MatrixMatrix => {
                std::iter::once(globals).chain(locals.into_iter().map(|port| vec![port])).collect()
            }
            ProductKind::VectorMatrix => vec![locals.into_iter().chain(globals).collect()],
            ProductKind::MatrixVector if linear => globals.into_iter().map(|port| vec![port]).collect(),
            _ => vec![globals],
        };
        let terms = if column { lanes.len() as u32 } else { 1 };
        Self {
            kind,
            linear,
            side,
            element_bits: product.element_bits,
            signed: product.signed,
            sum_cycles: schedule.mac_cycles.max(2),
            column,
            arithmetic: kind != ProductKind::Transpose,
            one_sum: schedule.result == Stage::Sum,
            back: schedule.result == Stage::Returned,
            block: x,
            groups: lanes.len() as u32 / terms,
            terms,
            banks: match kind {
                ProductKind::MatrixMatrix => side,
                ProductKind::VectorMatrix if linear => side,
                _ => 1,
            },
            split: linear && matches!(kind, ProductKind::MatrixMatrix | ProductKind::VectorMatrix),
            held: 1,
            matrix_rows: if column && linear { side * x } else { x },
            operand_banks: if linear && !column { side } else { 1 },
            operand_words: if whole { x * x } else { x },
            result_banks: if linear && !column { side } else { 1 },
            result_words: if whole { x * x } else { x },
            back_banks: if linear && kind == ProductKind::MatrixMatrix { side } else { 1 },
            back_words: 1,
            lanes,
        }
    }

    /// Elements of a row of the matrix that a tile has.
    pub fn row_elements(&self) -> u32 {
        if self.split { self.banks * self.block } else { self.block }
    }

    /// Words that are loaded into a tile: its rows of the matrix, then its part of the operand.
    pub fn loads(&self) -> u32 {
        let matrix = if self.arithmetic { self.matrix_rows * self.row_elements() } else { 0 };
        matrix + self.operand_banks * self.operand_words
    }

    /// Words that are read out of a tile.
    pub fn results(&self) -> u32 {
        self.result_banks * self.result_words
    }

    /// Products that a tile can hold.
    pub fn held_products(&self) -> u32 {
        if self.arithmetic { self.groups * self.banks * self.held * self.block } else { 0 }
    }

    /// Multipliers of a tile.
    pub fn multipliers(&self) -> u32 {
        if self.arithmetic { self.groups * self.terms * self.row_elements() } else { 0 }
    }

    /// The lane of a port, if it has one.
    pub(super) fn lane(&self, port: usize) -> Option<usize> {
        self.lanes.iter().position(|ports| ports.contains(&port))
    }
}
