//! The C face of a network, from its template.

use super::build::Parts;
use super::tile_streams::TileStreams;
use crate::lower::swapped_dragonfly::{AllToAllLowered, ExchangeLowered, Frame, ProductLowered, StreamLowered};
use crate::lower::{Fabric, PopsLowered, Registers as _, SlotTableLowered};
use crate::spec::Placement;
use crate::topology::Topology;
use askama::Template;

/// Verilator configuration of the signals that are visible to the shim.
const OBSERVE: &str = include_str!("../../sim/observe.vlt");
/// Probe module beside `mn_receive_port`: registers for the shims, since the port itself has none.
const RECEIVE_PROBE: (&str, &str) = ("mn_receive_probe.sv", include_str!("../../sim/mn_receive_probe.sv"));

/// A tile and its receive ports, as Verilator names them.
struct Tile {
    prefix: String,
    ports: Vec<Port>,
}

/// Channel registers, by class: vectors of as many as the network's layout has a tile.
struct Channels {
    local: String,
    global: Option<String>,
}

/// A receive port.
#[derive(Clone)]
struct Port {
    valid: String,
    payload: String,
}

impl Port {
    /// The registers of this instance.
    fn register(instance: &str) -> Self {
        Self { valid: format!("{instance}__DOT__valid_q"), payload: format!("{instance}__DOT__data_q") }
    }

    /// The registers of the probe of an `mn_receive_port`.
    fn probe(prefix: &str) -> Self {
        Self::register(&format!("{prefix}u_receive__DOT__u_probe"))
    }
}

#[derive(Template)]
#[template(path = "shim.cpp", escape = "none")]
struct Shim<'a> {
    p: &'a Fabric,
    /// Local and global channels of an entry of `channels`, and bits of each.
    locals: usize,
    globals: usize,
    local_bits: usize,
    global_bits: usize,
    channels: Vec<Channels>,
    /// The ports of each tile.
    receives: Vec<Vec<Port>>,
    /// Streams of the tiles' own; none where the top has the host stream.
    tiles: Option<TileStreams>,
}

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

/// Additions of the form `top` to the Verilog of POPS, whose couplers are one vector of the network.
///
/// # Errors
/// Only by a defect of metronoc.
pub fn pops_parts(lowered: &PopsLowered) -> Result<Parts, askama::Error> {
    let network = "mn_top__DOT__u_network__DOT__";
    let (fabric, layout) = (Fabric::from(lowered.frame.clone()), lowered.frame.layout());
    let receive = |i: u32| vec![Port::register(&format!("{network}u_processor_{i}"))];
    rendered(&Shim {
        p: &fabric,
        locals: layout.ports() * lowered.frame.network.g() as usize,
        globals: 0,
        local_bits: layout.local_bits(),
        global_bits: 1,
        channels: vec![Channels { local: format!("{network}coupler"), global: None }],
        receives: (0..fabric.tiles).map(receive).collect(),
        tiles: None,
    })
}

/// Additions of the form `top` to the Verilog of slot tables, whose channels are one vector of the network.
///
/// # Errors
/// Only by a defect of metronoc.
pub fn slot_table_parts(lowered: &SlotTableLowered) -> Result<Parts, askama::Error> {
    let layout = lowered.frame.layout();
    rendered(&Shim {
        p: &lowered.frame.clone().into(),
        locals: layout.ports() * layout.tiles(),
        globals: 0,
        local_bits: layout.local_bits(),
        global_bits: 1,
        channels: vec![Channels { local: "mn_top__DOT__u_network__DOT__channel".to_owned(), global: None }],
        receives: vec![Vec::new(); layout.tiles()],
        tiles: lowered.ports.as_ref().map(|ports| TileStreams::new(lowered, ports)),
    })
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

/// Parts of a shim with the probe of the receive ports beside the Verilog.
pub(super) fn probed(mut parts: Parts) -> Parts {
    let (name, text) = RECEIVE_PROBE;
    parts.beside.push((name, text.to_owned()));
    parts
}

fn rendered(shim: &Shim<'_>) -> Result<Parts, askama::Error> {
    let shim = shim.render()?;
    let beside = vec![("observe.vlt", OBSERVE.to_owned()), ("shim.cpp", shim)];
    Ok(Parts { top: "mn_top", beside, without: &[], parameters: Vec::new(), defines: Vec::new() })
}
