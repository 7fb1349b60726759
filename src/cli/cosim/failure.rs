//! Messages for a co-simulation in which hardware and model differ.

use super::args::Args;
use super::case::{Case, difference};
use crate::cli::run::Transfer;
use crate::cli::{CliError, Context, Exit};
use crate::collective::Words;
use crate::cosim::status::faults_of;
use crate::cosim::{Mismatch, Outcome, Verdict};
use crate::lower::reading;
use crate::spec::Diagnostic;
use crate::synth::link::Answer;

/// The most faults that a message lists.
const SHOWN_FAULTS: usize = 8;

/// Difference between hardware and model.
pub(super) enum Failure<'a> {
    Mismatch(&'a Mismatch),
    Hung(u64),
    /// All compared words agree, and the received array is wrong: index, expected word, received word.
    Received(usize, u64, u64),
    /// A word that another program brings is wrong: place among those that are read out, expected word, word that was read.
    Other(usize, u64, u64),
    /// The array is incomplete.
    NotReceived,
    /// All words agree, and the hardware reports faults.
    Faults,
}

impl<'a> Failure<'a> {
    pub(super) fn of(outcome: &'a Outcome, case: &Case) -> Option<Self> {
        match &outcome.verdict {
            Verdict::Differed(mismatch) => return Some(Self::Mismatch(mismatch)),
            Verdict::Hung(cycles) => return Some(Self::Hung(*cycles)),
            Verdict::Agreed => {}
        }
        let wrong = Self::of_words(difference(case.expected(), &outcome.received), Self::Received);
        wrong.or_else(|| outcome.faults.as_ref().is_none_or(|faults| !faults.is_empty()).then_some(Self::Faults))
    }

    /// Failure of received words, of which one that is wrong is said by `wrong`.
    pub(super) fn of_words(
        difference: Result<(), Option<(usize, u64, u64)>>,
        wrong: fn(usize, u64, u64) -> Self,
    ) -> Option<Self> {
        match difference {
            Ok(()) => None,
            Err(None) => Some(Self::NotReceived),
            Err(Some((index, expected, found))) => Some(wrong(index, expected, found)),
        }
    }

    fn message(&self, case: &Case) -> String {
        match self {
            Self::Mismatch(m) => {
                let place = case.fabric().place(m.point);
                let when = match m.collective {
                    Some((number, cycle)) => {
                        format!("cycle {cycle} of collective {number} (cycle {} overall)", m.cycle)
                    }
                    None => format!("cycle {} overall, before the first collective", m.cycle),
                };
                format!("hardware and model differ at {place} in {when}")
            }
            Self::Hung(cycles) => format!("the hardware stood still for {cycles} cycles with work to be done"),
            Self::Received(index, expected, found) => {
                let (receiver, what) = case.word(*index);
                format!("{receiver} received {found:#x}, not {expected:#x}: {what}")
            }
            Self::Other(place, expected, found) => {
                format!("another program brings {found:#x}, not {expected:#x}: word {place} of those that are read out")
            }
            Self::NotReceived => "the hardware did not answer with a whole array".to_owned(),
            Self::Faults => "the hardware reports faults, though all that was compared agrees".to_owned(),
        }
    }

    pub(super) fn report(
        &self,
        args: &Args,
        context: &Context,
        case: &Case,
        outcome: &Outcome,
        wave: String,
    ) -> CliError {
        let fabric = case.fabric();
        let mut diagnostic = Diagnostic::bare(self.message(case));
        if let Self::Mismatch(m) = self {
            let bits = fabric.layout().bits(m.point);
            for (what, value) in [("expected", &m.expected), ("found", &m.found)] {
                let fields = fabric.describe(m.point, value);
                diagnostic = diagnostic.note(format!("{what} {} ({fields})", reading::hex(value, bits)));
            }
        }
        diagnostic = match &outcome.faults {
            None => diagnostic.note("the hardware could not be asked for its status"),
            Some(faults) if faults.is_empty() => diagnostic.note("the hardware itself reports no fault"),
            Some(faults) => {
                let more = faults.len().saturating_sub(SHOWN_FAULTS);
                let shown = faults.iter().take(SHOWN_FAULTS).fold(diagnostic, |d, fault| d.note(fault.to_string()));
                if more > 0 { shown.note(format!("and {more} faults more")) } else { shown }
            }
        };
        let diagnostic = diagnostic.note(wave).help(args.repeat_help(context));
        CliError::AtSpec { exit: Exit::Mismatch, diagnostic: Box::new(diagnostic) }
    }
}

/// Mismatch of a bitstream with the model.
pub(super) fn mismatch(message: String, notes: Vec<String>) -> CliError {
    let diagnostic = notes.into_iter().fold(Diagnostic::bare(message), Diagnostic::note);
    CliError::AtSpec { exit: Exit::Mismatch, diagnostic: Box::new(diagnostic) }
}

/// The words in an answer, if they are those that the collective defines, and there is no fault.
///
/// # Errors
/// [`mismatch`] otherwise.
pub(super) fn judged(transfer: &Transfer, answer: &Answer) -> Result<Words, CliError> {
    let came = transfer.came(answer);
    let faults = faults_of(&*transfer.hardware.fabric(), &answer.status);
    let words = transfer.expected.len();
    let wrong: Vec<usize> = transfer.wrong(&came).collect();
    if wrong.is_empty() && !answer.fault && faults.is_empty() && came.len() == words {
        return Ok(came);
    }
    let message = match wrong.first() {
        Some(&first) => {
            let (receiver, what) = transfer.hardware.place(transfer.collective.as_ref(), first);
            format!("{} of {words} words came out of the bitstream wrong, the first at {receiver}: {what}", wrong.len())
        }
        None => "the bitstream reports faults, though all words agree".to_owned(),
    };
    let mut notes: Vec<String> = faults.iter().take(SHOWN_FAULTS).map(ToString::to_string).collect();
    if notes.is_empty() {
        notes.push("the hardware itself names no fault".to_owned());
    }
    Err(mismatch(message, notes))
}
