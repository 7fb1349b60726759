//! The drawing of a network by its structure: groups as frames, links from node to node.

use super::curve::{Curve, Near};
use super::layout::{Block, Point};
use super::svg::{Panel, Picture};
use crate::id::NodeId;
use crate::topology::arrangement::Group;
use crate::topology::{Arrangement, Topology};
use std::collections::{BTreeMap, BTreeSet};

/// Most nodes and links of a network that is drawn.
const MOST_NODES: usize = 1200;
const MOST_LINKS: usize = 6000;
/// Pixels of a drawing.
const WIDTH: f64 = 1130.0;
const HEIGHT: f64 = 1200.0;
/// Pixels of a node and the room round it: the first that fits is taken.
const UNITS: [f64; 10] = [40.0, 34.0, 28.0, 24.0, 20.0, 17.0, 15.0, 13.0, 11.5, 10.0];
/// Number of links from which on links are drawn pale.
const MANY: usize = 150;
/// By sort of link: class of the style sheet.
pub(super) type Colours = [&'static str; 5];
/// Distances, in units, by which a link leaves the straight line, in the order in which they are tried.
const BENDS: [f64; 9] = [0.0, 0.5, -0.5, 1.0, -1.0, 1.5, -1.5, 2.5, -2.5];
/// Classes of the style sheet for links, inner ones first.
const COLOURS: Colours = ["loc", "cab", "swap", "far", "rest"];

/// Drawings of a network, with the names of the colours of its links.
#[derive(Debug, Default)]
pub struct Drawing {
    /// Pictures.
    pub panels: Vec<Panel>,
    /// True if the first picture shows every node and link.
    pub is_whole: bool,
    /// Colour and name of each sort of link.
    pub legend: Vec<(&'static str, &'static str)>,
}

/// Links between two nodes.
struct Link {
    ends: (u32, u32),
    there: usize,
    back: usize,
    /// Position in the legend.
    sort: usize,
}

impl Drawing {
    /// Draws the channels of a network at the places that the whole network gives its nodes; nothing if it is too large.
    pub fn new(net: &dyn Topology, whole: &dyn Topology) -> Self {
        Self::coloured(net, whole, COLOURS)
    }

    pub(super) fn coloured(net: &dyn Topology, whole: &dyn Topology, colours: Colours) -> Self {
        if net.nodes() > MOST_NODES || net.nodes() != whole.nodes() {
            return Self::default();
        }
        let mut channels: BTreeMap<(u32, u32), (usize, usize)> = BTreeMap::new();
        for node in (0..net.nodes()).map(NodeId::from) {
            for to in (0..net.ports_of(node)).map(|port| net.neighbour(node, port)).filter(|&to| to != node) {
                let counts = channels.entry((node.min(to).get(), node.max(to).get())).or_default();
                *(if node < to { &mut counts.0 } else { &mut counts.1 }) += 1;
            }
        }
        if channels.len() > MOST_LINKS {
            return Self::default();
        }
        let arrangement = whole.arrangement();
        let mut groups = Groups::default();
        groups.visit(&arrangement, &mut Vec::new());
        let names = groups.names();
        let link = |(&ends, &(there, back)): (&(u32, u32), &(usize, usize))| {
            let sort = names.iter().position(|name| *name == groups.between(ends)).unwrap_or(0);
            Link { ends, there, back, sort }
        };
        let links: Vec<Link> = channels.iter().map(link).collect();
        let block = |unit: f64| (unit, Block::new(&arrangement, unit));
        let fits = |(_, block): &(f64, Block)| block.half.0 * 2.0 <= WIDTH && block.half.1 * 2.0 <= HEIGHT;
        let (unit, block) = UNITS.into_iter().map(block).find(fits).unwrap_or_else(|| block(UNITS[UNITS.len() - 1]));
        let lead = if links.len() > MANY { groups.lead(net.nodes()) } else { Vec::new() };
        let caption = match lead.len() {
            0 => whole.about_drawing(),
            1 => format!("{} Links of the first node are darker.", whole.about_drawing()),
            count => format!("{} Links of the first {count} nodes are darker.", whole.about_drawing()),
        };
        let canvas = Canvas::new(net, &block, (unit, colours), lead);
        let panel = Panel { svg: canvas.draw(&links, names.len(), &caption), caption };
        let used: BTreeSet<usize> = links.iter().map(|link| link.sort).collect();
        let legend = used.into_iter().map(|sort| (colours[sort.min(colours.len() - 1)], names[sort])).collect();
        Self { panels: vec![panel], is_whole: true, legend }
    }
}

impl Drawing {
    /// The drawing beside another one on a page: ids of its first picture end in `-b`.
    pub fn beside(mut self) -> Self {
        for panel in self.panels.iter_mut().take(1) {
            let ids = ["id=\"network", "labelledby=\"network"];
            panel.svg = ids.iter().fold(panel.svg.clone(), |svg, id| svg.replace(id, &format!("{id}-b")));
            panel.svg = panel.svg.replace("-t network-d", "-t network-b-d");
        }
        self
    }
}

/// Pixels round the drawing.
const MARGIN: f64 = 10.0;

/// Groups of each node, outer groups first; by node.
#[derive(Default)]
struct Groups<'a> {
    all: Vec<&'a Group>,
    of: BTreeMap<u32, Vec<usize>>,
    depth: Vec<usize>,
}

