//! The drawing of a Swapped Dragonfly: all of a small one, and of a large one its levels.

use crate::report::drawing::Drawing;
use crate::report::drawn::Drawn;
use crate::report::svg::{Panel, Picture, Px, shown};
use crate::topology::swapped_dragonfly::RouterAddress;
use crate::topology::{SwappedDragonfly, Topology};
use std::f64::consts::TAU;

/// Networks with more routers are drawn level by level.
const MOST_ROUTERS: usize = 100;
/// Networks with more drawers are drawn level by level, since a link joins each two drawers.
const MOST_DRAWERS: u32 = 24;
/// The most things on a ring.
const MOST_ON_RING: u32 = 64;
/// A ring of more things shows the links of the first alone.
const MOST_JOINED: u32 = 12;
/// The most routers of the drawer in detail.
const MOST_IN_DRAWER: u32 = 8;

impl Drawing {
    /// The drawing of a Swapped Dragonfly.
    pub(in crate::report) fn of_swapped_dragonfly(net: &SwappedDragonfly) -> Self {
        let legend =
            vec![("loc", "local, within a drawer"), ("swap", "swap, γ = 0"), ("cab", "to another cabinet, γ ≠ 0")];
        let (panels, is_whole) = panels(net);
        if is_whole {
            return Self { panels, is_whole, legend };
        }
        // the colours of a network that is drawn on a ring
        match Self::coloured(net, net, ["loc", "swap", "cab", "far", "rest"]) {
            drawing if drawing.is_whole => {
                Self { panels: drawing.panels.into_iter().chain(panels).collect(), ..drawing }
            }
            _ => Self { panels, is_whole, legend },
        }
    }
}

impl From<&SwappedDragonfly> for Drawn {
    fn from(net: &SwappedDragonfly) -> Self {
        Self { network: net.to_string(), drawing: Drawing::of_swapped_dragonfly(net), unit: "cycle" }
    }
}

/// Draws a network; true if the picture shows all of it.
fn panels(net: &SwappedDragonfly) -> (Vec<Panel>, bool) {
    if net.nodes() <= MOST_ROUTERS && net.k() * net.m() <= MOST_DRAWERS {
        return (vec![whole(net)], true);
    }
    let (k, m) = (net.k(), net.m());
    let mut panels = Vec::new();
    if k > 1 {
        let pairs = format!("{} global links between every two, one from each router.", m * m);
        panels.push(ring("cabinets", k, "cabinet", &format!("The {k} cabinets: {pairs}")));
    }
    let swap = "the swap link γ = 0 between every two; at router p = d it is a register inside the router.";
    panels.push(ring("drawers", m, "drawer", &format!("The {m} drawers of each cabinet: {swap}")));
    panels.push(drawer(net));
    (panels, false)
}

/// A point on a circle, clockwise from the top.
fn polar(centre: (f64, f64), radius: f64, turn: f64) -> (f64, f64) {
    let angle = turn * TAU;
    (centre.0 + radius * angle.sin(), centre.1 - radius * angle.cos())
}

/// The class that anchors a label beside a circle.
fn anchor(turn: f64) -> &'static str {
    match (turn * TAU).sin() {
        s if s > 0.25 => "label",
        s if s < -0.25 => "label end",
        _ => "label middle",
    }
}

fn quadratic(from: (f64, f64), control: (f64, f64), to: (f64, f64)) -> String {
    let [a, b, c, d, e, f] = [from.0, from.1, control.0, control.1, to.0, to.1].map(Px);
    format!("M{a} {b}Q{c} {d} {e} {f}")
}

/// An arc of a circle, clockwise.
fn arc(centre: (f64, f64), radius: f64, from: f64, to: f64) -> String {
    let ((x0, y0), (x1, y1)) = (polar(centre, radius, from), polar(centre, radius, to));
    let large = u8::from(to - from > 0.5);
    let [x0, y0, x1, y1, r] = [x0, y0, x1, y1, radius].map(Px);
    format!("M{x0} {y0}A{r} {r} 0 {large} 1 {x1} {y1}")
}

