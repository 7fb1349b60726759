//! Versions of programs: the one in use, and those that were never loaded.

use super::trials::{New, Trials, launch, start, status_words, statuses_of, whole};
use crate::cosim::CosimError;
use crate::cosim::lockstep::Lockstep;
use crate::cosim::session::Session;
use crate::cosim::simulator::Job;
use crate::cosim::status::{VERSION_BIT, faults_of};

/// Version of a program that is never loaded.
const UNLOADED: u8 = 251;
const REFUSED: &str = "a program that was not loaded was asked for";
/// Times that statuses are read, with one more cycle between them each time, so that they are read in odd and even cycles.
const READS: u64 = 3;

/// Jobs before a start that ask for a program that was not loaded: without any, for two versions that have no bit in common, and for a version
/// that differs in one bit.
fn wrong_swaps(reload: Option<&Vec<Job>>) -> Vec<Vec<Job>> {
    let mut all = [UNLOADED, !UNLOADED].map(|version| vec![Job::Swap(version)]).to_vec();
    if let Some([loads @ .., Job::Swap(version)]) = reload.map(Vec::as_slice) {
        all.extend((0..u8::BITS).map(|bit| [loads, &[Job::Swap(version ^ 1 << bit)]].concat()));
    }
    all
}

/// Lets every tile ask for a program that was not loaded, for a single collective: all must say so, and nothing may be wrong with the next one.
pub(super) fn refused(session: &Session, reload: &[Vec<Job>], new: New<'_>) -> Result<Trials, CosimError> {
    let tiles = session.model().fabric().tiles as usize;
    let swaps = wrong_swaps(reload.first());
    for (number, swap) in swaps.iter().enumerate() {
        let mut simulator = new()?;
        let mut lockstep = Lockstep::new(&mut *simulator, session.model(), None);
        swap.iter().for_each(|job| lockstep.queue(job.clone()));
        launch(session, &mut lockstep, 1);
        lockstep.queue(Job::Status);
        lockstep.run()?;
        let refused = statuses_of(session, &mut lockstep).iter().filter(|fault| fault.kind == REFUSED).count();
        // words that were loaded again would belong to the program that waits
        lockstep.queue(Job::Clear);
        start(session, &mut lockstep, 1);
        lockstep.queue(Job::Status);
        lockstep.run()?;
        let after = statuses_of(session, &mut lockstep);
        // statuses may come before the end
        lockstep.wait_to(lockstep.cycle() + whole(session.model()))?;
        let missing = match after.first() {
            _ if refused != tiles => Some(format!("{refused} of {tiles} tiles say so")),
            Some(fault) => Some(format!("the end of it: the next collective reports `{fault}`")),
            None => lockstep.busy_signal().then(|| "the end of it: a collective does not end".to_owned()),
        };
        if let Some(missing) = missing {
            return Ok(Trials::failed(number + 1, REFUSED.to_owned(), missing));
        }
    }
    Ok(Trials::passed(swaps.len()))
}

/// Loads the program as one version after the other, and runs it, after an even and an odd number of cycles: all tiles must have that version from
/// then on, and no fault.
pub(super) fn in_use(session: &Session, reload: &[Vec<Job>], new: New<'_>) -> Result<Trials, CosimError> {
    let each = reload.iter().flat_map(|jobs| [(jobs, 0), (jobs, 1)]);
    let mut count = 0;
    for (jobs, late) in each {
        let [loads @ .., swap @ Job::Swap(version)] = &jobs[..] else { continue };
        count += 1;
        let mut simulator = new()?;
        let mut lockstep = Lockstep::new(&mut *simulator, session.model(), None);
        loads.iter().for_each(|job| lockstep.queue(job.clone()));
        lockstep.run()?;
        lockstep.wait_to(lockstep.cycle() + late)?;
        lockstep.queue(swap.clone());
        session.queue(&mut lockstep);
        lockstep.run()?;
        for read in 1..=READS {
            if let Some(missing) = other_version(session, &status_words(&mut lockstep), *version) {
                let provoked = "the program was loaded with another version".to_owned();
                return Ok(Trials::failed(count, provoked, missing));
            }
            if read < READS {
                lockstep.wait_to(lockstep.cycle() + read)?;
                lockstep.queue(Job::Status);
                lockstep.run()?;
            }
        }
    }
    Ok(Trials::passed(count))
}

/// The first tile whose status has a fault, or another version in use, in words.
fn other_version(session: &Session, status: &[u64], version: u8) -> Option<String> {
    let fabric = session.model().fabric();
    if status.len() != fabric.tiles as usize {
        return Some("not every tile answers".to_owned());
    }
    if let Some(fault) = faults_of(fabric, status).first() {
        return Some(fault.to_string());
    }
    let wrong = status.iter().position(|word| word >> VERSION_BIT & 0xff != u64::from(version));
    wrong.map(|tile| format!("{} says that it runs another version than {version}", fabric.tile_name(tile)))
}
