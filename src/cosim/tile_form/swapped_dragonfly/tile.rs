//! Tile form of Swapped Dragonflies: files that a tile adds to the Verilog, and its interface.

use crate::cosim::Parts;
use crate::cosim::shim::probed;
use crate::cosim::tile_form::TileInterface;
use crate::cosim::tile_form::library::Feeder;
use crate::cosim::wiring::feeders;
use crate::emit;
use crate::id::NodeId;
use crate::lower::swapped_dragonfly::{AllToAllLowered, Frame, Parameters};
use crate::lower::{Point, PointKind, Registers as _};
use crate::spec::Placement;
use crate::topology::Topology;
use askama::Template;

/// Additions of the tile form to the Verilog of an all-to-all.
///
/// # Errors
/// Only by a defect of metronoc.
pub fn source_vector_parts(lowered: &AllToAllLowered) -> Result<Parts, askama::Error> {
    let (local_receive, global_receive) = ("gen_local[i+1].u_receive.u_probe", "gen_global[i].u_receive.u_probe");
    let mut parts = probed(complete(&lowered.parameters, &Probe { product: false, local_receive, global_receive })?);
    if lowered.placement == Placement::Shared {
        parts.beside.push(("mn_node.v", emit::source_vector_node(lowered)?));
    }
    Ok(parts)
}

/// Wrapper of a node: channels in whole words, and a view of its receive ports.
#[derive(Template)]
#[template(path = "mn_node_probe.v", escape = "none")]
pub(super) struct Probe {
    /// True for a product: the constants of a tile are an input, and there is one program.
    pub product: bool,
    /// Path of the registers of the receive ports: local port i + 1; below, global port i.
    pub local_receive: &'static str,
    pub global_receive: &'static str,
}

/// Additions that every node needs, without the module of the node itself.
pub(super) fn complete(p: &Frame, probe: &Probe) -> Result<Parts, askama::Error> {
    let layout = p.layout();
    let beside = vec![
        ("mn_node_probe.v", probe.render()? + "\n"),
        ("shim_tiles.cpp", include_str!("../../../../sim/shim_tiles.cpp").to_owned()),
    ];
    Ok(Parts {
        top: "mn_node_probe",
        beside,
        without: &["rtl/mn_top.v", "rtl/mn_network.v"],
        parameters: vec![
            ("K", p.k),
            ("M", p.m),
            ("DW", p.data_bits),
            ("W", p.payload_bits()),
            ("TB", p.tile_bits),
            ("LCW", p.local_channel_bits),
            ("GCW", p.global_channel_bits),
        ],
        defines: vec![
            ("MN_LOCAL_PORTS", p.local_ports() as usize),
            ("MN_GLOBAL_PORTS", p.k as usize),
            ("MN_LOCAL_WORDS", layout.local_words()),
            ("MN_GLOBAL_WORDS", layout.global_words()),
            ("MN_RECEIVE_WORDS", layout.receive_words()),
        ],
    })
}

impl TileInterface {
    /// Tiles of a Swapped Dragonfly, with one buffer, that take `loads` words and give `results`.
    pub(in crate::cosim::tile_form) fn of_frame(
        frame: &Frame,
        (loads, results): (usize, usize),
        pass_cycles: u64,
    ) -> Self {
        let (net, layout) = (&frame.network, frame.layout());
        let feeder = |(index, node): (usize, NodeId)| {
            let point = Point { tile: node, port: index % net.ports(), kind: PointKind::Channel };
            Feeder::new(layout.range(point).start, 1)
        };
        let label = |node: usize| {
            let at = net.address(node.into());
            [at.c, at.d, at.p]
        };
        Self {
            ring: frame.ring.clone(),
            layout,
            feeders: feeders(net).into_iter().enumerate().map(feeder).collect(),
            labels: (0..net.nodes()).map(label).collect(),
            loads,
            results,
            counts: None,
            double: false,
            pass_cycles,
            places: Vec::new(),
        }
    }
}

impl From<&Parameters> for TileInterface {
    fn from(p: &Parameters) -> Self {
        let words = p.words_a_tile() as usize;
        Self { double: p.double, ..Self::of_frame(&p.frame, (words, words), p.pass_cycles()) }
    }
}
