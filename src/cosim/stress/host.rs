//! The host's time: a start follows the words before it as soon as they are in their memories, and words follow a start when its collective no
//! longer needs their places.

use super::trials::{New, Trials, first_row, launch, start};
use crate::cosim::CosimError;
use crate::cosim::lockstep::{Lockstep, Verdict};
use crate::cosim::session::Session;
use crate::cosim::simulator::Job;
use crate::model::Sections;
use std::collections::{BTreeSet, HashSet};

/// Cycles from the last word in the host to the next cycle in which a job is queued, without those that a start takes in the host.
const TOLD: u64 = 4;

/// Words that the host has registers for, see `mn_slice`.
const HELD: u64 = 2;
/// Events that show that a start moves: its beat is taken, and the collective is launched.
const OF_START: u64 = 2;
/// Most cycles from a start's beat to its launch.
const PATIENCE: u64 = 10_000;
/// Times that all statuses are asked for, to see how long they take.
const ASKED: u64 = 64;
/// Most tiles to which a word is sent behind a start.
const TILES: usize = 16;

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

/// Asks for all statuses time and again, with one more cycle before each: they must come as fast as those before.
pub(super) fn answers(session: &Session, new: New<'_>) -> Result<Trials, CosimError> {
    let mut simulator = new()?;
    let mut lockstep = Lockstep::new(&mut *simulator, session.model(), None);
    let mut usual = None;
    for wait in 0..ASKED {
        lockstep.wait_to(lockstep.cycle() + wait)?;
        let asked = lockstep.cycle();
        lockstep.queue(Job::Status);
        lockstep.run()?;
        let took = lockstep.cycle() - asked;
        // the first ones wait for the reset
        if wait > 0 && took != *usual.get_or_insert(took) {
            let provoked = format!("all statuses were asked for, {wait} cycles after the ones before");
            return Ok(Trials::failed(1, provoked, format!("they take {took} cycles, not as many as before")));
        }
    }
    Ok(Trials::passed(1))
}

/// Difference between hardware and model in a run, in words; none if hardware and model agree.
fn disagreement(verdict: &Verdict) -> Option<String> {
    match verdict {
        Verdict::Agreed => None,
        Verdict::Differed(mismatch) => Some(format!("a channel differs in cycle {}", mismatch.cycle)),
        Verdict::Hung(cycles) => Some(format!("nothing moves for {cycles} cycles")),
    }
}

/// Starts a collective, and sends another word to one tile behind the start at once: every channel must have what the model has without it.
pub(super) fn words_behind(session: &Session, new: New<'_>) -> Result<Trials, CosimError> {
    let Some((words, _)) = session.first() else { return Ok(Trials::passed(0)) };
    let fabric = session.model().fabric();
    let known: HashSet<u64> = words.iter().copied().collect();
    // a word that changes what it is written over
    let other = (0..=u64::MAX >> (u64::BITS - fabric.data_bits)).find(|word| !known.contains(word)).unwrap_or(0);
    let mut count = 0;
    for tile in (0..fabric.tiles).step_by((fabric.tiles as usize).div_ceil(TILES)) {
        count += 1;
        let mut simulator = new()?;
        let mut lockstep = Lockstep::new(&mut *simulator, session.model(), Some(Sections::All));
        launch(session, &mut lockstep, 1);
        lockstep.queue(Job::TileLoad(tile, vec![other]));
        let Some(missing) = disagreement(&lockstep.run()?) else { continue };
        let provoked = format!("a word for {} followed a start", fabric.tile_name(tile as usize));
        return Ok(Trials::failed(count, provoked, missing));
    }
    Ok(Trials::passed(count))
}

/// Loads words behind a start, those of one tile before all others, for one tile after the other, and starts again: the words that wait in the
/// host, whatever tile they are for, must come as they are. `loads` are the words of a set, by tile, in the order in which they are loaded.
pub(super) fn words_of_a_tile_first(
    session: &Session,
    loads: &[(u32, usize)],
    new: New<'_>,
) -> Result<Trials, CosimError> {
    let Some((words, _)) = session.first() else { return Ok(Trials::passed(0)) };
    let mut rest = words;
    let parts: Vec<(u32, &[u64])> =
        loads.iter().map(|&(tile, count)| (tile, rest.split_off(..count).unwrap_or_default())).collect();
    let tiles: BTreeSet<u32> = parts.iter().filter(|(_, part)| !part.is_empty()).map(|&(tile, _)| tile).collect();
    let mut count = 0;
    for &first in tiles.iter().step_by(tiles.len().div_ceil(TILES).max(1)) {
        count += 1;
        let (before, after): (Vec<_>, Vec<_>) = parts.iter().partition(|(tile, _)| *tile == first);
        let mut simulator = new()?;
        let mut lockstep = Lockstep::new(&mut *simulator, session.model(), Some(Sections::All));
        launch(session, &mut lockstep, 1);
        // with two sets of memories the words of the next collective do not wait
        for _ in 0..session.model().buffers() {
            for &(tile, part) in before.iter().chain(&after) {
                lockstep.queue(Job::TileLoad(tile, part.to_vec()));
            }
            start(session, &mut lockstep, 1);
        }
        let Some(missing) = disagreement(&lockstep.run()?) else { continue };
        let name = session.model().fabric().tile_name(first as usize);
        return Ok(Trials::failed(count, format!("words followed a start, those for {name} first"), missing));
    }
    Ok(Trials::passed(count))
}

/// Sends words behind a start: where a tile has one set of memories, the host takes those alone for which it has registers.
pub(super) fn words_wait(session: &Session, new: New<'_>) -> Result<Trials, CosimError> {
    let Some((words, _)) = session.first().filter(|_| session.model().buffers() == 1) else {
        return Ok(Trials::passed(0));
    };
    let mut simulator = new()?;
    let mut lockstep = Lockstep::new(&mut *simulator, session.model(), None);
    lockstep.queue(Job::Load(words.to_vec()));
    lockstep.run()?;
    let before = lockstep.simulator().progress();
    start(session, &mut lockstep, 1);
    lockstep.queue(Job::TileLoad(0, vec![0; HELD as usize + 1]));
    let patience = lockstep.cycle() + PATIENCE;
    if let Some(begin) = first_row(&mut lockstep, patience)? {
        lockstep.wait_to(begin)?;
    }
    let taken = (lockstep.simulator().progress() - before).saturating_sub(OF_START);
    Ok(match taken {
        HELD => Trials::passed(1),
        _ => Trials::failed(1, "words followed a start".to_owned(), format!("the host takes {taken}, not {HELD}")),
    })
}
