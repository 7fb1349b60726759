//! Layout of a product's matrices over routers, as the checker sees it.

use crate::collective::{Product, ProductKind};
use crate::id::NodeId;
use crate::program::form::swapped_dragonfly::product::{Layout, ProductSchedule, Stage};
use crate::topology::SwappedDragonfly;

/// Layout of operands and results over routers; the checker's own, on numbers alone.
pub(super) struct Map {
    net: SwappedDragonfly,
    layout: Layout,
    block: u32,
    kind: ProductKind,
    result: Stage,
    order: u32,
}

impl Map {
    pub(super) fn new(net: &SwappedDragonfly, schedule: &ProductSchedule, product: &Product) -> Self {
        let ProductSchedule { layout, block, kind, result, .. } = *schedule;
        Self { net: *net, layout, block, kind, result, order: product.order }
    }

    /// The router of row i and column j.
    pub(super) fn holder(&self, i: u32, j: u32) -> NodeId {
        let m = self.net.m();
        let (i, j) = (i / self.block, j / self.block);
        let c = match self.layout {
            Layout::Square { side } => i / m + j / m * side,
            Layout::Linear => i / m,
        };
        NodeId::new((c * m + i % m) * m + j % m)
    }

    /// Router of an element of the operand, and of a result in the same layout.
    pub(super) fn operand(&self, vector: u32, element: u32) -> NodeId {
        match self.kind {
            ProductKind::MatrixVector => self.holder(element, vector),
            _ => self.holder(vector, element),
        }
    }

    /// Router of an element of the operand's transpose.
    fn transposed(&self, vector: u32, element: u32) -> NodeId {
        match self.kind {
            ProductKind::MatrixVector => self.holder(vector, element),
            _ => self.holder(element, vector),
        }
    }

    /// Router of an element of the result; of a transpose, by its vector and element in the operand.
    pub(super) fn result(&self, vector: u32, element: u32) -> NodeId {
        match self.result {
            Stage::Result => self.transposed(vector, element),
            _ => self.operand(vector, element),
        }
    }

    /// The elements of the result for which a router has a matrix element that meets an element of the operand, and the
    /// position of that in the matrix.
    pub(super) fn partners(&self, node: NodeId, element: u32) -> impl Iterator<Item = (u32, usize)> {
        let (n, m, x) = (self.order, self.net.m(), self.block);
        let column = self.kind == ProductKind::MatrixVector;
        // of all elements, only those whose block can be here are looked at
        let low = if column { node.get() / m % m } else { node.get() % m };
        (0..n / (m * x)).flat_map(move |high| (0..x).map(move |i| (high * m + low) * x + i)).filter_map(move |other| {
            let (i, j) = if column { (other, element) } else { (element, other) };
            (self.holder(i, j) == node).then_some((other, i as usize * n as usize + j as usize))
        })
    }
}
