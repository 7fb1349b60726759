//! Schedules that hold, of any family.

use super::{BoundList, Proof, Verdict};

/// Schedule `S` on a network `N`, of which everything is proved that the check lists which made it: the counts `P` of the proof, and what
/// else the check found, `F`. The checks alone make one.
#[derive(Debug, Clone)]
pub struct Checked<N, S, P, F = ()> {
    pub(super) network: N,
    pub(super) schedule: S,
    pub(super) proof: P,
    pub(super) found: F,
    pub(super) cycles: u32,
    pub(super) bounds: BoundList,
}

impl<N: Copy, S, P: Proof, F> Checked<N, S, P, F> {
    /// The network.
    pub fn network(&self) -> N {
        self.network
    }

    /// The schedule that was checked.
    pub fn schedule(&self) -> &S {
        &self.schedule
    }

    /// Counts of the proof.
    pub fn proof(&self) -> &P {
        &self.proof
    }

    /// Clock cycles, or slots where the network has these, from the first claimed one to the last, both included.
    pub fn cycles(&self) -> u32 {
        self.cycles
    }

    /// Lower bounds on the cycles of any schedule, each with its scope.
    pub fn bounds(&self) -> &BoundList {
        &self.bounds
    }

    /// The verdict for programs.
    pub fn verdict(&self) -> Verdict<'_, P> {
        Verdict::new(self.cycles, &self.bounds, &self.proof, self.proof.lines())
    }

    /// Cycles over the largest bound.
    pub fn ratio(&self) -> f64 {
        self.bounds.ratio(self.cycles)
    }
}
