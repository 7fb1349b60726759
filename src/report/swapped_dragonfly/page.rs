//! Page of an all-to-all.

use super::PortUse;
use super::bars::bars_picture;
use super::timeline::{Timeline, timeline};
use crate::report::bounds::{BoundRow, bound_rows, bounds_note};
use crate::report::drawing::Drawing;
use crate::report::facts::grouped;
use crate::report::scene::{Pane, Scene};
use crate::report::synth_view::{SynthView, synth_view};
use crate::report::{AllToAllReport, ReportError};
use askama::Template;

#[derive(Template)]
#[template(path = "report/swapped_dragonfly/page.html")]
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
    let row = |group: &[PortUse]| {
        let (first, last) = (&group[0], &group[group.len() - 1]);
        let name = match last.name.rsplit_once(' ') {
            Some((_, number)) if group.len() > 1 => format!("{}–{number}", first.name),
            _ => first.name.clone(),
        };
        PortRow { name, used: first.used, idle: first.idle, idle_cycles: first.idle_text() }
    };
    groups.map(row).collect()
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
