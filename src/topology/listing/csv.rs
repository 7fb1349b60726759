//! An edge a line: `source,destination` or `source,destination,cycles`. Lines that begin with `#` and empty ones are left out, and so is a
//! first line `source,destination,…`.

use super::draft::{Draft, Listing, ListingError, cycles_of, error};
use crate::count::counted;
use crate::id::NodeId;
use crate::input::excerpt;
use crate::input::place_of;
use crate::topology::Topology;
use std::collections::HashMap;
use std::ops::Range;

const LINE: &str = "write `source,destination` or `source,destination,cycles`, a channel a line; a link is two lines";

/// A line: its place and its fields.
type Line<'a> = (Range<usize>, Vec<&'a str>);

/// Lines with something in them.
fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    let all = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let is_head = |line: &str| line.split(',').next().is_some_and(|field| field.trim().eq_ignore_ascii_case("source"));
    let all = all.enumerate().filter(move |(i, line)| *i > 0 || !is_head(line)).map(|(_, line)| line);
    all.map(move |line| (place_of(text, line), line.split(',').map(str::trim).collect()))
}

/// The network of a text.
pub(super) fn read(text: &str) -> Result<Listing, ListingError> {
    let mut draft = Draft::default();
    for (place, fields) in lines(text) {
        let (src, dst, cycles) = match fields[..] {
            [src, dst] => (src, dst, None),
            [src, dst, cycles] => (src, dst, Some(cycles_of(cycles, &place_of(text, cycles))?)),
            _ => return Err(error(place, counted(fields.len(), "field"), LINE)),
        };
        if src.is_empty() || dst.is_empty() {
            return Err(error(place, "a node without a name", LINE));
        }
        let ends = (draft.node(src, &place_of(text, src))?, draft.node(dst, &place_of(text, dst))?);
        draft.channel(ends, cycles, &place)?;
    }
    draft.finish(text)
}

/// Sets the cycles of hops from lines `source,destination,cycles`, by node and port. Nodes go by name where they have names or single
/// numbers as labels, else by number. Of parallel channels, one line names all, or as many lines as there are one after the other.
///
/// # Errors
/// [`ListingError`] of the first line at fault.
pub fn cycles(text: &str, net: &dyn Topology, latency: &mut [Vec<u32>]) -> Result<(), ListingError> {
    let name = |node: NodeId| match (net.name_of(node), &net.label(node)[..]) {
        (Some(name), _) => name.to_owned(),
        (None, [number]) => number.to_string(),
        (None, _) => node.get().to_string(),
    };
    let known: HashMap<String, NodeId> = (0..net.nodes()).map(NodeId::from).map(|node| (name(node), node)).collect();
    let node = |name: &str| {
        let unknown = || {
            let message = format!("there is no node `{}`", excerpt(name));
            error(place_of(text, name), message, "name nodes as the graph's file does, or by their numbers from 0 on")
        };
        known.get(name).copied().ok_or_else(unknown)
    };
    let mut named: HashMap<(NodeId, NodeId), usize> = HashMap::new();
    for (place, fields) in lines(text) {
        let &[src, dst, cycles] = &fields[..] else {
            let help = "write `source,destination,cycles`, a channel a line";
            return Err(error(place, counted(fields.len(), "field"), help));
        };
        let (cycles, src, dst) = (cycles_of(cycles, &place_of(text, cycles))?, node(src)?, node(dst)?);
        let ports: Vec<usize> = (0..net.ports_of(src)).filter(|&port| net.neighbour(src, port) == dst).collect();
        let before = named.entry((src, dst)).or_default();
        if *before >= ports.len() {
            let message = match ports.len() {
                0 => format!("no channel leads from node {} to node {}", net.title(src), net.title(dst)),
                count => format!("{count} channels lead from node {} to node {}", net.title(src), net.title(dst)),
            };
            return Err(error(place, message, "write a line for each channel that is there"));
        }
        ports[*before..].iter().for_each(|&port| latency[src.index()][port] = cycles);
        *before += 1;
    }
    Ok(())
}

/// Routers of a supernode that have the global links of a Galaxyfly, by supernode and neighbour, from lines `source,destination`: a link a line,
/// its two routers by number. `neighbours` are those of each supernode, ascending; a supernode has `a` routers, and `supernode` names it.
///
/// # Errors
/// [`ListingError`] of the first line at fault, or of the first link of the Galaxy graph that is not there.
pub fn links(
    text: &str,
    neighbours: &[Vec<u32>],
    a: u32,
    supernode: impl Fn(u32) -> String,
) -> Result<Vec<Vec<u32>>, ListingError> {
    let router = |name: &str| {
        let known = name.parse().ok().filter(|&number: &u32| number < neighbours.len() as u32 * a);
        known.ok_or_else(|| {
            let message = format!("there is no router `{}`", excerpt(name));
            error(
                place_of(text, name),
                message,
                "name routers by number: router r of supernode (c,e) is (c·q + e)·a + r",
            )
        })
    };
    let mut gates: Vec<Vec<Option<u32>>> = neighbours.iter().map(|list| vec![None; list.len()]).collect();
    for (place, fields) in lines(text) {
        let &[src, dst] = &fields[..] else {
            let help = "write `source,destination`, a link a line; it leads both ways";
            return Err(error(place, counted(fields.len(), "field"), help));
        };
        let ends = [router(src)?, router(dst)?];
        let [from, to] = ends.map(|router| router / a);
        let index = |from: u32, to: u32| neighbours[from as usize].binary_search(&to).ok();
        let (Some(there), Some(back)) = (index(from, to), index(to, from)) else {
            let message = format!("supernodes {} and {} are not joined", supernode(from), supernode(to));
            return Err(error(place, message, "list the links of the Galaxy graph alone, each once"));
        };
        let before = gates[from as usize][there].replace(ends[0] % a);
        gates[to as usize][back] = Some(ends[1] % a);
        if before.is_some() {
            let message = format!("supernodes {} and {} are joined twice", supernode(from), supernode(to));
            return Err(error(place, message, "list each link once: it leads both ways"));
        }
    }
    let gates = gates.into_iter().enumerate().map(|(from, gates)| {
        let missing = gates.iter().position(Option::is_none).map(|index| neighbours[from][index]);
        match missing {
            None => Ok(gates.into_iter().flatten().collect()),
            Some(to) => {
                let message = format!("no link joins supernodes {} and {}", supernode(from as u32), supernode(to));
                Err(error(text.len()..text.len(), message, "list every link of the Galaxy graph"))
            }
        }
    });
    gates.collect()
}
