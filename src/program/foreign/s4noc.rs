//! Schedules of the S4NOC (Brandner and Schoeberl, RTNS 2012): routes that every node of an n×n torus has alike, relative to itself.
//!
//! ```text
//! nel|
//!   nl|
//!    el|
//! ```
//!
//! A route stands on a line of its own, or ends with `|`. Column t is cycle t: in it a word crosses the channel to the north, east, south or
//! west, or, with `l`, leaves the network. Older files have no `l`. Node r·n + c is in row r and column c; north is row r - 1 and east column
//! c + 1, both modulo n. In a cycle a node sends one word into the network, takes one out of it, and uses each channel once.

use super::flow::{Draft, Flow, Send};
use super::form::{Form, Hint};
use super::place::FormError;
use super::refusal::Refusal;
use super::s4noc_write;
use crate::program::Document;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::ops::Range;

/// The form.
pub(super) struct S4noc;

/// Most rows of a network.
const MOST: usize = 64;

const ROUTES: &str = "an n×n network has n² - 1 routes, one to each other node";

/// A route: the cycle of its first hop, its hops, and its place.
struct Route {
    start: u32,
    hops: Vec<(u8, Range<usize>)>,
    place: Range<usize>,
    /// Cycle and place in which the word leaves the network.
    end: (u32, Range<usize>),
}

impl Form for S4noc {
    fn name(&self) -> &'static str {
        "s4noc"
    }

    fn about(&self) -> &'static str {
        "S4NOC: routes that all nodes of an n×n torus have alike, such as `nel|`"
    }

    fn recognises(&self, text: &str) -> bool {
        let known = |byte: u8| b"neswl|".contains(&byte) || byte.is_ascii_whitespace();
        text.bytes().any(|byte| b"nesw".contains(&byte)) && text.bytes().all(known)
    }

    fn same_ports(&self) -> Option<&'static str> {
        Some("uniform-terminal")
    }

    fn read(&self, text: &str, hint: Hint<'_>) -> Result<Flow, FormError> {
        let routes = routes(text)?;
        let n = rows(&routes, hint.network)?;
        conflicts(&routes)?;
        destinations(&routes, n, text.trim_end().len())?;
        let mut draft = Draft::default();
        let nodes = (n * n) as u32;
        let mut packets = Vec::new();
        for (number, route) in routes.iter().enumerate() {
            for node in 0..nodes {
                let (packet, mut at) = (draft.packet(node, 0), node);
                for (hop, (way, place)) in (0..).zip(&route.hops) {
                    let (from, cycle) = (at, route.start + hop);
                    at = next(at, *way, n as u32);
                    draft.send(Send { packet, from, to: at, cycles: Some(cycle..cycle + 1), place: place.clone() });
                }
                draft.result(packet, at);
                packets.push((number, node, at));
            }
        }
        let mut links: Vec<(u32, u32)> =
            (0..nodes).flat_map(|node| b"nesw".map(|way| (node, next(node, way, n as u32)))).collect();
        // a torus with two nodes in a row has one channel each way
        links.sort_unstable();
        links.dedup();
        let flow = draft.finish(nodes, links, Vec::new());
        let mut flow = flow.ok_or_else(|| FormError::new(0..0, "there is nothing to send", ROUTES))?;
        flow.network = Some(json!({ "topology": "torus", "dims": [n, n] }));
        flow.period = routes.iter().map(|route| route.end.0 + 1).max();
        Ok(flow)
    }

    fn write(&self, document: &Document) -> Result<String, Refusal> {
        let text = s4noc_write::text(document)?;
        let hint = Hint { network: Some(&document.network), collective: None };
        let flow = self.read(&text, hint).map_err(|error| s4noc_write::refused(&error.message))?;
        // the routes stand for all nodes: their hops are to be the schedule's
        let ends = |&(cycle, channel, packet): &(u32, u32, u64)| {
            let source = document.packets.iter().find(|of| of.id == packet).map(|of| of.src);
            (cycle, document.channels[channel as usize], source)
        };
        let mut found: Vec<_> = document.transfers.iter().map(ends).collect();
        let hop = |send: &Send| {
            let cycle = send.cycles.as_ref().map_or(0, |cycles| cycles.start);
            (cycle, (send.from, send.to), Some(flow.packets[send.packet as usize].src))
        };
        let mut said: Vec<_> = flow.sends().map(hop).collect();
        found.sort_unstable();
        said.sort_unstable();
        if found == said { Ok(text) } else { Err(s4noc_write::differs()) }
    }
}

/// The node in a direction.
fn next(node: u32, way: u8, n: u32) -> u32 {
    let (row, column) = (node / n, node % n);
    match way {
        b'n' => (row + n - 1) % n * n + column,
        b's' => (row + 1) % n * n + column,
        b'e' => row * n + (column + 1) % n,
        _ => row * n + (column + n - 1) % n,
    }
}

