//! Algorithms of SCCL and MSCCL (Cai et al., PPoPP 2021) as `msccl solve … -o` writes them: JSON with steps, each of some rounds, and the
//! sends \[chunk, source, destination\] of each step.
//!
//! A round is a cycle. A send takes any cycle of its step, of chunks that are there at the step's beginning; a link of bandwidth b is b
//! channels. A chunk that comes to a rank with other words of one address is added to them.

use super::flow::{Draft, Flow, Send};
use super::form::{Form, Hint};
use super::place::FormError;
use super::refusal::{ELSE, Refusal};
use super::sccl_write;
use super::wanted::Wanted;
use crate::input::{byte_place, place_of};
use crate::program::Document;
use serde::Deserialize;
use serde_json::value::RawValue;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;

/// Help where a rank sends a word on that it also adds up.
const TREES: &str =
    "`algorithm = \"matching\"` sums along trees, which the form can say; `--format json` says every schedule";

/// The form.
pub(super) struct Sccl;

/// Most chunks, ranks and cycles.
const MOST: u64 = 1 << 20;

const WHOLE: &str = "write the file with `msccl solve … -o FILE`: steps, collective, topology and instance";

#[derive(Deserialize)]
struct File<'a> {
    #[serde(borrow)]
    steps: Vec<&'a RawValue>,
    #[serde(borrow)]
    collective: &'a RawValue,
    #[serde(borrow)]
    topology: &'a RawValue,
    #[serde(borrow)]
    instance: &'a RawValue,
}

#[derive(Deserialize)]
struct Step<'a> {
    rounds: u32,
    #[serde(borrow)]
    sends: Vec<&'a RawValue>,
}

#[derive(Deserialize)]
struct Collective<'a> {
    nodes: u32,
    #[serde(borrow)]
    chunks: Vec<&'a RawValue>,
}

#[derive(Deserialize)]
struct Chunk {
    pre: BTreeSet<u32>,
    post: BTreeSet<u32>,
    addr: u32,
}

#[derive(Deserialize)]
struct Topology {
    links: Vec<Vec<u32>>,
    #[serde(default)]
    switches: Vec<(Vec<u32>, Vec<u32>, u32, String)>,
}

#[derive(Deserialize)]
struct Instance {
    #[serde(default = "one")]
    chunks: u32,
    #[serde(default)]
    pipeline: Option<u32>,
}

fn one() -> u32 {
    1
}

/// Key by which the form is recognised.
#[derive(Deserialize)]
struct Tag {
    msccl_type: Option<serde::de::IgnoredAny>,
}

impl Form for Sccl {
    fn name(&self) -> &'static str {
        "sccl"
    }

    fn about(&self) -> &'static str {
        "SCCL and MSCCL: steps of rounds with sends [chunk, source, destination], JSON of `msccl solve`"
    }

    fn recognises(&self, text: &str) -> bool {
        let is_object = text.trim_start().starts_with('{') && text.contains("\"msccl_type\"");
        is_object && serde_json::from_str::<Tag>(text).map_or(true, |tag| tag.msccl_type.is_some())
    }

    fn read(&self, text: &str, _: Hint<'_>) -> Result<Flow, FormError> {
        let file: File<'_> = serde_json::from_str(text).map_err(|fault| {
            let place = byte_place(text, fault.line(), fault.column());
            FormError::new(place, format!("this is no algorithm of SCCL: {fault}"), WHOLE)
        })?;
        let mut reader = Reader::new(text, &file)?;
        for (number, step) in file.steps.iter().enumerate() {
            reader.step(number, step)?;
        }
        reader.finish(&file)
    }

    fn write(&self, document: &Document) -> Result<String, Refusal> {
        let text = sccl_write::text(document)?;
        // the form has no explicit sums: a rank adds chunks that meet
        match self.read(&text, Hint::default()) {
            Ok(_) => Ok(text),
            Err(error) => {
                let help = if document.ops.is_some() { TREES } else { ELSE };
                Err(Refusal::new(format!("as an algorithm of SCCL it does not hold: {}", error.message), help))
            }
        }
    }
}

