//! Places in pixels of an arrangement's nodes and frames.

use crate::topology::Arrangement;
use crate::topology::arrangement::{Group, Shape};
use std::f64::consts::TAU;

/// Coordinates in pixels, downwards the second.
pub type Point = (f64, f64);

/// Height of a title, and distance between a frame and its contents, in pixels.
const TITLE: f64 = 13.0;
const PAD: f64 = 5.0;

/// Frame of a group.
#[derive(Debug)]
pub struct Frame {
    /// Name of the group.
    pub title: String,
    /// Centre.
    pub centre: Point,
    /// Half of the width and height.
    pub half: Point,
    /// True for a circle.
    pub is_round: bool,
}

/// Part of a drawing, with its centre at the origin.
#[derive(Debug)]
pub struct Block {
    /// Places of nodes, by number.
    pub nodes: Vec<(u32, Point)>,
    /// Frames, outer ones first.
    pub frames: Vec<Frame>,
    /// Half of the width and height.
    pub half: Point,
    is_round: bool,
}

impl Block {
    /// Lays out an arrangement whose nodes take `unit` pixels.
    pub fn new(arrangement: &Arrangement, unit: f64) -> Self {
        match arrangement {
            Arrangement::Node(node) => {
                let half = (unit / 2.0, unit / 2.0);
                Self { nodes: vec![(*node, (0.0, 0.0))], frames: Vec::new(), half, is_round: true }
            }
            Arrangement::Group(group) => Self::of(group, unit),
        }
    }

    /// Radius of a circle that holds all.
    fn radius(&self) -> f64 {
        if self.is_round { self.half.0 } else { self.half.0.hypot(self.half.1) }
    }

    fn of(group: &Group, unit: f64) -> Self {
        let parts: Vec<Self> = group.parts.iter().map(|part| Self::new(part, unit)).collect();
        let width = 2.0 * parts.iter().map(|part| part.half.0).fold(0.0, f64::max);
        let height = 2.0 * parts.iter().map(|part| part.half.1).fold(0.0, f64::max);
        let radius = parts.iter().map(Self::radius).fold(0.0, f64::max);
        // frames have their titles on their upper edge, and want room there
        let gap = if parts.iter().all(|part| part.frames.is_empty()) { 0.0 } else { TITLE };
        let count = parts.len();
        let (places, is_round): (Vec<Point>, bool) = match group.shape {
            Shape::Grid { columns } => {
                let nested = if parts.iter().any(|part| part.nodes.len() > 1) { unit / 2.0 } else { 0.0 };
                let step = (width + gap.max(nested), height + gap.max(nested));
                let place = |i: usize| ((i % columns) as f64 * step.0, (i / columns) as f64 * step.1);
                ((0..count).map(place).collect(), false)
            }
            Shape::Ring => ((0..count).map(|i| ring(count, i, 0.0, radius + gap / 2.0, 0.0)).collect(), true),
            Shape::Star => {
                let around = |i: usize| ring(count - 1, i, 0.5, radius, 2.2 * radius);
                let middle = (count > 0).then_some((0.0, 0.0));
                (middle.into_iter().chain((1..count).map(|i| around(i - 1))).collect(), true)
            }
            Shape::Cube => {
                let bits = count.max(1).ilog2();
                ((0..count).map(|i| corner(i, bits, 2.0 * radius + gap)).collect(), false)
            }
            Shape::Beside => ((0..count).map(|i| (i as f64 * (width + room(height, unit)), 0.0)).collect(), false),
            Shape::Below => ((0..count).map(|i| (0.0, i as f64 * (height + room(width, unit)))).collect(), false),
        };
        let mut block = Self::joined(parts, places, is_round);
        if !group.title.is_empty() {
            block.frame(&group.title);
        }
        block
    }

    /// Parts at places, centred.
    fn joined(parts: Vec<Self>, places: Vec<Point>, is_round: bool) -> Self {
        let (mut nodes, mut frames) = (Vec::new(), Vec::new());
        let (mut low, mut high, mut far) = ((f64::MAX, f64::MAX), (f64::MIN, f64::MIN), 0.0_f64);
        for (part, at) in parts.iter().zip(&places) {
            low = (low.0.min(at.0 - part.half.0), low.1.min(at.1 - part.half.1));
            high = (high.0.max(at.0 + part.half.0), high.1.max(at.1 + part.half.1));
            far = far.max(at.0.hypot(at.1) + part.radius());
        }
        let (centre, half) = match is_round || parts.is_empty() {
            true => ((0.0, 0.0), (far, far)),
            false => (
                (f64::midpoint(low.0, high.0), f64::midpoint(low.1, high.1)),
                ((high.0 - low.0) / 2.0, (high.1 - low.1) / 2.0),
            ),
        };
        for (part, at) in parts.into_iter().zip(places) {
            let moved = |point: Point| (point.0 + at.0 - centre.0, point.1 + at.1 - centre.1);
            nodes.extend(part.nodes.into_iter().map(|(node, point)| (node, moved(point))));
            frames.extend(part.frames.into_iter().map(|frame| Frame { centre: moved(frame.centre), ..frame }));
        }
        Self { nodes, frames, half, is_round }
    }

