//! Collectives on networks that are lists of channels, by the schedulers of any demand on any network.

use super::judged::JudgedDocument;
use super::listed::ListedWork;
use super::network::{self, ListedNetwork};
use super::tables;
use crate::check::BoundList;
use crate::check::graph_bounds::{self, Subject};
use crate::check::program::{Goal, Rules, check};
use crate::cli::progress::Progress;
use crate::cli::{CliError, Context, Exit};
use crate::collective::Collective;
use crate::collective::demand::Demand;
use crate::collective::general::{self, ChunkArrays, Definition};
use crate::interrupt::search::Stoppable;
use crate::lower::slot_table::operator_cycles;
use crate::program::{Document, Expansion, Program, TooLarge};
use crate::schedule::general::{self as schedulers, Effort, Found, Made, PortModel, Problem};
use crate::spec::{BlockSpec, Spec, Storage};
use crate::topology::Graph;
use serde_json::Value;
use std::path::Path;

/// Schedules a specification and judges the schedule; the files that it names are in `folder`.
///
/// # Errors
/// [`CliError::AtSpec`] with [`Exit::BadSpec`] for a network that cannot be used or a collective that does not fit it.
/// The same with [`Exit::Infeasible`] if the algorithm does not apply or the check refuses the schedule.
pub(super) fn work(spec: Spec, folder: &Path, context: &Context) -> Result<ListedWork<ChunkArrays>, CliError> {
    let progress = Progress::new(context, "scheduling");
    let network = network::of(&spec, folder)?;
    // programs that are loaded later run on the same operators
    let is_operator_free = spec.schedule.storage != Storage::Ram;
    let scheduled = scheduled(&spec, &network, folder, is_operator_free, (&progress, context))?;
    let Scheduled { problem, definition, made, judged } = scheduled;
    progress.done();
    let Made { algorithm, program, chunk, .. } = made;
    let collective = ChunkArrays::new(definition, chunk);
    let (algorithm, network) = (Some(algorithm), problem.net);
    Ok(ListedWork { spec, algorithm, network, program, collective, judged, parts: Vec::new() })
}

/// A collective on a network with its schedule, proved and judged.
pub(super) struct Scheduled {
    pub problem: Problem,
    pub definition: Definition,
    pub made: Made,
    pub judged: JudgedDocument,
}

/// Schedules the one collective of a specification, and judges the schedule. Operators are free if no other program runs on the same
/// hardware.
///
/// # Errors
/// As [`work`].
pub(super) fn scheduled(
    spec: &Spec,
    network: &ListedNetwork,
    folder: &Path,
    is_operator_free: bool,
    (progress, context): (&Progress, &Context),
) -> Result<Scheduled, CliError> {
    let refused = || CliError::Internal(format!("{} on a list of channels", spec.collective.kind())); // the parser refuses it
    let collective = spec.collective.general().ok_or_else(refused)?;
    let definition = general::of(collective, &network.nodes, folder, spec.schedule.seed);
    let definition = definition.map_err(|error| CliError::unfit(spec, error))?;
    let problem = Problem { is_operator_free, ..problem_of(network, definition.demand()) };
    let blocks = &collective.blocks;
    let mut made = made(spec, &problem, blocks, context)?;
    tracing::info!("`{}` made {} moves in {} cycles", made.algorithm, made.program.moves.len(), made.cycles);
    progress.next("checking");
    let Made { program, chunk, cycles, .. } = &mut made;
    program.number_parts(|value| definition.part(chunk[value]?));
    if blocks.repeat > 1 {
        program.period.get_or_insert((*cycles).max(1));
    }
    proved(spec, &problem, program, chunk)?;
    let judged = judged(spec, &problem.net, program, &table_of(&definition, spec))?;
    let judged = JudgedDocument { bounds: bounds_of(&problem), ..judged };
    Ok(Scheduled { problem, definition, made, judged })
}

