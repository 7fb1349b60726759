//! Couplers of partitioned optical passive stars (`mn_pops_coupler`) beside the LUTs of a plain AND-OR.

use super::{Area, Failure, WIDTH, Wrapped, median, wrapped};
use metronoc::tool::ToolSet;
use serde::{Deserialize, Serialize};
use std::fmt::Write;

/// Senders.
pub const SENDERS: [u32; 3] = [4, 8, 16];
/// Modes, by the module's number.
pub const MODES: [&str; 3] = ["scheduled", "fixed priority", "round-robin"];

/// A coupler of one size and mode.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Coupler {
    pub d: u32,
    /// As in the module.
    pub mode: u32,
    pub area: Area,
    /// Clock between registers, by seed of place and route.
    pub mhz: Vec<f64>,
}

/// LUTs of the payload as a plain AND-OR: 2d inputs a bit.
pub fn and_or(d: u32) -> u32 {
    (2 * d - 1).div_ceil(3) * WIDTH
}

/// A bare coupler.
pub fn coupler(tools: &ToolSet, d: u32, mode: u32) -> Result<Area, Failure> {
    wrapped(tools, &Wrapped::coupler(d, mode))
}

/// The table in Markdown.
pub fn table(couplers: &[Coupler]) -> String {
    let mut text = "| senders | mode | LUT | of AND-OR | registers | MHz |\n|---|---|---|---|---|---|\n".to_owned();
    for one in couplers {
        let clock = median(&one.mhz).map_or("-".into(), |clock| format!("{clock:.0}"));
        let _ = writeln!(
            text, // a String takes everything
            "| {} | {} | {} | {:.2} | {} | {clock} |",
            one.d,
            MODES[one.mode as usize],
            one.area.luts,
            one.area.luts as f64 / f64::from(and_or(one.d)),
            one.area.registers
        );
    }
    text
}