    /// Puts a frame round all.
    fn frame(&mut self, title: &str) {
        // titles of frames within stand out above them
        let pad = if self.frames.is_empty() { PAD } else { PAD + 0.9 * TITLE };
        // a title is no wider than its frame
        let least = title.chars().count() as f64 * 3.2 + PAD;
        let half = (self.half.0.max(least) + pad, self.half.1 + pad);
        self.half = if self.is_round { (half.0.max(half.1), half.0.max(half.1)) } else { half };
        let frame = Frame { title: title.to_owned(), centre: (0.0, 0.0), half: self.half, is_round: self.is_round };
        self.frames.insert(0, frame);
    }
}

/// Position `i` on a circle on which `count` parts of radius `radius` do not touch; the circle has at least the radius
/// `least`.
fn ring(count: usize, i: usize, shift: f64, radius: f64, least: f64) -> Point {
    if count <= 1 && least == 0.0 {
        return (0.0, 0.0);
    }
    let far = (radius / (TAU / 2.0 / count.max(2) as f64).sin()).max(least);
    let angle = (i as f64 + shift) / count as f64 * TAU;
    (far * angle.sin(), -far * angle.cos())
}

/// Corner of a cube of parts of a size: three dimensions in parallel perspective, further ones to the right and downwards.
fn corner(number: usize, dimensions: u32, size: f64) -> Point {
    // the third dimension goes by (0.42, -0.38) edges, so that corners do not touch from an edge of 1.77 sizes on
    let edge = if dimensions < 3 { 1.3 * size } else { 1.85 * size };
    let whole = (1.42 * edge + 1.4 * size, 1.38 * edge + 1.4 * size);
    // aslant, so that links of different dimensions do not cover each other
    let slant = 0.3 * size;
    let mut at = (0.0, 0.0);
    for dimension in (0..dimensions).filter(|dimension| number >> dimension & 1 == 1) {
        // cubes to the right and downwards, doubled in turn
        let cubes = || f64::from(1 << ((dimension - 3) / 2));
        let step = match dimension {
            0 => (edge, 0.0),
            1 => (0.0, edge),
            2 => (0.42 * edge, -0.38 * edge),
            _ if dimension % 2 == 1 => (cubes() * whole.0, slant),
            _ => (slant, cubes() * whole.1),
        };
        at = (at.0 + step.0, at.1 + step.1);
    }
    at
}

/// Room for links between two parts that face each other over a length.
fn room(length: f64, unit: f64) -> f64 {
    (0.4 * length).clamp(2.0 * unit, 460.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::{FatCube, Galaxy, Galaxyfly, HierarchicalDualNet, Hypercube, Topology, Torus};

    /// Nodes that are nearer to each other than they may be.
    fn overlaps(block: &Block, least: f64) -> usize {
        let near = |a: &Point, b: &Point| (a.0 - b.0).hypot(a.1 - b.1) < least - 1e-6;
        let pairs = block.nodes.iter().enumerate().flat_map(|(i, a)| block.nodes[..i].iter().map(move |b| (a, b)));
        pairs.filter(|(a, b)| near(&a.1, &b.1)).count()
    }

    #[test]
    fn nodes_do_not_touch_and_stay_inside() {
        let dual = HierarchicalDualNet::new(vec!["ring:2".parse().expect("a factor"); 2], vec![vec![0], vec![0, 1]]);
        let nets: Vec<Box<dyn Topology>> = vec![
            Box::new(Galaxyfly::new(Galaxy::new(4, 5).expect("a graph"), 4, true)),
            Box::new(FatCube::new(5, 4, 1, 3)),
            Box::new(Torus::new(vec![3, 4, 5], true)),
            Box::new(Hypercube::new(8)),
            Box::new(dual.expect("a network")),
        ];
        for net in nets {
            for unit in [12.0, 40.0] {
                let block = Block::new(&net.arrangement(), unit);
                assert_eq!(overlaps(&block, unit), 0, "{}", net.name());
                assert!(overlaps(&block, 8.0 * unit) > 0);
                let inside = |point: &Point| point.0.abs() < block.half.0 && point.1.abs() < block.half.1;
                assert!(block.nodes.iter().all(|(_, point)| inside(point)), "{}", net.name());
            }
        }
    }
}
