//! The space-time diagram: ports of a router from top to bottom, cycles from left to right.

use super::usage::Usage;
use crate::check::swapped_dragonfly::claims::Hop;
use crate::report::svg::{Picture, Px, shown, tick};
use std::fmt::Write;
use std::ops::Range;

/// Programs with more cycles are shown in part.
const MOST_CYCLES: u32 = 400;
/// The most cells that are drawn one by one.
const MOST_CELLS: u32 = 12_000;
/// The most ports of each class that have a row.
const MOST_PORTS: u32 = 64;
/// Pixels for the names of the ports.
const LEFT: f64 = 84.0;
/// Pixels for the cycles.
const WIDTH: f64 = 1000.0;
/// Pixels above the first row, for the axis.
const TOP: f64 = 38.0;
/// Pixels between two windows of one picture.
const GAP: f64 = 90.0;

/// The pictures of a program.
#[derive(Debug)]
pub struct Timeline {
    /// The cycles one by one, in one picture or several.
    pub bands: Vec<String>,
    /// All cycles at once, if the bands leave some out.
    pub overview: Option<String>,
    /// Caption: a sentence on the picture.
    pub caption: String,
}

/// Style class of a hop in the picture.
fn class(hop: Hop) -> &'static str {
    match hop {
        Hop::FirstLocal => "first",
        Hop::Global => "global",
        Hop::LastLocal => "last",
    }
}

/// Rows from top to bottom: a port each, or None for those left out.
fn rows(usage: &Usage) -> Vec<Option<u32>> {
    let local = usage.local_ports();
    let global = shown(usage.ports() - local, MOST_PORTS);
    shown(local, MOST_PORTS).into_iter().chain(global.into_iter().map(|row| row.map(|gamma| local + gamma))).collect()
}

/// The row of the first global port.
fn first_global(usage: &Usage, rows: &[Option<u32>]) -> usize {
    rows.iter().position(|row| row.is_some_and(|port| port >= usage.local_ports())).unwrap_or(rows.len())
}

/// Draws a program.
pub fn timeline(usage: &Usage) -> Timeline {
    let (cycles, rows) = (usage.cycles(), rows(usage));
    let in_full = cycles <= MOST_CYCLES && cycles * rows.len() as u32 <= MOST_CELLS;
    if in_full {
        let bands = cycles.div_ceil(100).max(1);
        let columns = cycles.div_ceil(bands);
        let starts = (0..bands).map(|band| band * columns);
        let windows = starts.map(|start| start..cycles.min(start + columns)).filter(|window| !window.is_empty());
        let scale = (WIDTH / f64::from(columns.max(1))).min(46.0);
        let bands = windows.enumerate().map(|(i, window)| band(usage, &rows, i, &[window], scale)).collect();
        return Timeline { bands, overview: None, caption: format!("All {cycles} cycles.") };
    }
    let columns = (MOST_CELLS / 2 / rows.len() as u32).clamp(8, 50).min(cycles / 2);
    let windows = [0..columns, cycles - columns..cycles];
    let scale = (WIDTH - GAP) / f64::from(2 * columns);
    let caption = format!("The first and the last {columns} of {cycles} cycles; below, all of them at once.");
    let bands = vec![band(usage, &rows, 0, &windows, scale.min(18.0))];
    Timeline { bands, overview: Some(overview(usage, columns)), caption }
}

