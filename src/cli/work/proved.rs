//! Schedules that are proved, as commands see them, and sentences on networks that all have in common.

use crate::check::{BoundList, Checked, Proof};
use crate::count::counted;
use crate::report::Drawn;
use crate::topology::{SwappedDragonfly, Topology};
use std::io::{self, Write};

/// Schedule that is proved, of whichever family.
pub trait Proved {
    /// Network of the schedule.
    fn topology(&self) -> Box<dyn Topology + Sync>;

    /// Network as reports show it.
    fn drawn(&self) -> Drawn;

    /// Cycles from the first channel to the last; slots on POPS.
    fn cycles(&self) -> u32;

    /// Lower bounds on the cycles, by name.
    fn bounds(&self) -> &BoundList;

    /// Sentences of the proof, in order.
    fn argument(&self) -> Vec<String>;
}

impl<N, S, P: Proof, F> Proved for Checked<N, S, P, F>
where
    N: Topology + Sync + Copy + 'static,
    Drawn: for<'a> From<&'a N>,
{
    fn topology(&self) -> Box<dyn Topology + Sync> {
        Box::new(self.network())
    }

    fn drawn(&self) -> Drawn {
        Drawn::from(&self.network())
    }

    fn cycles(&self) -> u32 {
        Checked::cycles(self)
    }

    fn bounds(&self) -> &BoundList {
        Checked::bounds(self)
    }

    fn argument(&self) -> Vec<String> {
        self.proof().lines()
    }
}

/// Row of a verdict on a network and its routers.
pub(super) fn routers(net: &SwappedDragonfly) -> (&'static str, String) {
    let (nodes, ports) = (net.nodes(), counted(net.ports(), "port"));
    ("network", format!("D3({},{}): {nodes} routers of {ports}", net.k(), net.m()))
}

/// Writes the first line of a schedule's table: network, algorithm and cycles.
pub(super) fn write_title(
    writer: &mut dyn Write,
    net: &SwappedDragonfly,
    algorithm: &str,
    cycles: u32,
) -> io::Result<()> {
    writeln!(writer, "# D3({},{}), {algorithm}: {}", net.k(), net.m(), counted(cycles, "cycle"))
}
