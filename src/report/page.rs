//! Page: the view of the template.

use super::bars::bars_picture;
use super::bounds::{BoundRow, bound_rows, bounds_note};
use super::drawing::Drawing;
use super::facts::grouped;
use super::results::significant;
use super::scene::{Pane, Scene};
use super::timeline::{Timeline, timeline};
use super::{AllToAllReport, ReportError, SynthResult};
use askama::Template;

#[derive(Template)]
#[template(path = "report/page.html")]
struct Page<'a> {
    report: &'a AllToAllReport<'a>,
    title: String,
    verdict: String,
    panes: Vec<Pane<'a>>,
    timeline: Timeline,
    period_note: String,
    bars: String,
    ports: Vec<PortRow>,
    bounds: Vec<BoundRow>,
    bounds_note: &'static str,
    synth: Vec<SynthView<'a>>,
    slots: Vec<SlotView>,
}

struct PortRow {
    name: String,
    used: u32,
    idle: u32,
    idle_cycles: String,
}

pub(super) struct SynthView<'a> {
    pub result: &'a SynthResult,
    pub fmax: String,
    pub target: String,
    pub met: &'static str,
    pub hop_rate: String,
    pub resources: Vec<[String; 4]>,
    /// Columns of the modules' areas.
    pub columns: Vec<&'a str>,
    /// Name of each module, and its values, one a column.
    pub modules: Vec<(&'a str, Vec<&'a str>)>,
}

struct SlotView {
    row: u32,
    launches: Vec<String>,
    more: String,
    /// Rows that are left out before this one, in words.
    gap: String,
}

impl AllToAllReport<'_> {
    /// The report as a page.
    ///
    /// # Errors
    /// Only by a defect of metronoc.
    pub fn html(&self) -> Result<String, ReportError> {
        let schedule = self.usage.schedule;
        let (cycles, period) = (schedule.cycles(), schedule.period());
        let bounds = schedule.bounds().all();
        // The last of equals would do as well; there are four bounds at least.
        let Some(largest) = bounds.iter().rev().max_by_key(|bound| bound.cycles) else {
            return Err(askama::Error::Fmt.into());
        };
        let verdict = format!(
            "{} cycles, {:.3} times the largest lower bound; no channel is wanted twice in a cycle, no packet waits, and every packet arrives.",
            grouped(cycles.into()),
            schedule.ratio()
        );
        let period_note = match period {
            _ if period < cycles => {
                format!("The next pass may start in cycle {period} (dashed), before this one has ended.")
            }
            _ => format!("The next pass may start in cycle {period}."),
        };
        let net = schedule.network();
        let program = || schedule.schedule().to_program(&net);
        let scene = Scene::new(&net, program, Drawing::of_swapped_dragonfly(&net), "cycle");
        let page = Page {
            report: self,
            title: format!("All-to-all on {}", self.network),
            verdict,
            panes: Pane::only(&scene),
            timeline: timeline(&self.usage),
            period_note,
            bars: bars_picture(&self.ports, cycles, largest),
            ports: port_rows(self),
            bounds: bound_rows(bounds),
            bounds_note: bounds_note(schedule.bounds()),
            synth: self.synth.iter().map(synth_view).collect(),
            slots: slot_views(self),
        };
        Ok(page.render()? + "\n")
    }
}

/// Ports with the same idle cycles share a row.
fn port_rows(report: &AllToAllReport<'_>) -> Vec<PortRow> {
    let groups = report.ports.chunk_by(|a, b| {
        (a.class, a.used, &a.idle_cycles, a.idle_stretches_left_out)
            == (b.class, b.used, &b.idle_cycles, b.idle_stretches_left_out)
    });
    let row = |group: &[super::PortUse]| {
        let (first, last) = (&group[0], &group[group.len() - 1]);
        let name = match last.name.rsplit_once(' ') {
            Some((_, number)) if group.len() > 1 => format!("{}–{number}", first.name),
            _ => first.name.clone(),
        };
        PortRow { name, used: first.used, idle: first.idle, idle_cycles: first.idle_text() }
    };
    groups.map(row).collect()
}

pub(super) fn synth_view<'a>(result: &'a SynthResult) -> SynthView<'a> {
    let mhz = |value: Option<f64>| value.map_or("–".to_owned(), |mhz| format!("{mhz:.1} MHz"));
    let resource = |area: &super::Area| {
        let share = area.available.filter(|&all| all > 0).map(|all| 100.0 * area.used as f64 / all as f64);
        let or_dash = |text: Option<String>| text.unwrap_or_else(|| "–".into());
        [
            area.name.clone(),
            grouped(area.used),
            or_dash(area.available.map(grouped)),
            or_dash(share.map(|share| format!("{share:.1} %"))),
        ]
    };
    let mut columns: Vec<&str> = Vec::new();
    for fact in result.modules.iter().flat_map(|module| &module.facts) {
        if !columns.contains(&fact.label.as_str()) {
            columns.push(&fact.label);
        }
    }
    let row = |module: &'a super::ModuleArea| {
        let value = |column: &&str| module.facts.iter().find(|fact| fact.label == *column);
        let values = columns.iter().map(|column| value(column).map_or("–", |fact| fact.value.as_str()));
        (module.name.as_str(), values.collect())
    };
    let modules = result.modules.iter().map(row).collect();
    SynthView {
        result,
        modules,
        fmax: mhz(result.fmax_mhz),
        target: mhz(result.target_mhz),
        met: match result.met {
            Some(true) => "met",
            Some(false) => "missed",
            None => "–",
        },
        hop_rate: result.packet_hops_per_s.map_or("–".into(), |rate| format!("{} packet-hops/s", significant(rate))),
        resources: result.resources.iter().map(resource).collect(),
        columns,
    }
}

fn slot_views(report: &AllToAllReport<'_>) -> Vec<SlotView> {
    let mut next = 0;
    let mut views = Vec::new();
    for slot in &report.slots {
        let gap = match slot.row - next {
            0 => String::new(),
            rows => format!("{} more rows", grouped(rows.into())),
        };
        next = slot.row + 1;
        let launches: Vec<String> = slot.launches.iter().map(|[g, p, d]| format!("{g},{p},{d}")).collect();
        let more = match slot.left_out {
            0 if launches.is_empty() => "pause".into(),
            0 => String::new(),
            n => format!("and {n} more"),
        };
        views.push(SlotView { row: slot.row, launches, more, gap });
    }
    views
}
