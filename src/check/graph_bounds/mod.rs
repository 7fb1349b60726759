//! Lower bounds for any demand on any network, each with the reason that can be counted again.
//!
//! | name | because |
//! |---|---|
//! | `distance` | a word takes at least the shortest way |
//! | `receive` | the words that a node is owed come over the channels that lead to it, one a cycle each |
//! | `send` | likewise the words that a node has and others are owed, over the channels that leave it |
//! | `capacity` | all chunks together cross so many channels at least, each of which takes one word a cycle |
//! | `cut` | words must enter a set of nodes over the channels that lead into it |
//! | `routing` | on any routes, words cross the busiest channels so often, each counted with a weight; listed where it is the largest |
//! | `class` | all chunks together cross so many channels of one class at least, whatever ways they take; only where it says more than the others |
//! | `growth` | the words of a sum come together over so many channels, one value a cycle each, and sums on the way take the operator's cycles |
//!
//! A channel cannot be used before the first word can reach it, nor so late that its word reaches no destination in
//! time. Both ranges of cycles are left out. A combination of several nodes' words counts once wherever one word can
//! stand for all, so the bounds hold with any operations. The sets of `cut` are nodes with common first coordinates,
//! slices of the labels' coordinates, balls around nodes, and smallest cuts around nodes, found by maximum flow. If all
//! words that enter a set are owed to one node inside, a channel must deliver in time for the way from its end to that
//! node. `routing` is for words that are not combined. It equals the linear program over all routings, up to the effort
//! of the search for weights; the bound holds for any weights.

mod circuits;
mod class;
mod cut;
mod flow;
mod growth;
mod resources;
mod routing;
mod subject;

pub use circuits::bounds_of_circuits;
pub use subject::Subject;

use super::bound_list::{BoundList, NamedBound, Scope};
use crate::collective::demand::Chunk;
use crate::count::counted;
use crate::topology::Topology;
use class::Crossed;
use cut::{Cut, cut};
use resources::{Resources, cycles_of};
use routing::Priced;
use std::collections::BTreeSet;
use subject::{FAR, Listed};

/// Effort of the search for cuts: the number of looks at chunks, or at channels of a flow.
const EFFORT: u64 = 60_000_000;
/// Most slices of the coordinates of an axis that are looked at as cuts.
const MOST_SLICES: usize = 200;
/// Most nodes and channels over which distances are found.
const DISTANCE_EFFORT: usize = 200_000_000;

/// Most sets of nodes with common first coordinates, for each number of coordinates.
const MOST_GROUPS: usize = 200;

/// The bounds for a demand on a network.
pub fn bounds(subject: Subject<'_>) -> BoundList {
    let listed = Listed::new(subject);
    let resources = Resources::of(&listed);
    let capacity = capacity(&listed, &resources);
    let mut found = vec![distance(&listed), node(&listed, false), node(&listed, true), capacity];
    let most = |found: &[NamedBound]| found.iter().map(|bound| bound.cycles).max().unwrap_or(0);
    found.push(tightest(&listed, most(&found)));
    let (cycles, reason) = growth::growth(&listed);
    found.push(bound("growth", cycles, reason));
    let so_far = most(&found);
    let crossed = class::busiest(&listed).filter(|crossed| crossed.cycles > so_far);
    found.extend(crossed.map(|crossed| class(&listed, &crossed)));
    let priced = routing::search(&listed, &resources, most(&found));
    found.extend(priced.map(|priced| weighted(&listed, &resources, &priced)));
    BoundList::new(found.into_iter().filter(|bound| bound.cycles > 0).collect())
}

fn bound(name: &'static str, cycles: u64, reason: String) -> NamedBound {
    NamedBound { name, cycles, holds_for: Some(Scope::ANY_SCHEDULE), reason }
}

fn label(listed: &Listed<'_>, node: usize) -> String {
    listed.subject.net.title(node.into())
}

/// Channels of one class that all chunks cross together.
fn class(listed: &Listed<'_>, crossed: &Crossed) -> NamedBound {
    let Crossed { crossings, example, count, cycles } = crossed;
    let [from, to] = [example.src, example.dst].map(|node| label(listed, node));
    let over = if listed.subject.one_port { "nodes send one a cycle each" } else { "channels are of it" };
    let reason =
        format!("words cross {crossings} channels of the class of {from} → {to} on any way, and {count} {over}");
    bound("class", *cycles, reason)
}