/// Positions of the routers of a small network: on a ring, drawer by drawer.
struct Ring {
    centre: (f64, f64),
    radius: f64,
    /// Pixels from router to router along the ring.
    unit: f64,
    m: u32,
    total: f64,
}

const DRAWER_GAP: f64 = 1.0;
const CABINET_GAP: f64 = 1.4;

impl Ring {
    fn new(net: &SwappedDragonfly) -> Self {
        let (k, m) = (f64::from(net.k()), f64::from(net.m()));
        let cabinet_gap = if net.k() > 1 { CABINET_GAP } else { 0.0 };
        let total = k * (m * (m + DRAWER_GAP) + cabinet_gap);
        let radius = (total * 24.0 / TAU).clamp(170.0, 330.0);
        let (unit, m) = (radius * TAU / total, net.m());
        let rim = radius + Self::arcs(m, unit) + 84.0;
        Self { centre: (rim + 60.0, rim), radius, unit, m, total }
    }

    /// Distance in pixels by which the local links of a drawer bulge from the ring.
    fn arcs(m: u32, unit: f64) -> f64 {
        10.0 + 0.42 * unit * f64::from(m - 1)
    }

    /// The turn of a position in a drawer, which may lie between routers.
    fn turn(&self, c: u32, d: u32, p: f64) -> f64 {
        let gap = if self.total > f64::from(self.m) * (f64::from(self.m) + DRAWER_GAP) { CABINET_GAP } else { 0.0 };
        let (c, d, m) = (f64::from(c), f64::from(d), f64::from(self.m));
        let before = c * (m * (m + DRAWER_GAP) + gap) + d * (m + DRAWER_GAP);
        (before + p + 0.5 + DRAWER_GAP / 2.0 + gap / 2.0) / self.total
    }

    fn router(&self, at: RouterAddress) -> (f64, f64) {
        polar(self.centre, self.radius, self.turn(at.c, at.d, f64::from(at.p)))
    }
}

/// The whole of a small network: drawers round a ring, local links outside, global links inside.
fn whole(net: &SwappedDragonfly) -> Panel {
    let ring = Ring::new(net);
    let mut picture = Picture::default();
    let last = f64::from(net.m() - 1);
    for (c, d) in (0..net.k()).flat_map(|c| (0..net.m()).map(move |d| (c, d))) {
        let (from, to) = (ring.turn(c, d, -0.55), ring.turn(c, d, last + 0.55));
        picture.path("drawer", &arc(ring.centre, ring.radius, from, to), "", "");
    }
    links(&mut picture, net, &ring);
    for node in 0..net.nodes() {
        let at = net.address(node.into());
        let loops = at.d == at.p;
        let title = format!(
            "router ({},{},{}){}",
            at.c,
            at.d,
            at.p,
            if loops { ", γ = 0 is a register inside the router" } else { "" }
        );
        let class = if loops { "router loop" } else { "router" };
        let centre = ring.router(at);
        picture.circle(class, centre, (ring.unit * 0.38).min(10.0), &format!("data-n=\"{node}\""), &title);
        picture.text("position middle", (centre.0, centre.1 + 3.5), &at.p.to_string());
    }
    let drawer_radius = ring.radius + Ring::arcs(net.m(), ring.unit) + 10.0;
    for (c, d) in (0..net.k()).flat_map(|c| (0..net.m()).map(move |d| (c, d))) {
        let turn = ring.turn(c, d, last / 2.0);
        let (x, y) = polar(ring.centre, drawer_radius, turn);
        picture.text(anchor(turn), (x, y + 4.0), &format!("({c},{d},·)"));
    }
    for c in 0..net.k() {
        let (from, to) = (ring.turn(c, 0, -0.5), ring.turn(c, net.m() - 1, last + 0.5));
        picture.path("cabinet", &arc(ring.centre, drawer_radius + 44.0, from, to), "", "");
        let turn = (from + to) / 2.0;
        let (x, y) = polar(ring.centre, drawer_radius + 54.0, turn);
        let nudge = if (turn * TAU).cos() > 0.0 { -1.0 } else { 9.0 };
        picture.text(&format!("{} strong", anchor(turn)), (x, y + nudge), &format!("cabinet {c}"));
    }
    let (k, m) = (net.k(), net.m());
    let about =
        format!("{k} cabinets of {m} drawers of {m} routers on a ring; links in a drawer outside, others inside.");
    let size = (ring.centre.0 * 2.0, ring.centre.1 * 2.0);
    let title = format!("The network D3({k},{m})");
    let caption = format!(
        "Each of the {} drawers (c,d,·) is a complete graph of its {m} routers, numbered p. Between every two drawers there is one \
         global link: router (c,d,p) has port γ to (c+γ,p,d). Ringed routers have d = p: their port γ = 0 is a register that stays \
         at home.",
        k * m
    );
    Panel { svg: picture.finish("network", &title, &about, size), caption }
}

