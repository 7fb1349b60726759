//! The host's time: a start follows the words before it as soon as they are in their memories.

use super::trials::{New, Trials, start};
use crate::cosim::CosimError;
use crate::cosim::lockstep::Lockstep;
use crate::cosim::session::Session;
use crate::cosim::simulator::Job;

/// Cycles from the last word in the host to the next cycle in which a job is queued, without those that a start takes in the host.
const TOLD: u64 = 4;

/// Loads the words of a collective and starts it: it must begin as soon as the words are in their memories.
pub(super) fn starts(session: &Session, new: New<'_>) -> Result<Trials, CosimError> {
    let Some((words, _)) = session.first() else { return Ok(Trials::passed(0)) };
    let mut simulator = new()?;
    let mut lockstep = Lockstep::new(&mut *simulator, session.model(), None);
    lockstep.queue(Job::Load(words.to_vec()));
    lockstep.run()?;
    let loaded = lockstep.cycle();
    start(session, &mut lockstep, 1);
    lockstep.run()?;
    let first = lockstep.launched().first().map(|start| start.first_row);
    let fabric = session.model().fabric();
    // the last word was taken some cycles before it was told, and the start is taken long before the word is in its memory
    let due = loaded + u64::from(fabric.flush_cycles + fabric.tree_cycles()) - TOLD;
    Ok(match first {
        Some(first) if first == due => Trials::passed(1),
        first => {
            let late = first.map_or("never".to_owned(), |first| format!("in cycle {first}"));
            Trials::failed(1, "a start followed words".to_owned(), format!("it begins {late}, not in cycle {due}"))
        }
    })
}
