//! Template data of a POPS network.

use super::trial::{SETS, TrialBench};
use super::{HostView, Origin, TopFile, passed, rendered, timeout};
use crate::emit::EmitError;
use crate::emit::images::{image_file, images as rom};
use crate::emit::verilog::Verilog;
use crate::lower::pops::image;
use crate::lower::{PopsFrame, PopsLowered};
use crate::spec::Storage;
use askama::Template;

/// A processor and the image of its program.
struct Processor {
    index: u32,
    group: u32,
    image: String,
}

#[derive(Template)]
#[template(path = "gen/mn_pops_network.v", escape = "none")]
struct NetworkFile<'a> {
    header: &'a str,
    what: &'a str,
    p: &'a PopsFrame,
    parity: &'static str,
    parameters: String,
    processors: Vec<Processor>,
}

/// Text of the schedule: algorithm, slots, and cycles of a slot.
fn what(lowered: &PopsLowered) -> String {
    let made = lowered.schedule.schedule();
    let cycles = match lowered.frame.slot_cycles {
        1 => "a cycle".to_owned(),
        cycles => format!("{cycles} cycles"),
    };
    format!("schedule {} of {} slots of {cycles} each", made.algorithm, made.slots)
}

impl Verilog for PopsLowered {
    fn title(&self) -> String {
        title(self)
    }

    fn parity(&self) -> bool {
        self.frame.parity
    }

    fn files(&self, origin: &Origin) -> Result<Vec<(String, String)>, EmitError> {
        Ok(render(self, origin)?)
    }
}

fn title(lowered: &PopsLowered) -> String {
    let p = &lowered.frame;
    format!("{}, {}-bit words, {}", p.network, p.data_bits, what(lowered))
}

/// Renders every file that depends on the network's shape.
fn render(lowered: &PopsLowered, origin: &Origin) -> Result<Vec<(String, String)>, askama::Error> {
    let header = super::header(origin);
    let (header, p, what) = (header.as_str(), &lowered.frame, what(lowered));
    let list = [
        ("G", p.network.g()),
        ("L", p.slot_cycles),
        ("DW", p.data_bits),
        ("PARITY", u32::from(p.parity)),
        ("LOG", u32::from(p.error_log)),
        ("TB", p.tile_bits),
        ("PLACES", lowered.places),
        ("ROWS", lowered.rows),
        ("RESULTS", lowered.results),
        ("RAM", u32::from(lowered.storage == Storage::Ram)),
    ];
    let processor =
        |index: u32| Processor { index, group: p.network.group(index), image: image_file(&image(index as usize)) };
    let parity = if p.parity { ", a parity bit among them" } else { "" };
    let processors = (0..p.tiles).map(processor).collect();
    let network = NetworkFile { header, what: &what, p, parity, parameters: passed(&list), processors };
    let loads = (lowered.loads.iter().sum::<u32>() * p.slot_cycles).max(1);
    let live = lowered.storage == Storage::Ram;
    // with one buffer the host has no use for the number of words
    let host = HostView {
        pass: lowered.pass_cycles.into(),
        loads: 1,
        set: lowered.set().into(),
        double: 0,
        loadable: live,
        live,
    };
    let words = u64::from(loads) + u64::from(p.tiles * lowered.set());
    let timeout = timeout(p, SETS, 2 * words, lowered.pass_cycles.into());
    let bench = TrialBench { header, what: &what, p, loads, results: lowered.set(), sets: SETS, timeout };
    let mut files = rendered(&network, &TopFile { header, title: &title(lowered), p, host }, &bench)?;
    let trials = (1..=SETS).map(|seed| lowered.trial(seed.into()));
    files.extend(super::trial::files(p.data_bits, trials));
    files.extend(rom(lowered));
    Ok(files)
}