/// One picture of some windows of cycles, `scale` pixels a cycle.
fn band(usage: &Usage, rows: &[Option<u32>], number: usize, windows: &[Range<u32>], scale: f64) -> String {
    let pitch = match rows.len() {
        0..=24 => 22.0,
        25..=64 => 14.0,
        _ => 8.0,
    };
    let is_tight = pitch < 20.0 || scale < 12.0;
    let mut picture = Picture::default();
    let mut x = LEFT;
    for window in windows {
        frame(&mut picture, usage, rows, window, (x, scale, pitch));
        for hop in [Hop::FirstLocal, Hop::Global, Hop::LastLocal] {
            picture.open(&format!("cells {}{}", class(hop), if is_tight { " tight" } else { "" }));
            cells(&mut picture, usage, rows, window, hop, (x, scale, pitch));
            picture.close();
        }
        let period = usage.schedule.period();
        if window.contains(&period) {
            let (at, bottom) = (x + f64::from(period - window.start) * scale, TOP + pitch * rows.len() as f64);
            picture.line("period", (at, TOP - 4.0), (at, bottom + 4.0));
        }
        x += f64::from(window.end - window.start) * scale + GAP;
    }
    let right = x - GAP;
    let bottom = TOP + pitch * rows.len() as f64;
    if let [first, last] = windows {
        let left_out = format!("{} cycles", last.start - first.end);
        let middle = LEFT + f64::from(first.end - first.start) * scale + GAP / 2.0;
        picture.text("label middle", (middle, (TOP + bottom) / 2.0 - 8.0), "⋯");
        picture.text("label middle", (middle, (TOP + bottom) / 2.0 + 8.0), &left_out);
    }
    let every = if pitch < 10.0 { 4 } else { 1 };
    let global = first_global(usage, rows);
    for (i, row) in rows.iter().enumerate() {
        let y = TOP + pitch * i as f64;
        let in_class = if i < global { i } else { i - global };
        match row {
            Some(port) if in_class % every == 0 => {
                picture.text("label end", (LEFT - 6.0, y + pitch / 2.0 + 4.0), &usage.port_name(*port));
            }
            Some(_) => {}
            None => picture.text("label end", (LEFT - 6.0, y + pitch / 2.0 + 4.0), "⋯"),
        }
    }
    picture.text("axis", (LEFT, 12.0), "clock cycle, counted from the first claimed one");
    let (from, to) = (windows[0].start, windows[windows.len() - 1].end);
    let title = format!("Ports in use, cycles {from} to {}", to.saturating_sub(1));
    let about = "A row a port, a column a cycle; a cell is a packet that enters the channel, coloured by hop.";
    picture.finish(&format!("timeline-{number}"), &title, about, (right + 40.0, bottom + 6.0))
}

/// Background of the cells: rows and the axis of cycles.
fn frame(picture: &mut Picture, usage: &Usage, rows: &[Option<u32>], window: &Range<u32>, place: (f64, f64, f64)) {
    let (x, scale, pitch) = place;
    let width = f64::from(window.end - window.start) * scale;
    for (i, _) in rows.iter().enumerate().filter(|(_, row)| row.is_some()) {
        picture.rect("row", (x, TOP + pitch * i as f64 + 0.5), (width, pitch - 1.0), "");
    }
    let distance = tick(window.end - window.start, (width / 34.0) as u32);
    for cycle in window.clone().filter(|cycle| cycle % distance == 0) {
        let middle = x + (f64::from(cycle - window.start) + 0.5) * scale;
        picture.text("label middle", (middle, TOP - 8.0), &cycle.to_string());
        picture.line("mark", (middle, TOP - 5.0), (middle, TOP - 1.0));
    }
    let y = TOP + pitch * first_global(usage, rows) as f64;
    picture.line("between", (x, y), (x + width, y));
    let cycles = window.end - window.start;
    picture.window((x, TOP), (width, pitch * rows.len() as f64), window.start, cycles);
}

fn cells(
    picture: &mut Picture,
    usage: &Usage,
    rows: &[Option<u32>],
    window: &Range<u32>,
    hop: Hop,
    (x, scale, pitch): (f64, f64, f64),
) {
    let size = ((scale - 1.0).max(scale * 0.8), (pitch - 2.0).max(pitch * 0.8));
    for (i, port) in rows.iter().enumerate().filter_map(|(i, row)| Some((i, (*row)?))) {
        let y = TOP + pitch * i as f64 + 1.0;
        for claim in usage.port(port, window.clone()).iter().filter(|claim| claim.hop == hop) {
            let left = x + f64::from(claim.cycle - window.start) * scale + 0.5;
            let v = usage.launch(claim).vector;
            let title = format!("cycle {}, {}: γ={} π={} δ={}", claim.cycle, hop.name(), v.gamma, v.pi, v.delta);
            picture.cell((left, y), size, claim.launch, &title);
            if scale >= 27.0 && pitch >= 20.0 {
                let text = format!("{},{},{}", v.gamma, v.pi, v.delta);
                picture.text("vector middle", (left + size.0 / 2.0, y + size.1 / 2.0 + 3.5), &text);
            }
        }
    }
}

