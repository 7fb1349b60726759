//! Reports of all-to-alls.

use super::usage::Usage;
use crate::check::swapped_dragonfly::{AllToAllSummary, CheckedAllToAll};
use crate::report::bounds::ratio_to_any;
use crate::report::facts::grouped;
use crate::report::results::significant;
use crate::report::{CosimResult, Fact, Figure, PortUse, Provenance, ReportError, SynthResult};
use crate::spec::{AllToAllSpec, Placement, Spec, Storage};
use crate::topology::Topology;
use crate::topology::swapped_dragonfly::Group;
use serde::Serialize;

/// Rows of the slot table that a report shows from its beginning, and from its end.
const FIRST_ROWS: u32 = 12;
const LAST_ROWS: u32 = 4;
/// The most launches of a row that are written out.
const MOST_LAUNCHES: usize = 16;

/// Inputs of a report.
#[derive(Debug)]
pub struct AllToAllInputs<'a> {
    /// The specification.
    pub spec: &'a Spec,
    /// Collective of the specification.
    pub collective: &'a AllToAllSpec,
    /// The schedule.
    pub schedule: &'a CheckedAllToAll,
    /// The output of `metronoc cosim --json`, if there is any.
    pub cosim: Option<&'a str>,
    /// The outputs of `metronoc synth --json`.
    pub synth: &'a [String],
}

/// A row of the slot table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SlotRow {
    /// Number of the row.
    pub row: u32,
    /// First launches of the row as `[γ,π,δ]`.
    pub launches: Vec<[u32; 3]>,
    /// Launches that are not listed.
    pub left_out: usize,
}

/// Contents of a report.
#[derive(Debug, Serialize)]
pub struct AllToAllReport<'a> {
    /// The network in the field's notation.
    pub network: String,
    /// Facts of the specification and its schedule.
    pub compiled: Vec<Fact>,
    /// Key figures of the schedule.
    pub figures: Vec<Figure>,
    /// The verdict of the check.
    pub check: AllToAllSummary<'a>,
    /// The use of each port of a router.
    pub ports: Vec<PortUse>,
    /// The first and last rows of the slot table.
    pub slots: Vec<SlotRow>,
    /// Number of rows of the slot table: the period.
    pub rows: u32,
    /// The co-simulation, if there was one.
    pub cosim: Option<CosimResult>,
    /// Results of syntheses.
    pub synth: Vec<SynthResult>,
    /// Origin of the report.
    #[serde(flatten)]
    pub provenance: Provenance<'a>,
    #[serde(skip)]
    pub(super) usage: Usage<'a>,
}

impl<'a> AllToAllReport<'a> {
    /// Puts a report together.
    ///
    /// # Errors
    /// [`ReportError::Result`] if a result of another command cannot be read.
    pub fn new(inputs: &AllToAllInputs<'a>) -> Result<Self, ReportError> {
        let AllToAllInputs { spec, collective, schedule, cosim, synth } = *inputs;
        let usage = Usage::new(schedule)?;
        let hops_per_cycle = schedule.proof().transfers as f64 / f64::from(schedule.cycles().max(1));
        let net = schedule.network();
        Ok(Self {
            network: net.to_string(),
            compiled: compiled(spec, collective, schedule),
            figures: figures(schedule, hops_per_cycle),
            check: schedule.summary(),
            ports: usage.port_uses(),
            slots: slots(schedule),
            rows: schedule.period(),
            cosim: cosim.map(|text| CosimResult::parse(text, spec)).transpose()?,
            synth: synth.iter().map(|text| SynthResult::parse(text, spec, hops_per_cycle)).collect::<Result<_, _>>()?,
            provenance: Provenance::new(spec),
            usage,
        })
    }
}

