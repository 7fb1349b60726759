//! Faults of channels and routers, and the fault bits that the hardware would raise for them.

use crate::id::NodeId;
use crate::topology::{Coordinates, Topology};
use serde::Serialize;
use std::fmt;
use std::str::FromStr;

/// A fault, in terms of nodes by their coordinates or names: `channel=0.1.2>0.1.1,cycle=7` loses the word that enters the
/// channel in cycle 7; without a cycle, every word. With `bit=3`, bit 3 of the word is flipped instead. `router=0.1.2` loses
/// everything that the router sends, from `cycle` on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    place: Place,
    cycle: Option<u32>,
    bit: Option<u32>,
    ends: Option<[NodeId; 2]>,
}

/// Nodes as they are written.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Place {
    Channel([String; 2]),
    Router(String),
}

/// Error of a text that names no fault.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FaultError {
    /// Text that has not the form of a fault.
    #[error("`{text}` is no fault: write channel=0.1.2>0.1.1,cycle=7 or router=0.1.2, with bit=3 to flip a bit")]
    Form {
        /// The text.
        text: String,
    },
    /// A node or channel that the network does not have.
    #[error("the network has no {what}")]
    Unknown {
        /// The node or channel.
        what: String,
    },
    /// A bit that no word has.
    #[error("a word has bits 0 to {last}, and not bit {bit}")]
    Bit {
        /// The bit.
        bit: u32,
        /// Highest bit of a word.
        last: u32,
    },
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place {
            Place::Channel([src, dst]) => write!(f, "channel={src}>{dst}")?,
            Place::Router(node) => write!(f, "router={node}")?,
        }
        self.cycle.iter().try_for_each(|cycle| write!(f, ",cycle={cycle}"))?;
        self.bit.iter().try_for_each(|bit| write!(f, ",bit={bit}"))
    }
}

impl FromStr for Fault {
    type Err = FaultError;

    fn from_str(text: &str) -> Result<Self, FaultError> {
        let form = || FaultError::Form { text: text.to_owned() };
        let node = |text: &str| if text.trim().is_empty() { Err(form()) } else { Ok(text.trim().to_owned()) };
        let (mut place, mut cycle, mut bit) = (None, None, None);
        for part in text.split(',') {
            let (key, value) = part.split_once('=').ok_or_else(form)?;
            let number = || value.trim().parse::<u32>().map_err(|_| form());
            match key.trim() {
                "channel" if place.is_none() => {
                    let (src, dst) = value.split_once('>').ok_or_else(form)?;
                    place = Some(Place::Channel([node(src)?, node(dst)?]));
                }
                "router" if place.is_none() => place = Some(Place::Router(node(value)?)),
                "cycle" if cycle.is_none() => cycle = Some(number()?),
                "bit" if bit.is_none() => bit = Some(number()?),
                _ => return Err(form()),
            }
        }
        Ok(Self { place: place.ok_or_else(form)?, cycle, bit, ends: None })
    }
}

impl Fault {
    /// The fault on a network whose words have this many bits.
    ///
    /// # Errors
    /// [`FaultError::Unknown`] if the network does not have the place, [`FaultError::Bit`] if a word does not have the bit.
    pub fn on<T: Topology + ?Sized>(mut self, net: &T, word_bits: u32) -> Result<Self, FaultError> {
        if let Some(bit) = self.bit.filter(|&bit| bit >= word_bits) {
            return Err(FaultError::Bit { bit, last: word_bits - 1 });
        }
        let written = |text: &str| {
            let label = text.split('.').map(|part| part.trim().parse().ok()).collect::<Option<Vec<u32>>>();
            let shown = label.as_ref().map_or_else(|| format!("`{text}`"), |label| Coordinates(label).to_string());
            (label, shown)
        };
        let node = |text: &String| {
            let (label, shown) = written(text);
            let is_it = |&node: &NodeId| net.name_of(node) == Some(text) || label.as_ref() == Some(&net.label(node));
            let found = (0..net.nodes()).map(NodeId::from).find(is_it);
            found.ok_or_else(|| FaultError::Unknown { what: format!("node {shown}") })
        };
        self.ends = Some(match &self.place {
            Place::Router(text) => [node(text)?; 2],
            Place::Channel([src, dst]) => {
                let ends = [node(src)?, node(dst)?];
                let leads = |port| net.neighbour(ends[0], port) == ends[1];
                if !(0..net.ports_of(ends[0])).any(leads) {
                    let what = format!("channel {} -> {}", written(src).1, written(dst).1);
                    return Err(FaultError::Unknown { what });
                }
                ends
            }
        });
        Ok(self)
    }

    /// True if the fault hits a word that enters the channel between two nodes in a cycle.
    pub(super) fn hits(&self, cycle: u32, src: NodeId, dst: NodeId) -> bool {
        match (&self.place, self.ends) {
            (Place::Router(_), Some([node, _])) => src == node && self.cycle.is_none_or(|from| cycle >= from),
            (Place::Channel(_), Some(ends)) => ends == [src, dst] && self.cycle.is_none_or(|at| cycle == at),
            (_, None) => false,
        }
    }

    /// The bit that is flipped; none if the word is lost.
    pub(super) fn bit(&self) -> Option<u32> {
        self.bit
    }
}

/// A fault bit of a node's endpoint, as the hardware would raise it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Raised {
    /// The cycle in which the endpoint knows.
    pub cycle: u32,
    /// Node of the fault.
    pub node: NodeId,
    /// The output port of the node before, by which the word should have come.
    pub port: u32,
    /// `missing`: no word came where the program expects one. `parity`: a word with an odd number of flipped bits came, and the hardware
    /// has a parity bit beside each word.
    pub bit: &'static str,
}

impl Raised {
    pub(super) fn missing(cycle: u32, node: NodeId, port: u32) -> Self {
        Self { cycle, node, port, bit: "missing" }
    }

    pub(super) fn flipped(cycle: u32, node: NodeId, port: u32) -> Self {
        Self { cycle, node, port, bit: "parity" }
    }
}
