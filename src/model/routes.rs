//! Where the packets of one pass are in each cycle, found by moving them through the network.
//!
//! A packet's header is its source vector, of which each hop takes its part: first δ names a local port, then γ a global
//! one, then π a local one; a part that is zero (δ, π) takes no hop, and a packet without a header has arrived (Draper,
//! section 2). All routers send a packet with the same vector in the same cycle: a cohort. It moves as one, from router
//! to router over [`Topology::neighbour`], a hop's latency after a hop's latency.

use super::layout::{Layout, Point, PointKind};
use super::{ARRIVAL_CYCLES, ModelError};
use crate::lower::Parameters;
use crate::schedule::UniformProgram;
use crate::topology::Topology;
use crate::topology::swapped_dragonfly::SourceVector;

/// What is still to be done with a packet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Header {
    delta: u32,
    gamma: Option<u32>,
    pi: u32,
}

/// The next hop of a packet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Hop {
    Local(u32),
    Global(u32),
}

impl Header {
    pub(super) fn new(v: SourceVector) -> Self {
        Self { delta: v.delta, gamma: Some(v.gamma), pi: v.pi }
    }

    /// Whether a first local hop is to be done.
    pub(super) fn has_first(self) -> bool {
        self.delta != 0
    }

    /// Takes the next hop from the header; None if the packet has arrived.
    pub(super) fn take(&mut self) -> Option<Hop> {
        if self.delta != 0 {
            return Some(Hop::Local(std::mem::take(&mut self.delta)));
        }
        if let Some(gamma) = self.gamma.take() {
            return Some(Hop::Global(gamma));
        }
        (self.pi != 0).then(|| Hop::Local(std::mem::take(&mut self.pi)))
    }
}

/// Packets of one cohort at points of one kind in one cycle.
#[derive(Debug, Clone, Copy)]
pub(super) struct Group {
    /// The cycle, counted from the one in which the program shows its first row.
    cycle: u32,
    /// The vector's place in the program.
    pub(super) launch: u32,
    /// The words of the point without its payload: an index into [`Routes::heads`].
    pub(super) head: u32,
    /// Words of the point.
    pub(super) words: u32,
    /// Where the places begin.
    places: usize,
}

/// The words of a point that has a packet, its payload zero.
pub(super) type Head = [u64; 4];

/// The points that the packets of one pass are at.
#[derive(Debug)]
pub(super) struct Routes {
    tiles: usize,
    /// By kind of point: groups in order of their cycles.
    groups: [Vec<Group>; 2],
    /// By kind and cycle: where its groups begin, and where those of the last cycle end.
    starts: [Vec<u32>; 2],
    /// Of each group, the first word in the block of each packet's point, by the packet's source.
    places: Vec<u32>,
    /// The destination of each packet: `launch * tiles + source`.
    destinations: Vec<u32>,
    heads: Vec<Head>,
}

impl Routes {
    /// Moves the packets of a program through a network.
    ///
    /// # Errors
    /// [`ModelError::Conflict`] if two packets are at the same point in the same cycle of a period.
    pub(super) fn new(p: &Parameters, layout: &Layout, program: &UniformProgram) -> Result<Self, ModelError> {
        let net = &p.network;
        let tiles = net.nodes();
        let neighbours: Vec<Vec<u32>> =
            (0..net.ports()).map(|port| (0..tiles).map(|n| net.neighbour(n.into(), port).get()).collect()).collect();
        let mut routes = Self {
            tiles,
            groups: [Vec::new(), Vec::new()],
            starts: [Vec::new(), Vec::new()],
            places: Vec::new(),
            destinations: Vec::with_capacity(program.launches().len() * tiles),
            heads: Vec::new(),
        };
        let mut taken = Taken::new(p, layout);
        for (index, launch) in program.launches().iter().enumerate() {
            let mut header = Header::new(launch.vector);
            let mut at: Vec<u32> = (0..tiles as u32).collect();
            // without a first local hop the packet waits for its global hop where it is
            let mut cycle = launch.row + p.send_cycles() + if header.delta == 0 { p.local_stages } else { 0 };
            let mut last_port = 0;
            while let Some(hop) = header.take() {
                let (port, head, latency) = match hop {
                    Hop::Local(x) => (net.local_port(x), local_head(p, header), p.local_stages),
                    Hop::Global(gamma) => (net.global_port(gamma), global_head(p, header), p.global_stages),
                };
                let cohort = Cohort { launch: index, kind: PointKind::Channel, port, cycle: cycle + p.xbar_stages };
                routes.enter(layout, &mut taken, cohort, &at, head)?;
                at.iter_mut().for_each(|node| *node = neighbours[port][*node as usize]);
                cycle += latency;
                last_port = port;
            }
            let cohort =
                Cohort { launch: index, kind: PointKind::Receive, port: last_port, cycle: cycle + ARRIVAL_CYCLES };
            routes.enter(layout, &mut taken, cohort, &at, receive_head(p))?;
            routes.destinations.extend(at);
        }
        routes.sort();
        Ok(routes)
    }