/// The longest of the shortest ways.
fn distance(listed: &Listed<'_>) -> NamedBound {
    let (mut most, mut ends) = (0, (0, 0));
    // by node: the chunks that it sends
    let mut sent: Vec<Vec<&Chunk>> = vec![Vec::new(); listed.nodes()];
    let mut last: Option<&Chunk> = None;
    for chunk in &listed.subject.demand.chunks {
        if last != Some(chunk) {
            chunk.from.iter().for_each(|from| sent[from.index()].push(chunk));
            last = Some(chunk);
        }
    }
    let senders: Vec<usize> = (0..sent.len()).filter(|&node| !sent[node].is_empty()).collect();
    // each sender gives a bound, so in a large network some do
    let looked = DISTANCE_EFFORT / (listed.nodes() + listed.channels.len()).max(1);
    for from in senders.iter().copied().step_by(senders.len().div_ceil(looked.max(1)).max(1)) {
        let cycles = listed.ways([from], true, |channel| channel.latency);
        for to in sent[from].iter().flat_map(|chunk| &chunk.to).map(|to| to.index()) {
            if cycles[to] < FAR && cycles[to] > most {
                (most, ends) = (cycles[to], (from, to));
            }
        }
    }
    let [from, to] = [ends.0, ends.1].map(|node| label(listed, node));
    bound("distance", most, format!("a word leads from {from} to {to}"))
}

/// The node that has most to receive, or to send, over its channels.
fn node(listed: &Listed<'_>, sends: bool) -> NamedBound {
    let mut words = vec![0_u64; listed.nodes()];
    for chunk in &listed.subject.demand.chunks {
        let (here, there) = if sends { (&chunk.from, &chunk.to) } else { (&chunk.to, &chunk.from) };
        for node in here {
            words[node.index()] += u64::from(there.iter().any(|other| other != node));
        }
    }
    let mut channels: Vec<Vec<u64>> = vec![Vec::new(); listed.nodes()];
    for channel in &listed.channels {
        channels[if sends { channel.src } else { channel.dst }].push(channel.latency - 1);
    }
    let cycles = |node: usize| {
        let mut delays = channels[node].clone();
        if listed.subject.one_port {
            delays.sort_unstable();
            delays.truncate(1);
        }
        cycles_of(words[node].into(), delays.into_iter().map(|delay| (delay, 1)))
    };
    let worst = (0..listed.nodes()).rev().max_by_key(|&node| cycles(node)).unwrap_or(0);
    let (count, name) = (channels.get(worst).map_or(0, Vec::len), label(listed, worst));
    let words = words.get(worst).copied().unwrap_or(0);
    let at_once = if listed.subject.one_port { ", one at a time" } else { "" };
    match sends {
        false => {
            let coming = some(words, "word comes", "words come");
            bound("receive", cycles(worst), format!("{coming} to {name} over {}{at_once}", counted(count, "channel")))
        }
        true => {
            let leaving = some(words, "word leaves", "words leave");
            bound("send", cycles(worst), format!("{leaving} {name} over {}{at_once}", counted(count, "channel")))
        }
    }
}

/// Number with one of two phrases: `one` for 1, else `more`.
fn some(number: u64, one: &str, more: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { more })
}

/// Channels that all chunks cross together.
fn capacity(listed: &Listed<'_>, resources: &Resources) -> NamedBound {
    let Priced { prices, paid, cycles } = Priced::new(listed, resources, resources.even().to_vec());
    let count = resources.count(&prices);
    let reason = match listed.subject.one_port {
        false => format!("words make {}; {count} channels take one a cycle each", counted(paid, "channel crossing")),
        true => format!("words make {}; {count} nodes send one a cycle each", counted(paid, "channel crossing")),
    };
    bound("capacity", cycles, reason)
}

/// Channels that all chunks cross on any routes, each with a weight.
fn weighted(listed: &Listed<'_>, resources: &Resources, Priced { prices, paid, cycles }: &Priced) -> NamedBound {
    let most = prices.iter().copied().max().unwrap_or(0);
    let dearest: Vec<usize> = (0..prices.len()).filter(|&resource| prices[resource] == most).collect();
    let nodes = listed.nodes();
    let name = |&resource: &usize| match listed.subject.one_port {
        true if resource < nodes => format!("what {} sends", label(listed, resource)),
        true => format!("what {} receives", label(listed, resource - nodes)),
        false => {
            let channel = listed.channels[resource];
            format!("{} → {}", label(listed, channel.src), label(listed, channel.dst))
        }
    };
    let first: Vec<String> = dearest.iter().take(3).map(name).collect();
    let (count, total, first) = (dearest.len(), resources.total(prices), first.join(", "));
    let more = if count > 3 { ", …" } else { "" };
    let over = if listed.subject.one_port { "ports" } else { "channels" };
    let weights = format!("weights are 0 to {most}, the largest of {count} {over}: {first}{more}");
    bound(
        "routing",
        *cycles,
        format!("on any routes words cross {over} of weight {paid}, of {total} a cycle; {weights}"),
    )
}