/// All cycles in two strips, the share of local and of global ports in use; `detailed` cycles at each end are marked.
fn overview(usage: &Usage, detailed: u32) -> String {
    const STRIP: f64 = 64.0;
    const BETWEEN: f64 = 22.0;
    let cycles = usage.cycles();
    let counts = usage.by_cycle();
    let bins = cycles.min(500);
    let bin_start = |bin: u32| (u64::from(bin) * u64::from(cycles) / u64::from(bins)) as usize;
    let scale = WIDTH / f64::from(cycles);
    let share = |bin: u32, hop: Hop, ports: u32| {
        let range = bin_start(bin)..bin_start(bin + 1);
        let used: u32 = counts[range.clone()].iter().map(|count| count[hop as usize]).sum();
        f64::from(used) / (range.len() as f64 * f64::from(ports))
    };
    let mut picture = Picture::default();
    // Steps along the top of the strip, then back along the tops of what lies below.
    let mut area = |hop: Hop, below: Option<Hop>, ports: u32, floor: f64| {
        let base = |bin| below.map_or(0.0, |hop| share(bin, hop, ports));
        let mut d = String::new();
        for bin in 0..bins {
            let height = STRIP * (base(bin) + share(bin, hop, ports));
            let (x0, x1) = (bin_start(bin) as f64 * scale, bin_start(bin + 1) as f64 * scale);
            let start = if bin == 0 { 'M' } else { 'L' };
            let (y, x0, x1) = (Px(floor - height), Px(LEFT + x0), Px(LEFT + x1));
            let _ = write!(d, "{start}{x0} {y}H{x1}"); // a String takes everything
        }
        for bin in (0..bins).rev() {
            let (x0, x1) = (bin_start(bin) as f64 * scale, bin_start(bin + 1) as f64 * scale);
            let (y, x0, x1) = (Px(floor - STRIP * base(bin)), Px(LEFT + x0), Px(LEFT + x1));
            let _ = write!(d, "L{x1} {y}H{x0}"); // likewise
        }
        d.push('z');
        picture.path(&format!("area {}", class(hop)), &d, "", "");
    };
    let (local_floor, global_floor) = (TOP + STRIP, TOP + 2.0 * STRIP + BETWEEN);
    let (local, global) = (usage.local_ports(), usage.ports() - usage.local_ports());
    area(Hop::FirstLocal, None, local, local_floor);
    area(Hop::LastLocal, Some(Hop::FirstLocal), local, local_floor);
    area(Hop::Global, None, global, global_floor);
    for (name, floor) in [("local", local_floor), ("global", global_floor)] {
        picture.line("mark", (LEFT, floor), (LEFT + WIDTH, floor));
        picture.line("full", (LEFT, floor - STRIP), (LEFT + WIDTH, floor - STRIP));
        picture.text("label end", (LEFT - 6.0, floor - STRIP + 10.0), "100 %");
        picture.text("label end", (LEFT - 6.0, floor - STRIP / 2.0 + 4.0), name);
        picture.text("label end", (LEFT - 6.0, floor), "0 %");
    }
    let distance = tick(cycles, 16);
    for cycle in (0..cycles).step_by(distance as usize) {
        let x = LEFT + f64::from(cycle) * scale;
        picture.text("label middle", (x, TOP - 8.0), &cycle.to_string());
        picture.line("mark", (x, TOP - 5.0), (x, TOP - 1.0));
    }
    picture.window((LEFT, TOP), (WIDTH, global_floor - TOP), 0, cycles);
    let shown = f64::from(detailed) * scale;
    for x in [LEFT, LEFT + WIDTH - shown] {
        picture.rect("detailed", (x, global_floor + 4.0), (shown.max(2.0), 4.0), "shown cycle by cycle above");
    }
    picture.text("axis", (LEFT, 12.0), "share of ports in use, by clock cycle");
    let title = "Share of the local and of the global ports in use over all cycles";
    let about = "Two strips over all cycles: the share of local ports with first and last hops, and of global ports.";
    picture.finish("overview", title, about, (LEFT + WIDTH + 40.0, global_floor + 12.0))
}
