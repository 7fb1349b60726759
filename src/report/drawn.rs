//! Networks as reports show them: name, drawing and unit of time.

use super::drawing::Drawing;

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
