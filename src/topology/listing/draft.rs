//! Network that is being read from a file, and the errors of the file.

pub use crate::topology::kind::ListingError;
use crate::topology::{Graph, Topology};
use std::collections::HashMap;
use std::ops::Range;

/// Most nodes of a network.
pub const MAX_NODES: u32 = 1 << 16;
/// Most channels of a network.
pub const MAX_CHANNELS: u32 = 1 << 20;
/// Most cycles of a hop.
pub const MAX_CYCLES: u32 = 255;

/// A network with the cycles of its hops.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listing {
    /// Network.
    pub network: Graph,
    /// Cycles of a hop, by node and port; none where the file does not say.
    pub latency: Vec<Vec<Option<u32>>>,
}

pub(super) fn error(place: Range<usize>, message: impl Into<String>, help: &'static str) -> ListingError {
    ListingError { place, message: message.into(), help }
}

/// A network that is being read.
#[derive(Default)]
pub(super) struct Draft {
    names: Vec<String>,
    pub index: HashMap<String, u32>,
    pub channels: Vec<(u32, u32)>,
    pub latency: Vec<Option<u32>>,
}

impl Draft {
    /// The node of a name, which is new if there is none.
    pub fn node(&mut self, name: &str, place: &Range<usize>) -> Result<u32, ListingError> {
        if let Some(&node) = self.index.get(name) {
            return Ok(node);
        }
        printable(name, place)?;
        if self.names.len() >= MAX_NODES as usize {
            return Err(error(place.clone(), format!("more than {MAX_NODES} nodes"), "take a smaller network"));
        }
        let node = self.names.len() as u32;
        self.index.insert(name.to_owned(), node);
        self.names.push(name.to_owned());
        Ok(node)
    }

    /// A node that is not there yet.
    pub fn new_node(&mut self, name: &str, place: &Range<usize>) -> Result<u32, ListingError> {
        match self.index.contains_key(name) {
            true => Err(error(place.clone(), format!("node `{name}` is listed twice"), "name each node once")),
            false => self.node(name, place),
        }
    }

    /// A channel.
    pub fn channel(
        &mut self,
        (src, dst): (u32, u32),
        latency: Option<u32>,
        place: &Range<usize>,
    ) -> Result<(), ListingError> {
        if src == dst {
            let message = format!("a channel leads from node `{}` to itself", self.names[src as usize]);
            return Err(error(place.clone(), message, "take it out: a node has what it sends to itself"));
        }
        if self.channels.len() >= MAX_CHANNELS as usize {
            let message = format!("more than {MAX_CHANNELS} channels");
            return Err(error(place.clone(), message, "take a smaller network"));
        }
        self.channels.push((src, dst));
        self.latency.push(latency);
        Ok(())
    }

    /// The network. Nodes whose names are all numbers come in the order of these, others as they were named first.
    pub fn finish(self, text: &str) -> Result<Listing, ListingError> {
        let Self { names, mut channels, latency, .. } = self;
        if names.is_empty() {
            return Err(error(0..text.len().min(1), "there are no nodes", "list the channels of a network"));
        }
        let number = |name: &String| name.parse::<u32>().ok().filter(|number| number.to_string() == *name);
        let numbers: Option<Vec<u32>> = names.iter().map(number).collect();
        let network = match numbers {
            None => Graph::named(names, &channels),
            Some(numbers) => {
                let mut order: Vec<usize> = (0..numbers.len()).collect();
                order.sort_by_key(|&node| numbers[node]);
                let mut place = vec![0; order.len()];
                (0..).zip(&order).for_each(|(new, &old)| place[old] = new);
                channels.iter_mut().for_each(|(src, dst)| {
                    (*src, *dst) = (place[*src as usize], place[*dst as usize]);
                });
                Graph::new(order.iter().map(|&node| vec![numbers[node]]).collect(), &channels)
            }
        };
        let network = network.map_err(|fault| error(0..0, fault.to_string(), "name nodes that are there"))?;
        Ok(listing(network, &channels, &latency))
    }
}

/// Refuses a name that would break a line of a file or a terminal.
pub(super) fn printable(name: &str, place: &Range<usize>) -> Result<(), ListingError> {
    match name.contains(char::is_control) {
        false => Ok(()),
        true => {
            let message =
                format!("the name `{}` has a line end or another control character", crate::input::excerpt(name));
            Err(error(place.clone(), message, "write names of characters that can be printed"))
        }
    }
}

/// A network with the latencies of its channels, in the order in which these are listed.
pub(super) fn listing(network: Graph, channels: &[(u32, u32)], latency: &[Option<u32>]) -> Listing {
    let mut by_port: Vec<Vec<Option<u32>>> = vec![Vec::new(); network.nodes()];
    for (&(src, _), &cycles) in channels.iter().zip(latency) {
        by_port[src as usize].push(cycles);
    }
    Listing { network, latency: by_port }
}

/// Cycles of a hop, from text.
pub(super) fn cycles_of(text: &str, place: &Range<usize>) -> Result<u32, ListingError> {
    let cycles = text.parse().ok().filter(|cycles| (1..=MAX_CYCLES).contains(cycles));
    cycles.ok_or_else(|| {
        let message = format!("`{}` is no number of cycles", crate::input::excerpt(text));
        error(place.clone(), message, "write a whole number from 1 to 255")
    })
}
