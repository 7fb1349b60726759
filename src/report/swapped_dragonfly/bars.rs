//! The use of each port against the bound, as bars.

use super::usage::{Class, PortUse};
use crate::check::bound_list::NamedBound;
use crate::report::svg::{Picture, tick};

/// Largest number of bars. With more ports, neighbouring ports of equal use share a bar.
const MOST_BARS: usize = 32;
/// The most bars there can be even then.
const MOST_GROUPS: usize = 64;
const LEFT: f64 = 118.0;
const WIDTH: f64 = 780.0;
const TOP: f64 = 54.0;
const PITCH: f64 = 24.0;

/// Ports that are used alike and stand beside each other.
struct Bar<'a> {
    first: &'a PortUse,
    last: &'a PortUse,
    ports: usize,
}

impl Bar<'_> {
    fn name(&self) -> String {
        match self.last.name.rsplit_once(' ') {
            Some((_, number)) if self.ports > 1 => format!("{}–{number}", self.first.name),
            _ => self.first.name.clone(),
        }
    }
}

fn bars(ports: &[PortUse]) -> Vec<Bar<'_>> {
    let alike = |a: &PortUse, b: &PortUse| {
        let split = |p: &PortUse| (p.class, p.first_local, p.global, p.last_local);
        ports.len() > MOST_BARS && split(a) == split(b)
    };
    let groups = ports.chunk_by(alike);
    groups.map(|group| Bar { first: &group[0], last: &group[group.len() - 1], ports: group.len() }).collect()
}

/// Picture of the use of all ports in a schedule of `cycles` cycles, and of the largest bound.
pub fn bars_picture(ports: &[PortUse], cycles: u32, bound: &NamedBound) -> String {
    let mut all = bars(ports);
    let left_out = all.len().saturating_sub(MOST_GROUPS);
    all.truncate(MOST_GROUPS);
    let scale = WIDTH / f64::from(cycles.max(1));
    let x = |cycle: f64| LEFT + cycle * scale;
    let bottom = TOP + PITCH * all.len() as f64;
    let mut picture = Picture::default();
    let distance = tick(cycles, 12);
    for cycle in (0..=cycles).step_by(distance as usize) {
        picture.line("grid", (x(cycle.into()), TOP), (x(cycle.into()), bottom));
        picture.text("label middle", (x(cycle.into()), bottom + 15.0), &cycle.to_string());
    }
    for (i, bar) in all.iter().enumerate() {
        let (port, y) = (bar.first, TOP + PITCH * i as f64);
        picture.text("label end", (LEFT - 8.0, y + PITCH / 2.0 + 4.0), &bar.name());
        let mut from = 0;
        let parts = [
            ("first", port.first_local, "first local"),
            ("last", port.last_local, "last local"),
            ("global", port.global, "global"),
        ];
        for (class, count, hop) in parts.into_iter().filter(|(_, count, _)| *count > 0) {
            let title = format!("{}: {count} cycles with {hop} hops", bar.name());
            let corner = (x(from.into()), y + 4.0);
            picture.rect(&format!("bar {class}"), corner, (f64::from(count) * scale, PITCH - 8.0), &title);
            from += count;
        }
        if port.idle > 0 {
            let title = format!("{}: idle in {} cycles", bar.name(), port.idle);
            picture.rect("bar idle", (x(from.into()), y + 4.0), (f64::from(port.idle) * scale, PITCH - 8.0), &title);
        }
        let share = 100.0 * f64::from(port.used) / f64::from(cycles.max(1));
        let text = format!("{} · {share:.1} %", port.used);
        picture.text("label", (LEFT + WIDTH + 10.0, y + PITCH / 2.0 + 4.0), &text);
    }
    if let Some(y) = between(&all) {
        picture.line("between", (LEFT, y), (LEFT + WIDTH, y));
    }
    let at = x((bound.cycles as f64).min(f64::from(cycles)));
    picture.line("bound", (at, TOP - 8.0), (at, bottom));
    let text = format!("bound “{}”: {} cycles", bound.name, bound.cycles);
    picture.text("label strong end", (at - 4.0, TOP - 12.0), &text);
    picture.line("end-line", (x(cycles.into()), TOP - 22.0), (x(cycles.into()), bottom));
    picture.text("label strong end", (x(cycles.into()) - 4.0, TOP - 28.0), &format!("schedule: {cycles} cycles"));
    picture.text("axis", (LEFT, bottom + 32.0), "clock cycles in which the port is used");
    if left_out > 0 {
        let text = format!("{left_out} more groups of ports are not shown");
        picture.text("axis end", (LEFT + WIDTH, bottom + 32.0), &text);
    }
    let about =
        "A bar a port, as long as it is used; dashed, the largest lower bound on the cycles of any such schedule.";
    let title = "Cycles in which each port is used, against the bound";
    picture.finish("use", title, about, (LEFT + WIDTH + 130.0, bottom + 40.0))
}

/// Height in pixels at which the bars of local ports end; None if all ports are of one class.
fn between(all: &[Bar<'_>]) -> Option<f64> {
    let local = all.iter().take_while(|bar| bar.first.class == Class::Local).count();
    (local > 0 && local < all.len()).then_some(TOP + PITCH * local as f64)
}
