//! The page of a program: the network, the use of its channels cycle by cycle, operations, and the distance from the bounds.

use super::bounds::{BoundRow, bound_rows, bounds_note, capital, ratio_to_any};
use super::facts::{Fact, Figure, Provenance, grouped};
use super::results::significant;
use super::scene::{Pane, Scene};
use super::svg::{Picture, shown, tick};
use super::synth_view::{SynthView, synth_view};
use super::{CosimResult, ReportError, SynthResult};
use crate::check::BoundList;
use crate::id::NodeId;
use crate::lower::slot_table::ProgramMemory;
use crate::program::Document;
use crate::spec::Spec;
use crate::topology::Topology;
use askama::Template;
use serde::Serialize;

/// Most channels that have a row in the picture.
const MOST_CHANNELS: u32 = 64;
/// Most cycles that have a column.
const MOST_CYCLES: u32 = 400;
/// Pixels for the names of channels, above the first row, and for a row.
const LEFT: f64 = 150.0;
const TOP: f64 = 28.0;
const ROW: f64 = 14.0;
/// Pixels for all columns.
const WIDTH: f64 = 1000.0;
/// Pixels of the picture of all channels together.
const STRIP: f64 = 90.0;

/// A scheduled program, and all that its page shows.
pub struct ProgramInputs<'a> {
    /// The specification.
    pub spec: &'a Spec,
    /// The network.
    pub net: &'a (dyn Topology + Sync),
    /// Transfers and operations in full; none of a program that is too large to be listed.
    pub transfers: Option<&'a Document>,
    /// Drawing and transfers.
    pub scene: Scene,
    /// Name of the network.
    pub network: String,
    /// Name of the schedule's algorithm.
    pub algorithm: &'a str,
    /// Cycles from the first channel to the last.
    pub cycles: u32,
    /// Hops over channels in a pass.
    pub hops: u64,
    /// Bits of the slot tables, if the hardware has such.
    pub program_memory: Option<ProgramMemory>,
    /// Lower bounds.
    pub bounds: &'a BoundList,
    /// Sentences of the proof, in order.
    pub argument: Vec<String>,
    /// Output of `metronoc cosim --json`, if there is one.
    pub cosim: Option<&'a str>,
    /// Outputs of `metronoc synth --json`.
    pub synth: &'a [String],
}

/// Contents of the page.
#[derive(Serialize)]
pub struct ProgramReport<'a> {
    /// Name of the network.
    pub network: String,
    /// Name of the collective.
    pub collective: &'static str,
    /// Sizes and kinds.
    pub facts: Vec<Fact>,
    /// Key figures.
    pub figures: Vec<Figure>,
    /// Sentences of the proof, in order.
    pub argument: Vec<String>,
    /// Transfers that enter channels, by cycle; empty for a program that is too large to be listed.
    pub transfers_by_cycle: Vec<u32>,
    /// Transfers over each channel, in the order of the exchange format.
    pub transfers_by_channel: Vec<u32>,
    /// Operations, by cycle.
    pub operations_by_cycle: Vec<u32>,
    /// The co-simulation, if there was one.
    pub cosim: Option<CosimResult>,
    /// Results of syntheses.
    pub synth: Vec<SynthResult>,
    /// Origin of the report.
    #[serde(flatten)]
    pub provenance: Provenance<'a>,
    #[serde(skip)]
    inputs: ProgramInputs<'a>,
}

#[derive(Template)]
#[template(path = "report/program.html")]
struct Page<'a> {
    report: &'a ProgramReport<'a>,
    title: String,
    verdict: String,
    panes: Vec<Pane<'a>>,
    overview: Option<String>,
    channels: Option<String>,
    caption: String,
    bounds: Vec<BoundRow>,
    bounds_note: &'static str,
    synth: Vec<SynthView<'a>>,
}

