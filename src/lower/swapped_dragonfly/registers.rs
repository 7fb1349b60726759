//! Registers of a Swapped Dragonfly: a channel for each port, local ports 1..M-1, then global ports 0..K-1, and a receive port
//! behind it. A channel register is such as `{last, pi[M], gamma[K], payload}` or `{pi[M], payload}`.

use super::frame::Frame;
use super::header_form::HeaderForm;
use crate::lower::Ring;
use crate::lower::fabric::Registers;
use crate::lower::layout::{Layout, Point, PointKind};
use crate::lower::reading::Reading;
use crate::topology::Topology;

impl Registers for Frame {
    fn ring(&self) -> &Ring {
        &self.ring
    }

    fn network(&self) -> &dyn Topology {
        &self.network
    }

    fn networks(&self) -> usize {
        Frame::networks(self)
    }

    fn tiles_name(&self) -> &'static str {
        "routers"
    }

    fn tile_name(&self, tile: usize) -> String {
        format!("router {}", self.label(tile))
    }

    fn layout(&self) -> Layout {
        Layout { channel_tiles: self.tiles as usize, tiles: self.tiles as usize, ..self.layout_of_one() }
    }

    fn layout_of_one(&self) -> Layout {
        Layout {
            channel_tiles: self.network.nodes(),
            tiles: self.network.nodes(),
            local_ports: self.network.local_ports(),
            global_ports: self.k as usize,
            receive_ports: self.network.ports(),
            local_bits: self.local_channel_bits as usize,
            global_bits: self.global_channel_bits as usize,
            receive_bits: self.payload_bits() as usize + 1,
        }
    }

    fn place(&self, point: Point) -> String {
        let kind = match point.kind {
            PointKind::Channel => "channel",
            PointKind::Receive => "receive port",
        };
        let router = self.label(point.tile.index());
        format!("{kind} {} of router {router}", self.network.port_name(point.port))
    }

    fn signal(&self, point: Point) -> (String, String) {
        let at = self.address(point.tile.index());
        let port = match point.port.checked_sub(self.network.local_ports()) {
            None => format!("local_{}", point.port + 1),
            Some(gamma) => format!("global_{gamma}"),
        };
        let name = if point.kind == PointKind::Receive { format!("receive_{port}") } else { port };
        (format!("tile_{}_{}_{}", at.c, at.d, at.p), name)
    }

    fn header(&self, point: Point) -> Vec<(&'static str, u32)> {
        let local = point.port < self.network.local_ports();
        match point.kind {
            PointKind::Channel => self.header.fields(self.k, self.m, local),
            PointKind::Receive => vec![("valid", 1)],
        }
    }

    fn told(&self, point: Point, reading: &Reading<'_>) -> String {
        let has = |name: &str, said: &'static str| if reading.is_set(name) { said } else { "" };
        if reading.has("valid") {
            return match (point.kind, reading.is_set("valid")) {
                (PointKind::Receive, true) => "valid",
                (PointKind::Receive, false) => "nothing valid",
                (PointKind::Channel, true) => "word",
                (PointKind::Channel, false) => "a word that is not valid",
            }
            .to_owned();
        }
        let pi = reading.one_hot("π", "pi");
        match self.header {
            HeaderForm::SourceVector if reading.has("last") => {
                let header = format!("{}, {pi}", reading.one_hot("γ", "gamma"));
                match (reading.is_set("last"), reading.is_set("gamma") || reading.is_set("pi")) {
                    (true, false) => "last hop".to_owned(),
                    (true, true) => format!("last hop with a header, {header}"),
                    (false, _) => format!("first hop, {header}"),
                }
            }
            HeaderForm::Valid | HeaderForm::SourceVector => pi,
            HeaderForm::Synchronizing | HeaderForm::Carried => {
                let hop = if reading.has("carried") { "one hop with " } else { "" };
                let gamma = if reading.has("gamma") { reading.one_hot("γ", "gamma") + ", " } else { String::new() };
                let (own, keep) = (has("own", ", first hop"), has("keep", ", kept"));
                let (then, copy) = (has("then", ", then all"), has("copy", ", broadcast"));
                format!("{hop}{gamma}{pi}{then}{own}{keep}{copy}")
            }
        }
    }

    fn fault_port(&self, _tile: usize, port: usize) -> String {
        match port {
            // what a router of a product sends to itself
            port if port == self.network.ports() => "itself".to_owned(),
            port => self.network.port_name(port),
        }
    }
}