/// The value of a part of the file.
fn parse<'a, T: Deserialize<'a>>(text: &str, part: &'a RawValue, what: &str) -> Result<T, FormError> {
    serde_json::from_str(part.get()).map_err(|fault| {
        let place = place_of(text, part.get());
        let inner = byte_place(part.get(), fault.line(), fault.column());
        let at = place.start + inner.start;
        FormError::new(at.min(place.end)..at.min(place.end), format!("{what}: {fault}"), WHOLE)
    })
}

/// Number of an address of a chunk that is taken apart, and the ranks that have or want it.
struct Address {
    /// Range of the chunk's addresses at each rank that has a word of it, by rank.
    from: BTreeMap<u32, Range<usize>>,
    /// Ranks whose words a rank wants, and the range of the chunk's addresses there; by rank.
    to: BTreeMap<u32, (BTreeSet<u32>, Range<usize>)>,
}

/// Packet at a rank, and the ranks whose words are in it.
#[derive(Clone)]
struct Held {
    packet: u32,
    words: BTreeSet<u32>,
}

/// Steps that are being followed.
struct Reader<'a> {
    text: &'a str,
    ranks: u32,
    topology: Topology,
    draft: Draft,
    /// Addresses of the schedule, by index; a sum where more than one rank has a word.
    addresses: Vec<Address>,
    combines: bool,
    held: HashMap<(u32, u32), Held>,
    now: u32,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str, file: &File<'_>) -> Result<Self, FormError> {
        let topology: Topology = parse(text, file.topology, "the topology")?;
        let collective: Collective<'_> = parse(text, file.collective, "the collective")?;
        let instance: Instance = parse(text, file.instance, "the instance")?;
        let ranks = collective.nodes;
        let at = |part: &RawValue| place_of(text, part.get());
        let wrong = |part: &RawValue, message: String, help: &str| Err(FormError::new(at(part), message, help));
        let square = topology.links.iter().all(|row| row.len() == ranks as usize);
        if topology.links.len() != ranks as usize || !square || u64::from(ranks) > MOST {
            let message = format!("`links` is no table of {ranks} by {ranks} bandwidths");
            return wrong(file.topology, message, "write links[destination][source], for the collective's `nodes`");
        }
        let bandwidth: u64 = topology.links.iter().flatten().map(|&width| u64::from(width)).sum();
        if bandwidth > MOST {
            return wrong(file.topology, format!("{bandwidth} channels"), "take smaller bandwidths");
        }
        let ends = topology.switches.iter().flat_map(|switch| switch.0.iter().chain(&switch.1));
        if let Some(rank) = ends.copied().find(|&rank| rank >= ranks) {
            return wrong(file.topology, format!("a switch names rank {rank}, of {ranks}"), WHOLE);
        }
        let parts = u64::from(instance.chunks);
        if parts == 0 || parts.saturating_mul(collective.chunks.len() as u64) > MOST {
            return wrong(
                file.instance,
                format!("{parts} chunks"),
                "an instance has 1 chunk or more, and not millions",
            );
        }
        let mut whole: BTreeMap<u32, Vec<(Chunk, Range<usize>)>> = BTreeMap::new();
        for (number, part) in collective.chunks.iter().enumerate() {
            let chunk: Chunk = parse(text, part, &format!("chunk {number}"))?;
            if let Some(rank) = chunk.pre.iter().chain(&chunk.post).find(|&&rank| rank >= ranks) {
                return wrong(part, format!("chunk {number} names rank {rank}, of {ranks}"), WHOLE);
            }
            if chunk.pre.is_empty() {
                return wrong(part, format!("no rank has chunk {number} at the beginning"), "name one in `pre`");
            }
            whole.entry(chunk.addr).or_default().push((chunk, at(part)));
        }
        let combines = whole.values().any(|chunks| chunks.len() > 1);
        if whole.keys().copied().ne(0..whole.len() as u32) {
            return wrong(file.collective, "the addresses of chunks are not 0, 1, 2, …".into(), WHOLE);
        }
        let mut reader = Self {
            text,
            ranks,
            topology,
            draft: Draft::default(),
            addresses: Vec::new(),
            combines,
            held: HashMap::new(),
            now: 0,
        };
        for chunks in whole.values() {
            if combines && chunks.iter().any(|(chunk, _)| chunk.pre.len() != 1) {
                let help = "name one rank in `pre` of a chunk that is summed";
                return Err(FormError::new(chunks[0].1.clone(), "a word of a sum that several ranks have", help));
            }
            (0..instance.chunks).for_each(|_| reader.address(chunks));
        }
        Ok(reader)
    }

    /// Takes in an address with its chunks.
    fn address(&mut self, chunks: &[(Chunk, Range<usize>)]) {
        let number = self.addresses.len() as u32;
        let mut address = Address { from: BTreeMap::new(), to: BTreeMap::new() };
        for (chunk, place) in chunks {
            for &rank in &chunk.pre {
                address.from.insert(rank, place.clone());
                let packet = self.draft.packet(rank, number);
                self.held.insert((number, rank), Held { packet, words: BTreeSet::from([rank]) });
            }
            for &rank in &chunk.post {
                let wanted = address.to.entry(rank).or_insert_with(|| (BTreeSet::new(), place.clone()));
                wanted.0.extend(&chunk.pre);
            }
        }
        self.addresses.push(address);
    }

    /// Follows a step.
    fn step(&mut self, number: usize, part: &RawValue) -> Result<(), FormError> {
        let step: Step<'_> = parse(self.text, part, &format!("step {number}"))?;
        let end = self.now.saturating_add(step.rounds);
        if step.rounds == 0 || u64::from(end) > MOST {
            let place = place_of(self.text, part.get());
            return Err(FormError::new(place, format!("step {number} has {} rounds", step.rounds), "take 1 or more"));
        }
        let before = self.held.clone();
        let mut loads: BTreeMap<(u32, u32), u32> = BTreeMap::new();
        let mut switched = vec![0_u32; self.topology.switches.len()];
        for (index, send) in step.sends.iter().enumerate() {
            let place = place_of(self.text, send.get());
            let wrong = |message: String, help: &str| {
                Err(FormError::fault(place.clone(), format!("step {number}, send {index}: {message}"), help))
            };
            let (address, from, to): (u32, u32, u32) = parse(self.text, send, &format!("step {number}, send {index}"))?;
            let (ranks, addresses) = (self.ranks, self.addresses.len());
            if from >= ranks || to >= ranks || from == to || address as usize >= addresses {
                let message = format!("[{address}, {from}, {to}] of {addresses} chunks and {ranks} ranks");
                return wrong(message, "write [chunk, source, destination], all counted from 0");
            }
            let bandwidth = self.topology.links[to as usize][from as usize];
            let most = bandwidth.saturating_mul(step.rounds);
            let load = loads.entry((from, to)).or_default();
            *load += 1;
            if *load > most {
                let message = match bandwidth {
                    0 => format!("there is no link from rank {from} to rank {to}"),
                    _ => format!("{load} sends from rank {from} to rank {to}, and the link takes {most} in the step"),
                };
                return wrong(message, "move the send to another step, or give the step more rounds");
            }
            for (load, (sources, ends, bandwidth, name)) in switched.iter_mut().zip(&self.topology.switches) {
                let through = sources.contains(&from) && ends.contains(&to);
                *load += u32::from(through);
                if through && *load > bandwidth.saturating_mul(step.rounds) {
                    let message = format!("{load} sends through `{name}`, which takes {bandwidth} a round");
                    return wrong(message, "move the send to another step, or give the step more rounds");
                }
            }
            let Some(sent) = before.get(&(address, from)) else {
                let help = "send it there in an earlier step, or take another chunk";
                return wrong(format!("chunk {address} is not at rank {from} when the step begins"), help);
            };
            let cycles = Some(self.now..end);
            self.draft.send(Send { packet: sent.packet, from, to, cycles, place: place.clone() });
            let arrived = sent.clone();
            let twice = self.arrive(address, to, arrived);
            if let Some(rank) = twice {
                let message =
                    format!("rank {to} would have the word of rank {rank} of chunk {address} twice in the sum");
                return wrong(message, "send each word to a sum once");
            }
        }
        self.now = end;
        Ok(())
    }

    /// Takes in a chunk at a rank; a rank whose word would be summed twice, if there is one.
    fn arrive(&mut self, address: u32, to: u32, sent: Held) -> Option<u32> {
        let Some(own) = self.held.get(&(address, to)) else {
            self.held.insert((address, to), sent);
            return None;
        };
        if sent.words.is_subset(&own.words) || !self.combines {
            return None;
        }
        if !own.words.is_subset(&sent.words) {
            if let Some(&rank) = own.words.intersection(&sent.words).next() {
                return Some(rank);
            }
            let words = own.words.union(&sent.words).copied().collect();
            let packet = self.draft.combine(to, vec![own.packet, sent.packet]);
            self.held.insert((address, to), Held { packet, words });
            return None;
        }
        self.held.insert((address, to), sent);
        None
    }

    /// Compares the words of all ranks with the words that they want.
    fn finish(mut self, file: &File<'_>) -> Result<Flow, FormError> {
        for (number, address) in (0..).zip(&self.addresses) {
            for (&rank, (words, place)) in &address.to {
                let held = self.held.get(&(number, rank));
                // of a word that several ranks have, any one will do
                let has = held.is_some_and(|held| if self.combines { held.words == *words } else { true });
                let Some(held) = held.filter(|_| has) else {
                    let lacks = held.and_then(|held| words.difference(&held.words).next());
                    let message = match lacks {
                        Some(from) => format!("rank {rank} never gets the word of rank {from} of chunk {number}"),
                        None if held.is_some() => format!("chunk {number} at rank {rank} has words of other ranks"),
                        None => format!("chunk {number} never comes to rank {rank}"),
                    };
                    let help = "`post` of this chunk names the rank: add the send that is missing";
                    return Err(FormError::fault(place.clone(), message, help));
                };
                self.draft.result(held.packet, rank);
            }
        }
        let links = (0..self.ranks).flat_map(|from| (0..self.ranks).map(move |to| (from, to)));
        let width =
            |&(from, to): &(u32, u32)| if from == to { 0 } else { self.topology.links[to as usize][from as usize] };
        let links = links.flat_map(|link| std::iter::repeat_n(link, width(&link) as usize)).collect();
        let sum = |address: &Address| Wanted {
            from: address.from.keys().copied().collect(),
            to: address.to.keys().copied().collect(),
        };
        let sums = if self.combines { self.addresses.iter().map(sum).collect() } else { Vec::new() };
        let place = place_of(self.text, file.collective.get());
        let flow = self.draft.finish(self.ranks, links, sums);
        let mut flow = flow.ok_or_else(|| {
            let help = "sums are read of reduce, reduce-scatter and all-reduce, in which every rank has a word";
            FormError::new(place, "the sums are of no collective with a name", help)
        })?;
        let instance: Instance = parse(self.text, file.instance, "the instance")?;
        if let Some(steps) = instance.pipeline {
            flow.period = Some(period(self.text, file, steps)?);
        }
        Ok(flow)
    }
}

/// Period in cycles of an algorithm that starts again every `steps` steps.
fn period(text: &str, file: &File<'_>, steps: u32) -> Result<u32, FormError> {
    let step = |part: &&RawValue| parse::<Step<'_>>(text, part, "a step").map(|step| step.rounds);
    let rounds = file.steps.iter().map(step).collect::<Result<Vec<u32>, _>>()?;
    let same = rounds.iter().all(|&count| count == rounds[0]);
    let period = rounds.first().map_or(0, |&count| count.saturating_mul(steps));
    match same && period > 0 {
        true => Ok(period),
        false => {
            let message = format!("the algorithm starts again every {steps} steps, which are of different lengths");
            let help = "give all steps the same number of rounds, or set `pipeline` to null";
            Err(FormError::new(place_of(text, file.instance.get()), message, help))
        }
    }
}
