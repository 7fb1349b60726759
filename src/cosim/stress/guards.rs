//! Guards of registers: what they keep of a register is flipped, which must be reported as if the register had flipped.

use super::trials::{New, Trials, most_bits, statuses_of};
use crate::cosim::CosimError;
use crate::cosim::lockstep::Lockstep;
use crate::cosim::session::Session;

/// Flips the kept parity of guards in cycle `cycle`, each in a run of its own.
pub(super) fn flipped(session: &Session, cycle: u64, new: New<'_>) -> Result<Trials, CosimError> {
    let registers = new()?.registers();
    let guards = || registers.iter().enumerate().filter(|(_, register)| register.name.ends_with("given_q"));
    let step = guards().count().div_ceil(most_bits(session)).max(1);
    let mut count = 0;
    for (index, guard) in guards().step_by(step) {
        count += 1;
        let mut simulator = new()?;
        let mut lockstep = Lockstep::new(&mut *simulator, session.model(), None);
        session.queue(&mut lockstep);
        lockstep.run_to(cycle)?;
        lockstep.simulator().upset(index, 0, 0);
        lockstep.run()?;
        let faults = statuses_of(session, &mut lockstep);
        if faults.is_empty() || !lockstep.fault_signal() {
            let provoked = format!("{} was flipped", guard.name);
            return Ok(Trials::failed(count, provoked, "no tile and not the host reports it".to_owned()));
        }
    }
    Ok(Trials::passed(count))
}
