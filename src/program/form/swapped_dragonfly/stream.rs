//! Streams: one router sends many words, every word along the same few ways, each way with one header.

use super::uniform::HopLatency;
use crate::id::NodeId;
use crate::program::form::swapped_dragonfly::synchronizing_header::{Holds, tree};
use crate::program::{Origin, Program, Train, Who};
use crate::topology::SwappedDragonfly;
use crate::topology::swapped_dragonfly::headers::Header;

/// Packet of every batch: the word of one lane that the source sends in one direction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Injection {
    /// The lane whose word it carries.
    pub lane: u32,
    /// The cycle, after the batch's, in which the packet is at the source's crossbar.
    pub offset: u32,
    /// The local hop to the router that is to treat the packet as if it came from there; None is the source itself.
    pub via: Option<u32>,
    /// The packet's header at the source, or, after the hop `via`, at the router there.
    pub header: Header,
}

/// Program of a source: `count` words, word n in batch n / `lanes` on lane n % `lanes`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StreamProgram {
    /// Source of the stream.
    pub root: NodeId,
    /// Number of words, at least 1.
    pub count: u32,
    /// Words of a batch, at least 1.
    pub lanes: u32,
    /// Start cycles of batches.
    pub train: Train,
    /// The packets of a batch.
    pub injections: Vec<Injection>,
}

impl StreamProgram {
    /// Number of batches; the last one may be short of words for its highest lanes.
    pub fn batches(&self) -> u32 {
        self.count.div_ceil(self.lanes)
    }

    /// Number of batches that have a word of a lane.
    pub fn batches_of(&self, lane: u32) -> u32 {
        (self.count + self.lanes - 1 - lane) / self.lanes
    }

    /// Waits of a packet on its way.
    pub fn holds(&self, hop: HopLatency, software: u32) -> Holds {
        Holds { stay: hop.local + software, endpoint: software }
    }

    /// The program of all routers. After every hop an endpoint holds a packet for `software` cycles, none where routers copy.
    pub fn to_program(&self, net: &SwappedDragonfly, hop: HopLatency, software: u32) -> Program {
        let mut program = Program::new(hop.switching(net));
        let root = Who::One(self.root);
        let lane = |lane| program.value(root, self.batches_of(lane), Origin::Word { first: lane, stride: self.lanes });
        let lanes: Vec<u32> = (0..self.lanes).map(lane).collect();
        for injection in self.injections.iter().filter(|injection| self.batches_of(injection.lane) > 0) {
            let hops = tree(net, self.root, injection.via, &injection.header, self.holds(hop, software));
            program.send(lanes[injection.lane as usize], root, (injection.offset, self.train), hops);
        }
        program
    }
}

/// A stream for the whole network, not yet checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StreamSchedule {
    /// Name of the algorithm that made it, never `best`.
    pub algorithm: &'static str,
    /// Cycles a hop.
    pub hop: HopLatency,
    /// Cycles that an endpoint takes over a packet after each hop; 0 where routers copy.
    pub software: u32,
    /// Program of the source.
    pub program: StreamProgram,
}
