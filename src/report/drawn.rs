//! Networks as reports show them: name, drawing and unit of time.

use super::drawing::Drawing;
use crate::topology::{Pops, SwappedDragonfly};

/// Network on a page.
#[derive(Debug)]
pub struct Drawn {
    /// Name and sizes: `D3(2,3)`, `torus 8 × 8`.
    pub network: String,
    /// Drawing.
    pub drawing: Drawing,
    /// Name of a unit of time: `cycle` or `slot`.
    pub unit: &'static str,
}

impl From<&SwappedDragonfly> for Drawn {
    fn from(net: &SwappedDragonfly) -> Self {
        let network = format!("D3({},{})", net.k(), net.m());
        Self { network, drawing: Drawing::of_swapped_dragonfly(net), unit: "cycle" }
    }
}

impl From<&Pops> for Drawn {
    fn from(net: &Pops) -> Self {
        Self { network: net.to_string(), drawing: Drawing::of_pops(*net), unit: "slot" }
    }
}
