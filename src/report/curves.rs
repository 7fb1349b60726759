//! Curves over the load: one for each way to arbitrate, with a mark at each load that was run.

use super::svg::{Picture, Px};
use std::fmt::Write;

const LEFT: f64 = 70.0;
const TOP: f64 = 16.0;
const WIDTH: f64 = 420.0;
const HEIGHT: f64 = 240.0;

/// A curve: the class of its colour, its name, and its points (load, value).
#[derive(Debug, Clone)]
pub struct Curve<'a> {
    /// `first`, `last` or `ideal`.
    pub class: &'static str,
    /// Name of the curve.
    pub name: &'a str,
    /// Points (load, value) in ascending order of load.
    pub points: Vec<(f64, f64)>,
}

/// Scale of an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Axis {
    /// Share, from 0 to 1.
    Share,
    /// Powers of ten.
    Logarithmic,
}

impl Axis {
    /// Values beside which a line is drawn.
    fn marks(self, curves: &[Curve<'_>]) -> Vec<f64> {
        match self {
            Axis::Share => (0..=5).map(|fifth| f64::from(fifth) / 5.0).collect(),
            Axis::Logarithmic => {
                let values = || curves.iter().flat_map(|curve| &curve.points).map(|point| point.1.max(1.0));
                let least = values().fold(f64::INFINITY, f64::min).log10().floor();
                let most = values().fold(1.0, f64::max).log10().ceil().max(least + 1.0);
                let (least, most) = (if least.is_finite() { least as i32 } else { 0 }, most as i32);
                (least..=most).map(|power| 10f64.powi(power)).collect()
            }
        }
    }

    /// A value's part of the way from the first mark to the last.
    fn at(self, value: f64, marks: &[f64]) -> f64 {
        let (low, high) = (marks[0], marks[marks.len() - 1]);
        match self {
            Axis::Share => (value - low) / (high - low),
            Axis::Logarithmic => (value.max(low).log10() - low.log10()) / (high.log10() - low.log10()),
        }
    }
}

/// Draws curves over loads from 0 to 1.
pub fn curves_picture(id: &str, title: &str, about: &str, unit: &str, axis: Axis, curves: &[Curve<'_>]) -> String {
    let marks = axis.marks(curves);
    let x = |load: f64| LEFT + load * WIDTH;
    let y = |value: f64| TOP + HEIGHT * (1.0 - axis.at(value, &marks));
    let mut picture = Picture::default();
    for &mark in &marks {
        picture.line("grid", (LEFT, y(mark)), (LEFT + WIDTH, y(mark)));
        picture.text("label end", (LEFT - 8.0, y(mark) + 4.0), &mark.to_string());
    }
    for tenth in (0..=10).step_by(2) {
        let load = f64::from(tenth) / 10.0;
        picture.line("grid", (x(load), TOP), (x(load), TOP + HEIGHT));
        picture.text("label middle", (x(load), TOP + HEIGHT + 16.0), &load.to_string());
    }
    for curve in curves {
        let mut path = String::new();
        for (i, &(load, value)) in curve.points.iter().enumerate() {
            let letter = if i == 0 { 'M' } else { 'L' };
            let _ = write!(path, "{letter}{} {}", Px(x(load)), Px(y(value))); // a String takes everything
        }
        picture.path(&format!("curve {}", curve.class), &path, "", curve.name);
        if curve.class != "ideal" {
            for &(load, value) in &curve.points {
                let title = format!("{}, load {load}: {value:.4}", curve.name);
                picture.circle(&format!("dot {}", curve.class), (x(load), y(value)), 3.0, "", &title);
            }
        }
    }
    picture.text("axis", (LEFT, TOP + HEIGHT + 34.0), &format!("load; upwards: {unit}"));
    picture.finish(id, title, about, (LEFT + WIDTH + 14.0, TOP + HEIGHT + 42.0))
}

/// Draws a pair of bars for each of some things: their two values, the largest of which fills the picture.
pub fn pairs_picture(id: &str, title: &str, about: &str, unit: &str, names: [&str; 2], values: [&[u64]; 2]) -> String {
    let count = values[0].len().max(1);
    let most = values.iter().flat_map(|list| list.iter()).copied().max().unwrap_or(0).max(1);
    let pitch = (2.0 * WIDTH / count as f64).clamp(4.0, 40.0);
    let width = pitch * count as f64;
    let bar = (pitch - 2.0) / 2.0;
    let mut picture = Picture::default();
    for (i, label) in [0, most].into_iter().enumerate() {
        let y = TOP + HEIGHT * (1 - i) as f64;
        picture.line("grid", (LEFT, y), (LEFT + width, y));
        picture.text("label end", (LEFT - 8.0, y + 4.0), &label.to_string());
    }
    let classes = ["bar first", "bar last"];
    let every = (32.0 / pitch).ceil() as usize;
    for i in 0..count {
        let left = LEFT + pitch * i as f64 + 1.0;
        for (side, list) in values.iter().enumerate() {
            let value = list.get(i).copied().unwrap_or(0);
            let height = HEIGHT * value as f64 / most as f64;
            let corner = (left + bar * side as f64, TOP + HEIGHT - height);
            picture.rect(classes[side], corner, (bar, height), &format!("{i}, {}: {value}", names[side]));
        }
        if i % every == 0 {
            picture.text("label middle", (left + bar, TOP + HEIGHT + 16.0), &i.to_string());
        }
    }
    picture.text("axis", (LEFT, TOP + HEIGHT + 34.0), unit);
    picture.finish(id, title, about, (LEFT + width + 14.0, TOP + HEIGHT + 42.0))
}
