//! The C face of slot tables: channels in one vector.

mod tile_streams;

pub(super) use tile_streams::TileStreams;

use super::{Channels, Shim, rendered};
use crate::cosim::build::Parts;
use crate::lower::{Registers as _, SlotTableLowered};

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
