//! Versions of programs: the one in use, those that were never loaded, and those whose words lie at the places of another one.

use super::trials::{New, Trials, start, status_words, statuses_of, whole};
use crate::cosim::CosimError;
use crate::cosim::lockstep::Lockstep;
use crate::cosim::session::Session;
use crate::cosim::simulator::Job;
use crate::cosim::status::{Fault, VERSION_BIT, faults_of};
use std::collections::BTreeSet;

/// Version of a program that is never loaded.
const UNLOADED: u8 = 251;
const REFUSED: &str = "a program that was not loaded was asked for";
/// Orders of words (W), a program (P) and a swap to it (S) after which words lie at the places of another program than the one that a start runs.
const MISPLACED: [&str; 6] = ["WPS", "PW", "WPW", "WPWS", "PWP", "PWPS"];
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

/// A start that tiles must refuse.
struct Refusal {
    /// Mistake before it, in words.
    provoked: String,
    /// Jobs before it.
    jobs: Vec<Job>,
    /// Cycles between these jobs, none if they follow each other.
    late: Option<u64>,
    /// Tiles that must say so.
    tiles: usize,
    /// Jobs before the next start, which must be right.
    mended: Vec<Job>,
}

impl Refusal {
    /// Report that is missing, in words; none if all tiles say so, and nothing is wrong with the next collective.
    fn missing(&self, session: &Session, new: New<'_>) -> Result<Option<String>, CosimError> {
        let mut simulator = new()?;
        let mut lockstep = Lockstep::new(&mut *simulator, session.model(), None);
        for job in &self.jobs {
            lockstep.queue(job.clone());
            if let Some(late) = self.late {
                lockstep.run()?;
                lockstep.wait_to(lockstep.cycle() + late)?;
            }
        }
        let mut started = |jobs: &[Job]| -> Result<Vec<Fault>, CosimError> {
            jobs.iter().for_each(|job| lockstep.queue(job.clone()));
            start(session, &mut lockstep, 1);
            [Job::Nothing, Job::Status].into_iter().for_each(|job| lockstep.queue(job));
            lockstep.run()?;
            Ok(statuses_of(session, &mut lockstep))
        };
        let refused = started(&[])?.iter().filter(|fault| fault.kind == REFUSED).count();
        let after = started(&[&[Job::Clear], &self.mended[..]].concat())?;
        // statuses may come before the end
        lockstep.wait_to(lockstep.cycle() + whole(session.model()))?;
        Ok(match after.first() {
            _ if refused != self.tiles => Some(format!("{refused} tiles say so, not {}", self.tiles)),
            Some(fault) => Some(format!("the end of it: the next collective reports `{fault}`")),
            None => lockstep.busy_signal().then(|| "the end of it: a collective does not end".to_owned()),
        })
    }
}

/// Provokes refusals, up to the first of which something is missing.
fn all_refused(session: &Session, refusals: &[Refusal], new: New<'_>) -> Result<Trials, CosimError> {
    for (number, refusal) in refusals.iter().enumerate() {
        if let Some(missing) = refusal.missing(session, new)? {
            return Ok(Trials::failed(number + 1, refusal.provoked.clone(), missing));
        }
    }
    Ok(Trials::passed(refusals.len()))
}

/// Lets every tile ask for a program that was not loaded, for a single collective: all must say so, and nothing may be wrong with the next one.
pub(super) fn refused(session: &Session, reload: &[Vec<Job>], new: New<'_>) -> Result<Trials, CosimError> {
    let Some((words, _)) = session.first() else { return Ok(Trials::passed(0)) };
    let of = |swap: Vec<Job>| Refusal {
        provoked: REFUSED.to_owned(),
        jobs: [swap, vec![Job::Load(words.to_vec())]].concat(),
        late: None,
        tiles: session.model().fabric().tiles as usize,
        // words that were loaded again would belong to the program that waits
        mended: Vec::new(),
    };
    all_refused(session, &wrong_swaps(reload.first()).into_iter().map(of).collect::<Vec<_>>(), new)
}

/// Lets tiles run a program on words that were loaded to the places of another one, for a single collective: all that were given words must say so,
/// and nothing may be wrong with the next one. `loads` are the tiles in the order in which they are loaded, and words of each.
pub(super) fn places(
    session: &Session,
    loads: &[(u32, usize)],
    reload: &[Vec<Job>],
    new: New<'_>,
) -> Result<Trials, CosimError> {
    let (Some((words, _)), Some([program @ .., swap])) = (session.first(), reload.first().map(Vec::as_slice)) else {
        return Ok(Trials::passed(0));
    };
    let words = [Job::Load(words.to_vec())];
    let part = |letter: char| match letter {
        'W' => &words[..],
        'P' => program,
        _ => std::slice::from_ref(swap),
    };
    let given: BTreeSet<u32> = loads.iter().filter(|(_, count)| *count > 0).map(|&(tile, _)| tile).collect();
    let of = |(order, late): (&str, u64)| Refusal {
        provoked: format!("words (W), a program (P) and a swap (S) were sent in the order {order}"),
        jobs: order.chars().flat_map(part).cloned().collect(),
        late: Some(late),
        tiles: given.len(),
        mended: "PSW".chars().flat_map(part).cloned().collect(),
    };
    let orders = MISPLACED.into_iter().flat_map(|order| [(order, 0), (order, 1)]);
    all_refused(session, &orders.map(of).collect::<Vec<_>>(), new)
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
