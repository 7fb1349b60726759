//! A uniform program as the single transfers that it stands for, one at a time.

use super::claims::{Claim, claims};
use super::error::CheckError;
use super::symmetry::{Shape, Symmetry};
use super::transfers::{Packet, Transfer};
use crate::id::{ChannelId, Cycle, NodeId, PacketId};
use crate::schedule::{HopLatency, UniformProgram};

/// The expansion of a program: packet `source * launches + launch` is the one that router `source` launches.
#[derive(Debug)]
pub struct Expansion<'a> {
    symmetry: &'a Symmetry,
    program: &'a UniformProgram,
    /// By cycle, then by port.
    claims: Vec<Claim>,
    latency: HopLatency,
}

impl<'a> Expansion<'a> {
    /// Prepares the expansion, whatever the program is worth; its vectors must be in range.
    ///
    /// # Errors
    /// Those of the time model, and [`CheckError::TooLarge`] if packets do not fit in 32 bits.
    pub fn new(symmetry: &'a Symmetry, latency: HopLatency, program: &'a UniformProgram) -> Result<Self, CheckError> {
        let packets = symmetry.shape().routers() * program.launches().len() as u64;
        if packets > u64::from(u32::MAX) {
            return Err(CheckError::TooLarge { what: "the number of packets", value: packets, limit: u32::MAX.into() });
        }
        let mut claims = claims(symmetry.shape().m, latency, program)?;
        claims.sort_unstable_by_key(|c| (c.cycle, c.port, c.launch));
        Ok(Self { symmetry, program, claims, latency })
    }

    fn shape(&self) -> Shape {
        self.symmetry.shape()
    }

    fn nodes(&self) -> impl Iterator<Item = NodeId> + use<> {
        (0..self.shape().routers() as u32).map(NodeId::new)
    }

    /// Number of transfers, loopbacks included.
    pub fn len(&self) -> u64 {
        self.shape().routers() * self.claims.len() as u64
    }

    /// Whether there are no transfers.
    pub fn is_empty(&self) -> bool {
        self.claims.is_empty()
    }

    /// Number of packets.
    pub fn packet_count(&self) -> u64 {
        self.shape().routers() * self.program.launches().len() as u64
    }

    /// Cycles of each port's hop, for the judge's rules.
    pub fn latency_by_port(&self) -> Vec<u32> {
        let Shape { k, m } = self.shape();
        let local = std::iter::repeat_n(self.latency.local, m as usize - 1);
        local.chain(std::iter::repeat_n(self.latency.global, k as usize)).collect()
    }

    /// The ends of all packets, in order of their ids.
    pub fn packets(&self) -> impl Iterator<Item = Packet> + '_ {
        let (shape, launches) = (self.shape(), self.program.launches());
        self.nodes().flat_map(move |src| {
            let from = shape.address(src);
            launches.iter().map(move |l| Packet { src, dst: shape.node(self.symmetry.destination(from, l.vector)) })
        })
    }

    /// All transfers, by cycle, then by channel.
    pub fn transfers(&self) -> impl Iterator<Item = Transfer> + '_ {
        let (shape, launches) = (self.shape(), self.program.launches());
        self.claims.chunk_by(|a, b| a.cycle == b.cycle).flat_map(move |group| {
            self.nodes().flat_map(move |node| {
                let at = shape.address(node);
                group.iter().map(move |claim| {
                    let vector = launches[claim.launch as usize].vector;
                    let src = shape.node(self.symmetry.source(at, vector, claim.hop));
                    let packet = src.index() * launches.len() + claim.launch as usize;
                    Transfer {
                        cycle: Cycle::new(claim.cycle),
                        channel: ChannelId::from(node.index() * shape.ports() as usize + claim.port as usize),
                        packet: PacketId::from(packet),
                    }
                })
            })
        })
    }
}