impl<'a> ProgramReport<'a> {
    /// Puts a report together.
    ///
    /// # Errors
    /// [`ReportError::Result`] if a result of another command cannot be read.
    pub fn new(inputs: ProgramInputs<'a>) -> Result<Self, ReportError> {
        let ProgramInputs { spec, net, transfers, algorithm, cycles, hops, bounds, cosim, synth, .. } = inputs;
        let (mut by_cycle, mut by_channel, mut operations) = (Vec::new(), Vec::new(), Vec::new());
        if let Some(document) = transfers {
            by_channel = vec![0; document.channels.len()];
            for &(cycle, channel, _) in &document.transfers {
                count(&mut by_cycle, cycle);
                by_channel[channel as usize] += 1;
            }
            document.ops.iter().flatten().for_each(|op| count(&mut operations, op.cycle));
        }
        let (ratio, largest) = (bounds.ratio(cycles), bounds.largest());
        let rate = hops as f64 / f64::from(cycles.max(1));
        let idle = by_channel.iter().filter(|&&transfers| transfers == 0).count();
        let facts = [
            ("Topology", inputs.network.clone()),
            ("Size", format!("{} nodes of at most {} ports", grouped(net.nodes() as u64), net.ports())),
            ("Collective", spec.collective.kind().to_owned()),
            ("Algorithm", algorithm.to_owned()),
            ("Words", format!("{} bits", spec.router.payload_bits)),
            ("Idle channels", if transfers.is_some() { grouped(idle as u64) } else { "not counted".into() }),
            ("Operations", grouped(operations.iter().map(|&n| u64::from(n)).sum())),
        ];
        let memory = inputs.program_memory.iter().flat_map(|memory| {
            let ProgramMemory { tables, bits, different, different_bits, counters, .. } = memory;
            let all = format!("{} bits in {tables} tables", grouped(*bits));
            let differ = format!("{different}, {} bits", grouped(*different_bits));
            let counters = counters.map(|counters| ("From counters", format!("{} bits", grouped(counters.bits))));
            [("Program memory", all), ("Tables that differ", differ)].into_iter().chain(counters)
        });
        let figure = |key, label, value: f64, text: String, note: &str| Figure {
            key,
            label,
            value,
            text,
            note: note.to_owned(),
        };
        let whole = |key, label, value: u64, note: &str| figure(key, label, value as f64, grouped(value), note);
        Ok(Self {
            network: inputs.network.clone(),
            collective: spec.collective.kind(),
            facts: facts.into_iter().chain(memory).map(|(label, value)| Fact::new(label, value)).collect(),
            figures: [
                Some(whole("cycles", "cycles", cycles.into(), "clock cycles, first channel to last")),
                Some(whole("bound", "largest bound", largest, "cycles")),
                Some(figure("ratio", "ratio", ratio, format!("{ratio:.3}"), "cycles over the largest bound")),
                ratio_to_any(bounds, cycles),
                Some(figure("hops", "hops a cycle", rate, significant(rate), "on all channels, mean")),
            ]
            .into_iter()
            .flatten()
            .collect(),
            argument: inputs.argument.clone(),
            transfers_by_cycle: by_cycle,
            transfers_by_channel: by_channel,
            operations_by_cycle: operations,
            cosim: cosim.map(|text| CosimResult::parse(text, spec)).transpose()?,
            synth: synth.iter().map(|text| SynthResult::parse(text, spec, rate)).collect::<Result<_, _>>()?,
            provenance: Provenance::new(spec),
            inputs,
        })
    }

    /// The report as a page.
    ///
    /// # Errors
    /// Only by a defect of metronoc.
    pub fn html(&self) -> Result<String, ReportError> {
        let ProgramInputs { bounds, cycles, transfers, .. } = &self.inputs;
        let (cycles, ratio) = (*cycles, bounds.ratio(*cycles));
        let verdict = format!(
            "{} cycles, {ratio:.3} times the largest lower bound; no channel is wanted twice in a cycle, and every word arrives.",
            grouped(cycles.into())
        );
        let channels = self.transfers_by_channel.len() as u32;
        let caption = match transfers {
            None => "The program is too large to be drawn transfer by transfer.".to_owned(),
            Some(_) if channels > MOST_CHANNELS || self.transfers_by_cycle.len() as u32 > MOST_CYCLES => format!(
                "A part of {} channels and {} cycles; ⋮ stands for the channels that are left out.",
                grouped(channels.into()),
                grouped(self.transfers_by_cycle.len() as u64)
            ),
            Some(_) => format!("All {} channels in all cycles.", grouped(channels.into())),
        };
        let page = Page {
            report: self,
            title: capital(&format!("{} on {}", self.collective, self.network)),
            verdict,
            panes: Pane::only(&self.inputs.scene),
            overview: transfers.map(|_| self.overview()),
            channels: transfers.map(|document| self.by_channel(document)),
            caption,
            bounds: bound_rows(bounds.all()),
            bounds_note: bounds_note(bounds),
            synth: self.synth.iter().map(synth_view).collect(),
        };
        Ok(page.render()? + "\n")
    }

