//! Schedules that are proved, as commands see them.

use crate::check::{BoundList, Checked, Proof};
use crate::report::Drawn;
use crate::topology::Topology;

/// Schedule that is proved, of whichever family.
pub trait Proved {
    /// Network of the schedule.
    fn topology(&self) -> Box<dyn Topology + Sync>;

    /// Network as reports show it.
    fn drawn(&self) -> Drawn;

    /// Cycles, or slots where the network has these, from the first channel to the last.
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
