//! The C face of POPS: couplers in one vector, and a receive port for each processor.

use super::{Channels, Port, Shim, rendered};
use crate::cosim::build::Parts;
use crate::lower::{Fabric, PopsLowered, Registers as _};

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