/// A demand on a network, for schedulers.
pub(super) fn problem_of(network: &ListedNetwork, demand: Demand) -> Problem {
    let ListedNetwork { net, latency, ports, table, .. } = network;
    let operator = operator_cycles(net.most_inputs() as u32 + 1);
    Problem {
        ports: *ports,
        latency: latency.clone(),
        operator,
        table: table.clone(),
        ..Problem::new(net.clone(), demand)
    }
}

/// Lower bounds of any schedule of a problem.
pub(super) fn bounds_of(problem: &Problem) -> BoundList {
    let Problem { net, latency, ports, demand, .. } = problem;
    // an operator of two operands is the fastest
    let operator = problem.operator.min(operator_cycles(2));
    let subject = Subject { net, latency, one_port: *ports == PortModel::One, demand, operator };
    match problem.is_circuit() {
        true => graph_bounds::bounds_of_circuits(subject),
        false => graph_bounds::bounds(subject),
    }
}

/// Schedule of a problem. An interrupt stops the search, and the best so far is taken.
fn made(spec: &Spec, problem: &Problem, blocks: &BlockSpec, context: &Context) -> Result<Made, CliError> {
    let effort = Effort { time_limit_s: spec.schedule.time_limit_s, seed: spec.schedule.seed };
    let algorithm = &blocks.algorithm;
    let size = blocks.words / blocks.chunks.unwrap_or(blocks.words);
    let stoppable = Stoppable::new();
    tracing::info!("searching by `{algorithm}`; an interrupt takes the best so far");
    let found = schedulers::search_in_parts(problem, size, algorithm, &effort)
        .map_err(|error| CliError::infeasible(spec, &error));
    let Found { made, is_shortest } = found?;
    if stoppable.is_stopped() {
        let cycles = made.cycles;
        context.say(format!("interrupted: {cycles} cycles are the best so far; a search to its end may find fewer"));
    } else if is_shortest {
        tracing::info!("no schedule has fewer than {} cycles", made.cycles);
    }
    Ok(made)
}

/// The exchange form's table of a collective, with the keys of the specification that the form does not have.
fn table_of(definition: &Definition, spec: &Spec) -> Value {
    let [_, mut table] = tables(spec);
    if let (Some(table), Value::Object(form)) = (table.as_object_mut(), definition.table()) {
        table.extend(form);
    }
    table
}

/// Checks a program as such.
pub(super) fn proved(spec: &Spec, problem: &Problem, program: &Program, chunk: &[Option<u32>]) -> Result<(), CliError> {
    let checked = check(&problem.net, program, &rules(problem), &Goal::Demand(&problem.demand, chunk));
    let checked = checked.map_err(|fault| CliError::refused(spec, &fault))?;
    tracing::info!("proved, with at most {} words that wait at a node", checked.depth.node);
    Ok(())
}

/// Runs a program on random words, and compares what comes out with the collective's own result.
pub(super) fn on_words(
    spec: &Spec,
    problem: &Problem,
    program: &Program,
    collective: &dyn Collective,
) -> Result<(), CliError> {
    let goal = Goal::Arrays(collective, spec.schedule.seed);
    let checked = check(&problem.net, program, &rules(problem), &goal);
    checked.map(drop).map_err(|fault| CliError::refused(spec, &fault))
}

fn rules(problem: &Problem) -> Rules {
    Rules { one_port: problem.ports == PortModel::One, uncopied: problem.is_circuit(), ..Rules::default() }
}

/// The schedule in full, judged.
pub(super) fn judged(
    spec: &Spec,
    network: &Graph,
    program: &Program,
    collective: &Value,
) -> Result<JudgedDocument, CliError> {
    let [table, _] = tables(spec);
    let expansion = Expansion::new(network, program);
    let large = |error: TooLarge| {
        CliError::at(Exit::Infeasible, spec, "collective.algorithm", error.to_string(), "take a smaller network")
    };
    let expansion = expansion.map_err(large)?;
    JudgedDocument::new(Document::new(&expansion, [&table, collective]))
        .map_err(|fault| CliError::refused(spec, &fault))
}
