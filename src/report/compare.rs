//! The page of two schedules side by side: one time for both, and their figures beside each other.

use super::ReportError;
use super::bounds::{BoundRow, bound_rows, bounds_note, capital};
use super::facts::{Provenance, grouped};
use super::scene::{Counts, Pane, Scene};
use crate::check::BoundList;
use crate::check::bound_list::Scope;
use crate::spec::Spec;
use askama::Template;
use serde::Serialize;

/// A schedule, proved, and all that the page shows of it.
pub struct Side<'a> {
    /// Specification.
    pub spec: &'a Spec,
    /// Name of the network.
    pub network: String,
    /// Number of nodes, media left out.
    pub nodes: usize,
    /// Name of the schedule's algorithm.
    pub algorithm: &'a str,
    /// Cycles from the first channel to the last.
    pub cycles: u32,
    /// Cycles from one start to the next, where the schedule may start again before its end.
    pub period: Option<u32>,
    /// Lower bounds.
    pub bounds: &'a BoundList,
    /// Drawing and transfers.
    pub scene: Scene,
}

/// Two schedules, as data.
#[derive(Serialize)]
pub struct Comparison<'a> {
    /// Figures of each.
    pub schedules: [Summary<'a>; 2],
    #[serde(skip)]
    provenance: Provenance<'a>,
    #[serde(skip)]
    sides: [Side<'a>; 2],
}

/// Figures of one of two schedules.
#[derive(Serialize)]
pub struct Summary<'a> {
    /// Name of the network.
    pub network: String,
    /// Nodes, media left out.
    pub nodes: usize,
    /// Name of the collective.
    pub collective: &'static str,
    /// Name of the algorithm.
    pub algorithm: &'a str,
    /// Unit of time of the figures: `cycle` or `slot`.
    pub unit: &'static str,
    /// Cycles from the first channel to the last.
    pub cycles: u32,
    /// Cycles from one start to the next.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub period: Option<u32>,
    /// Cycles over the largest bound.
    pub ratio: f64,
    /// Cycles over the largest bound that holds for any schedule, where that is less.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ratio_to_any: Option<f64>,
    /// Bounds in cycles, by name.
    pub bounds: &'a BoundList,
    /// Use of the channels, where it was counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub channels: Option<Counts>,
    /// SHA-256 of the specification's text.
    pub spec_sha256: String,
}

#[derive(Template)]
#[template(path = "report/compare.html")]
struct Page<'a> {
    report: &'a Comparison<'a>,
    title: String,
    names: [String; 2],
    panes: Vec<Pane<'a>>,
    rows: Vec<Row>,
    bounds: [(Vec<BoundRow>, &'static str); 2],
    origins: [Provenance<'a>; 2],
}

/// A quantity of both schedules.
struct Row {
    label: &'static str,
    /// Value of each schedule; true for the better one, if one is better.
    values: [(String, bool); 2],
}

impl<'a> Comparison<'a> {
    /// Two schedules side by side.
    pub fn new(sides: [Side<'a>; 2]) -> Self {
        let schedules = [0, 1].map(|i| {
            let side = &sides[i];
            Summary {
                network: side.network.clone(),
                nodes: side.nodes,
                collective: side.spec.collective.kind(),
                algorithm: side.algorithm,
                unit: side.scene.unit,
                cycles: side.cycles,
                period: side.period,
                ratio: side.bounds.ratio(side.cycles),
                ratio_to_any: side.bounds.ratio_to_any(side.cycles),
                bounds: side.bounds,
                channels: side.scene.counts.clone(),
                spec_sha256: side.spec.sha256(),
            }
        });
        Self { schedules, provenance: Provenance::new(sides[0].spec), sides }
    }

    /// The comparison as a page.
    ///
    /// # Errors
    /// Only by a defect of metronoc.
    pub fn html(&self) -> Result<String, ReportError> {
        let sides = &self.sides;
        let origins = [0, 1].map(|i| Provenance::new(sides[i].spec));
        let title_of = |i: usize| format!("{} on {}", self.schedules[i].collective, sides[i].network);
        let title = match (title_of(0), title_of(1)) {
            (first, second) if first == second => format!("{first}: two schedules"),
            (first, second) => format!("{first}, and {second}"),
        };
        let names = [0, 1].map(|i| format!("{}: {}", ["A", "B"][i], origins[i].spec_name));
        let pane = |i: usize| Pane { scene: &sides[i].scene, name: &names[i], mark: ["", "-b"][i] };
        let page = Page {
            report: self,
            title: capital(&title),
            panes: [0, 1].map(pane).into(),
            rows: self.rows(),
            bounds: [0, 1].map(|i| (bound_rows(sides[i].bounds.all()), bounds_note(sides[i].bounds))),
            origins,
            names: names.clone(),
        };
        Ok(page.render()? + "\n")
    }

    fn rows(&self) -> Vec<Row> {
        let row = |label, of: &dyn Fn(&Side<'a>) -> Option<String>| Row {
            label,
            values: [0, 1].map(|i| (of(&self.sides[i]).unwrap_or_else(|| "–".into()), false)),
        };
        let whole = |number: u64| Some(grouped(number));
        let timed = |side: &Side<'a>, number: u64| {
            let plural = if number == 1 { "" } else { "s" };
            Some(format!("{} {}{plural}", grouped(number), side.scene.unit))
        };
        let percent = |share: f64| format!("{:.1} %", 100.0 * share);
        let counts = |side: &Side<'a>| side.scene.counts.clone();
        let any = |side: &Side<'a>| {
            let all = side.bounds.all().iter().filter(|bound| bound.holds_for == Some(Scope::ANY_SCHEDULE));
            all.map(|bound| bound.cycles).max()
        };
        let less = |of: &dyn Fn(&Side<'a>) -> f64, mut row: Row| {
            let [a, b] = [0, 1].map(|i| of(&self.sides[i]));
            if self.schedules[0].unit == self.schedules[1].unit && a != b {
                row.values[usize::from(b < a)].1 = true;
            }
            row
        };
        vec![
            row("network", &|side| Some(side.network.clone())),
            row("nodes", &|side| whole(side.nodes as u64)),
            row("channels", &|side| whole(counts(side)?.channels as u64)),
            row("collective", &|side| Some(side.spec.collective.kind().to_owned())),
            row("algorithm", &|side| Some(side.algorithm.to_owned())),
            less(
                &|side| side.cycles.into(),
                row("time, first channel to last", &|side| timed(side, side.cycles.into())),
            ),
            row("time from one start to the next", &|side| timed(side, side.period?.into())),
            row("largest lower bound", &|side| timed(side, side.bounds.largest())),
            less(
                &|side| side.bounds.ratio(side.cycles),
                row("ratio to the largest bound", &|side| Some(format!("{:.3}", side.bounds.ratio(side.cycles)))),
            ),
            row("largest bound of any schedule", &|side| timed(side, any(side)?)),
            row("ratio to that of any schedule", &|side| {
                Some(format!("{:.3}", f64::from(side.cycles) / any(side)? as f64))
            }),
            row("hops over channels", &|side| whole(counts(side)?.transfers)),
            row("channels in use, mean", &|side| Some(percent(side.scene.shares(side.cycles)?.1))),
            row("channels in use, at most", &|side| Some(percent(side.scene.shares(side.cycles)?.0))),
            row("channels never used", &|side| whole(counts(side)?.idle_channels as u64)),
        ]
    }
}
