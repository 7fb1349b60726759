//! Reports: the network, its schedule, the proof, and the distance from the bounds, on one page.
//!
//! A [`AllToAllReport`] is data; `metronoc report --json` prints it. [`AllToAllReport::html`] makes one HTML page of it. The page needs
//! no other file: pictures are SVG within it, and it works without scripts. All numbers are computed here; the template
//! only puts them in their places. Same specification and results, same bytes.

mod all_to_all;
mod bars;
mod bounds;
mod compare;
mod couplers;
mod curve;
mod curves;
mod drawing;
mod drawn;
mod error;
mod facts;
mod layout;
mod page;
mod pops;
mod pops_traffic;
mod program;
mod results;
mod scatter;
mod scene;
mod svg;
mod swapped_dragonfly;
mod sweep;
mod timeline;
mod usage;

pub use all_to_all::{AllToAllInputs, AllToAllReport, SlotRow};
pub use compare::{Comparison, Side, Summary};
pub use couplers::CouplersReport;
pub use drawing::Drawing;
pub use drawn::Drawn;
pub use error::ReportError;
pub use facts::{Fact, Figure, Provenance};
pub use pops_traffic::PopsTrafficReport;
pub use program::{ProgramInputs, ProgramReport};
pub use results::{Area, CosimResult, ModuleArea, SynthResult};
pub use scene::{Counts, Scene};
pub use svg::Panel;
pub use sweep::SweepReport;
pub use usage::{Class, PortUse};