impl<'a> Groups<'a> {
    fn visit(&mut self, arrangement: &'a Arrangement, path: &mut Vec<usize>) {
        match arrangement {
            Arrangement::Node(node) => drop(self.of.insert(*node, path.clone())),
            Arrangement::Group(group) => {
                self.depth.push(path.len());
                path.push(self.all.len());
                self.all.push(group);
                group.parts.iter().for_each(|part| self.visit(part, path));
                path.pop();
            }
        }
    }

    /// Names of links, inner ones first.
    fn names(&self) -> Vec<&'static str> {
        let mut order: Vec<usize> = (0..self.all.len()).collect();
        order.sort_by_key(|&group| std::cmp::Reverse(self.depth[group]));
        let mut names = Vec::new();
        for group in order {
            if !names.contains(&self.all[group].links) && self.all[group].parts.len() > 1 {
                names.push(self.all[group].links);
            }
        }
        names
    }

    /// Nodes of the largest group of the first node that has at most a sixteenth of all; else the first node alone.
    fn lead(&self, nodes: usize) -> Vec<u32> {
        let few = |group: &&usize| self.all[**group].parts.iter().map(Arrangement::count).sum::<usize>() <= nodes / 16;
        let group = self.of.get(&0).and_then(|path| path.iter().find(few));
        match group {
            Some(group) => self.of.iter().filter(|(_, path)| path.contains(group)).map(|(&node, _)| node).collect(),
            None => vec![0],
        }
    }

    /// Name of the links between two nodes: that of the innermost group of both.
    fn between(&self, (a, b): (u32, u32)) -> &'static str {
        let common = self.of[&a].iter().zip(&self.of[&b]).take_while(|(a, b)| a == b).last();
        common.map_or("", |(group, _)| self.all[*group].links)
    }
}

/// The picture's measures.
struct Canvas<'a> {
    net: &'a dyn Topology,
    block: &'a Block,
    unit: f64,
    colours: Colours,
    /// Corner of the block that is the picture's origin.
    low: Point,
    size: Point,
    centres: Vec<Point>,
    /// Nodes whose links are darker, ascending; none if all are alike.
    lead: Vec<u32>,
}

impl<'a> Canvas<'a> {
    fn new(net: &'a dyn Topology, block: &'a Block, (unit, colours): (f64, Colours), lead: Vec<u32>) -> Self {
        let (mut low, mut high) = ((0.0_f64, 0.0_f64), (0.0_f64, 0.0_f64));
        let nodes = block.nodes.iter().map(|&(_, at)| (at, (unit / 2.0, unit / 2.0)));
        for (at, half) in nodes.chain(block.frames.iter().map(|frame| (frame.centre, frame.half))) {
            low = (low.0.min(at.0 - half.0 - MARGIN), low.1.min(at.1 - half.1 - MARGIN));
            high = (high.0.max(at.0 + half.0 + MARGIN), high.1.max(at.1 + half.1 + MARGIN));
        }
        let mut nodes = block.nodes.clone();
        nodes.sort_unstable_by_key(|(node, _)| *node);
        let centres = nodes.into_iter().map(|(_, at)| (at.0 - low.0, at.1 - low.1)).collect();
        Self { net, block, unit, colours, low, size: (high.0 - low.0, high.1 - low.1), centres, lead }
    }

