//! `nodes`, `channels` and `latency` as the exchange format has them, so that a schedule in full is read, too. Nodes may also be a number,
//! which is how many there are.

use super::draft::{Draft, Listing, ListingError, cycles_of, error, listing, printable};
use crate::input::{byte_place, place_of};
use crate::topology::Graph;
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use std::ops::Range;

const FORM: &str = "write `{\"nodes\": [\"a\", \"b\"], \"channels\": [[0, 1], [1, 0]], \"latency\": [1, 2]}`; `latency` may be left out";

#[derive(Deserialize)]
struct File<'a> {
    #[serde(borrow)]
    nodes: &'a RawValue,
    #[serde(borrow)]
    channels: Vec<&'a RawValue>,
    #[serde(borrow, default)]
    latency: Option<Vec<&'a RawValue>>,
}

/// The network of a text.
pub(super) fn read(text: &str) -> Result<Listing, ListingError> {
    let file: File<'_> = serde_json::from_str(text).map_err(|fault| {
        let place = byte_place(text, fault.line(), fault.column());
        error(place, format!("this is not a network: {fault}"), FORM)
    })?;
    let labels = labels(text, file.nodes)?;
    let mut draft = Draft::default();
    for (label, place) in &labels {
        draft.new_node(&label.to_string(), place)?;
    }
    let latency = file.latency.unwrap_or_default();
    if !latency.is_empty() && latency.len() != file.channels.len() {
        let place = latency.last().map_or(0..0, |last| place_of(text, last.get()));
        let message = format!("{} latencies of {} channels", latency.len(), file.channels.len());
        return Err(error(place, message, "write a number for each channel, or leave `latency` out"));
    }
    for (number, channel) in file.channels.iter().enumerate() {
        let place = place_of(text, channel.get());
        let ends = serde_json::from_str::<(u32, u32)>(channel.get()).ok();
        let there = |(src, dst): &(u32, u32)| (*src.max(dst) as usize) < labels.len();
        let ends = ends.filter(there).ok_or_else(|| {
            let message = format!("channel {number} is no pair of nodes");
            error(place.clone(), message, "write the positions of source and destination in `nodes`: `[0, 1]`")
        })?;
        let cycles = latency.get(number).map(|cycles| cycles_of(cycles.get(), &place_of(text, cycles.get())));
        draft.channel(ends, cycles.transpose()?, &place)?;
    }
    if labels.is_empty() {
        return draft.finish(text);
    }
    let numbers: Option<Vec<Vec<u32>>> = labels.iter().map(|(label, _)| coordinates(label)).collect();
    let network = match numbers {
        Some(labels) => Graph::new(labels, &draft.channels),
        None => Graph::named(labels.iter().map(|(label, _)| name(label)).collect(), &draft.channels),
    };
    let network = network.map_err(|fault| error(0..0, fault.to_string(), FORM))?;
    Ok(listing(network, &draft.channels, &draft.latency))
}

/// Labels of the nodes, with their places.
fn labels(text: &str, nodes: &RawValue) -> Result<Vec<(Value, Range<usize>)>, ListingError> {
    let place = place_of(text, nodes.get());
    if let Ok(count) = serde_json::from_str::<u32>(nodes.get()) {
        let most = super::draft::MAX_NODES;
        return match count {
            count if count <= most => Ok((0..count).map(|node| (Value::from(vec![node]), place.clone())).collect()),
            _ => Err(error(place, format!("more than {most} nodes"), "take a smaller network")),
        };
    }
    let list: Vec<&RawValue> =
        serde_json::from_str(nodes.get()).map_err(|_| error(place, "`nodes` is no list of labels", FORM))?;
    let label = |label: &&RawValue| {
        let place = place_of(text, label.get());
        let value = serde_json::from_str::<Value>(label.get()).ok();
        printable(value.as_ref().and_then(Value::as_str).unwrap_or_default(), &place)?;
        let good = value.filter(|label| label.is_string() || label.is_number() || label.is_array());
        let help = "write a name, a number, or a list of coordinates";
        good.map(|label| (label, place.clone())).ok_or_else(|| error(place, "a label of another kind", help))
    };
    list.iter().map(label).collect()
}

/// Coordinates of a label that is a number, or a list of numbers.
fn coordinates(label: &Value) -> Option<Vec<u32>> {
    let number = |value: &Value| value.as_u64().and_then(|number| u32::try_from(number).ok());
    match label.as_array() {
        Some(list) => list.iter().map(number).collect(),
        None => Some(vec![number(label)?]),
    }
}

/// Name of a node by its label.
fn name(label: &Value) -> String {
    label.as_str().map_or_else(|| label.to_string(), str::to_owned)
}
