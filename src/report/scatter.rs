//! Scatter plots: points in two figures, those on the Pareto front in colour and joined by steps.

use super::svg::{Picture, Px};
use std::fmt::Write;

const LEFT: f64 = 80.0;
const TOP: f64 = 16.0;
const WIDTH: f64 = 420.0;
const HEIGHT: f64 = 280.0;

/// Ratio of the largest to the smallest value above which an axis is logarithmic.
const WIDE: f64 = 30.0;

/// A point of a plot.
#[derive(Debug, Clone)]
pub struct Dot {
    /// Figures on the two axes.
    pub at: (f64, f64),
    /// True if no other one is better in both.
    pub on_front: bool,
    /// Text under the pointer.
    pub title: String,
}

/// Axis of a plot: values beside which a line is drawn, and the scale.
#[derive(Debug)]
struct Axis {
    marks: Vec<f64>,
    is_logarithmic: bool,
}

impl Axis {
    fn new(values: impl Iterator<Item = f64> + Clone) -> Self {
        let (low, high) = values.fold((f64::INFINITY, 0.0_f64), |(low, high), v| (low.min(v), high.max(v)));
        if low > 0.0 && high / low > WIDE {
            let (first, last) = (low.log10().floor() as i32, high.log10().ceil() as i32);
            return Self { marks: (first..=last).map(|power| 10f64.powi(power)).collect(), is_logarithmic: true };
        }
        let step = round_step(high.max(f64::MIN_POSITIVE) / 5.0);
        let count = (high / step).ceil().max(1.0) as u32;
        Self { marks: (0..=count).map(|i| f64::from(i) * step).collect(), is_logarithmic: false }
    }

    /// A value's part of the way from the first mark to the last.
    fn at(&self, value: f64) -> f64 {
        let scale = |v: f64| if self.is_logarithmic { v.max(f64::MIN_POSITIVE).log10() } else { v };
        let (low, high) = (scale(self.marks[0]), scale(self.marks[self.marks.len() - 1]));
        (scale(value) - low) / (high - low)
    }
}

/// The least of 1, 2 and 5 times a power of ten that is not below a step.
fn round_step(step: f64) -> f64 {
    let power = 10f64.powi(step.log10().floor() as i32);
    [1.0, 2.0, 5.0].map(|n| n * power).into_iter().find(|round| *round >= step).unwrap_or(10.0 * power)
}

/// A mark in few digits.
fn mark(value: f64) -> String {
    format!("{:.6}", value).trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Draws points over two figures, whose names stand at the axes.
pub fn scatter_picture(id: &str, title: &str, about: &str, axes: [&str; 2], dots: &[Dot]) -> String {
    let [across, upwards] = [Axis::new(dots.iter().map(|dot| dot.at.0)), Axis::new(dots.iter().map(|dot| dot.at.1))];
    let place = |(x, y): (f64, f64)| (LEFT + WIDTH * across.at(x), TOP + HEIGHT * (1.0 - upwards.at(y)));
    let mut picture = Picture::default();
    for &value in &upwards.marks {
        let y = TOP + HEIGHT * (1.0 - upwards.at(value));
        picture.line("grid", (LEFT, y), (LEFT + WIDTH, y));
        picture.text("label end", (LEFT - 8.0, y + 4.0), &mark(value));
    }
    for &value in &across.marks {
        let x = LEFT + WIDTH * across.at(value);
        picture.line("grid", (x, TOP), (x, TOP + HEIGHT));
        picture.text("label middle", (x, TOP + HEIGHT + 16.0), &mark(value));
    }
    let mut front: Vec<(f64, f64)> = dots.iter().filter(|dot| dot.on_front).map(|dot| dot.at).collect();
    front.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let mut path = String::new();
    for (i, &at) in front.iter().enumerate() {
        let (x, y) = place(at);
        let _ = match i {
            0 => write!(path, "M{} {}", Px(x), Px(y)),
            _ => write!(path, "H{}V{}", Px(x), Px(y)),
        }; // a String takes everything
    }
    if front.len() > 1 {
        picture.path("curve ideal", &path, "", "");
    }
    // those on the front cover the others
    for on_front in [false, true] {
        for dot in dots.iter().filter(|dot| dot.on_front == on_front) {
            let (class, radius) = if on_front { ("dot last", 4.0) } else { ("dot other", 3.0) };
            picture.circle(class, place(dot.at), radius, "", &dot.title);
        }
    }
    picture.text("axis", (LEFT, TOP + HEIGHT + 36.0), &format!("{}; upwards: {}", axes[0], axes[1]));
    picture.finish(id, title, about, (LEFT + WIDTH + 20.0, TOP + HEIGHT + 44.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_begin_at_zero_or_are_logarithmic() {
        assert_eq!(Axis::new([12.0, 31.0].into_iter()).marks, [0.0, 10.0, 20.0, 30.0, 40.0]);
        let wide = Axis::new([3.0, 400.0].into_iter());
        assert_eq!(wide.marks, [1.0, 10.0, 100.0, 1000.0]);
        assert!((wide.at(10.0) - 1.0 / 3.0).abs() < 1e-9);
        assert_eq!(Axis::new([0.0].into_iter()).marks.len(), 2);
        assert_eq!([0.25, 12.0, 1000.0].map(mark), ["0.25", "12", "1000"]);
    }

    #[test]
    fn every_point_is_drawn_and_the_front_is_marked() {
        let dot = |x, y, on_front| Dot { at: (x, y), on_front, title: format!("{x} & {y}") };
        let dots = [dot(1.0, 5.0, true), dot(3.0, 6.0, false), dot(2.0, 3.0, true)];
        let svg = scatter_picture("p", "t", "d", ["LUTs", "cycles"], &dots);
        let parsed = roxmltree::Document::parse(&svg).unwrap();
        let circles = |class: &str| parsed.descendants().filter(|n| n.attribute("class") == Some(class)).count();
        assert_eq!((circles("dot last"), circles("dot other"), circles("curve ideal")), (2, 1, 1));
        assert!(svg.contains("1 &amp; 5"));
    }
}
