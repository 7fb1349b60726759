//! The C face of Swapped Dragonflies: receive ports by tile, and a vector of local and of global channels.

use super::{Channels, Port, Shim, Tile, probed, rendered};
use crate::cosim::build::Parts;
use crate::lower::swapped_dragonfly::{AllToAllLowered, ExchangeLowered, Frame, ProductLowered, StreamLowered};
use crate::spec::Placement;
use crate::topology::Topology;

/// Additions of the form `top` to the Verilog of an all-to-all.
///
/// # Errors
/// Only by a defect of metronoc.
pub fn source_vector_parts(lowered: &AllToAllLowered) -> Result<Parts, askama::Error> {
    let p = &lowered.parameters;
    let (net, shared) = (&p.network, lowered.placement == Placement::Shared);
    let tiles = (0..net.nodes()).map(|node| {
        let at = net.address(node.into());
        let name = format!("{}_{}_{}", at.c, at.d, at.p);
        let instance = if shared { format!("u_tile_{name}") } else { format!("u_node_{name}__DOT__u_tile") };
        let prefix = format!("mn_top__DOT__u_network__DOT__{instance}__DOT__");
        let receive = |class: &str, index: u32| {
            Port::probe(&format!("{prefix}u_endpoint__DOT__gen_{class}__BRA__{index}__KET____DOT__"))
        };
        let locals = (1..p.m).map(|x| receive("local", x));
        let ports = locals.chain((0..p.k).map(|gamma| receive("global", gamma))).collect();
        Tile { prefix, ports }
    });
    Ok(probed(complete(p, tiles.collect())?))
}

/// Additions of the form `top` to the Verilog of a stream.
///
/// # Errors
/// Only by a defect of metronoc.
pub fn stream_parts(lowered: &StreamLowered) -> Result<Parts, askama::Error> {
    Ok(probed(by_port(&lowered.frame, "u_endpoint__DOT__gen_port", Port::probe)?))
}

/// Additions of the form `top` to the Verilog of a product.
///
/// # Errors
/// Only by a defect of metronoc.
pub fn product_parts(lowered: &ProductLowered) -> Result<Parts, askama::Error> {
    let register = |prefix: &str| Port::register(&format!("{prefix}u_receive"));
    by_port(&lowered.frame, "u_endpoint__DOT__gen_receive", register)
}

/// Additions of the form `top` to the Verilog of exchanges, whose endpoints take words from the channels themselves.
///
/// # Errors
/// Only by a defect of metronoc.
pub fn exchange_parts(lowered: &ExchangeLowered) -> Result<Parts, askama::Error> {
    let taken = |prefix: &str| Port { valid: format!("{prefix}taken"), payload: format!("{prefix}taken_payload") };
    by_port(&lowered.frame, "u_endpoint__DOT__u_ports__DOT__gen_port", taken)
}

/// The parts of a top whose network has the tiles themselves, with all ports in one array of generate blocks.
fn by_port(p: &Frame, blocks: &str, port: impl Fn(&str) -> Port) -> Result<Parts, askama::Error> {
    let tiles = (0..p.tiles as usize).map(|tile| {
        let at = p.address(tile);
        let prefix = format!("mn_top__DOT__u_network__DOT__u_tile_{}_{}_{}__DOT__", at.c, at.d, at.p);
        let of = |index| port(&format!("{prefix}{blocks}__BRA__{index}__KET____DOT__"));
        let ports = (0..p.network.ports()).map(of).collect();
        Tile { prefix, ports }
    });
    complete(p, tiles.collect())
}

fn complete(p: &Frame, tiles: Vec<Tile>) -> Result<Parts, askama::Error> {
    let vectors = |tile: &Tile| Channels {
        local: format!("{}local_o", tile.prefix),
        global: Some(format!("{}global_o", tile.prefix)),
    };
    rendered(&Shim {
        p: &p.clone().into(),
        locals: p.local_ports() as usize,
        globals: p.k as usize,
        local_bits: p.local_channel_bits as usize,
        global_bits: p.global_channel_bits as usize,
        channels: tiles.iter().map(vectors).collect(),
        receives: tiles.into_iter().map(|tile| tile.ports).collect(),
        tiles: None,
    })
}
