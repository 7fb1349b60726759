//! The page of a schedule on POPS: which coupler carries which packet in which slot, and how far that is from the bounds.

use crate::check::Proof as _;
use crate::check::pops::CheckedPops;
use crate::collective::pops::Goal;
use crate::program::form::pops::Hop;
use crate::report::bounds::{BoundRow, bound_rows, bounds_note, capital};
use crate::report::drawing::Drawing;
use crate::report::facts::{Fact, Figure, Provenance, grouped};
use crate::report::results::significant;
use crate::report::scene::{Pane, Scene};
use crate::report::svg::{Picture, shown};
use crate::report::synth_view::{SynthView, synth_view};
use crate::report::{CosimResult, ReportError, SynthResult};
use crate::spec::Spec;
use askama::Template;
use serde::Serialize;
use std::collections::BTreeSet;

/// The most couplers and slots that are drawn.
const MOST_COUPLERS: u32 = 64;
const MOST_SLOTS: u32 = 64;
const LEFT: f64 = 70.0;
const TOP: f64 = 26.0;
const CELL: (f64, f64) = (34.0, 18.0);

/// Contents of the page.
#[derive(Debug, Serialize)]
pub struct CouplersReport<'a> {
    /// The network in the field's notation.
    pub network: String,
    /// Name of the collective.
    pub collective: &'static str,
    /// Facts of the schedule.
    pub facts: Vec<Fact>,
    /// Key figures of the schedule.
    pub figures: Vec<Figure>,
    /// Sentences of the proof, in order.
    pub argument: Vec<String>,
    /// The co-simulation, if there was one.
    pub cosim: Option<CosimResult>,
    /// Results of syntheses.
    pub synth: Vec<SynthResult>,
    /// Origin of the report.
    #[serde(flatten)]
    pub provenance: Provenance<'a>,
    #[serde(skip)]
    schedule: &'a CheckedPops,
}

#[derive(Template)]
#[template(path = "report/pops/couplers.html")]
struct Page<'a> {
    report: &'a CouplersReport<'a>,
    title: String,
    verdict: String,
    panes: Vec<Pane<'a>>,
    picture: String,
    caption: String,
    bounds: Vec<BoundRow>,
    bounds_note: &'static str,
    synth: Vec<SynthView<'a>>,
}

impl<'a> CouplersReport<'a> {
    /// Puts a report together; `cosim` and `synth` are outputs of these commands.
    ///
    /// # Errors
    /// [`ReportError::Result`] if one of them cannot be read.
    pub fn new(
        spec: &'a Spec,
        schedule: &'a CheckedPops,
        cosim: Option<&str>,
        synth: &[String],
    ) -> Result<Self, ReportError> {
        let (net, made, proof) = (schedule.network(), schedule.schedule(), schedule.proof());
        let bound = schedule.bounds().largest();
        let ratio = schedule.bounds().ratio(made.slots);
        let hops_per_slot = made.hops.len() as f64 / f64::from(made.slots.max(1));
        let whole = |key, label, value: u64, note: &str| Figure {
            key,
            label,
            value: value as f64,
            text: grouped(value),
            note: note.into(),
        };
        let real =
            |key, label, value: f64, text: String, note: &str| Figure { key, label, value, text, note: note.into() };
        let facts = [
            ("Topology", format!("{net}: {} groups of {} processors", net.g(), net.d())),
            ("Couplers", grouped(net.couplers())),
            ("Collective", spec.collective.kind().to_owned()),
            ("Algorithm", made.algorithm.to_owned()),
            (
                "Packets",
                format!(
                    "{}, of {} word{} of {} bits",
                    grouped(proof.packets as u64),
                    spec.router.slot_cycles,
                    if spec.router.slot_cycles == 1 { "" } else { "s" },
                    spec.router.payload_bits
                ),
            ),
            (
                "Buffers",
                format!("{} packets a processor, {} of them on the way to another", made.buffers, proof.passing),
            ),
        ];
        Ok(Self {
            network: net.to_string(),
            collective: spec.collective.kind(),
            facts: facts.into_iter().map(|(label, value)| Fact::new(label, value)).collect(),
            figures: vec![
                whole("slots", "slots", made.slots.into(), "first to last"),
                whole("bound", "largest bound", bound, "slots"),
                real("ratio", "ratio", ratio, format!("{ratio:.3}"), "slots over the largest bound"),
                real("hops", "packets a slot", hops_per_slot, significant(hops_per_slot), "on all couplers, mean"),
            ],
            argument: proof.lines(),
            cosim: cosim.map(|text| CosimResult::parse(text, spec)).transpose()?,
            synth: synth.iter().map(|text| SynthResult::parse(text, spec, hops_per_slot)).collect::<Result<_, _>>()?,
            provenance: Provenance::new(spec),
            schedule,
        })
    }

