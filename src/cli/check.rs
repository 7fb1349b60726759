//! `metronoc check`: schedules a specification, proves the schedule and compares it with the bounds.

use super::work::exported::Exported;
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
    let enclosing = work.enclosing();
    let one_by_one = match work.document().is_none() && work.transfers() <= ONE_BY_ONE {
        true => Some(one_by_one(&work.whole())?),
        false => None,
    };
    if context.json {
        return work.print_verdict(one_by_one, context);
    }
    let mut text = enclosing.map(|whole| whole.heading()).unwrap_or_default() + &work.verdict();
    let places = enclosing.map_or(Vec::new(), |whole| whole.argument());
    for line in places.into_iter().chain(one_by_one.map(|account| account.line())) {
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
