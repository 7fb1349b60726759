//! Hardware parameters of POPS without a schedule.

use super::bits::field;
use crate::spec::Spec;
use crate::spec::traffic::Arbitration;
use crate::topology::Pops;

/// Packets a queue if the specification does not say.
const DEPTH: u32 = 4;

/// POPS(d,g) with queues in its processors and couplers that arbitrate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PopsDynamic {
    /// The network.
    pub network: Pops,
    /// Bits of a word.
    pub data_bits: u32,
    /// Words a packet.
    pub words: u32,
    /// Packets that a queue has room for.
    pub depth: u32,
    /// Arbitration of the couplers.
    pub arbitration: Arbitration,
}

impl PopsDynamic {
    /// Hardware of a specification without a schedule; None for a specification with a schedule, or of another network.
    pub fn new(spec: &Spec) -> Option<Self> {
        let (sizes, router) = (spec.network.pops()?, &spec.router);
        Some(Self {
            network: Pops::new(sizes.d, sizes.g),
            data_bits: router.payload_bits,
            words: router.slot_cycles,
            depth: router.queue_depth.unwrap_or(DEPTH),
            arbitration: router.arbitration?,
        })
    }

    /// Bits of a processor's number in its group.
    pub fn index_bits(&self) -> u32 {
        field(self.network.d())
    }

    /// Bits of a group's number.
    pub fn group_bits(&self) -> u32 {
        field(self.network.g())
    }

    /// A processor as `tdest` and `tid` name it: {group, processor in its group}.
    pub fn name(&self, processor: u32) -> u32 {
        (self.network.group(processor) << self.index_bits()) | (processor % self.network.d())
    }

    /// The processor of a name. There may be none.
    pub fn processor(&self, name: u32) -> Option<u32> {
        let (group, index) = (name >> self.index_bits(), name & ((1 << self.index_bits()) - 1));
        (group < self.network.g() && index < self.network.d()).then(|| group * self.network.d() + index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_processors() {
        for (d, g) in [(1, 1), (1, 9), (9, 1), (7, 3), (4, 4)] {
            let network = Pops::new(d, g);
            let hardware =
                PopsDynamic { network, data_bits: 8, words: 1, depth: 1, arbitration: Arbitration::RoundRobin };
            let named: Vec<u32> = (0..1 << (hardware.group_bits() + hardware.index_bits()))
                .filter_map(|name| hardware.processor(name).filter(|&p| hardware.name(p) == name))
                .collect();
            assert_eq!(named, (0..d * g).collect::<Vec<_>>());
        }
    }
}
