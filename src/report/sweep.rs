//! Page of a sweep: Pareto plots of area, clock and cycles, and the points that nothing beats.

use super::ReportError;
use super::facts::Fact;
use super::scatter::{Dot, scatter_picture};
use super::svg::Panel;
use crate::sweep::pareto::{Better, front};
use crate::sweep::{Figures, Outcome, Point};
use askama::Template;
use std::collections::BTreeMap;

/// Most failed points that are listed.
const MOST_FAILED: usize = 100;

/// Results of a sweep, for a page.
#[derive(Debug)]
pub struct SweepReport<'a> {
    /// Name of the sweep.
    pub name: &'a str,
    /// Points in their order.
    pub points: &'a [Point],
    /// Outcomes by the hash of the point.
    pub outcomes: &'a BTreeMap<String, Outcome>,
}

#[derive(Template)]
#[template(path = "report/sweep.html")]
struct Page {
    title: String,
    generator: &'static str,
    facts: Vec<Fact>,
    plots: Vec<Plot>,
    failed: Vec<[String; 3]>,
    failed_more: usize,
}

struct Plot {
    panel: Panel,
    heads: [&'static str; 2],
    /// Title and figures of each point on the front.
    front: Vec<[String; 3]>,
}

/// A figure that plots compare.
#[derive(Clone, Copy)]
struct Metric {
    name: &'static str,
    better: Better,
    of: fn(&Figures) -> Option<f64>,
}

const AREA: Metric = Metric { name: "look-up tables", better: Better::Less, of: |figures| figures.luts };
const CLOCK: Metric = Metric { name: "clock in MHz", better: Better::More, of: |figures| figures.clock_mhz };
const CYCLES: Metric = Metric { name: "cycles", better: Better::Less, of: |figures| figures.cycles };
const TIME: Metric = Metric { name: "time in µs", better: Better::Less, of: |figures| figures.time_us };
const NODES: Metric = Metric { name: "nodes", better: Better::More, of: |figures| figures.nodes };

/// Pairs of figures that are drawn, across and upwards, where points have both.
const PLOTS: [[Metric; 2]; 5] = [[AREA, CLOCK], [AREA, CYCLES], [AREA, TIME], [CYCLES, CLOCK], [NODES, CYCLES]];

impl SweepReport<'_> {
    /// The page: HTML that needs nothing else.
    ///
    /// # Errors
    /// Only by a defect of metronoc.
    pub fn html(&self) -> Result<String, ReportError> {
        let done: Vec<(&Point, &Outcome)> =
            self.points.iter().filter_map(|point| Some((point, self.outcomes.get(&point.hash)?))).collect();
        let failed: Vec<_> = done.iter().filter(|(_, outcome)| !outcome.passed()).collect();
        let figures: Vec<(&Point, Figures)> = done.iter().map(|(point, outcome)| (*point, outcome.figures())).collect();
        let fact = |label: &str, value: usize| Fact { label: label.to_owned(), value: value.to_string() };
        let row = |(point, outcome): &&(&Point, &Outcome)| {
            [point.title(), outcome.exit_code.to_string(), outcome.message.clone()]
        };
        let page = Page {
            title: format!("Sweep {}", self.name),
            generator: concat!("metronoc ", env!("CARGO_PKG_VERSION")),
            facts: vec![
                fact("points", self.points.len()),
                fact("with a result", done.len()),
                fact("failed", failed.len()),
            ],
            plots: (0..).zip(PLOTS).filter_map(|(index, metrics)| plot(index, metrics, &figures)).collect(),
            failed: failed.iter().take(MOST_FAILED).map(row).collect(),
            failed_more: failed.len().saturating_sub(MOST_FAILED),
        };
        Ok(page.render()? + "\n")
    }
}

/// The plot of two figures, if two points differ in them.
fn plot(index: usize, [across, upwards]: [Metric; 2], figures: &[(&Point, Figures)]) -> Option<Plot> {
    let both =
        |(point, figures): &(&Point, Figures)| Some((point.title(), (across.of)(figures)?, (upwards.of)(figures)?));
    let found: Vec<(String, f64, f64)> = figures.iter().filter_map(both).collect();
    let (_, x, y) = found.first()?;
    if found.iter().all(|(_, other_x, other_y)| (other_x, other_y) == (x, y)) {
        return None;
    }
    let at: Vec<(f64, f64)> = found.iter().map(|(_, x, y)| (*x, *y)).collect();
    let on_front = front(&at, [across.better, upwards.better]);
    let dot = |((title, x, y), on_front): (&(String, f64, f64), &bool)| Dot {
        at: (*x, *y),
        on_front: *on_front,
        title: format!("{title}: {} {}, {} {}", short(*x), across.name, short(*y), upwards.name),
    };
    let dots: Vec<Dot> = found.iter().zip(&on_front).map(dot).collect();
    let side = |metric: Metric| if metric.better == Better::Less { "fewer" } else { "more" };
    let title = format!("{} and {}", across.name, upwards.name);
    let caption = format!(
        "{} points; in colour those that no other one beats, with {} {} and {} {} being better.",
        found.len(),
        side(across),
        across.name,
        side(upwards),
        upwards.name
    );
    let svg = scatter_picture(&format!("plot-{index}"), &title, &caption, [across.name, upwards.name], &dots);
    let mut front: Vec<&(String, f64, f64)> =
        found.iter().zip(&on_front).filter(|(_, on)| **on).map(|(point, _)| point).collect();
    front.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.2.total_cmp(&b.2)));
    let rows = front.iter().map(|(title, x, y)| [title.clone(), short(*x), short(*y)]).collect();
    Some(Plot { panel: Panel { svg, caption }, heads: [across.name, upwards.name], front: rows })
}

/// A number with up to three digits after the point.
fn short(value: f64) -> String {
    format!("{value:.3}").trim_end_matches('0').trim_end_matches('.').to_owned()
}
