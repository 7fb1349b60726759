//! Guards of registers: what they keep of a register is flipped, which must be reported as if the register had flipped.

use super::trials::{self, New, Trials, most_bits};
use crate::cosim::CosimError;
use crate::cosim::session::Session;
use crate::cosim::status::faults_of;

/// Flips the kept parity of guards in cycle `cycle`, each in a run of its own.
pub(super) fn flipped(session: &Session, cycle: u64, new: New<'_>) -> Result<Trials, CosimError> {
    let registers = new()?.registers();
    let guards = || registers.iter().enumerate().filter(|(_, register)| register.name.ends_with("given_q"));
    let step = guards().count().div_ceil(most_bits(session)).max(1);
    let mut count = 0;
    for (index, guard) in guards().step_by(step) {
        count += 1;
        let (status, signal) = trials::flipped(session, new, cycle, &[(index, 0, 0)])?;
        if faults_of(session.model().fabric(), &status).is_empty() || !signal {
            let provoked = format!("{} was flipped", guard.name);
            return Ok(Trials::failed(count, provoked, "neither a tile nor the host reports it".to_owned()));
        }
    }
    Ok(Trials::passed(count))
}
