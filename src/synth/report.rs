//! Report of a synthesis: area by module, the clock against its target, and the traffic that the network carries at that clock.

use super::flow::{PLACED, Synthesis, tools};
use super::netlist::{Area, Module};
use super::{Design, SynthError};
use crate::tool::ToolSet;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// The version of the report's format.
pub const FORMAT: &str = "metronoc-synthesis/1";

/// Numbers of a synthesis. The clock is that of static timing analysis for paths inside the chip.
#[derive(Debug, Clone, Serialize)]
pub struct Report {
    /// [`FORMAT`].
    pub format: &'static str,
    /// The network in the field's notation.
    pub network: String,
    /// Bits of a word.
    pub payload_bits: u32,
    /// The name of the schedule's algorithm.
    pub algorithm: String,
    /// Name of the board.
    pub board: String,
    /// Function of the top, as text.
    pub top: &'static str,
    /// The tools and their versions.
    pub tools: Vec<ToolVersion>,
    /// Seed of place and route.
    pub seed: u64,
    /// The clock that was aimed at.
    pub target_mhz: f64,
    /// The clock that was reached.
    pub fmax_mhz: f64,
    /// True if the target was reached.
    pub timing_met: bool,
    /// Kinds of cells of the device, how many are used, and how many there are.
    pub utilization: BTreeMap<String, Use>,
    /// Area of each module, all its instances together.
    pub modules: Vec<Module>,
    /// Sum of the modules' areas.
    pub total: Area,
    /// Path that limits the clock.
    pub critical_path: Vec<Segment>,
    /// Traffic that the network carries.
    pub traffic: Traffic,
}

/// A tool and its version.
#[derive(Debug, Clone, Serialize)]
pub struct ToolVersion {
    /// Name of the tool.
    pub tool: &'static str,
    /// Version of the tool; empty if it prints none.
    pub version: String,
}

/// Number of cells of a kind, in use and in the device.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Use {
    /// Used.
    pub used: u64,
    /// Number in the device.
    pub available: u64,
}

/// A part of a path.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Segment {
    /// `logic`, `routing`, `clk-to-q` or `setup`.
    pub kind: String,
    /// Delay, ns.
    pub ns: f64,
    /// The cell that it leads to.
    pub to: String,
}

/// Traffic of the network when passes of the program follow each other at the clock reached.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Traffic {
    /// Hops over channels, of all packets of a pass.
    pub packet_hops: u64,
    /// Cycles from a pass to the next.
    pub period: u32,
    /// Hops over channels in a cycle, on average.
    pub packet_hops_per_cycle: f64,
    /// Hops over channels in a second.
    pub packet_hops_per_second: f64,
    /// Time from a pass to the next.
    pub pass_us: f64,
    /// Cycles that the self-test reports: from the launch until the host knows of the end in all tiles.
    pub selftest_cycles: u32,
}

#[derive(Deserialize)]
struct Placed {
    fmax: BTreeMap<String, Fmax>,
    utilization: BTreeMap<String, Use>,
    #[serde(default)]
    critical_paths: Vec<Path>,
}

#[derive(Deserialize)]
struct Fmax {
    achieved: f64,
}

#[derive(Deserialize)]
struct Path {
    from: String,
    to: String,
    path: Vec<PathSegment>,
}

#[derive(Deserialize)]
struct PathSegment {
    #[serde(rename = "type")]
    kind: String,
    delay: f64,
    to: Place,
}

#[derive(Deserialize)]
struct Place {
    cell: String,
}

impl Report {
    /// Report of a synthesis, from the files of place and route.
    ///
    /// # Errors
    /// If the report of the tool cannot be read.
    pub(super) fn new(
        synthesis: &Synthesis<'_>,
        modules: Vec<Module>,
        placed: &[u8],
        ready: &ToolSet,
    ) -> Result<Self, SynthError> {
        let used = tools(synthesis.board.family);
        let answer = |reason: String| SynthError::Answer { file: PLACED, tool: used[1], reason };
        let placed: Placed = serde_json::from_slice(placed).map_err(|error| answer(error.to_string()))?;
        let slowest = placed.fmax.values().map(|fmax| fmax.achieved).reduce(f64::min);
        let fmax_mhz = slowest.ok_or_else(|| answer("it tells of no clock".into()))?;
        let internal = placed.critical_paths.into_iter().find(|path| path.from == path.to);
        let critical_path = internal.map_or(Vec::new(), |path| {
            let segment = |s: PathSegment| Segment { kind: s.kind, ns: s.delay, to: s.to.cell };
            path.path.into_iter().map(segment).collect()
        });
        let versions = used
            .into_iter()
            .map(|tool| Ok(ToolVersion { tool: tool.name(), version: ready.found(tool)?.version.clone() }));
        let design = synthesis.design;
        Ok(Self {
            format: FORMAT,
            network: design.network.clone(),
            payload_bits: design.ring.data_bits,
            algorithm: design.algorithm.clone(),
            board: synthesis.board.name.clone(),
            top: synthesis.project.top().name(),
            tools: versions.collect::<Result<_, SynthError>>()?,
            seed: synthesis.options.seed,
            target_mhz: synthesis.options.target_mhz,
            fmax_mhz,
            timing_met: fmax_mhz >= synthesis.options.target_mhz,
            utilization: placed.utilization.into_iter().filter(|(_, cells)| cells.used > 0).collect(),
            total: Area::sum(modules.iter().map(|module| module.area)),
            modules,
            critical_path,
            traffic: Traffic::new(design, fmax_mhz),
        })
    }

    /// The report as JSON text.
    pub fn to_json(&self) -> String {
        // plain structs with text keys
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }
}

impl Traffic {
    fn new(design: &Design, mhz: f64) -> Self {
        let Design { packet_hops, period, selftest_cycles, .. } = *design;
        let per_cycle = packet_hops as f64 / f64::from(period);
        Self {
            packet_hops,
            period,
            packet_hops_per_cycle: per_cycle,
            packet_hops_per_second: per_cycle * mhz * 1e6,
            pass_us: f64::from(period) / mhz,
            selftest_cycles,
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} with {}-bit words, {} on {}", self.network, self.payload_bits, self.top, self.board)?;
        writeln!(f, "\n{:<22} {:>7} {:>9} {:>8} {:>10}", "module", "LUTs", "registers", "LUT RAMs", "block RAMs")?;
        let row = |f: &mut fmt::Formatter<'_>, name: &str, a: &Area| {
            writeln!(f, "{name:<22} {:>7} {:>9} {:>8} {:>10}", a.luts, a.registers, a.lut_rams, a.block_rams)
        };
        for module in &self.modules {
            row(f, &module.module, &module.area)?;
        }
        row(f, "total", &self.total)?;
        writeln!(f)?;
        for (kind, cells) in &self.utilization {
            writeln!(f, "{kind:<22} {:>7} of {}", cells.used, cells.available)?;
        }
        let verdict = if self.timing_met { "met" } else { "missed" };
        let (fmax, target, seed) = (self.fmax_mhz, self.target_mhz, self.seed);
        writeln!(f, "\nclock inside the chip  {fmax:.1} MHz, target {target} MHz {verdict}, seed {seed}")?;
        let t = &self.traffic;
        writeln!(
            f,
            "traffic                {:.2} packet hops a cycle, {:.3} G packet hops a second, a pass every {:.3} µs",
            t.packet_hops_per_cycle,
            t.packet_hops_per_second / 1e9,
            t.pass_us
        )
    }
}