/// Routes of a text.
fn routes(text: &str) -> Result<Vec<Route>, FormError> {
    let mut routes = Vec::new();
    let mut from = 0;
    for line in text.split_inclusive(['|', '\n']) {
        let start = from;
        from += line.len();
        let line = line.trim_end_matches(|c: char| c == '|' || c.is_ascii_whitespace());
        if line.is_empty() {
            continue;
        }
        let blank = line.len() - line.trim_start().len();
        let place = |column: usize| start + column..start + column + 1;
        if let Some(tab) = line.find('\t') {
            return Err(FormError::new(place(tab), "a tab is no column", "write a blank for each cycle"));
        }
        let mut hops = Vec::new();
        let mut end = None;
        for (column, way) in line.bytes().enumerate().skip(blank) {
            let (wrong, help) = match (way, end.is_some()) {
                (_, true) => ("a route goes on after `l`", "begin the next route after `|`, or on a line of its own"),
                (b'l', _) => {
                    end = Some((column as u32, place(column)));
                    continue;
                }
                (b' ', _) => ("a route pauses on its way", "words do not wait in an S4NOC: close the gap"),
                _ => {
                    hops.push((way, place(column)));
                    continue;
                }
            };
            return Err(FormError::new(place(column), wrong, help));
        }
        let whole = start + blank..start + line.len();
        if hops.is_empty() {
            return Err(FormError::new(whole, "a route without a hop", "write its ways before `l`: `nel|`"));
        }
        let end = end.unwrap_or_else(|| (line.len() as u32, whole.clone()));
        routes.push(Route { start: blank as u32, hops, place: whole, end });
    }
    Ok(routes)
}

/// Rows of the network: those of the torus that is given, else the square root of the number of routes and one.
fn rows(routes: &[Route], network: Option<&Value>) -> Result<usize, FormError> {
    let place = routes.last().map_or(0..0, |route| route.place.clone());
    if let Some(network) = network {
        let dims = network["dims"].as_array().map_or(&[][..], Vec::as_slice);
        let n = dims.first().and_then(Value::as_u64).filter(|_| dims.len() == 2 && dims[0] == dims[1]);
        let both = network["topology"] == "torus" && network["directions"] != "one";
        let n = n.filter(|_| both).map(|n| n as usize).filter(|n| (2..=MOST).contains(n));
        let help = "name a torus with `dims = [n, n]`, or leave `--network` out";
        return n.ok_or_else(|| {
            FormError::new(place, "routes of an S4NOC are on an n×n torus, and the network is another", help)
        });
    }
    let n = (2..=MOST).find(|n| n * n == routes.len() + 1);
    n.ok_or_else(|| {
        let message = format!("{} routes: {ROUTES}", routes.len());
        FormError::new(place, message, "add the routes that are missing, or name the torus with `--network`")
    })
}

/// Refuses two routes that want a channel, or the port of a node, in one cycle.
fn conflicts(routes: &[Route]) -> Result<(), FormError> {
    let mut taken: BTreeMap<(u32, u8), usize> = BTreeMap::new();
    for (number, route) in routes.iter().enumerate() {
        let begin = (b'i', route.start, &route.hops[0].1);
        let hops = (route.start..).zip(&route.hops).map(|(cycle, (way, place))| (*way, cycle, place));
        let end = (b'l', route.end.0, &route.end.1);
        for (what, cycle, place) in [begin].into_iter().chain(hops).chain([end]) {
            let Some(other) = taken.insert((cycle, what), number) else { continue };
            let what = match what {
                b'i' => "begin, and a node sends one word a cycle".to_owned(),
                b'l' => "end, and a node takes one word a cycle".to_owned(),
                way => format!("take the channel `{}`", char::from(way)),
            };
            let message = format!("in cycle {cycle} routes {other} and {number} both {what}");
            return Err(FormError::fault(place.clone(), message, "move one of them by a column; routes count from 0"));
        }
    }
    Ok(())
}

/// Refuses routes that do not lead to each other node once.
fn destinations(routes: &[Route], n: usize, end: usize) -> Result<(), FormError> {
    let mut reached: Vec<Option<usize>> = vec![None; n * n];
    for (number, route) in routes.iter().enumerate() {
        let to = route.hops.iter().fold(0, |at, (way, _)| next(at, *way, n as u32)) as usize;
        let place = || route.place.clone();
        if to == 0 {
            let message = format!("route {number} leads back to its node");
            return Err(FormError::fault(place(), message, ROUTES));
        }
        if let Some(other) = reached[to].replace(number) {
            let message = format!("routes {other} and {number} both lead {}", displacement(to, n));
            return Err(FormError::fault(place(), message, ROUTES));
        }
    }
    match (1..n * n).find(|&to| reached[to].is_none()) {
        Some(to) => {
            let message = format!("no route leads {}, on the {n}×{n} torus", displacement(to, n));
            Err(FormError::fault(end..end, message, ROUTES))
        }
        None => Ok(()),
    }
}

/// A displacement in words.
fn displacement(to: usize, n: usize) -> String {
    format!("{} rows south and {} columns east", to / n, to % n)
}
