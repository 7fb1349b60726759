//! Faults of channels and routers, and the fault bits that the hardware would raise for them.

use crate::id::NodeId;
use crate::topology::{Coordinates, Topology};
use serde::Serialize;
use std::str::FromStr;

/// A fault, in terms of node labels: `channel=0.1.2>0.1.1,cycle=7` loses the word that enters the channel in cycle 7;
/// without a cycle, every word. With `bit=3`, bit 3 of the word is flipped instead. `router=0.1.2` loses everything
/// that the router sends, from `cycle` on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    place: Place,
    cycle: Option<u32>,
    bit: Option<u32>,
    ends: Option<[NodeId; 2]>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Place {
    Channel([Vec<u32>; 2]),
    Router(Vec<u32>),
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

impl FromStr for Fault {
    type Err = FaultError;

    fn from_str(text: &str) -> Result<Self, FaultError> {
        let form = || FaultError::Form { text: text.to_owned() };
        let label = |text: &str| -> Result<Vec<u32>, FaultError> {
            text.split('.').map(|part| part.trim().parse().map_err(|_| form())).collect()
        };
        let (mut place, mut cycle, mut bit) = (None, None, None);
        for part in text.split(',') {
            let (key, value) = part.split_once('=').ok_or_else(form)?;
            let number = || value.trim().parse::<u32>().map_err(|_| form());
            match key.trim() {
                "channel" if place.is_none() => {
                    let (src, dst) = value.split_once('>').ok_or_else(form)?;
                    place = Some(Place::Channel([label(src)?, label(dst)?]));
                }
                "router" if place.is_none() => place = Some(Place::Router(label(value)?)),
                "cycle" => cycle = Some(number()?),
                "bit" => bit = Some(number()?),
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
        let node = |label: &[u32]| {
            let found = (0..net.nodes()).map(NodeId::from).find(|&node| net.label(node) == label);
            found.ok_or_else(|| FaultError::Unknown { what: format!("node {}", Coordinates(label)) })
        };
        self.ends = Some(match &self.place {
            Place::Router(label) => [node(label)?; 2],
            Place::Channel([src, dst]) => {
                let ends = [node(src)?, node(dst)?];
                let leads = |port| net.neighbour(ends[0], port) == ends[1];
                if !(0..net.ports_of(ends[0])).any(leads) {
                    let what = format!("channel {} -> {}", Coordinates(src), Coordinates(dst));
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