    fn radius(&self) -> f64 {
        self.unit * 0.3
    }

    fn draw(&self, links: &[Link], sorts: usize, about: &str) -> String {
        let mut picture = Picture::default();
        let moved = |at: Point| (at.0 - self.low.0, at.1 - self.low.1);
        for frame in &self.block.frames {
            let centre = moved(frame.centre);
            match frame.is_round {
                true => picture.circle("frame", centre, frame.half.0, "", ""),
                false => {
                    let corner = (centre.0 - frame.half.0, centre.1 - frame.half.1);
                    picture.rect("frame", corner, (frame.half.0 * 2.0, frame.half.1 * 2.0), "");
                }
            }
        }
        let near = Near::new(&self.centres, self.unit);
        // outer links below inner ones
        for sort in (0..sorts).rev() {
            let pale = if self.lead.is_empty() { "" } else { " pale" };
            picture.open(&format!("link even {}{pale}", self.colours[sort.min(COLOURS.len() - 1)]));
            links.iter().filter(|link| link.sort == sort).for_each(|link| self.link(&mut picture, &near, link));
            picture.close();
        }
        for node in (0..self.net.nodes()).map(NodeId::from) {
            self.node(&mut picture, node);
        }
        for frame in &self.block.frames {
            let (x, y) = moved((frame.centre.0, frame.centre.1 - frame.half.1));
            let class = if frame.half.0 < 60.0 { "group small middle" } else { "group middle" };
            picture.text(class, (x, y + 3.5), &frame.title);
        }
        picture.finish("network", &format!("The network: {}", self.net.name()), about, self.size)
    }

    fn node(&self, picture: &mut Picture, node: NodeId) {
        let (centre, radius) = (self.centres[node.index()], self.radius());
        let (title, data) = (self.net.title(node), format!("data-n=\"{node}\""));
        let alone = self.net.ports_of(node) == 0;
        if self.net.is_medium(node) {
            picture.circle("router medium", centre, radius, &data, &format!("router {title}"));
        } else {
            picture.circle(if alone { "router out" } else { "router" }, centre, radius, &data, &title);
        }
        if radius >= 7.5 {
            let label = self.net.label(node);
            let all: Vec<String> = label.iter().map(u32::to_string).collect();
            let all = self.net.name_of(node).map_or_else(|| all.join(","), str::to_owned);
            let short = label.last().map_or(String::new(), u32::to_string);
            let text = if all.len() <= 3 { all } else { short };
            if text.len() as f64 * 5.8 < radius * 2.0 {
                picture.text("position middle", (centre.0, centre.1 + 3.5), &text);
            }
        }
    }

    /// A link, bent if a node is in the way.
    fn link(&self, picture: &mut Picture, near: &Near<'_>, link: &Link) {
        let (a, b) = link.ends;
        let (from, to) = (self.centres[a as usize], self.centres[b as usize]);
        let mut best = (Curve::new(from, to, 0.0), usize::MAX);
        for bend in BENDS {
            let curve = Curve::new(from, to, bend * self.unit);
            let hits = if curve.is_inside(self.size) {
                near.crossed(&curve, self.radius() + 1.5, link.ends)
            } else {
                usize::MAX
            };
            if hits < best.1 {
                best = (curve, hits);
            }
            if hits == 0 {
                break;
            }
        }
        let path = best.0.path();
        let [a, b] = [a, b].map(|node| self.net.title(NodeId::new(node)));
        let title = match (link.there, link.back) {
            (1, 1) => format!("{a} ↔ {b}"),
            (there, 0) => format!("{a} → {b}{}", times(there)),
            (0, back) => format!("{b} → {a}{}", times(back)),
            (there, back) if there == back => format!("{a} ↔ {b}{}", times(there)),
            (there, back) => format!("{a} → {b}{}, {b} → {a}{}", times(there), times(back)),
        };
        let data = format!("data-a=\"{}\" data-b=\"{}\"", link.ends.0, link.ends.1);
        let dark = self.lead.binary_search(&link.ends.0).is_ok() || self.lead.binary_search(&link.ends.1).is_ok();
        picture.path(if dark { "l dark" } else { "l" }, &path, &data, &title);
    }
}

fn times(count: usize) -> String {
    if count == 1 { String::new() } else { format!(", {count} times") }
}
