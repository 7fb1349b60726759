//! Curves of links, and the nodes that they would cover.

use super::layout::Point;
use super::svg::Px;
use std::collections::{BTreeMap, BTreeSet};

/// Line between two points, straight or bent to one side.
pub struct Curve {
    from: Point,
    to: Point,
    /// The two control points of a bent line.
    controls: Option<[Point; 2]>,
}

impl Curve {
    /// Line whose middle is `bend` pixels off the straight line, to the left of the direction for positive numbers.
    pub fn new(from: Point, to: Point, bend: f64) -> Self {
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        // the middle of a cubic curve has three quarters of the distance of its control points
        let off = bend / 0.75 / dx.hypot(dy).max(1.0);
        let control = |along: f64| (from.0 + along * dx + off * dy, from.1 + along * dy - off * dx);
        Self { from, to, controls: (bend != 0.0).then(|| [control(0.1), control(0.9)]) }
    }

    /// Pixels between the ends.
    pub fn length(&self) -> f64 {
        (self.to.0 - self.from.0).hypot(self.to.1 - self.from.1)
    }

    /// Point at a part of the way, from 0 to 1.
    pub fn at(&self, t: f64) -> Point {
        let s = 1.0 - t;
        let mix = |from: f64, to: f64, controls: Option<[f64; 2]>| match controls {
            None => s * from + t * to,
            Some([a, b]) => s * s * (s * from + 3.0 * t * a) + t * t * (3.0 * s * b + t * to),
        };
        let of =
            |axis: fn(&Point) -> f64| self.controls.as_ref().map(|controls| [axis(&controls[0]), axis(&controls[1])]);
        (mix(self.from.0, self.to.0, of(|point| point.0)), mix(self.from.1, self.to.1, of(|point| point.1)))
    }

    /// True if the line stays within a picture.
    pub fn is_inside(&self, size: Point) -> bool {
        let (x, y) = self.at(0.5);
        (0.0..=size.0).contains(&x) && (0.0..=size.1).contains(&y)
    }

    /// The line in SVG's path language.
    pub fn path(&self) -> String {
        let [x0, y0, x1, y1] = [self.from.0, self.from.1, self.to.0, self.to.1].map(Px);
        match self.controls {
            None => format!("M{x0} {y0}L{x1} {y1}"),
            Some([a, b]) => format!("M{x0} {y0}C{} {} {} {} {x1} {y1}", Px(a.0), Px(a.1), Px(b.0), Px(b.1)),
        }
    }
}

/// Nodes by place.
pub struct Near<'a> {
    centres: &'a [Point],
    unit: f64,
    cells: BTreeMap<(i64, i64), Vec<u32>>,
}

impl<'a> Near<'a> {
    /// Nodes with these centres, about `unit` pixels apart.
    pub fn new(centres: &'a [Point], unit: f64) -> Self {
        let mut cells: BTreeMap<(i64, i64), Vec<u32>> = BTreeMap::new();
        for (node, at) in (0..).zip(centres) {
            cells.entry(Self::cell(*at, unit)).or_default().push(node);
        }
        Self { centres, unit, cells }
    }

    fn cell(at: Point, unit: f64) -> (i64, i64) {
        ((at.0 / unit) as i64, (at.1 / unit) as i64)
    }

    /// Number of nodes but the ends that a curve comes nearer than a distance to.
    pub fn crossed(&self, curve: &Curve, distance: f64, ends: (u32, u32)) -> usize {
        let steps = (curve.length() / (self.unit * 0.3)).ceil().max(1.0) as u32;
        let mut hit = BTreeSet::new();
        for step in 1..steps {
            let at = curve.at(f64::from(step) / f64::from(steps));
            let (x, y) = Self::cell(at, self.unit);
            for cell in (x - 1..=x + 1).flat_map(|x| (y - 1..=y + 1).map(move |y| (x, y))) {
                let nodes = self.cells.get(&cell).into_iter().flatten().copied();
                hit.extend(nodes.filter(|&node| {
                    let centre = self.centres[node as usize];
                    node != ends.0 && node != ends.1 && (centre.0 - at.0).hypot(centre.1 - at.1) < distance
                }));
            }
        }
        hit.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_bent_round_a_node() {
        let centres = [(0.0, 20.0), (20.0, 20.0), (40.0, 20.0)];
        let near = Near::new(&centres, 20.0);
        let crossed = |bend: f64| near.crossed(&Curve::new(centres[0], centres[2], bend), 8.0, (0, 2));
        assert_eq!([0.0, 10.0, -10.0].map(crossed), [1, 0, 0]);
        let middle = Curve::new(centres[0], centres[2], 10.0).at(0.5);
        assert!((middle.0 - 20.0).hypot(middle.1 - 10.0) < 1e-9, "{middle:?}");
        assert!(!Curve::new(centres[0], centres[2], 21.0).is_inside((50.0, 50.0)));
        assert_eq!(Curve::new(centres[0], centres[2], 0.0).path(), "M0 20L40 20");
    }
}
