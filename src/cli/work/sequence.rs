//! Collectives one after the other, as one program: each scheduled, proved and judged on its own, then all of them together.

use super::general::{Scheduled, bounds_of, judged, on_words, problem_of, proved, scheduled};
use super::judged::{JudgedDocument, Turn};
use super::listed::ListedWork;
use super::network;
use crate::cli::progress::Progress;
use crate::cli::{CliError, Context};
use crate::collective::general::{ChunkArrays, SequenceArrays};
use crate::schedule::general::{self as schedulers, Joined};
use crate::spec::Spec;
use serde_json::{Value, json};
use std::path::Path;

/// Schedules the collectives of a specification, each by a specification of its own; the files that they name are in `folder`.
///
/// # Errors
/// As for one collective, on the line of the collective at fault.
pub(super) fn work(spec: Spec, folder: &Path, context: &Context) -> Result<ListedWork<SequenceArrays>, CliError> {
    let progress = Progress::new(context, "scheduling");
    let (network, parts) = (network::of(&spec, folder)?, spec.parts());
    let mut all = Vec::with_capacity(parts.len());
    for part in &parts {
        all.push(scheduled(part, &network, folder, false, (&progress, context))?);
        progress.next("scheduling");
    }
    progress.next("checking");
    let schedules: Vec<schedulers::Part> = all.iter().map(schedule).collect();
    let none = || CliError::Internal("a sequence without collectives".to_owned()); // the parser makes none
    let mut joined = schedulers::in_sequence(&network.net, &schedules).ok_or_else(none)?;
    number_parts(&mut joined, &all);
    let problem = problem_of(&network, std::mem::take(&mut joined.demand));
    proved(&spec, &problem, &joined.program, &joined.chunk)?;
    let whole = judged(&spec, &network.net, &joined.program, &table(&all))?;
    let arrays = all.iter().enumerate().map(|(index, part)| {
        let chunks = joined.chunks_of(index, &schedules);
        (ChunkArrays::new(part.definition.clone(), chunks), joined.starts[index].1)
    });
    let collective = SequenceArrays::new(arrays);
    on_words(&spec, &problem, &joined.program, &collective)?;
    let turns = joined.starts.iter().zip(&all).map(|(&(start, _), part)| Turn {
        kind: part.definition.rule().kind(),
        algorithm: part.made.algorithm,
        start,
        cycles: part.judged.account.cycles,
        bound: part.judged.bounds.largest(),
    });
    let judged = JudgedDocument { bounds: bounds_of(&problem), sequence: turns.collect(), ..whole };
    progress.done();
    let parts = all.into_iter().map(|part| part.judged).collect();
    let (algorithm, network, program) = (Some("sequence"), problem.net, joined.program);
    Ok(ListedWork { spec, algorithm, network, program, collective, judged, parts })
}

fn schedule(part: &Scheduled) -> schedulers::Part {
    let (demand, operator) = (part.problem.demand.clone(), part.definition.rule().operator());
    schedulers::Part { demand, made: part.made.clone(), operator }
}

/// Numbers the parts of combinations of all collectives without gaps: no two collectives share one.
fn number_parts(joined: &mut Joined, all: &[Scheduled]) {
    let (mut numbers, mut first) = (Vec::new(), 0);
    for part in all {
        let own: Vec<Option<u32>> =
            (0..part.problem.demand.chunks.len() as u32).map(|chunk| part.definition.part(chunk)).collect();
        numbers.extend(own.iter().map(|number| number.map(|number| number + first)));
        first += own.iter().flatten().max().map_or(0, |most| most + 1);
    }
    let Joined { program, chunk, .. } = joined;
    program.number_parts(|value| numbers[chunk[value]? as usize]);
}

/// The exchange form's table of the collectives, those of each in order.
fn table(all: &[Scheduled]) -> Value {
    let tables: Vec<&Value> = all.iter().map(|part| &part.judged.document.collective).collect();
    json!({ "kind": "sequence", "collectives": tables })
}