/// Sets of nodes that have their first coordinates in common, two or more: the supernodes of clusters, for example.
fn groups(labels: &[Vec<u32>]) -> Vec<Vec<bool>> {
    let axes = labels.iter().map(Vec::len).max().unwrap_or(0);
    let groups = (2..axes).rev().flat_map(|count| {
        let first: BTreeSet<&[u32]> = labels.iter().filter_map(|label| label.get(..count)).collect();
        let alike = |first: &[u32]| labels.iter().map(|label| label.starts_with(first)).collect();
        first.into_iter().take(MOST_GROUPS).map(alike).collect::<Vec<Vec<bool>>>()
    });
    groups.collect()
}

/// The cut that takes most cycles.
fn tightest(listed: &Listed<'_>, so_far: u64) -> NamedBound {
    let nodes = listed.nodes();
    let net = listed.subject.net;
    let ends: usize = listed.subject.demand.chunks.iter().map(|chunk| chunk.from.len() + chunk.to.len()).sum();
    let mut left = EFFORT;
    let mut best: Option<Cut> = None;
    let mut look = |inside: Vec<bool>, best: &mut Option<Cut>| {
        left = left.saturating_sub((ends + 8 * listed.channels.len()) as u64);
        let found = cut(listed, inside);
        if best.as_ref().is_none_or(|best| found.cycles > best.cycles) {
            *best = Some(found);
        }
        left > EFFORT / 3
    };
    let labels: Vec<Vec<u32>> = (0..nodes).map(|node| net.label(node.into())).collect();
    let mut sets = Vec::new();
    for axis in 0..labels.iter().map(Vec::len).max().unwrap_or(0) {
        let at = |node: usize| labels[node].get(axis).copied().unwrap_or(0);
        let size = (0..nodes).map(at).max().unwrap_or(0) + 1;
        // halves first
        let of_width = |width: u32| (0..=size - width).map(move |a| (a, a + width));
        let slices = (0..=size / 2).flat_map(|off| {
            let mut slices: Vec<(u32, u32)> = [size / 2 - off, size / 2 + off][usize::from(off == 0)..]
                .iter()
                .filter(|&&width| (1..size).contains(&width))
                .flat_map(|&width| of_width(width).take(MOST_SLICES))
                .collect();
            slices.sort_by_key(|slice| slice.0);
            slices
        });
        let slices: Vec<(u32, u32)> = slices.take(MOST_SLICES).collect();
        let slice = |(a, b): (u32, u32)| (0..nodes).map(|node| (a..b).contains(&at(node))).collect::<Vec<bool>>();
        sets.extend(slices.into_iter().map(|slice_of| ((slice_of.1 - slice_of.0).abs_diff(size / 2), slice(slice_of))));
    }
    sets.sort_by_key(|set| set.0);
    let slices = sets.into_iter().map(|set| set.1);
    for inside in groups(&labels).into_iter().chain(slices) {
        let outside = inside.iter().map(|inside| !inside).collect();
        if !look(outside, &mut best) || !look(inside, &mut best) {
            break;
        }
    }
    'balls: for centre in 0..nodes {
        let hops = listed.ways([centre], true, |_| 1);
        let radius = hops.iter().copied().filter(|&hops| hops < FAR).max().unwrap_or(0);
        for r in 0..radius {
            let ball: Vec<bool> = hops.iter().map(|&hops| hops <= r).collect();
            let rest = ball.iter().map(|inside| !inside).collect();
            if !look(ball, &mut best) || !look(rest, &mut best) {
                break 'balls;
            }
        }
    }
    let mut left = EFFORT / 4;
    for (centre, sent) in (0..nodes).flat_map(|centre| [(centre, false), (centre, true)]) {
        let known = best.as_ref().map_or(0, |best| best.cycles).max(so_far);
        left = left.saturating_sub((ends + 50 * listed.channels.len()) as u64);
        if left == 0 || listed.subject.one_port {
            break;
        }
        let mut cycles = known;
        while let Some(inside) = flow::tight(listed, centre, sent, cycles) {
            let found = cut(listed, inside);
            let more = found.cycles.max(cycles + 1);
            if best.as_ref().is_none_or(|best| found.cycles > best.cycles) {
                best = Some(found);
            }
            cycles = more;
        }
    }
    let Some(cut) = best else { return bound("cut", 0, String::new()) };
    let (Cut { owed, words, channels, cycles, .. }, size) = (&cut, cut.inside.iter().filter(|inside| **inside).count());
    let mut members = cut.inside.iter().enumerate().filter(|(_, inside)| **inside).map(|(node, _)| label(listed, node));
    let first: Vec<String> = members.by_ref().take(4).collect();
    let more = if members.next().is_some() { ", …" } else { "" };
    let (over, one) = if listed.subject.one_port { ("node", ", one at a time") } else { ("channel", "") };
    let entering = some(*words, "word enters", "words enter");
    let way = owed.map_or_else(String::new, |node| format!(", on the way to {},", label(listed, node)));
    let (inside, over) = (counted(size, "node"), format!("{}{one}", counted(*channels, over)));
    let reason = format!("{entering} the {inside} {}{more}{way} over {over}", first.join(", "));
    bound("cut", *cycles, reason)
}