    /// Notes that the packets of a cohort, which are at routers `at`, are at a port of them.
    fn enter(
        &mut self,
        layout: &Layout,
        taken: &mut Taken,
        cohort: Cohort,
        at: &[u32],
        head: Head,
    ) -> Result<(), ModelError> {
        let head_index = self.heads.iter().position(|known| *known == head).unwrap_or_else(|| {
            self.heads.push(head);
            self.heads.len() - 1
        });
        let Cohort { launch, kind, port, cycle } = cohort;
        let words = layout.range(Point { tile: 0.into(), port, kind }).len() as u32;
        self.groups[kind as usize].push(Group {
            cycle,
            launch: launch as u32,
            head: head_index as u32,
            words,
            places: self.places.len(),
        });
        for &tile in at {
            let point = Point { tile: (tile as usize).into(), port, kind };
            taken.take(point, cycle, launch as u32)?;
            self.places.push(layout.range(point).start as u32);
        }
        Ok(())
    }

    fn sort(&mut self) {
        let cycles = self.groups.iter().flatten().map(|g| g.cycle + 1).max().unwrap_or(0);
        for (groups, starts) in self.groups.iter_mut().zip(&mut self.starts) {
            groups.sort_by_key(|g| g.cycle);
            *starts = (0..=cycles).map(|cycle| groups.partition_point(|g| g.cycle < cycle) as u32).collect();
        }
    }

    /// Cycles from the first row's to the last packet's arrival.
    pub(super) fn cycles(&self) -> u64 {
        self.starts[0].len() as u64 - 1
    }

    /// The groups of a cycle.
    pub(super) fn groups(&self, kind: PointKind, cycle: u64) -> &[Group] {
        let starts = &self.starts[kind as usize];
        match usize::try_from(cycle) {
            Ok(cycle) if cycle + 1 < starts.len() => {
                &self.groups[kind as usize][starts[cycle] as usize..starts[cycle + 1] as usize]
            }
            _ => &[],
        }
    }

    /// The first word of each packet's point, by the packet's source.
    pub(super) fn places(&self, group: &Group) -> &[u32] {
        &self.places[group.places..][..self.tiles]
    }

    /// The words of a group's points without their payloads.
    pub(super) fn head(&self, group: &Group) -> &Head {
        &self.heads[group.head as usize]
    }

    /// The destination of the packet that each source sends with a vector.
    pub(super) fn destinations(&self, launch: usize) -> &[u32] {
        &self.destinations[launch * self.tiles..][..self.tiles]
    }

    /// Number of vectors.
    pub(super) fn launches(&self) -> usize {
        self.destinations.len() / self.tiles
    }

    /// Packets at points of one pass: channel hops and arrivals.
    pub(super) fn len(&self) -> usize {
        self.places.len()
    }
}

/// The packets of a launch at one kind of point.
#[derive(Clone, Copy)]
struct Cohort {
    launch: usize,
    kind: PointKind,
    port: usize,
    cycle: u32,
}

/// Which points are taken in which cycle of a period, and by which launch.
pub(super) struct Taken<'a> {
    p: &'a Parameters,
    /// Points of a tile.
    ports: usize,
    /// launch + 1 by (cycle modulo the period, kind, port) and tile, allocated where used.
    by: Vec<Vec<u32>>,
}

impl<'a> Taken<'a> {
    pub(super) fn new(p: &'a Parameters, layout: &Layout) -> Self {
        Self { p, ports: layout.ports(), by: vec![Vec::new(); p.rows as usize * 2 * layout.ports()] }
    }

    pub(super) fn take(&mut self, point: Point, cycle: u32, launch: u32) -> Result<(), ModelError> {
        let index = ((cycle % self.p.rows) as usize * 2 + point.kind as usize) * self.ports + point.port;
        let tiles = &mut self.by[index];
        if tiles.is_empty() {
            tiles.resize(self.p.tiles as usize, 0);
        }
        let taken = &mut tiles[point.tile.index()];
        if *taken != 0 {
            let net = &self.p.network;
            return Err(ModelError::Conflict {
                cycle,
                place: net.describe(net.channel_id(point.tile, point.port)),
                launches: [*taken - 1, launch],
            });
        }
        *taken = launch + 1;
        Ok(())
    }
}

/// Bits set one by one above the payload.
fn head(bits: impl IntoIterator<Item = u32>) -> Head {
    let mut words = [0; 4];
    bits.into_iter().for_each(|bit| words[bit as usize / 64] |= 1 << (bit % 64));
    words
}

/// A local channel register `{last, pi, gamma, payload}` with what is left of the header.
pub(super) fn local_head(p: &Parameters, left: Header) -> Head {
    let gamma_at = p.payload_bits();
    let pi_at = gamma_at + p.k;
    match left.gamma {
        Some(gamma) => head([gamma_at + gamma, pi_at + left.pi]),
        None => head([pi_at + p.m]),
    }
}

/// A global channel register `{pi, payload}`.
pub(super) fn global_head(p: &Parameters, left: Header) -> Head {
    head([p.payload_bits() + left.pi])
}

/// A receive port `{valid, payload}`.
pub(super) fn receive_head(p: &Parameters) -> Head {
    head([p.payload_bits()])
}
