//! Reports: the network, its schedule, the proof, and the distance from the bounds, on one page.
//!
//! A report is data, which `metronoc report --json` prints. Each has a method `html` for one HTML page that needs no other file: pictures are SVG
//! within it, and it works without scripts. All numbers are computed here; the templates only put them in their places. Same specification and
//! results, same bytes.

mod bounds;
mod compare;
mod curve;
mod curves;
mod drawing;
mod drawn;
mod error;
mod facts;
mod layout;
mod pops;
mod program;
mod results;
mod scatter;
mod scene;
mod svg;
mod swapped_dragonfly;
mod sweep;
mod synth_view;

pub use compare::{Comparison, Side, Summary};
pub use drawing::Drawing;
pub use drawn::Drawn;
pub use error::ReportError;
pub use facts::{Fact, Figure, Provenance};
pub use pops::{CouplersReport, PopsTrafficReport};
pub use program::{ProgramInputs, ProgramReport};
pub use results::{Area, CosimResult, ModuleArea, SynthResult};
pub use scene::{Counts, Scene};
pub use svg::Panel;
pub use swapped_dragonfly::{AllToAllInputs, AllToAllReport, Class, PortUse, SlotRow};
pub use sweep::SweepReport;
