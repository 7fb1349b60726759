//! The C face of a network, from its template.

mod pops;
mod slot_table;
mod swapped_dragonfly;

pub use pops::pops_parts;
pub use slot_table::slot_table_parts;
pub use swapped_dragonfly::{exchange_parts, product_parts, source_vector_parts, stream_parts};

use super::build::Parts;
use crate::lower::Fabric;
use askama::Template;
use slot_table::TileStreams;

/// Verilator configuration of the signals that are visible to the shim.
const OBSERVE: &str = include_str!("../../../sim/observe.vlt");
/// Probe module beside `mn_receive_port`: registers for the shims, since the port itself has none.
const RECEIVE_PROBE: (&str, &str) = ("mn_receive_probe.sv", include_str!("../../../sim/mn_receive_probe.sv"));

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
