//! Guests in a host by the paper's rule: every packet goes by its own source vector, from router to router of the host.
//!
//! The vector is the one that leads from source to destination in the host; nothing is asked of how the guest's ports
//! were renamed.

use super::layout::{Layout, Point, PointKind};
use super::routes::{Head, Header, Hop, Taken, global_head, local_head, receive_head};
use super::{ARRIVAL_CYCLES, ModelError};
use crate::collective::Data;
use crate::id::NodeId;
use crate::lower::{Guests, Parameters};
use crate::schedule::UniformProgram;
use crate::topology::Topology;

/// A packet at a point.
#[derive(Debug, Clone, Copy)]
struct Sight {
    /// The first word of the point in a block, and their number.
    place: usize,
    words: usize,
    /// What the point shows beside the packet's word.
    head: Head,
    /// The packet: `source * tiles + destination`.
    packet: usize,
}

/// Where the packets of one pass are.
#[derive(Debug)]
pub(super) struct Paths {
    /// By kind of point and cycle.
    sights: [Vec<Vec<Sight>>; 2],
    /// The routers of each guest, in its order.
    members: Vec<Vec<NodeId>>,
}

impl Paths {
    /// Moves the packets of a guest's program through the host.
    ///
    /// # Errors
    /// [`ModelError::Conflict`] if two packets are at the same point in the same cycle of a period.
    pub(super) fn new(
        p: &Parameters,
        layout: &Layout,
        guests: &Guests,
        program: &UniformProgram,
    ) -> Result<Self, ModelError> {
        let members = (0..guests.embeddings().len()).map(|network| guests.members(network)).collect();
        let mut paths = Self { sights: [Vec::new(), Vec::new()], members };
        let mut taken = Taken::new(p, layout);
        for (index, launch) in (0..).zip(program.launches()) {
            for (embedding, members) in guests.embeddings().iter().zip(paths.members.clone()) {
                let guest = embedding.guest();
                for (from, &src) in members.iter().enumerate() {
                    let to = guest.node(guest.destination(guest.address(from.into()), launch.vector));
                    let ends = [src, members[to.index()]];
                    paths.follow(p, layout, &mut taken, (index, launch.row), ends)?;
                }
            }
        }
        Ok(paths)
    }

    fn follow(
        &mut self,
        p: &Parameters,
        layout: &Layout,
        taken: &mut Taken<'_>,
        (launch, row): (u32, u32),
        [src, dst]: [NodeId; 2],
    ) -> Result<(), ModelError> {
        let net = &p.network;
        let packet = src.index() * net.nodes() + dst.index();
        let mut header = Header::new(net.vector(net.address(src), net.address(dst)));
        let mut see = |kind, tile, port, cycle: u32, head| {
            let point = Point { tile, port, kind };
            taken.take(point, cycle, launch)?;
            let range = layout.range(point);
            let sights = &mut self.sights[kind as usize];
            sights.resize_with(sights.len().max(cycle as usize + 1), Vec::new);
            sights[cycle as usize].push(Sight { place: range.start, words: range.len(), head, packet });
            Ok(())
        };
        let (mut at, mut last) = (src, 0);
        let mut cycle = row + p.send_cycles() + if header.has_first() { 0 } else { p.local_stages };
        while let Some(hop) = header.take() {
            let (port, head, latency) = match hop {
                Hop::Local(x) => (net.local_port(x), local_head(p, header), p.local_stages),
                Hop::Global(gamma) => (net.global_port(gamma), global_head(p, header), p.global_stages),
            };
            see(PointKind::Channel, at, port, cycle + p.xbar_stages, head)?;
            (at, last, cycle) = (net.neighbour(at, port), port, cycle + latency);
        }
        see(PointKind::Receive, at, last, cycle + ARRIVAL_CYCLES, receive_head(p))
    }

    /// Cycles from the first row's to the last packet's arrival.
    pub(super) fn cycles(&self) -> u64 {
        self.sights.iter().map(|sights| sights.len() as u64).max().unwrap_or(0)
    }

    /// Packets at points of one pass.
    pub(super) fn len(&self) -> usize {
        self.sights.iter().flatten().map(Vec::len).sum()
    }

    /// Where the words of a set of the guests' data stand among those that the host loads, `[sender][receiver][word]`
    /// of all its routers, and drains, `[receiver][sender][word]`: by guest, first axis, second axis and word.
    pub(super) fn places(&self, p: &Parameters) -> Vec<usize> {
        let (tiles, words) = (p.tiles as usize, p.words as usize);
        let mut places = Vec::new();
        for members in &self.members {
            for first in members {
                for second in members {
                    let start = (first.index() * tiles + second.index()) * words;
                    places.extend(start..start + words);
                }
            }
        }
        places
    }

    /// All words that the host loads for one repetition; those of packets that there are not are zero.
    pub(super) fn gather(&self, p: &Parameters, data: &Data, repetition: u32) -> Vec<u64> {
        let traffic = data.traffic();
        let places = self.places(p);
        let start = traffic.index(repetition * self.members.len() as u32, 0, 0, 0);
        let mut all = vec![0; (p.words_a_tile() * u64::from(p.tiles)) as usize];
        for (i, place) in places.into_iter().enumerate() {
            all[place] = data.words().get(start + i);
        }
        all
    }

    /// Adds what pass `word` of a collective with these words shows in a cycle of the pass.
    pub(super) fn add(&self, p: &Parameters, kind: PointKind, cycle: u64, word: u32, words: &[u64], block: &mut [u64]) {
        let sights = usize::try_from(cycle).ok().and_then(|cycle| self.sights[kind as usize].get(cycle));
        for sight in sights.into_iter().flatten() {
            let data = words[sight.packet * p.words as usize + word as usize];
            let shown = &mut block[sight.place..][..sight.words];
            shown.copy_from_slice(&sight.head[..sight.words]);
            shown[0] |= data;
            if p.parity {
                shown[p.data_bits as usize / 64] |= u64::from(data.count_ones() & 1) << (p.data_bits % 64);
            }
        }
    }
}
