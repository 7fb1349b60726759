//! Lower bounds of uniform programs.

use crate::program::form::swapped_dragonfly::uniform::HopLatency;
use crate::topology::SwappedDragonfly;

/// Lower bound on the cycles of uniform programs: global channels carry M² packets each, local channels 2KM.
pub fn uniform_bound(net: &SwappedDragonfly) -> u64 {
    let (k, m) = (u64::from(net.k()), u64::from(net.m()));
    (m * m).max(2 * k * m)
}

/// Lower bound on the cycles of uniform programs, with both ends of the program; derived in
/// [`no_wait`](super::no_wait).
pub fn uniform_cycles(net: &SwappedDragonfly, hop: HopLatency) -> u64 {
    let (k, m) = (u64::from(net.k()), u64::from(net.m()));
    let unused = u64::from(hop.clash_distance()) * (m - 1).saturating_sub(k);
    uniform_bound(net).max(2 * k * m + unused.div_ceil(m - 1))
}
