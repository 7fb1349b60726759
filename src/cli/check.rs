//! `metronoc check`: schedules a specification, proves the schedule and compares it with the bounds.

use super::exported::Exported;
use super::{CliError, Context, work};
use crate::check::judge::{Account, judge};
use crate::program::Document;

/// Schedule a specification, prove the schedule and compare it with lower bounds; or check a schedule of another tool
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    source: work::SourceArgs,
}

/// Transfers up to which a schedule is followed one by one, too.
const ONE_BY_ONE: u64 = 1_000_000;

pub fn run(args: &Args, context: &Context) -> Result<(), CliError> {
    let mut input = work::load_from(&args.source, context)?;
    if let Some(mut judged) = input.judged()? {
        input.compare(&mut judged);
        return if context.json { judged.print(None, context) } else { context.print_wrapped(&judged.verdict(None)) };
    }
    let work = work::work_of(input, &args.source.spec, context)?;
    let embedding = super::embedding::checked(work.spec())?;
    let one_by_one = match work.document().is_none() && work.transfers() <= ONE_BY_ONE {
        true => Some(one_by_one(&Exported::new(work.as_ref(), embedding.as_ref()))?),
        false => None,
    };
    if context.json {
        return work.print_verdict(one_by_one, context);
    }
    let heading = embedding.as_ref().map(|embedding| super::embedding::heading(embedding, work.spec()));
    let mut text = heading.unwrap_or_default() + &work.verdict();
    let place = embedding.map(|embedding| embedding.proof().line());
    for line in place.into_iter().chain(one_by_one.map(|account| account.line())) {
        text += &format!("- {line}\n");
    }
    context.print_wrapped(&text)
}

/// The verdict of the judge that follows single transfers.
///
/// # Errors
/// [`CliError::Internal`] if it refuses the schedule, which the proof has passed.
fn one_by_one(exported: &Exported) -> Result<Account, CliError> {
    let document = Document::new(&exported.expansion()?, [&exported.network, &exported.collective]);
    judge(&document).map_err(|fault| {
        CliError::Internal(format!(
            "the proof passes the schedule, and following its transfers one by one does not: {fault}"
        ))
    })
}
