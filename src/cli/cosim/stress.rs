//! The stress of a co-simulation: corner values, pauses of both streams, a reload in flight, and provoked faults.

use super::args::Args;
use super::case::{Case, difference};
use super::failure::Failure;
use crate::cli::{CliError, Context, Exit};
use crate::collective::Words;
use crate::cosim::stress::{Known, Trials, provoke, provoke_at_ports};
use crate::cosim::{Built, Form, Session, Verdict};
use crate::spec::Diagnostic;
use serde::Serialize;

/// Collectives that one start launches: of the values that the counter of those to be launched has, an odd number has each of its three bits, so
/// that what such a bit changes does not change back.
const BACK_TO_BACK: u64 = 6;

/// Collectives on the same words whose starts come right behind the drain of the one before.
const AGAIN: usize = 3;

/// Times that the words of a collective are read out, one behind the other.
const DRAINS: usize = 2;

/// Figures of a stress that found nothing.
#[derive(Debug, Serialize)]
pub(super) struct Stress {
    /// Sets of words that were sent.
    pub sets: usize,
    /// Cycles that were compared, with pauses on both streams.
    pub cycles: u64,
    /// Other programs that were loaded, and run.
    pub programs: usize,
    /// Faults that were provoked, and reported.
    pub faults: usize,
}

/// Stresses the hardware of a case that agrees with the model, in a simulator that was built with [`disturbed`](crate::cosim::stress::disturbed).
pub(super) fn run(args: &Args, case: &Case, built: &Built, context: &Context) -> Result<Stress, CliError> {
    let seed = context.seed.unwrap_or(0);
    let sets = case.stress_words(seed);
    let nothing = || CliError::Internal("a stress without words".to_owned());
    let joined = |sets: &[Words]| case.stress_session(sets).ok_or_else(nothing);
    let run = |session: &Session, wrong: &dyn Fn(&[u64]) -> Option<Failure<'static>>| -> Result<u64, CliError> {
        let mut simulator = case.simulator(built, Form::Top)?;
        // streams of tiles pause, or may not pause, in any run
        if !case.has_tile_ports() {
            simulator.pause(seed.wrapping_mul(2) + 1);
        }
        let outcome = session.run(&mut *simulator)?;
        let faults = || outcome.faults.as_ref().is_none_or(|faults| !faults.is_empty()).then_some(Failure::Faults);
        let failure = match &outcome.verdict {
            Verdict::Differed(mismatch) => Some(Failure::Mismatch(mismatch)),
            Verdict::Hung(cycles) => Some(Failure::Hung(*cycles)),
            Verdict::Agreed => wrong(&outcome.received).or_else(faults),
        };
        match failure {
            None => Ok(outcome.cycles),
            Some(failure) => {
                Err(failure.report(args, context, case, &outcome, "under stress, without a waveform".to_owned()))
            }
        }
    };
    let agreed = |sets: &[Words], session: Session| {
        run(&session, &|received| Failure::of_words(case.stress_difference(sets, received), Failure::Received))
    };
    let mut cycles = agreed(&sets, joined(&sets)?.reloading(case.reload_over_another()).asking_each())?;
    let session = joined(&sets[..1])?;
    let new = || case.simulator(built, Form::Top);
    if case.has_tile_ports() {
        // a fault of tiles with streams of their own stays until reset, and their cores bring the words of each collective
        let faults = all_noticed(provoke_at_ports(&session, &new)?, args, context)?;
        return Ok(Stress { sets: sets.len(), cycles, programs: 0, faults });
    }
    let idle = [case.idle_words()];
    cycles += agreed(&idle, joined(&idle)?.back_to_back(1, BACK_TO_BACK))?;
    for collectives in [1, 2] {
        cycles += agreed(&idle, joined(&idle)?.back_to_back(BACK_TO_BACK, collectives))?;
    }
    if let Some(session) = joined(&idle)?.again(AGAIN) {
        let sets: Vec<Words> = idle.iter().cycle().take(1 + AGAIN).cloned().collect();
        cycles += agreed(&sets, session)?;
    }
    let last = &sets[sets.len() - 1];
    if let Some(session) = case.single_session(last).drained(DRAINS) {
        let wrong = |received: &[u64]| case.drains_difference(last, DRAINS, received);
        cycles += run(&session, &|received| Failure::of_words(wrong(received), Failure::Received))?;
    }
    let others = case.other_programs(seed);
    for other in &others {
        cycles +=
            run(&other.session, &|received| Failure::of_words(difference(&other.expected, received), Failure::Other))?;
    }
    let single = case.single_session(&sets[0]);
    let (reload, clashes) = (case.reloads(), case.clashes());
    let known = Known {
        loads: &case.loads(),
        reload: &reload,
        clashes: &clashes,
        places: case.has_places(),
        detectors: &case.detectors(),
        linear: case.is_linear(),
    };
    let faults = all_noticed(provoke(&session, &single, known, &new)?, args, context)?;
    Ok(Stress { sets: sets.len(), cycles, programs: others.len(), faults })
}

/// Number of provoked faults, if all were noticed.
fn all_noticed(trials: Trials, args: &Args, context: &Context) -> Result<usize, CliError> {
    let Some(unnoticed) = trials.unnoticed else { return Ok(trials.count) };
    let message = format!("a provoked fault goes unnoticed: {}", unnoticed.missing);
    let help = args.repeat_help(context);
    let diagnostic = Diagnostic::bare(message).note(unnoticed.provoked).help(help);
    Err(CliError::AtSpec { exit: Exit::Mismatch, diagnostic: Box::new(diagnostic) })
}
