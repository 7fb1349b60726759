//! Windows of min(K,M) vectors for any K and M, no common factor needed: M² + 2 hop-cycles where 2K ≤ M.
//!
//! For K ≤ M round (x,y) is {(γ=t, π=x+t, δ=y+t) : t < K}; for K ≥ M it is {(γ=x+t, π=t, δ=y+t) : t < M}. All vectors
//! of a round differ in γ, π and δ. For 2K ≤ M the round y → x+K is an edge of the digraph on Z_M. The next round, one
//! clash distance later, starts where this round's window of π ends, so the two cannot meet. Wider windows meet
//! whatever the order, and their rounds go in bursts of one clash distance with as long a pause.

use super::{AllToAllRequest, Plan};
use crate::program::form::swapped_dragonfly::counter::{Affine, Burst, CounterProgram, RowForm, Step};
use crate::schedule::{ScheduleError, euler};
use crate::topology::SwappedDragonfly;

/// Schedules all-to-all by window rounds.
pub fn schedule(net: &SwappedDragonfly, request: &AllToAllRequest) -> Result<Plan, ScheduleError> {
    let (k, m, distance) = (net.k(), net.m(), request.hop.clash_distance());
    if 2 * k > m {
        return Ok(Plan::Counters(bursts(net, distance)));
    }
    let edge = |tail: Affine, head: Affine| {
        let pi = head.offset(-i64::from(k));
        Step::Row(RowForm { gamma: Affine::constant(0), pi, delta: tail, length: k })
    };
    let chain = euler::complete(m, 0, edge);
    Ok(Plan::Counters(CounterProgram { chain, ..windows(net) }.interleaved(distance)))
}

/// Window rounds in order, in bursts of one clash distance.
pub(super) fn bursts(net: &SwappedDragonfly, distance: u32) -> CounterProgram {
    let (k, m) = (net.k(), net.m());
    let (x, y) = (Affine::counter(0), Affine::counter(1));
    let (count, row) = if k >= m {
        (k, RowForm { gamma: x, pi: Affine::constant(0), delta: y, length: m })
    } else {
        (m, RowForm { gamma: Affine::constant(0), pi: x, delta: y, length: k })
    };
    let rounds = Step::Loop { count, body: vec![Step::Loop { count: m, body: vec![Step::Row(row)] }] };
    let burst = Some(Burst { active: distance, pause: distance });
    CounterProgram { chain: vec![rounds], burst, ..windows(net) }
}

/// An empty program whose rows are windows.
pub(super) fn windows(net: &SwappedDragonfly) -> CounterProgram {
    CounterProgram {
        k: net.k(),
        m: net.m(),
        global_block: net.k(),
        local_block: net.m(),
        chain: Vec::new(),
        starts: vec![0],
        burst: None,
    }
}