    /// Share of channels in use and operations, cycle by cycle.
    fn overview(&self) -> String {
        let cycles = self.transfers_by_cycle.len().max(self.operations_by_cycle.len()).max(1);
        let mut picture = Picture::default();
        let scale = WIDTH / cycles as f64;
        let mut strip = |class: &str, counts: &[u32], most: f64, floor: f64| {
            let mut path = format!("M{LEFT} {floor}");
            for (cycle, count) in counts.iter().enumerate() {
                let x = LEFT + cycle as f64 * scale;
                let y = floor - (STRIP - 14.0) * f64::from(*count) / most;
                path += &format!("L{x:.1} {y:.1}H{:.1}", x + scale);
            }
            let end = LEFT + counts.len() as f64 * scale;
            path += &format!("L{end:.1} {floor}z");
            picture.path(&format!("area {class}"), &path, "", "");
            picture.line("mark", (LEFT, floor), (LEFT + WIDTH, floor));
        };
        let floor = TOP + STRIP;
        strip("global", &self.transfers_by_cycle, self.transfers_by_channel.len().max(1) as f64, floor);
        let most = self.operations_by_cycle.iter().copied().max().unwrap_or(0);
        let mut bottom = floor;
        if most > 0 {
            bottom += STRIP;
            strip("first", &self.operations_by_cycle, f64::from(most), bottom);
            picture.text("label end", (LEFT - 6.0, bottom - 20.0), "operations");
            picture.text("label end", (LEFT - 6.0, bottom - 6.0), &format!("up to {most}"));
        }
        picture.text("label end", (LEFT - 6.0, floor - STRIP + 22.0), "100 %");
        picture.text("label end", (LEFT - 6.0, floor - 20.0), "channels in use");
        picture.text("label end", (LEFT - 6.0, floor), "0 %");
        axis(&mut picture, cycles as u32, scale);
        picture.window((LEFT, TOP), (WIDTH, bottom - TOP), 0, cycles as u32);
        let about = "Share of channels that a word enters in each cycle, and below it the number of operations.";
        picture.finish("overview", "Use of all channels by cycle", about, (LEFT + WIDTH + 30.0, bottom + 8.0))
    }

    /// Channels downwards, cycles to the right.
    fn by_channel(&self, document: &Document) -> String {
        let net = self.inputs.net;
        let rows = shown(document.channels.len() as u32, MOST_CHANNELS);
        let cycles = (self.transfers_by_cycle.len() as u32).clamp(1, MOST_CYCLES);
        let scale = (WIDTH / f64::from(cycles)).min(34.0);
        let mut row_of = vec![None; document.channels.len()];
        let mut picture = Picture::default();
        for (row, channel) in rows.iter().enumerate() {
            let y = TOP + ROW * row as f64;
            let Some(channel) = channel else {
                picture.text("label end", (LEFT - 6.0, y + 11.0), "⋮");
                continue;
            };
            row_of[*channel as usize] = Some(row);
            let (from, to) = document.channels[*channel as usize];
            let name = |node: u32| net.title(NodeId::new(node));
            picture.text("label end", (LEFT - 6.0, y + 11.0), &format!("{} → {}", name(from), name(to)));
            picture.rect("row", (LEFT, y + 0.5), (scale * f64::from(cycles), ROW - 1.0), "");
        }
        axis(&mut picture, cycles, scale);
        picture.window((LEFT, TOP), (scale * f64::from(cycles), ROW * rows.len() as f64), 0, cycles);
        picture.open("cells global tight packet-cells");
        for &(cycle, channel, packet) in document.transfers.iter().filter(|transfer| transfer.0 < cycles) {
            let Some(row) = row_of[channel as usize] else { continue };
            let corner = (LEFT + f64::from(cycle) * scale + 0.5, TOP + ROW * row as f64 + 1.0);
            let title = format!("cycle {cycle}: packet {packet}");
            picture.cell(corner, ((scale - 1.0).max(scale * 0.8), ROW - 2.0), packet as u32, &title);
        }
        picture.close();
        let about = "A row a channel, a column a cycle; a cell is a word that enters the channel.";
        let size = (LEFT + scale * f64::from(cycles) + 30.0, TOP + ROW * rows.len() as f64 + 8.0);
        picture.finish("channels", "Channels cycle by cycle", about, size)
    }
}

fn count(list: &mut Vec<u32>, cycle: u32) {
    list.resize(list.len().max(cycle as usize + 1), 0);
    list[cycle as usize] += 1;
}

/// Marks and numbers of cycles above the first row.
fn axis(picture: &mut Picture, cycles: u32, scale: f64) {
    let every = tick(cycles, (f64::from(cycles) * scale / 34.0) as u32);
    for cycle in (0..cycles).step_by(every as usize) {
        let x = LEFT + (f64::from(cycle) + 0.5) * scale;
        picture.text("label middle", (x, TOP - 10.0), &cycle.to_string());
        picture.line("mark", (x, TOP - 6.0), (x, TOP - 2.0));
    }
}
