//! Tiles with streams of their own: each fault of each of them must reach the outputs.

use super::trials::{self, New, Trials};
use crate::cosim::CosimError;
use crate::cosim::lockstep::Lockstep;
use crate::cosim::session::Session;
use crate::cosim::status::faults_of;

/// Most tiles whose faults are set.
const TILES: usize = 16;
/// Faults of the time of a start, which the status of a tile has up to the last start alone.
const OF_STARTS: std::ops::RangeInclusive<u32> = 4..=6;
/// Most cycles to the first row of a collective.
const PATIENCE: u64 = 100_000;

/// First row of the session's first collective.
pub(super) fn first_row(session: &Session, new: New<'_>) -> Result<u64, CosimError> {
    let mut simulator = new()?;
    let mut lockstep = Lockstep::new(&mut *simulator, session.model(), None);
    session.queue(&mut lockstep);
    Ok(trials::first_row(&mut lockstep, PATIENCE)?.unwrap_or(0))
}

/// Sets each fault of tiles in cycle `cycle`, in a run of its own: `fault_o` must be high, and one fault of one tile must be at the outputs of tiles.
pub(super) fn told(session: &Session, cycle: u64, new: New<'_>) -> Result<Trials, CosimError> {
    let fabric = session.model().fabric();
    let registers = new()?.registers();
    let faults = || registers.iter().enumerate().filter(|(_, register)| register.name.ends_with("fault_q"));
    let mut count = 0;
    for (index, register) in faults().step_by(faults().count().div_ceil(TILES).max(1)) {
        for bit in 0..register.bits {
            count += 1;
            let (status, signal) = trials::flipped(session, new, cycle, &[(index, 0, bit)])?;
            let found = faults_of(fabric, &status);
            let named = if OF_STARTS.contains(&bit) { found.len() <= 1 } else { found.len() == 1 };
            if !signal || !named {
                let missing = match (signal, &found[..]) {
                    (false, _) => "fault_o is low".to_owned(),
                    (true, []) => "no tile reports it".to_owned(),
                    (true, found) => found.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "),
                };
                return Ok(Trials::failed(count, format!("bit {bit} of {} was set", register.name), missing));
            }
        }
    }
    Ok(Trials::passed(count))
}