/// Each pair of channels once.
fn links(picture: &mut Picture, net: &SwappedDragonfly, ring: &Ring) {
    let seen = |a: usize, b: usize| a < b;
    for class in ["link cab", "link swap", "link loc"] {
        picture.open(class);
        for (node, port) in (0..net.nodes()).flat_map(|n| (0..net.ports()).map(move |p| (n, p))) {
            let (a, b) = (net.address(node.into()), net.neighbour(node.into(), port));
            let is_local = port < net.local_ports();
            let kind = match port {
                _ if is_local => "link loc",
                port if port == net.global_port(0) => "link swap",
                _ => "link cab",
            };
            if kind != class || !seen(node, b.index()) {
                continue;
            }
            let far = net.address(b);
            let back = net.vector(far, a);
            let (from, to) = (ring.router(a), ring.router(far));
            let (control, way) = if is_local {
                let span = f64::from(a.p.abs_diff(far.p));
                let turn = (ring.turn(a.c, a.d, f64::from(a.p)) + ring.turn(a.c, a.d, f64::from(far.p))) / 2.0;
                let bulge = 12.0 + 0.84 * ring.unit * (span - 0.4);
                (polar(ring.centre, ring.radius + bulge, turn), String::new())
            } else {
                let pull = 0.35;
                let middle = ((from.0 + to.0) / 2.0, (from.1 + to.1) / 2.0);
                let x = ring.centre.0 + (middle.0 - ring.centre.0) * pull;
                let y = ring.centre.1 + (middle.1 - ring.centre.1) * pull;
                ((x, y), format!(": γ = {} there, γ = {} back", port - net.local_ports(), back.gamma))
            };
            let title = format!("({},{},{}) ↔ ({},{},{}){way}", a.c, a.d, a.p, far.c, far.d, far.p);
            let data = format!("data-a=\"{node}\" data-b=\"{}\"", b.index());
            picture.path("l", &quadratic(from, control, to), &data, &title);
        }
        picture.close();
    }
}

/// Things on a ring, every two of them joined.
fn ring(id: &str, n: u32, name: &str, caption: &str) -> Panel {
    const CENTRE: (f64, f64) = (190.0, 180.0);
    const RADIUS: f64 = 135.0;
    let all = shown(n, MOST_ON_RING);
    let turn = |i: usize| i as f64 / all.len() as f64;
    let is_complete = n <= MOST_JOINED;
    let mut picture = Picture::default();
    let class = if name == "drawer" { "link swap" } else { "link cab" };
    picture.open(class);
    for (i, j) in (0..all.len()).flat_map(|i| (i + 1..all.len()).map(move |j| (i, j))) {
        if (is_complete || i == 0) && all[i].is_some() && all[j].is_some() {
            let (from, to) = (polar(CENTRE, RADIUS, turn(i)), polar(CENTRE, RADIUS, turn(j)));
            picture.line("l", from, to);
        }
    }
    picture.close();
    let radius = if all.len() > 32 { 4.0 } else { 9.0 };
    for (i, number) in all.iter().enumerate() {
        let centre = polar(CENTRE, RADIUS, turn(i));
        let label = number.map_or("⋯".to_owned(), |number| number.to_string());
        if number.is_some() {
            picture.circle("router", centre, radius, "", &format!("{name} {label}"));
        }
        if all.len() <= 32 || i % 4 == 0 || number.is_none() {
            let (x, y) = polar(CENTRE, RADIUS + 20.0, turn(i));
            picture.text("label middle", (x, y + 4.0), &label);
        }
    }
    let which = if is_complete { String::new() } else { format!(" Drawn: the links of {name} 0.") };
    let title = format!("The {n} {name}s on a ring");
    let svg = picture.finish(id, &title, caption, (CENTRE.0 * 2.0, CENTRE.1 * 2.0));
    Panel { svg, caption: format!("{caption}{which}") }
}

