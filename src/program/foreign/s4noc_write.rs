//! Routes of an S4NOC, written: those of the first node, which stand for all.

use super::refusal::{ELSE, Refusal, kind, plain_hops};
use crate::program::Document;
use std::collections::BTreeMap;

const UNIFORM: &str = "`algorithm = \"uniform-terminal\"` looks for a schedule of this form";

/// The text of a schedule; the caller reads it back.
pub(super) fn text(document: &Document) -> Result<String, Refusal> {
    plain_hops(document, true)?;
    let dims = document.network["dims"].as_array().map_or(&[][..], Vec::as_slice);
    let square = dims.len() == 2 && dims[0] == dims[1];
    if document.network["topology"] != "torus" || document.network["directions"] == "one" || !square {
        return Err(Refusal::new("an S4NOC is a torus with `dims = [n, n]` and both directions", ELSE));
    }
    if kind(document) != "all-to-all" {
        return Err(Refusal::new("an S4NOC sends from each node to each other: it has `kind = \"all-to-all\"`", ELSE));
    }
    let n = dims[0].as_u64().unwrap_or(0) as u32;
    // hops of the first node's packets
    let mut hops: BTreeMap<u64, Vec<(u32, char)>> = BTreeMap::new();
    for packet in document.packets.iter().filter(|packet| packet.src == 0 && packet.dsts != [0]) {
        hops.insert(packet.id, Vec::new());
    }
    for &(cycle, channel, packet) in &document.transfers {
        let (from, to) = document.channels[channel as usize];
        let (row, column) = ((to / n + n - from / n) % n, (to % n + n - from % n) % n);
        let way = match (row, column) {
            (1, 0) if n > 2 => 's',
            (_, 0) => 'n',
            (0, 1) => 'e',
            _ => 'w',
        };
        if let Some(hops) = hops.get_mut(&packet) {
            hops.push((cycle, way));
        }
    }
    let mut routes = Vec::new();
    for (packet, mut hops) in hops {
        hops.sort_unstable();
        let start = hops.first().map_or(0, |hop| hop.0);
        if (start..).zip(&hops).any(|(cycle, hop)| hop.0 != cycle) {
            return Err(Refusal::new(format!("packet {packet} pauses on its way, or takes two ways"), UNIFORM));
        }
        routes.push((start, hops.into_iter().map(|hop| hop.1).collect::<String>()));
    }
    routes.sort();
    Ok(routes.into_iter().map(|(start, ways)| format!("{}{ways}l|\n", " ".repeat(start as usize))).collect())
}

/// Refusal of a text that is no schedule of an S4NOC.
pub(super) fn refused(message: &str) -> Refusal {
    Refusal::new(format!("the schedule is none of an S4NOC: {message}"), UNIFORM)
}

/// Refusal of a schedule in which some node acts differently from the first.
pub(super) fn differs() -> Refusal {
    Refusal::new("not all nodes do the same, and an S4NOC has one set of routes for all", UNIFORM)
}
