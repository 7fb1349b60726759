//! Use of ports by cycle: the claims of one router, which stand for those of all.

use crate::check::swapped_dragonfly::CheckedAllToAll;
use crate::check::swapped_dragonfly::claims::{Claim, Hop, claims};
use crate::program::form::swapped_dragonfly::uniform::Launch;
use crate::report::ReportError;
use crate::topology::Topology;
use serde::Serialize;

/// The most stretches of idle cycles that are listed of a port.
const LISTED: usize = 24;

/// The claims of a router in order of ports and cycles, and who makes them.
#[derive(Debug)]
pub struct Usage<'a> {
    /// The schedule.
    pub schedule: &'a CheckedAllToAll,
    claims: Vec<Claim>,
}

/// A class of ports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Class {
    /// Within a drawer.
    Local,
    /// Between drawers.
    Global,
}

/// Use of one port of every router, in cycles.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PortUse {
    /// Name of the port.
    pub name: String,
    /// Class of the port.
    pub class: Class,
    /// Cycles in which packets make their first local hop over it.
    pub first_local: u32,
    /// Cycles in which packets make their global hop over it.
    pub global: u32,
    /// Cycles in which packets make their last local hop over it.
    pub last_local: u32,
    /// Cycles in which it is used.
    pub used: u32,
    /// Cycles in which it is not.
    pub idle: u32,
    /// The first stretches of idle cycles, each from its first to its last cycle.
    pub idle_cycles: Vec<[u32; 2]>,
    /// Further stretches that are not listed.
    pub idle_stretches_left_out: usize,
}

impl<'a> Usage<'a> {
    /// The claims of a schedule.
    ///
    /// # Errors
    /// Only by a defect of metronoc: what is checked has claims.
    pub fn new(schedule: &'a CheckedAllToAll) -> Result<Self, ReportError> {
        let (network, made) = (schedule.network(), schedule.schedule());
        let mut claims = claims(network.m(), made.hop, &made.program).map_err(ReportError::figure)?;
        claims.sort_unstable();
        Ok(Self { schedule, claims })
    }

    /// Cycles from the first claimed one to the last, both included.
    pub fn cycles(&self) -> u32 {
        self.schedule.cycles()
    }

    /// Number of local ports.
    pub fn local_ports(&self) -> u32 {
        self.schedule.network().local_ports() as u32
    }

    /// Number of ports.
    pub fn ports(&self) -> u32 {
        self.schedule.network().ports() as u32
    }

    /// The name of a port.
    pub fn port_name(&self, port: u32) -> String {
        self.schedule.network().port_name(port as usize)
    }

    /// The claims of a port within cycles, in their order.
    pub fn port(&self, port: u32, cycles: std::ops::Range<u32>) -> &[Claim] {
        let before = |cycle: u32| self.claims.partition_point(|c| (c.port, c.cycle) < (port, cycle));
        &self.claims[before(cycles.start)..before(cycles.end)]
    }

    /// Launch that makes a claim.
    pub fn launch(&self, claim: &Claim) -> Launch {
        self.schedule.schedule().program.launches()[claim.launch as usize]
    }

    /// Number of ports in use for first local, global and last local hops, as an array of three; by cycle.
    pub fn by_cycle(&self) -> Vec<[u32; 3]> {
        let mut counts = vec![[0; 3]; self.cycles() as usize];
        for claim in &self.claims {
            counts[claim.cycle as usize][claim.hop as usize] += 1;
        }
        counts
    }

    /// The use of every port.
    pub fn port_uses(&self) -> Vec<PortUse> {
        (0..self.ports()).map(|port| self.port_use(port)).collect()
    }

    fn port_use(&self, port: u32) -> PortUse {
        let claims = self.port(port, 0..self.cycles());
        let count = |hop: Hop| claims.iter().filter(|c| c.hop == hop).count() as u32;
        let ends = claims.iter().map(|c| c.cycle).chain([self.cycles()]);
        let starts = std::iter::once(0).chain(claims.iter().map(|c| c.cycle + 1));
        let mut idle = starts.zip(ends).filter(|(from, to)| from < to).map(|(from, to)| [from, to - 1]);
        PortUse {
            name: self.port_name(port),
            class: if port < self.local_ports() { Class::Local } else { Class::Global },
            first_local: count(Hop::FirstLocal),
            global: count(Hop::Global),
            last_local: count(Hop::LastLocal),
            used: claims.len() as u32,
            idle: self.cycles() - claims.len() as u32,
            idle_cycles: idle.by_ref().take(LISTED).collect(),
            idle_stretches_left_out: idle.count(),
        }
    }
}

impl PortUse {
    /// The idle cycles in words: `0–2, 17, and 3 more stretches`.
    pub fn idle_text(&self) -> String {
        let mut parts: Vec<String> = self
            .idle_cycles
            .iter()
            .map(|&[from, to]| if from == to { from.to_string() } else { format!("{from}–{to}") })
            .collect();
        match self.idle_stretches_left_out {
            0 => {}
            1 => parts.push("and 1 more stretch".into()),
            n => parts.push(format!("and {n} more stretches")),
        }
        if parts.is_empty() { "none".into() } else { parts.join(", ") }
    }
}