fn compiled(spec: &Spec, collective: &AllToAllSpec, schedule: &CheckedAllToAll) -> Vec<Fact> {
    let (net, hop) = (schedule.network(), schedule.schedule().hop);
    let (k, m) = (net.k(), net.m());
    let group = match net.group() {
        Group::Cyclic => "cyclic",
        Group::Xor => "exclusive or",
    };
    let held = match spec.schedule.storage {
        Storage::Rom => "ROM",
        Storage::Ram => "reloadable RAM",
        Storage::Counter => "counters",
    };
    let place = match spec.schedule.program {
        Placement::Router => "in every router",
        Placement::Shared => "shared by all routers",
    };
    let plural = |n: u32, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
    let cycles = |n: u32| plural(n, "clock cycle");
    vec![
        Fact::new("Topology", format!("Swapped Dragonfly D3({k},{m}), {group} coordinates")),
        Fact::new(
            "Size",
            format!(
                "{} × {} × {} = {} routers",
                plural(k, "cabinet"),
                plural(m, "drawer"),
                plural(m, "router"),
                grouped(net.nodes() as u64)
            ),
        ),
        Fact::new("Ports", format!("{} local and {k} global each router", net.local_ports())),
        Fact::new("Collective", "all-to-all, every router to every router"),
        Fact::new("Algorithm", schedule.schedule().algorithm),
        Fact::new("Hop latency", format!("local {}, global {}", cycles(hop.local), cycles(hop.global))),
        Fact::new(
            "Message",
            format!("{} of {} bits{}", plural(collective.words, "word"), spec.router.payload_bits, {
                if spec.router.parity { " and parity" } else { "" }
            }),
        ),
        Fact::new("In all", in_all(collective, schedule)),
        Fact::new("Slot tables", format!("{} rows from {held}, {place}", grouped(schedule.period().into()))),
    ]
}

/// Text of the run: numbers of collectives and passes, and all clock cycles.
fn in_all(collective: &AllToAllSpec, schedule: &CheckedAllToAll) -> String {
    let (words, repeat) = (u64::from(collective.words), u64::from(collective.repeat));
    let passes = words * repeat;
    let cycles = (passes - 1) * u64::from(schedule.period()) + u64::from(schedule.cycles());
    match passes {
        1 => format!("one collective, {} clock cycles", grouped(cycles)),
        _ => format!("{} collectives of {} passes, {} clock cycles", grouped(repeat), grouped(words), grouped(cycles)),
    }
}

fn figures(schedule: &CheckedAllToAll, hops_per_cycle: f64) -> Vec<Figure> {
    let proof = schedule.proof();
    let bounds = schedule.bounds();
    let largest = bounds.largest();
    let name = bounds.all().iter().find(|b| b.cycles == largest).map_or("", |b| b.name);
    let sustained = f64::from(schedule.period()) / largest as f64;
    let whole =
        |key, label, value: u64, note: String| Figure { key, label, value: value as f64, text: grouped(value), note };
    let real = |key, label, value: f64, text: String, note: String| Figure { key, label, value, text, note };
    let mut all = vec![
        whole("cycles", "cycles", schedule.cycles().into(), "clock cycles, first claim to last".into()),
        whole("period", "period", schedule.period().into(), "clock cycles from one start to the next".into()),
        whole("bound", "largest bound", largest, format!("cycles, by the bound “{name}”")),
        real(
            "ratio",
            "ratio",
            schedule.ratio(),
            format!("{:.3}", schedule.ratio()),
            "cycles over the largest bound".into(),
        ),
        real(
            "sustained",
            "sustained ratio",
            sustained,
            format!("{sustained:.3}"),
            "period over the largest bound".into(),
        ),
        whole("packets", "packets", proof.packets, "a word each, self packets included".into()),
        whole(
            "channels",
            "channels",
            proof.channels,
            format!("directed, {} loopbacks included", grouped(proof.loopbacks)),
        ),
        real(
            "hops_per_cycle",
            "packet-hops a cycle",
            hops_per_cycle,
            significant(hops_per_cycle),
            format!("mean of {} hops", grouped(proof.transfers)),
        ),
    ];
    if let Some(figure) = ratio_to_any(bounds, schedule.cycles()) {
        let after = all.iter().position(|figure| figure.key == "ratio").map_or(0, |ratio| ratio + 1);
        all.insert(after, figure);
    }
    all
}

fn slots(schedule: &CheckedAllToAll) -> Vec<SlotRow> {
    let rows = schedule.period();
    let is_shown = |row: &u32| rows <= FIRST_ROWS + LAST_ROWS || *row < FIRST_ROWS || *row >= rows - LAST_ROWS;
    let row = |row: u32| {
        let all = schedule.schedule().program.row(row);
        let vector = |v: crate::topology::swapped_dragonfly::SourceVector| [v.gamma, v.pi, v.delta];
        let launches = all.iter().take(MOST_LAUNCHES).map(|l| vector(l.vector)).collect();
        SlotRow { row, launches, left_out: all.len().saturating_sub(MOST_LAUNCHES) }
    };
    (0..rows).filter(is_shown).map(row).collect()
}
