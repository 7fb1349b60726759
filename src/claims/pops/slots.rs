//! The model of section 1, slot by slot.

use super::nets::Net;

/// A packet goes from a processor over coupler c(to, group of `from`) to a processor that reads it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hop {
    /// The packet, by its source.
    pub packet: u32,
    /// Sending processor.
    pub from: u32,
    /// Group that receives from the coupler.
    pub to: usize,
    /// Reading processor.
    pub reader: u32,
}

/// Every packet somewhere.
pub struct State {
    net: Net,
    at: Vec<u32>,
}

impl State {
    /// Packet i at processor i.
    pub fn new(net: Net) -> Self {
        Self { net, at: (0..net.processors()).collect() }
    }

    /// Carries a slot out.
    ///
    /// # Errors
    /// A sentence on the first hop that breaks a rule.
    pub fn slot(&mut self, hops: &[Hop]) -> Result<(), String> {
        let (n, g) = (self.net.processors() as usize, self.net.g as usize);
        let (mut sends, mut reads, mut couplers) = (vec![false; n], vec![false; n], vec![false; g * g]);
        for hop in hops {
            let Hop { packet, from, to, reader } = *hop;
            let a = self.net.group(from);
            if to >= g {
                return Err(format!(
                    "the packet of processor {packet} is to cross c({to},{a}), and there are {g} groups"
                ));
            }
            if std::mem::replace(&mut couplers[to * g + a], true) {
                return Err(format!("two packets are to cross c({to},{a}) in a slot"));
            }
            if self.at[packet as usize] != from || std::mem::replace(&mut sends[from as usize], true) {
                return Err(format!("processor {from} is to send two packets in a slot, or one that it does not have"));
            }
            if self.net.group(reader) != to || std::mem::replace(&mut reads[reader as usize], true) {
                return Err(format!("processor {reader} is to read two couplers in a slot, or another group's"));
            }
        }
        hops.iter().for_each(|hop| self.at[hop.packet as usize] = hop.reader);
        Ok(())
    }

    /// Packets that each processor stores.
    pub fn stored(&self) -> Vec<u32> {
        let mut stored = vec![0; self.at.len()];
        self.at.iter().for_each(|&at| stored[at as usize] += 1);
        stored
    }

    /// Fails unless every packet is at its destination.
    ///
    /// # Errors
    /// A sentence on one that is not.
    pub fn arrived(&self, permutation: &[u32]) -> Result<(), String> {
        match (0..).zip(self.at.iter().zip(permutation)).find(|(_, (at, to))| at != to) {
            Some((packet, (at, to))) => Err(format!("the packet of processor {packet} is at {at}, not at {to}")),
            None => Ok(()),
        }
    }
}
