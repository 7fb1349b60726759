//! The schedule under judgement: looked up by packet and by cycle, on its network and without conflict.

use super::fault::{Fault, label};
use crate::id::NodeId;
use crate::program::{Document, Node};
use crate::topology::{Exclusion, Topology, named, whole};
use std::collections::HashMap;

/// Document with tables for frequent look-ups.
pub(super) struct Judge<'a> {
    pub(super) document: &'a Document,
    /// Index of each packet by id.
    pub(super) index: HashMap<u64, u32>,
    pub(super) circuit: bool,
    /// Terminals: nodes that send and keep packets.
    pub(super) terminal: Vec<bool>,
    /// Transfers by cycle: cycle, channel, index of the packet.
    pub(super) transfers: Vec<(u32, u32, u32)>,
    /// Topology with all of its nodes and channels, where it is known by name.
    pub(super) whole: Option<Box<dyn Topology + Sync>>,
}

impl<'a> Judge<'a> {
    /// Checks that nodes, channels and packets that the document names are there.
    pub(super) fn new(document: &'a Document) -> Result<Self, Fault> {
        let malformed = |what: String| Err(Fault::Malformed { what });
        let nodes = document.nodes.len();
        let circuit = match document.switching.as_str() {
            "hop" => false,
            "circuit" => true,
            other => return malformed(format!("switching `{other}` is neither hop nor circuit")),
        };
        let Some(excluded) = Exclusion::from_table(&document.network) else {
            return malformed("the network leaves out what are no numbers of nodes".into());
        };
        let terminal = |(node, label): (u32, &Node)| (!circuit || label.is_processor()) && !excluded.has(node);
        let terminal: Vec<bool> = (0..).zip(&document.nodes).map(terminal).collect();
        for (number, &(src, dst)) in document.channels.iter().enumerate() {
            if src as usize >= nodes || dst as usize >= nodes || src == dst {
                return malformed(format!("channel {number} leads from node {src} to node {dst}, of {nodes}"));
            }
            if excluded.lacks(src, dst) {
                return malformed(format!("channel {number} from node {src} to node {dst} is left out of the network"));
            }
        }
        if let Some(latency) = &document.latency {
            if latency.len() != document.channels.len() || latency.contains(&0) {
                return malformed("`latency` is not a number of cycles, at least 1, for each channel".into());
            }
            if circuit && latency.iter().any(|&cycles| cycles != 1) {
                return malformed("circuits have no `latency`".into());
            }
        }
        if document.repeat_every == Some(0) {
            return malformed("`repeat_every` is 0".into());
        }
        let mut index = HashMap::with_capacity(document.packets.len());
        for (number, packet) in (0..).zip(&document.packets) {
            if index.insert(packet.id, number).is_some() {
                return malformed(format!("packet {} is listed twice", packet.id));
            }
            let ends = packet.dsts.iter().chain([&packet.src]);
            if packet.dsts.is_empty() || ends.clone().any(|&node| !terminal.get(node as usize).is_some_and(|t| *t)) {
                return malformed(format!("packet {} has no destinations, or an end that is no terminal", packet.id));
            }
        }
        let mut transfers = Vec::with_capacity(document.transfers.len());
        for &(cycle, channel, packet) in &document.transfers {
            match index.get(&packet) {
                Some(&packet) if (channel as usize) < document.channels.len() => {
                    transfers.push((cycle, channel, packet))
                }
                _ => return malformed(format!("transfer [{cycle},{channel},{packet}] names what is not listed")),
            }
        }
        transfers.sort_unstable();
        let whole = whole(&document.network).and_then(Result::ok);
        Ok(Self { document, index, circuit, terminal, transfers, whole })
    }

    /// Compares nodes and channels with those of the topology; false for one that is not known by name.
    pub(super) fn network(&self) -> Result<bool, Fault> {
        let Some(net) = named(&self.document.network) else { return Ok(false) };
        let net = net.map_err(|what| Fault::Malformed { what })?;
        let nodes = &self.document.nodes;
        let differs = |node: usize| nodes[node] != Node::new(net.as_ref(), node.into());
        if nodes.len() != net.nodes() || (0..net.nodes()).any(differs) {
            return Err(Fault::Network { what: "nodes are not the topology's, in its order".into() });
        }
        let (first, mut ends) = self.ends();
        for (src, of) in (0_u32..).zip(first.windows(2)) {
            let node = NodeId::new(src);
            let neighbours = (0..net.ports_of(node)).map(|port| net.neighbour(node, port).get());
            let mut wanted: Vec<u32> = neighbours.filter(|&dst| dst != src).collect();
            let found = &mut ends[of[0]..of[1]];
            wanted.sort_unstable();
            found.sort_unstable();
            let same = wanted.iter().zip(&*found).take_while(|(wanted, found)| wanted == found).count();
            let (dst, what) = match (wanted.get(same), found.get(same)) {
                (None, None) => continue,
                (Some(wanted), found) if found.is_none_or(|found| wanted < found) => (*wanted, "is missing"),
                (_, Some(found)) => (*found, "is one too many"),
                (Some(wanted), None) => (*wanted, "is missing"),
            };
            let what = format!("channel {} -> {} {what}", self.name(src), self.name(dst));
            return Err(Fault::Network { what });
        }
        Ok(true)
    }

