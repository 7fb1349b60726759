//! Registers of POPS: couplers `{valid, payload}` in place of channels, all those that group 0 hears first, and one receive port for
//! each processor.

use super::frame::PopsFrame;
use crate::id::NodeId;
use crate::lower::Ring;
use crate::lower::fabric::Registers;
use crate::lower::layout::{Layout, Point, PointKind};
use crate::topology::Topology;

impl Registers for PopsFrame {
    fn ring(&self) -> &Ring {
        &self.ring
    }

    fn network(&self) -> &dyn Topology {
        &self.network
    }

    fn tiles_name(&self) -> &'static str {
        "processors"
    }

    fn tile_name(&self, tile: usize) -> String {
        format!("processor {tile}")
    }

    /// The couplers of a group are its local ports.
    fn layout(&self) -> Layout {
        let groups = self.network.g() as usize;
        Layout::alike([groups; 2], [self.tiles as usize, 1], self.payload_bits() as usize + 1)
    }

    /// A coupler's own register is in front of it, and a processor has one receive port.
    fn shown(&self, kind: PointKind, node: NodeId, port: usize) -> Option<Point> {
        let is_processor = node.get() < self.tiles;
        is_processor.then(|| match kind {
            PointKind::Channel => Point { tile: port.into(), port: self.network.group(node.get()) as usize, kind },
            PointKind::Receive => Point { tile: node, port: 0, kind },
        })
    }

    fn place(&self, point: Point) -> String {
        match point.kind {
            PointKind::Channel => format!("coupler c({},{})", point.tile.get(), point.port),
            PointKind::Receive => format!("the receiver of processor {}", point.tile.get()),
        }
    }

    fn signal(&self, point: Point) -> (String, String) {
        let tile = point.tile.get();
        match point.kind {
            PointKind::Channel => (format!("group_{tile}"), format!("coupler_{tile}_{}", point.port)),
            PointKind::Receive => (format!("processor_{tile}"), "receive".to_owned()),
        }
    }

    fn fault_port(&self, tile: usize, port: usize) -> String {
        format!("coupler c({},{port})", self.network.group(tile as u32))
    }
}
