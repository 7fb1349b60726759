//! Streams: one router sends many words, every word along the same few ways, each way with one header.

use crate::id::NodeId;
use crate::topology::headers::Header;

/// When the batches of a stream leave: bursts of batches in consecutive cycles, one burst a period.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Train {
    /// Batches of a burst, at least 1.
    pub burst: u32,
    /// Cycles from burst to burst, at least `burst`.
    pub period: u32,
}

impl Train {
    /// One batch a cycle.
    pub const STEADY: Self = Self { burst: 1, period: 1 };

    /// The cycle of a batch.
    pub fn start(self, batch: u32) -> u32 {
        batch / self.burst * self.period + batch % self.burst
    }

    /// The batch that starts in a cycle, if one does.
    pub fn batch(self, cycle: u64) -> Option<u32> {
        let (burst, phase) = (cycle / u64::from(self.period), cycle % u64::from(self.period));
        let batch = burst * u64::from(self.burst) + phase;
        (phase < u64::from(self.burst)).then_some(batch).and_then(|batch| u32::try_from(batch).ok())
    }
}

/// A packet of every batch: what the source sends of a lane in one direction.
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

/// What a source sends: `count` words, word n in batch n / `lanes` as that of lane n % `lanes`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StreamProgram {
    /// The source.
    pub root: NodeId,
    /// Number of words, at least 1.
    pub count: u32,
    /// Words of a batch, at least 1.
    pub lanes: u32,
    /// When batches leave.
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
}