    /// Ends of all channels by source, those of a source in any order; and the place of the first of each source, with one more at the end.
    fn ends(&self) -> (Vec<usize>, Vec<u32>) {
        let channels = &self.document.channels;
        let mut next = vec![0; self.document.nodes.len() + 1];
        channels.iter().for_each(|&(src, _)| next[src as usize + 1] += 1);
        for node in 1..next.len() {
            next[node] += next[node - 1];
        }
        let (first, mut ends) = (next.clone(), vec![0; channels.len()]);
        for &(src, dst) in channels {
            ends[next[src as usize]] = dst;
            next[src as usize] += 1;
        }
        (first, ends)
    }

    /// True if a node sends one packet at a time, over any of its channels at once.
    pub(super) fn sends_one_packet(&self) -> bool {
        self.whole.as_ref().is_some_and(|net| net.sends_one_packet())
    }

    /// Checks that no channel, and no port that is restricted, is used twice in a cycle.
    pub(super) fn conflicts(&self) -> Result<(), Fault> {
        let document = self.document;
        let (channels, nodes) = (document.channels.len() as u64, document.nodes.len() as u64);
        let one_packet = self.sends_one_packet();
        let one_port = one_packet || document.network["ports"] == "one" && !self.circuit;
        let resources = channels + 2 * nodes;
        // what is used in a cycle, and by which transfer
        let mut uses: Vec<(u64, u32)> = Vec::with_capacity(self.transfers.len());
        for (number, &(cycle, channel, _)) in (0..).zip(&self.transfers) {
            let mut take = |later: u32, what: u64| {
                let cycle = u64::from(cycle) + u64::from(later);
                let cycle = document.repeat_every.map_or(cycle, |period| cycle % u64::from(period));
                uses.push((cycle * resources + what, number));
            };
            take(0, channel.into());
            if one_port {
                let (src, dst) = document.channels[channel as usize];
                take(0, channels + u64::from(src));
                take(self.latency(channel) - 1, channels + nodes + u64::from(dst));
            }
        }
        uses.sort_unstable();
        for pair in uses.windows(2).filter(|pair| pair[0].0 == pair[1].0) {
            let what = pair[0].0 % resources;
            let [first, second] = [pair[0].1, pair[1].1].map(|number| self.transfers[number as usize]);
            let sends = (channels..channels + nodes).contains(&what);
            // one packet goes over any of the channels
            if one_packet && sends && (first.0, first.2) == (second.0, second.2) {
                continue;
            }
            let place = match what.checked_sub(channels) {
                None => format!("channel {}", self.channel(what as u32)),
                Some(node) if sends => format!("the output of {}", self.name(node as u32)),
                Some(node) => format!("the input of {}", self.name((node - nodes) as u32)),
            };
            return Err(Fault::Conflict {
                place,
                cycles: [first.0, second.0],
                packets: [first.2, second.2].map(|packet| self.document.packets[packet as usize].id),
                period: document.repeat_every.filter(|_| first.0 != second.0),
            });
        }
        Ok(())
    }

    /// The first cycle at whose start everything is in place.
    pub(super) fn end(&self) -> u32 {
        let crossings = self.transfers.iter().map(|&(cycle, channel, _)| cycle.saturating_add(self.latency(channel)));
        let made = self.document.ops.iter().flatten().map(|op| op.cycle);
        crossings.chain(made).max().unwrap_or(0)
    }

    /// Cycles of a hop over a channel.
    pub(super) fn latency(&self, channel: u32) -> u32 {
        self.document.latency.as_ref().map_or(1, |latency| latency[channel as usize])
    }

    /// A node's label.
    pub(super) fn name(&self, node: u32) -> String {
        label(&self.document.nodes[node as usize].0)
    }

    /// A channel's two ends.
    pub(super) fn channel(&self, channel: u32) -> String {
        let (src, dst) = self.document.channels[channel as usize];
        format!("{} -> {}", self.name(src), self.name(dst))
    }

    /// The terminals, in the order of nodes.
    pub(super) fn terminals(&self) -> Vec<u32> {
        (0..).zip(&self.terminal).filter_map(|(node, terminal)| terminal.then_some(node)).collect()
    }
}
