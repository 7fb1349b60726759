//! Registers of slot-table routers: a channel for each port.

use super::frame::SlotFrame;
use crate::id::NodeId;
use crate::lower::Ring;
use crate::lower::fabric::Registers;
use crate::lower::layout::{Layout, Point, PointKind};
use crate::topology::Topology;

impl Registers for SlotFrame {
    fn ring(&self) -> &Ring {
        &self.ring
    }

    fn network(&self) -> &dyn Topology {
        &self.network
    }

    fn tiles_name(&self) -> &'static str {
        "nodes"
    }

    fn tile_name(&self, tile: usize) -> String {
        format!("node {}", self.label(tile.into()))
    }

    /// As many channels for each node as the node with the most has.
    fn layout(&self) -> Layout {
        let tiles = self.tiles as usize;
        Layout::alike([tiles, self.network.ports()], [tiles, 0], self.payload_bits() as usize + 1)
    }

    fn shown(&self, kind: PointKind, node: NodeId, port: usize) -> Option<Point> {
        (kind == PointKind::Channel).then_some(Point { tile: node, port, kind })
    }

    fn place(&self, point: Point) -> String {
        format!("channel {} of node {}", point.port, self.label(point.tile))
    }

    fn signal(&self, point: Point) -> (String, String) {
        (format!("node_{}", point.tile.get()), format!("channel_{}", point.port))
    }

    fn fault_port(&self, _tile: usize, port: usize) -> String {
        format!("port {port}")
    }
}
