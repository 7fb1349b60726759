//! The drawing of a POPS: processors that send on the left, couplers in the middle, processors that read on the right.

use crate::id::NodeId;
use crate::report::drawing::Drawing;
use crate::report::drawn::Drawn;
use crate::report::svg::{Panel, Picture, Px};
use crate::topology::{Pops, Topology};

/// Most channels and nodes that are drawn.
const MOST_CHANNELS: u64 = 6000;
const MOST_NODES: usize = 1200;
/// Pixels between the columns and round them.
const COLUMN: f64 = 330.0;
const MARGIN: (f64, f64) = (96.0, 34.0);

impl Drawing {
    /// The drawing of a POPS; nothing if it is too large.
    pub fn of_pops(net: Pops) -> Self {
        let channels = 2 * u64::from(net.d()) * net.couplers();
        if channels > MOST_CHANNELS || net.nodes() > MOST_NODES {
            return Self::default();
        }
        let caption = "On the left the processors send, on the right they read; coupler c(b,a) takes a packet from a processor of group \
                       a, and all processors of group b hear it.";
        let panel = Panel { svg: Star::new(net).draw(caption), caption: caption.into() };
        let legend = vec![("loc", "processor to coupler"), ("cab", "coupler to processor")];
        Self { panels: vec![panel], is_whole: true, legend }
    }
}

impl From<&Pops> for Drawn {
    fn from(net: &Pops) -> Self {
        Self { network: net.to_string(), drawing: Drawing::of_pops(*net), unit: "slot" }
    }
}

struct Star {
    net: Pops,
    /// Pixels between nodes of a column: processors, couplers.
    steps: [f64; 2],
    radius: f64,
    height: f64,
}

impl Star {
    fn new(net: Pops) -> Self {
        // between groups of a column is a gap of one place
        let rows = [net.processors() + net.g(), net.couplers() as u32 + net.g()].map(f64::from);
        let most = rows[0].max(rows[1]);
        let pitch = (1400.0 / most).clamp(9.0, 30.0);
        let height = pitch * most;
        let steps = rows.map(|rows| height / rows);
        Self { net, steps, radius: (pitch * 0.36).min(10.0), height }
    }

    /// Place of a node of the left column, or of the right one if it reads.
    fn place(&self, node: NodeId, reads: bool) -> (f64, f64) {
        let (column, number, of_group) = match node.get().checked_sub(self.net.processors()) {
            None => (if reads { 2.0 } else { 0.0 }, node.get(), self.net.d()),
            Some(coupler) => (1.0, coupler, self.net.g()),
        };
        let step = self.steps[usize::from(column == 1.0)];
        let row = f64::from(number) + f64::from(number / of_group) + 1.0;
        (MARGIN.0 + column * COLUMN, MARGIN.1 + row * step - step / 2.0)
    }

    fn draw(&self, about: &str) -> String {
        let mut picture = Picture::default();
        let net = self.net;
        let many = if u64::from(net.d()) * net.couplers() > 150 { " pale" } else { "" };
        for (class, up) in [("loc", true), ("cab", false)] {
            picture.open(&format!("link even {class}{many}"));
            for from in (0..net.nodes()).map(NodeId::from).filter(|&node| net.is_medium(node) != up) {
                for to in (0..net.ports_of(from)).map(|port| net.neighbour(from, port)) {
                    let (a, b) = (self.place(from, false), self.place(to, true));
                    let [x0, y0, x1, y1] = [a.0, a.1, b.0, b.1].map(Px);
                    let data = format!("data-one=\"\" data-a=\"{from}\" data-b=\"{to}\"");
                    let title = format!("{} → {}", net.title(from), net.title(to));
                    picture.path("l", &format!("M{x0} {y0}L{x1} {y1}"), &data, &title);
                }
            }
            picture.close();
        }
        for node in (0..net.nodes()).map(NodeId::from) {
            self.node(&mut picture, node, false);
            if !net.is_medium(node) {
                self.node(&mut picture, node, true);
            }
        }
        for group in 0..net.g() {
            let first = NodeId::new(group * net.d());
            for (class, reads, to) in [("group end", false, -24.0), ("group", true, 24.0)] {
                let (x, y) = self.place(first, reads);
                let middle = y + self.steps[0] * f64::from(net.d() - 1) / 2.0 + 4.0;
                picture.text(class, (x + to, middle), &format!("group {group}"));
            }
        }
        for (column, name) in ["send", "couplers", "read"].into_iter().enumerate() {
            picture.text("label middle", (MARGIN.0 + column as f64 * COLUMN, MARGIN.1 - 16.0), name);
        }
        let size = (2.0 * (MARGIN.0 + COLUMN), self.height + MARGIN.1 + 10.0);
        picture.finish("network", &format!("The network {net}"), about, size)
    }

    fn node(&self, picture: &mut Picture, node: NodeId, reads: bool) {
        let at = self.place(node, reads);
        let (class, title) = match self.net.is_medium(node) {
            true => ("router medium", format!("coupler {}", self.net.title(node))),
            false => ("router", format!("processor {node}")),
        };
        let side = if reads { " data-reads=\"\"" } else { "" };
        picture.circle(class, at, self.radius, &format!("data-n=\"{node}\"{side}"), &title);
        if self.radius >= 7.5 && !self.net.is_medium(node) {
            picture.text("position middle", (at.0, at.1 + 3.5), &node.to_string());
        } else if self.radius >= 7.5 {
            picture.text("group small middle", (at.0, at.1 - self.radius - 2.0), &self.net.title(node));
        }
    }
}