/// The first drawer, and where the global ports of one of its routers lead.
fn drawer(net: &SwappedDragonfly) -> Panel {
    const STEP: f64 = 84.0;
    const LINE: f64 = 126.0;
    let (k, m) = (net.k(), net.m());
    let routers = shown(m, MOST_IN_DRAWER);
    let ports = shown(k, MOST_IN_DRAWER);
    let width = 40.0 + STEP * routers.len().max(ports.len()) as f64;
    let x = |i: usize, n: usize| width / 2.0 + (i as f64 - (n as f64 - 1.0) / 2.0) * STEP;
    let router_x = |i: usize| x(i, routers.len());
    let mut picture = Picture::default();
    let is_complete = m <= MOST_IN_DRAWER;
    // The router whose ports are shown: its swap port is a link.
    let one = RouterAddress { c: 0, d: 0, p: 1 };
    picture.rect("box", (10.0, LINE - 26.0), (width - 20.0, 52.0), "");
    picture.open("link loc");
    for (i, j) in (0..routers.len()).flat_map(|i| (i + 1..routers.len()).map(move |j| (i, j))) {
        let (Some(a), Some(b)) = (routers[i], routers[j]) else { continue };
        if is_complete || a == one.p || b == one.p {
            let height = 4.0 + 26.0 * (j - i) as f64;
            let control = ((router_x(i) + router_x(j)) / 2.0, LINE - 12.0 - height);
            let curve = quadratic((router_x(i), LINE - 12.0), control, (router_x(j), LINE - 12.0));
            picture.path("l", &curve, "", &format!("(0,0,{a}) ↔ (0,0,{b})"));
        }
    }
    picture.close();
    const FAR: f64 = LINE + 120.0;
    for (i, gamma) in ports.iter().enumerate() {
        let at = (x(i, ports.len()), FAR);
        let Some(gamma) = gamma else {
            picture.text("label middle", at, "⋯");
            continue;
        };
        let far = net.global(one, *gamma);
        let class = if *gamma == 0 { "link swap" } else { "link cab" };
        picture.open(class);
        picture.line("l", (router_x(1), LINE + 14.0), (at.0, FAR - 16.0));
        picture.close();
        picture.rect("box", (at.0 - 38.0, FAR - 16.0), (76.0, 36.0), "");
        picture.text("label middle", (at.0, FAR - 2.0), &format!("γ = {gamma}"));
        picture.text("label middle", (at.0, FAR + 13.0), &format!("({},{},{})", far.c, far.d, far.p));
    }
    for (i, p) in routers.iter().enumerate() {
        let at = (router_x(i), LINE);
        let Some(p) = p else {
            picture.text("label middle", (at.0, at.1 + 4.0), "⋯");
            continue;
        };
        let class = if *p == 0 { "router loop" } else { "router" };
        picture.circle(class, at, 14.0, "", &format!("router (0,0,{p})"));
        picture.text("position middle", (at.0, at.1 + 4.0), &p.to_string());
    }
    let which = if is_complete { "all links" } else { "the links of p = 1" };
    let leading = match k {
        1 => "the global port of router (0,0,1) with the router it leads to".to_owned(),
        _ => format!("the {k} global ports of router (0,0,1) with the routers they lead to"),
    };
    let caption = format!(
        "Drawer (0,0,·) in detail: a complete graph of {m} routers, numbered p ({which} drawn), and {leading}."
    );
    let svg = picture.finish("drawer", "A drawer and the global ports of one router", &caption, (width, FAR + 30.0));
    Panel { svg, caption }
}