    /// The report as a page.
    ///
    /// # Errors
    /// Only by a defect of metronoc.
    pub fn html(&self) -> Result<String, ReportError> {
        let (checked, made) = (self.schedule, self.schedule.schedule());
        let slots = grouped(made.slots.into());
        let ratio = checked.bounds().ratio(made.slots);
        let verdict = format!(
            "{slots} slots, {ratio:.3} times the largest lower bound; no coupler carries two packets in a slot, and every packet arrives."
        );
        let (couplers, drawn) = (checked.network().couplers(), couplers_and_slots(checked));
        let caption = match drawn.0.contains(&None) || drawn.1.contains(&None) {
            true => format!(
                "A part of {} couplers and {slots} slots; ⋮ and … stand for what is left out.",
                grouped(couplers)
            ),
            false => format!("All {} couplers in all slots.", grouped(couplers)),
        };
        let net = checked.network();
        let scene = Scene::new(&net, || made.to_program(net), Drawing::of_pops(net), "slot");
        let page = Page {
            report: self,
            title: capital(&format!("{} on {}", self.collective, self.network)),
            verdict,
            panes: Pane::only(&scene),
            picture: picture(checked, &drawn),
            caption,
            bounds: bound_rows(checked.bounds().all()),
            bounds_note: bounds_note(checked.bounds()),
            synth: self.synth.iter().map(synth_view).collect(),
        };
        Ok(page.render()? + "\n")
    }
}

type Shown = (Vec<Option<u32>>, Vec<Option<u32>>);

fn couplers_and_slots(checked: &CheckedPops) -> Shown {
    let couplers = u32::try_from(checked.network().couplers()).unwrap_or(u32::MAX);
    (shown(couplers, MOST_COUPLERS), shown(checked.schedule().slots, MOST_SLOTS))
}

/// The class of a hop: straight, or the first or a later one of several.
fn class(hops: &[u32], hop: &Hop, seen: &[u32]) -> &'static str {
    match (hops[hop.packet as usize], seen[hop.packet as usize]) {
        (1, _) => "first",
        (_, 0) => "global",
        _ => "last",
    }
}

/// Couplers downwards, slots to the right.
fn picture(checked: &CheckedPops, (couplers, slots): &Shown) -> String {
    let (net, made) = (checked.network(), checked.schedule());
    let mut picture = Picture::default();
    let y = |row: usize| TOP + CELL.1 * row as f64;
    let x = |column: usize| LEFT + CELL.0 * column as f64;
    let size = (x(slots.len()), y(couplers.len()));
    for (row, coupler) in couplers.iter().enumerate() {
        let name = coupler.map_or("⋮".to_owned(), |c| format!("c({},{})", c / net.g(), c % net.g()));
        picture.text("label end", (LEFT - 8.0, y(row) + 13.0), &name);
        picture.rect("row", (LEFT, y(row) + 1.0), (size.0 - LEFT, CELL.1 - 2.0), "");
    }
    for (column, slot) in slots.iter().enumerate() {
        let name = slot.map_or("…".to_owned(), |slot| slot.to_string());
        picture.text("label middle", (x(column) + CELL.0 / 2.0, TOP - 8.0), &name);
    }
    let mut hops = vec![0; made.packets.len()];
    let one = |hop: &&Hop| matches!(made.packets[hop.packet as usize].goal, Goal::One(_));
    made.hops.iter().filter(one).for_each(|hop| hops[hop.packet as usize] += 1);
    // a packet for all is straight
    hops.iter_mut().filter(|hops| **hops == 0).for_each(|hops| *hops = 1);
    let mut seen = vec![0; made.packets.len()];
    let mut cells = BTreeSet::new();
    for hop in &made.hops {
        let coupler = net.group(hop.to) * net.g() + net.group(hop.from);
        cells.insert((class(&hops, hop, &seen), hop.slot, coupler, hop.packet, hop.from));
        seen[hop.packet as usize] += 1;
    }
    let place = |list: &[Option<u32>], number: u32| list.iter().position(|entry| *entry == Some(number));
    for (column, slot) in slots.iter().enumerate() {
        if let Some(slot) = slot {
            picture.window((x(column), TOP), (CELL.0, size.1 - TOP), *slot, 1);
        }
    }
    for class in ["first", "global", "last"] {
        picture.open(&format!("cells {class} packet-cells"));
        for &(_, slot, coupler, packet, from) in cells.iter().filter(|cell| cell.0 == class) {
            let (Some(row), Some(column)) = (place(couplers, coupler), place(slots, slot)) else { continue };
            let corner = (x(column) + 1.0, y(row) + 2.0);
            let title = format!("slot {slot}: processor {from} sends packet {packet}");
            picture.cell(corner, (CELL.0 - 2.0, CELL.1 - 4.0), packet, &title);
            picture.text("vector middle", (x(column) + CELL.0 / 2.0, y(row) + 13.0), &packet.to_string());
        }
        picture.close();
    }
    let description = "A row a coupler, a column a slot; a cell is a packet, with its number.";
    picture.finish("couplers", "Couplers slot by slot", description, size)
}
