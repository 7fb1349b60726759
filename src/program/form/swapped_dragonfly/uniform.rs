//! Uniform programs: one router's rows of launches stand for all routers.

use crate::program::{Hop, Origin, Program, Switching, Train, Who};
use crate::spec::RouterSpec;
use crate::topology::SwappedDragonfly;
use crate::topology::swapped_dragonfly::SourceVector;

/// Clock cycles that a hop takes from the crossbar input of one router to that of the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HopLatency {
    /// Cycles of a local hop, at least 1.
    pub local: u32,
    /// Cycles of a global hop, loopbacks included, at least 1.
    pub global: u32,
}

impl From<&RouterSpec> for HopLatency {
    fn from(router: &RouterSpec) -> Self {
        Self { local: router.local_stages, global: router.global_stages }
    }
}

impl HopLatency {
    /// Cycles of a hop by output port.
    pub fn switching(self, net: &SwappedDragonfly) -> Switching {
        let local = std::iter::repeat_n(self.local, net.local_ports());
        Switching::Hop(local.chain(std::iter::repeat_n(self.global, net.k() as usize)).collect())
    }

    /// Clash distance D = Hl + Hg, in rows. A last hop over local port x in row r and a first hop over it in row r + D
    /// claim the port in the same cycle.
    pub fn clash_distance(self) -> u32 {
        self.local + self.global
    }

    /// Hop latencies with an endpoint that takes `cycles` cycles between two hops.
    pub fn with_software(self, cycles: u32) -> Self {
        Self { local: self.local + cycles, global: self.global + cycles }
    }
}

/// Every router sends one packet with this source vector.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Launch {
    /// The slot-table row: the cycle of the global hop, counted from the first row.
    pub row: u32,
    /// The packet's source vector.
    pub vector: SourceVector,
}

impl Launch {
    /// The cycle in which the packet leaves: without a first local hop it waits for its global hop where it is.
    pub fn at(self, hop: HopLatency) -> u32 {
        self.row + if self.vector.delta == 0 { hop.local } else { 0 }
    }

    /// The hops of the packet.
    pub fn hops(self, net: &SwappedDragonfly) -> impl Iterator<Item = Hop> + use<> {
        let SourceVector { gamma, pi, delta } = self.vector;
        let local = |x: u32| (x != 0).then(|| net.local_port(x) as u32);
        let ports = [local(delta), Some(net.global_port(gamma) as u32), local(pi)].into_iter().flatten();
        Program::path(ports.collect::<Vec<u32>>().into_iter())
    }
}

/// The program of every router of a Swapped Dragonfly: all K·M² source vectors, each in one row of a table.
///
/// A vector in row s makes its first local hop (if δ ≠ 0) `local` cycles before the row's global hop. Its last local
/// hop (if π ≠ 0) is `global` cycles after the global hop. Rows without a launch are pauses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UniformProgram {
    launches: Vec<Launch>,
    rows: u32,
}

impl UniformProgram {
    /// Takes launches in any order; rows are shifted so that the first used row is 0.
    pub fn new(mut launches: Vec<Launch>) -> Self {
        let first = launches.iter().map(|l| l.row).min().unwrap_or(0);
        launches.iter_mut().for_each(|l| l.row -= first);
        launches.sort();
        let rows = launches.last().map_or(0, |l| l.row + 1);
        Self { launches, rows }
    }

    /// All launches, by row, then by vector.
    pub fn launches(&self) -> &[Launch] {
        &self.launches
    }

    /// The program of all routers: a message for each source vector.
    pub fn to_program(&self, net: &SwappedDragonfly, hop: HopLatency) -> Program {
        let mut program = Program::new(hop.switching(net));
        for launch in &self.launches {
            let value = program.value(Who::Every, 1, Origin::Message);
            program.send(value, Who::Every, (launch.at(hop), Train::STEADY), launch.hops(net));
        }
        program
    }

    /// Number of rows, from the first used to the last.
    pub fn rows(&self) -> u32 {
        self.rows
    }

    /// The launches of one row.
    pub fn row(&self, row: u32) -> &[Launch] {
        let start = self.launches.partition_point(|l| l.row < row);
        let end = self.launches.partition_point(|l| l.row <= row);
        &self.launches[start..end]
    }

    /// Cycles from the first claimed channel to the end of the last hop.
    pub fn cycles(&self, hop: HopLatency) -> u32 {
        let first = |l: &Launch| l.row + if l.vector.delta == 0 { hop.local } else { 0 };
        let last = |l: &Launch| l.row + hop.local + if l.vector.pi == 0 { 0 } else { hop.global };
        let start = self.launches.iter().map(first).min().unwrap_or(0);
        self.launches.iter().map(last).max().map_or(0, |end| end + 1 - start)
    }

    /// Rows between the starts of two passes that follow one another as closely as they can, at least [`Self::rows`].
    pub fn period(&self, hop: HopLatency) -> u32 {
        let distance = hop.clash_distance();
        // Rows r and r - distance meet; modulo the period, only the first rows of a pass meet others than within the pass.
        let meets = |period: u32| {
            (0..distance.min(self.rows)).any(|r| {
                let before = self.row((r + distance * period - distance) % period);
                let after = self.row(r);
                before.iter().any(|a| a.vector.pi != 0 && after.iter().any(|b| a.vector.pi == b.vector.delta))
            })
        };
        (self.rows..).find(|&period| !meets(period)).unwrap_or(self.rows)
    }

    /// Cycles of `passes` passes that follow one another as closely as they can.
    pub fn cost(&self, hop: HopLatency, passes: u32) -> u64 {
        u64::from(passes.max(1) - 1) * u64::from(self.period(hop)) + u64::from(self.cycles(hop))
    }
}
